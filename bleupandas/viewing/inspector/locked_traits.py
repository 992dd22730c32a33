"""Traits under one lock, so that several threads can set them; and traits that are computed when they are read."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import traitlets


class ComputedTrait(traitlets.TraitType[Any, Any]):
    """A read-only trait: its value is computed on each access, under the lock of its object.

    Parameters
    ----------
    compute : function
        Returns the value for an object.
    """

    def __init__(self, compute: Callable[[Any], Any]) -> None:
        super().__init__()
        self._compute = compute

    def get(self, obj: Any, cls: Any = None) -> Any:
        """Compute the value."""
        with obj.lock:
            return self._compute(obj)

    def set(self, obj: Any, value: Any) -> None:
        """Raise TraitError."""
        raise traitlets.TraitError(f"{self.name} is a result of the inspector; it cannot be set")


class LockedTraits(traitlets.HasTraits):
    """Traits that change under one lock, which is held until all observers have run.

    The kernel may handle messages of the page in one thread while a cell runs in another.

    Attributes
    ----------
    lock : RLock
    """

    lock: threading.RLock

    def setup_instance(*args: Any, **kwargs: Any) -> None:
        """Create the lock before any trait can change."""
        args[0].__dict__.update(lock=threading.RLock(), _n_holds=0, _set_together=set())
        super(LockedTraits, args[0]).setup_instance(*args[1:], **kwargs)

    def __setattr__(self, name: str, value: Any) -> None:
        """Set an attribute under the lock."""
        with self.lock:
            if self.__dict__["_n_holds"]:
                self.__dict__["_set_together"].add(name)
            super().__setattr__(name, value)

    def set_trait(self, name: str, value: Any) -> None:
        """Set a trait under the lock, also a read-only one."""
        with self.lock:
            super().set_trait(name, value)

    @contextmanager
    def hold_trait_notifications(self) -> Iterator[None]:
        """Change several traits at once, under the lock."""
        with self.lock:
            with super().hold_trait_notifications():
                self.__dict__["_n_holds"] += 1
                try:
                    yield
                finally:
                    self.__dict__["_n_holds"] -= 1
            if not self.__dict__["_n_holds"]:
                self.__dict__["_set_together"].clear()

    def pop_names_set_together(self) -> set[str]:
        """Return the attributes assigned in the last ``with hold_trait_notifications()``, and forget them.

        These include traits that were assigned an equal value, which is no change.
        """
        names = set(self.__dict__["_set_together"])
        self.__dict__["_set_together"].clear()
        return names


class LazyChange(traitlets.Bunch):
    """A change of a computed trait; ``new`` is computed when an observer reads it."""

    def __missing__(self, key: str) -> Any:
        if key != "new":
            raise KeyError(key)
        return getattr(self["owner"], self["name"])


def is_same_value(one: Any, other: Any) -> bool:
    """Return whether two values of a trait are equal and of one type; 1 and True differ."""
    return one is other or (type(one) is type(other) and bool(one == other))
