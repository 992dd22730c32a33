"""What counts as a missing value."""

import numpy as np
import pandas as pd


def is_missing(value: object) -> bool:
    """Return whether a value is None, NaN of any float type, NA or NaT; arrays and lists are not missing."""
    if value is None or value is pd.NA or value is pd.NaT:
        return True
    return isinstance(value, (float, np.floating)) and bool(value != value)
