"""Scores of frames and Series that hold components, in every dtype and after every detour that keeps the numbers."""

import decimal
import io
import math
from collections.abc import Callable
from typing import Any

import frames
import naive
import numpy as np
import oracles
import pandas as pd
import pyarrow as pa
import pytest
from strategies import frame_of

from bleupandas.reading.component_columns import complete_orders, component_names, has_component_columns, require_orders

SEGMENTS = naive.random_segments(3, 30)
ROWS = frames.component_rows(SEGMENTS)
SCORES = [naive.bleu(*segment, 4, "method1", True) for segment in SEGMENTS]
CLOSE: dict[str, Any] = {"rtol": 1e-12, "atol": 0}


def counts() -> pd.DataFrame:
    """Components of SEGMENTS from the oracle, not from the package."""
    return pd.DataFrame(
        ROWS, columns=component_names(4), index=pd.Index([f"s{i}" for i in range(len(ROWS))], name="id")
    )


def file_of(write: Callable[[pd.DataFrame, io.BytesIO], None], frame: pd.DataFrame) -> io.BytesIO:
    file = io.BytesIO()
    write(frame, file)
    file.seek(0)
    return file


def parquet(frame: pd.DataFrame, **options: Any) -> pd.DataFrame:
    return pd.read_parquet(file_of(lambda f, file: f.to_parquet(file), frame), **options)


def csv(frame: pd.DataFrame, **options: Any) -> Any:
    return pd.read_csv(file_of(lambda f, file: f.to_csv(file), frame), index_col="id", **options)


def arrow(kind: Any) -> Callable[[pd.DataFrame], pd.DataFrame]:
    return lambda frame: frame.astype(pd.ArrowDtype(kind))


def mixed(frame: pd.DataFrame) -> pd.DataFrame:
    """A dtype of its own for each column."""
    kinds = ["uint8", "int32", "Int64", "float64", "Float32", "object", "int64[pyarrow]", "double[pyarrow]", "UInt16"]
    return frame.astype({name: kinds[i % len(kinds)] for i, name in enumerate(frame.columns)})


KINDS = "uint8 int32 uint64 float32 float64 Int64 UInt8 Float64 object Sparse[int64]"
# Each gives the same numbers in other columns.
DETOURS: dict[str, Callable[[pd.DataFrame], pd.DataFrame]] = {
    "as counted": lambda frame: frame,
    **{
        kind: lambda frame, kind=kind: frame.astype(kind)  # type: ignore[misc]
        for kind in KINDS.split()
    },
    "Arrow int16": arrow(pa.int16()),
    "Arrow uint64": arrow(pa.uint64()),
    "Arrow double": arrow(pa.float64()),
    "Arrow decimal": arrow(pa.decimal128(20, 0)),
    "objects that are Decimal": lambda frame: frame.map(decimal.Decimal),
    "objects that are NumPy integers": lambda frame: frame.astype(object).map(np.int16),
    "a dtype for each column": mixed,
    "Parquet": parquet,
    "Parquet, nullable": lambda frame: parquet(frame, dtype_backend="numpy_nullable"),
    "Parquet, pyarrow backend": lambda frame: parquet(frame, dtype_backend="pyarrow"),
    "CSV": csv,
    "CSV, pyarrow backend": lambda frame: csv(frame, dtype_backend="pyarrow"),
    "concat": lambda frame: pd.concat([frame.iloc[:7].astype("int32"), frame.iloc[7:].astype("Int64")]),
    "groups of one": lambda frame: frame.groupby(level=0, sort=False).sum(),
    "other columns around": lambda frame: frame[frame.columns[::-1]].assign(text="x", matches=2.5, totals_9=-1),
    "windows of one": lambda frame: frame.rolling(1).sum(),
    "more orders": lambda frame: frame.assign(matches_5=0, totals_5=0),
}


@pytest.fixture(params=DETOURS)
def detour(request: pytest.FixtureRequest) -> pd.DataFrame:
    return DETOURS[request.param](counts())


