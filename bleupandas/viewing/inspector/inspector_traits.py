"""The traits of the inspector that users set, and the checks of their values."""

from collections.abc import Hashable, Sequence
from typing import Any

import traitlets as T  # noqa: N812

from bleupandas.common import is_missing, join_values, missing_column_error, short_repr
from bleupandas.explaining import CAUSES
from bleupandas.scoring import method_name
from bleupandas.viewing.inspector.filters import MISSING, SEARCHES, WHOLE_RANGE
from bleupandas.viewing.inspector.inspected_data import InspectedData
from bleupandas.viewing.inspector.locked_traits import LockedTraits
from bleupandas.viewing.inspector.row_table import RowTable
from bleupandas.viewing.inspector.tags import KINDS

FILTERS = ("query", "score_range", "search", "search_in", "main_cause", "by", "group")
SETTINGS = ("order", "smoothing")
SORTING = ("sort_by", "ascending")
INPUTS = (*FILTERS, *SETTINGS, *SORTING, *KINDS, "list_columns", "page", "page_size", "position")


class InspectorTraits(LockedTraits):
    """The traits that users set. A wrong value raises TraitError and changes nothing."""

    query = T.Unicode("")
    score_range = T.Tuple(T.Float(), T.Float(), default_value=WHOLE_RANGE)
    search = T.Union([T.Unicode(), T.Tuple()], default_value="")
    search_in = T.Enum(list(SEARCHES), default_value="text")
    main_cause = T.Enum(["", *CAUSES], default_value="")
    by = T.Any(None, allow_none=True)
    group = T.Any(None, allow_none=True)
    sort_by = T.Any(None, allow_none=True)
    ascending = T.Bool(True)
    list_columns = T.Tuple()
    page = T.Int(0)
    page_size = T.Int(15, min=1)
    position = T.Int(-1)
    order = T.Int(4)
    smoothing = T.Unicode("method1")
    tag = T.Unicode("")
    note = T.Unicode("")

    _data: InspectedData
    _table: RowTable

    @T.validate("by", "sort_by")
    def _check_label(self, proposal: Any) -> Any:
        self._check_columns(proposal.trait.name, [] if proposal.value is None else [proposal.value])
        return proposal.value

    @T.validate("list_columns")
    def _check_labels(self, proposal: Any) -> Any:
        self._check_columns("list_columns", proposal.value)
        return proposal.value

    def _check_columns(self, trait: str, labels: Sequence[Hashable]) -> None:
        """Raise TraitError if a label is not one of the columns that the trait can have."""
        choices = self._table.labels if trait == "by" else self._table.choices
        for label in labels:
            if label not in choices:
                raise T.TraitError(str(missing_column_error(label, choices, trait)))

    @T.validate("group")
    def _check_group(self, proposal: Any) -> Any:
        return MISSING if proposal.value is not None and is_missing(proposal.value) else proposal.value

    @T.validate("order")
    def _check_order(self, proposal: Any) -> int:
        if proposal.value not in self._data.orders:
            raise T.TraitError(f"order is one of {join_values(self._data.orders)}, not {short_repr(proposal.value)}")
        return int(proposal.value)

    @T.validate("smoothing")
    def _check_smoothing(self, proposal: Any) -> str:
        choices = self._data.smoothings(self.order)
        try:
            method = method_name(proposal.value)
        except (TypeError, ValueError) as error:
            raise T.TraitError(str(error)) from None
        if method not in choices:
            raise T.TraitError(
                f"smoothing at order {self.order} is one of {join_values(choices)}, not {short_repr(method)}"
            )
        return method

    @T.validate("position")
    def _check_position(self, proposal: Any) -> int:
        last = len(self._table) - 1
        if not -1 <= proposal.value <= last:
            raise T.TraitError(f"position is from 0 to {last}, or -1 for none, not {short_repr(proposal.value)}")
        return int(proposal.value)
