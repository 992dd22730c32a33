"""A widget with all widgets inside it: visit them, handle their messages under one lock, close them."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any

import ipywidgets as widgets


def iterate_widgets(widget: widgets.Widget, seen: set[int] | None = None) -> Iterator[widgets.Widget]:
    """Yield a widget and the widgets in its traits: children, layouts, styles."""
    seen = set() if seen is None else seen
    if id(widget) in seen:
        return
    seen.add(id(widget))
    yield widget
    for key in widget.keys:
        if key.startswith("_"):
            continue
        value = getattr(widget, key)
        for item in value if isinstance(value, list | tuple) else [value]:
            if isinstance(item, widgets.Widget):
                yield from iterate_widgets(item, seen)


def lock_messages(widget: widgets.Widget, lock: AbstractContextManager[Any]) -> None:
    """Handle all messages to a widget and to the widgets inside it under one lock.

    A kernel may handle two messages of the page in two threads. Neither traitlets nor ipywidgets expects that.
    """
    for part in iterate_widgets(widget):
        if part.comm is not None:
            part.comm.on_msg(with_lock(lock, part._handle_msg))


def with_lock(lock: AbstractContextManager[Any], handle: Callable[[Any], None]) -> Callable[[Any], None]:
    """Return a function that calls another one under a lock."""

    def handle_locked(message: Any) -> None:
        with lock:
            handle(message)

    return handle_locked


def close_widgets(widget: widgets.Widget) -> None:
    """Close the widgets inside a widget, and remove the observers of all; the widget itself stays open."""
    for part in list(iterate_widgets(widget)):
        part.unobserve_all()
        if part is not widget:
            part.close()
