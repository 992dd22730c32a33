"""The controls above the list: ipywidgets, each for one trait of the inspector."""

from collections.abc import Callable, Sequence
from typing import Any

import ipywidgets as widgets

from bleupandas.viewing.inspector.choices import ANY_CAUSE, ANY_GROUP, NO_COLUMN
from bleupandas.viewing.inspector.filters import SEARCHES, WHOLE_RANGE


class NoChoice:
    """The value of an option that means None: ipywidgets takes None for "no option is selected" and shows a blank."""

    def __repr__(self) -> str:
        """Return "NO_CHOICE"."""
        return "NO_CHOICE"


NO_CHOICE = NoChoice()


def style(width: str) -> dict[str, Any]:
    """Return the options of a control: its width, and a description as wide as its text."""
    return {"style": {"description_width": "auto"}, "layout": widgets.Layout(width=width, margin="0")}


class Controls:
    """Creates the controls, and keeps them equal to the inspector's traits.

    Parameters
    ----------
    set_trait : function
        Called with the name of a trait and a value when the user changes a control.
    clear_filters : function
        Called without arguments when the user presses "Clear filters".

    Attributes
    ----------
    by_trait : dict
        Trait name to control.
    clear_button : Button
    """

    def __init__(self, set_trait: Callable[[str, Any], None], clear_filters: Callable[[], None]) -> None:
        self._set_trait = set_trait
        self._updating = False
        late = {"continuous_update": False}
        self.by_trait: dict[str, Any] = {
            "by": widgets.Dropdown(options=[(NO_COLUMN, NO_CHOICE)], description="Column", **style("13rem")),
            "group": widgets.Dropdown(options=[(ANY_GROUP, NO_CHOICE)], description="Value", **style("14rem")),
            "main_cause": widgets.Dropdown(options=[(ANY_CAUSE, "")], description="Cause", **style("15rem")),
            "score_range": widgets.FloatRangeSlider(
                value=WHOLE_RANGE, min=0.0, max=1.0, step=0.01, description="Score", readout_format=".2f",
                **late, **style("18rem"),
            ),
            "search": widgets.Text(description="Find", placeholder="words or an n-gram", **late, **style("16rem")),
            "search_in": widgets.Dropdown(
                options=[(name, key) for key, name in SEARCHES.items()], description="as", **style("15rem")
            ),
            "query": widgets.Text(
                description="Query", placeholder='score < 0.2 and main_cause == "brevity"', **late, **style("26rem")
            ),
            "order": widgets.Dropdown(options=[("4", 4)], description="Max. order", **style("8rem")),
            "smoothing": widgets.Dropdown(options=[("", "method1")], description="Smoothing", **style("13rem")),
            "list_columns": widgets.SelectMultiple(options=[], rows=6, description="Columns", **style("20rem")),
        }  # fmt: skip
        self.clear_button = widgets.Button(description="Clear filters", layout=widgets.Layout(width="auto", margin="0"))
        for name, control in self.by_trait.items():
            control.observe(self._observer(name), "value")
        self.clear_button.on_click(lambda _: clear_filters())

    def layout(self) -> list[Any]:
        """Return the two rows above the list: the filters, and the folded settings."""
        groups = [("by", "group"), ("main_cause",), ("score_range",), ("search", "search_in"), ("query",)]
        boxes = [widgets.HBox([self.by_trait[name] for name in names]) for names in groups]
        filters = wrapped_row([*boxes, self.clear_button])
        settings = wrapped_row([self.by_trait[name] for name in ("order", "smoothing", "list_columns")])
        folded = widgets.Accordion(children=(settings,), titles=("Score settings and list columns",))
        folded.add_class("bleu-settings")
        return [filters, folded]

    def update(self, values: dict[str, Any], options: dict[str, Sequence[Any]]) -> None:
        """Show the values and options of the traits, without setting traits."""
        self._updating = True
        try:
            for name, pairs in options.items():
                control = self.by_trait[name]
                choices = tuple((text, NO_CHOICE if value is None else value) for text, value in pairs)
                if tuple(control.options) != choices:
                    control.options = choices
            for name, value in values.items():
                value = NO_CHOICE if value is None else value
                if self.by_trait[name].value != value:
                    self.by_trait[name].value = value
            self.by_trait["group"].disabled = values["by"] is None
        finally:
            self._updating = False

    def _observer(self, name: str) -> Callable[[Any], None]:
        def set_changed(change: Any) -> None:
            if not self._updating:
                self._set_trait(name, None if change.new is NO_CHOICE else change.new)

        return set_changed


def wrapped_row(children: list[Any]) -> Any:
    """Return a row of controls that wraps."""
    box = widgets.HBox(children, layout=widgets.Layout(flex_flow="row wrap", align_items="center", margin="0"))
    box.add_class("bleu-controls")
    return box
