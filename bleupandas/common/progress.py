"""The progress bar of long work."""

import contextlib
import sys
from collections.abc import Callable, Iterator

from bleupandas.common.messages import short_repr

DELAY = 5.0  # seconds; shorter work shows no bar


@contextlib.contextmanager
def progress_bar(total: int, progress: object, unit: str) -> Iterator[Callable[[int], object]]:
    """Yield a function to call with the number of further units that are done.

    Parameters
    ----------
    total : int
        Number of units.
    progress : bool or None
        True shows a bar from the start, False shows none. None shows one after some seconds on a terminal or in a
        notebook.
    unit : str
        Name of the units.
    """
    if progress is not None and not isinstance(progress, bool):
        raise TypeError(f"progress is True, False or None, not {short_repr(progress)}")
    if progress is False or (progress is None and not is_interactive()):
        yield lambda done: None
        return
    from tqdm.auto import tqdm

    with tqdm(total=total, unit=unit, delay=0 if progress else DELAY, leave=False) as bar:
        yield bar.update


def is_interactive() -> bool:
    """Return whether this runs on a terminal or in a notebook."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return getattr(shell, "kernel", None) is not None or (sys.stderr is not None and sys.stderr.isatty())
