"""Filters: which rows pass, compared with the pandas expression that a user would write."""

from typing import Any

import frames
import naive
import numpy as np
import pandas as pd
import pytest

import bleupandas
from bleupandas.common import count_options
from bleupandas.counting.sums import read_sums
from bleupandas.reading.token_columns import token_columns
from bleupandas.scoring.settings import score_settings
from bleupandas.viewing.inspector.filters import MISSING, Filters, RowFilter
from bleupandas.viewing.inspector.query import QueryError, evaluate_query
from bleupandas.viewing.inspector.row_table import RowTable, plain_columns
from bleupandas.viewing.inspector.token_search import count_ngram, find_text

EXAMPLE = bleupandas.load_example()
EXPLAINED = bleupandas.explain(EXAMPLE)


def row_filter(df: pd.DataFrame, errors: str = "raise") -> RowFilter:
    settings = score_settings("score")
    sums = read_sums(df, "inspect", count_options(errors=errors), settings.max_order)
    return RowFilter(RowTable(df, sums, settings, plain_columns(df)), token_columns(df, None, None, "inspect"))


def passing(df: pd.DataFrame, **filters: Any) -> list[bool]:
    mask, error = row_filter(df).apply(Filters(**filters))
    assert error == ""
    return list(mask.tolist())


# ---- Queries ----


@pytest.mark.parametrize(
    "query",
    [
        "score < 0.1",
        "score < 0.1 and domain == 'news'",
        "main_cause == 'brevity' or matches_4 > 2",
        "main_cause in ['word order', 'extra words']",
        "precision_1 - precision_4 > 0.5",
        "candidate_length > 2 * reference_length",
        "`brevity_penalty` < 1 and id > 10",
        "source.str.contains('el ')",
        "system != 'direct'",
    ],
)
def test_a_query_keeps_the_rows_of_pandas_query(query: str) -> None:
    joined = EXAMPLE.join(EXPLAINED)
    expected = joined.index.isin(joined.query(query, engine="python").index)
    assert passing(EXAMPLE, query=query) == expected.tolist()


def test_a_query_may_have_several_lines() -> None:
    assert passing(EXAMPLE, query="\nscore < 0.1\nand id > 10\n") == passing(EXAMPLE, query="score < 0.1 and id > 10")


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("scor < 0.1", r"query: name 'scor' is not defined; did you mean 'score'\?"),
        ("score <", "query: invalid syntax"),
        ("score", "query: the result is not True or False for each row"),
        ("x = 1", "query: the result is not True or False for each row"),
        ("score < 'a'", "query: .*compar"),
        ("__import__('os')", "query: .*not a supported function"),
        ("@nothing > 1", "query: local variable 'nothing' is not defined"),
    ],
)
def test_the_error_of_a_query_is_one_line(query: str, message: str) -> None:
    frame = row_filter(EXAMPLE).table.extended
    with pytest.raises(QueryError, match=message) as caught:
        evaluate_query(frame, query)
    assert "\n" not in str(caught.value)


def test_a_bad_query_leaves_the_rows_of_the_last_good_one() -> None:
    rows = row_filter(EXAMPLE)
    good, _ = rows.apply(Filters(query="score < 0.1"))
    after, error = rows.apply(Filters(query="score < 0.1 ("))
    assert error.startswith("query: ")
    assert after.tolist() == good.tolist()


def test_a_column_of_the_caller_keeps_its_name_and_the_computed_one_gets_another() -> None:
    df = EXAMPLE.assign(score=range(len(EXAMPLE)))
    assert passing(df, query="score < 3") == [True] * 3 + [False] * (len(df) - 3)
    assert passing(df, query="score_bleu < 0.1") == (bleupandas.score(EXAMPLE) < 0.1).tolist()


def test_a_query_may_result_in_missing_values_or_one_boolean() -> None:
    df = EXAMPLE.assign(flag=pd.array([None, True, False, True] * 120, "boolean"))
    assert passing(df, query="flag") == [False, True, False, True] * 120
    assert passing(df, query="1 < 2") == [True] * 480


# ---- Scores, causes, groups ----


def test_score_range_cause_and_group_are_combined() -> None:
    expected = EXPLAINED["score"].between(0.05, 0.3) & (EXPLAINED["main_cause"] == "word choice")
    expected &= EXAMPLE["domain"] == "news"
    found = passing(EXAMPLE, score_range=(0.05, 0.3), main_cause="word choice", by="domain", group="news")
    assert found == expected.tolist()


def test_missing_values_are_a_group() -> None:
    df = EXAMPLE.assign(group=pd.Series(["a", None, "b"] * 160), number=[1.0, np.nan, 2.0] * 160)
    assert passing(df, by="group", group=MISSING) == df["group"].isna().tolist()
    assert passing(df, by="number", group=MISSING) == df["number"].isna().tolist()
    assert passing(df, by="group", group="a") == (df["group"] == "a").tolist()
    assert passing(df, by="group", group=None) == [True] * 480


