"""explain(): shares that add up, where rows come from, dtypes, and bad input."""

import itertools
import math
from dataclasses import replace
from typing import Any

import frames
import numpy as np
import pandas as pd
import pytest
import strategies
from explained import check_numbers, check_shares, frame, orders_of, random_components
from hypothesis import given
from hypothesis import strategies as st

import bleupandas
from bleupandas.common import get_problem
from bleupandas.counting.ngram_rows import TEXT
from bleupandas.explaining.causes import CAUSES
from bleupandas.reading.component_columns import component_names
from bleupandas.scoring.smoothing import METHODS

EXAMPLE = bleupandas.load_example()
COMPONENTS = bleupandas.components(EXAMPLE, max_order=6)
SETTINGS: list[dict[str, Any]] = [
    {"smoothing": method, "effective_order": effective, "max_order": order}
    for method, effective, order in itertools.product(METHODS, [False, True], [1, 2, 4, 5])
]
SETTINGS += [
    {"smoothing": method, "effective_order": effective, "weights": weights}
    for method, effective in itertools.product(["none", "floor", "add-k", "method7"], [False, True])
    for weights in ([0.7, 0.3], [0.5, 0.25], [0.1, 0.2, 0.3, 0.4], [0, 1], [1, 0, 2.5, 0])
]
SETTINGS += [
    {"convention": convention, "smoothing": method, "max_order": order}
    for convention, method, order in itertools.product(["nltk", "sacrebleu"], [None, *METHODS], [2, 4])
]


def accessor(df: pd.DataFrame) -> Any:
    """``df.bleu``, which type checkers do not know."""
    return df.bleu


# ---- Shares ----


@pytest.mark.parametrize("settings", SETTINGS, ids=lambda s: "-".join(map(str, s.values())))
def test_shares_add_up(settings: dict[str, Any]) -> None:
    for components in (COMPONENTS.iloc[::4], random_components(3, 30)):
        explained = components.bleu.explain(**settings)
        expected = components.bleu.score(**settings) if settings.get("convention") != "nltk" else None
        if expected is not None:
            pd.testing.assert_series_equal(explained["score"], expected, check_exact=True)
        check_shares(explained)
        check_numbers(explained)


weights = st.lists(st.sampled_from([0, 0.1, 0.25, 0.5, 1, 3]), min_size=1, max_size=5).filter(any)


@given(strategies.segment_lists(), st.sampled_from(METHODS), st.booleans(), weights)
def test_random_frames(segments: list[frames.Segment], method: str, effective: bool, weighted: list[float]) -> None:
    df = strategies.frame_of(segments)
    explained = df.bleu.explain(smoothing=method, effective_order=effective, weights=weighted)
    check_shares(explained)
    check_numbers(explained)
    assert explained["main_cause"].isin(CAUSES[1:]).all()


def test_shares_by_hand() -> None:
    explained = frame(("a b c d", ["a b c e f"])).bleu.explain(smoothing="none", max_order=2).loc[0]
    assert explained["share_brevity"] == pytest.approx(1 - 5 / 4, abs=1e-15)
    assert explained["share_1"] == pytest.approx(math.log(3 / 4) / 2, abs=1e-15)
    assert explained["share_2"] == pytest.approx(math.log(2 / 3) / 2, abs=1e-15)


def test_left_out_orders_take_nothing_and_the_others_more() -> None:
    explained = frame(("a b", ["a c"])).bleu.explain(epsilon=0.5).loc[0]
    assert [explained[f"share_{n}"] for n in (1, 2, 3, 4)] == [math.log(0.5) / 2, math.log(0.5) / 2, 0, 0]


def test_an_order_without_weight_takes_nothing() -> None:
    explained = frame(("a b c d", ["a x y d"])).bleu.explain(weights=[1, 0], smoothing="none").loc[0]
    assert (explained["share_1"], explained["share_2"]) == (math.log(0.5), 0)
    assert explained["reason"].startswith("Some words differ: 2 of 4 tokens and 0 of 3 2-grams matched.")


