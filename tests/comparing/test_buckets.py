"""buckets(): each bucket equals the corpus of its segments, counted again."""

import itertools
from collections import Counter
from typing import Any

import frames
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import examples, frame_of, segment_lists

import bleupandas

EXAMPLE: Any = bleupandas.load_example()
COUNTED = EXAMPLE.bleu.components()
QUICK: dict[str, Any] = {"n_resamples": 20}
EXTRA = ["score_low", "score_high"]
MEASURES = ["reference_length", "length_difference", "score", "rarest_token", "references"]


def measured(frame: Any, of: str) -> Any:
    """Return the values that decide buckets, in plain Python."""
    counted = frame.bleu.components()
    if of == "score":
        return frame.bleu.score().tolist()
    if of == "references":
        return frame["references"].map(len).tolist()
    if of == "rarest_token":
        frequency = Counter(itertools.chain(*(itertools.chain(*cell) for cell in frame["references"])))
        return [min((frequency[t] for t in itertools.chain(*cell)), default=np.nan) for cell in frame["references"]]
    difference = counted["candidate_length"] - counted["reference_length"]
    return (difference if of == "length_difference" else counted["reference_length"]).tolist()


def recounted(found: pd.DataFrame, frame: Any, values: Any, **options: Any) -> None:
    """Check that each bucket equals corpus() of the rows in its interval, and that no row is lost."""
    values = np.array(values, float)
    assert found["segments"].sum() + found["segments_missing"].sum() == len(frame)
    for bucket, row in zip(found.index, found.to_dict("records"), strict=True):
        missing = isinstance(bucket, float)
        inside = np.isnan(values) if missing else (values >= bucket.left) & (values < bucket.right)
        part = frame[inside].bleu.corpus(**options)
        assert row["segments"] == inside.sum() > 0
        assert row["score"] == part.score
        assert row["candidate_length"] == part.candidate_length
        assert [row[f"matches_{n}"] for n in range(1, 5)] == list(part.matches)
        assert row["precision_2"] == pytest.approx(part.precisions[1], rel=0, abs=0, nan_ok=True)
        if inside.sum() > 1:
            assert row["score_low"] <= row["score_high"]
        else:
            assert np.isnan(row["score_low"])
            assert np.isnan(row["score_high"])


# ---- Measures ----


@pytest.mark.parametrize("of", MEASURES)
@pytest.mark.parametrize("bins", [None, 3, [2, 4.5, 11], [0.25]], ids=str)
def test_measures(of: str, bins: Any) -> None:
    found = EXAMPLE.bleu.buckets(of=of, bins=bins, **QUICK)
    assert found.columns.tolist() == ["score", *EXTRA, *EXAMPLE.bleu.corpus(by="domain").columns[1:]]
    assert found.index.name == of
    assert isinstance(found.index, pd.CategoricalIndex)
    assert found.index.ordered
    assert found.index.is_monotonic_increasing
    recounted(found, EXAMPLE, measured(EXAMPLE, of))


def test_default_bins() -> None:
    found = EXAMPLE.bleu.buckets(**QUICK)
    assert found.index.name == "reference_length"
    assert len(found) == 5
    assert found["segments"].between(70, 120).all()
    assert str(found.index[0]) == "[2, 6)"
    bands = EXAMPLE.bleu.buckets(of="score", **QUICK).index.categories
    assert bands.left.tolist() == [k / 10 for k in range(11)]
    assert bands.right[-1] == np.inf  # score 1 is a band of its own
    numbers = EXAMPLE.bleu.buckets(of="references", **QUICK)
    assert numbers.index.categories.left.tolist() == [1, 2, 4]
    assert numbers["segments"].tolist() == [60, 300, 120]


