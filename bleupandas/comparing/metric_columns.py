"""Metric columns: a number for each segment, such as COMET or chrF."""

from collections.abc import Hashable
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bleupandas.common import COERCE, Errors, Problem, is_missing, row_place, short_repr
from bleupandas.comparing.random_weights import Floats
from bleupandas.reading import find_column, is_number

LARGEST = 1e290  # sums of resamples stay finite


def read_metric(df: pd.DataFrame, label: Hashable, errors: Errors) -> tuple[Floats, NDArray[np.bool_]]:
    """Read a column of finite numbers: float64 (n_rows,), 0 where missing, and which rows are missing."""
    series = find_column(df, label, "metric=")
    kind = series.dtype
    if pd.api.types.is_object_dtype(kind):
        values = np.array([to_float(value) for value in series.array], np.float64)
        no_numbers = np.isinf(values) & ~np.array([is_number(value) for value in series.array], np.bool_)
        refuse_cells(no_numbers, series, label, TypeError, "a number")
    elif pd.api.types.is_numeric_dtype(kind) and not pd.api.types.is_complex_dtype(kind):
        values = series.to_numpy(np.float64, na_value=np.nan)
    else:
        raise TypeError(f"metric column {label!r}: numbers are expected, not {kind}; pass a column of numbers")
    refuse_cells(np.isinf(values), series, label, ValueError, "a finite number")
    refuse_cells(np.abs(values) > LARGEST, series, label, ValueError, f"a number of at most {LARGEST:g}")
    missing: NDArray[np.bool_] = np.isnan(values)
    if errors == "raise":
        refuse_cells(missing, series, label, ValueError, "a number", "add it", COERCE)
    return np.where(missing, 0.0, values), missing


def to_float(value: object) -> float:
    """Return a Python object as float: NaN if it is missing, infinity if it is not a number."""
    if is_number(value) or isinstance(value, bool | np.bool_):
        try:
            return float(value)  # type: ignore[arg-type]
        except OverflowError:  # a whole number beyond what float64 holds
            return np.inf
    return np.nan if is_missing(value) else np.inf


def refuse_cells(
    wrong: NDArray[np.bool_],
    series: "pd.Series[Any]",
    label: Hashable,
    kind: type[Exception],
    expected: str,
    advice: str = "correct it, or leave the row out",
    offer: str = "",
) -> None:
    """Raise for the first row where `wrong` is true."""
    if wrong.any():
        at = int(wrong.argmax())
        raise Problem(
            kind,
            f"got {short_repr(series.iloc[at])} ({int(wrong.sum())} such in all)",
            expected,
            noun="metric column",
            columns=(label,),
            row=row_place(series.index, at),
            advice=advice,
            offer=offer,
        ).error()
