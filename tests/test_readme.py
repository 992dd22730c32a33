"""What the README and docs/scale_out.md tell a reader to write runs as it stands there."""

import contextlib
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import bleupandas
from bleupandas.contracts.command_line import main
from bleupandas.contracts.execute import execute_json

FOLDER = Path(__file__).parents[1]
README, SCALE_OUT = FOLDER / "README.md", FOLDER / "docs" / "scale_out.md"
pytestmark = pytest.mark.skipif(not README.exists(), reason="tests of an installed package, without the README")

PYTHON = re.compile(r"```python\n(.*?)```", re.DOTALL)
CALL = re.compile(r"`((?:df\.bleu|bleupandas)\.[^`]*\))`")
ROWS = [("The cat sat.", "The cat sat.", "A cat sat."), ("A dog barks.", "The dog barks.", None)]


def calls() -> list[str]:
    text = README.read_text(encoding="utf-8") if README.exists() else ""
    return [call for call in CALL.findall(text) if "..." not in call]


def blocks(path: Path) -> list[str]:
    return PYTHON.findall(path.read_text(encoding="utf-8")) if path.exists() else []


@pytest.fixture
def names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Any]]:
    """The names that calls use; the files that they name are in the working directory."""
    monkeypatch.chdir(tmp_path)
    pyplot = pytest.importorskip("matplotlib.pyplot")
    pyplot.switch_backend("agg")
    df = bleupandas.load_example()
    table = pa.Table.from_pandas(df, preserve_index=False).replace_schema_metadata()
    (tmp_path / "translations").mkdir()
    for path in ("mt.parquet", "translations/mt.parquet"):
        pq.write_table(table, path)
    pd.DataFrame(ROWS, columns=["mt", "ref1", "ref2"]).assign(system="A").to_csv("mt.csv", index=False)
    for name, texts in zip(("out.txt", "ref.1.txt", "ref.2.txt"), zip(*ROWS, strict=True), strict=True):
        Path(name).write_text("".join(f"{text or ''}\n" for text in texts))
    one = df[df["system"] == "direct"]
    df = df.assign(mt_a=df["hypothesis"], mt_b=df["hypothesis"].map(lambda cell: cell[:-1]))
    yield {"bleupandas": bleupandas, "df": df, "old": one, "new": one}
    pyplot.close("all")


def test_the_example_prints_what_stands_below_it() -> None:
    text = README.read_text(encoding="utf-8")
    found = re.search(r"## Use\n\n```python\n(.*?)```\n\n```text\n(.*?)```", text, re.DOTALL)
    assert found
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(found[1], {})
    assert printed.getvalue() == found[2]


@pytest.mark.parametrize("call", calls())
def test_every_call_runs(call: str, names: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    eval(call, names)


def test_there_are_calls() -> None:
    assert len(calls()) > 20
    assert 'df.bleu.buckets("reference_length")' in calls()


@pytest.mark.parametrize("block", blocks(README)[1:])
def test_every_block_runs(block: str, names: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    exec(block, names)


def test_a_csv_of_text_gives_the_same_by_pandas_and_by_the_command(
    names: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    [block] = [block for block in blocks(README) if "read_csv" in block]
    exec(block, names)
    first, second = ["The", "cat", "sat", "."], ["A", "dog", "barks", "."]
    expected = bleupandas.corpus(
        pd.DataFrame({
            "hypothesis": [first, second],
            "references": [[first, ["A", "cat", "sat", "."]], [["The", "dog", "barks", "."]]],
        })
    )  # fmt: skip
    assert names["mt"].corpus() == expected
    [command] = re.findall(r"`bleupandas (corpus mt\.csv [^`]*)`", README.read_text(encoding="utf-8"))
    with pytest.raises(SystemExit):
        main([*command.split(), "--output", "scores.jsonl"])
    [row] = [json.loads(line) for line in Path("scores.jsonl").read_text().splitlines()]
    assert (row["system"], row["score"], row["segments"]) == ("A", expected.score, 2)


def test_the_published_tool_takes_the_input_that_is_shown() -> None:
    expected = (2 / 3 * 1 / 2 * 0.1 * 0.1) ** 0.25  # as NLTK's method1 counts an order without n-grams
    [body] = re.findall(r"echo '(.*)' > input\.json", README.read_text(encoding="utf-8"))
    assert json.loads(execute_json("bleu_score", "1.0.0", body))["output"] == pytest.approx(expected, abs=1e-12)


@pytest.mark.filterwarnings("ignore:The inplace keyword")  # Dask's own
@pytest.mark.parametrize("block", [block for block in blocks(SCALE_OUT) if "spark" not in block])
def test_scaling_out_runs_as_written(block: str, names: dict[str, Any]) -> None:
    pytest.importorskip("dask")
    pytest.importorskip("polars")
    exec(block, {})
