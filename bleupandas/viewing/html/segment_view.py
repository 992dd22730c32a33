"""The data of one segment's view: its tokens, their coverage, its numbers and its clipping table."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pandas as pd

from bleupandas.common import MAX_ORDER, check_errors, is_missing
from bleupandas.engine import Tokens, UnreadableError, as_list
from bleupandas.explaining import explain
from bleupandas.reading import TokenColumns, component_names, find_column, row_problem, token_columns
from bleupandas.scoring import score_settings, signature

LONGEST_VALUE = 2000  # characters of a further column

Starts = tuple[int, ...]


@dataclass(frozen=True)
class NgramView:
    """One row of a segment's clipping table.

    Attributes
    ----------
    id : int
        Its position in `SegmentView.ngrams`.
    order : int
    tokens : tuple of str
    count, max_reference_count, clipped_count : int
    hypothesis : tuple of int
        Its start positions in the hypothesis; the first `clipped_count` occurrences are matched.
    references : tuple of tuple of int
        Its start positions in each reference.
    """

    id: int
    order: int
    tokens: tuple[str, ...]
    count: int
    max_reference_count: int
    clipped_count: int
    hypothesis: Starts
    references: tuple[Starts, ...]

    @property
    def over_produced(self) -> int:
        """How many occurrences in the hypothesis are too many: count - clipped_count."""
        return self.count - self.clipped_count

    @property
    def missing(self) -> int:
        """How many occurrences are missing in the hypothesis: max(0, max_reference_count - count)."""
        return max(0, self.max_reference_count - self.count)

    @property
    def status(self) -> str:
        """Return "over-produced", "missing" or "matched"."""
        return "over-produced" if self.over_produced else "missing" if self.missing else "matched"


@dataclass(frozen=True)
class SegmentView:
    """The data of one row's view.

    Attributes
    ----------
    label : hashable
        The row's index label.
    position : int
        The row's position, from 0.
    max_order : int
    hypothesis : tuple of str
    references : tuple of tuple of str
        Without missing ones; empty for an unreadable row.
    coverage : tuple of int
        For each hypothesis token, the length of the longest match that covers it, 0 to `max_order`.
    reference_coverage : tuple of tuple of int
        For each reference token, the length of the longest n-gram that covers it and that the hypothesis also has.
    facts : dict
        The row of `explain`: score, main_cause, reason, first_zero_order, brevity_penalty, share_brevity, precision_n,
        smoothed_precision_n, share_n, candidate_length, reference_length, matches_n, totals_n; None where missing.
    ngrams : tuple of NgramView
        The clipping table, by order: first the n-grams of the hypothesis by first occurrence, then those that only
        references have.
    extra : tuple of (str, str)
        Names and values of further columns, as text.
    settings : str
        The settings of the score, as in signatures.
    """

    label: Hashable
    position: int
    max_order: int
    hypothesis: tuple[str, ...] = ()
    references: tuple[tuple[str, ...], ...] = ()
    coverage: tuple[int, ...] = ()
    reference_coverage: tuple[tuple[int, ...], ...] = ()
    facts: dict[str, Any] = field(default_factory=dict)
    ngrams: tuple[NgramView, ...] = ()
    extra: tuple[tuple[str, str], ...] = ()
    settings: str = ""

    @property
    def readable(self) -> bool:
        """Whether the row is readable; if not, `reason` is the error message."""
        return bool(self.references)

    @property
    def score(self) -> float | None:
        """The sentence score, 0 to 1; None for an unreadable row."""
        score: float | None = self.facts["score"]
        return score

    @property
    def reason(self) -> str:
        """Why the score is what it is, in one or two sentences."""
        return str(self.facts["reason"])

    @property
    def main_cause(self) -> str:
        """One of `bleupandas.explaining.CAUSES`."""
        return str(self.facts["main_cause"])


def segment_view(
    df: pd.DataFrame,
    position: int,
    *,
    hypothesis: Hashable | None = None,
    references: Hashable | list[Any] | None = None,
    max_order: int | None = None,
    errors: str = "raise",
    extra: list[Any] | None = None,
    **scoring: Any,
) -> SegmentView:
    """Return the data of one row's view.

    The time does not depend on the number of rows.

    Parameters
    ----------
    df : DataFrame
        With token columns.
    position : int
        The row's position, from 0; negative positions count from the end.
    hypothesis, references, max_order, errors
        As in `components`. With ``errors="coerce"`` an unreadable row has a view without tokens; its reason is the
        error message.
    extra : list of labels, optional
        Further columns to show; by default all.
    **scoring
        convention, smoothing, weights, effective_order, epsilon, k, alpha, as in `score`.

    Returns
    -------
    SegmentView

    Examples
    --------
    >>> import pandas as pd
    >>> df = pd.DataFrame({"hypothesis": [["a", "a", "b"]], "references": [[["a", "b"], ["b"]]], "system": ["x"]})
    >>> view = segment_view(df, 0)
    >>> view.coverage, view.reference_coverage, view.extra
    ((1, 2, 2), ((2, 2), (1,)), (('system', 'x'),))
    >>> first = view.ngrams[0]
    >>> first.tokens, first.count, first.clipped_count, first.hypothesis, first.references
    (('a',), 2, 1, (0, 1), ((0,), ()))
    """
    mode = check_errors(errors)
    if not -len(df) <= position < len(df):
        raise IndexError(f"no position {position}: the frame has {len(df)} rows")
    position %= len(df)
    settings = score_settings("score", max_order=max_order, **scoring)
    tokens = token_columns(df, hypothesis, references, "show")
    further = extra_values(df, position, tokens, extra)
    [label] = df.index[position : position + 1].tolist()  # of Python's types
    try:
        first, *others = tokens.lists(position)
    except UnreadableError:
        first, others = [], []
    if not others:
        problem = row_problem(tokens, position)
        if mode == "raise":
            raise problem.error()
        reason = replace(problem, offer="").message()
        facts = explain_segment(None, None, max_order, scoring) | {"reason": reason}
        return SegmentView(label, position, settings.max_order, facts=facts, extra=further)
    table = clipping_table(first, others, settings.max_order)
    covered, shared = token_coverage(table, first, others)
    return SegmentView(
        label=label,
        position=position,
        max_order=settings.max_order,
        hypothesis=tuple(first),
        references=tuple(map(tuple, others)),
        coverage=covered,
        reference_coverage=shared,
        facts=explain_segment(first, others, max_order, scoring),
        ngrams=table,
        extra=further,
        settings=signature(settings, len(others)).partition("|version:")[0],
    )


def explain_segment(
    hypothesis: object, references: object, max_order: int | None, scoring: dict[str, Any]
) -> dict[str, Any]:
    """Return the row of `explain` for one segment, with None for missing numbers."""
    row = pd.DataFrame({"hypothesis": object_cell(hypothesis), "references": object_cell(references)})
    facts = explain(row, max_order=max_order, errors="coerce", **scoring).iloc[0]
    return {str(name): None if is_missing(value) else value for name, value in facts.items()}


def object_cell(value: object) -> "pd.Series[Any]":
    """Return a column whose only cell is the object, unchanged."""
    cell = np.empty(1, object)
    cell[0] = value
    return pd.Series(cell)


# ---- The clipping table ----


def ngram_positions(tokens: Tokens, order: int) -> dict[tuple[str, ...], list[int]]:
    """Return the start positions of each n-gram of one order, by first occurrence."""
    found: dict[tuple[str, ...], list[int]] = {}
    for at in range(len(tokens) - order + 1):
        found.setdefault(tuple(tokens[at : at + order]), []).append(at)
    return found


def clipping_table(hypothesis: Tokens, references: Sequence[Tokens], max_order: int) -> tuple[NgramView, ...]:
    """Return the n-grams of both sides with their counts and start positions."""
    table: list[NgramView] = []
    for order in range(1, max_order + 1):
        own = ngram_positions(hypothesis, order)
        others = [ngram_positions(tokens, order) for tokens in references]
        for ngram in dict.fromkeys(ngram for side in (own, *others) for ngram in side):
            here = tuple(own.get(ngram, ()))
            there = tuple(tuple(side.get(ngram, ())) for side in others)
            most = max(map(len, there))
            clipped = min(len(here), most)
            table.append(NgramView(len(table), order, ngram, len(here), most, clipped, here, there))
    return tuple(table)


def token_coverage(
    table: Sequence[NgramView], hypothesis: Tokens, references: Sequence[Tokens]
) -> tuple[tuple[int, ...], tuple[tuple[int, ...], ...]]:
    """Return the coverage of each token of both sides."""
    covered = [0] * len(hypothesis)
    shared = [[0] * len(tokens) for tokens in references]
    for ngram in table:  # ascending orders: the longest stays
        if ngram.clipped_count:
            mark_tokens(covered, ngram.hypothesis[: ngram.clipped_count], ngram.order)
            for tokens, places in zip(shared, ngram.references, strict=True):
                mark_tokens(tokens, places, ngram.order)
    return tuple(covered), tuple(map(tuple, shared))


def mark_tokens(levels: list[int], places: Starts, order: int) -> None:
    """Set the level of all tokens of an n-gram's occurrences to its order."""
    for at in places:
        levels[at : at + order] = [order] * order


# ---- Further columns ----


def extra_values(
    df: pd.DataFrame, position: int, tokens: TokenColumns, extra: list[Any] | None
) -> tuple[tuple[str, str], ...]:
    """Return further columns of one row as text: those in `extra`, or all but tokens and components."""
    if extra is not None:
        columns = [find_column(df, label, "extra") for label in extra]
    else:
        excluded = {*tokens.labels, *component_names(MAX_ORDER)}
        columns = [df.iloc[:, at] for at, label in enumerate(df.columns) if label not in excluded]
    return tuple((str(column.name), format_value(column.iloc[position])) for column in columns)


def format_value(value: Any) -> str:
    """Return a cell as text; tokens of a list are joined by spaces, texts by " | "; a missing value is empty."""
    if is_missing(value):
        return ""
    items = as_list(value)
    if items is not None and all(isinstance(item, str) for item in items):
        texts = any(" " in str(item) for item in items)
        value = (" | " if texts else " ").join(map(str, items))
    text = str(value)
    return text if len(text) <= LONGEST_VALUE else text[: LONGEST_VALUE - 1] + "…"
