"""What show_versions() prints for a bug report, and what it leaves out."""

import importlib
import importlib.metadata
import json
import platform
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

from bleupandas.engine.show_versions import show_versions

module = importlib.import_module("bleupandas.engine.show_versions")  # the name is also that of a function
NAMES = ["bleupandas", "python", "pandas", "numpy", "pyarrow", "ipywidgets", "sacrebleu", "tqdm", "engine", "threads"]


@pytest.fixture(autouse=True)
def counting(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    monkeypatch.setattr(module, "engine_name", lambda: "compiled")
    monkeypatch.setattr(module, "default_threads", lambda: 3)
    return monkeypatch


def test_it_prints_a_line_per_fact(capsys: pytest.CaptureFixture[str]) -> None:
    show_versions()
    head, rule, *lines = capsys.readouterr().out.splitlines()
    assert head == "INSTALLED VERSIONS"
    assert rule == "-" * len(head)
    assert [line[:13].rstrip(" :") for line in lines] == NAMES
    assert lines[1] == f"python     : {platform.python_version()}"
    assert lines[2] == f"pandas     : {importlib.metadata.version('pandas')}"
    assert lines[-2:] == ["engine     : compiled", "threads    : 3"]


def test_json_says_the_same(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    show_versions(as_json=True)
    printed = capsys.readouterr().out
    facts = json.loads(printed)
    assert list(facts) == NAMES
    assert facts["numpy"] == importlib.metadata.version("numpy")
    assert facts["engine"] == "compiled"
    assert facts["threads"] == 3
    show_versions(as_json=str(tmp_path / "versions.json"))
    assert capsys.readouterr().out == ""
    assert (tmp_path / "versions.json").read_text(encoding="utf-8") == printed


def test_a_package_that_is_not_installed(counting: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def version(name: str) -> str:
        if name == "tqdm":
            raise importlib.metadata.PackageNotFoundError(name)
        return "1.0"

    counting.setattr(importlib.metadata, "version", version)
    show_versions()
    assert "tqdm       : None\n" in capsys.readouterr().out
    show_versions(as_json=True)
    facts = json.loads(capsys.readouterr().out)
    assert facts["tqdm"] is None
    assert facts["sacrebleu"] == "1.0"


def test_an_engine_that_does_not_load_is_reported(
    counting: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def name() -> str:
        raise ImportError("a stale build")

    counting.setattr(module, "engine_name", name)
    show_versions()
    assert capsys.readouterr().out.endswith("engine     : fails with ImportError\nthreads    : None\n")


def test_the_real_engine_and_no_path() -> None:
    program = (
        "import sys; from bleupandas.engine.show_versions import show_versions; show_versions();"
        "print(sorted({'sacrebleu', 'tqdm'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    *lines, loaded = done.stdout.splitlines()
    assert loaded == "[]"  # versions are read without importing
    assert re.fullmatch(r"engine     : (compiled|python)", lines[-2])
    assert re.fullmatch(r"threads    : [1-9][0-9]*", lines[-1])
    text = "\n".join(lines)
    assert "/" not in text
    assert "\\" not in text


def test_the_lowest_versions_are_the_lower_bounds() -> None:
    """What is installed as the lowest is what pyproject.toml promises; tools of tests and docs are not promised."""
    root = Path(__file__).parents[2]
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = [texts for name, texts in project["optional-dependencies"].items() if name not in ("docs", "test")]
    pinned = (root / "tests" / "lowest_versions.txt").read_text(encoding="utf-8").splitlines()
    assert bounds(line for line in pinned if not line.startswith("#")) == bounds(
        [*project["dependencies"], *(text for texts in extras for text in texts)]
    )


def bounds(texts: Iterable[str]) -> dict[str, Version]:
    requirements = map(Requirement, texts)
    return {one.name: Version(specifier.version) for one in requirements for specifier in one.specifier}
