"""Filters: which rows pass the query, the score range, the search, the main cause and the group."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bleupandas.explaining import CAUSES
from bleupandas.reading import TokenColumns
from bleupandas.viewing.inspector.query import QueryError, evaluate_query
from bleupandas.viewing.inspector.row_table import RowTable
from bleupandas.viewing.inspector.token_search import count_ngram, find_text

Mask = NDArray[np.bool_]

# Values of `Filters.search_in`, and their names in the dropdown.
SEARCHES = {
    "text": "text on either side",
    "hypothesis": "n-gram in the hypothesis",
    "references": "n-gram in a reference",
    "over-produced": "over-produced n-gram",
    "missing": "missing n-gram",
    "matched": "matched n-gram",
}
WHOLE_RANGE = (0.0, 1.0)


class MissingValue:
    """The group of rows whose value is missing. NaN and NA do not equal themselves, so they cannot name a group."""

    def __repr__(self) -> str:
        """Return "MISSING"."""
        return "MISSING"


MISSING = MissingValue()


@dataclass(frozen=True)
class Filters:
    """The conditions that a row has to meet, all of them.

    Attributes
    ----------
    query : str
        An expression as in ``DataFrame.query``, on the caller's columns and the computed ones; "" for none.
    score_range : tuple of float
        Lowest and highest score, both included. Rows without a score only pass the whole range.
    search : str or tuple of str
        Text, or the tokens of an n-gram (a str is split at spaces); empty for none.
    search_in : str
        One of `SEARCHES`.
    main_cause : str
        One of `CAUSES`; "" for any.
    by : label or None
        The column of the groups.
    group : object
        The value in that column, `MISSING` for a missing one; None for any.
    """

    query: str = ""
    score_range: tuple[float, float] = WHOLE_RANGE
    search: str | tuple[str, ...] = ""
    search_in: str = "text"
    main_cause: str = ""
    by: Hashable | None = None
    group: Any = None


class RowFilter:
    """Applies filters to rows. The result of each filter is kept until that filter or the scores change.

    Parameters
    ----------
    table : RowTable
    tokens : TokenColumns
    """

    def __init__(self, table: RowTable, tokens: TokenColumns) -> None:
        self.table = table
        self.tokens = tokens
        self._kept: dict[str, tuple[object, Mask | None]] = {}

    def forget_scores(self) -> None:
        """Drop the results that depend on scores."""
        for name in ("query", "score", "cause"):
            self._kept.pop(name, None)

    def apply(self, filters: Filters) -> tuple[Mask, str]:
        """Return which rows pass, (n_rows,), and the error of the query.

        With an error the result of the last valid query is used.
        """
        error = ""
        try:
            masks = [self._mask("query", filters.query, self._filter_query)]
        except QueryError as problem:
            masks = [self._kept["query"][1] if "query" in self._kept else None]
            error = str(problem)
        in_tokens = filters.search_in != "text"
        search = split_ngram(filters.search) if in_tokens else join_ngram(filters.search)
        group = (filters.by, filters.group) if filters.group is not None else ()
        masks += [
            self._mask("score", tuple(filters.score_range), self._filter_score),
            self._mask("cause", filters.main_cause, self._filter_cause),
            self._mask("group", group, self._filter_group),
            self._mask("search", (search, filters.search_in) if search else (), self._filter_search),
        ]
        pairing = self.table.pairing
        passing = np.ones(len(self.table), np.bool_) if pairing is None else pairing.in_list.copy()
        for mask in masks:
            if mask is not None:
                passing &= mask
        return passing, error

    def _mask(self, name: str, condition: Any, compute: Callable[[Any], Mask | None]) -> Mask | None:
        """Return the mask of one filter, None for all rows; the kept one if the condition has not changed."""
        kept = self._kept.get(name)
        if kept is None or kept[0] != condition:
            kept = self._kept[name] = condition, compute(condition)
        return kept[1]

    def _filter_query(self, query: str) -> Mask | None:
        return evaluate_query(self.table.extended, query) if query.strip() else None

    def _filter_score(self, bounds: tuple[float, float]) -> Mask | None:
        if bounds == WHOLE_RANGE:
            return None
        score = self.table.score
        return np.asarray((score >= bounds[0]) & (score <= bounds[1]))

    def _filter_cause(self, cause: str) -> Mask | None:
        return np.asarray(self.table.cause == CAUSES.index(cause)) if cause else None

    def _filter_group(self, condition: tuple[Hashable, Any] | tuple[()]) -> Mask | None:
        if not condition:
            return None
        by, group = condition
        column = self.table.series(by)
        rows = column.isna() if group is MISSING else column == group
        return rows.to_numpy(np.bool_, na_value=False)

    def _filter_search(self, condition: tuple[Any, str] | tuple[()]) -> Mask | None:
        if not condition:
            return None
        search, search_in = condition
        missing = self.table.sums.missing
        if search_in == "text":
            return find_text(self.tokens, missing, search)
        count, most = count_ngram(self.tokens, missing, search)
        masks = {
            "hypothesis": count > 0,
            "references": most > 0,
            "over-produced": count > most,
            "missing": most > count,
            "matched": (count > 0) & (most > 0),
        }
        return masks[search_in]


def split_ngram(search: str | tuple[str, ...]) -> tuple[str, ...]:
    """Return the tokens of an n-gram."""
    return tuple(search.split()) if isinstance(search, str) else tuple(search)


def join_ngram(search: str | tuple[str, ...]) -> str:
    """Return an n-gram as text."""
    return search if isinstance(search, str) else " ".join(search)
