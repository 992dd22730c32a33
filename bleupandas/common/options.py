"""Options that several functions share: how functions are called, and the checks of single values."""

import functools
import inspect
import math
import numbers
import os
from collections.abc import Callable, Collection, Hashable
from dataclasses import dataclass
from typing import Any, Literal, ParamSpec, TypedDict, TypeVar

import numpy as np

from bleupandas.common.messages import refuse_choice, refuse_keywords, refuse_positional, short_repr

P = ParamSpec("P")
R = TypeVar("R")

MAX_ORDER = 8
DEFAULT_ORDER = 4
# More threads than this gain little: one thread reads the Python objects.
MOST_DEFAULT_THREADS = 4

Errors = Literal["raise", "coerce"]


# ---- Keywords that many functions have, for the overloads of those whose result depends on a keyword ----


class CountKeywords(TypedDict, total=False):
    """Which columns are counted, and how."""

    hypothesis: Hashable | None
    references: Hashable | list[Any] | None
    errors: str
    threads: int | None
    components: bool


class ScoreKeywords(TypedDict, total=False):
    """Which BLEU."""

    convention: str
    smoothing: str | None
    weights: object
    effective_order: bool | None
    epsilon: float
    k: float
    alpha: float


# ---- How a public function is called ----


def public(function: Callable[P, R]) -> Callable[P, R]:
    """Refuse unknown keywords with "did you mean", and values by position that are taken by keyword only.

    Examples
    --------
    >>> @public
    ... def count(df, /, *, max_order=4):
    ...     return max_order
    >>> count(None, max_ordre=2)
    Traceback (most recent call last):
    TypeError: count() has no keyword 'max_ordre'; did you mean 'max_order'? its keywords are max_order
    """
    return refuse_wrong_calls(function, getattr(function, "public_name", function.__name__))


