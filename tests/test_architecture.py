"""docs/architecture.md and CONTRIBUTING.md name files that exist, and the rooms of the package."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = ["docs/architecture.md", "CONTRIBUTING.md"]
pytestmark = pytest.mark.skipif(not (ROOT / "CONTRIBUTING.md").exists(), reason="tests of an installed package")

FILE = re.compile(r"`((?:bleupandas|tests|docs|benchmarks|notebooks|\.ci)/[\w./-]+)`")


def read(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def layers() -> list[str]:
    """Return the rooms of pyproject.toml, from top to bottom."""
    settings = tomllib.loads(read("pyproject.toml"))["tool"]["importlinter"]
    [floors] = [contract for contract in settings["contracts"] if contract["name"] == "floors"]
    return [room for layer in floors["layers"] for room in layer.split(" | ")]


def rooms_in_contributing() -> list[str]:
    """Return the first words of the block under "The rooms"."""
    block = re.search(r"## The rooms\n.*?```text\n(.*?)```", read("CONTRIBUTING.md"), re.DOTALL)
    assert block
    return [line.split()[0] for line in block[1].splitlines()]


@pytest.mark.parametrize("page", PAGES)
def test_every_file_that_a_page_names_exists(page: str) -> None:
    paths = set(FILE.findall(read(page)))
    assert len(paths) > 5
    assert not {path for path in paths if not (ROOT / path).exists()}


def test_the_rooms_are_the_same_in_contributing_pyproject_and_the_package() -> None:
    found = {path.stem for path in (ROOT / "bleupandas").glob("*.py")} - {"__init__"}
    found |= {path.parent.name for path in (ROOT / "bleupandas").glob("*/__init__.py")}
    assert rooms_in_contributing() == layers()
    assert set(layers()) == found


def test_the_picture_shows_every_room() -> None:
    picture = re.search(r"```text\n(.*?)```", read("docs/architecture.md"), re.DOTALL)
    assert picture
    drawn = re.findall(r"\w+", picture[1])
    inside = [room for room in layers() if room not in {"__main__", "accessor", "dask", "polars", "spark", "contracts"}]
    assert [room for room in inside if room in drawn] == inside
    first = [line.split()[1] for line in picture[1].splitlines() if re.match(r" *\| [a-z]+ {2,}", line)]
    assert [word for word in first if word in inside] == inside


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("BleuFrame", "bleupandas/accessor.py"),
        ("BleuPlot", "bleupandas/accessor.py"),
        ("METHODS", "bleupandas/scoring/smoothing.py"),
        ("signature", "bleupandas/scoring/settings.py"),
        ("INTERFACE", "bleupandas/engine/interface.py"),
        ("CHECKS", "bleupandas/auditing/checks.py"),
        ("ANSWERS", "bleupandas/contracts/catalogue.py"),
        ("examples", "tests/strategies.py"),
    ],
)
def test_names_are_where_contributing_says(name: str, path: str) -> None:
    page = read("CONTRIBUTING.md")
    assert path in page
    assert re.search(rf"\b{name}\b", page)
    assert re.search(rf"^(?:class |def )?{name}\b", read(path), re.MULTILINE)