@pytest.mark.parametrize(
    ("hypothesis", "settings", "order", "text"),
    [
        ("a x b y c", {"smoothing": "none"}, 2, "3 of 5 tokens and 0 of 4 2-grams matched, so the score is 0."),
        ("a b x c y", {"smoothing": "none"}, 3, "3 of 5 tokens, 1 of 4 2-grams and 0 of 3 3-grams matched, so the "),
        ("a b x c y", {"weights": [1, 1, 0, 1], "smoothing": "none"}, 4, "and 0 of 2 4-grams matched, so the score"),
        ("a b", {"smoothing": "floor", "effective_order": False}, 3, "and there is no 3-gram, so the score is 0"),
        ("x y z", {}, 1, "0 of 3 tokens (1-grams) matched, so the score is 0: "),
        ("x y z", {"weights": [0, 1]}, 1, "0 of 3 tokens (1-grams) matched, so the score is 0: "),
        ("", {}, 1, "no 1-gram can match, so the score is 0"),
        ("a x b y c z", {"smoothing": "method4", "k": 1e200}, 3, "0 of 5 2-grams and 0 of 4 3-grams matched, so the "),
        ("a", {"weights": [0, 1]}, 2, "and there is no 2-gram, so the score is 0"),
    ],
)
def test_first_zero_order(hypothesis: str, settings: dict[str, Any], order: int, text: str) -> None:
    explained = frame((hypothesis, ["a b c d e f"])).bleu.explain(**settings).loc[0]
    assert explained["score"] == 0
    assert explained["first_zero_order"] == order
    assert text in explained["reason"]


def test_a_penalty_too_small_for_a_number() -> None:
    explained = strategies.frame_of([(["a"], [["a"] * 2000])]).bleu.explain().loc[0]
    assert (explained["score"], explained["main_cause"]) == (0, "brevity")
    assert explained["first_zero_order"] is pd.NA
    assert explained["reason"] == (
        "The hypothesis is short: it has 1 token, the closest reference 2000, so the brevity penalty is 0; "
        "1 of 1 token matched, and the score is too small to differ from 0."
    )


# ---- Where it comes from ----


def test_sums_have_the_defaults_of_corpus() -> None:
    sums = EXAMPLE.bleu.corpus(by=["system", "domain"])
    explained = sums.bleu.explain()
    both = [name for name in sums.columns if name in explained.columns]
    assert len(both) == 17
    pd.testing.assert_frame_equal(explained[both], sums[both], check_dtype=False, check_exact=True)
    assert "smoothed_precision_1" not in explained
    assert explained["segments"].tolist() == [60] * 8
    check_shares(explained)
    check_numbers(explained)
    again = explained.bleu.explain()
    pd.testing.assert_frame_equal(again, explained)
    assert "smoothed_precision_1" in sums.bleu.explain(smoothing="exp")
    assert "smoothed_precision_1" in sums.drop(columns="segments").bleu.explain()


def test_a_group_without_segments() -> None:
    kinds = pd.Categorical(EXAMPLE["system"], categories=["direct", "pivot", "human"])
    explained = EXAMPLE.assign(kind=kinds).bleu.corpus(by="kind", observed=False).bleu.explain()
    assert explained["main_cause"].tolist() == ["word choice", "word choice", "not scored"]
    assert explained["reason"]["human"] == "No score: this row has no segments."
    assert np.isnan(explained["score"]["human"])
    assert explained["share_1"].isna().tolist() == [False, False, True]


