"""Metric columns: compare() of their means, and missing values."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from compared import EXAMPLE, FLOATS, INTEGERS, coerced, numbers_frame, same, three

# ---- Metrics ----


def test_metric_against_scipy() -> None:
    """The mean of a column: its interval by SciPy's bootstrap, its p-value by SciPy's permutation of signs."""
    frame = numbers_frame()
    a, b = (frame.loc[frame["system"] == name, "comet"].to_numpy() for name in "ab")
    found = frame.bleu.compare(metric="comet", n_resamples=20_000, method="randomization")
    assert found["difference"].item() == pytest.approx((b - a).mean(), rel=1e-12)
    assert found["baseline_score"].item() == pytest.approx(a.mean(), rel=1e-12)
    interval = scipy.stats.bootstrap((b - a,), np.mean, method="percentile", n_resamples=20_000, rng=1)
    assert found["difference_low"].item() == pytest.approx(interval.confidence_interval.low, abs=0.004)
    assert found["difference_high"].item() == pytest.approx(interval.confidence_interval.high, abs=0.004)
    permuted = scipy.stats.permutation_test((b - a,), np.mean, permutation_type="samples", n_resamples=20_000, rng=1)
    assert found["p_value"].item() == pytest.approx(permuted.pvalue, abs=0.012)


def test_metric_in_wide_form() -> None:
    frame = numbers_frame()
    wide = frame.pivot(index="id", columns="system", values="comet")
    expected = frame.bleu.compare(metric="comet")
    same(wide.bleu.compare(metric=["a", "b"]), expected)
    named = wide.rename(columns=lambda name: f"comet_{name}")
    same(named.bleu.compare(metric=["comet_a", "comet_b"], hypothesis=["a", "b"]), expected)


@pytest.mark.parametrize("dtype", ["float32", "Float64", "double[pyarrow]", object])
def test_metric_of_any_dtype(dtype: Any) -> None:
    frame = numbers_frame().astype({"comet": "float32"}).astype({"comet": "float64"})
    same(frame.astype({"comet": dtype}).bleu.compare(metric="comet"), frame.bleu.compare(metric="comet"))


def test_metric_of_flags_is_their_share() -> None:
    frame = numbers_frame().assign(good=lambda df: df["comet"] > 0)
    found = frame.bleu.compare(metric="good")
    assert found["score"].item() == pytest.approx(frame.loc[frame["system"] == "b", "good"].mean())


# ---- Missing values ----


def test_unreadable_segments_are_left_out_of_both() -> None:
    frame = EXAMPLE.copy()
    frame["hypothesis"] = frame["hypothesis"].where(~frame.index.isin([0, 3, 7]), None)
    found = frame.bleu.compare(errors="coerce")
    expected = EXAMPLE[~EXAMPLE["id"].isin(EXAMPLE["id"][[0, 3, 7]])].bleu.compare()
    assert found["segments_missing"].tolist() == [3]
    assert set(found[FLOATS].dtypes) == {pd.Float64Dtype()}
    assert set(found[INTEGERS].dtypes) == {pd.Int64Dtype()}
    same(found.drop(columns="segments_missing"), coerced(expected).drop(columns="segments_missing"))
    with pytest.raises(ValueError, match="the hypothesis is missing"):
        frame.bleu.compare()


def test_each_pair_leaves_out_its_own_segments() -> None:
    frame = three()
    frame.loc[[0, 479, 500], "matches_1"] = np.nan
    found = frame.bleu.compare(errors="coerce", pairs="all", correction="none")
    systems = frame["system"].tolist()
    gone = {systems[at]: frame["id"][at] for at in (0, 479, 500)}
    assert found["segments_missing"].tolist() == [2, 2, 2]
    for i, pair in enumerate([["direct", "pivot"], ["direct", "third"], ["pivot", "third"]]):
        left = frame[frame["system"].isin(pair) & ~frame["id"].isin([gone[name] for name in pair])]
        alone = coerced(left.bleu.compare(correction="none")).drop(columns="segments_missing")
        same(found.drop(columns="segments_missing")[i : i + 1].reset_index(drop=True), alone)


def test_missing_numbers_of_a_metric() -> None:
    frame = numbers_frame()
    frame.loc[[2, 70], "comet"] = np.nan
    found = frame.bleu.compare(metric="comet", errors="coerce")
    expected = coerced(frame[~frame["id"].isin([2, 10])].bleu.compare(metric="comet"))
    assert found["segments_missing"].tolist() == [2]
    same(found.drop(columns="segments_missing"), expected.drop(columns="segments_missing"))


def test_dropped_segments() -> None:
    with pytest.warns(
        RuntimeWarning, match=r"^on_unpaired='drop' left out 2 of 240 segments: 2 of 240 ids are not in "
    ):
        found = EXAMPLE.drop(index=[0, 5]).bleu.compare(on_unpaired="drop", baseline="direct")
    same(found, EXAMPLE[~EXAMPLE["id"].isin(EXAMPLE["id"][[0, 5]])].bleu.compare(baseline="direct"))
