"""What all tests share: the two engines, the awkward frames, and how hypothesis runs."""

import os
from collections.abc import Iterator

import frames
import pandas as pd
import pytest
from awkward import AWKWARD
from built import COMPILED_IS_BUILT, require_compiled
from hypothesis import HealthCheck, settings

import bleupandas
from bleupandas.engine.choice import VARIABLE, get_engine
from bleupandas.viewing.inspector.sentence_inspector import SentenceInspector

# The engine is chosen once for all examples of a test, so a fixture that lives as long as the test is no trap here.
settings.register_profile(
    "bleupandas",
    deadline=None,
    derandomize=bool(os.environ.get("CI")),
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
settings.load_profile("bleupandas")


# Without a compiler the plain engine counts, and its warning would be an error in every test.
if not COMPILED_IS_BUILT and not os.environ.get(VARIABLE) and not os.environ.get("CI"):
    os.environ[VARIABLE] = "python"


@pytest.fixture(params=["compiled", "python"])
def engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Count with each of the engines; skip the compiled one if it was not built, but fail in CI."""
    name = str(request.param)
    if name == "compiled":
        require_compiled()
    monkeypatch.setenv(VARIABLE, name)
    assert get_engine().__name__ == f"bleupandas.engine.{name}"  # type: ignore[attr-defined]
    return name


@pytest.fixture(params=AWKWARD)
def awkward_frame(request: pytest.FixtureRequest) -> frames.Case:
    """Give each of the awkward frames, made anew."""
    return AWKWARD[request.param]()


@pytest.fixture
def example() -> pd.DataFrame:
    """Give the example frame."""
    return bleupandas.load_example()


@pytest.fixture
def inspector(example: pd.DataFrame) -> Iterator[SentenceInspector]:
    """Give an inspector of the example frame."""
    made = bleupandas.inspect(example)
    yield made
    made.close()
