"""A progress bar for long work, where somebody watches."""

import contextlib
import sys
from collections.abc import Callable, Iterator

from bleupandas.common.messages import short_repr

DELAY = 5.0  # seconds; what is done by then shows no bar


@contextlib.contextmanager
def progress_bar(total: int, progress: object, unit: str) -> Iterator[Callable[[int], object]]:
    """Give a function that is told how many units of work more are done.

    Parameters
    ----------
    total : int
        Of the units.
    progress : bool or None
        Show a bar from the start, or none, or one after some seconds on a terminal or in a notebook.
    unit : str
        What the bar counts.
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
    """Tell whether this runs on a terminal or in a notebook."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return getattr(shell, "kernel", None) is not None or (sys.stderr is not None and sys.stderr.isatty())
