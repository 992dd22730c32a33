"""bleupandas.polars: the numbers, types, rows and errors of pandas, at once and lazily."""

import subprocess
import sys
from typing import Any

import larger
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import strategies
from hypothesis import given as drawn
from hypothesis import settings
from larger import BAD, CALLS, MORE, SEGMENTS, arrow_frame, same_score, with_bad_rows
from polars.testing import assert_frame_equal

import bleupandas
import bleupandas.polars


def polars_frame(frame: pd.DataFrame) -> pl.DataFrame:
    """The same rows, missing ones null; the index becomes no column."""
    data = {name: [None if larger.is_missing(cell) else cell for cell in frame[name].tolist()] for name in frame}
    tokens = pl.List(pl.String)
    return pl.DataFrame(data, schema_overrides={"hypothesis": tokens, "references": pl.List(tokens)})


def find_dictionary_paths(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.reset_index(drop=True)


def expected_frame(found: pd.DataFrame) -> pl.DataFrame:
    """A result of pandas as Polars would have it: Int64, Float64, String, null where missing."""
    return pl.DataFrame(
        pa.table({name: pa.array(found[name], from_pandas=bool(found[name].dtype == object)) for name in found})
    )


def same(found: Any, expected: pd.DataFrame) -> None:
    found = found.collect() if isinstance(found, pl.LazyFrame) else found
    assert_frame_equal(found, expected_frame(expected), check_exact=True)


POLARS_CALLS = [
    (name, options)
    for name, options in [*CALLS.items(), *MORE]
    if name != "explain" and options.get("ngram") != "tuple"
]


@pytest.mark.parametrize("lazy", [False, True])
@pytest.mark.parametrize("errors", ["raise", "coerce"])
@pytest.mark.parametrize(("name", "options"), POLARS_CALLS, ids=str)
def test_equal_to_pandas(lazy: bool, errors: str, name: str, options: dict[str, Any]) -> None:
    frame = find_dictionary_paths(with_bad_rows(arrow_frame()) if errors == "coerce" else arrow_frame())
    options = {**options, "errors": errors}
    given: Any = polars_frame(frame)
    found = getattr((given.lazy() if lazy else given).bleu, name)(**options)
    expected = getattr(frame.bleu, name)(**options)
    if isinstance(expected, pd.Series):
        expected = expected.to_frame()
        found = found if lazy else found.to_frame()
    same(found, expected)
    if lazy:
        assert found.collect_schema() == found.collect().schema


@pytest.mark.parametrize("lazy", [False, True])
@pytest.mark.parametrize("by", ["system", ["system"], ["number", "system"], "domain"], ids=str)
@pytest.mark.parametrize("options", [{}, {"sort": False}, {"dropna": True}, {"errors": "coerce"}], ids=str)
def test_groups_equal_those_of_pandas(lazy: bool, by: Any, options: dict[str, Any]) -> None:
    frame = find_dictionary_paths(with_bad_rows(arrow_frame()) if "errors" in options else arrow_frame())
    given: Any = polars_frame(frame)
    found = (given.lazy() if lazy else given).bleu.corpus(by=by, **options)
    assert isinstance(found, pl.LazyFrame if lazy else pl.DataFrame)
    same(found, frame.bleu.corpus(by=by, **options).reset_index())


@pytest.mark.parametrize("options", [{}, {"convention": "sacrebleu", "max_order": 2}, {"errors": "coerce"}], ids=str)
def test_corpus_equals_that_of_pandas(options: dict[str, Any]) -> None:
    frame = with_bad_rows(arrow_frame()) if "errors" in options else arrow_frame()
    given: Any = polars_frame(frame)
    for rows in (given, given.lazy(), given.lazy().filter(pl.lit(True))):
        same_score(rows.bleu.corpus(**options), frame.bleu.corpus(**options))
    same_score(given.clear().bleu.corpus(), frame.iloc[:0].bleu.corpus())
    same_score(given.clear().lazy().bleu.corpus(), frame.iloc[:0].bleu.corpus())


def test_expressions_group() -> None:
    given: Any = polars_frame(arrow_frame())
    long = pl.col("hypothesis").list.len() > 3
    found = given.bleu.corpus(by=[long.alias("long"), "system"])
    assert_frame_equal(found, given.with_columns(long.alias("long")).bleu.corpus(by=["long", "system"]))
    assert found["segments"].sum() == 23


def test_components_columns() -> None:
    frame = find_dictionary_paths(arrow_frame())
    given: Any = polars_frame(frame)
    counted = given.bleu.components().with_columns(given["system"])
    same(counted.bleu.components(), frame.bleu.components())
    assert_frame_equal(counted.bleu.score().to_frame(), given.bleu.score().to_frame())
    assert_frame_equal(counted.lazy().bleu.corpus(by="system").collect(), given.bleu.corpus(by="system"))
    whole = counted.bleu.corpus()
    assert (whole.score, whole.segments) == (frame.bleu.corpus().score, 23)
    groups: Any = given.bleu.corpus(by="system")
    assert groups.bleu.corpus().segments == 23


@pytest.mark.parametrize("kind", ["categorical", "enum", "array", "slices"])
def test_forms_of_token_lists(kind: str) -> None:
    given: Any = polars_frame(find_dictionary_paths(arrow_frame()))
    expected = given.bleu.components()
    if kind == "slices":
        given = pl.concat([given.slice(i, 5) for i in range(0, 23, 5)], rechunk=False)
        assert given.n_chunks() > 1
    elif kind == "array":
        three: Any = pl.DataFrame(
            {"hypothesis": [["a", "b", "a"]] * 2, "references": [["a", "a", "c"], ["b", "a", "x"]]}
        )
        expected = three.bleu.components()
        given = three.cast({"hypothesis": pl.Array(pl.String, 3), "references": pl.Array(pl.String, 3)})
    else:
        words = sorted({token for hypothesis, references in SEGMENTS for t in (hypothesis, *references) for token in t})
        token = pl.Categorical() if kind == "categorical" else pl.Enum(words)
        given = given.with_columns(pl.col("hypothesis").cast(pl.List(token)))
    assert_frame_equal(given.bleu.components(), expected)


@settings(max_examples=strategies.examples(15))
@drawn(strategies.segment_lists(most=6, references=3))
def test_any_segments(segments: list[Any]) -> None:
    frame = strategies.frame_of(segments, "list<string>", "list<string>")
    given: Any = polars_frame(frame)
    same(given.bleu.components(), frame.bleu.components())
    same(given.lazy().bleu.ngrams(ngram="list"), frame.bleu.ngrams(ngram="list"))
    assert str(given.bleu.corpus()) == str(frame.bleu.corpus())


def test_a_lazy_frame_in_many_batches_keeps_positions() -> None:
    n = 120_000
    given: Any = pl.DataFrame({"hypothesis": [["a", "b"]], "references": [[["a"]]]}).select(
        pl.all().repeat_by(n).explode()
    )
    found = given.lazy().bleu.ngrams(orders=1).collect(engine="streaming")
    assert found["segment"].to_list() == [i for i in range(n) for _ in "ab"]
    assert given.lazy().bleu.corpus().segments == n
    bad = given.lazy().with_columns(
        pl.when(pl.int_range(pl.len()) == n - 1).then(None).otherwise("hypothesis").alias("hypothesis")
    )
    with pytest.raises(ValueError, match=rf"column 'hypothesis', row {n - 1} \(position {n - 1}\): the hypothesis is"):
        bad.bleu.components().collect(engine="streaming")


# ---- What can be wrong ----


def test_a_bad_row_is_named_by_its_position() -> None:
    frame = find_dictionary_paths(with_bad_rows(arrow_frame()))[BAD[0] + 1 :].reset_index(drop=True)
    given: Any = polars_frame(frame)
    calls: list[Any] = [
        lambda rows: rows.bleu.components(), lambda rows: rows.bleu.score(), lambda rows: rows.bleu.ngrams(),
        lambda rows: rows.bleu.corpus(by="system"), lambda rows: rows.bleu.corpus(),
    ]  # fmt: skip
    with pytest.raises(ValueError) as expected:  # noqa: PT011
        frame.bleu.components()
    for call in calls:
        for rows in (given, given.lazy()):
            with pytest.raises(ValueError) as error:  # noqa: PT011
                call(rows).collect()
            assert type(error.value) is ValueError
            assert str(error.value) == str(expected.value)
    assert "no reference" in str(expected.value)
    assert "(position 18)" in str(expected.value)


def test_labels_and_options_are_checked_at_once() -> None:
    eager: Any = polars_frame(arrow_frame())
    for rows in (eager, eager.lazy()):
        with pytest.raises(KeyError, match="no column 'mt' for the hypothesis"):
            rows.bleu.components(hypothesis="mt")
        with pytest.raises(KeyError, match=r"no column 'sytem' for by: .* did you mean 'system'"):
            rows.bleu.corpus(by="sytem")
        with pytest.raises(KeyError, match="no column 'x' for id_vars"):
            rows.bleu.ngrams(id_vars=["x"])
        with pytest.raises(ValueError, match="max_order is a whole number from 1 to 8, not 9"):
            rows.bleu.score(max_order=9)
        with pytest.raises(TypeError, match=r"components\(\) has no keyword 'n_gram'; did you mean 'max_order'\?"):
            rows.bleu.components(n_gram=2)
        with pytest.raises(TypeError, match=r"corpus\(\) has no keyword 'margins'"):
            rows.bleu.corpus(margins=True)
        with pytest.raises(ValueError, match="ngram is one of 'text', 'list', not 'tuple'"):
            rows.bleu.ngrams(ngram="tuple")
        with pytest.raises(TypeError, match="by has int 3; on a Polars frame it is a column name, an expression"):
            rows.bleu.corpus(by=3)
        with pytest.raises(KeyError, match="no column 'hypothesis' for ngrams"):
            rows.bleu.components().bleu.ngrams()
    with pytest.raises(TypeError, match="takes a Polars DataFrame or LazyFrame here, not DataFrame"):
        bleupandas.polars.score(arrow_frame())
    texts: Any = pl.DataFrame({"hypothesis": ["the cat"], "references": [["the cat"]]})
    with pytest.raises(TypeError, match=r"^column 'hypothesis': text where token lists are expected; split it "):
        texts.bleu.components()


def test_bound_columns() -> None:
    frame: Any = find_dictionary_paths(arrow_frame()).rename(columns={"hypothesis": "mt", "references": "ref"})
    given: Any = polars_frame(arrow_frame()).rename({"hypothesis": "mt", "references": "ref"})
    bound = given.bleu(hypothesis="mt", references=["ref"], max_order=2)
    assert repr(bound) == "<bleu(hypothesis='mt', references=['ref'], max_order=2) of a DataFrame>"
    same(bound.components(), frame.bleu(hypothesis="mt", references="ref", max_order=2).components())


def test_empty_lists_only() -> None:
    given: Any = pl.DataFrame({"hypothesis": [[], []], "references": [[["a"]], [["b", "c"]]]})
    assert given.bleu.components(max_order=1).rows() == [(0, 1, 0, 0), (0, 2, 0, 0)]


# ---- Memory ----

MEASURED = """
import polars as pl, pyarrow as pa, bleupandas.polars, resource, sys
words = pl.Series([f"word-longer-than-a-view-{i}" for i in range(1000)])
rows = pl.DataFrame({"row": pl.int_range(240_000, eager=True)})
tokens = pl.concat([words.sample(20, seed=i).implode() for i in range(100)])
lists = tokens.sample(240_000, with_replacement=True, seed=1)
df = pl.DataFrame({"hypothesis": lists, "references": lists.shuffle(seed=2)}).rechunk()
text = df.select(pl.col("hypothesis").list.eval(pl.element().str.len_bytes()).list.sum().sum()).item()
df.head(100).bleu.components()  # whatever is loaded at the first call
before, arrow = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, pa.default_memory_pool().max_memory()
found = df.bleu.components(threads=1)
print(text, found.estimated_size(), (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024,
      pa.default_memory_pool().max_memory())
"""


def test_text_is_copied_block_by_block() -> None:
    done = subprocess.run([sys.executable, "-c", MEASURED], capture_output=True, text=True, check=True)
    text, result, peak, arrow = (int(number) for number in done.stdout.split())
    assert text > 100e6
    assert arrow < text / 2  # of views turned into strings at any time; two columns are read
    assert peak < result + text
