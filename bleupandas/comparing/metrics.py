"""What is compared: the fields of each segment that add up, and how their sums are scored."""

from collections.abc import Hashable
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bleupandas.common import COERCE, Errors, Problem, check_errors, is_missing, row_place, short_repr
from bleupandas.comparing.resampling import Floats, Scorer
from bleupandas.comparing.systems import long_rows, refuse_drop, systems_of, wide_rows
from bleupandas.reading import find_column, is_number, whole_sums
from bleupandas.scoring import ScoreSettings, score_sums

LARGEST = 1e290  # sums of resamples stay finite


class Measured(NamedTuple):
    """The paired segments of several systems, as numbers that add up."""

    labels: pd.Index  # (n_systems,)
    ids: pd.Index  # (n_pairs,)
    positions: NDArray[np.int64]  # (n_systems, n_pairs), of rows
    fields: NDArray[Any]  # (n_systems, n_fields, n_pairs), 0 where missing
    missing: NDArray[np.bool_]  # (n_systems, n_pairs)
    nullable: bool
    scorer: Scorer


def bleu_of(df: pd.DataFrame, function: str, *, settings: ScoreSettings, **options: Any) -> Measured:
    """Give components, which corpus BLEU is made of; options as in `systems_of`."""

    def bleu(sums: NDArray[Any]) -> Floats:
        return score_sums(whole_sums(sums), settings).score

    found = systems_of(df, function, settings=settings, **options)
    return Measured(found.labels, found.ids, found.positions, found.values, found.missing, found.nullable, bleu)


def metric_of(
    df: pd.DataFrame,
    function: str,
    metric: Hashable | list[Any],
    *,
    system: object,
    id: object,
    hypothesis: Hashable | list[Any],
    errors: str,
    on_unpaired: str,
) -> Measured:
    """Give a column of numbers, in wide form one for each system, and 1 each: their mean is the score."""
    mode = check_errors(errors)
    if isinstance(metric, list):
        rows = wide_rows(df, function, metric, "metric", system=system, id=id)
        refuse_drop(on_unpaired)
        if isinstance(hypothesis, list):
            if len(hypothesis) != len(metric):
                raise ValueError(
                    f"metric names {len(metric)} columns and hypothesis {len(hypothesis)}; expected one of each for "
                    "each system"
                )
            rows = wide_rows(df, function, hypothesis, "hypothesis", system=system, id=id)
        columns = [numbers_of(df, label, mode) for label in metric]
        values = np.stack([numbers for numbers, _ in columns])
        missing = np.stack([holes for _, holes in columns])
    elif isinstance(hypothesis, list):
        raise ValueError(
            f"metric={short_repr(metric)} is one column and hypothesis={short_repr(hypothesis)} a column for "
            "each system; "
            'expected a metric column for each system as well, such as metric=["comet_a", "comet_b"]'
        )
    else:
        rows = long_rows(df, function, system=system, id=id, on_unpaired=on_unpaired)
        numbers, holes = numbers_of(df, metric, mode)
        values, missing = numbers[rows.positions], holes[rows.positions]
    fields = np.stack((values, ~missing), axis=1)
    return Measured(rows.labels, rows.ids, rows.positions, fields, missing, mode == "coerce", mean)


def mean(sums: NDArray[Any]) -> Floats:
    """Give sums divided by numbers, (n,), of both, (2, n)."""
    means: Floats = sums[0] / sums[1]
    return means


def numbers_of(df: pd.DataFrame, label: Hashable, errors: Errors) -> tuple[Floats, NDArray[np.bool_]]:
    """Read a column of finite numbers: float64 (n_rows,), 0 where missing, and which are missing."""
    series = find_column(df, label, "metric=")
    kind = series.dtype
    if pd.api.types.is_object_dtype(kind):
        values = np.array([as_number(value) for value in series.array], np.float64)
        no_numbers = np.isinf(values) & ~np.array([is_number(value) for value in series.array], np.bool_)
        refuse(no_numbers, series, label, TypeError, "a number")
    elif pd.api.types.is_numeric_dtype(kind) and not pd.api.types.is_complex_dtype(kind):
        values = series.to_numpy(np.float64, na_value=np.nan)
    else:
        raise TypeError(f"metric column {label!r}: numbers are expected, not {kind}; give a column of numbers")
    refuse(np.isinf(values), series, label, ValueError, "a finite number")
    refuse(np.abs(values) > LARGEST, series, label, ValueError, f"a number of at most {LARGEST:g}")
    missing: NDArray[np.bool_] = np.isnan(values)
    if errors == "raise":
        refuse(missing, series, label, ValueError, "a number", "add it", COERCE)
    return np.where(missing, 0.0, values), missing


def as_number(value: object) -> float:
    """Give a Python object as float, NaN where missing, infinity where it is no number."""
    if is_number(value) or isinstance(value, bool | np.bool_):
        try:
            return float(value)  # type: ignore[arg-type]
        except OverflowError:  # a whole number beyond what float64 holds
            return np.inf
    return np.nan if is_missing(value) else np.inf


def refuse(
    wrong: NDArray[np.bool_],
    series: "pd.Series[Any]",
    label: Hashable,
    kind: type[Exception],
    expected: str,
    advice: str = "correct it, or leave the row out",
    offer: str = "",
) -> None:
    """Raise for the first row that is marked."""
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
