"""The tests on every CPython that is found, and with the lowest versions that are supported: run nox."""

import os

import nox

nox.options.error_on_missing_interpreters = os.environ.get("CI") == "true"

# Pytest finds the package in the folder that it runs in, so the kernel has to be built there: hence -e.
PACKAGE = ["--no-cache-dir", "-e", ".[test]"]
PYTEST = ["python", "-m", "pytest", "-q"]
COMPILED = {"BLEUPANDAS_ENGINE": "compiled"}


@nox.session(python=["3.11", "3.12", "3.13", "3.14"])
def newest(session: nox.Session) -> None:
    """Run everything with the newest versions."""
    session.install(*PACKAGE)
    session.run(*PYTEST, *session.posargs, env=COMPILED)


@nox.session(python="3.11")
def lowest(session: nox.Session) -> None:
    """Run the tests with the lowest versions; stored outputs of notebooks and docstrings are those of the newest."""
    session.install("-c", "tests/lowest_versions.txt", *PACKAGE)
    options = ["-o", "addopts=--strict-markers --import-mode=importlib", "-m", "not (slow or browser)", "tests"]
    session.run(*PYTEST, *options, *session.posargs, env=COMPILED)
