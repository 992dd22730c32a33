"""corpus(by=...): whatever groupby takes, rows that equal corpus() of each part, margins."""

import math
from typing import Any

import awkward
import frames
import naive
import numpy as np
import oracles
import pandas as pd
import pytest
from strategies import frame_of

import bleupandas

SEGMENTS = naive.random_segments(31, 24)
ROWS = frames.component_rows(SEGMENTS)
COUNTS = [f"{kind}_{n}" for kind in ("matches", "totals") for n in range(1, 5)]
COLUMNS = [
    *("score", "brevity_penalty", "precision_1", "precision_2", "precision_3", "precision_4"),
    *("candidate_length", "reference_length", "length_ratio", "segments", "segments_missing", *COUNTS),
]
INTEGERS = ["candidate_length", "reference_length", "segments", "segments_missing", *COUNTS]


def with_keys() -> Any:
    frame = frame_of(SEGMENTS)
    frame["system"] = [["nmt", "pbmt", "human"][i % 3] for i in range(24)]
    frame["gaps"] = [[None, "x", "y", "y"][i % 4] for i in range(24)]
    frame["flag"] = np.arange(24) % 5 == 0
    frame["number"] = (np.arange(24) * 7 % 4).astype("int8")
    frame["day"] = pd.date_range("2024-03-01", periods=24, freq="9h")
    frame["sparse_day"] = pd.to_datetime("2024-03-01") + pd.to_timedelta(np.arange(24) // 12 * 4, "D")
    frame["kind"] = pd.Categorical([["b", "a"][i % 2] for i in range(24)], categories=["c", "b", "a"])
    frame["ordered"] = pd.Categorical([["lo", None, "hi"][i % 3] for i in range(24)], ["lo", "mid", "hi"], ordered=True)
    frame["arrow"] = pd.array([["p", None, "q"][i % 3] for i in range(24)], dtype="string[pyarrow]")
    frame["nullable"] = pd.array([[1, None, 2][i % 3] for i in range(24)], dtype="Int64")
    frame[7] = [i // 20 for i in range(24)]
    return frame.set_index(pd.Index(np.arange(24) // 2, name="pair"))


KEYED = with_keys()


def keyed() -> Any:
    """A token frame with keys of every kind, and a named index with duplicates."""
    return KEYED.copy()


def checked(frame: pd.DataFrame, by: Any, **options: Any) -> None:
    """corpus(by=...), compared with a plain groupby of the caller's frame and with the formula of each part."""
    given = {"sort": True, "observed": True, "dropna": False, **options}
    numbered = frame.assign(position=np.arange(len(frame)))
    groups = numbered.groupby(by, **given)["position"]
    expected = groups.agg(list)
    found = bleupandas.corpus(frame, by=by, **options)
    assert type(found) is pd.DataFrame
    assert found.columns.tolist() == COLUMNS
    assert found.index.identical(groups.sum().index)
    assert set(found[INTEGERS].dtypes) == {np.dtype("int64")}
    assert set(found.drop(columns=INTEGERS).dtypes) == {np.dtype("float64")}
    for i, positions in enumerate(expected):
        positions = positions if isinstance(positions, list) else []
        row, part = found.iloc[i], [ROWS[position] for position in positions]
        sums = np.sum(part, axis=0, dtype=int).tolist() if part else [0] * 10
        assert row[["candidate_length", "reference_length", *COUNTS]].tolist() == sums
        assert row["score"] == pytest.approx(oracles.plain_corpus(part), rel=1e-12, abs=0, nan_ok=True)
        assert row["segments"] == len(part)
        assert row["segments_missing"] == 0
        if i < 3:
            single = bleupandas.corpus(frame.iloc[positions]).to_series()
            assert row.tolist() == pytest.approx(single[COLUMNS].tolist(), rel=0, abs=0, nan_ok=True)


# ---- What groupby takes ----

BYS: dict[str, Any] = {
    "label": "system",
    "list of a label": ["system"],
    "two labels": ["system", "flag"],
    "three labels": ["flag", "number", "gaps"],
    "integer label": 7,
    "missing keys": "gaps",
    "missing keys of two": ["gaps", "system"],
    "Arrow strings": "arrow",
    "nullable integers": "nullable",
    "datetimes": "sparse_day",
    "categorical": "kind",
    "ordered categorical with missing": "ordered",
    "two categoricals": ["kind", "flag"],
    "index level name": "pair",
    "index level and column": ["pair", "flag"],
    "Series": keyed()["system"].rename("other"),
    "unnamed Series": keyed()["system"].rename(None),
    "Series and label": [keyed()["flag"], "system"],
    "function of the index": lambda label: label % 3,
    "function and label": [lambda label: label % 3, "flag"],
    "array": np.arange(24) % 5,
    "list of values": ["u", "v", "w", "x"] * 6,
    "Index": pd.Index(np.arange(24) % 2, name="half"),
    "Categorical array": pd.Categorical(["a", "b", "c"] * 8, categories=["z", "c", "b", "a"]),
    "extension array": pd.array([1, None, 2] * 8, dtype="Int64"),
    "array and label": [np.arange(24) % 2, "system"],
    "dict of the index": {0: "first", 1: "first", 2: "second"},
    "Series that maps the index": pd.Series({i: i % 4 for i in range(12)}),
    "Grouper of a column": pd.Grouper(key="system"),
    "Grouper of a level": pd.Grouper(level="pair"),
    "Grouper of days": pd.Grouper(key="day", freq="2D"),
    "Grouper with empty bins": pd.Grouper(key="sparse_day", freq="D"),
    "Grouper in a list": [pd.Grouper(key="sparse_day", freq="D"), "flag"],
    "list of a Grouper": [pd.Grouper(key="sparse_day", freq="D")],
    "Grouper of an integer label": pd.Grouper(key=7),
}


@pytest.mark.parametrize("by", BYS.values(), ids=BYS)
def test_every_kind_of_by(by: Any) -> None:
    frame = keyed()
    before = frames.snapshot(frame)
    checked(frame, by)
    assert frames.snapshot(frame)[:4] == before[:4]


@pytest.mark.parametrize("sort", [True, False])
@pytest.mark.parametrize("dropna", [True, False])
@pytest.mark.parametrize("observed", [True, False])
@pytest.mark.parametrize("by", ["gaps", ["gaps", "flag"], ["flag", "kind"], "ordered"], ids=str)
def test_options_of_groupby(by: Any, sort: bool, dropna: bool, observed: bool) -> None:
    checked(keyed(), by, sort=sort, dropna=dropna, observed=observed)


def test_order_of_appearance() -> None:
    found = keyed().bleu.corpus(by="system", sort=False)
    assert found.index.tolist() == ["nmt", "pbmt", "human"]
    assert keyed().bleu.corpus(by="system").index.tolist() == ["human", "nmt", "pbmt"]


def test_unused_categories() -> None:
    assert keyed().bleu.corpus(by="kind").index.tolist() == ["b", "a"]
    found = keyed().bleu.corpus(by="kind", observed=False)
    assert found.index.tolist() == ["c", "b", "a"]
    assert found["score"].isna().tolist() == [True, False, False]
    assert found.loc["c", ["segments", "candidate_length", "totals_1"]].tolist() == [0, 0, 0]
    assert found.bleu.corpus().score == keyed().bleu.corpus().score


def test_missing_keys_are_a_group_unless_dropped() -> None:
    found = keyed().bleu.corpus(by="gaps")
    assert found.index.isna().tolist() == [False, False, True]
    assert found["segments"].tolist() == [6, 12, 6]
    assert keyed().bleu.corpus(by="gaps", dropna=True).index.tolist() == ["x", "y"]


# ---- The frame that is grouped ----


def test_components_frame_with_keys() -> None:
    tokens = keyed()
    plain = tokens.bleu.components()
    counted = pd.concat([plain.astype("Int32"), tokens.drop(columns=["hypothesis", "references"])], axis=1)
    for by in ("system", ["gaps", "flag"], tokens["kind"], "pair", pd.Grouper(key="day", freq="2D")):
        expected = tokens.bleu.corpus(by=by)
        pd.testing.assert_frame_equal(counted.bleu.corpus(by=by), expected)
    pd.testing.assert_frame_equal(plain.bleu.corpus(by=tokens["system"]), tokens.bleu.corpus(by="system"))
    by_length = counted.bleu.corpus(by="candidate_length")
    assert by_length.index.name == "candidate_length"
    assert by_length["candidate_length"].tolist() == (by_length.index * by_length["segments"]).tolist()


def test_groups_of_groups() -> None:
    """The frame by two keys is a components frame, whose sums by one of them are the same corpora."""
    frame = keyed()
    fine = frame.bleu.corpus(by=["system", "flag"])
    pd.testing.assert_frame_equal(fine.bleu.corpus(by="system"), frame.bleu.corpus(by="system"))
    whole, again = frame.bleu.corpus(), fine.bleu.corpus()
    assert again.to_series().drop("signature").equals(whole.to_series().drop("signature"))
    assert again.segments == len(frame)
    assert fine.iloc[1].bleu.corpus().score == fine["score"].iloc[1]


def test_duplicate_labels_elsewhere() -> None:
    frame = keyed()
    doubled = pd.concat([frame, frame[["flag", "number"]]], axis=1)
    pd.testing.assert_frame_equal(doubled.bleu.corpus(by="system"), frame.bleu.corpus(by="system"))


def test_key_columns_named_as_results() -> None:
    frame = keyed()
    for label in ("matches_1", "segments", "score", "position"):
        renamed = frame.rename(columns={"sparse_day": label})
        for by in (label, pd.Grouper(key=label, freq="D")):
            expected = frame.bleu.corpus(by="sparse_day" if by is label else pd.Grouper(key="sparse_day", freq="D"))
            pd.testing.assert_frame_equal(renamed.bleu.corpus(by=by), expected.rename_axis(label))


def test_multiindex_columns() -> None:
    case = awkward.labelled(
        pd.MultiIndex.from_tuples([("a", "x"), ("mt", "x"), ("a", "y"), ("ref", "y")]), ("mt", "x"), [("ref", "y")]
    )
    mt: Any = case.frame.bleu
    mt = mt(**case.columns)
    for by in (("a", "y"), [("a", "y")]):
        found = mt.corpus(by=by)
        assert found.index.tolist() == ["text"]
        assert found["score"].tolist() == [mt.corpus().score]
    columns = [("mt", "x"), ("ref", "y"), ("system", "z")]
    plain = frames.objects().frame.assign(system=list("abbacc"))
    frame = plain.set_axis(pd.MultiIndex.from_tuples(columns), axis=1)
    found = bleupandas.corpus(frame, **case.columns, by="system")  # the only column below it
    assert found.index.tolist() == ["a", "b", "c"]
    assert found.index.name == "system"


def test_index_levels() -> None:
    frame = keyed().set_index(["system", "kind"], append=True)
    for by in ("system", ["kind", "pair"], ["flag", "kind"], pd.Grouper(level="kind")):
        checked(frame, by)


def test_column_before_index_level_of_the_same_name() -> None:
    frame = keyed()
    frame["pair"] = frame["system"]
    found = frame.bleu.corpus(by="pair")
    assert found.index.tolist() == ["human", "nmt", "pbmt"]


@pytest.mark.parametrize("by", ["system", ["system", "flag"], ["kind"], pd.Grouper(key="day", freq="D")], ids=str)
@pytest.mark.parametrize("margins", [False, True])
def test_zero_rows(by: Any, margins: bool) -> None:
    found = keyed().head(0).bleu.corpus(by=by, margins=margins)
    assert found.columns.tolist() == COLUMNS
    assert len(found) == margins
    assert found["score"].isna().all()
    assert set(found[INTEGERS].dtypes) == {np.dtype("int64")}
    assert set(found.drop(columns=INTEGERS).dtypes) == {np.dtype("float64")}


def test_smoothing_adds_columns() -> None:
    found = keyed().bleu.corpus(by="pair", smoothing="exp")
    smoothed = [f"smoothed_precision_{n}" for n in range(1, 5)]
    assert found.columns.tolist() == [*COLUMNS[:6], *smoothed, *COLUMNS[6:]]
    for pair, row in found.iterrows():
        part = keyed().loc[[pair]].bleu.corpus(smoothing="exp")
        assert row[smoothed].tolist() == pytest.approx(list(part.smoothed_precisions), rel=0, abs=0, nan_ok=True)
        assert row["score"] == part.score


# ---- errors="coerce" ----


def test_segments_missing(engine: str) -> None:
    frame = keyed().reset_index(drop=True)
    bad = [1, 4, 7, 10, 13, 16, 19, 22, 0]  # all of pbmt, one of nmt
    frame["hypothesis"] = frames.cells([None if i in bad else tokens for i, tokens in enumerate(frame["hypothesis"])])
    found = frame.bleu.corpus(by="system", errors="coerce")
    assert found.loc[["human", "nmt", "pbmt"], "segments"].tolist() == [8, 7, 0]
    assert found.loc[["human", "nmt", "pbmt"], "segments_missing"].tolist() == [0, 1, 8]
    assert found["score"].isna().tolist() == [False, False, True]
    assert set(found[INTEGERS].dtypes) == {pd.Int64Dtype()}
    assert set(found.drop(columns=INTEGERS).dtypes) == {pd.Float64Dtype()}
    assert found.loc["nmt", "score"] == pytest.approx(oracles.plain_corpus(ROWS[3::3]), rel=1e-12, abs=0)
    whole, again = frame.bleu.corpus(errors="coerce"), found.bleu.corpus()
    assert (whole.segments, whole.segments_missing) == (15, 9)
    assert again.to_series().drop("signature").equals(whole.to_series().drop("signature"))
    total = frame.bleu.corpus(by="system", errors="coerce", margins=True).loc["All"]
    assert [total["score"], total["segments"], total["segments_missing"]] == [whole.score, 15, 9]


# ---- margins ----

ONE_KEY = ["system", "gaps", "flag", "number", "kind", "ordered", "sparse_day", "arrow", "nullable", "pair", 7]


@pytest.mark.parametrize("by", [*ONE_KEY, ["system"], pd.Grouper(key="sparse_day", freq="D")], ids=str)
@pytest.mark.parametrize("observed", [False, True])
def test_margins_of_one_key(by: Any, observed: bool) -> None:
    frame = keyed()
    plain = frame.bleu.corpus(by=by, observed=observed)
    found = frame.bleu.corpus(by=by, observed=observed, margins=True)
    assert found.index.names == plain.index.names
    assert found.index[-1] == "All"
    assert all(same((a,), (b,)) for a, b in zip(found.index[:-1], plain.index, strict=True))
    assert_margin(found, plain, frame.bleu.corpus())


@pytest.mark.parametrize(
    "by", [["system", "flag"], ["gaps", "kind"], ["sparse_day", "number"], ["flag", "system", "pair"]], ids=str
)
@pytest.mark.parametrize("observed", [False, True])
def test_margins_of_several_keys(by: list[str], observed: bool) -> None:
    frame = keyed()
    plain = frame.bleu.corpus(by=by, observed=observed)
    found = frame.bleu.corpus(by=by, observed=observed, margins=True)
    assert found.index.names == by
    assert found.index[-1] == ("All", *[""] * (len(by) - 1))
    assert all(same(a, b) for a, b in zip(found.index[:-1], plain.index, strict=True))
    assert found.loc["All"].shape == (1, len(COLUMNS))
    assert_margin(found, plain, frame.bleu.corpus())


def same(a: tuple[Any, ...], b: tuple[Any, ...]) -> bool:
    """The same labels, whichever way they are missing."""
    return all(pd.isna(y) if pd.isna(x) else x == y for x, y in zip(a, b, strict=True))


def assert_margin(found: pd.DataFrame, plain: pd.DataFrame, corpus: Any) -> None:
    pd.testing.assert_frame_equal(found.iloc[:-1].reset_index(drop=True), plain.reset_index(drop=True))
    expected = corpus.to_series()[COLUMNS].tolist()
    assert found.iloc[-1].tolist() == pytest.approx(expected, rel=0, abs=0, nan_ok=True)
    assert found.dtypes.equals(plain.dtypes)


def test_margins_are_of_the_groups_that_are_there() -> None:
    frame = keyed()
    found = frame.bleu.corpus(by="gaps", dropna=True, margins=True)
    assert found["segments"].tolist() == [6, 12, 18]
    assert found.loc["All", "score"] == frame.dropna(subset="gaps").bleu.corpus().score


def test_a_single_group_scores_as_the_whole() -> None:
    frame = keyed().assign(one=1)
    [row] = frame.bleu.corpus(by="one").to_dict("records")
    whole = frame.bleu.corpus()
    assert row["score"] == whole.score
    assert row["length_ratio"] == whole.length_ratio
    assert math.isclose(row["precision_2"], whole.precisions[1], rel_tol=0)
