"""The frame of n-grams that two systems match differently: gains, ranks, columns."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from bleupandas.counting import TEXT, Sums, arrow_text, float_column, nullable_integers
from bleupandas.engine import Contrasts
from bleupandas.scoring import ScoreSettings, row_scores

SIDES = ("baseline_only", "system_only", "both", "neither")
COUNTS = (*SIDES, *(f"segments_{side}" for side in SIDES))

Columns = dict[str, NDArray[Any]]


def contrasts_frame(
    contrasts: Contrasts,
    *,
    totals: Sequence[Sums],
    ids: list[Any],
    settings: ScoreSettings,
    rank: str,
    examples: int,
    nullable: bool,
    most: int | None = None,
) -> pd.DataFrame:
    """Return the frame of `bleupandas.ngram_differences`.

    Parameters
    ----------
    contrasts : Contrasts
    totals : two Sums
        Of baseline and system, a row each.
    ids : list
        Of the paired segments.
    settings : ScoreSettings
    rank : {"ratio", "system_gain"}
        The column to sort by.
    examples : int
    nullable : bool
    most : int, optional
        Only this many rows from each end.
    """
    columns = count_columns(contrasts)
    for name, total, other in zip(("baseline", "system"), totals, ("system_only", "baseline_only"), strict=True):
        columns[f"{name}_gain"] = compute_gains(total, columns["order"], columns["neither"] + columns[other], settings)
    order = sort_rows(columns, rank)
    if most is not None and 2 * most < len(order):
        order = np.concatenate([order[:most], order[len(order) - most :]])
    text = arrow_text(contrasts.offsets, contrasts.text).take(pa.array(order))
    data: dict[str, Any] = {"order": columns["order"][order], "ngram": TEXT.__from_arrow__(pa.chunked_array([text]))}
    data |= {name: float_column(columns[name][order], nullable) for name in ("ratio", "baseline_gain", "system_gain")}
    data |= {name: columns[name][order] for name in COUNTS}
    if nullable:
        none = np.zeros(len(order), np.bool_)
        integers = {name: values for name, values in data.items() if isinstance(values, np.ndarray)}
        data |= {name: nullable_integers(values, none) for name, values in integers.items()}
    return pd.DataFrame(data | example_columns(contrasts, ids, order, examples), copy=False)


def count_columns(contrasts: Contrasts) -> Columns:
    """Return order, counts and the smoothed ratio by name."""
    order, *numbers = contrasts.numbers
    columns: Columns = {"order": order} | dict(zip(COUNTS, numbers, strict=True))
    columns["ratio"] = np.log1p(columns["system_only"]) - np.log1p(columns["baseline_only"])
    return columns


def compute_gains(
    total: Sums, orders: NDArray[np.int64], added: NDArray[np.int64], settings: ScoreSettings
) -> NDArray[np.float64]:
    """Compute how much corpus BLEU rises with further matches of an order, (n_ngrams,).

    Parameters
    ----------
    total : Sums
        One row.
    orders, added : ndarray of shape (n_ngrams,)
        The order of each n-gram, and its further matches.
    settings : ScoreSettings
    """
    which, cases = pd.factorize(added * (settings.max_order + 1) + orders)  # there are few different cases
    more, order = np.divmod(cases, settings.max_order + 1)
    at, n = np.arange(len(cases)), len(cases) + 1  # the last column has no further matches
    matches = np.repeat(total.matches, n, axis=1)
    matches[order - 1, at] = np.minimum(matches[order - 1, at] + more, total.totals[order - 1, 0])
    c, r = np.repeat(total.candidate_length, n), np.repeat(total.reference_length, n)
    scores = row_scores(c, r, matches.T, np.repeat(total.totals, n, axis=1).T, settings).score
    gains: NDArray[np.float64] = (scores[:-1] - scores[-1])[which]
    return gains


def sort_rows(columns: Columns, rank: str) -> NDArray[np.int64]:
    """Return the order of rows: by rank, then by frequency, then unchanged, which is by order and text."""
    frequency: NDArray[np.int64] = np.sum([columns[side] for side in SIDES], axis=0)
    return np.lexsort((-frequency, -columns[rank]))


def example_columns(
    contrasts: Contrasts, ids: list[Any], order: NDArray[np.int64], examples: int
) -> dict[str, NDArray[np.object_]]:
    """Return a column of tuples of example ids for each side."""
    numbers = np.minimum(contrasts.numbers[-len(SIDES) :], examples)
    ends = np.cumsum(numbers.T).reshape(-1, len(SIDES)).T  # n-gram by n-gram, and then side by side
    labels = np.empty(len(ids), object)
    labels[:] = ids
    return {
        f"examples_{side}": example_tuples(labels, contrasts.examples, starts[order], counts[order])
        for side, counts, starts in zip(SIDES, numbers, ends - numbers, strict=True)
    }


def example_tuples(
    ids: NDArray[np.object_], examples: NDArray[np.int64], starts: NDArray[np.int64], counts: NDArray[np.int64]
) -> NDArray[np.object_]:
    """Return a tuple of ids for each row: those of `counts` examples from `starts` on."""
    cells = np.empty(len(counts), object)
    cells.fill(())
    ones = np.fromiter(zip(ids, strict=True), object, len(ids))  # by far the most, so that rows share them
    where = np.flatnonzero(counts == 1)
    cells[where] = ones[examples[starts[where]]]
    for count in np.unique(counts[counts > 1]).tolist():  # all tuples of one length at once
        where = np.flatnonzero(counts == count)
        pairs = examples[starts[where, np.newaxis] + np.arange(count)]
        same_length = zip(*ids[pairs].T.tolist(), strict=True)
        cells[where] = np.fromiter(same_length, object, len(where))
    return cells
