"""Options of more than one function that compares: given as they are, or refused in one line."""

import math
import numbers
import os
from numbers import Real
from typing import Literal

import numpy as np

from bleupandas.common.messages import refuse_choice, short_repr


def check_choice(what: str, value: object, allowed: tuple[str, ...]) -> str:
    """Give one of the allowed values, or raise."""
    if isinstance(value, str) and value in allowed:
        return value
    refuse_choice(what, value, allowed)


def check_whole_number(what: str, value: object, lowest: int) -> int:
    """Give a whole number of at least `lowest`, or raise."""
    message = f"{what} is a whole number of at least {lowest}, not {short_repr(value)}"
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise TypeError(message)
    if value < lowest:
        raise ValueError(message)
    return int(value)


def check_proportion(what: str, value: object, example: str) -> float:
    """Give a number between 0 and 1, both left out, or raise."""
    message = f"{what} is a number between 0 and 1, such as {example}, not {short_repr(value)}"
    if isinstance(value, bool | np.bool_) or not isinstance(value, Real):
        raise TypeError(message)
    number = float(value)
    if not 0 < number < 1:
        raise ValueError(message)
    return number


# More threads than this gain little: reading Python objects is done by one.
MOST_DEFAULT_THREADS = 4

MAX_ORDER = 8
MAX_ORDER = 8
DEFAULT_ORDER = 4

Errors = Literal["raise", "coerce"]

SCORE_KEYWORDS = ("convention", "smoothing", "weights", "effective_order", "epsilon", "k", "alpha")
COUNT_KEYWORDS = ("hypothesis", "references", "max_order", "errors", "threads", "components")

MAX_ORDER = 8
DEFAULT_ORDER = 4


def default_threads() -> int:
    """Give how many threads count when nothing is said: the CPUs that this process may use, at most 4."""
    if hasattr(os, "process_cpu_count"):  # Python 3.13
        available = os.process_cpu_count()
    elif hasattr(os, "sched_getaffinity"):
        available = len(os.sched_getaffinity(0))
    else:
        available = os.cpu_count()
    return min(available or 1, MOST_DEFAULT_THREADS)


# ---- Options that every function has ----


def check_order(max_order: object, what: str = "max_order") -> int:
    """Give an n-gram order as int, or raise."""
    if isinstance(max_order, bool) or not isinstance(max_order, int | np.integer):
        raise TypeError(f"{what} is a whole number from 1 to {MAX_ORDER}, not {short_repr(max_order)}")
    if not 1 <= max_order <= MAX_ORDER:
        raise ValueError(f"{what} is from 1 to {MAX_ORDER}, not {max_order}")
    return int(max_order)


def check_errors(errors: object) -> Errors:
    """Give errors= as it is, or raise."""
    if isinstance(errors, str) and errors in ("raise", "coerce"):
        return "raise" if errors == "raise" else "coerce"
    refuse_choice("errors", errors, ["raise", "coerce"])


def check_threads(threads: object) -> int:
    """Give how many threads count, or raise."""
    if threads is None:
        return default_threads()
    if isinstance(threads, bool) or not isinstance(threads, int | np.integer):
        raise TypeError(
            f"threads is a whole number of at least 1, or None for the CPUs there are, not {short_repr(threads)}"
        )
    if threads < 1:
        raise ValueError(f"threads is at least 1, or None for the CPUs there are, not {threads}")
    return int(threads)


def check_number(name: str, value: object, expected: str, lowest: float = 0.0, highest: float = math.inf) -> float:
    """Give a finite number within bounds."""
    message = f"{name} is {expected}, not {short_repr(value)}"
    if isinstance(value, bool | np.bool_) or not isinstance(value, numbers.Real):
        raise TypeError(message)
    try:
        number = float(value)
    except OverflowError:
        raise ValueError(message) from None
    if not (lowest <= number <= highest and math.isfinite(number)):
        raise ValueError(message)
    return number
