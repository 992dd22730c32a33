"""The sentence inspector: a widget that lists segments and shows one, and gives back what a person did with them."""

import os
from collections.abc import Hashable, Sequence
from typing import Any, ClassVar

import ipywidgets as widgets
import numpy as np
import pandas as pd
import traitlets as T  # noqa: N812

from bleupandas.common import is_missing, join_values, missing_column_error, short_repr
from bleupandas.explaining import CAUSES
from bleupandas.scoring import method_name
from bleupandas.viewing.html import NgramView, SegmentView, views_html
from bleupandas.viewing.inspector import live
from bleupandas.viewing.inspector.choices import column_options, setting_options
from bleupandas.viewing.inspector.controls import Controls
from bleupandas.viewing.inspector.filters import MISSING, SEARCHES, WHOLE_RANGE, Filters, RowFilter, text_of, tokens_of
from bleupandas.viewing.inspector.listing import Listing
from bleupandas.viewing.inspector.row_table import RowTable
from bleupandas.viewing.inspector.segment_list import Page, SegmentList, list_html
from bleupandas.viewing.inspector.static_view import twin_html, write_page
from bleupandas.viewing.inspector.subject import Subject
from bleupandas.viewing.inspector.tag_bar import TagBar
from bleupandas.viewing.inspector.tags import KINDS, Tags
from bleupandas.viewing.inspector.token_view import TokenView

FILTERS = ("query", "score_range", "search", "search_in", "main_cause", "by", "group")
SETTINGS = ("order", "smoothing")
SORTING = ("sort_by", "ascending")
INPUTS = (*FILTERS, *SETTINGS, *SORTING, *KINDS, "list_columns", "page", "page_size", "position")
UNSETTLED = object()
CLEAR: dict[str, Any] = {"query": "", "score_range": WHOLE_RANGE, "search": "", "main_cause": "", "group": None}