def test_columns_and_functions() -> None:
    frame = EXAMPLE.assign(
        comet=np.linspace(0, 1, 480), flag=[True, False] * 240, kind=pd.Categorical(["b", "a"] * 240, ["z", "b", "a"])
    )
    for of in ("domain", "flag", "kind"):
        found = frame.bleu.buckets(of=of, **QUICK)
        expected = frame.bleu.corpus(by=of)
        assert found.index.tolist() == expected.index.tolist()
        pd.testing.assert_frame_equal(found.drop(columns=EXTRA), expected, check_index_type=False)
    recounted(frame.bleu.buckets(of="comet", bins=4, **QUICK), frame, frame["comet"])
    length = frame["source"].str.len()
    by_function = frame.bleu.buckets(of=lambda df: df["source"].str.len(), **QUICK)
    recounted(by_function, frame, length)
    assert by_function.index.name == "bucket"
    by_series = frame.bleu.buckets(of=length, **QUICK)
    assert by_series.index.name == "source"
    pd.testing.assert_frame_equal(by_series, by_function, check_names=False)
    shuffled = length.sample(frac=1, random_state=2)
    pd.testing.assert_frame_equal(frame.bleu.buckets(of=shuffled, **QUICK), by_series)
    pd.testing.assert_frame_equal(frame.bleu.buckets(of=length.to_numpy(), **QUICK), by_series, check_names=False)
    level = frame.set_index("domain").bleu.buckets(of="domain", **QUICK)
    assert level.index.tolist() == ["cooking", "news", "software", "travel"]


def test_missing_values_are_a_bucket() -> None:
    for values in (EXAMPLE["id"].astype(float), EXAMPLE["id"].astype("Int64"), EXAMPLE["domain"].astype(object)):
        frame = EXAMPLE.assign(key=values)
        frame.loc[frame.index[::7], "key"] = None
        found = frame.bleu.buckets(of="key", **QUICK)
        assert found.index.isna().tolist() == [False] * (len(found) - 1) + [True]
        assert found["segments"].iloc[-1] == len(range(0, 480, 7))
        assert found["segments"].sum() == 480
    empty = frame_of([(["a"], [["a"]]), (["a"], [[]]), (["b"], [["a"]])])
    found = empty.bleu.buckets(of="rarest_token", **QUICK)
    assert found["segments"].tolist() == [2, 1]
    assert found.index.isna().tolist() == [False, True]


@settings(max_examples=examples(40))
@given(
    segment_lists(most=8), st.sampled_from(MEASURES), st.one_of(st.none(), st.integers(1, 4)), st.permutations(range(8))
)
def test_properties(segments: list[frames.Segment], of: str, bins: int | None, order: list[int]) -> None:
    frame = frame_of(segments)
    before = frames.snapshot(frame)
    found = frame.bleu.buckets(of=of, bins=bins, n_resamples=3)
    assert frames.snapshot(frame)[:4] == before[:4]
    recounted(found, frame, measured(frame, of))
    shuffled = frame.iloc[[at for at in order if at < len(segments)]]
    again = shuffled.bleu.buckets(of=of, bins=bins, n_resamples=3)
    pd.testing.assert_frame_equal(again.drop(columns=EXTRA), found.drop(columns=EXTRA))


# ---- Systems side by side ----


