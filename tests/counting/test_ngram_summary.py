"""ngram_summary(): sums against the definition, against components() and ngrams(), and on every awkward frame."""

import importlib
from typing import Any

import frames
import naive
import numpy as np
import pandas as pd
import pytest
from built import require_compiled
from frames import Case, Segment
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import SHAPES, block_sizes, examples, frame_of, segment_lists

import bleupandas
from bleupandas.counting import tallies
from bleupandas.engine import python

NAMES = [
    "order", "ngram", "count", "clipped_count", "over_produced", "missing", "segments", "segments_over",
    "segments_missing",
]  # fmt: skip
TEXT = pd.StringDtype("pyarrow", na_value=np.nan)
SEP = "|"  # no strategy draws it


def expected(segments: list[Segment], orders: Any = (1, 2, 3, 4), min_count: int = 1, sep: str = SEP) -> list[Any]:
    """By the definition, n-gram by n-gram and segment by segment."""
    sums: dict[tuple[str, ...], list[int]] = {}
    for hypothesis, references in segments:
        for order in orders:
            for ngram in {g for tokens in [hypothesis, *references] for g in naive.grams(tokens, order)}:
                count = naive.occurrences(ngram, hypothesis)
                most = max(naive.occurrences(ngram, reference) for reference in references)
                facts = [count, min(count, most), count - min(count, most), max(0, most - count)]
                facts += [1, int(count > most), int(count < most)]
                sums[ngram] = [a + b for a, b in zip(sums.get(ngram, [0] * 7), facts, strict=True)]
    kept = [(ngram, facts) for ngram, facts in sums.items() if facts[0] + facts[3] >= min_count]
    kept.sort(key=lambda item: (len(item[0]), -item[1][0] - item[1][3], item[0]))
    return [(len(ngram), sep.join(ngram), *facts) for ngram, facts in kept]


def rows_of(found: pd.DataFrame) -> list[tuple[Any, ...]]:
    return list(zip(*(found[name].tolist() for name in found.columns), strict=True))


def without_separator(segments: list[Segment]) -> bool:
    return not any(SEP in token for h, refs in segments for tokens in [h, *refs] for token in tokens)


def test_by_hand(engine: str) -> None:
    """ "the" twice against one: one matched, one over; "cat" is missing once and over once, in different segments."""
    segments: list[Segment] = [
        (["the", "the", "cat"], [["the", "dog"]]),
        (["a"], [["a", "cat", "cat"], ["a", "cat"]]),
    ]
    found = bleupandas.ngram_summary(frame_of(segments), orders=1)
    right = [
        (1, "cat", 1, 0, 1, 2, 2, 1, 1), (1, "the", 2, 1, 1, 0, 1, 1, 0), (1, "a", 1, 1, 0, 0, 1, 0, 0),
        (1, "dog", 0, 0, 0, 1, 1, 0, 1),
    ]  # fmt: skip
    assert rows_of(found) == right == expected(segments, [1])
    assert rows_of(bleupandas.ngram_summary(frame_of(segments), orders=1, min_count=2)) == right[:2]
    assert rows_of(bleupandas.ngram_summary(frame_of(segments), orders=[2], min_count=3)) == []


@pytest.mark.parametrize("errors", ["raise", "coerce"])
def test_awkward_frames(engine: str, awkward_frame: Case, errors: str) -> None:
    """Numbers, n-grams, columns, dtypes, index; the input is left alone."""
    frame, sep = awkward_frame.frame, awkward_frame.sep
    before = frames.snapshot(frame)
    options: Any = {**awkward_frame.columns, "sep": sep, "errors": errors}
    if awkward_frame.has_surrogates:
        with pytest.raises(ValueError, match=r"holds a lone surrogate, which UTF-8 cannot encode; repair the text$"):
            bleupandas.ngram_summary(frame, **options)
    else:
        with block_sizes(budget=5, rows=2):
            found = bleupandas.ngram_summary(frame, **options, threads=2)
        assert rows_of(found) == expected(awkward_frame.segments, sep=sep)
        assert found.columns.tolist() == NAMES
        number: Any = np.dtype("int64") if errors == "raise" else pd.Int64Dtype()
        assert found.dtypes.tolist() == [TEXT if name == "ngram" else number for name in NAMES]
        assert found.index.identical(pd.RangeIndex(len(found)))
        assert type(found) is pd.DataFrame
    after = frames.snapshot(frame)
    assert before[4].identical(after[4])
    assert before[:4] + before[5:] == after[:4] + after[5:]


