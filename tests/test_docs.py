"""The pages made from docstrings name all that is public."""

import importlib
import inspect
import re
from pathlib import Path

import pytest

import bleupandas
from bleupandas.accessor import BleuPlot

API = Path(__file__).parents[1] / "docs" / "api.md"


@pytest.mark.skipif(not API.exists(), reason="tests of an installed package, without the documentation")
def test_every_public_name_has_its_entry() -> None:
    entries = re.findall(r"^\.\. auto(?:function|class):: (\S+)$", API.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(entries) == len(set(entries))
    public = {entry.removeprefix("bleupandas.") for entry in entries if entry.count(".") == 1}
    assert public == set(bleupandas.__all__)
    plots = {entry.rpartition(".")[2] for entry in entries if ".plots." in entry}
    assert plots == {name for name in vars(BleuPlot) if not name.startswith("_")}


@pytest.mark.skipif(not API.exists(), reason="tests of an installed package, without the documentation")
def test_every_entry_of_a_plot_is_in_the_file_of_its_name() -> None:
    entries = re.findall(r"^\.\. autofunction:: (\S+\.plots\.\S+)$", API.read_text(encoding="utf-8"), re.MULTILINE)
    assert entries
    for entry in entries:
        module, _, name = entry.rpartition(".")
        assert inspect.unwrap(getattr(importlib.import_module(module), name)).__module__ == module
