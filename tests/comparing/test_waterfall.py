"""waterfall(): contributions add up to ln BLEU, or to the difference of two systems."""

import math
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
NAMES = ["brevity_penalty", "precision_1", "precision_2", "precision_3", "precision_4"]
COLUMNS = ["baseline", "system", "factor", "baseline_value", "value", "contribution"]
SCORES = EXAMPLE.bleu.corpus(by="system")


def shorter() -> Any:
    """Return the example data with a system that leaves out two words of each longer sentence, and a third one."""
    third = EXAMPLE[EXAMPLE["system"] == "direct"].assign(system="short")
    cells = [tokens[:-2] if len(tokens) > 6 else tokens for tokens in third["hypothesis"]]
    return pd.concat([EXAMPLE, third.assign(hypothesis=frames.cells(cells, third.index))], ignore_index=True)


# ---- One corpus ----


def test_one_corpus() -> None:
    found = EXAMPLE.bleu.waterfall()
    score = EXAMPLE.bleu.corpus()
    assert found.columns.tolist() == ["factor", "value", "contribution"]
    assert [str(kind) for kind in found.dtypes] == ["str", "float64", "float64"]
    assert found["factor"].tolist() == NAMES
    assert found["value"].tolist() == [score.brevity_penalty, *score.precisions]
    expected = [math.log(score.brevity_penalty), *(math.log(p) / 4 for p in score.precisions)]
    assert found["contribution"].tolist() == pytest.approx(expected, rel=1e-14)
    assert found["contribution"].sum() == pytest.approx(math.log(score.score), rel=0, abs=1e-12)


@pytest.mark.parametrize(
    "options",
    [
        {"smoothing": "exp"},
        {"weights": [0.7, 0.0, 0.1], "smoothing": "floor"},
        {"max_order": 8, "smoothing": "method5"},
        {"effective_order": True, "max_order": 5},
        {"convention": "sacrebleu"},
    ],
    ids=str,
)
def test_settings_of_corpus(options: dict[str, Any]) -> None:
    for part in (EXAMPLE, EXAMPLE.iloc[[3, 50, 51, 216]]):
        score = part.bleu.corpus(**options)
        found = part.bleu.waterfall(**options)
        assert found["value"].tolist() == pytest.approx(
            [score.brevity_penalty, *score.smoothed_precisions], rel=0, abs=0, nan_ok=True
        )
        assert found["contribution"].sum() == pytest.approx(math.log(score.score), rel=0, abs=1e-12)


def test_components_do_as_well() -> None:
    counted = EXAMPLE.bleu.components()
    expected = EXAMPLE.bleu.waterfall()
    pd.testing.assert_frame_equal(counted.bleu.waterfall(), expected)
    pd.testing.assert_frame_equal(EXAMPLE.bleu.corpus(by="domain").bleu.waterfall(), expected)
    pd.testing.assert_frame_equal(EXAMPLE.sample(frac=1, random_state=3).bleu.waterfall(), expected)


def test_rows_that_cannot_be_read() -> None:
    frame = EXAMPLE.copy()
    frame.at[5, "hypothesis"] = None
    found = frame.bleu.waterfall(errors="coerce")
    pd.testing.assert_frame_equal(found, EXAMPLE.drop(index=[5]).bleu.waterfall())
    pair = frame.bleu.waterfall(system="system", errors="coerce")
    same = EXAMPLE[EXAMPLE["id"] != EXAMPLE.at[5, "id"]].bleu.waterfall(system="system")
    pd.testing.assert_frame_equal(pair, same)


# ---- Differences ----


def test_difference_of_the_example_data() -> None:
    before = frames.snapshot(EXAMPLE)
    found = EXAMPLE.bleu.waterfall(system="system", id="id")
    assert frames.snapshot(EXAMPLE)[:4] == before[:4]
    assert found.columns.tolist() == COLUMNS
    assert found["factor"].tolist() == NAMES
    assert set(found["baseline"]) == {"direct"}
    assert set(found["system"]) == {"pivot"}
    columns = ["brevity_penalty", *(f"precision_{n}" for n in range(1, 5))]
    assert found["baseline_value"].tolist() == SCORES.loc["direct", columns].tolist()
    assert found["value"].tolist() == SCORES.loc["pivot", columns].tolist()
    difference = math.log(SCORES.at["pivot", "score"]) - math.log(SCORES.at["direct", "score"])
    assert found["contribution"].sum() == pytest.approx(difference, rel=0, abs=1e-12)
    for row in found.to_dict("records")[1:]:
        expected = math.log(row["value"] / row["baseline_value"]) / 4
        assert row["contribution"] == pytest.approx(expected, rel=1e-12)


def test_three_systems() -> None:
    frame = shorter()
    scores = frame.bleu.corpus(by="system")["score"]
    for baseline in ("direct", "pivot", "short"):
        found = frame.bleu.waterfall(system="system", baseline=baseline)
        assert found.index.tolist() == list(range(10))
        for name, part in found.groupby("system"):
            difference = math.log(scores[name]) - math.log(scores[baseline])
            assert part["contribution"].sum() == pytest.approx(difference, rel=0, abs=1e-12)
            assert part["factor"].tolist() == NAMES
    short = frame.bleu.waterfall(system="system").query("system == 'short'").iloc[0]
    score = frame[frame["system"] == "short"].bleu.corpus()
    ratio = score.reference_length / score.candidate_length
    assert ratio > 1
    assert short["contribution"] == pytest.approx(1 - ratio, rel=1e-12)  # the others are not penalised


