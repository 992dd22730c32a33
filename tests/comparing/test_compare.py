"""compare(): equal to sacreBLEU and SciPy; slices, clusters, several systems; the rate of false positives."""

from collections.abc import Callable
from typing import Any

import frames
import naive
import numpy as np
import oracles
import pandas as pd
import pytest
import scipy.stats
from compared import COLUMNS, COUNTS, EXAMPLE, FLOATS, PAIR, numbers_frame, same, three, wide_example
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import examples

import bleupandas


def sacrebleu_results(frame: Any, test: str, n_resamples: int) -> list[Any]:
    """Return sacreBLEU's PairedTest results for the systems of a long frame; the first is the baseline."""
    from sacrebleu.metrics.bleu import BLEU
    from sacrebleu.significance import PairedTest

    systems: Any = [
        (name, [" ".join(tokens) for tokens in part]) for name, part in frame.groupby("system")["hypothesis"]
    ]
    texts = [[" ".join(tokens) for tokens in cell] for cell in frame.drop_duplicates("id")["references"]]
    most = max(map(len, texts))
    streams: Any = [[one[i] if i < len(one) else None for one in texts] for i in range(most)]
    metric = {"BLEU": BLEU(tokenize="none", force=True)}
    _, found = PairedTest(systems, metric, streams, test_type=test, n_samples=n_resamples)()
    return found["BLEU"]


# ---- sacreBLEU ----

TESTS = {"bootstrap": "bs", "randomization": "ar"}
PARTS: dict[str, Callable[[], Any]] = {
    "all": lambda: EXAMPLE,
    "news": lambda: EXAMPLE[EXAMPLE["domain"] == "news"],
    "few": lambda: EXAMPLE[EXAMPLE["id"] <= 7],
    "a third system": lambda: pd.concat([EXAMPLE, third_system()], ignore_index=True),
}


def third_system() -> Any:
    """Mix two systems: the first one's output for odd ids, else the second's."""
    return EXAMPLE[(EXAMPLE["id"] % 2 == 1) == (EXAMPLE["system"] == "direct")].assign(system="third")


@pytest.mark.parametrize("n_resamples", [1000, 45])
@pytest.mark.parametrize("part", PARTS.values(), ids=PARTS)
@pytest.mark.parametrize("method", TESTS)
def test_equals_sacrebleu(method: str, part: Any, n_resamples: int) -> None:
    frame = part()
    baseline, *others = sacrebleu_results(frame, TESTS[method], n_resamples)
    found = bleupandas.compare(frame, convention="sacrebleu", method=method, n_resamples=n_resamples, correction="none")
    assert found["baseline_score"].tolist() == pytest.approx([baseline.score / 100] * len(others), rel=1e-12)
    assert found["score"].tolist() == pytest.approx([one.score / 100 for one in others], rel=1e-12)
    assert found["p_value"].tolist() == [one.p_value for one in others]
    assert found["p_corrected"].tolist() == found["p_value"].tolist()


def test_intervals_are_of_sacrebleus_resamples(monkeypatch: Any) -> None:
    """Intervals are quantiles of the resampled scores whose mean and width sacreBLEU reports."""
    from sacrebleu import significance

    seen: list[Any] = []

    def noted(scores: Any) -> Any:
        seen.append(np.array(scores))
        return original(scores)

    original = significance.estimate_ci
    monkeypatch.setattr(significance, "estimate_ci", noted)
    sacrebleu_results(EXAMPLE, "bs", 500)
    first, second = (scores / 100 for scores in seen)
    for method in TESTS:
        [found] = EXAMPLE.bleu.compare(convention="sacrebleu", n_resamples=500, level=0.9, method=method).to_dict(
            "records"
        )
        for name, scores in (("baseline", first), ("score", second), ("difference", second - first)):
            bounds = [found[f"{name}_low"], found[f"{name}_high"]]
            assert bounds == pytest.approx(np.quantile(scores, [0.05, 0.95]), abs=1e-6)  # it scores in float32