def test_nltk_explains_sums_and_reports_where_it_raises() -> None:
    explained = EXAMPLE.bleu.corpus(by="system").bleu.explain(convention="nltk")
    assert (explained["score"] > 0).all()
    refused = frame(("a b x c d", ["a b c d e"])).bleu.explain(convention="nltk", smoothing="method6").loc[0]
    assert (refused["main_cause"], refused["reason"]) == (
        "not scored",
        "No score: NLTK's method6 raises where no trigram matches.",
    )
    assert (refused["matches_1"], refused["precision_1"]) == (4, 0.8)
    assert np.isnan(refused["score"])
    assert np.isnan(refused["share_1"])


def test_components_rows_may_be_missing() -> None:
    components = COMPONENTS.astype("float64")
    components.iloc[3, 2] = np.nan
    explained = components.bleu.explain()
    assert explained["candidate_length"].dtype == "Int64"
    assert explained["score"].dtype == "float64"
    row = explained.loc[3]
    assert (row["main_cause"], row["reason"]) == ("not scored", "The components of this row are missing.")
    assert row.drop(["main_cause", "reason"]).isna().all()
    whole = COMPONENTS.bleu.explain()
    pd.testing.assert_frame_equal(explained.drop(index=3), whole.drop(index=3))


def test_a_series_gives_a_series() -> None:
    sums = COMPONENTS.sum()
    explained = sums.bleu.explain()
    assert isinstance(explained, pd.Series)
    assert explained.name is None
    assert explained["score"] == sums.bleu.score()
    assert explained["main_cause"] == "word choice"
    assert COMPONENTS.loc[7].bleu.explain().name == 7
    from_corpus = EXAMPLE.bleu.corpus().to_series().bleu.explain()
    assert from_corpus["score"] == EXAMPLE.bleu.corpus().score
    assert from_corpus["segments"] == 480
    unknown = sums.bleu.corpus().to_series().bleu.explain()
    assert unknown["main_cause"] == "word choice"
    assert "segments" not in unknown


def test_tokens_and_components_give_the_same(engine: str) -> None:
    few = EXAMPLE.head(60)
    explained = few.bleu.explain(smoothing="method5")
    other = few.bleu.components(max_order=5).bleu.explain(smoothing="method5")
    pd.testing.assert_frame_equal(explained, other, check_dtype=False, check_exact=True)
    assert other.dtypes["totals_5"] == "Int64"
    assert explained.dtypes["totals_5"] == "int64"


def test_binding_and_index() -> None:
    named = EXAMPLE.head(5).rename(columns={"hypothesis": "mt", "references": "refs"}).set_index(["id", "system"])
    before = named.copy()
    explained = accessor(named)(hypothesis="mt", references="refs", max_order=2).explain()
    pd.testing.assert_frame_equal(named, before)
    assert explained.index.equals(named.index)
    assert explained.index is named.index
    assert orders_of(explained, "share") == ["share_1", "share_2"]
    pd.testing.assert_frame_equal(explained, bleupandas.explain(named, hypothesis="mt", references="refs", max_order=2))


def test_awkward_frames(awkward_frame: frames.Case, engine: str) -> None:
    explained = awkward_frame.frame.bleu.explain(**awkward_frame.columns)
    assert explained.index.equals(awkward_frame.frame.index)
    check_shares(explained.reset_index(drop=True))
    check_numbers(explained.reset_index(drop=True))


# ---- Columns, coerce, zero rows ----


def dtypes(nullable: bool, orders: int = 4, smoothed: bool = True) -> dict[str, Any]:
    real, whole = ("Float64", "Int64") if nullable else ("float64", "int64")
    ns = range(1, orders + 1)
    expected: dict[str, Any] = {"score": real, "main_cause": TEXT, "reason": TEXT, "first_zero_order": "Int64"}
    expected |= dict.fromkeys(["brevity_penalty", "share_brevity", *(f"precision_{n}" for n in ns)], real)
    expected |= dict.fromkeys([f"smoothed_precision_{n}" for n in ns if smoothed], real)
    expected |= dict.fromkeys([f"share_{n}" for n in ns], real)
    return expected | dict.fromkeys(component_names(orders), whole)


