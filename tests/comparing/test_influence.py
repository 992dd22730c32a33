"""influence(): equal to counting again without each row."""

import math
from typing import Any

import frames
import numpy as np
import oracles
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import examples, frame_of, segment_lists

import bleupandas

EXAMPLE: Any = bleupandas.load_example()
OTHER = EXAMPLE["system"].map({"direct": "pivot", "pivot": "direct"})
COLUMNS = ["baseline", "system", "baseline_influence", "influence", "difference", "contribution", "share"]


def recounted(frame: Any, **options: Any) -> list[float]:
    """Return the score of all minus the score without each row, which is dropped before all is counted again."""
    whole = frame.bleu.corpus(**options).score
    kept = ~np.eye(len(frame), dtype=bool)
    return [whole - frame[rows].bleu.corpus(**options).score for rows in kept]


# ---- One system ----


def test_all_rows_of_the_example_data() -> None:
    found = EXAMPLE.bleu.influence()
    expected = recounted(EXAMPLE)
    assert found.index.identical(EXAMPLE.index)
    assert found.name == "influence"
    assert found.dtype == np.float64
    assert found.tolist() == expected
    assert found.sum() == pytest.approx(math.fsum(expected), rel=1e-12)
    assert np.sign(found).tolist() == np.sign(expected).tolist()
    assert 0 < (found > 0).sum() < 480


def test_against_plain_sums() -> None:
    rows = frames.component_rows(list(zip(EXAMPLE["hypothesis"], EXAMPLE["references"], strict=True))[:60])
    whole = oracles.plain_corpus(rows)
    expected = [whole - oracles.plain_corpus(rows[:i] + rows[i + 1 :]) for i in range(60)]
    assert EXAMPLE.head(60).bleu.influence().tolist() == pytest.approx(expected, rel=1e-9, abs=1e-15)