def test_scores_after_detours(detour: pd.DataFrame) -> None:
    before = detour.copy(deep=True)
    found = detour.bleu.score()
    assert type(found) is pd.Series
    assert found.name == "score"
    assert found.dtype == np.dtype("float64")
    assert found.index.identical(detour.index)
    np.testing.assert_allclose(found, SCORES, **CLOSE)
    assert detour.bleu.score(errors="coerce").dtype == pd.Float64Dtype()
    pd.testing.assert_frame_equal(detour, before)


def test_corpus_after_detours(detour: pd.DataFrame) -> None:
    found = detour.bleu.corpus()
    assert found.score == pytest.approx(oracles.plain_corpus(ROWS), rel=1e-12, abs=0)
    assert (found.segments, found.segments_missing) == (len(ROWS), 0)
    sums = np.sum(ROWS, axis=0).tolist()
    assert [found.candidate_length, found.reference_length, *found.matches, *found.totals] == sums
    groups = detour.bleu.corpus(by=[i % 2 == 0 for i in range(len(ROWS))])
    for key, rows in ((False, ROWS[1::2]), (True, ROWS[::2])):
        assert groups.loc[key, "score"] == pytest.approx(oracles.plain_corpus(rows), rel=1e-12, abs=0)
    assert set(groups[component_names(4)].dtypes) == {np.dtype("int64")}


def test_series_after_detours(detour: pd.DataFrame) -> None:
    """A row of each frame, and its sum."""
    row = detour.loc["s3"]
    assert isinstance(row.bleu.score(), float)
    assert row.bleu.score() == pytest.approx(SCORES[3], rel=1e-12, abs=0)
    assert row.bleu.corpus().score == pytest.approx(oracles.plain_corpus([ROWS[3]]), rel=1e-12, abs=0)
    total = detour[component_names(4)].sum()
    found = total.bleu.corpus()
    assert found.score == pytest.approx(oracles.plain_corpus(ROWS), rel=1e-12, abs=0)
    assert found.segments is None
    assert found.segments_missing == 0


# ---- Missing rows ----

GAPS: dict[str, Callable[[pd.DataFrame], pd.DataFrame]] = {
    "outer join": lambda frame: frame.join(pd.DataFrame({"x": 1}, index=["gone", "s3"]), how="outer"),
    "reindex": lambda frame: frame.reindex([*frame.index[:5], "gone", *frame.index[5:]]),
    "Int64": lambda frame: frame.astype("Int64").reindex(["gone", *frame.index]),
    "Float64": lambda frame: frame.astype("Float64").reindex(["gone", *frame.index]),
    "object": lambda frame: frame.astype(object).reindex(["gone", *frame.index], fill_value=None),
    "Arrow": lambda frame: frame.astype("int64[pyarrow]").reindex(["gone", *frame.index]),
    "CSV": lambda frame: csv(frame.reindex(["gone", *frame.index]).rename_axis("id")),
    "CSV, nullable": lambda frame: csv(
        frame.reindex([*frame.index, "gone"]).rename_axis("id"), dtype_backend="numpy_nullable"
    ),
    "Parquet, pyarrow backend": lambda frame: parquet(frame.reindex(["gone", *frame.index]), dtype_backend="pyarrow"),
    "one column only": lambda frame: frame.reindex(["gone", *frame.index]).fillna(
        dict.fromkeys(component_names(4)[:-1], 1.0)
    ),
    "NaN that is not null in Arrow": lambda frame: pd.DataFrame(
        {n: frames.arrow(pa.array([np.nan, *frame[n].astype(float)], from_pandas=False)) for n in frame}
    ).set_axis(["gone", *frame.index]),
}