def test_example_data() -> None:
    [row] = EXAMPLE.bleu.compare().to_dict("records")
    assert (row["baseline"], row["system"]) == ("direct", "pivot")
    assert (round(100 * row["baseline_score"], 2), round(100 * row["score"], 2)) == (31.61, 27.39)
    assert row["difference"] == row["score"] - row["baseline_score"]
    assert row["p_value"] == row["p_corrected"] == sacrebleu_results(EXAMPLE, "bs", 1000)[1].p_value
    assert (row["segments"], row["segments_missing"]) == (240, 0)
    assert row["baseline_low"] < row["baseline_score"] < row["baseline_high"]


def close_pair() -> tuple[Any, Any, Any]:
    """Return a frame of a system and one that differs in each eighth segment, and the components of both."""
    counts = {name: COUNTS[COUNTS["system"] == name].reset_index(drop=True) for name in PAIR}
    close = counts["direct"].where(counts["direct"]["id"] % 8 > 0, counts["pivot"]).assign(system="close")
    frame = pd.concat([counts["direct"], close], ignore_index=True)
    first, second = (part.iloc[:, :10].to_numpy() for part in (counts["direct"], close))
    return frame, first, second


def test_p_values_by_hand() -> None:
    """p-values follow the definitions of both tests, on systems so close that p is not the smallest possible."""
    frame, first, second = close_pair()

    def score(rows: Any) -> float:
        return oracles.plain_corpus([rows.sum(axis=0).tolist()])

    difference = score(second) - score(first)
    drawn = np.random.default_rng(12345).choice(240, size=(1000, 240))
    resampled = np.array([score(second[one]) - score(first[one]) for one in drawn])
    kept = np.random.default_rng(12345).integers(2, size=(1000, 240), dtype=bool)[:, :, np.newaxis]
    swapped = np.array([score(np.where(one, second, first)) - score(np.where(one, first, second)) for one in kept])
    for method, chance in (("bootstrap", resampled - resampled.mean()), ("randomization", swapped)):
        [row] = frame.bleu.compare(method=method).to_dict("records")
        assert row["p_value"] == (np.sum(np.abs(chance) >= abs(difference)) + 1) / 1001
        assert 0.02 < row["p_value"] < 0.98
        assert row["difference"] == pytest.approx(difference, rel=1e-12)
        bounds = [row["difference_low"], row["difference_high"]]
        assert bounds == pytest.approx(np.quantile(resampled, [0.025, 0.975]), rel=1e-9)


# ---- SciPy ----


def test_intervals_against_scipy() -> None:
    """Bounds equal SciPy's within Monte-Carlo error; SciPy draws other random numbers."""
    parts = [COUNTS[COUNTS["system"] == name].drop(columns=["system", "id", "domain"]).to_numpy() for name in PAIR]

    def difference(positions: Any) -> float:
        first, second = (oracles.plain_corpus([part[positions.astype(int)].sum(axis=0).tolist()]) for part in parts)
        return second - first

    options: Any = {"method": "percentile", "n_resamples": 2000, "confidence_level": 0.8, "vectorized": False}
    expected = scipy.stats.bootstrap((np.arange(240),), difference, rng=1, **options).confidence_interval
    found = COUNTS.bleu.compare(level=0.8, n_resamples=4000)
    assert found["difference_low"].item() == pytest.approx(expected.low, abs=6e-4)
    assert found["difference_high"].item() == pytest.approx(expected.high, abs=6e-4)


# ---- Chance ----