OPTIONS: list[dict[str, Any]] = [
    {"smoothing": "exp"},
    {"convention": "sacrebleu", "max_order": 6},
    {"smoothing": "method5", "max_order": 2},
    {"weights": [0.5, 0.0, 0.5]},
    {"smoothing": "floor", "epsilon": 0.01, "effective_order": True},
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_settings_of_corpus(options: dict[str, Any]) -> None:
    part = EXAMPLE.iloc[[3, 50, 51, 216, 300, 412]]
    assert part.bleu.influence(**options).tolist() == recounted(part, **options)


@settings(max_examples=examples(60))
@given(segment_lists(most=7), st.permutations(range(7)), st.sampled_from(["none", "exp", "floor"]))
def test_properties(segments: list[frames.Segment], order: list[int], smoothing: str) -> None:
    frame = frame_of(segments)
    before = frames.snapshot(frame)
    found = frame.bleu.influence(smoothing=smoothing)
    assert frames.snapshot(frame)[:4] == before[:4]
    assert found.tolist() == pytest.approx(recounted(frame, smoothing=smoothing), rel=0, abs=0, nan_ok=True)
    assert found.isna().all() == (len(segments) < 2)
    shuffled = frame.iloc[[at for at in order if at < len(segments)]]
    pd.testing.assert_series_equal(shuffled.bleu.influence(smoothing=smoothing).sort_index(), found.sort_index())


def test_components_and_groups_of_segments() -> None:
    counted = EXAMPLE.bleu.components()
    pd.testing.assert_series_equal(counted.bleu.influence(), EXAMPLE.bleu.influence())
    groups = EXAMPLE.bleu.corpus(by="domain")
    found = groups.bleu.influence()
    for domain, change in found.items():
        rest = EXAMPLE[EXAMPLE["domain"] != domain]
        assert change == EXAMPLE.bleu.corpus().score - rest.bleu.corpus().score
    assert groups.head(1).bleu.influence().isna().all()


def test_rows_that_cannot_be_read() -> None:
    frame = EXAMPLE.head(9).copy()
    frame["hypothesis"] = frames.cells(
        [None if i in (2, 5) else tokens for i, tokens in enumerate(frame["hypothesis"])]
    )
    found = frame.bleu.influence(errors="coerce", smoothing="exp")
    assert found.dtype == pd.Float64Dtype()
    assert found.isna().tolist() == [i in (2, 5) for i in range(9)]
    assert found.dropna().tolist() == recounted(frame.drop(index=[2, 5]), smoothing="exp")
    alone = frame.iloc[[2, 3]].bleu.influence(errors="coerce")
    assert alone.isna().all()
    with pytest.raises(ValueError, match="the hypothesis is missing"):
        frame.bleu.influence()


def test_no_rows() -> None:
    found = EXAMPLE.head(0).bleu.influence()
    assert len(found) == 0
    assert found.dtype == np.float64


# ---- Two systems ----


def test_all_pairs_of_the_example_data() -> None:
    found = EXAMPLE.bleu.influence(system="system", id="id")
    assert found.columns.tolist() == COLUMNS
    assert found.index.tolist() == list(range(1, 241))
    assert set(found["baseline"]) == {"direct"}
    assert set(found["system"]) == {"pivot"}
    parts = {name: EXAMPLE[EXAMPLE["system"] == name] for name in ("direct", "pivot")}
    own = {name: recounted(part) for name, part in parts.items()}
    ids = parts["direct"]["id"].tolist()
    assert ids == parts["pivot"]["id"].tolist()
    assert found["baseline_influence"].tolist() == own["direct"]
    assert found["influence"].tolist() == own["pivot"]
    scores = {name: part.bleu.corpus().score for name, part in parts.items()}
    difference = scores["pivot"] - scores["direct"]
    counted: Any = pd.concat([EXAMPLE[["id", "system"]], EXAMPLE.bleu.components()], axis=1)
    for name in ids:  # left out for both systems, summed up again
        rest = counted[counted["id"] != name].bleu.corpus(by="system")["score"]
        without = rest["pivot"] - rest["direct"]
        assert found.at[name, "difference"] == pytest.approx(difference - without, rel=0, abs=1e-15)
    for name in ids:  # exchanged, summed up again
        mixed: Any = counted.assign(system=EXAMPLE["system"].where(EXAMPLE["id"] != name, OTHER))
        other = mixed.bleu.corpus(by="system")["score"]
        contribution = (other["direct"] - scores["direct"] + scores["pivot"] - other["pivot"]) / 2
        assert found.at[name, "contribution"] == pytest.approx(contribution, rel=0, abs=1e-15)
        assert found.at[name, "share"] == pytest.approx(contribution / difference, rel=0, abs=1e-13)
    assert found["contribution"].sum() == pytest.approx(difference, rel=0.02)
    assert found["share"].sum() == pytest.approx(1, rel=0.02)
    assert not np.signbit(found.loc[found["share"] == 0, "share"]).any()  # prints as 0, not as -0


def test_wide_form_and_baseline() -> None:
    parts = {name: part.set_index("id") for name, part in EXAMPLE.groupby("system")}
    wide = parts["direct"].assign(pivot=parts["pivot"]["hypothesis"]).rename(columns={"hypothesis": "direct"})
    long = EXAMPLE.bleu.influence(system="system", baseline="pivot")
    found = wide.bleu.influence(hypothesis=["direct", "pivot"], baseline="pivot")
    assert found.index.identical(wide.index)
    assert found["baseline"].tolist() == ["pivot"] * 240
    pd.testing.assert_frame_equal(found, long, check_names=False)
    other = wide.bleu.influence(hypothesis=["direct", "pivot"])
    assert (found["difference"] == -other["difference"]).all()
    assert found["share"].tolist() == pytest.approx(other["share"].tolist(), rel=1e-9)


def test_three_systems() -> None:
    third = EXAMPLE[EXAMPLE["system"] == "direct"].assign(system="third")
    third["hypothesis"] = frames.cells([tokens[:-1] for tokens in third["hypothesis"]], third.index)
    frame = pd.concat([EXAMPLE, third], ignore_index=True)
    found = frame.bleu.influence(system="system", baseline="pivot")
    assert found[["baseline", "system"]].drop_duplicates().to_numpy().tolist() == [
        ["pivot", "direct"],
        ["pivot", "third"],
    ]
    for name, part in found.groupby("system"):
        pair = frame[frame["system"].isin(["pivot", name])]
        pd.testing.assert_frame_equal(part, pair.bleu.influence(system="system", baseline="pivot"))


def test_equal_systems_have_no_shares() -> None:
    frame = EXAMPLE[EXAMPLE["system"] == "direct"]
    found = pd.concat([frame, frame.assign(system="again")]).bleu.influence(system="system")
    assert (found["difference"] == 0).all()
    assert found["share"].isna().all()


def test_pairs_that_cannot_be_read() -> None:
    frame = EXAMPLE.head(24).copy()
    frame["hypothesis"] = frames.cells(
        [None if i in (4, 7) else tokens for i, tokens in enumerate(frame["hypothesis"])]
    )
    left = frame.loc[[4, 7], "id"].tolist()
    found = frame.bleu.influence(system="system", errors="coerce")
    assert set(found[COLUMNS[2:]].dtypes) == {pd.Float64Dtype()}
    assert found.index[found["influence"].isna()].tolist() == left
    assert found["baseline_influence"].isna().equals(found["influence"].isna())
    rest = frame[~frame["id"].isin(left)].bleu.influence(system="system")
    pd.testing.assert_frame_equal(found.drop(index=left), rest, check_dtype=False)


def test_unpaired_rows() -> None:
    frame = EXAMPLE.drop(index=[4])
    with pytest.raises(ValueError, match="1 of 240 ids is not in every system: 3"):
        frame.bleu.influence(system="system")
    with pytest.warns(RuntimeWarning, match="left out 1 of 240"):
        found = frame.bleu.influence(system="system", on_unpaired="drop")
    assert len(found) == 239


def test_refusals() -> None:
    with pytest.raises(ValueError, match=r"influence\(\) has id=, which needs several systems; pass sys"):
        EXAMPLE.bleu.influence(id="id")
    with pytest.raises(ValueError, match=r"influence\(\) has baseline="):
        EXAMPLE.bleu.influence(baseline="pivot")
    with pytest.raises(ValueError, match="baseline is one of the systems 'direct', 'pivot', not 'x'"):
        EXAMPLE.bleu.influence(system="system", baseline="x")
    with pytest.raises(ValueError, match="compares at least two systems, and the frame has one system, 'direct'"):
        EXAMPLE.iloc[::2].bleu.influence(system="system")
    with pytest.raises(TypeError, match=r"influence\(\) has no keyword 'smooth'; did you mean 'smoothing'\?"):
        EXAMPLE.bleu.influence(smooth="exp")
    with pytest.raises(TypeError, match=r"influence\(\) takes a pandas DataFrame, not Series"):
        bleupandas.influence(EXAMPLE["hypothesis"])
    with pytest.raises(ValueError, match="is for score"):
        EXAMPLE.bleu.influence(convention="nltk")