@settings(max_examples=examples(60))
@given(
    segment_lists(most=6, references=4).filter(without_separator),
    st.sets(st.integers(1, 8), min_size=1, max_size=5),
    st.integers(1, 4),
    *(st.sampled_from(SHAPES) for _ in range(2)),
    st.integers(1, 3),
    st.integers(1, 4),
)
def test_definition(
    engine: str, segments: list[Segment], orders: set[int], least: int, first: str, second: str, rows: int, threads: int
) -> None:
    """Whatever the orders, the shape of columns, the blocks and the threads."""
    frame = frame_of(segments, first, second)
    with block_sizes(7, rows):
        found = bleupandas.ngram_summary(frame, orders=orders, min_count=least, sep=SEP, threads=threads)
    assert rows_of(found) == expected(segments, sorted(orders), least)


@settings(max_examples=examples(40))
@given(segment_lists(most=8, references=3).filter(without_separator), st.randoms(), st.integers(1, 8))
def test_sums_agree_and_row_order_does_not_matter(
    engine: str, segments: list[Segment], random: Any, max_order: int
) -> None:
    frame: Any = frame_of(segments)
    found = bleupandas.ngram_summary(frame, max_order=max_order, sep=SEP)
    sums = bleupandas.components(frame, max_order=max_order).sum()
    by_order = found.groupby("order").sum(numeric_only=True)
    for order in range(1, max_order + 1):
        produced, matched = by_order.loc[order, ["count", "clipped_count"]] if order in by_order.index else (0, 0)
        assert (produced, matched) == (sums[f"totals_{order}"], sums[f"matches_{order}"])
    left = frame.bleu.ngrams(max_order=max_order, sep=SEP).groupby(["order", "ngram"])["count"].sum()
    right = (
        frame.bleu.ngrams(max_order=max_order, sep=SEP, side="references").groupby(["order", "ngram"])["missing"].sum()
    )
    both = found.set_index(["order", "ngram"])
    assert both["count"][both["count"] > 0].sort_index().to_dict() == left.to_dict()
    assert both["missing"].reindex(right.index).to_dict() == right.to_dict()
    assert both["missing"].drop(right.index).sum() == 0
    assert (both["over_produced"] == both["count"] - both["clipped_count"]).all()
    shuffled = random.sample(segments, len(segments))
    assert bleupandas.ngram_summary(frame_of(shuffled), max_order=max_order, sep=SEP).equals(found)


def test_engines_agree_on_long_columns() -> None:
    """Many tokens and n-grams, frequent and rare, short and long: both engines say the same."""
    random = np.random.default_rng(7)
    words = [f"w{i}" + ("x" * 20 + "é") * (i % 3 == 0) for i in range(2000)]

    def tokens() -> list[str]:
        return [words[i] for i in np.minimum(random.zipf(1.2, random.integers(0, 40)), 2000) - 1]

    hypotheses = [tokens() for _ in range(400)]
    references = [[tokens() for _ in range(random.integers(1, 4))] for _ in range(400)]
    pair_of_tallies: list[Any] = []
    require_compiled()
    for engine in (importlib.import_module("bleupandas.engine.compiled"), python):
        pair_of_tallies.append(engine.tally())
        at = 0
        while at < len(hypotheses):
            block: Any = engine.read(hypotheses, [references], [True], at, len(hypotheses), 3000)
            pair_of_tallies[-1].add(at, block)
            at = block.stop
    for rows in (None, np.arange(0, 400, 100), np.arange(0, 400, 5)):
        for least in (1, 3):
            right = pair_of_tallies[1].summary(rows, [1, 2, 3, 4], least, " ", 1)
            for threads in (1, 2, 3):
                found = pair_of_tallies[0].summary(rows, [1, 2, 3, 4], least, " ", threads)
                assert (found.numbers == right.numbers).all()
                assert found.offsets.tolist() == right.offsets.tolist()
                assert bytes(found.text) == bytes(right.text)
    pairs = np.random.default_rng(1).permutation(400).reshape(2, -1)
    for least, most in ((1, 3), (2, 100), (5, 0)):
        expected_contrasts = pair_of_tallies[1].contrasts(pairs, [1, 2, 4], least, " ", most, 1)
        for threads in (1, 3):
            found = pair_of_tallies[0].contrasts(pairs, [1, 2, 4], least, " ", most, threads)
            assert (found.numbers == expected_contrasts.numbers).all()
            assert found.offsets.tolist() == expected_contrasts.offsets.tolist()
            assert bytes(found.text) == bytes(expected_contrasts.text)
            assert found.examples.tolist() == expected_contrasts.examples.tolist()
    assert right.numbers[1].max() < 1024 < pair_of_tallies[1].summary(None, [1], 1, " ", 1).numbers[1].max()


