"""Sums of counts that do not fit int64 are errors that name the column; the largest sum that fits is right."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import dask.dataframe as dd
import numpy as np
import pandas as pd
import polars as pl
import pytest

import bleupandas
import bleupandas.dask
import bleupandas.polars
from bleupandas.contracts import row_reader
from bleupandas.contracts.command_line import main

LENGTHS = ["candidate_length", "reference_length", "matches_1", "totals_1"]
LIMIT = r"the rows add up to more than 2\*\*63 - 1"
FIRST = rf"components column 'candidate_length'(, group .*)?: {LIMIT}"
HALF = 2**62  # two of them are 2**63, four 2**64, which wraps around to 0

Call = Callable[[pd.DataFrame], Any]


def counts(numbers: list[int], **more: Any) -> Any:
    return pd.DataFrame(dict.fromkeys(LENGTHS, numbers) | more)


def in_dask(df: pd.DataFrame, **options: Any) -> Any:
    return dd.from_pandas(df, npartitions=len(df)).bleu.corpus(max_order=1, **options).compute(scheduler="sync")


CALLS: dict[str, Call] = {
    "corpus": lambda df: df.bleu.corpus(max_order=1),
    "groups": lambda df: df.bleu.corpus(by="system", max_order=1),
    "nullable": lambda df: df.convert_dtypes().bleu.corpus(by="system", max_order=1, errors="coerce"),
    "buckets": lambda df: df.bleu.buckets(of="system", max_order=1),
    "influence": lambda df: df.bleu.influence(max_order=1),
    "waterfall": lambda df: df.bleu.waterfall(max_order=1),
    "plot.waterfall": lambda df: df.bleu.plot.waterfall(max_order=1),  # type: ignore[attr-defined]
    "dask": in_dask,
    "dask by": lambda df: in_dask(df, by="system"),
    "polars": lambda df: pl.from_pandas(df).bleu.corpus(max_order=1),  # type: ignore[attr-defined]
    "polars by": lambda df: pl.from_pandas(df).bleu.corpus(by="system", max_order=1),  # type: ignore[attr-defined]
    "lazy": lambda df: pl.from_pandas(df).lazy().bleu.corpus(max_order=1),  # type: ignore[attr-defined]
    "lazy by": lambda df: pl.from_pandas(df).lazy().bleu.corpus(by="system", max_order=1).collect(),  # type: ignore[attr-defined]
}


@pytest.mark.parametrize("number", [2, 4, 5])
@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_sum_that_does_not_fit_is_refused(call: Call, number: int) -> None:
    with pytest.raises((ValueError, pl.exceptions.ComputeError), match=FIRST):
        call(counts([HALF] * number, system="x"))


def test_errors_of_polars_are_errors_of_pandas() -> None:
    with pytest.raises(ValueError, match=FIRST):
        CALLS["polars"](counts([HALF] * 2, system="x"))


@pytest.mark.parametrize("call", [call for name, call in CALLS.items() if name.endswith(("by", "groups", "corpus"))])
@pytest.mark.parametrize("column", ["segments", "segments_missing"])
def test_numbers_of_segments_are_refused_too(call: Call, column: str) -> None:
    frame = counts([3, 3], system="x", **{"segments": [1, 1], "segments_missing": [0, 0], column: [HALF, HALF]})
    with pytest.raises((ValueError, pl.exceptions.ComputeError), match=rf"components column '{column}'.*: {LIMIT}"):
        call(frame)


@pytest.mark.parametrize("name", ["corpus", "dask", "polars", "lazy"])
def test_the_largest_sum_that_fits_is_right(name: str) -> None:
    found = CALLS[name](counts([HALF, HALF - 1], system="x"))
    assert (found.candidate_length, found.totals, found.score) == (2**63 - 1, (2**63 - 1,), 1.0)


@pytest.mark.parametrize("name", ["groups", "nullable", "dask by", "polars by", "lazy by"])
def test_each_group_may_have_the_largest_sum(name: str) -> None:
    found = CALLS[name](counts([HALF, HALF, HALF - 1, HALF - 1], system=["x", "y", "x", "y"]))
    assert list(found["candidate_length"]) == [2**63 - 1] * 2
    assert list(found["score"]) == [1.0, 1.0]


def test_the_group_is_named() -> None:
    frame = counts([1, HALF, HALF], system=["x", "y", "y"])
    with pytest.raises(ValueError, match=rf"^components column 'candidate_length', group 'y': {LIMIT}, the largest"):
        frame.bleu.corpus(by="system", max_order=1)


def test_the_sum_of_groups_is_refused() -> None:
    frame = counts([HALF, HALF], system=["x", "y"])
    assert frame.bleu.corpus(by="system", max_order=1)["score"].tolist() == [1.0, 1.0]
    with pytest.raises(ValueError, match=FIRST):
        frame.bleu.corpus(by="system", max_order=1, margins=True)


def test_a_series_of_the_largest_sum_is_one_row() -> None:
    assert counts([2**63 - 1]).iloc[0].bleu.corpus(max_order=1).candidate_length == 2**63 - 1


@pytest.mark.parametrize("method", ["bootstrap", "randomization"])
def test_compare_refuses_sums(method: str) -> None:
    frame = counts([HALF] * 4, system=["a", "a", "b", "b"], id=[1, 2, 1, 2])
    for call in ({}, {"by": np.zeros(4, np.int64)}):
        with pytest.raises(ValueError, match=FIRST):
            frame.bleu.compare(system="system", id="id", max_order=1, n_resamples=10, method=method, **call)
    with pytest.raises(ValueError, match=FIRST):
        frame.bleu.waterfall(system="system", id="id", max_order=1)
    with pytest.raises(ValueError, match=FIRST):
        frame.bleu.influence(system="system", id="id", max_order=1)


def test_resamples_that_do_not_fit_are_refused() -> None:
    frame = counts([HALF, 5] * 2, system=["a", "a", "b", "b"], id=[1, 2, 1, 2])
    with pytest.raises(ValueError, match=FIRST):
        frame.bleu.compare(system="system", id="id", max_order=1, n_resamples=50, seed=1)


@pytest.mark.parametrize("by", [None, "system"])
@pytest.mark.parametrize("n_files", [1, 2])
def test_files_are_refused(tmp_path: Path, by: str | None, n_files: int) -> None:
    frame = counts([HALF, HALF], system="x")
    for i in range(n_files):
        frame.iloc[i::n_files].to_parquet(tmp_path / f"{i}.parquet")
    with pytest.raises(ValueError, match=FIRST):
        bleupandas.scan_parquet(tmp_path).bleu.corpus(by=by, max_order=1)


@pytest.mark.parametrize("by", [[], ["--by", "system"]])
@pytest.mark.parametrize("batch_rows", [1, 100])
def test_the_command_line_refuses_sums(
    tmp_path: Path, by: list[str], batch_rows: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(row_reader, "BATCH_ROWS", batch_rows)
    path = tmp_path / "counts.parquet"
    counts([HALF, HALF], system="x").to_parquet(path)
    with pytest.raises(SystemExit, match="2"):
        main(["corpus", str(path), "--max-order", "1", *by])
    assert "components column 'candidate_length'" in (error := capsys.readouterr().err)
    assert "2**63 - 1" in error
    assert len(error.splitlines()) == 1
