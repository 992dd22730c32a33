"""The inspector's controls: ipywidgets' own, each bound to one trait of the inspector."""

from collections.abc import Callable, Sequence
from typing import Any

import ipywidgets as widgets

from bleupandas.viewing.inspector.choices import ANY_CAUSE, ANY_GROUP, NO_COLUMN
from bleupandas.viewing.inspector.filters import SEARCHES, WHOLE_RANGE


def described(width: str) -> dict[str, Any]:
    """Give what makes a control as wide as it needs, with its description beside it."""
    return {"style": {"description_width": "auto"}, "layout": widgets.Layout(width=width, margin="0")}


class Controls:
    """Makes the controls, and keeps them and the inspector's traits the same.

    Parameters
    ----------
    put : function
        Called with the name of a trait and a value, when a person changes a control.
    press : function
        Called with "clear" when the button is pressed.

    Attributes
    ----------
    by_trait : dict
        Trait name to control.
    """

    def __init__(self, put: Callable[[str, Any], None], press: Callable[[str], None]) -> None:
        self._put = put
        self._press = press
        self._syncing = False
        late = {"continuous_update": False}
        self.by_trait: dict[str, Any] = {
            "by": widgets.Dropdown(options=[(NO_COLUMN, None)], description="Column", **described("13rem")),
            "group": widgets.Dropdown(options=[(ANY_GROUP, None)], description="value", **described("14rem")),
            "main_cause": widgets.Dropdown(options=[(ANY_CAUSE, "")], description="Cause", **described("15rem")),
            "score_range": widgets.FloatRangeSlider(
                value=WHOLE_RANGE, min=0.0, max=1.0, step=0.01, description="Score", readout_format=".2f",
                **late, **described("18rem"),
            ),
            "search": widgets.Text(description="Find", placeholder="words or an n-gram", **late, **described("16rem")),
            "search_in": widgets.Dropdown(
                options=[(name, key) for key, name in SEARCHES.items()], description="as", **described("14rem")
            ),
            "query": widgets.Text(
                description="Query", placeholder='score < 0.2 and main_cause == "brevity"', **late, **described("26rem")
            ),
            "order": widgets.Dropdown(options=[("4", 4)], description="Max. order", **described("8rem")),
            "smoothing": widgets.Dropdown(options=[("", "method1")], description="Smoothing", **described("13rem")),
            "list_columns": widgets.SelectMultiple(options=[], rows=6, description="Columns", **described("20rem")),
        }  # fmt: skip
        self.buttons = {
            "clear": widgets.Button(description="Clear filters", layout=widgets.Layout(width="auto", margin="0")),
        }
        for name, control in self.by_trait.items():
            control.observe(self._observer(name), "value")
        for name, button in self.buttons.items():
            button.on_click(self._clicked(name))

    def filter_rows(self) -> list[Any]:
        """Lay out what stands above the list."""
        groups = [("by", "group"), ("main_cause",), ("score_range",), ("search", "search_in"), ("query",)]
        together = [widgets.HBox([self.by_trait[name] for name in names]) for names in groups]
        filters = row([*together, self.buttons["clear"]])
        settings = row([self.by_trait[name] for name in ("order", "smoothing", "list_columns")])
        folded = widgets.Accordion(children=(settings,), titles=("Score settings and columns of the list",))
        folded.add_class("bleu-settings")
        return [filters, folded]

    def show(self, values: dict[str, Any], options: dict[str, Sequence[Any]], enabled: dict[str, bool]) -> None:
        """Make the controls say what the traits say; they do not answer."""
        self._syncing = True
        try:
            for name, choices in options.items():
                control = self.by_trait[name]
                if tuple(control.options) != tuple(choices):
                    control.options = tuple(choices)
            for name, value in values.items():
                if self.by_trait[name].value != value:
                    self.by_trait[name].value = value
            for name, on in enabled.items():
                {**self.by_trait, **self.buttons}[name].disabled = not on
        finally:
            self._syncing = False

    def _observer(self, name: str) -> Callable[[Any], None]:
        def changed(change: Any) -> None:
            if not self._syncing:
                self._put(name, change.new)

        return changed

    def _clicked(self, name: str) -> Callable[[Any], None]:
        def clicked(_: Any) -> None:
            self._press(name)

        return clicked


def row(children: list[Any]) -> Any:
    """Lay controls out in a row that wraps."""
    box = widgets.HBox(children, layout=widgets.Layout(flex_flow="row wrap", align_items="center", margin="0"))
    box.add_class("bleu-controls")
    return box