def test_long_runs_of_one_token(engine: str) -> None:
    """Far more of one n-gram than language has, in rows beyond the budget of a block."""
    segments: list[Segment] = [(["a"] * 3000, [["a"] * 2500, ["a"] * 10]), (["a"] * 5, [["b"] * 2000])]
    with block_sizes(100, 10):
        found = bleupandas.ngram_summary(frame_of(segments), orders=[1, 8], threads=2)
    assert rows_of(found) == [
        (1, "a", 3005, 2500, 505, 0, 2, 2, 0), (1, "b", 0, 0, 0, 2000, 1, 0, 1),
        (8, " ".join("a" * 8), 2993, 2493, 500, 0, 1, 1, 0), (8, " ".join("b" * 8), 0, 0, 0, 1993, 1, 0, 1),
    ]  # fmt: skip


# ---- Groups ----


@settings(max_examples=examples(25))
@given(segment_lists(most=9, references=2).filter(without_separator), st.data(), st.integers(1, 2))
def test_groups_are_summaries_of_their_rows(
    engine: str, segments: list[Segment], data: st.DataObject, least: int
) -> None:
    keys = st.lists(st.sampled_from(["x", "y", "z"]), min_size=len(segments), max_size=len(segments))
    frame = frame_of(segments).assign(key=pd.Series(data.draw(keys), dtype="str"))
    found = bleupandas.ngram_summary(frame, by="key", min_count=least, sep=SEP, threads=2)
    right = {}
    for key, part in frame.groupby("key"):
        right[key] = rows_of(bleupandas.ngram_summary(part, min_count=least, sep=SEP))
    assert {key: rows_of(found[found.index == key]) for key in right} == right
    assert len(found) == sum(map(len, right.values()))
    assert found.index.is_monotonic_increasing
    assert found.index.name == "key"


def test_keys_of_every_kind(engine: str) -> None:
    df: Any = bleupandas.load_example().iloc[::4]
    for by in ("domain", ["system", "domain"], df["domain"].str.upper(), df["domain"].to_numpy(), lambda i: i % 3):
        found = df.bleu.ngram_summary(by=by, orders=2, min_count=2)
        scores = df.bleu.corpus(by=by)
        assert found.index.names == scores.index.names
        sums = found.groupby(level=list(range(found.index.nlevels)))["count"].sum()
        assert sums.index.equals(scores.index)
    days = df.assign(day=pd.date_range("2026-01-30", periods=len(df), freq="36D"))
    monthly = bleupandas.ngram_summary(days, by=pd.Grouper(key="day", freq="MS"), orders=1)
    assert monthly["count"].sum() == df.bleu.components()["totals_1"].sum()
    missing = df.assign(domain=[None, *df["domain"].iloc[1:]])
    assert bleupandas.ngram_summary(missing, by="domain", orders=1).index.isna().any()


# ---- Rows that cannot be read, nothing to count ----


def test_coerce(engine: str) -> None:
    frame = pd.DataFrame(
        {
            "hypothesis": frames.cells([["a"], None, ["b", "c"], ["a", 1], ["a"], []]),
            "references": frames.cells([[["a"], None], [["a"]], [["c"]], [["a"]], [], [["a"], []]]),
            "key": list("ppppqq"),
        }
    )
    readable: list[Segment] = [(["a"], [["a"]]), (["b", "c"], [["c"]]), ([], [["a"], []])]
    for budget in (1, 3, 1000):
        with block_sizes(budget, 2):
            found = bleupandas.ngram_summary(frame, errors="coerce", sep=SEP, threads=2)
            assert rows_of(found) == expected(readable)
            grouped = bleupandas.ngram_summary(frame, by="key", errors="coerce", sep=SEP)
            assert rows_of(grouped.loc[["p"]]) == expected(readable[:2])
            assert rows_of(grouped.loc[["q"]]) == expected(readable[2:])
            with pytest.raises(ValueError, match=r"row 1 \(position 1\): the hypothesis is missing"):
                bleupandas.ngram_summary(frame, threads=2)


