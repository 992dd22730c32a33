"""The data of an inspector: the frame, its token columns, its components, and the settings of the score."""

from collections.abc import Hashable
from dataclasses import asdict, dataclass, replace
from typing import Any

import pandas as pd
import pyarrow as pa

from bleupandas.common import MAX_ORDER, CountOptions
from bleupandas.counting import Sums, read_sums
from bleupandas.reading import REFERENCES, TokenColumns, check_frame, complete_orders, token_columns
from bleupandas.scoring import ScoreSettings, method_name, orders_read
from bleupandas.viewing.html import SegmentView, segment_view
from bleupandas.viewing.inspector.pairing import Pairing, column_pairing, system_pairing
from bleupandas.viewing.inspector.row_table import plain_columns

# Smoothing methods, and their names in the dropdown.
SMOOTHINGS = {
    "method0": "none",
    "method1": "floor (method1)",
    "method2": "add-k (method2)",
    "method3": "exp (method3)",
    **{f"method{n}": f"method{n}" for n in range(4, 8)},
}


@dataclass(frozen=True, eq=False)
class InspectedData:
    """The data of an inspector.

    Attributes
    ----------
    df : DataFrame
        The caller's frame; see `readable_columns`.
    count : CountOptions
    settings : ScoreSettings
        The settings at the start.
    tokens : TokenColumns
    sums : Sums
        Components of all rows. Counted ones have one order more than the score, for methods 5 and 7.
    pairing : Pairing or None
    labels : list of labels
        The columns whose cells are values, not lists.
    fixed_order : bool
        Whether the caller gave weights, so that there is no other order to choose.
    """

    df: pd.DataFrame
    count: CountOptions
    settings: ScoreSettings
    tokens: TokenColumns
    sums: Sums
    pairing: Pairing | None
    labels: list[Hashable]
    fixed_order: bool

    @property
    def orders(self) -> list[int]:
        """The orders to choose from."""
        top = self.settings.max_order
        return [top] if self.fixed_order else list(range(1, top + 1))

    def smoothings(self, order: int) -> list[str]:
        """Return the smoothing methods to choose from at an order."""
        convention = self.settings.convention
        return [method for method in SMOOTHINGS if orders_read(method, order, convention) <= self.sums.max_order]

    def settings_for(self, order: int, smoothing: str) -> ScoreSettings:
        """Return the settings with another order and smoothing."""
        weights = self.settings.weights if order == self.settings.max_order else (1 / order,) * order
        return replace(self.settings, max_order=order, weights=weights, smoothing=method_name(smoothing))

    def read_views(self, position: int, order: int, smoothing: str) -> list[SegmentView]:
        """Return the view of a row, or two views if it is compared."""
        options = asdict(self.settings_for(order, smoothing))
        options |= {"references": self.count.references, "errors": self.count.errors, "extra": self.labels}
        hypothesis = self.count.hypothesis
        first = segment_view(self.df, position, hypothesis=hypothesis, **options)
        pairing = self.pairing
        if pairing is None or pairing.partner[position] < 0:
            return [first]
        other = hypothesis if pairing.hypothesis is None else pairing.hypothesis
        return [first, segment_view(self.df, int(pairing.partner[position]), hypothesis=other, **options)]


def read_data(
    df: pd.DataFrame,
    count: CountOptions,
    settings: ScoreSettings,
    *,
    compare: Any,
    system: Any,
    id: Any,  # as in inspect()
    fixed_order: bool,
) -> InspectedData:
    """Check the columns, and count or read the components of all rows."""
    df = readable_columns(check_frame(df, "inspect"))
    tokens = token_columns(df, count.hypothesis, count.references, "inspect")
    if (system is None) != (id is None):
        raise ValueError("system= and id= go together: the column of systems, and the one that pairs their rows")
    orders = min(settings.max_order + 1, MAX_ORDER)
    if count.components:
        orders = min(max(complete_orders(df.columns), settings.orders_read), orders)
    orders = max(orders, settings.orders_read)
    sums = read_sums(df, "inspect", count, orders)
    pairing = None
    if system is not None:
        pairing = system_pairing(df, sums, system, id, compare)
    elif compare is not None:
        if isinstance(compare, list):
            raise ValueError(
                f"compare is the label of another hypothesis column, not the list {compare!r}; to compare two systems "
                "of a column, give system= and id="
            )
        # Named references are counted, even if there are components columns.
        references = REFERENCES if count.references is None else count.references
        named = replace(count, hypothesis=compare, references=references, components=False)
        names = (str(tokens.labels[0]), str(compare))
        pairing = column_pairing(names, read_sums(df, "inspect", named, orders), compare)
    return InspectedData(df, count, settings, tokens, sums, pairing, plain_columns(df), fixed_order)


def readable_columns(df: pd.DataFrame) -> pd.DataFrame:
    """Return the frame with string_view columns as large_string, because pandas can neither select nor sort their rows.

    Other columns are not copied. A frame without such columns is returned unchanged.
    """
    casted = {}
    for at, dtype in enumerate(df.dtypes):
        if isinstance(dtype, pd.ArrowDtype) and (kind := without_views(dtype.pyarrow_dtype)) != dtype.pyarrow_dtype:
            array: Any = df.iloc[:, at].array.__arrow_array__()
            casted[at] = pd.Series(pd.arrays.ArrowExtensionArray(array.cast(kind)), index=df.index)
    if not casted:
        return df
    columns = [casted.get(at, df.iloc[:, at]) for at in range(df.shape[1])]
    return pd.concat(columns, axis=1).set_axis(df.columns, axis=1)


def without_views(kind: pa.DataType) -> pa.DataType:
    """Return an Arrow type with large_string in place of string_view, also inside of lists and dictionaries.

    Examples
    --------
    >>> without_views(pa.large_list(pa.string_view()))
    LargeListType(large_list<item: large_string>)
    """
    types = pa.types
    if types.is_string_view(kind):
        return pa.large_string()
    if types.is_large_list(kind):
        return pa.large_list(without_views(kind.value_type))
    if types.is_list(kind):
        return pa.list_(without_views(kind.value_type))
    return kind
