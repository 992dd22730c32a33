"""The JavaScript and CSS that the inspector's widgets send to the page."""

from importlib import resources

from bleupandas.viewing.html import STYLE

_FOLDER = resources.files("bleupandas.viewing.inspector")
INSPECTOR_STYLE = (_FOLDER / "inspector.css").read_text(encoding="utf-8")
WIDGET_STYLE = STYLE + INSPECTOR_STYLE


def read_script(name: str) -> str:
    """Return the script of a widget, after the functions that all of them use.

    Text and not a path: anywidget keeps every instance of a class whose script is a path.
    """
    return "".join((_FOLDER / file).read_text(encoding="utf-8") for file in ("page_helpers.js", name))
