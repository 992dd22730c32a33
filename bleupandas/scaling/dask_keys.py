"""Group keys of a Dask frame, in a form that every partition can find in its own frame."""

from collections.abc import Hashable
from typing import Any, NamedTuple

import dask.dataframe as dd
import pandas as pd

from bleupandas.common import typed_repr


class DaskKeys(NamedTuple):
    """Group keys in a form that every partition can find in its frame."""

    by: Any  # labels and functions, or None
    names: list[Hashable]  # of the levels of the result

    @property
    def all(self) -> list[Any]:
        """All keys as a list."""
        return [] if self.by is None else self.by if isinstance(self.by, list) else [self.by]


def add_keys(ddf: Any, by: Any) -> tuple[Any, DaskKeys]:
    """Return the frame with Dask Series of `by` as columns, and the keys to group by."""
    if by is None:
        return ddf, DaskKeys(None, [])
    keys: list[Any] = []
    names: list[Hashable] = []
    for key in by if isinstance(by, list) else [by]:
        if isinstance(key, dd.Series):
            label = f"by={len(keys)} of bleupandas"
            ddf = ddf.assign(**{label: key})
            keys, names = [*keys, label], [*names, key.name]
        elif callable(key):
            keys, names = [*keys, key], [*names, None]
        elif isinstance(key, Hashable) and not isinstance(key, pd.Grouper | pd.Series | pd.Index):
            keys, names = [*keys, key], [*names, key]
        else:
            raise TypeError(
                f"by has {typed_repr(key)}; on a Dask frame it is a column label, a Dask Series, a function of the "
                "index label, or a list of these"
            )
    return ddf, DaskKeys(keys if isinstance(by, list) else keys[0], names)
