"""What the notebook knows: its variables, the cell that is running, and the widgets that a cell has created."""

import weakref
from typing import Any


class CellWidgets:
    """The widgets that each cell has created, so that running a cell again closes its earlier ones.

    ipywidgets keeps every widget alive until it is closed.
    """

    def __init__(self) -> None:
        self._entries: list[tuple[str, str, weakref.ref[Any]]] = []  # cell, run, widget

    def add(self, widget: Any) -> None:
        """Remember a widget, and close those of an earlier run of the same cell."""
        self._entries = [entry for entry in self._entries if entry[2]() is not None]
        cell, run = get_running_cell()
        if not cell:
            return
        for other_cell, other_run, reference in self._entries:
            earlier = reference()
            if earlier is not None and other_cell == cell and other_run != run:
                earlier.close()
        self._entries = [entry for entry in self._entries if entry[0] != cell or entry[1] == run]
        self._entries.append((cell, run, weakref.ref(widget)))


def get_running_cell() -> tuple[str, str]:
    """Return the id of the running cell and the id of its run; empty where the front end sends none."""
    shell = get_shell()
    request = shell.get_parent() if hasattr(shell, "get_parent") else {}
    cell = request.get("metadata", {}).get("cellId", "")
    return str(cell), str(request.get("header", {}).get("msg_id", ""))


def get_notebook_variables() -> dict[str, Any]:
    """Return the variables of the notebook or shell; none outside of IPython."""
    shell = get_shell()
    return dict(shell.user_ns) if shell is not None else {}


def get_shell() -> Any:
    """Return IPython's shell, or None outside of IPython."""
    from IPython.core.getipython import get_ipython

    return get_ipython()