class SentenceInspector(live.Locked, widgets.VBox):  # type: ignore[misc]
    """A list of segments, and one of them with its n-grams; `bleupandas.inspect` makes it.

    Its state are traits: set them, or observe them. Several at once are one redraw inside of
    ``with inspector.hold_trait_notifications():``. A value that cannot be is a TraitError.

    Keys: up, down, Page Up, Page Down, Home and End in the list, left and right in the segment. Running its cell again
    closes it and makes another.

    Attributes
    ----------
    query : str
        An expression as in ``DataFrame.query``, on the columns of the frame and the computed ones: score, main_cause,
        brevity_penalty, precision_n, candidate_length, reference_length, matches_n, totals_n (with "_bleu" behind it
        where the frame has such a column); other_score and difference in a comparison. What is wrong with it stands in
        `error`, and the rows stay as they were.
    score_range : tuple of two float
    search : str or tuple of str
        A text, or an n-gram: its tokens, or tokens joined by spaces.
    search_in : {"text", "hypothesis", "references", "over-produced", "missing", "matched"}
        "text" looks for the text on both sides, in any case; the others for the n-gram in this role.
    main_cause : str
        "" for any.
    by, group : label, object
        A column, and the value that rows have there; None for any.
    sort_by : label or None
        None for the order of the frame.
    ascending : bool
    list_columns : tuple of labels
    page, page_size, position : int
        From 0; the position of the current row in the frame is -1 where no row is listed.
    order, smoothing : int, str
    tag, note : str
        Of the current row.
    error : str
    mask : Series of bool
        Which rows are listed, on the frame's index.
    frame : DataFrame
        ``df[mask]``: the listed rows, in the order of the frame.
    selected : DataFrame
        The current row, as a frame of one row.
    tags : DataFrame
        Columns tag and note for all rows, on the frame's index, missing where nothing was said.
    """

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
    error = T.Unicode("", read_only=True)
    mask = live.Computed(lambda self: self._mask())
    frame = live.Computed(lambda self: self._subject.df[self._listing.mask])
    selected = live.Computed(lambda self: self._selected())
    tags = live.Computed(lambda self: self._tags.frame())

    _made: ClassVar[live.Makers] = live.Makers()

    def __init__(
        self,
        subject: Subject,
        *,
        by: Hashable | None = None,
        tags: pd.DataFrame | None = None,
        page_size: int = 15,
    ) -> None:
        self._subject = subject
        self._tags = Tags(subject.df.index, tags)
        self._table = RowTable(subject.df, subject.source, subject.settings, subject.labels, subject.pairing)
        self._filter = RowFilter(self._table, subject.tokens)
        self._listing = Listing(self._table, subject.tokens)
        self._views: list[SegmentView] = []
        self._settled: dict[str, Any] = {}
        self._list = SegmentList(layout=widgets.Layout(flex="1 1 24rem", min_width="20rem", margin="0"))
        self._view = TokenView()
        self._bar = TagBar()
        self._controls = Controls(self.set_trait, self._press)
        super().__init__(children=self._laid_out())
        self.add_class("bleu-inspector")
        score, cause = (self._table.name_of(name) for name in ("score", "main_cause"))
        compared = [self._table.name_of(name) for name in ("other_score", "difference")] if subject.pairing else []
        with self.hold_trait_notifications():
            self.order, self.smoothing = subject.settings.max_order, subject.settings.smoothing
            self.list_columns = (score, *compared, cause)
            self.by, self.page_size = by, page_size
        for part in (self._list, self._view, self._bar):
            part.on_msg(self._heard)
        self.observe(self._settle, names=INPUTS)
        self._settle()
        live.serialise(self, self._lock)
        self._made.add(self)

    def _laid_out(self) -> list[Any]:
        wide = widgets.Layout(flex="1.5 1 30rem", min_width="20rem", margin="0")
        segment = widgets.VBox([self._bar, self._view], layout=wide)
        panes = widgets.HBox([self._list, segment], layout=widgets.Layout(flex_flow="row wrap"))
        panes.add_class("bleu-panes")
        return [*self._controls.filter_rows(), panes]

    # ---- What comes back ----

    def _mask(self) -> "pd.Series[bool]":
        return pd.Series(self._listing.mask.copy(), index=self._subject.df.index, name="mask")

    def _selected(self) -> pd.DataFrame:
        return self._subject.df.iloc[[self.position] if self.position >= 0 else []]

    def __repr__(self) -> str:
        """Say how many segments are listed."""
        return f"<SentenceInspector: {len(self._listing):,} of {len(self._table):,} segments>"

    # ---- Checks ----

    @T.validate("by", "sort_by")
    def _check_label(self, proposal: Any) -> Any:
        return self._known_labels(
            proposal.trait.name, [] if proposal.value is None else [proposal.value], proposal.value
        )

    @T.validate("list_columns")
    def _check_labels(self, proposal: Any) -> Any:
        return self._known_labels("list_columns", proposal.value, proposal.value)

    def _known_labels(self, trait: str, labels: Sequence[Hashable], value: Any) -> Any:
        choices = self._table.labels if trait == "by" else self._table.choices
        for label in labels:
            if label not in choices:
                raise T.TraitError(str(missing_column_error(label, choices, trait)))
        return value

    @T.validate("group")
    def _check_group(self, proposal: Any) -> Any:
        return MISSING if proposal.value is not None and is_missing(proposal.value) else proposal.value

    @T.validate("order")
    def _check_order(self, proposal: Any) -> int:
        if proposal.value not in self._subject.orders:
            raise T.TraitError(f"order is one of {join_values(self._subject.orders)}, not {short_repr(proposal.value)}")
        return int(proposal.value)

    @T.validate("smoothing")
    def _check_smoothing(self, proposal: Any) -> str:
        choices = self._subject.smoothings(self.order)
        try:
            method = method_name(proposal.value)
        except (TypeError, ValueError) as problem:
            raise T.TraitError(str(problem)) from None
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

    # ---- One change, one redraw ----

    def _settle(self, _: object = None) -> None:
        """Make everything follow from the traits; does nothing if all does."""
        changed = {name for name in INPUTS if not live.same(getattr(self, name), self._settled.get(name, UNSETTLED))}
        if not changed:
            return
        with self.hold_trait_notifications():  # of what changes here, told when all of it has
            relisted = self._list_anew(changed)
            tagged = changed & set(KINDS) if "position" not in changed and self.position >= 0 else set()
            for kind in tagged:
                self._tags.put(kind, self.position, getattr(self, kind))
            moved = self._move(changed)
            for kind in KINDS:
                setattr(self, kind, self._tags.get(kind, self.position))
            self._settled = {name: getattr(self, name) for name in INPUTS}
            self._redraw(changed, moved)
        told = {"mask": relisted, "frame": relisted, "selected": moved, "tags": bool(tagged)}
        for name in (name for name, is_new in told.items() if is_new):
            self.notify_change(live.Notice(name=name, owner=self, type="change", old=None))

    def _list_anew(self, changed: set[str]) -> bool:
        """Find which rows are listed and how they are sorted, where that changes; tell whether rows came or went."""
        if changed & set(SETTINGS):
            if self.smoothing not in self._subject.smoothings(self.order):
                self.smoothing = "method1"
            settings = self._subject.settings_of(self.order, self.smoothing)
            if settings != self._table.settings:
                self._table.rescore(settings)
                self._filter.forget_scores()
        if "by" in changed and "group" not in changed:
            self.group = None
        filtering = bool(changed & {*FILTERS, *SETTINGS})
        error, mask = self.error, self._listing.mask
        if filtering:
            mask, error = self._filter.mask(Filters(**{name: getattr(self, name) for name in FILTERS}))
        came_or_went = not np.array_equal(mask, self._listing.mask)
        if filtering or changed & set(SORTING):
            try:
                self._listing.update(mask, self.sort_by, self.ascending)
            except TypeError as problem:
                error, self.sort_by = f"cannot sort by {self.sort_by!r}: {problem}", None
                self._listing.update(mask, None, self.ascending)
        self.set_trait("error", error)
        return came_or_went or not self._settled

    def _move(self, changed: set[str]) -> bool:
        """Find the current row and page; tell whether the row is another one."""
        told = "position" in changed and self._settled
        if not told and (changed & set(SORTING) or self._listing.rank(self.position) < 0):
            self.position = self._listing.first()
        elsewhere = changed & {*FILTERS, *SETTINGS, *SORTING, "position", "page_size"}
        if elsewhere and ("page" not in changed or not self._settled):
            self.page = max(self._listing.rank(self.position), 0) // self.page_size
        self.page = min(max(self.page, 0), self._listing.pages(self.page_size) - 1)
        return self.position != self._settled.get("position")

    def _redraw(self, changed: set[str], moved: bool) -> None:
        self._show_bar()  # before the segment: whoever sees a segment and types, types on its row
        if moved or changed & set(SETTINGS):
            self._views = self._looked_at()
        if moved or changed & {*SETTINGS, "search", "search_in"}:
            self._view.html = self._segment_html()
        self._list.html = list_html(self._page(self.page))
        self._controls.show(*self._control_state(changed))

    def _looked_at(self) -> list[SegmentView]:
        if self.position < 0:
            return []
        try:
            return self._subject.views(self.position, self.order, self.smoothing)
        except (TypeError, ValueError, RuntimeError) as problem:  # the caller's lists are no longer what was counted
            self.set_trait("error", str(problem))
            return []

    def _segment_html(self) -> str:
        wanted = () if self.search_in == "text" else tokens_of(self.search)
        return views_html(self._views, wanted, self._subject.pairing and self._subject.pairing.names)

    def _page(self, number: int) -> Page:
        labels = self.list_columns
        return self._listing.page(number, self.page_size, labels, self.position, self._tags, self.error)

    def _control_state(self, changed: set[str]) -> tuple[dict[str, Any], dict[str, Any], dict[str, bool]]:
        values = {name: getattr(self, name) for name in self._controls.by_trait}
        values["search"] = text_of(self.search)
        options: dict[str, Any] = {}
        if changed & {"by", "group"}:
            options |= column_options(self._table, self.by, self.group)
        if changed & set(SETTINGS):
            options |= setting_options(self._table, self._subject, self.order, self.main_cause)
        return values, options, {"group": self.by is not None}

    def _show_bar(self) -> None:
        rank = self._listing.rank(self.position)
        texts = {kind: self._tags.get(kind, self.position) for kind in KINDS}
        self._bar.show(self.position, texts, self._tags.used(), rank > 0, 0 <= rank < len(self._listing) - 1)

    # ---- What a person does ----

    def _press(self, _: str) -> None:
        with self.hold_trait_notifications():
            for name, value in CLEAR.items():
                setattr(self, name, value)

    def step(self, by: int = 1) -> None:
        """Go on in the list.

        Parameters
        ----------
        by : int, default 1
            How many rows; back if below 0.
        """
        with self._lock:
            self.position = self._listing.stepped(self.position, by)

    def _heard(self, _: Any, message: dict[str, Any], __: Any) -> None:
        """Do what a message of the list, the segment or the bar asks for."""
        with self._lock, self._bar.answering(message):
            kind = message.get("kind")
            if kind == "select":
                self.position = message["position"]
            elif kind == "label":
                self._label(message["row"], self._bar.newest(message))
            elif kind == "step":
                self.step(message["by"])
            elif kind == "jump":
                self.step(-len(self._listing) if message["where"] == "first" else len(self._listing))
            elif kind == "page":
                self.page = self._listing.turned(self.page, message["where"], self.page_size)
            elif kind == "sort":
                self._sort(message["column"])
            elif kind == "ngram":
                self._find(self._views[message["segment"]].ngrams[message["id"]], message["where"])

    def _label(self, row: int, texts: dict[str, str]) -> None:
        """Put a tag or a note on the row on which it was typed, whichever row is shown by now."""
        new = self._tags.change(row, texts) if 0 <= row < len(self._table) else {}
        if row == self.position:
            with self.hold_trait_notifications():
                for kind, text in new.items():
                    setattr(self, kind, text)
        elif new:
            self._redraw(set(), moved=False)
            self.notify_change(live.Notice(name="tags", owner=self, type="change", old=None))

    def _sort(self, place: int) -> None:
        label = (None, *self.list_columns)[place]
        with self.hold_trait_notifications():
            self.ascending = not self.ascending if live.same(label, self.sort_by) else True
            self.sort_by = label

    def _find(self, ngram: NgramView, where: str | None) -> None:
        """List the segments that have an n-gram with the same fault; all again when it is clicked once more."""
        where = where or ngram.status
        again = self.search_in == where and self.search_in != "text" and tokens_of(self.search) == ngram.tokens
        plain = not any(" " in token for token in ngram.tokens)
        with self.hold_trait_notifications():
            self.search = "" if again else " ".join(ngram.tokens) if plain else ngram.tokens
            self.search_in = where

    # ---- Where nothing runs ----

    def static_html(self) -> str:
        """Give the first page of the list and the current segment as HTML.

        Returns
        -------
        str
            What GitHub, nbconvert and untrusted notebooks show; without scripts.
        """
        return twin_html(self._page(0), self._segment_html())

    def to_html(self, path: str | os.PathLike[str], title: str = "Segments") -> None:
        """Write the first page of the list and the current segment as a page that needs nothing else.

        Parameters
        ----------
        path : str or path
        title : str, default "Segments"
        """
        write_page(path, title, self._page(0), self._segment_html())

    def _repr_mimebundle_(self, **options: Any) -> dict[str, Any]:
        return {**super()._repr_mimebundle_(**options), "text/html": self.static_html()}

    def close(self) -> None:
        """Remove the widget with all of its parts and observers; what came back can still be read."""
        if self.comm is not None:
            live.close_parts(self)
        super().close()
