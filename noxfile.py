"""The tests on every CPython that is found, and with the lowest versions that are supported: run nox."""

import os

import nox

nox.options.error_on_missing_interpreters = os.environ.get("CI") == "true"

# The lower bounds of pyproject.toml.
LOWEST = [
    "pandas==2.3.0", "numpy==1.26.4", "pyarrow==16.0.0", "ipywidgets==8.1.5", "anywidget==0.9.13", "sacrebleu==2.4.0",
    "tqdm==4.66.1", "click==8.1.3", "jsonschema-rs==0.46.0",
]  # fmt: skip
PYTEST = ["python", "-m", "pytest", "-q"]


@nox.session(python=["3.11", "3.12", "3.13", "3.14"])
def newest(session: nox.Session) -> None:
    """Run everything with the newest versions."""
    session.install("--no-cache-dir", ".[test]")
    session.run(*PYTEST, *session.posargs, env={"BLEUPANDAS_ENGINE": "compiled"})


@nox.session(python="3.11")
def lowest(session: nox.Session) -> None:
    """Run the tests with the lowest versions; stored outputs of notebooks and docstrings are those of the newest."""
    session.install("--no-cache-dir", ".[test]", *LOWEST)
    options = ["-o", "addopts=--strict-markers", "-m", "not slow", "tests"]
    session.run(*PYTEST, *options, *session.posargs, env={"BLEUPANDAS_ENGINE": "compiled"})
