"""Text to token lists: tokens by hand and by sacreBLEU, every kind of column."""

import copy
import subprocess
import sys
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from sacrebleu.tokenizers.tokenizer_re import TokenizerRegexp

from bleupandas.reading.tokenize import tokenize
from bleupandas.reading.tokenizers import Tokenizer

OFFLINE = ["13a", "intl", "zh", "char", "none"]


def objects(*cells: object, **more: Any) -> "pd.Series[Any]":
    column: Any = np.empty(len(cells), dtype=object)
    for position, cell in enumerate(cells):
        column[position] = cell
    return pd.Series(column, dtype=object, **more)


def arrow(cells: list[Any], kind: pa.DataType) -> "pd.Series[Any]":
    return pd.Series(pd.arrays.ArrowExtensionArray(pa.array(cells, type=kind)))


# --- which tokens


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("Hello, world!", ["Hello", ",", "world", "!"]),
        ("It's 3.5-4,000 &amp; (more).", ["It's", "3.5", "-", "4,000", "&", "(", "more", ")", "."]),
        ("  two   spaces\tand\nlines ", ["two", "spaces", "and", "lines"]),
        ("«No» señor", ["«No»", "señor"]),
        ("", []),
        (" ", []),
    ],
)
def test_13a_is_the_default(text: str, tokens: list[str]) -> None:
    assert tokenize(objects(text)).tolist() == [tokens]


@pytest.mark.parametrize(
    ("tokenizer", "text", "tokens"),
    [
        ("intl", "«No» 2020.", ["«", "No", "»", "2020."]),
        ("zh", "我是NLP人。", ["我", "是", "NLP", "人", "。"]),
        ("char", "a bç", ["a", "b", "ç"]),
        ("none", "a, b.", ["a,", "b."]),
        ("whitespace", "\ta,\u3000b. ", ["a,", "b."]),
        (str.split, "a, b.", ["a,", "b."]),
        (list, "ab c", ["a", "b", " ", "c"]),
    ],
)
def test_other_tokenizers(tokenizer: Tokenizer, text: str, tokens: list[str]) -> None:
    assert tokenize(objects(text), tokenizer).tolist() == [tokens]


@given(
    st.text(st.sampled_from("aZ9 .,-'&lt;\n\t中。«»<skiped>\u2028\u00a0") | st.characters()), st.sampled_from(OFFLINE)
)
def test_tokens_are_those_that_sacrebleu_counts(text: str, name: str) -> None:
    bleu = BLEU(tokenize=name)
    assert tokenize(objects(text), name).tolist() == [bleu._preprocess_segment(text).split()]


@pytest.mark.parametrize("lowercase", [False, True])
@pytest.mark.parametrize("name", OFFLINE)
def test_sacrebleu_gives_the_same_score_of_the_tokens_as_of_the_texts(name: str, lowercase: bool) -> None:
    texts = ["In 2020. ", "A half-\n", "Cats, 1,000 of them, and IT'S \t", "我是人 ok."]
    references = ["In 2020 . ", "a half", "cats, 1,000 OF them, and it's", "我是人 OK."]
    bleu = BLEU(tokenize=name, lowercase=lowercase)
    plain = BLEU(tokenize="none")
    hypotheses, [stream] = (
        [[" ".join(tokens) for tokens in tokenize(objects(*column), name, lowercase=lowercase)] for column in columns]
        for columns in ([texts], [references])
    )
    expected = bleu.corpus_score(texts, [references])
    assert expected.score > 0
    assert plain.corpus_score(hypotheses[0], [stream]).counts == expected.counts
    assert plain.corpus_score(hypotheses[0], [stream]).score == expected.score


def test_lowercase_comes_before_the_tokenizer() -> None:
    seen: list[str] = []

    def split(text: str) -> list[str]:
        seen.append(text)
        return text.split()

    assert tokenize(objects("The DOG", "İ"), split, lowercase=True).tolist() == [["the", "dog"], ["i̇"]]
    assert seen == ["the dog", "i̇"]
    assert tokenize(objects("A Dog."), lowercase=True).tolist() == [["a", "dog", "."]]
    assert tokenize(objects("A Dog.")).tolist() == [["A", "Dog", "."]]


def test_a_function_sees_the_text_as_it_is_but_no_empty_text() -> None:
    seen: list[str] = []

    def split(text: str) -> list[str]:
        seen.append(text)
        return ["x"]

    assert tokenize(objects(" a ", "", "b\n", " a "), split).tolist() == [["x"], [], ["x"], ["x"]]
    assert seen == [" a ", "b\n", " a "]


def test_a_series_takes_its_tokenizer_by_place_or_by_name() -> None:
    series = objects("a,b")
    expected = [["a,b"]]
    assert tokenize(series, "none").tolist() == expected
    assert tokenize(series, tokenizer="none").tolist() == expected
    assert tokenize(series, str.split).tolist() == expected
    assert tokenize(series, None, "none").tolist() == expected  # type: ignore[call-overload]


