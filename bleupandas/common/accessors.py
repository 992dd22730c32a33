"""Functions of a frame as methods of accessors, and for other engines, with the same keywords everywhere."""

import functools
import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Concatenate, Never, ParamSpec, Protocol, Self, TypeVar

import pandas as pd

from bleupandas.common.messages import refuse_keywords, refuse_positional
from bleupandas.common.options import public

P = ParamSpec("P")
R = TypeVar("R")


class Bound(Protocol):
    """A frame with keywords that are filled in."""

    _bound: dict[str, Any]

    @property
    def _frame(self) -> Any: ...


def as_method(function: Callable[Concatenate[Any, P], R]) -> Callable[Concatenate[Bound, P], R]:
    """Return a method with the keywords and the documentation of a function of a frame; it fills bound keywords in."""
    accepted = inspect.signature(function).parameters
    _, *others = accepted.values()

    @functools.wraps(function)
    def method(self: Bound, /, *args: P.args, **keywords: P.kwargs) -> R:
        bound = {name: value for name, value in self._bound.items() if name in accepted}
        options: Any = {**bound, **keywords}
        return function(self._frame, *args, **options)

    itself = inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)
    method.__signature__ = inspect.Signature([itself, *others])  # type: ignore[attr-defined]
    return public(method)


def like(
    function: Callable[..., Any], *, without: tuple[str, ...] = (), **defaults: Any
) -> Callable[[Callable[..., R]], Callable[..., R]]:
    """Return a decorator: a function of another engine gets the keywords of the pandas function.

    The decorated function receives all keywords, with defaults filled in.

    Parameters
    ----------
    function : callable
        The function of a pandas frame.
    without : tuple of str
        Keywords that the other engine does not have.
    **defaults
        Keywords of the other engine alone, or with another default there.
    """
    ours = [p for p in inspect.signature(function).parameters.values() if p.kind is inspect.Parameter.KEYWORD_ONLY]
    keywords = {p.name: p.default for p in ours if p.name not in without} | defaults

    def decorated(work: Callable[..., R]) -> Callable[..., R]:
        @functools.wraps(work)
        def call(frame: Any, /, **options: Any) -> R:
            return work(frame, **{**keywords, **options})

        frame = inspect.Parameter("frame", inspect.Parameter.POSITIONAL_ONLY)
        kind = inspect.Parameter.KEYWORD_ONLY
        others = [inspect.Parameter(name, kind, default=default) for name, default in keywords.items()]
        call.__signature__ = inspect.Signature([frame, *others])  # type: ignore[attr-defined]
        return public(call)

    return decorated


class PartialAccessor:
    """An accessor that lacks some methods of pandas frames; the error for a missing one lists those it has."""

    _frame: Any

    if not TYPE_CHECKING:  # a type checker must see that a method is missing

        def __getattr__(self, name: str) -> Never:
            ours = vars(type(self))
            if name.startswith("_") or not hasattr(pd.DataFrame.bleu, name):
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self)
            kind = type(self._frame)
            there = ", ".join(sorted(method for method in ours if not method.startswith("_")))
            raise AttributeError(
                f".bleu of a {kind.__module__.partition('.')[0]} {kind.__name__} has no {name}; it has {there}. A "
                f"pandas DataFrame of segments has it: df.bleu.{name}"
            )


class FrameAccessor(PartialAccessor):
    """The accessor of another engine's frame, and the keywords bound to it; ``frame.bleu(...)`` binds more."""

    bindable: tuple[str, ...] = ("hypothesis", "references", "max_order", "errors", "threads", "components")

    def __init__(self, frame: Any) -> None:
        self._frame = frame
        self._bound: dict[str, Any] = {}

    def __call__(self, *args: Never, **options: Any) -> Self:
        """Bind column labels, max_order, errors, threads or components; a method can still override them."""
        if args:
            refuse_positional("frame.bleu", args[0], self.bindable)
        unknown = {name: value for name, value in options.items() if name not in self.bindable}
        refuse_keywords("frame.bleu", unknown, self.bindable)
        bound = type(self)(self._frame)
        bound._bound = {**self._bound, **options}
        return bound

    def __repr__(self) -> str:
        """Return the bound keywords and the type of the frame."""
        bound = ", ".join(f"{name}={value!r}" for name, value in self._bound.items())
        return f"<bleu({bound}) of a {type(self._frame).__name__}>"