@pytest.mark.slow
def test_chance_is_significant_as_often_as_it_says() -> None:
    """Of 1,000 pairs of systems that differ by chance only, 5 % (+- 1.5) have p < 0.05."""
    rng = np.random.default_rng(2024)
    n_trials, n_segments = 1000, 100
    pools = COUNTS.drop(columns=["system", "id", "domain"]).to_numpy()
    pools = np.stack((pools[COUNTS["system"] == "direct"], pools[COUNTS["system"] == "pivot"]))
    # Each segment's two translations go to the two systems at random, so that no system is better.
    drawn = rng.integers(240, size=n_trials * n_segments)
    dealt = rng.integers(2, size=len(drawn))
    rows = np.concatenate((pools[dealt, drawn], pools[1 - dealt, drawn]))
    frame = pd.DataFrame(rows, columns=COUNTS.columns[:10])
    trials = np.tile(np.repeat(np.arange(n_trials), n_segments), 2)
    keys: Any = {"system": np.repeat(["a", "b"], len(drawn)), "id": [*range(len(drawn))] * 2, "by": trials}
    share = {}
    for method in TESTS:
        found = bleupandas.compare(frame, **keys, n_resamples=200, method=method)
        assert len(found) == n_trials
        share[method] = (found["p_value"] < 0.05).mean()
    assert share["bootstrap"] == pytest.approx(0.05, abs=0.015)
    assert share["randomization"] == pytest.approx(0.05, abs=0.015)
    # As documented for sacreBLEU's formula.
    found = bleupandas.compare(frame, **keys, n_resamples=200, convention="sacrebleu")
    assert (found["p_value"] < 0.05).mean() == pytest.approx(0.1, abs=0.025)


@pytest.mark.parametrize("method", TESTS)
def test_a_system_against_itself(method: str) -> None:
    direct = EXAMPLE[EXAMPLE["system"] == "direct"]
    both = pd.concat([direct, direct.assign(system="again")])
    for options in ({}, {"metric": "length"}):
        frame = both.assign(length=both["hypothesis"].map(len) / 7)
        [row] = frame.bleu.compare(method=method, **options).to_dict("records")
        assert row["difference"] == row["difference_low"] == row["difference_high"] == 0
        assert row["p_value"] == 1


# ---- The same data in other forms ----


def test_wide_form_equals_long_form() -> None:
    wide = wide_example()
    before = frames.snapshot(wide)
    same(bleupandas.compare(wide, hypothesis=PAIR), EXAMPLE.bleu.compare())
    same(wide.bleu.compare(hypothesis=PAIR, by="domain"), EXAMPLE.bleu.compare(by="domain"))
    assert frames.snapshot(wide)[:4] == before[:4]


def test_components_equal_tokens() -> None:
    before = frames.snapshot(COUNTS)
    same(COUNTS.bleu.compare(), EXAMPLE.bleu.compare())
    assert frames.snapshot(COUNTS)[:4] == before[:4]
    assert COUNTS.bleu.compare(smoothing="floor", effective_order=True)["score"].item() == pytest.approx(
        EXAMPLE[EXAMPLE["system"] == "pivot"].bleu.corpus(smoothing="floor", effective_order=True).score
    )


@settings(max_examples=examples(25))
@given(st.randoms(use_true_random=False))
def test_order_of_the_second_systems_rows_does_not_matter(random: Any) -> None:
    second = [*range(1, 480, 2)]
    random.shuffle(second)
    same(COUNTS.iloc[[*range(0, 480, 2), *second]].bleu.compare(n_resamples=50), COUNTS.bleu.compare(n_resamples=50))


@settings(max_examples=examples(10))
@given(st.permutations(range(480)))
def test_order_of_rows_changes_no_score(order: Any) -> None:
    found = COUNTS.iloc[order].bleu.compare(baseline="direct", n_resamples=200)
    expected = COUNTS.bleu.compare()
    columns = ["baseline", "system", "baseline_score", "score", "difference", "segments"]
    same(found[columns], expected[columns])
    assert found["difference_low"].item() == pytest.approx(expected["difference_low"].item(), abs=0.008)


