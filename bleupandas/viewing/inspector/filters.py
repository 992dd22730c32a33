"""Which rows are listed: by query, score, text or n-gram, main cause and group."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bleupandas.common import did_you_mean
from bleupandas.explaining import CAUSES
from bleupandas.reading import TokenColumns
from bleupandas.viewing.inspector.row_table import RowTable
from bleupandas.viewing.inspector.token_search import ngram_counts, text_rows

Mask = NDArray[np.bool_]

# Where `Filters.search` is looked for: in the text of both sides, or as an n-gram with its clipping.
SEARCHES = {
    "text": "text, anywhere",
    "hypothesis": "n-gram in hypothesis",
    "references": "n-gram in a reference",
    "over-produced": "n-gram over-produced",
    "missing": "n-gram missing",
    "matched": "n-gram matched",
}
WHOLE_RANGE = (0.0, 1.0)


class Missing:
    """Stands for a missing value as a group: NaN and NA cannot be compared."""

    def __repr__(self) -> str:
        """Say what it stands for."""
        return "MISSING"


MISSING = Missing()


class FilterError(ValueError):
    """A filter that cannot be used, in one line."""


@dataclass(frozen=True)
class Filters:
    """What rows have to fulfil, all of it.

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
        A column.
    group : object
        The value that rows have to have there, `MISSING` for none; None for any.
    """

    query: str = ""
    score_range: tuple[float, float] = WHOLE_RANGE
    search: str | tuple[str, ...] = ""
    search_in: str = "text"
    main_cause: str = ""
    by: Hashable | None = None
    group: Any = None


class RowFilter:
    """Gives the rows that pass; each part is kept until its own filter, or the scores, change.

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
        """Drop the parts that depend on scores."""
        for part in ("query", "score", "cause"):
            self._kept.pop(part, None)

    def mask(self, filters: Filters) -> tuple[Mask, str]:
        """Give the rows that pass, (n_rows,), and what is wrong with the query; that leaves its rows as they were."""
        try:
            parts = [self._part("query", filters.query, self._query)]
            error = ""
        except FilterError as problem:
            parts = [self._kept["query"][1] if "query" in self._kept else None]
            error = str(problem)
        search = tokens_of(filters.search) if filters.search_in != "text" else text_of(filters.search)
        group = (filters.by, filters.group) if filters.group is not None else ()
        parts += [
            self._part("score", tuple(filters.score_range), self._score),
            self._part("cause", filters.main_cause, self._cause),
            self._part("group", group, self._group),
            self._part("search", (search, filters.search_in) if search else (), self._search),
        ]
        pairing = self.table.pairing
        found = np.ones(len(self.table), np.bool_) if pairing is None else pairing.listed.copy()
        for part in parts:
            if part is not None:
                found &= part
        return found, error

    def _part(self, name: str, wanted: Any, make: Callable[[Any], Mask | None]) -> Mask | None:
        """Give one filter's rows, None for all; kept ones if it has not changed."""
        kept = self._kept.get(name)
        if kept is None or kept[0] != wanted:
            kept = self._kept[name] = wanted, make(wanted)
        return kept[1]

    def _query(self, query: str) -> Mask | None:
        return query_mask(self.table.extended, query) if query.strip() else None

    def _score(self, bounds: tuple[float, float]) -> Mask | None:
        if bounds == WHOLE_RANGE:
            return None
        score = self.table.score
        return np.asarray((score >= bounds[0]) & (score <= bounds[1]))

    def _cause(self, cause: str) -> Mask | None:
        return np.asarray(self.table.cause == CAUSES.index(cause)) if cause else None

    def _group(self, wanted: tuple[Hashable, Any] | tuple[()]) -> Mask | None:
        if not wanted:
            return None
        by, group = wanted
        column = self.table.series(by)
        found = column.isna() if group is MISSING else column == group
        return found.to_numpy(np.bool_, na_value=False)

    def _search(self, wanted: tuple[Any, str] | tuple[()]) -> Mask | None:
        if not wanted:
            return None
        search, where = wanted
        missing = self.table.source.missing
        if where == "text":
            return text_rows(self.tokens, missing, search)
        count, most = ngram_counts(self.tokens, missing, search)
        masks = {
            "hypothesis": count > 0,
            "references": most > 0,
            "over-produced": count > most,
            "missing": most > count,
            "matched": (count > 0) & (most > 0),
        }
        return masks[where]


def tokens_of(search: str | tuple[str, ...]) -> tuple[str, ...]:
    """Give the tokens of an n-gram."""
    return tuple(search.split()) if isinstance(search, str) else tuple(search)


def text_of(search: str | tuple[str, ...]) -> str:
    """Give an n-gram as text."""
    return search if isinstance(search, str) else " ".join(search)


def query_mask(frame: pd.DataFrame, query: str) -> Mask:
    """Give the rows that ``frame.query(query)`` keeps, bool (n_rows,).

    ``@name`` is a variable of the notebook.

    Raises
    ------
    FilterError
        With what pandas says, in one line.

    Examples
    --------
    >>> query_mask(pd.DataFrame({"a": [1, 2]}), "a > 1").tolist()
    [False, True]
    """
    try:
        found: Any = frame.eval(
            query.replace("\n", " ").strip(), engine="python", local_dict=notebook_variables(), global_dict={}
        )
    except Exception as problem:  # whatever an expression can raise is its writer's to read
        raise FilterError(f"query: {explained(problem, frame)}") from None
    if isinstance(found, bool | np.bool_):
        return np.full(len(frame), found, np.bool_)
    fits = isinstance(found, pd.Series) and len(found) == len(frame) and pd.api.types.is_bool_dtype(found.dtype)
    if not fits:
        raise FilterError("query: gives no True or False for each row; compare something, as in score < 0.2")
    return np.asarray(found.to_numpy(np.bool_, na_value=False))


def explained(problem: Exception, frame: pd.DataFrame) -> str:
    """Give an error of pandas in one line, with the column that may have been meant."""
    text = " ".join(str(problem).split()) or type(problem).__name__
    if isinstance(problem, SyntaxError):
        return f"{problem.msg} (in {(problem.text or '').strip()!r})" if problem.text else text
    if isinstance(problem, NameError):  # pandas' UndefinedVariableError
        name = text.split("'")[1] if text.count("'") >= 2 else ""
        return text + did_you_mean(name, [label for label in frame.columns if isinstance(label, str)])
    return text


def notebook_variables() -> dict[str, Any]:
    """Give the variables of the notebook or shell; none elsewhere."""
    from IPython.core.getipython import get_ipython

    shell: Any = get_ipython()
    return dict(shell.user_ns) if shell is not None else {}
