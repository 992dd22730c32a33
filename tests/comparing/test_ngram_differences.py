"""ngram_differences(): counts follow the definition, and gains equal those of counting again."""

import math
from typing import Any

import frames
import naive
import numpy as np
import pandas as pd
import pytest
from frames import Tokens
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import alphabets, examples

import bleupandas

SIDES = ["baseline_only", "system_only", "both", "neither"]
NUMBERS = [*SIDES, *(f"segments_{side}" for side in SIDES)]
NAMES = ["order", "ngram", "ratio", "baseline_gain", "system_gain", *NUMBERS, *(f"examples_{side}" for side in SIDES)]
SEP = "|"
Triple = tuple[Tokens, Tokens, list[Tokens], list[Tokens]]  # two hypotheses, each with its references


@st.composite
def triples(draw: st.DrawFn, same: bool = False) -> list[Triple]:
    tokens = st.lists(st.sampled_from(draw(alphabets().filter(lambda a: SEP not in "".join(a)))), max_size=8)
    lists = st.lists(tokens, min_size=1, max_size=3)
    drawn = draw(st.lists(st.tuples(tokens, tokens, lists, lists), max_size=5))
    return [(a, b, first, first if same or draw(st.booleans()) else second) for a, b, first, second in drawn]


def wide(segments: list[Triple]) -> Any:
    columns = zip(*segments, strict=True) if segments else ([], [], [], [])
    a, b, references, _ = (frames.cells(list(column)) for column in columns)
    return pd.DataFrame({"a": a, "b": b, "references": references})


def long(segments: list[Triple]) -> Any:
    """Return a long frame: the second system's rows, then the baseline's in reverse order."""
    rows: list[Any] = [("B", f"id{i}", b, second) for i, (_, b, _, second) in enumerate(segments)]
    rows += [("A", f"id{i}", a, first) for i, (a, _, first, _) in reversed(list(enumerate(segments)))]
    system, ids, hypotheses, references = ([row[k] for row in rows] for k in range(4))
    frame = {"hypothesis": frames.cells(hypotheses), "references": frames.cells(references)}
    return pd.DataFrame({"system": system, "id": ids} | frame)


def expected(segments: list[Triple], most: int = 5, least: int = 1, orders: Any = (1, 2, 3, 4)) -> dict[Any, Any]:
    """Return for each n-gram the four counts, the numbers of segments, and the first segments."""
    sums: dict[str, list[Any]] = {}
    for position, (a, b, first, second) in enumerate(segments):
        for order in orders:
            for ngram in {g for tokens in [*first, *second] for g in naive.grams(tokens, order)}:
                most_a, most_b = (max(naive.occurrences(ngram, r) for r in refs) for refs in (first, second))
                x, y = min(naive.occurrences(ngram, a), most_a), min(naive.occurrences(ngram, b), most_b)
                counts = [x - min(x, y), y - min(x, y), min(x, y), max(most_a, most_b) - max(x, y)]
                entry = sums.setdefault(SEP.join(ngram), [order, *[0] * 8, [], [], [], []])
                for k, count in enumerate(counts):
                    entry[1 + k] += count
                    entry[5 + k] += count > 0
                    entry[9 + k] += [position] if count > 0 and len(entry[9 + k]) < most else []
    return {ngram: entry for ngram, entry in sums.items() if sum(entry[1:5]) >= least}


def by_ngram(found: pd.DataFrame, ids: Any = int) -> dict[Any, Any]:
    columns = [found[name].tolist() for name in ["ngram", "order", *NUMBERS]]
    lists = [[[ids(one) for one in some] for some in found[f"examples_{side}"]] for side in SIDES]
    return {ngram: list(entry) for ngram, *entry in zip(*columns, *lists, strict=True)}


@settings(max_examples=examples(60))
@given(triples(same=True), st.integers(0, 3), st.integers(1, 3), st.integers(1, 3))
def test_wide_form(engine: str, segments: list[Triple], most: int, least: int, threads: int) -> None:
    found = bleupandas.ngram_differences(
        wide(segments), hypothesis=["a", "b"], examples=most, min_count=least, sep=SEP, threads=threads
    )
    assert by_ngram(found) == expected(segments, most, least)
    assert found.columns.tolist() == NAMES
    assert found.index.identical(pd.RangeIndex(len(found)))


