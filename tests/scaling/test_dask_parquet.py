"""Dask reads Parquet files that are only counted as dictionaries, and leaves other frames unchanged."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import dask.dataframe as dd
import larger
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import bleupandas.dask
from bleupandas.scaling import parquet_dictionaries
from bleupandas.scaling.dask_parquet import DictionaryEngine, read_token_dictionaries

ARROW: dict[str, Any] = {"dtype_backend": "pyarrow"}

# Dask's own
pytestmark = pytest.mark.filterwarnings("ignore:The inplace keyword in DataFrame.reset_index:DeprecationWarning")


@pytest.fixture
def frame() -> Any:
    return larger.arrow_frame().reset_index(drop=True)


@pytest.fixture
def folder(tmp_path: Path, frame: Any, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(parquet_dictionaries, "MAX_VALUE_BYTES", 1000)
    table = pa.Table.from_pandas(frame, preserve_index=False).replace_schema_metadata()
    pq.write_table(table[:8], tmp_path / "0.parquet", row_group_size=4)
    pq.write_table(table[8:], tmp_path / "1.parquet", row_group_size=4)
    return tmp_path


def token_kind(ddf: Any, seen: Any = ()) -> Any:
    """The Arrow type of the tokens of the hypothesis, as a partition has it."""
    read = read_token_dictionaries(ddf, seen)
    kind = read.partitions[0].compute(scheduler="sync")["hypothesis"].dtype
    return kind.pyarrow_dtype.value_type if isinstance(kind, pd.ArrowDtype) else kind


@pytest.mark.parametrize("split", [True, 2, False, "infer"])
def test_the_same_numbers(folder: Path, frame: Any, split: Any) -> None:
    ddf = dd.read_parquet(folder, **ARROW, split_row_groups=split)
    assert pa.types.is_dictionary(token_kind(ddf))
    found = ddf.bleu.components().compute(scheduler="sync").reset_index(drop=True)
    pd.testing.assert_frame_equal(found, frame.bleu.components())
    groups = ddf[["system", "references", "hypothesis"]].bleu.corpus(by="system").compute(scheduler="threads")
    pd.testing.assert_frame_equal(groups, frame.bleu.corpus(by="system"), check_index_type=False)
    rows = ddf.bleu.ngrams(ngram="list").compute(scheduler="sync")
    assert rows["ngram"].tolist() == frame.bleu.ngrams(ngram="list")["ngram"].tolist()


def test_columns_that_are_carried_keep_their_types(folder: Path) -> None:
    ddf = dd.read_parquet(folder, **ARROW)
    assert token_kind(ddf, ["hypothesis"]) == pa.string()
    kinds = ddf.bleu.ngrams(id_vars=["system", "hypothesis"]).compute(scheduler="sync").dtypes
    assert kinds[["system", "hypothesis"]].equals(ddf.dtypes[["system", "hypothesis"]])


def test_whatever_else_is_asked_of_dask_stays(folder: Path) -> None:
    ddf = dd.read_parquet(folder, **ARROW)
    others = {
        "rows left out": ddf[ddf["number"] > 3],
        "filters": dd.read_parquet(folder, **ARROW, filters=[("number", ">", 3)]),
        "Arrow's files": dd.read_parquet(folder, **ARROW, filesystem="arrow"),
        "an option": dd.read_parquet(folder, **ARROW, arrow_to_pandas={"split_blocks": True}),
        "an engine": dd.read_parquet(folder, **ARROW, engine=DictionaryEngine.__base__),
        "Python's lists": dd.read_parquet(folder),
        "no file": dd.from_pandas(ddf.compute(scheduler="sync"), npartitions=2),
    }
    for name, other in others.items():
        assert read_token_dictionaries(other, ()) is other, name


def test_files_of_hive_partitions(folder: Path, frame: Any) -> None:
    table = pq.read_table(folder / "0.parquet")
    pq.write_to_dataset(table, folder / "hive", partition_cols=["system"])
    ddf = dd.read_parquet(folder / "hive", **ARROW)
    groups = bleupandas.dask.corpus(ddf, by="system").compute(scheduler="sync")
    assert groups["score"].tolist() == frame[:8].bleu.corpus(by="system")["score"].tolist()


def test_without_the_inner_names_of_dask_files_are_read_as_dask_reads_them(folder: Path, frame: Any) -> None:
    code = (
        "import sys; sys.modules['bleupandas.scaling.dask_parquet'] = None\n"
        "import dask.dataframe as dd, bleupandas.dask\n"
        f"ddf = dd.read_parquet({str(folder)!r}, dtype_backend='pyarrow')\n"
        "print(ddf.bleu.corpus().compute(scheduler='sync').score)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert float(done.stdout) == frame.bleu.corpus().score
