"""Writing results: every format holds the same, what a format cannot hold is refused, no file appears half."""

import contextlib
import gzip
import json
from pathlib import Path

import frames
import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

import bleupandas
from bleupandas.contracts.errors import ContractError
from bleupandas.contracts.row_writer import RowWriter, open_output


def written(path: Path, parts: list[pd.DataFrame], kind: str | None = None) -> bytes:
    with open_output(str(path)) as stream, contextlib.closing(RowWriter(stream, str(path), kind)) as sink:
        for part in parts:
            sink.write(part)
    return path.read_bytes()


PARTS = [
    pd.DataFrame({"n": pd.array([1, None], "Int64"), "x": [0.1, np.nan], "text": ['é"', "a,b"]}),
    pd.DataFrame({"n": pd.array([3], "Int64"), "x": [1 / 3], "text": [None]}),
]


def test_every_format_holds_the_same(tmp_path: Path) -> None:
    csv_text = 'n,x,text\n1,0.1,"é"""\n,,"a,b"\n3,0.3333333333333333,\n'
    assert written(tmp_path / "a.csv", PARTS).decode() == csv_text
    assert gzip.decompress(written(tmp_path / "a.csv.gz", PARTS)).decode() == csv_text
    assert written(tmp_path / "a.tsv", PARTS).decode().splitlines()[2] == "\t\ta,b"
    rows = [json.loads(line) for line in written(tmp_path / "a.jsonl", PARTS).decode().splitlines()]
    assert rows == [
        {"n": 1, "x": 0.1, "text": 'é"'},
        {"n": None, "x": None, "text": "a,b"},
        {"n": 3, "x": 1 / 3, "text": None},
    ]
    written(tmp_path / "a.parquet", PARTS)
    table = pq.read_table(tmp_path / "a.parquet")
    assert table.column("n").to_pylist() == [1, None, 3]
    assert table.column("text").to_pylist() == ['é"', "a,b", None]


def test_lists_go_to_jsonl_and_parquet_only(tmp_path: Path) -> None:
    df = pd.DataFrame({"hypothesis": [["the", "cat"]], "references": [[["the", "cat"]]]})
    found = bleupandas.ngrams(df, ngram="list", id_vars=["references"])
    rows = [json.loads(line) for line in written(tmp_path / "n.jsonl", [found]).decode().splitlines()]
    assert rows[0]["ngram"] == ["the"]
    assert rows[0]["references"] == [["the", "cat"]]
    written(tmp_path / "n.parquet", [found])
    assert pq.read_table(tmp_path / "n.parquet").column("ngram").to_pylist()[0] == ["the"]
    with pytest.raises(ContractError) as error:
        written(tmp_path / "n.csv", [found[["ngram"]]])
    assert error.value.message == 'the column "ngram" holds lists, which CSV cannot hold; write .jsonl or .parquet'
    assert not (tmp_path / "n.csv").exists()
    assert not list(tmp_path.glob("*.part"))


def test_carried_columns_of_several_types_do_not_go_to_parquet(tmp_path: Path) -> None:
    parts = [pd.DataFrame({"id": frames.cells([1])}), pd.DataFrame({"id": frames.cells(["a"])})]
    with pytest.raises(ContractError, match=r"^a column of --keep holds values of several types \("):
        written(tmp_path / "a.parquet", parts)
    assert not list(tmp_path.iterdir())


def test_a_failure_leaves_the_old_file(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("old")
    with contextlib.suppress(ZeroDivisionError), open_output(str(tmp_path / "a.csv")) as stream:
        stream.write(b"new")
        raise ZeroDivisionError
    assert (tmp_path / "a.csv").read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["a.csv"]


@pytest.mark.parametrize("kind", ["csv", "jsonl"])
def test_a_lone_surrogate_cannot_be_written_to_csv(tmp_path: Path, kind: str) -> None:
    with pytest.raises(ContractError, match=r"^a text of the output holds a lone surrogate, which UTF-8 cannot encode"):
        written(tmp_path / f"a.{kind}", [pd.DataFrame({"id": frames.cells(["\ud800"])})])