def test_nothing_to_count(engine: str) -> None:
    frame: Any = frames.objects().frame.assign(key="k")
    some = bleupandas.ngram_summary(frame)
    for none in (
        bleupandas.ngram_summary(frame.iloc[:0]),
        bleupandas.ngram_summary(frame.iloc[:0], by="key"),
        bleupandas.ngram_summary(frame, min_count=10**30),
        bleupandas.ngram_summary(frame_of([([], [[], []])])),
    ):
        assert len(none) == 0
        assert none.dtypes.tolist() == some.dtypes.tolist()
        assert none.columns.tolist() == NAMES
    assert bleupandas.ngram_summary(frame.iloc[:0], by="key").index.name == "key"


# ---- Arguments ----


def test_method_is_the_function(engine: str) -> None:
    frame: Any = frames.objects().frame.rename(columns={"hypothesis": "mt"})
    bound = frame.bleu(hypothesis="mt", max_order=2)
    assert bound.ngram_summary().equals(bleupandas.ngram_summary(frame, hypothesis="mt", max_order=2))


def test_text_that_would_be_ambiguous(engine: str) -> None:
    """Either side; the first row is named."""
    frame = frame_of([(["a"], [["a"]]), (["b"], [["a", "New York"], ["b c"]])])
    with pytest.raises(ValueError, match="separator") as raised:
        bleupandas.ngram_summary(frame)
    assert str(raised.value) == (
        "column 'references', row 1 (position 1): the token 'New York' holds the separator ' ', so n-gram text "
        "would be ambiguous (2 such tokens); pass another sep, one character that no token holds"
    )
    assert bleupandas.ngram_summary(frame, sep="_", orders=2)["ngram"].tolist() == ["a_New York"]
    turned = frame_of([(["New York"], [["a"]])])
    with pytest.raises(ValueError, match=r"^column 'hypothesis', row 0 \(position 0\): the token 'New York' holds"):
        bleupandas.ngram_summary(turned)
    with pytest.raises(ValueError, match=r"^column 'references', row 0 .* holds a lone surrogate.*; repair the text$"):
        bleupandas.ngram_summary(frame_of([(["a"], [["\ud800"]])]))


def test_too_many_tokens(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tallies, "MOST_PLACES", 5)
    frame = frame_of([(["a", "b"], [["a"]])] * 2)
    with pytest.raises(ValueError, match=r"more than 5 tokens in hypotheses and references .* split the frame"):
        bleupandas.ngram_summary(frame)
    assert len(bleupandas.ngram_summary(frame.iloc[:1])) == 3


def test_wrong_arguments() -> None:
    frame = frames.objects().frame
    for call, error, message in [
        ({"min_count": 0}, ValueError, "min_count is a whole number of at least 1, not 0"),
        ({"min_count": 1.5}, TypeError, "min_count is a whole number of at least 1, not 1.5"),
        ({"min_count": True}, TypeError, "min_count is a whole number of at least 1, not True"),
        ({"orders": []}, ValueError, "orders is empty; expected whole numbers from 1 to 8, such as orders=[2, 3]"),
        ({"sep": ""}, ValueError, "sep is exactly one character, not ''"),
        ({"by": "doc"}, KeyError, "no column 'doc' for by: the columns are 'hypothesis', 'references'"),
        (
            {"groupby": "r"},
            TypeError,
            "ngram_summary() has no keyword 'groupby'; did you mean 'by'? its keywords are by, min_count, orders, "
            "max_order, sep, hypothesis, references, errors, threads",
        ),
    ]:
        options: Any = call
        with pytest.raises(error) as raised:  # the whole text is compared below
            bleupandas.ngram_summary(frame, **options)
        assert str(raised.value) == message
    with pytest.raises(TypeError, match=r"^ngram_summary\(\) takes a pandas DataFrame, not list$"):
        bleupandas.ngram_summary([])  # type: ignore[arg-type]
    with pytest.raises(KeyError, match=r"for ngram_summary\(\), which needs token lists and not only components"):
        bleupandas.ngram_summary(bleupandas.components(frame))