@settings(max_examples=examples(60))
@given(triples(), st.sets(st.integers(1, 5), min_size=1))
def test_long_form(engine: str, segments: list[Triple], orders: set[int]) -> None:
    """Rows pair by id in any order, references may differ, and examples are ids."""
    if not segments:
        return
    found = bleupandas.ngram_differences(long(segments), baseline="A", orders=orders, sep=SEP)
    assert by_ngram(found, lambda name: int(name.removeprefix("id"))) == expected(segments, orders=orders)


@settings(max_examples=examples(40))
@given(triples(same=True), st.sampled_from(["ratio", "gain"]), st.integers(1, 5))
def test_ranks_and_gains_by_recounting(engine: str, segments: list[Triple], rank: str, max_order: int) -> None:
    """A gain is the rise of corpus BLEU if an n-gram's clipped count equals that of the references everywhere."""
    frame = wide(segments)
    found = bleupandas.ngram_differences(frame, hypothesis=["a", "b"], rank=rank, max_order=max_order, sep=SEP)
    for side, ours, other in (("baseline", "a", "system_only"), ("system", "b", "baseline_only")):
        sums = bleupandas.components(frame, hypothesis=ours, max_order=max_order).sum().to_dict()
        before = bleu(sums, max_order)
        for row in found.to_dict("records"):
            order = row["order"]
            matched = min(sums[f"matches_{order}"] + row["neither"] + row[other], sums[f"totals_{order}"])
            after = bleu(sums | {f"matches_{order}": matched}, max_order)
            assert math.isclose(row[f"{side}_gain"], after - before, abs_tol=1e-15)
    for row in found.to_dict("records"):
        assert math.isclose(
            row["ratio"], math.log((row["system_only"] + 1) / (row["baseline_only"] + 1)), abs_tol=1e-15
        )
    keys = [
        (
            -row["ratio" if rank == "ratio" else "system_gain"],
            -sum(row[side] for side in SIDES),
            row["order"],
            row["ngram"].split(SEP),
        )
        for row in found.to_dict("records")
    ]
    assert keys == sorted(keys)


def bleu(sums: Any, max_order: int) -> float:
    orders = range(1, max_order + 1)
    matches, totals = [sums[f"matches_{n}"] for n in orders], [sums[f"totals_{n}"] for n in orders]
    c, r = sums["candidate_length"], sums["reference_length"]
    return bleupandas.bleu_from_components(int(c), int(r), matches, totals, max_order=max_order)


def test_gain_equals_that_of_a_corrected_hypothesis(engine: str) -> None:
    """The gain of one token equals the gain of a hypothesis with that token instead of an unmatched one."""
    frame: Any = pd.DataFrame(
        {
            "a": [["x", "b", "c", "d", "e"]],
            "b": [["a", "b", "c", "d", "x"]],
            "corrected": [["a", "b", "c", "d", "e"]],
            "references": [[["a", "b", "c", "d", "e"]]],
        }
    )
    found = bleupandas.ngram_differences(frame, hypothesis=["a", "b"], orders=1, max_order=1, rank="gain")
    one = frame.bleu(max_order=1, references="references")
    right = one(hypothesis="corrected").corpus().score - one(hypothesis="b").corpus().score
    top = found.iloc[0]
    assert (top["ngram"], top["baseline_only"], top["examples_baseline_only"]) == ("e", 1, (0,))
    assert math.isclose(top["system_gain"], right)


def test_example_data(engine: str) -> None:
    """The four counts add up to the matches of the components."""
    df: Any = bleupandas.load_example()
    before = frames.snapshot(df)
    found = df.bleu.ngram_differences(system="system", id="id", baseline="pivot")
    assert df.equals(bleupandas.load_example())
    assert before[1:4] == frames.snapshot(df)[1:4]
    sums = found.groupby("order")[SIDES].sum()
    matches = df.bleu.components().groupby(df["system"]).sum()
    for order in range(1, 5):
        of_order = sums.loc[order]
        assert of_order["baseline_only"] + of_order["both"] == matches.loc["pivot", f"matches_{order}"]
        assert of_order["system_only"] + of_order["both"] == matches.loc["direct", f"matches_{order}"]
    assert set(found["examples_system_only"].iloc[0]) <= set(df["id"])
    assert found["system_only"].iloc[0] > found["baseline_only"].iloc[0]
    shuffled = df.sample(frac=1, random_state=3)
    again = bleupandas.ngram_differences(shuffled, system="system", id="id", baseline="pivot")
    assert again[NAMES[:-4]].equals(found[NAMES[:-4]])


