"""Text in list columns is read as dictionaries only where Parquet stores it as numbers of words."""

from pathlib import Path
from typing import Any

import larger
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import bleupandas
from bleupandas.scaling import parquet_dictionaries
from bleupandas.scaling.parquet_dictionaries import open_parquet

TOKENS = pa.list_(pa.string())
WORDS = pa.list_(pa.dictionary(pa.int32(), pa.string()))
FEW = [["a", "b"] * 500] * 100
MANY = [[f"{row}-{i}" for i in range(1000)] for row in range(100)]


def kinds(path: Path, labels: list[str], row_groups: list[int] | None = None) -> list[pa.DataType]:
    with open_parquet(path, labels, row_groups) as file:
        return [column.type for column in file.read_row_group(0).columns]


def test_only_text_that_is_stored_as_numbers(tmp_path: Path) -> None:
    path = tmp_path / "f.parquet"
    pq.write_table(pa.table({"few": FEW, "many": MANY, "few.2": FEW, "text": ["a"] * 100, "n": [[1]] * 100}), path)
    usual = [TOKENS, TOKENS, TOKENS, pa.string(), pa.list_(pa.int64())]
    assert kinds(path, ["few", "many", "n"]) == [WORDS, *usual[1:]]
    assert kinds(path, ["few.2"]) == [*usual[:2], WORDS, *usual[3:]]
    assert kinds(path, []) == usual


def test_all_row_groups_that_are_read_have_to_be(tmp_path: Path) -> None:
    path = tmp_path / "f.parquet"
    pq.write_table(pa.table({"tokens": FEW + MANY}), path, row_group_size=100)
    assert kinds(path, ["tokens"]) == [TOKENS]
    assert kinds(path, ["tokens"], [0]) == [WORDS]


@pytest.mark.parametrize("option", [{}, {"use_dictionary": False}, {"version": "1.0"}], ids=str)
def test_the_same_rows(tmp_path: Path, option: dict[str, Any]) -> None:
    path = tmp_path / "f.parquet"
    nested = [[["a"], None, []], None, []] * 100
    table = pa.table({"hypothesis": pa.array([["a", "b"] * 50, [], None] * 100), "references": pa.array(nested)})
    pq.write_table(table, path, **option)
    with open_parquet(path, table.column_names) as file:
        assert file.read_row_group(0).to_pylist() == table.to_pylist()


def test_a_scan_counts_dictionaries_and_carries_columns_as_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parquet_dictionaries, "MAX_VALUE_BYTES", 1000)
    frame = larger.arrow_frame().reset_index(drop=True)
    frame.to_parquet(tmp_path / "f.parquet", row_group_size=4)
    scan = bleupandas.scan_parquet(tmp_path)
    larger.same_score(scan.bleu.corpus(), frame.bleu.corpus())
    pd.testing.assert_frame_equal(pd.concat(list(scan.bleu.components())), frame.bleu.components())
    listed = pd.concat(list(scan.bleu.ngrams(id_vars="hypothesis")))
    assert listed["hypothesis"].dtype == frame["hypothesis"].dtype
    with open_parquet(tmp_path / "f.parquet", ["hypothesis"]) as file:
        assert file.schema_arrow.field("hypothesis").type == WORDS
