"""Rows by their index label."""

from collections.abc import Hashable

import numpy as np
import pandas as pd

from bleupandas.common import ColumnMissingError, join_values, short_repr, typed_repr


def label_positions(index: pd.Index, label: Hashable) -> list[int]:
    """Return the positions of a label, or raise KeyError."""
    try:
        where = index.get_loc(label)
    except KeyError:
        raise ColumnMissingError(
            f"no row {short_repr(label)}: the index has {join_values(index, 3)}; for a position, "
            "df.iloc[[3]].bleu.show()"
        ) from None
    except (TypeError, pd.errors.InvalidIndexError):
        raise TypeError(
            f"show() takes labels of the index, one by one, not {typed_repr(label)}; for several, show('a', 'b')"
        ) from None
    positions: list[int] = np.arange(len(index))[where].reshape(-1).tolist()
    return positions