# --- which columns


@pytest.mark.parametrize(
    "series",
    [
        objects("a b.", None, ""),
        objects("a b.", float("nan"), ""),
        objects("a b.", np.float32("nan"), ""),
        objects("a b.", pd.NA, ""),
        objects("a b.", pd.NaT, ""),
        objects(np.str_("a b."), None, np.str_("")),
        pd.Series(["a b.", None, ""], dtype="str"),
        pd.Series(["a b.", None, ""], dtype="string[python]"),
        pd.Series(["a b.", None, ""], dtype="string[pyarrow]"),
        pd.Series(["a b.", None, ""], dtype="category"),
        arrow(["a b.", None, ""], pa.string()),
        arrow(["a b.", None, ""], pa.large_string()),
        arrow(["a b.", None, ""], pa.string_view()),
        arrow(["a b.", None, ""], pa.dictionary(pa.int8(), pa.string())),
    ],
    ids=lambda series: f"{series.dtype} {series.iloc[1]!r}",
)
def test_every_kind_of_text_column(series: "pd.Series[Any]") -> None:
    result = tokenize(series)
    assert result.dtype == object
    assert [result.iloc[0], result.iloc[2]] == [["a", "b", "."], []]
    assert all(type(token) is str for token in result.iloc[0])
    assert repr(result.iloc[1]) == repr(series.iloc[1])  # None, nan, <NA> or NaT, as it was


@pytest.mark.parametrize(
    "series",
    [
        objects(["a b.", None], None, [], [""]),
        objects(("a b.", None), None, (), ("",)),
        objects(["a b.", float("nan")], None, [], [""]),
        objects(["a b.", pd.NA], None, [], [""]),
        objects(np.array(["a b.", None], dtype=object), None, np.array([]), np.array([""])),
        objects(pd.Series(["a b.", None]), None, pd.Index([]), pd.Categorical([""])),
        arrow([["a b.", None], None, [], [""]], pa.list_(pa.string())),
        arrow([["a b.", None], None, [], [""]], pa.large_list(pa.large_string())),
        arrow([["a b.", None], None, [], [""]], pa.list_view(pa.string())),
        arrow([["a b.", None], None, [], [""]], pa.list_(pa.string_view())),
        arrow([["a b.", None], None, [], [""]], pa.list_(pa.dictionary(pa.int8(), pa.string()))),
        arrow([["-"], ["a b.", None], None, [], [""], ["-"]], pa.list_(pa.string())).iloc[1:-1],
    ],
)
def test_every_kind_of_list_column(series: "pd.Series[Any]") -> None:
    result = tokenize(series)
    assert result.dtype == object
    assert [cell for cell in result.tolist() if isinstance(cell, list)] == [[["a", "b", "."], None], [], [[]]]
    assert pd.isna(result.iloc[1])


def test_arrow_lists_of_one_size() -> None:
    column = arrow([["a b", None], ["", "c"]], pa.list_(pa.string(), 2))
    assert tokenize(column).tolist() == [[["a", "b"], None], [[], ["c"]]]


def test_a_list_is_always_a_list_of_texts() -> None:
    assert tokenize(objects(["the", "dog."])).tolist() == [[["the"], ["dog", "."]]]


@pytest.mark.parametrize(
    "index",
    [
        pd.Index(["b", "a", "a"], name="key"),
        pd.MultiIndex.from_tuples([("x", 1), ("x", 1), ("y", 0)], names=["p", "q"]),
        pd.Index([2.5, float("nan"), float("nan")]),
        pd.date_range("2026-01-01", periods=3, name="day"),
    ],
)
def test_index_names_and_order_are_kept(index: "pd.Index[Any]") -> None:
    series = objects("c.", None, "a", index=index, name=("a", "tuple"))
    result = tokenize(series)
    pd.testing.assert_index_equal(result.index, index, exact=True)
    assert result.index.names == index.names
    assert result.name == ("a", "tuple")
    assert result.tolist() == [["c", "."], None, ["a"]]
    frame = tokenize(series.to_frame("t"), {"t": "tokens"})
    pd.testing.assert_index_equal(frame.index, index, exact=True)
    assert frame["tokens"].tolist() == [["c", "."], None, ["a"]]


@pytest.mark.parametrize("dtype", ["object", "str", "float64", "category", "string[pyarrow]"])
def test_no_rows_and_nothing_but_missing_rows(dtype: str) -> None:
    empty = pd.Series([], dtype=dtype, name="t")
    missing = pd.Series([None, None], dtype=dtype, name="t")
    assert tokenize(empty).dtype == object
    assert tokenize(empty).tolist() == []
    assert tokenize(missing).dtype == object
    assert tokenize(missing).isna().all()
    for series in (empty, missing):
        frame = tokenize(series.to_frame(), {"t": "tokens"})
        assert list(frame.columns) == ["t", "tokens"]
        assert frame["tokens"].dtype == object
        assert len(frame) == len(series)


# --- frames