@pytest.mark.parametrize("gap", GAPS.values(), ids=GAPS)
def test_missing_rows(gap: Callable[[pd.DataFrame], pd.DataFrame]) -> None:
    frame = gap(counts())
    assert len(frame) == len(ROWS) + 1
    for errors, dtype in (("raise", np.dtype("float64")), ("coerce", pd.Float64Dtype())):
        found = frame.bleu.score(errors=errors)
        assert found.dtype == dtype
        assert found.index.identical(frame.index)
        assert found.isna().tolist() == [label == "gone" for label in frame.index]
        expected = dict(zip(counts().index, SCORES, strict=True))
        np.testing.assert_allclose(
            found.dropna().astype(float), [expected[i] for i in frame.index if i != "gone"], **CLOSE
        )
    corpus = frame.bleu.corpus()
    assert corpus.score == pytest.approx(oracles.plain_corpus(ROWS), rel=1e-12, abs=0)
    assert (corpus.segments, corpus.segments_missing) == (len(ROWS), 1)
    groups = frame.bleu.corpus(by=frame.index == "gone")
    assert groups["segments"].tolist() == [len(ROWS), 0]
    assert groups["segments_missing"].tolist() == [0, 1]
    assert groups["score"].isna().tolist() == [False, True]
    several = frame.bleu.score(max_order=[1, 4], errors="coerce")
    assert several.loc["gone"].isna().all()
    assert set(several.dtypes) == {pd.Float64Dtype()}


def test_missing_series() -> None:
    row = counts().reindex(["gone"]).iloc[0]
    assert math.isnan(row.bleu.score())
    assert row.bleu.score(max_order=[1, 2]).isna().tolist() == [True, True]
    found = row.bleu.corpus()
    assert math.isnan(found.score)
    assert (found.segments, found.segments_missing) == (None, 1)


def test_nothing_but_missing_rows() -> None:
    frame = counts().reindex(["gone", "too"])
    assert frame.bleu.score().isna().all()
    found = frame.bleu.corpus()
    assert math.isnan(found.score)
    assert (found.segments, found.segments_missing, found.matches) == (0, 2, (0, 0, 0, 0))


def test_rolling_windows() -> None:
    found = counts().rolling(3).sum().bleu.score(smoothing="none", effective_order=False)
    expected = [oracles.plain_corpus(ROWS[i - 2 : i + 1]) if i >= 2 else math.nan for i in range(len(ROWS))]
    np.testing.assert_allclose(found, expected, **CLOSE)


def test_zero_rows() -> None:
    empty = [counts().head(0), counts().head(0).astype(object), counts().head(0).astype("int64[pyarrow]")]
    for frame in [*empty, pd.DataFrame({name: [] for name in component_names(4)})]:
        assert frame.bleu.score().dtype == np.dtype("float64")
        assert frame.bleu.score(errors="coerce").dtype == pd.Float64Dtype()
        assert frame.bleu.score().index.identical(frame.index)
        found = frame.bleu.corpus()
        assert math.isnan(found.score)
        assert (found.segments, found.candidate_length, found.totals) == (0, 0, (0, 0, 0, 0))


# ---- Sums ----


def test_sums_of_groups_are_corpora() -> None:
    keys = [i % 3 for i in range(len(ROWS))]
    sums = counts().groupby(keys).sum()
    expected = [oracles.plain_corpus(ROWS[key::3]) for key in range(3)]
    np.testing.assert_allclose(counts().bleu.corpus(by=keys)["score"], expected, **CLOSE)
    found = sums.bleu.score(smoothing="none", effective_order=False)
    np.testing.assert_allclose(found, expected, **CLOSE)
    for key in range(3):
        assert sums.loc[key].bleu.corpus().score == pytest.approx(expected[key], rel=1e-12, abs=0)