@pytest.mark.parametrize("of", MEASURES)
@pytest.mark.parametrize("baseline", [None, "pivot"])
def test_paired_systems(of: str, baseline: str | None) -> None:
    """The baseline's rows decide the buckets of both systems."""
    found = EXAMPLE.bleu.buckets(of=of, bins=3, system="system", baseline=baseline, **QUICK)
    assert found.index.names == [of, "system"]
    baseline_rows = EXAMPLE[EXAMPLE["system"] == (baseline or "direct")]
    values = dict(zip(baseline_rows["id"], measured(baseline_rows, of), strict=True))
    for name in ("direct", "pivot"):
        part = EXAMPLE[EXAMPLE["system"] == name]
        recounted(found.xs(name, level="system"), part, [values[i] for i in part["id"]])
    systems = found.index.get_level_values("system").tolist()
    assert systems == ["direct", "pivot"] * (len(found) // 2)


def test_wide_form() -> None:
    parts = {name: part.set_index("id") for name, part in EXAMPLE.groupby("system")}
    wide: Any = parts["pivot"].assign(direct=parts["direct"]["hypothesis"]).rename(columns={"hypothesis": "pivot"})
    for of in MEASURES:
        found = wide.bleu.buckets(of=of, hypothesis=["pivot", "direct"], **QUICK)
        expected = EXAMPLE.bleu.buckets(of=of, system="system", baseline="pivot", **QUICK)
        assert found.index.get_level_values("system").tolist()[:2] == ["pivot", "direct"]
        again = wide.bleu.buckets(of=of, hypothesis=["direct", "pivot"], baseline="pivot", **QUICK)
        pd.testing.assert_frame_equal(again, expected, check_index_type=False)


def test_systems_without_ids() -> None:
    """Each row decides its own bucket."""
    frame = EXAMPLE.drop(columns="id").iloc[:-3]
    found = frame.bleu.buckets(of="length_difference", bins=[0, 2], system="system", **QUICK)
    for name in ("direct", "pivot"):
        part = frame[frame["system"] == name]
        recounted(found.xs(name, level="system"), part, measured(part, "length_difference"))
    rarest = frame.bleu.buckets(of="rarest_token", bins=[2], system="system", **QUICK)
    for name in ("direct", "pivot"):
        part = frame[frame["system"] == name]
        recounted(rarest.xs(name, level="system"), part, measured(part, "rarest_token"))


def test_order_of_systems_is_that_of_appearance() -> None:
    frame = EXAMPLE.assign(system=EXAMPLE["system"].map({"direct": "z", "pivot": "a"}))
    found = frame.bleu.buckets(system="system", bins=1, **QUICK)
    assert found.index.get_level_values("system").tolist() == ["z", "a"]
    assert found["score"].tolist() == frame.bleu.corpus(by="system", sort=False)["score"].tolist()


# ---- Confidence intervals ----


def test_intervals_against_scipy() -> None:
    stats = pytest.importorskip("scipy.stats")
    found = EXAMPLE.bleu.buckets(bins=[12], n_resamples=3000, level=0.9)
    lengths = COUNTED["reference_length"]
    for row, rows in zip(found.to_dict("records"), (lengths < 12, lengths >= 12), strict=True):
        values = COUNTED[rows].to_numpy()

        def score(positions: Any, values: Any = values) -> float:
            sums = values[positions].sum(axis=0).tolist()
            return bleupandas.bleu_from_components(sums[0], sums[1], sums[2:6], sums[6:])

        options: dict[str, Any] = {"n_resamples": 3000, "confidence_level": 0.9, "method": "percentile"}
        options |= {"vectorized": False, "rng": np.random.default_rng(5)}
        expected = stats.bootstrap((np.arange(len(values)),), score, **options).confidence_interval
        assert row["score_low"] == pytest.approx(expected.low, abs=0.004)
        assert row["score_high"] == pytest.approx(expected.high, abs=0.004)


def test_seed_and_level() -> None:
    first = EXAMPLE.bleu.buckets(seed=1, **QUICK)
    pd.testing.assert_frame_equal(first, EXAMPLE.bleu.buckets(seed=1, **QUICK))
    assert not first[EXTRA].equals(EXAMPLE.bleu.buckets(seed=2, **QUICK)[EXTRA])
    narrow, wide = (EXAMPLE.bleu.buckets(level=level, n_resamples=200) for level in (0.5, 0.99))
    assert (wide["score_low"] < narrow["score_low"]).all()
    assert (wide["score_high"] > narrow["score_high"]).all()
    assert EXAMPLE.bleu.buckets(seed=None, **QUICK)["score"].tolist() == first["score"].tolist()


# ---- Input of every kind ----


def test_components_frames() -> None:
    for of in ("reference_length", "length_difference", "score"):
        pd.testing.assert_frame_equal(COUNTED.bleu.buckets(of=of, **QUICK), EXAMPLE.bleu.buckets(of=of, **QUICK))
    groups = EXAMPLE.bleu.corpus(by="id")
    found = groups.bleu.buckets(of="id", bins=[121], **QUICK)
    assert found["segments"].tolist() == [240, 240]
    assert found["score"].iloc[0] == EXAMPLE[EXAMPLE["id"] <= 120].bleu.corpus().score
    again = EXAMPLE.bleu.buckets(**QUICK)
    assert again.bleu.corpus().score == EXAMPLE.bleu.corpus().score
    with pytest.raises(KeyError, match="which needs token lists and not only components"):
        COUNTED.bleu.buckets(of="references")


def test_rows_that_cannot_be_read() -> None:
    frame = EXAMPLE.copy()
    frame["hypothesis"] = frames.cells([None if i in (2, 300) else t for i, t in enumerate(frame["hypothesis"])])
    for of in [*MEASURES, "domain"]:
        found = frame.bleu.buckets(of=of, errors="coerce", **QUICK)
        assert (found["segments"].sum(), found["segments_missing"].sum()) == (478, 2)
        assert set(found.dtypes) == {pd.Float64Dtype(), pd.Int64Dtype()}
        assert found.index.isna().any() == (of != "domain")
    paired = frame.bleu.buckets(system="system", errors="coerce", **QUICK)
    assert (paired["segments"].sum(), paired["segments_missing"].sum()) == (478, 2)


@pytest.mark.parametrize("of", [*MEASURES, "domain"])
def test_no_rows(of: str) -> None:
    found, whole = (frame.bleu.buckets(of=of, **QUICK) for frame in (EXAMPLE.head(0), EXAMPLE))
    assert len(found) == 0
    assert found.columns.equals(whole.columns)
    assert found.dtypes.equals(whole.dtypes)
    assert found.index.name == of


def test_settings_of_corpus() -> None:
    options: dict[str, Any] = {"smoothing": "exp", "max_order": 4}
    found = EXAMPLE.bleu.buckets(of="score", bins=[0.05, 0.1], **options, **QUICK)
    recounted(found, EXAMPLE, measured(EXAMPLE, "score"), **options)
    assert "smoothed_precision_1" in found
    assert len(EXAMPLE.bleu.buckets(of="score", smoothing="method5", max_order=2, **QUICK)) > 3


REFUSALS: dict[str, tuple[dict[str, Any], type[Exception], str]] = {
    "no such column": ({"of": "x"}, KeyError, "no column 'x' for of=: the columns are 'id', 'system'"),
    "none": ({"of": None}, TypeError, "of is one of 'reference_length', .*, or a function, not None"),
    "values of a wrong number": ({"of": [1, 2]}, ValueError, "of has 2 values, and the frame has 480 rows"),
    "function of a wrong kind": (
        {"of": lambda df: 3},
        TypeError,
        "of is a function that returned 3; expected one value",
    ),
    "lists": ({"of": "hypothesis"}, TypeError, "of='hypothesis' holds .*, a list, which cannot be a key"),
    "infinite": ({"of": np.full(480, np.inf)}, ValueError, "has infinite values; expected finite or missing ones"),
    "bins of text": (
        {"of": "domain", "bins": 3},
        ValueError,
        "of='domain' is not a column of numbers .*leave bins out",
    ),
    "bins of no number": ({"bins": "many"}, TypeError, "bins is a whole number of at least 1, or a list of edges, not"),
    "bins of None left": ({"bins": 0}, ValueError, "bins is a whole number of at least 1, or a list of edges, not 0"),
    "edges that fall": ({"bins": [3, 1]}, ValueError, "bins is a list of finite edges in ascending order"),
    "no edges": ({"bins": []}, TypeError, r"bins is a list of one or more numbers, not \[\]"),
    "text edges": ({"bins": ["a"]}, TypeError, r"bins is a list of one or more numbers, not \['a'\]"),
    "ids alone": ({"id": "id"}, ValueError, r"buckets\(\) has id=, which needs several systems"),
    "baseline alone": ({"baseline": "x"}, ValueError, r"buckets\(\) has baseline=, which needs several"),
    "baseline": ({"system": "system", "baseline": "x"}, ValueError, "baseline is one of the systems 'direct', 'pivot'"),
    "level": ({"level": 95}, ValueError, "level is a number between 0 and 1"),
    "resamples": ({"n_resamples": 0}, ValueError, "n_resamples is a whole number of at least 1"),
    "keyword": ({"n_bins": 3}, TypeError, r"buckets\(\) has no keyword 'n_bins'; did you mean 'bins'"),
}


@pytest.mark.parametrize("case", REFUSALS.values(), ids=REFUSALS)
def test_refusals(case: tuple[dict[str, Any], type[Exception], str]) -> None:
    options, kind, message = case
    with pytest.raises(kind, match=message) as error:
        EXAMPLE.bleu.buckets(**options)
    assert len(str(error.value).splitlines()) == 1
