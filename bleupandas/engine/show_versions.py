"""show_versions(): the versions that a bug report needs."""

import json
import platform
from pathlib import Path

from bleupandas.common import default_threads
from bleupandas.engine.choice import engine_name

PACKAGES = ("bleupandas", "pandas", "numpy", "pyarrow", "ipywidgets", "sacrebleu", "tqdm")


def show_versions(as_json: str | bool = False) -> None:
    """Print the versions of bleupandas and of what it works with, for bug reports.

    Also print the counting engine ("compiled" or "python") and the default number of threads. Paths and names of the
    machine or the user are not printed.

    Parameters
    ----------
    as_json : str or bool, default False
        As in `pandas.show_versions`: True prints JSON; a str is the path of a file that JSON is written to.

    Examples
    --------
    >>> from bleupandas import show_versions
    >>> show_versions()  # doctest: +ELLIPSIS
    INSTALLED VERSIONS
    ------------------
    bleupandas : ...
    """
    facts = _facts()
    if as_json:
        text = json.dumps(facts, indent=2)
        if isinstance(as_json, str):
            Path(as_json).write_text(text + "\n", encoding="utf-8")
        else:
            print(text)
        return
    print("INSTALLED VERSIONS")
    print("------------------")
    width = max(map(len, facts))
    for name, value in facts.items():
        print(f"{name:<{width}} : {value}")


def _facts() -> dict[str, str | int | None]:
    versions = {name: _version(name) for name in PACKAGES}
    engine, threads = _counting()
    first = {"bleupandas": versions.pop("bleupandas"), "python": platform.python_version()}
    return {**first, **versions, "engine": engine, "threads": threads}


def _version(name: str) -> str | None:
    """Return the version of an installed package without importing it, None if it is not installed."""
    import importlib.metadata  # not at import of the package: it takes longer than the rest of it

    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def _counting() -> tuple[str, int | None]:
    """Return the name of the engine and the number of threads; a broken engine is reported, not raised."""
    try:
        return engine_name(), default_threads()
    except Exception as error:
        return f"fails with {type(error).__name__}", None