def public_as(name: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return the decorator `public` for a function that users call by another name, such as "plot.scores"."""
    return lambda function: refuse_wrong_calls(function, name)


def refuse_wrong_calls(function: Callable[P, R], name: str) -> Callable[P, R]:
    """Return the function with checks of how it is called; errors call it `name`."""
    parameters = inspect.signature(function).parameters.values()
    by_position = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    most = math.inf if any(p.kind is p.VAR_POSITIONAL for p in parameters) else len(by_position)
    keywords = [p.name for p in parameters if p.kind in (p.KEYWORD_ONLY, p.POSITIONAL_OR_KEYWORD)]
    by_keyword_only = [p.name for p in parameters if p.kind is p.KEYWORD_ONLY]
    allowed = frozenset(keywords)
    any_keyword = any(p.kind is p.VAR_KEYWORD for p in parameters)

    @functools.wraps(function)
    def call(*args: P.args, **options: P.kwargs) -> R:
        if len(args) > most:
            refuse_positional(name, args[int(most)], by_keyword_only or keywords)
        if not (any_keyword or allowed.issuperset(options)):
            refuse_keywords(name, {k: v for k, v in options.items() if k not in allowed}, keywords)
        return function(*args, **options)

    call.public_name = name  # type: ignore[attr-defined]  # a method of this function has the same name in errors
    return call


@dataclass(frozen=True, kw_only=True)
class CountOptions:
    """Which columns are counted, and how; `count_options` checks the values.

    Attributes
    ----------
    hypothesis : label, list of labels, or None
        None for "hypothesis". A list, with a column for each system, only in functions that compare.
    references : label, list of labels, or None
        None for "references".
    max_order : int or None
        1 to 8; None if the caller passed none.
    errors : {"raise", "coerce"}
    threads : int
    components : bool
        Read the components columns even if there are token columns.
    """

    hypothesis: Any = None
    references: Any = None
    max_order: int | None = None
    errors: Errors = "raise"
    threads: int = 1
    components: bool = False

    @property
    def order(self) -> int:
        """The largest n-gram length to count."""
        return DEFAULT_ORDER if self.max_order is None else self.max_order

    @property
    def coerce(self) -> bool:
        """Whether rows that cannot be read become missing."""
        return self.errors == "coerce"


def count_options(
    *,
    hypothesis: Any = None,
    references: Any = None,
    max_order: object = None,
    errors: object = "raise",
    threads: object = None,
    components: object = False,
) -> CountOptions:
    """Check the options of counting.

    Examples
    --------
    >>> count_options(max_order=2, threads=1)
    CountOptions(hypothesis=None, references=None, max_order=2, errors='raise', threads=1, components=False)
    """
    return CountOptions(
        hypothesis=hypothesis,
        references=references,
        max_order=None if max_order is None else check_order(max_order),
        errors=check_errors(errors),
        threads=check_threads(threads),
        components=check_flag("components", components),
    )


# ---- Checks of single values ----


def check_order(value: object, name: str = "max_order") -> int:
    """Return an n-gram length as int; raise TypeError or ValueError if it is not a whole number from 1 to 8."""
    message = f"{name} is a whole number from 1 to {MAX_ORDER}, not {short_repr(value)}"
    if isinstance(value, bool | np.bool_) or not isinstance(value, numbers.Integral):
        raise TypeError(message)
    order = int(value)
    if not 1 <= order <= MAX_ORDER:
        raise ValueError(message)
    return order


def check_errors(value: object) -> Errors:
    """Return errors= if it is "raise" or "coerce"; raise ValueError otherwise."""
    if isinstance(value, str) and value in ("raise", "coerce"):
        return "raise" if value == "raise" else "coerce"
    refuse_choice("errors", value, ["raise", "coerce"])


def check_threads(value: object) -> int:
    """Return the number of threads; None means the CPUs that the process may use, at most 4."""
    if value is None:
        return default_threads()
    expected = "threads is a whole number of at least 1, or None for the CPUs there are"
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise TypeError(f"{expected}, not {short_repr(value)}")
    if value < 1:
        raise ValueError(f"{expected}, not {value}")
    return int(value)


def default_threads() -> int:
    """Return the number of CPUs that this process may use, at most 4."""
    if hasattr(os, "process_cpu_count"):  # Python 3.13
        available = os.process_cpu_count()
    elif hasattr(os, "sched_getaffinity"):
        available = len(os.sched_getaffinity(0))
    else:
        available = os.cpu_count()
    return min(available or 1, MOST_DEFAULT_THREADS)


def check_flag(name: str, value: object) -> bool:
    """Return True or False; raise TypeError for anything else."""
    if not isinstance(value, bool | np.bool_):
        raise TypeError(f"{name} is True or False, not {short_repr(value)}")
    return bool(value)


def check_choice(name: str, value: object, allowed: Collection[str]) -> str:
    """Return one of the allowed values; raise ValueError for any other."""
    if isinstance(value, str) and value in allowed:
        return value
    refuse_choice(name, value, allowed)


def check_whole_number(name: str, value: object, lowest: int) -> int:
    """Return a whole number of at least `lowest`; raise TypeError or ValueError otherwise."""
    message = f"{name} is a whole number of at least {lowest}, not {short_repr(value)}"
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise TypeError(message)
    if value < lowest:
        raise ValueError(message)
    return int(value)


def check_proportion(name: str, value: object, example: str) -> float:
    """Return a number between 0 and 1, both excluded; raise TypeError or ValueError otherwise."""
    message = f"{name} is a number between 0 and 1, such as {example}, not {short_repr(value)}"
    if isinstance(value, bool | np.bool_) or not isinstance(value, numbers.Real):
        raise TypeError(message)
    number = float(value)
    if not 0 < number < 1:
        raise ValueError(message)
    return number


def check_number(name: str, value: object, expected: str, lowest: float = 0.0, highest: float = math.inf) -> float:
    """Return a finite number within bounds; `expected` describes it in the error."""
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