def test_coerce_and_dtypes(engine: str) -> None:
    frame = pd.DataFrame(
        {
            "a": frames.cells([["x"], None, ["x"]]),
            "b": frames.cells([["x"], ["x"], ["y"]]),
            "references": frames.cells([[["x"]], [["x"]], [["x"]]]),
        }
    ).set_axis(list("uvw"))
    columns: dict[str, Any] = {"hypothesis": ["a", "b"], "orders": 1}
    with pytest.raises(ValueError, match=r"column 'a', row 'v' \(position 1\): the hypothesis is missing"):
        bleupandas.ngram_differences(frame, **columns)
    found = bleupandas.ngram_differences(frame, **columns, errors="coerce")
    assert found[SIDES].to_numpy().tolist() == [[1, 0, 1, 0]]
    assert found["examples_baseline_only"].tolist() == [("w",)]
    whole, real = pd.Int64Dtype(), pd.Float64Dtype()
    assert found.dtypes[["order", "ratio", "system_gain", *NUMBERS]].tolist() == [whole, real, real, *[whole] * 8]
    none = bleupandas.ngram_differences(frame.iloc[:0], **columns)
    some = bleupandas.ngram_differences(frame.iloc[[0, 2]], **columns)
    assert none.dtypes.tolist() == some.dtypes.tolist()
    assert len(none) == 0
    assert some["order"].dtype == np.dtype("int64")


def test_wrong_arguments(engine: str) -> None:
    frame: Any = wide([(["x"], ["y"], [["x"]], [["x"]])])
    three = pd.concat([frame.assign(id=0, system=name).rename(columns={"a": "hypothesis"}) for name in "PQR"])
    pair: dict[str, Any] = {"hypothesis": ["a", "b"]}
    cases: list[tuple[Any, dict[str, Any], Any, str]] = [
        (frame, {**pair, "rank": "p"}, ValueError, "rank is one of 'ratio', 'gain', not 'p'"),
        (frame, {**pair, "examples": -1}, ValueError, "examples is a whole number of at least 0, not -1"),
        (frame, {**pair, "examples": 2.0}, TypeError, "examples is a whole number of at least 0, not 2.0"),
        (frame, {**pair, "min_count": 0}, ValueError, "min_count is a whole number of at least 1, not 0"),
        (frame, {**pair, "baseline": "c"}, ValueError, "baseline is one of the systems 'a', 'b', not 'c'"),
        (frame, {"hypothesis": ["a", "c"]}, KeyError, "no column 'c' for the hypothesis: the columns are 'a', 'b', "
         "'references'"),
        (three, {}, ValueError, "ngram_differences() compares two systems, and the frame has 3: 'P', 'Q', 'R'; keep "
         "the rows (or columns) of two"),
    ]  # fmt: skip
    for df, options, error, message in cases:
        with pytest.raises(error) as raised:  # the whole text is compared below
            bleupandas.ngram_differences(df, **options)
        assert str(raised.value) == message
    with pytest.raises(TypeError, match=r"has no keyword 'refs'; did you mean 'references'\? its keywords are system"):
        bleupandas.ngram_differences(frame, **pair, refs="r")  # type: ignore[call-arg]
    spaced = wide([(["x"], ["y"], [["x"]], [["x"]]), (["x"], ["y"], [["New York"]], [["New York"]])])
    with pytest.raises(ValueError, match=r"^column 'references', row 1 \(position 1\): the token 'New York' holds the"):
        bleupandas.ngram_differences(spaced, **pair)
    with pytest.raises(KeyError, match=r"ngram_differences\(\), which needs token lists and not only components"):
        bleupandas.ngram_differences(bleupandas.components(frame, hypothesis="a"))