def test_a_row_without_a_score_passes_only_the_whole_range() -> None:
    df = pd.DataFrame({"hypothesis": [["a"], None], "references": [[["a"]], [["a"]]]})
    rows = row_filter(df, errors="coerce")
    assert rows.apply(Filters())[0].tolist() == [True, True]
    assert rows.apply(Filters(score_range=(0.0, 0.99)))[0].tolist() == [False, False]
    assert rows.apply(Filters(score_range=(0.01, 1.0)))[0].tolist() == [True, False]
    assert rows.apply(Filters(main_cause="not scored"))[0].tolist() == [False, True]


# ---- Text and n-grams ----


@pytest.mark.parametrize("ngram", ["the", "of the", "in the city", "The"])
@pytest.mark.parametrize("where", ["hypothesis", "references", "over-produced", "missing", "matched"])
def test_an_ngram_is_found_where_the_clipping_table_has_it(ngram: str, where: str) -> None:
    own = bleupandas.ngrams(EXAMPLE)
    others = bleupandas.ngrams(EXAMPLE, side="references")
    own, others = own[own["ngram"] == ngram], others[others["ngram"] == ngram]
    segments = {
        "hypothesis": own["segment"],
        "references": others["segment"],
        "over-produced": own["segment"][own["count"] > own["clipped_count"]],
        "missing": others["segment"][others["missing"] > 0],
        "matched": own["segment"][own["clipped_count"] > 0],
    }
    expected = np.isin(np.arange(len(EXAMPLE)), segments[where])
    assert passing(EXAMPLE, search=ngram, search_in=where) == expected.tolist()
    assert passing(EXAMPLE, search=tuple(ngram.split()), search_in=where) == expected.tolist()


def test_ngrams_are_counted_in_every_form_of_column(awkward_frame: frames.Case) -> None:
    columns = awkward_frame.columns
    tokens = token_columns(awkward_frame.frame, columns["hypothesis"], columns["references"], "inspect")
    missing = np.zeros(len(awkward_frame.frame), np.bool_)
    wanted = {ngram for hypothesis, _ in awkward_frame.segments for ngram in naive.distinct(hypothesis, 2)}
    wanted |= {(token,) for _, references in awkward_frame.segments for tokens_ in references for token in tokens_}
    for ngram in sorted(wanted)[:20]:
        found = count_ngram(tokens, missing, ngram)
        own = [naive.occurrences(ngram, hypothesis) for hypothesis, _ in awkward_frame.segments]
        most = [
            max(naive.occurrences(ngram, tokens_) for tokens_ in references) for _, references in awkward_frame.segments
        ]
        assert found.in_hypothesis.tolist() == own
        assert found.max_reference_count.tolist() == most


@pytest.mark.parametrize("text", ["CITY", "the city", "ity coun", " ", "nowhere to be found"])
def test_text_is_found_on_both_sides_in_any_case(text: str) -> None:
    def holds(tokens: list[str]) -> bool:
        return text.casefold() in " ".join(tokens).casefold()

    pairs = zip(EXAMPLE["hypothesis"], EXAMPLE["references"], strict=True)
    expected = [holds(hypothesis) or any(map(holds, references)) for hypothesis, references in pairs]
    assert passing(EXAMPLE, search=text) == expected


def test_text_is_found_in_arrow_columns_too(awkward_frame: frames.Case) -> None:
    columns = awkward_frame.columns
    tokens = token_columns(awkward_frame.frame, columns["hypothesis"], columns["references"], "inspect")
    for text in ("a", "E", "a b"):
        expected = [
            any(text.casefold() in " ".join(tokens_).casefold() for tokens_ in (hypothesis, *references))
            for hypothesis, references in awkward_frame.segments
        ]
        assert find_text(tokens, np.zeros(len(expected), np.bool_), text).tolist() == expected


# ---- The table behind the list ----


def test_columns_of_lists_are_not_plain() -> None:
    assert plain_columns(EXAMPLE) == ["id", "system", "domain", "source", "hypothesis_text"]
    mixed = pd.DataFrame({"a": [None, "x"], "b": [("x",), ("y",)], "c": [1, 2]})
    assert plain_columns(pd.concat([mixed, mixed[["c"]]], axis=1)) == ["a"]


@pytest.mark.parametrize("ascending", [True, False])
@pytest.mark.parametrize("label", ["score", "main_cause", "precision_4", "candidate_length", "source", "id"])
def test_rows_are_sorted_as_pandas_sorts_them(label: str, ascending: bool) -> None:
    table = row_filter(EXAMPLE).table
    column = pd.Series(table.extended[label].array).sort_values(ascending=ascending, kind="stable")
    assert table.order(label, ascending).tolist() == column.index.tolist()


def test_other_settings_change_the_scores() -> None:
    rows = row_filter(EXAMPLE)
    rows.table.rescore(score_settings("score", max_order=2, smoothing="exp"))
    rows.forget_scores()
    expected = bleupandas.score(EXAMPLE, max_order=2, smoothing="exp")
    assert rows.table.score.tolist() == expected.tolist()
    assert rows.apply(Filters(query="score > 0.4"))[0].tolist() == (expected > 0.4).tolist()
    assert "precision_4" in rows.table.choices
