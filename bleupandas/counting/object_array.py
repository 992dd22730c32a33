"""Arrays of Python objects."""

from typing import Any

import numpy as np
from numpy.typing import NDArray


def object_array(items: list[Any]) -> NDArray[np.object_]:
    """Return items as an array of objects, (n,), whatever they are.

    Examples
    --------
    >>> object_array([[1, 2], [3, 4]]).shape
    (2,)
    """
    values = np.empty(len(items), object)
    for i, item in enumerate(items):  # one by one: NumPy would read lists of equal lengths as a second dimension
        values[i] = item
    return values
