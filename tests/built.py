"""Whether the compiled engine was built, and whether a compiler can build it."""

import importlib.util
import os
import shutil

import pytest

COMPILED_IS_BUILT = importlib.util.find_spec("bleupandas.engine.compiled") is not None


def require_compiled() -> None:
    """Skip the test if the compiled engine was not built; in CI it has to be there."""
    if not COMPILED_IS_BUILT and not os.environ.get("CI"):
        pytest.skip("the compiled engine was not built: no C compiler was found at install")


def require_compiler() -> None:
    """Skip the test if there is no C compiler; in CI there has to be one."""
    if not any(map(shutil.which, (os.environ.get("CC", "cc").split()[0], "gcc", "clang"))) and not os.environ.get("CI"):
        pytest.skip("this test builds the compiled engine, and no C compiler was found")