def test_seed() -> None:
    same(COUNTS.bleu.compare(seed=7), COUNTS.bleu.compare(seed=7))
    lows = {COUNTS.bleu.compare(seed=seed)["score_low"].item() for seed in (12345, 7, None, None)}
    assert len(lows) == 4


def test_reordered_ids_of_wide_form_are_its_index() -> None:
    frame = wide_example()
    frame.index = pd.Index([1] * 240)  # the index pairs nothing
    same(frame.bleu.compare(hypothesis=PAIR), EXAMPLE.bleu.compare())


# ---- Several systems ----


def test_three_systems_against_a_baseline() -> None:
    frame = three()
    found = frame.bleu.compare(baseline="pivot")
    assert found[["baseline", "system"]].to_numpy().tolist() == [["pivot", "direct"], ["pivot", "third"]]
    for i, name in enumerate(["direct", "third"]):
        alone = frame[frame["system"].isin(["pivot", name])].bleu.compare(baseline="pivot", correction="none")
        shared = [column for column in COLUMNS if column != "p_corrected"]
        same(found[i : i + 1].reset_index(drop=True)[shared], alone[shared])


@pytest.mark.parametrize("correction", ["holm", "benjamini-hochberg", "none"])
def test_all_pairs_and_corrections(correction: str) -> None:
    found = three().bleu.compare(pairs="all", by="domain", correction=correction, seed=3)
    pairs = [["direct", "pivot"], ["direct", "third"], ["pivot", "third"]]
    assert found[["baseline", "system"]].to_numpy().tolist() == pairs * 4
    p = found["p_value"].to_numpy()
    ranked = sorted(p)
    expected = {
        "none": p,
        "benjamini-hochberg": scipy.stats.false_discovery_control(p),
        "holm": [min(1.0, max(q * (12 - i) for i, q in enumerate(ranked) if q <= own)) for own in p],
    }
    assert found["p_corrected"].tolist() == pytest.approx(list(expected[correction]), rel=1e-12)


# ---- Slices and clusters ----


@pytest.mark.parametrize("method", TESTS)
@pytest.mark.parametrize("form", ["long", "wide", "components"])
def test_slices_equal_compare_on_the_slice(method: str, form: str) -> None:
    frame, options = {
        "long": (EXAMPLE, {}),
        "wide": (wide_example(), {"hypothesis": PAIR}),
        "components": (COUNTS, {}),
    }[form]
    given: Any = {"method": method, "n_resamples": 100, "correction": "none", **options}
    found = bleupandas.compare(frame, by="domain", **given)
    assert found.index.identical(bleupandas.corpus(COUNTS, by="domain").index)
    for name, part in frame.groupby("domain"):
        same(found.loc[[name]].reset_index(drop=True), bleupandas.compare(part, **given))