def test_segments_are_counted_through_sums() -> None:
    parts = counts().assign(segments=2)
    assert parts.bleu.corpus().segments == 2 * len(ROWS)
    assert parts.sum().bleu.corpus().segments == 2 * len(ROWS)
    assert parts.bleu.corpus(by=[0] * len(ROWS))["segments"].tolist() == [2 * len(ROWS)]
    groups = counts().bleu.corpus(by=[i % 2 for i in range(len(ROWS))])
    both = pd.concat([groups, counts().head(3)])  # whose segments are missing: a row is one segment
    assert both["segments"].isna().sum() == 3
    assert both.bleu.corpus().segments == len(ROWS) + 3
    row = groups.iloc[0]
    assert row.bleu.corpus().segments == len(ROWS[::2])


def test_segments_missing_add_up() -> None:
    frame = counts().reindex(["gone", *counts().index])
    groups = frame.bleu.corpus(by=[i % 2 for i in range(len(frame))])
    assert groups.bleu.corpus().segments_missing == 1
    joined = groups.reindex([0, 1, 2])
    found = joined.bleu.corpus()
    assert (found.segments, found.segments_missing) == (len(ROWS), 2)
    assert joined.bleu.score().isna().tolist() == [False, False, True]


# ---- Tokens beside components ----


def test_which_columns_count(engine: str) -> None:
    tokens = frame_of(SEGMENTS)
    stale = counts().reset_index(drop=True) * 0
    both: Any = pd.concat([tokens, stale], axis=1)
    np.testing.assert_allclose(both.bleu.score(), SCORES, **CLOSE)  # tokens win
    assert both.bleu.corpus().score == pytest.approx(oracles.plain_corpus(ROWS), rel=1e-12, abs=0)
    for forced in (both.bleu(components=True), both.drop(columns="references").bleu):
        assert forced.score().eq(0).all()
        assert forced.corpus().candidate_length == 0
    assert both.bleu.score(components=True).eq(0).all()
    assert both.bleu(components=True).score(components=False).equals(both.bleu.score())
    renamed = both.rename(columns={"hypothesis": "mt", "references": "ref"})
    assert renamed.bleu.score().eq(0).all()
    bound = renamed.bleu(hypothesis="mt", references="ref")  # an explicit binding wins
    np.testing.assert_allclose(bound.score(), SCORES, **CLOSE)
    np.testing.assert_allclose(renamed.bleu.score(hypothesis="mt", references="ref"), SCORES, **CLOSE)
    assert bound.corpus().score == pytest.approx(oracles.plain_corpus(ROWS), rel=1e-12, abs=0)


def test_averaging_methods_read_the_order_above() -> None:
    five = pd.DataFrame(frames.component_rows(SEGMENTS, 5), columns=component_names(5))
    tokens = frame_of(SEGMENTS)
    for method in ("method5", "method7"):
        expected = [naive.bleu(*segment, 4, method, True) for segment in SEGMENTS]
        np.testing.assert_allclose(five.bleu.score(smoothing=method), expected, **CLOSE)
        np.testing.assert_allclose(tokens.bleu.score(smoothing=method), expected, **CLOSE)
        by = tokens.bleu.corpus(by=[0] * len(ROWS), smoothing=method)
        assert "totals_5" in by.columns  # so that it can be scored again
        assert by.bleu.corpus(smoothing=method).score == by["score"].iloc[0]


# ---- Which orders there are ----


def test_names() -> None:
    assert component_names(1) == ["candidate_length", "reference_length", "matches_1", "totals_1"]
    assert [len(component_names(n)) for n in range(1, 9)] == [4, 6, 8, 10, 12, 14, 16, 18]


def test_orders_in() -> None:
    assert complete_orders([]) == 0
    assert complete_orders(component_names(3)) == 3
    assert complete_orders([*component_names(3), "matches_4"]) == 3
    assert complete_orders(name for name in component_names(3) if name != "totals_2") == 1
    assert complete_orders(component_names(2)[1:]) == 0
    assert not has_component_columns(["hypothesis", 3, None, ("matches_1", "")])
    assert has_component_columns(["x", "totals_8"])
    require_orders(component_names(3), 3, "f()")
    require_orders(component_names(4), 3, "f()", lambda order: order + 1)