def example() -> pd.DataFrame:
    refs = objects(["The dog.", "Dogs"], [None, "x"], None)
    frame = pd.DataFrame({"mt": objects("A dog.", "", None), "refs": refs, "system": ["A", "B", "B"]})
    return frame.set_index(pd.Index([7, 7, 9], name="row"))


def test_a_frame_gets_token_columns_and_keeps_the_others() -> None:
    frame = example()
    before = copy.deepcopy(frame)
    result = tokenize(frame, {"mt": "hypothesis", "refs": "references"}, "13a")
    assert list(result.columns) == ["mt", "refs", "system", "hypothesis", "references"]
    assert result["hypothesis"].tolist() == [["A", "dog", "."], [], None]
    assert result["references"].tolist() == [[["The", "dog", "."], ["Dogs"]], [None, ["x"]], None]
    pd.testing.assert_frame_equal(result[["mt", "refs", "system"]], before)
    pd.testing.assert_frame_equal(frame, before)


def test_the_result_shares_nothing_that_can_be_changed() -> None:
    frame = example()
    before = copy.deepcopy(frame)
    result = tokenize(frame, {"refs": "references"})
    result.loc[9, "system"] = "changed"
    result["references"].iloc[0].append("changed")
    result.columns = pd.Index([*"abcd"])
    pd.testing.assert_frame_equal(frame, before)


def test_an_existing_column_is_replaced_where_it_stands() -> None:
    frame = example()
    before = copy.deepcopy(frame)
    itself = tokenize(frame, {"mt": "mt"})
    assert list(itself.columns) == ["mt", "refs", "system"]
    assert itself["mt"].iloc[0] == ["A", "dog", "."]
    other = tokenize(frame, {"mt": "system"})
    assert list(other.columns) == ["mt", "refs", "system"]
    assert other["system"].iloc[0] == ["A", "dog", "."]
    assert other["mt"].iloc[0] == "A dog."
    pd.testing.assert_frame_equal(frame, before)


def test_all_texts_are_read_before_any_column_is_replaced() -> None:
    frame = pd.DataFrame({"a": ["x y"], "b": ["z."]})
    swapped = tokenize(frame, {"a": "b", "b": "a"})
    assert swapped.to_dict("list") == {"a": [["z", "."]], "b": [["x", "y"]]}


def test_no_columns_is_a_copy() -> None:
    frame = example()
    result = tokenize(frame, {})
    assert result is not frame
    pd.testing.assert_frame_equal(result, frame)


def test_labels_of_any_kind() -> None:
    frame = pd.DataFrame({0: ["a."], ("p", "q"): ["b."]})
    result = tokenize(frame, {0: 1, ("p", "q"): ("p", "r")})
    assert result[1].tolist() == [["a", "."]]
    assert result[("p", "r")].tolist() == [["b", "."]]
    levels = pd.DataFrame([["a.", "b."]], columns=pd.MultiIndex.from_tuples([("mt", "text"), ("ref", "text")]))
    result = tokenize(levels, {("mt", "text"): ("mt", "tokens")})
    assert result[("mt", "tokens")].tolist() == [["a", "."]]
    assert result.columns.nlevels == 2


def test_frame_subclasses_stay() -> None:
    class Special(pd.DataFrame):
        @property
        def _constructor(self) -> Any:
            return Special

    assert type(tokenize(Special({"t": ["a"]}), {"t": "tokens"})) is Special


def test_it_works_in_a_pipe() -> None:
    assert pd.DataFrame({"t": ["a"]}).pipe(tokenize, {"t": "tokens"})["tokens"].tolist() == [["a"]]


# --- memory


def test_tokens_are_kept_once_and_lists_are_not_shared() -> None:
    result = tokenize(objects("the dog", "the dog", "the cat", ["x"][0] * 600, "x" * 600))
    assert result[0] == result[1] == ["the", "dog"]
    assert result[0] is not result[1]
    assert result[0][0] is result[2][0]
    assert result[3] == ["x" * 600]
    assert result[3][0] is result[4][0]
    result[0].append("changed")
    assert result[1] == ["the", "dog"]


def test_a_function_that_returns_one_list_again_and_again() -> None:
    tokens = ["a"]
    result = tokenize(objects("x", "y"), lambda text: tokens)
    assert result[0] is not result[1]
    assert result[0] is not tokens


def test_nothing_stays_in_the_caches_of_sacrebleu() -> None:
    caches: list[Any] = [Tokenizer13a.__call__, TokenizerRegexp.__call__]
    before = [cache.cache_info() for cache in caches]
    assert tokenize(objects("a text that no other test has, really")).tolist()[0][-1] == "really"
    assert [cache.cache_info() for cache in caches] == before


def test_importing_does_not_load_sacrebleu_and_tqdm() -> None:
    program = (
        "import sys, pandas as pd; from bleupandas.reading.tokenize import tokenize; "
        "tokenize(pd.Series(['a']), 'whitespace'); print(sorted({'sacrebleu', 'tqdm', 'IPython'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