def test_by_two_keys_and_empty_groups() -> None:
    day = pd.to_datetime("2024-05-01") + pd.to_timedelta(EXAMPLE["id"] // 200 * 2, "D")
    found = EXAMPLE.assign(day=day).bleu.compare(by=[pd.Grouper(key="day", freq="D"), "domain"], n_resamples=20)
    assert found.index.names == ["day", "domain"]
    days = EXAMPLE.assign(day=day).bleu.compare(by=pd.Grouper(key="day", freq="D"), n_resamples=20)
    assert days["segments"].tolist() == [199, 0, 41]
    assert days["score"].isna().tolist() == days["p_value"].isna().tolist() == [False, True, False]


def test_a_group_of_one_segment_has_scores_and_no_test() -> None:
    found = EXAMPLE[EXAMPLE["id"] <= 2].bleu.compare(by=lambda i: i // 2, smoothing="floor")
    assert found[["baseline_score", "score", "difference"]].notna().all(axis=None)
    assert (
        found[[column for column in FLOATS if column not in ("baseline_score", "score", "difference")]]
        .isna()
        .all(axis=None)
    )
    assert found["segments"].tolist() == [1, 1]


@pytest.mark.parametrize("method", TESTS)
def test_clusters_of_one_segment_equal_no_clusters(method: str) -> None:
    found = EXAMPLE.bleu.compare(cluster="id", method=method)
    assert found.columns.tolist() == [*COLUMNS, "clusters"]
    assert found.pop("clusters").tolist() == [240]
    same(found, EXAMPLE.bleu.compare(method=method))


@pytest.mark.parametrize("method", TESTS)
def test_clusters_equal_their_sums(method: str) -> None:
    """Documents as clusters give the same as documents as rows of sums."""
    document = EXAMPLE["id"] % 17
    sums = EXAMPLE.bleu.corpus(by=["system", document.rename("id")]).reset_index()
    expected = sums.sort_values(
        ["id", "system"], key=lambda c: c.map(lambda one: one if isinstance(one, str) else (one - 1) % 17)
    )
    found = EXAMPLE.bleu.compare(cluster=document, method=method)
    scores = [column for column in COLUMNS if not column.startswith("segments")]
    same(found[scores], expected.bleu.compare(method=method)[scores])
    assert (found["clusters"].item(), found["segments"].item()) == (17, 240)


def test_clusters_are_wider_than_segments() -> None:
    frame = numbers_frame(n=200)
    document = frame["id"] // 10
    frame["comet"] += np.where(frame["system"] == "b", np.random.default_rng(1).normal(size=20)[document], 0)
    widths = [
        (one["difference_high"] - one["difference_low"]).item()
        for one in (frame.bleu.compare(metric="comet"), frame.bleu.compare(metric="comet", cluster=document))
    ]
    assert widths[1] > 1.5 * widths[0]


# ---- Shapes ----


@pytest.mark.parametrize(
    "options", [{}, {"errors": "coerce"}, {"by": "domain"}, {"cluster": "domain"}, {"metric": "id"}]
)
def test_columns_and_dtypes_do_not_depend_on_the_data(options: Any) -> None:
    full = EXAMPLE.bleu.compare(n_resamples=10, **options)
    empty = EXAMPLE[:0].bleu.compare(n_resamples=10, **options)
    assert full.columns.tolist() == COLUMNS + ["clusters"] * ("cluster" in options)
    assert len(empty) == 0
    assert empty.dtypes.tolist() == full.dtypes.tolist()
    assert empty.index.dtype == full.index.dtype


def test_wide_form_without_rows() -> None:
    found = wide_example()[:0].bleu.compare(hypothesis=PAIR)
    assert found[["baseline", "system", "segments"]].to_numpy().tolist() == [["direct", "pivot", 0]]
    assert found[FLOATS].isna().all(axis=None)
    assert found.dtypes.tolist() == EXAMPLE.bleu.compare(n_resamples=2).dtypes.tolist()


def test_accessor_fills_in_what_is_bound() -> None:
    frame = EXAMPLE.rename(columns={"hypothesis": "mt", "references": "refs"})
    bound = frame.bleu(hypothesis="mt", references="refs", max_order=2)
    same(bound.compare(), EXAMPLE.bleu.compare(max_order=2))


def test_random_segments_of_any_settings() -> None:
    """Scores equal those of corpus() with any settings."""
    segments = naive.random_segments(8, 30)
    both = [
        frames.objects(part).frame.assign(system=name, id=range(15))
        for name, part in (("a", segments[:15]), ("b", segments[15:]))
    ]
    frame: Any = pd.concat(both, ignore_index=True)
    for options in ({"smoothing": "method5"}, {"weights": [0.7, 0.3]}, {"max_order": 6}, {"smoothing": "add-k"}):
        found = frame.bleu.compare(n_resamples=5, **options)
        expected = frame.bleu.corpus(by="system", **options)["score"]
        assert [found["baseline_score"].item(), found["score"].item()] == expected.tolist()
