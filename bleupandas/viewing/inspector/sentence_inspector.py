"""The sentence inspector: a widget with a list of segments and a view of the current one."""

import os
from collections.abc import Hashable
from typing import Any, ClassVar

import ipywidgets as widgets
import numpy as np
import pandas as pd
import traitlets as T  # noqa: N812

from bleupandas.viewing.html import NgramView, SegmentView, views_html
from bleupandas.viewing.inspector.choices import column_options, setting_options
from bleupandas.viewing.inspector.controls import Controls
from bleupandas.viewing.inspector.filters import WHOLE_RANGE, Filters, RowFilter, join_ngram, split_ngram
from bleupandas.viewing.inspector.inspected_data import InspectedData
from bleupandas.viewing.inspector.inspector_traits import FILTERS, INPUTS, SETTINGS, SORTING, InspectorTraits
from bleupandas.viewing.inspector.locked_traits import ComputedTrait, LazyChange, is_same_value
from bleupandas.viewing.inspector.notebook_cells import CellWidgets
from bleupandas.viewing.inspector.row_table import RowTable
from bleupandas.viewing.inspector.segment_list import Page, SegmentList, list_html
from bleupandas.viewing.inspector.static_view import static_html, write_page
from bleupandas.viewing.inspector.tag_bar import TagBar
from bleupandas.viewing.inspector.tags import KINDS, Tags
from bleupandas.viewing.inspector.token_view import TokenView
from bleupandas.viewing.inspector.visible_rows import VisibleRows
from bleupandas.viewing.inspector.widget_tree import close_widgets, lock_messages

NOT_APPLIED = object()
NO_FILTERS: dict[str, Any] = {"query": "", "score_range": WHOLE_RANGE, "search": "", "main_cause": "", "group": None}