def test_wide_form_and_the_other_way_round() -> None:
    parts = {name: part.set_index("id") for name, part in EXAMPLE.groupby("system")}
    wide: Any = parts["direct"].assign(pivot=parts["pivot"]["hypothesis"]).rename(columns={"hypothesis": "direct"})
    found = wide.bleu.waterfall(hypothesis=["direct", "pivot"])
    pd.testing.assert_frame_equal(found, EXAMPLE.bleu.waterfall(system="system"), check_dtype=False)
    other = wide.bleu.waterfall(hypothesis=["direct", "pivot"], baseline="pivot")
    assert (other["contribution"] == -found["contribution"]).all()


@settings(max_examples=examples(60))
@given(
    segment_lists(most=6), st.sampled_from(["exp", "floor", "add-k"]), st.booleans(), st.integers(1, 5), st.randoms()
)
def test_contributions_add_up(
    segments: list[frames.Segment], smoothing: str, effective: bool, max_order: int, random: Any
) -> None:
    first = frame_of(segments).assign(system="a", id=range(len(segments)))
    other = [(random.sample(tokens, len(tokens)), references) for tokens, references in segments]
    frame = pd.concat([first, frame_of(other).assign(system="b", id=range(len(segments)))])
    options: dict[str, Any] = {"smoothing": smoothing, "effective_order": effective, "max_order": max_order}
    scores = frame.bleu.corpus(by="system", **options)["score"] if segments else pd.Series([0.0])
    if (scores > 0).all():
        found = frame.bleu.waterfall(system="system", **options)
        assert not found["contribution"].isna().any()
        difference = math.log(scores["b"]) - math.log(scores["a"])
        assert found["contribution"].sum() == pytest.approx(difference, rel=0, abs=1e-12)
        shuffled = frame.sample(frac=1, random_state=1)
        pd.testing.assert_frame_equal(shuffled.bleu.waterfall(system="system", baseline="a", **options), found)
    else:
        with pytest.raises(ValueError, match=r"of system .* is 0: |the frame has no system"):
            frame.bleu.waterfall(system="system", **options)


# ---- Scores of 0, and other refusals ----

ZEROS: dict[str, tuple[list[tuple[str, str]], dict[str, Any], str]] = {
    "nothing": ([], {}, "there is no hypothesis token; pass rows with tokens"),
    "empty": ([("", "a b")], {}, "there is no hypothesis token; pass rows with tokens"),
    "no match": ([("x y", "a b")], {"smoothing": "exp"}, "none of 2 tokens matched; look at the input with audit()"),
    "no 2-gram": (
        [("b a c d", "a b c x d")],
        {},
        "none of 3 2-grams matched; pass smoothing, such as smoothing='exp', or a smaller max_order",
    ),
    "too short": ([("a b c", "a b c")], {}, "there are no 4-grams; pass a smaller max_order"),
    "order 3 only": (
        [("b a c d", "a b c x d")],
        {"weights": [0, 0, 1]},
        "none of 2 3-grams matched; pass smoothing, such as smoothing='exp', or a smaller max_order",
    ),
}


@pytest.mark.parametrize("case", ZEROS.values(), ids=ZEROS)
def test_a_score_of_zero_is_explained(case: tuple[list[tuple[str, str]], dict[str, Any], str]) -> None:
    pairs, options, why = case
    columns = {"hypothesis": [h.split() for h, _ in pairs], "references": [[r.split()] for _, r in pairs]}
    frame: Any = pd.DataFrame(columns)
    with pytest.raises(ValueError) as error:  # compared below, as a whole  # noqa: PT011
        frame.bleu.waterfall(**options)
    assert str(error.value) == f"waterfall() splits ln BLEU, and the score of the corpus is 0: {why}"
    if pairs:
        both = pd.concat([frame.assign(system=7, id=0), EXAMPLE.head(1).assign(system=8, id=0)])
        with pytest.raises(ValueError) as error:  # noqa: PT011
            both.bleu.waterfall(system="system", **options)
        assert str(error.value) == f"waterfall() splits ln BLEU, and the score of system 7 is 0: {why}"


def test_refusals() -> None:
    with pytest.raises(ValueError, match=r"waterfall\(\) has baseline=, which needs several systems"):
        EXAMPLE.bleu.waterfall(baseline="pivot")
    with pytest.raises(ValueError, match="baseline is one of the systems 'direct', 'pivot', not 'x'"):
        EXAMPLE.bleu.waterfall(system="system", baseline="x")
    with pytest.raises(TypeError, match=r"waterfall\(\) has no keyword 'n'; did you mean 'max_order'\?"):
        EXAMPLE.bleu.waterfall(n=4)
    with pytest.raises(TypeError, match=r"waterfall\(\) takes a pandas DataFrame, not int"):
        bleupandas.waterfall(3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="is for score"):
        EXAMPLE.bleu.waterfall(convention="nltk")
    assert np.isfinite(EXAMPLE.head(1).bleu.waterfall(smoothing="exp")["contribution"]).all()
