"""What lives: traits that are computed, and widgets that go away as a whole."""

import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import ipywidgets as widgets
import traitlets


class Computed(traitlets.TraitType[Any, Any]):
    """A trait that cannot be set: its value is made whenever it is read, under the lock of its object.

    Parameters
    ----------
    make : function
        Gives the value for an object.
    """

    def __init__(self, make: Callable[[Any], Any]) -> None:
        super().__init__()
        self._make = make

    def get(self, obj: Any, cls: Any = None) -> Any:
        """Make the value."""
        with obj._lock:
            return self._make(obj)

    def set(self, obj: Any, value: Any) -> None:
        """Refuse."""
        raise traitlets.TraitError(f"{self.name} is what comes back from the inspector; it cannot be set")


class Locked(traitlets.HasTraits):
    """Traits that change under one lock, until everything follows and all observers are notified.

    Messages of the page and cells of a notebook may run in different threads.
    """

    _lock: threading.RLock

    def setup_instance(*args: Any, **kwargs: Any) -> None:
        """Make the lock before any trait can change."""
        args[0].__dict__["_lock"] = threading.RLock()
        super(Locked, args[0]).setup_instance(*args[1:], **kwargs)

    def __setattr__(self, name: str, value: Any) -> None:
        """Set an attribute under the lock."""
        with self._lock:
            super().__setattr__(name, value)

    def set_trait(self, name: str, value: Any) -> None:
        """Set a trait, a read-only one too, under the lock."""
        with self._lock:
            super().set_trait(name, value)

    @contextmanager
    def hold_trait_notifications(self) -> Iterator[None]:
        """Change several traits at once, under the lock."""
        with self._lock, super().hold_trait_notifications():
            yield


class Notice(traitlets.Bunch):
    """A change of a computed trait; what it is now is made when an observer reads ``new``."""

    def __missing__(self, key: str) -> Any:
        if key != "new":
            raise KeyError(key)
        return getattr(self["owner"], self["name"])


def same(one: Any, other: Any) -> bool:
    """Tell whether two values of a trait are the same; 1 and True are not."""
    return one is other or (type(one) is type(other) and bool(one == other))


def serialise(widget: widgets.Widget, lock: AbstractContextManager[Any]) -> None:
    """Handle every message to a widget and to the widgets in its traits under one lock.

    A kernel may handle two messages of the page in two threads; neither traitlets nor ipywidgets expects that.
    """
    for part in parts(widget):
        if part.comm is not None:
            part.comm.on_msg(locked(lock, part._handle_msg))


def locked(lock: AbstractContextManager[Any], handle: Callable[[Any], None]) -> Callable[[Any], None]:
    """Return a function that calls another one under a lock."""

    def handled(message: Any) -> None:
        with lock:
            handle(message)

    return handled


def close_parts(widget: widgets.Widget) -> None:
    """Close all widgets in the traits of a widget, and drop its observers and theirs."""
    for part in list(parts(widget)):
        part.unobserve_all()
        if part is not widget:
            part.close()


def parts(widget: widgets.Widget, seen: set[int] | None = None) -> Iterator[widgets.Widget]:
    """Walk a widget and the widgets in its traits: children, layouts, styles."""
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
                yield from parts(item, seen)


class Makers:
    """Which cell made which widget, so that running a cell again replaces what it made before.

    ipywidgets keeps every widget alive until it is closed; nobody closes those of a cell that is run once more.
    """

    def __init__(self) -> None:
        self._made: list[tuple[str, str, weakref.ref[Any]]] = []

    def add(self, widget: Any) -> None:
        """Remember a widget, and close those that an earlier run of the same cell made."""
        self._made = [entry for entry in self._made if entry[2]() is not None]
        cell, run = running_cell()
        if not cell:
            return
        for other_cell, other_run, reference in self._made:
            earlier = reference()
            if earlier is not None and other_cell == cell and other_run != run:
                earlier.close()
        self._made = [entry for entry in self._made if entry[0] != cell or entry[1] == run]
        self._made.append((cell, run, weakref.ref(widget)))


def running_cell() -> tuple[str, str]:
    """Give the id of the cell that is running and of its run, as the notebook says; empty where it does not."""
    from IPython.core.getipython import get_ipython

    shell: Any = get_ipython()
    request = shell.get_parent() if hasattr(shell, "get_parent") else {}
    cell = request.get("metadata", {}).get("cellId", "")
    return str(cell), str(request.get("header", {}).get("msg_id", ""))