class SentenceInspector(InspectorTraits, widgets.VBox):  # type: ignore[misc]
    """A list of segments, and one of them with its n-grams; created by `bleupandas.inspect`.

    Its state is in traits that can be set and observed. Use ``with inspector.hold_trait_notifications():`` to set
    several and redraw once; a tag or note that is set there together with `position` goes to the new row. A wrong value
    raises TraitError. Several threads may set traits, one at a time; an observer must not wait for another thread that
    sets traits of the same inspector, because both would wait forever.

    Keys: up, down, Page Up, Page Down, Home and End in the list, left and right in the segment. Running its cell again
    closes it and creates a new one.

    Attributes
    ----------
    query : str
        An expression as in ``DataFrame.query``, on the columns of the frame and the computed ones: score, main_cause,
        brevity_penalty, precision_n, candidate_length, reference_length, matches_n, totals_n; also other_score and
        difference in a comparison. If the frame already has such a column, the computed one ends in "_bleu". If the
        query is wrong, `error` has the reason, and the last valid query stays in effect.
    score_range : tuple of two float
    search : str or tuple of str
        A text, or an n-gram: its tokens, or its tokens joined by spaces.
    search_in : {"text", "hypothesis", "references", "over-produced", "missing", "matched"}
        "text" finds the text in the hypothesis and the references, in upper or lower case. The others find the n-gram
        in this role.
    main_cause : str
        "" for any.
    by, group : label, object
        A column, and the value that rows have in it; None for any.
    sort_by : label or None
        None for the order of the frame.
    ascending : bool
    list_columns : tuple of labels
    page, page_size, position : int
        Page and position count from 0. The position is that of the current row in the frame, -1 if no row passes the
        filters.
    order, smoothing : int, str
    tag, note : str
        The tag and the note of the current row.
    error : str
    mask : Series of bool
        Which rows pass the filters, on the frame's index.
    frame : DataFrame
        ``df[mask]``: the rows that pass, in the order of the frame.
    selected : DataFrame
        The current row, as a frame of one row.
    tags : DataFrame
        Columns tag and note for all rows, on the frame's index, missing where there is none.
    """

    error = T.Unicode("", read_only=True)
    mask = ComputedTrait(lambda self: self._mask())
    frame = ComputedTrait(lambda self: self._data.df[self._visible.mask])
    selected = ComputedTrait(lambda self: self._data.df.iloc[[self.position] if self.position >= 0 else []])
    tags = ComputedTrait(lambda self: self._tags.to_frame())

    _by_cell: ClassVar[CellWidgets] = CellWidgets()

    def __init__(
        self,
        data: InspectedData,
        *,
        by: Hashable | None = None,
        tags: pd.DataFrame | None = None,
        page_size: int = 15,
    ) -> None:
        self._data = data
        self._tags = Tags(data.df.index, tags)
        self._table = RowTable(data.df, data.sums, data.settings, data.labels, data.pairing)
        self._filter = RowFilter(self._table, data.tokens)
        self._visible = VisibleRows(self._table, data.tokens)
        self._views: list[SegmentView] = []
        self._applied: dict[str, Any] = {}  # the values of INPUTS that the page shows
        self._list = SegmentList(layout=widgets.Layout(flex="1 1 24rem", min_width="20rem", margin="0"))
        self._view = TokenView()
        self._bar = TagBar()
        self._controls = Controls(self.set_trait, self.clear_filters)
        super().__init__(children=self._layout_children())
        self.add_class("bleu-inspector")
        score, cause = (self._table.computed_name(name) for name in ("score", "main_cause"))
        compared = [self._table.computed_name(name) for name in ("other_score", "difference")] if data.pairing else []
        with self.hold_trait_notifications():
            self.order, self.smoothing = data.settings.max_order, data.settings.smoothing
            self.list_columns = (score, *compared, cause)
            self.by, self.page_size = by, page_size
        for part in (self._list, self._view, self._bar):
            part.on_msg(self._handle_page_message)
        self.observe(self._refresh, names=INPUTS)
        self._refresh()
        lock_messages(self, self.lock)
        self._by_cell.add(self)

    def _layout_children(self) -> list[Any]:
        wide = widgets.Layout(flex="1.5 1 30rem", min_width="20rem", margin="0")
        segment = widgets.VBox([self._bar, self._view], layout=wide)
        panes = widgets.HBox([self._list, segment], layout=widgets.Layout(flex_flow="row wrap"))
        panes.add_class("bleu-panes")
        return [*self._controls.layout(), panes]

    def _mask(self) -> "pd.Series[bool]":
        return pd.Series(self._visible.mask.copy(), index=self._data.df.index, name="mask")

    def __repr__(self) -> str:
        """Return the number of rows that pass the filters, and of all rows."""
        return f"<SentenceInspector: {len(self._visible):,} of {len(self._table):,} segments>"

    # ---- One change, one redraw ----

    def _refresh(self, _: object = None) -> None:
        """Apply changed traits to the rows, the current row and the page; do nothing if no trait has changed."""
        set_together = self.pop_names_set_together()
        applied = {name: self._applied.get(name, NOT_APPLIED) for name in INPUTS}
        changed = {name for name in INPUTS if not is_same_value(getattr(self, name), applied[name])}
        if not changed:
            return
        with self.hold_trait_notifications():  # observers run when all changes are complete
            rows_changed = self._update_rows(changed)
            tags_changed = self._update_tags(changed, set_together)
            moved = self._update_position(changed)
            for kind in KINDS:
                self.set_trait(kind, self._tags.get(kind, self.position))
            self._applied = {name: getattr(self, name) for name in INPUTS}
            self._redraw(changed, moved)
        results = {"mask": rows_changed, "frame": rows_changed, "selected": moved, "tags": tags_changed}
        for name in (name for name, is_new in results.items() if is_new):
            self.notify_change(LazyChange(name=name, owner=self, type="change", old=None))

    def _update_rows(self, changed: set[str]) -> bool:
        """Rescore, filter and sort rows where a trait changed; return whether other rows pass than before."""
        if changed & set(SETTINGS):
            if self.smoothing not in self._data.smoothings(self.order):
                self.smoothing = "method1"
            settings = self._data.settings_for(self.order, self.smoothing)
            if settings != self._table.settings:
                self._table.rescore(settings)
                self._filter.forget_scores()
        if "by" in changed and "group" not in changed:
            self.group = None
        filters_changed = bool(changed & {*FILTERS, *SETTINGS})
        error, mask = self.error, self._visible.mask
        if filters_changed:
            mask, error = self._filter.apply(Filters(**{name: getattr(self, name) for name in FILTERS}))
        rows_changed = not np.array_equal(mask, self._visible.mask)
        if filters_changed or changed & set(SORTING):
            try:
                self._visible.update(mask, self.sort_by, self.ascending)
            except TypeError as problem:
                error, self.sort_by = f"cannot sort by {self.sort_by!r}: {problem}", None
                self._visible.update(mask, None, self.ascending)
        self.set_trait("error", error)
        return rows_changed or not self._applied

    def _update_tags(self, changed: set[str], set_together: set[str]) -> bool:
        """Store a new tag or note of the current row; return whether there was one.

        When the position changes, the traits still have the texts of the row before, unless they were set together.
        """
        kinds = set(KINDS) & (set_together if "position" in changed else changed)
        if self.position < 0:
            return False
        new = self._tags.change(self.position, {kind: getattr(self, kind) for kind in kinds})
        return bool(new) or bool(kinds & changed)  # _set_texts has already stored a text of the current row

    def _update_position(self, changed: set[str]) -> bool:
        """Set the current row and the page; return whether the row is another one."""
        set_by_user = "position" in changed and self._applied
        if not set_by_user and (changed & set(SORTING) or self._visible.rank(self.position) < 0):
            self.position = self._visible.first()
        row_moved = changed & {*FILTERS, *SETTINGS, *SORTING, "position", "page_size"}
        if row_moved and ("page" not in changed or not self._applied):
            self.page = max(self._visible.rank(self.position), 0) // self.page_size
        self.page = min(max(self.page, 0), self._visible.count_pages(self.page_size) - 1)
        return self.position != self._applied.get("position")

    def _redraw(self, changed: set[str], moved: bool) -> None:
        """Draw the parts of the page that depend on changed traits."""
        self._draw_tag_bar()  # before the segment, so that text typed below a segment goes to its row
        if moved or changed & set(SETTINGS):
            self._views = self._read_views()
        if moved or changed & {*SETTINGS, "search", "search_in"}:
            self._view.html = self._segment_html()
        self._list.html = list_html(self._page(self.page))
        self._draw_controls(changed)

    def _read_views(self) -> list[SegmentView]:
        if self.position < 0:
            return []
        try:
            return self._data.read_views(self.position, self.order, self.smoothing)
        except (TypeError, ValueError, RuntimeError) as problem:  # the caller's lists have changed since the counting
            self.set_trait("error", str(problem))
            return []

    def _segment_html(self) -> str:
        pinned = () if self.search_in == "text" else split_ngram(self.search)
        return views_html(self._views, pinned, self._data.pairing and self._data.pairing.names)

    def _page(self, number: int) -> Page:
        labels = self.list_columns
        return self._visible.page(number, self.page_size, labels, self.position, self._tags, self.error)

    def _draw_controls(self, changed: set[str]) -> None:
        values = {name: getattr(self, name) for name in self._controls.by_trait}
        values["search"] = join_ngram(self.search)
        options: dict[str, Any] = {}
        if changed & {"by", "group"}:
            options |= column_options(self._table, self.by, self.group)
        if changed & set(SETTINGS):
            options |= setting_options(self._table, self._data, self.order, self.main_cause)
        self._controls.update(values, options)

    def _draw_tag_bar(self) -> None:
        rank = self._visible.rank(self.position)
        texts = {kind: self._tags.get(kind, self.position) for kind in KINDS}
        self._bar.update(self.position, texts, self._tags.used(), rank > 0, 0 <= rank < len(self._visible) - 1)

    # ---- What the user does ----

    def clear_filters(self) -> None:
        """Remove all filters; the column of groups stays."""
        with self.hold_trait_notifications():
            for name, value in NO_FILTERS.items():
                setattr(self, name, value)

    def step(self, by: int = 1) -> None:
        """Move to another row of the list.

        Parameters
        ----------
        by : int, default 1
            The number of rows to move down; up if negative.
        """
        with self.lock:
            self.position = self._visible.step(self.position, by)

    def _handle_page_message(self, _: Any, message: dict[str, Any], __: Any) -> None:
        """Handle a message of the list, the segment or the tag bar."""
        with self.lock, self._bar.answering(message):
            kind = message.get("kind")
            if kind == "select":
                self.position = message["position"]
            elif kind == "label":
                self._set_texts(message["row"], self._bar.newest_texts(message))
            elif kind == "step":
                self.step(message["by"])
            elif kind == "jump":
                self.step(-len(self._visible) if message["where"] == "first" else len(self._visible))
            elif kind == "page":
                self.page = self._visible.turn_page(self.page, message["where"], self.page_size)
            elif kind == "sort":
                self._sort(message["column"])
            elif kind == "ngram":
                self._search_ngram(self._views[message["segment"]].ngrams[message["id"]], message["where"])

    def _set_texts(self, row: int, texts: dict[str, str]) -> None:
        """Set the tag or note of the row that it was typed for; the current row may be another one by now."""
        new = self._tags.change(row, texts) if 0 <= row < len(self._table) else {}
        if row == self.position:
            with self.hold_trait_notifications():
                for kind, text in new.items():
                    setattr(self, kind, text)
        elif new:
            self._redraw(set(), moved=False)
            self.notify_change(LazyChange(name="tags", owner=self, type="change", old=None))

    def _sort(self, column: int) -> None:
        """Sort by a column of the list; by the same one again in the opposite direction."""
        label = (None, *self.list_columns)[column]
        with self.hold_trait_notifications():
            self.ascending = not self.ascending if is_same_value(label, self.sort_by) else True
            self.sort_by = label

    def _search_ngram(self, ngram: NgramView, where: str | None) -> None:
        """Search the segments with an n-gram in the same role; after a second click show all again."""
        where = where or ngram.status
        again = self.search_in == where and self.search_in != "text" and split_ngram(self.search) == ngram.tokens
        without_spaces = not any(" " in token for token in ngram.tokens)
        with self.hold_trait_notifications():
            self.search = "" if again else " ".join(ngram.tokens) if without_spaces else ngram.tokens
            self.search_in = where

    # ---- Without a kernel ----

    def static_html(self) -> str:
        """Return the first page of the list and the current segment as HTML without scripts.

        Returns
        -------
        str
            The HTML that GitHub, nbconvert and untrusted notebooks show.
        """
        return static_html(self._page(0), self._segment_html())

    def to_html(self, path: str | os.PathLike[str], title: str = "Segments") -> None:
        """Write the first page of the list and the current segment to an HTML file that loads nothing else.

        Parameters
        ----------
        path : str or path
        title : str, default "Segments"
        """
        write_page(path, title, self._page(0), self._segment_html())

    def _repr_mimebundle_(self, **options: Any) -> dict[str, Any]:
        return {**super()._repr_mimebundle_(**options), "text/html": self.static_html()}

    def close(self) -> None:
        """Remove the widget with all widgets inside it and all observers; its results can still be read."""
        if self.comm is not None:
            close_widgets(self)
        super().close()
