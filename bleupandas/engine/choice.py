"""The choice of the engine: the compiled one if it was built, otherwise the plain Python one."""

import functools
import importlib
import os
import warnings
from typing import cast

from bleupandas.engine.interface import INTERFACE, Engine

VARIABLE = "BLEUPANDAS_ENGINE"


def _load(name: str) -> Engine:
    engine = importlib.import_module(f"bleupandas.engine.{name}")
    if engine.INTERFACE != INTERFACE:
        raise ImportError(
            f"the compiled engine of bleupandas is of another version (interface {engine.INTERFACE}, "
            f"expected {INTERFACE}): rebuild it with pip install --no-cache-dir --force-reinstall bleupandas"
        )
    return cast("Engine", engine)


@functools.cache
def _choose(name: str | None) -> tuple[str, Engine]:
    if name not in (None, "", "compiled", "python"):
        raise ValueError(f"the environment variable {VARIABLE} is 'compiled' or 'python', not {name!r}")
    if name == "python":
        return "python", _load("python")
    try:
        return "compiled", _load("compiled")
    except ModuleNotFoundError as error:
        if name == "compiled":
            raise ImportError(
                f"{VARIABLE}=compiled, but the compiled engine was not built: install bleupandas where a C compiler "
                "is (pip install --no-cache-dir --force-reinstall bleupandas)"
            ) from error
        return "fallback", _load("python")


def engine_name() -> str:
    """Return the name of the engine that counts, "compiled" or "python", without a warning."""
    return "compiled" if _choose(os.environ.get(VARIABLE))[0] == "compiled" else "python"


def get_engine() -> Engine:
    """Return the engine that counts; warn once in a process if the compiled one is missing."""
    chosen, engine = _choose(os.environ.get(VARIABLE))
    if chosen == "fallback":
        _warn_once()
    return engine


@functools.cache
def _warn_once() -> None:
    warnings.warn(
        "bleupandas counts with its plain Python engine, about 30 times slower: the compiled one was not built at "
        "install, where no C compiler was found. Install one and run pip install --no-cache-dir --force-reinstall "
        f"bleupandas; {VARIABLE}=python silences this.",
        RuntimeWarning,
        stacklevel=2,
    )
