"""What an inspector looks at: a frame, its token columns and components, and how they are scored."""

from collections.abc import Hashable
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from bleupandas.common import MAX_ORDER
from bleupandas.reading import REFERENCES, TokenColumns, check_frame, complete_orders, token_columns
from bleupandas.scoring import ScoreSettings, Sums, orders_read, score_settings, sums_of
from bleupandas.viewing.html import SegmentView, segment_view
from bleupandas.viewing.inspector.pairing import Pairing, column_pairing, system_pairing
from bleupandas.viewing.inspector.row_table import plain_columns

SMOOTHINGS = {
    "method0": "none",
    "method1": "floor (method1)",
    "method2": "add-k (method2)",
    "method3": "exp (method3)",
    **{f"method{n}": f"method{n}" for n in range(4, 8)},
}


@dataclass(frozen=True, eq=False)
class Subject:
    """A frame to look at.

    Attributes
    ----------
    df : DataFrame
    hypothesis, references, errors
        As in `components`.
    scoring : dict
        Keywords of `score` but for max_order and smoothing.
    settings : ScoreSettings
        Those it was opened with.
    tokens : TokenColumns
    source : Sums
        Components of all rows; if they were counted, one order more than is shown, for methods 5 and 7.
    pairing : Pairing or None
    labels : list of labels
        The columns that hold values, not lists.
    """

    df: pd.DataFrame
    hypothesis: Hashable | None
    references: Any
    errors: str
    scoring: dict[str, Any]
    settings: ScoreSettings
    tokens: TokenColumns
    source: Sums
    pairing: Pairing | None
    labels: list[Hashable]

    @property
    def orders(self) -> list[int]:
        """The orders to choose from; weights leave no choice."""
        top = self.settings.max_order
        return [top] if self.scoring["weights"] is not None else list(range(1, top + 1))

    def smoothings(self, order: int) -> list[str]:
        """Give the smoothings to choose from at an order."""
        convention = self.settings.convention
        return [method for method in SMOOTHINGS if orders_read(method, order, convention) <= self.source.orders]

    def settings_of(self, order: int, smoothing: str) -> ScoreSettings:
        """Give the settings with another order and smoothing."""
        return score_settings("score", max_order=order, smoothing=smoothing, **self.scoring)

    def views(self, position: int, order: int, smoothing: str) -> list[SegmentView]:
        """Give what there is to see of a row: one view, or two if it is compared."""
        options = {"references": self.references, "errors": self.errors, "max_order": order, "smoothing": smoothing}
        options |= {**self.scoring, "extra": self.labels}
        first = segment_view(self.df, position, hypothesis=self.hypothesis, **options)
        pairing = self.pairing
        if pairing is None or pairing.partner[position] < 0:
            return [first]
        other = self.hypothesis if pairing.hypothesis is None else pairing.hypothesis
        return [first, segment_view(self.df, int(pairing.partner[position]), hypothesis=other, **options)]


def subject_of(
    df: pd.DataFrame,
    *,
    hypothesis: Hashable | None,
    references: Hashable | list[Any] | None,
    max_order: int | None,
    smoothing: str | None,
    errors: str,
    threads: int | None,
    components: bool,
    compare: Any,
    system: Any,
    key: Any,
    **scoring: Any,
) -> Subject:
    """Check arguments, and count or read the components of all rows."""
    check_frame(df, "inspect")
    settings = score_settings("score", max_order=max_order, smoothing=smoothing, **scoring)
    tokens = token_columns(df, hypothesis, references, "inspect")
    if (system is None) != (key is None):
        raise ValueError("system= and id= go together: the column of systems, and the one that pairs their rows")
    wanted = min(settings.max_order + 1, MAX_ORDER)
    if components:
        wanted = min(max(complete_orders(df.columns), settings.orders_read), wanted)
    # Without smoothing as many orders are read as there are in max_order.
    every = replace(settings, max_order=max(wanted, settings.orders_read), smoothing="method0")
    source = sums_of(df, "inspect", hypothesis, references, components, every, errors, threads)
    pairing = None
    if system is not None:
        pairing = system_pairing(df, source, system, key, compare)
    elif compare is not None:
        if isinstance(compare, list):
            raise ValueError(
                f"compare is the label of another hypothesis column, not the list {compare!r}; two systems of a column "
                "are compared with system= and id="
            )
        other = sums_of(df, "inspect", compare, tokens_label(references), False, every, errors, threads)
        pairing = column_pairing((str(tokens.labels[0]), str(compare)), other, compare)
    return Subject(df, hypothesis, references, errors, scoring, settings, tokens, source, pairing, plain_columns(df))


def tokens_label(references: Any) -> Any:
    """Give the references to count with: named ones go before components columns."""
    return REFERENCES if references is None else references