@pytest.mark.parametrize("errors", ["raise", "coerce"])
@pytest.mark.parametrize("rows", [0, 1, 480])
@pytest.mark.parametrize(("smoothing", "smoothed"), [("none", False), ("exp", True)])
def test_columns_do_not_depend_on_the_data(errors: str, rows: int, smoothing: str, smoothed: bool) -> None:
    explained = EXAMPLE.head(rows).bleu.explain(errors=errors, smoothing=smoothing)
    assert len(explained) == rows
    expected = dtypes(errors == "coerce", smoothed=smoothed)
    assert list(explained.columns) == list(expected)
    assert (explained.dtypes == pd.Series(expected)).all()


def test_zero_rows_of_components() -> None:
    empty, some = COMPONENTS.head(0).bleu.explain(max_order=2), COMPONENTS.head(2).bleu.explain(max_order=2)
    assert empty.dtypes.equals(some.dtypes)
    assert len(empty) == 0


def test_a_row_that_cannot_be_read(engine: str) -> None:
    df = frame(("a b c d", ["a b c d"]), ("a b c d", ["a b c x"]), ("a b", ["a b"]), ("x", ["y"]))
    df.index = pd.Index(["one", "two", "three", "four"])
    df.at["two", "hypothesis"] = None
    df["references"] = frames.cells([[["a", "b", "c", "d"]], [["a"]], [["a", 5]], [["y"]]]).array
    explained = df.bleu.explain(errors="coerce")
    assert explained["main_cause"].tolist() == ["perfect", "not scored", "not scored", "no match"]
    for label in ("two", "three"):
        with pytest.raises((TypeError, ValueError)) as caught:
            df.loc[[label]].bleu.components()
        problem = get_problem(caught.value)
        assert problem is not None
        problem = replace(problem.in_part(list(df.index).index(label)), offer="")  # coerce was passed
        assert explained["reason"][label] == problem.message()
        assert explained.loc[label].drop(["main_cause", "reason"]).isna().all()
    assert (explained.dtypes == pd.Series(dtypes(nullable=True))).all()
    with pytest.raises(ValueError, match="row 'two' \\(position 1\\): the hypothesis is missing"):
        df.bleu.explain()


# ---- Bad input ----

KEYWORDS = (
    "its keywords are hypothesis, references, max_order, convention, smoothing, weights, effective_order, epsilon, k, "
    "alpha, errors, threads, components"
)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("smooth", "'smooth'; did you mean 'smoothing'?"),
        ("max_n_gram", "'max_n_gram'; did you mean 'max_order'?"),
        ("by", "'by';"),
    ],
)
def test_bad_keywords(name: str, text: str) -> None:
    with pytest.raises(TypeError) as caught:
        EXAMPLE.bleu.explain(**{name: 1})
    assert str(caught.value) == f"explain() has no keyword {text} {KEYWORDS}"


@pytest.mark.parametrize(
    ("name", "value", "error", "message"),
    [
        ("max_order", [1, 2], TypeError, "max_order is a whole number from 1 to 8, not [1, 2]"),
        ("max_order", 9, ValueError, "max_order is a whole number from 1 to 8, not 9"),
        (
            "convention",
            "papper",
            ValueError,
            "convention is one of 'paper', 'sacrebleu', 'nltk', not 'papper'; did you mean 'paper'?",
        ),
        ("errors", "ignore", ValueError, "errors is one of 'raise', 'coerce', not 'ignore'"),
    ],
)
def test_bad_values(name: str, value: object, error: type[Exception], message: str) -> None:
    with pytest.raises(error) as caught:
        EXAMPLE.bleu.explain(**{name: value})
    assert str(caught.value) == message


def test_neither_frame_nor_series() -> None:
    with pytest.raises(TypeError) as caught:
        bleupandas.explain([["a"]])  # type: ignore[call-overload]
    assert str(caught.value) == "explain() takes a pandas DataFrame, not list"
