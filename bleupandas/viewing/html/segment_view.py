"""What there is to see of one segment: its tokens, what covers them, its numbers, its clipping table."""

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

LONGEST_VALUE = 2000  # characters of an extra column that are shown

Starts = tuple[int, ...]


@dataclass(frozen=True)
class ViewedNgram:
    """One row of a segment's clipping table.

    Attributes
    ----------
    id : int
        Its position in `SegmentView.ngrams`.
    order : int
    tokens : tuple of str
    count, max_reference_count, clipped_count : int
    hypothesis : tuple of int
        Where it starts in the hypothesis; the first `clipped_count` of these are matched.
    references : tuple of tuple of int
        Where it starts in each reference.
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
        """How many occurrences in the hypothesis are one too many: count - clipped_count."""
        return self.count - self.clipped_count

    @property
    def missing(self) -> int:
        """How many occurrences the hypothesis lacks: max(0, max_reference_count - count)."""
        return max(0, self.max_reference_count - self.count)

    @property
    def status(self) -> str:
        """Give "over-produced", "missing" or "matched"."""
        return "over-produced" if self.over_produced else "missing" if self.missing else "matched"


@dataclass(frozen=True)
class SegmentView:
    """One row of a frame, ready to be shown.

    Attributes
    ----------
    label : hashable
        The row's index label.
    position : int
        The row's position, from 0.
    max_order : int
    hypothesis : tuple of str
    references : tuple of tuple of str
        Those that are there; empty for a row that cannot be read.
    coverage : tuple of int
        Per hypothesis token the longest matched n-gram over it, 0 to `max_order`.
    reference_coverage : tuple of tuple of int
        Per reference token the longest n-gram over it that the hypothesis has too.
    facts : dict
        The row of `explain`: score, main_cause, reason, first_zero_order, brevity_penalty, share_brevity, precision_n,
        smoothed_precision_n, share_n, candidate_length, reference_length, matches_n, totals_n; None where missing.
    ngrams : tuple of ViewedNgram
        The clipping table of both sides: by order, those of the hypothesis by first occurrence, then the others of the
        references.
    extra : tuple of (str, str)
        Further columns: name and value as text.
    settings : str
        Which BLEU, as in signatures.
    """

    label: Hashable
    position: int
    max_order: int
    hypothesis: tuple[str, ...] = ()
    references: tuple[tuple[str, ...], ...] = ()
    coverage: tuple[int, ...] = ()
    reference_coverage: tuple[tuple[int, ...], ...] = ()
    facts: dict[str, Any] = field(default_factory=dict)
    ngrams: tuple[ViewedNgram, ...] = ()
    extra: tuple[tuple[str, str], ...] = ()
    settings: str = ""

    @property
    def readable(self) -> bool:
        """Whether the row could be counted; if not, `reason` is the text of the error."""
        return bool(self.references)

    @property
    def score(self) -> float | None:
        """The sentence's score, 0 to 1; None where there is none."""
        score: float | None = self.facts["score"]
        return score

    @property
    def reason(self) -> str:
        """Why the score is what it is, in one or two sentences."""
        return str(self.facts["reason"])

    @property
    def main_cause(self) -> str:
        """One of `bleupandas.explaining.explain.CAUSES`."""
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
    """Give what there is to see of one row.

    Takes the same time for a frame of any length.

    Parameters
    ----------
    df : DataFrame
        With token columns.
    position : int
        Of the row, from 0.
    hypothesis, references, max_order, errors
        As in `components`. With ``errors="coerce"`` a row that cannot be read gives a view without tokens, whose
        reason is the text of the error.
    extra : list of labels, optional
        Further columns to show; all unless given.
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
    shown = extra_values(df, position, tokens, extra)
    [label] = df.index[position : position + 1].tolist()  # of Python's types
    try:
        first, *others = tokens.lists(position)
    except UnreadableError:
        first, others = [], []
    if not others:
        problem = row_problem(tokens, position)
        if mode == "raise":
            raise problem.error()
        facts = explained(None, None, max_order, scoring) | {"reason": replace(problem, offer="").message()}
        return SegmentView(label, position, settings.max_order, facts=facts, extra=shown)
    table = clipping_table(first, others, settings.max_order)
    covered, shared = painted(table, first, others)
    return SegmentView(
        label=label,
        position=position,
        max_order=settings.max_order,
        hypothesis=tuple(first),
        references=tuple(map(tuple, others)),
        coverage=covered,
        reference_coverage=shared,
        facts=explained(first, others, max_order, scoring),
        ngrams=table,
        extra=shown,
        settings=signature(settings, len(others)).partition("|version:")[0],
    )


def explained(hypothesis: object, references: object, max_order: int | None, scoring: dict[str, Any]) -> dict[str, Any]:
    """Give the row of `explain` for one segment, None where a number is missing."""
    row = pd.DataFrame({"hypothesis": object_cell(hypothesis), "references": object_cell(references)})
    facts = explain(row, max_order=max_order, errors="coerce", **scoring).iloc[0]
    return {str(name): None if is_missing(value) else value for name, value in facts.items()}


def object_cell(value: object) -> "pd.Series[Any]":
    """Give a column of one cell that holds this very object."""
    cell = np.empty(1, object)
    cell[0] = value
    return pd.Series(cell)


# ---- The clipping table ----


def starts(tokens: Tokens, order: int) -> dict[tuple[str, ...], list[int]]:
    """Give where each n-gram of one order starts, by first occurrence."""
    found: dict[tuple[str, ...], list[int]] = {}
    for at in range(len(tokens) - order + 1):
        found.setdefault(tuple(tokens[at : at + order]), []).append(at)
    return found


def clipping_table(hypothesis: Tokens, references: Sequence[Tokens], max_order: int) -> tuple[ViewedNgram, ...]:
    """List the n-grams of both sides with where they stand."""
    table: list[ViewedNgram] = []
    for order in range(1, max_order + 1):
        own = starts(hypothesis, order)
        others = [starts(tokens, order) for tokens in references]
        for ngram in dict.fromkeys(ngram for side in (own, *others) for ngram in side):
            here = tuple(own.get(ngram, ()))
            there = tuple(tuple(side.get(ngram, ())) for side in others)
            most = max(map(len, there))
            clipped = min(len(here), most)
            table.append(ViewedNgram(len(table), order, ngram, len(here), most, clipped, here, there))
    return tuple(table)


def painted(
    table: Sequence[ViewedNgram], hypothesis: Tokens, references: Sequence[Tokens]
) -> tuple[tuple[int, ...], tuple[tuple[int, ...], ...]]:
    """Give what `coverage` says of both sides."""
    covered = [0] * len(hypothesis)
    shared = [[0] * len(tokens) for tokens in references]
    for ngram in table:  # ascending orders: the longest stays
        if ngram.clipped_count:
            paint(covered, ngram.hypothesis[: ngram.clipped_count], ngram.order)
            for tokens, places in zip(shared, ngram.references, strict=True):
                paint(tokens, places, ngram.order)
    return tuple(covered), tuple(map(tuple, shared))


def paint(levels: list[int], places: Starts, order: int) -> None:
    """Mark the tokens of an n-gram's occurrences with its order."""
    for at in places:
        levels[at : at + order] = [order] * order


# ---- Further columns ----


def extra_values(
    df: pd.DataFrame, position: int, tokens: TokenColumns, extra: list[Any] | None
) -> tuple[tuple[str, str], ...]:
    """Give further columns of one row as text: those asked for, or all but tokens and components."""
    if extra is not None:
        picked = [find_column(df, label, "extra") for label in extra]
    else:
        hidden = {*tokens.labels, *component_names(MAX_ORDER)}
        picked = [df.iloc[:, at] for at, label in enumerate(df.columns) if label not in hidden]
    return tuple((str(column.name), value_text(column.iloc[position])) for column in picked)


def value_text(value: Any) -> str:
    """Give a cell as text: a list's tokens joined by spaces, its texts by bars; nothing for what is missing."""
    if is_missing(value):
        return ""
    items = as_list(value)
    if items is not None and all(isinstance(item, str) for item in items):
        texts = any(" " in str(item) for item in items)
        value = (" | " if texts else " ").join(map(str, items))
    text = str(value)
    return text if len(text) <= LONGEST_VALUE else text[: LONGEST_VALUE - 1] + "…"
