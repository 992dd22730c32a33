"""CorpusScore: sacreBLEU's line, tables, markup, signature."""

import dataclasses
import html.parser
import itertools
import math
from typing import Any

import naive
import oracles
import pandas as pd
import pytest
from strategies import frame_of

import bleupandas
from bleupandas.scoring.corpus_score import CorpusScore

SEGMENTS = naive.random_segments(8, 60, empty_references=False)
NO_4_GRAM = [(list("abcxdey"), [list("abcdef")])]
NO_MATCH = [(["x", "y", "z"], [["a", "b"], ["c"]])]
SHORT = [(["a", "b"], [["a", "b"]]), (["c"], [["c", "d"]])]


# ---- One line ----

ALIASES = ["none", "floor", "add-k", "exp"]
CORPORA = {"example": None, "random": SEGMENTS, "no 4-gram": NO_4_GRAM, "no match": NO_MATCH, "short": SHORT}


@pytest.mark.parametrize("segments", CORPORA.values(), ids=CORPORA)
@pytest.mark.parametrize("effective", [False, True])
@pytest.mark.parametrize("method", ALIASES)
def test_line_is_sacrebleus(segments: Any, method: str, effective: bool) -> None:
    if segments is None:
        segments = oracles.segments_of(bleupandas.load_example().iloc[40:80])
    found = frame_of(segments).bleu.corpus(convention="sacrebleu", smoothing=method, effective_order=effective)
    expected = oracles.sacrebleu_corpus(segments, smooth_method=method, use_effective_order=effective)
    assert str(found) == str(expected)
    assert repr(found) == str(found)
    sums = frame_of(segments).bleu.components().sum()
    assert str(sums.bleu.corpus(smoothing=method, effective_order=effective)) == str(found)


def test_lines() -> None:
    frame = frame_of(NO_4_GRAM)
    lengths = "(BP = 1.000 ratio = 1.167 hyp_len = 7 ref_len = 6)"
    assert str(frame.bleu.corpus()) == f"BLEU = 0.00 71.4/50.0/20.0/0.0 {lengths}"
    smoothed = frame.bleu.corpus(smoothing="exp")
    assert str(smoothed) == f"BLEU = {100 * (5 / 7 * 3 / 6 * 1 / 5 * 1 / 8) ** 0.25:.2f} 71.4/50.0/20.0/12.5 {lengths}"
    assert smoothed.precisions == (5 / 7, 3 / 6, 1 / 5, 0.0)
    assert str(frame.head(0).bleu.corpus(max_order=2)) == (
        "BLEU = nan 0.0/0.0 (BP = 1.000 ratio = 0.000 hyp_len = 0 ref_len = 0)"
    )
    assert str(frame_of([([], [["a"]])]).bleu.corpus(max_order=1)) == (
        "BLEU = 0.00 0.0 (BP = 0.000 ratio = 0.000 hyp_len = 0 ref_len = 1)"
    )


def test_example() -> None:
    assert str(bleupandas.load_example().bleu.corpus()) == (
        "BLEU = 29.52 65.3/36.7/22.4/14.1 (BP = 1.000 ratio = 1.028 hyp_len = 6966 ref_len = 6778)"
    )


# ---- Fields ----


def test_fields() -> None:
    found = frame_of(NO_4_GRAM * 2).bleu.corpus(max_order=2)
    assert [field.name for field in dataclasses.fields(found)] == [
        *("score", "precisions", "smoothed_precisions", "brevity_penalty", "candidate_length", "reference_length"),
        *("length_ratio", "segments", "segments_missing", "matches", "totals", "signature"),
    ]
    assert found.score == pytest.approx(math.sqrt(10 / 14 * 6 / 12), rel=1e-12, abs=0)
    assert found.precisions == found.smoothed_precisions == (10 / 14, 6 / 12)
    assert (found.candidate_length, found.reference_length, found.length_ratio) == (14, 12, 14 / 12)
    assert (found.brevity_penalty, found.segments, found.segments_missing) == (1.0, 2, 0)
    assert (found.matches, found.totals) == ((10, 6), (14, 12))
    kinds = [type(value) for value in (*found.matches, *found.totals, *found.precisions, found.score, found.segments)]
    assert kinds == [int] * 4 + [float] * 3 + [int]


def test_frozen() -> None:
    found = frame_of(SEGMENTS).bleu.corpus()
    with pytest.raises(dataclasses.FrozenInstanceError):
        found.score = 1.0
    assert found == frame_of(SEGMENTS).bleu.corpus()
    assert hash(found) == hash(frame_of(SEGMENTS).bleu.corpus())
    assert not hasattr(found, "bleu")


def test_undefined_is_nan() -> None:
    found = frame_of(SHORT).bleu.corpus()
    assert [math.isnan(p) for p in found.precisions] == [False, False, True, True]
    assert found.score == 0.0
    nothing = frame_of([]).bleu.corpus()
    assert math.isnan(nothing.score)
    assert math.isnan(nothing.length_ratio)
    assert nothing.brevity_penalty == 1.0


def test_segments_of_a_bare_sum_are_not_known() -> None:
    sums = frame_of(SEGMENTS).bleu.components().sum()
    found = sums.bleu.corpus()
    assert found.segments is None
    assert found.score == frame_of(SEGMENTS).bleu.corpus().score
    again = found.to_series().bleu.corpus()
    assert again == found
    assert pd.Series({**sums, "segments": 60}).bleu.corpus().segments == 60


# ---- Tables ----


def test_to_series_and_to_frame() -> None:
    found = frame_of(NO_4_GRAM).bleu.corpus(max_order=2)
    names = [
        *("score", "precision_1", "precision_2", "smoothed_precision_1", "smoothed_precision_2", "brevity_penalty"),
        *("candidate_length", "reference_length", "length_ratio", "segments", "segments_missing"),
        *("matches_1", "matches_2", "totals_1", "totals_2", "signature"),
    ]
    values = [found.score, *found.precisions * 2, 1.0, 7, 6, 7 / 6, 1, 0, 5, 3, 7, 6, found.signature]
    series = found.to_series()
    assert series.index.tolist() == names
    assert series.tolist() == values
    assert series.dtype == object
    table = found.to_frame()
    assert table.columns.tolist() == names
    assert table.iloc[0].tolist() == values
    assert table.index.tolist() == [0]
    assert table["score"].dtype == float
    assert table["matches_1"].dtype == int


def test_tables_are_components_again() -> None:
    found = frame_of(SEGMENTS).bleu.corpus()
    for again in (found.to_series().bleu.corpus(), found.to_frame().bleu.corpus()):
        assert again == dataclasses.replace(found, signature=found.signature.split("|", 1)[1])
    both = pd.concat([found.to_frame(), found.to_frame()]).bleu.corpus()
    assert both.segments == 2 * len(SEGMENTS)
    assert both.score == pytest.approx(found.score, rel=1e-12, abs=0)


# ---- Markup ----


class Text(html.parser.HTMLParser):
    """Cells by their text; fails where tags do not nest."""

    def __init__(self) -> None:
        super().__init__()
        self.stack: list[str] = []
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert attrs == []
        self.stack.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.stack.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def read(markup: str) -> list[str]:
    parser = Text()
    parser.feed(markup)
    parser.close()
    assert parser.stack == []
    return parser.texts


def test_markup() -> None:
    found = frame_of(SHORT).bleu.corpus()
    markup = found._repr_html_()
    assert read(markup) == [
        *(str(found), "order", "1", "2", "3", "4"),
        *("matched", "3", "1", "0", "0", "of total", "3", "1", "0", "0", "precision", "1.000", "1.000"),
        found.signature,
    ]
    assert frame_of(SHORT).bleu.corpus()._repr_html_() == markup


def test_markup_is_escaped() -> None:
    found = dataclasses.replace(frame_of(SHORT).bleu.corpus(), signature="<b>&amp;\"'")
    assert read(found._repr_html_())[-1] == "<b>&amp;\"'"
    assert "<b>" not in found._repr_html_()


# ---- Signature ----


def signature(**options: Any) -> str:
    found = frame_of(SEGMENTS[:5]).bleu.corpus(**options)
    assert isinstance(found, CorpusScore)
    return found.signature


def test_signatures() -> None:
    version = bleupandas.__version__
    assert signature() == f"nrefs:var|eff:no|smooth:none|order:4|version:{version}"
    assert signature(convention="sacrebleu") == f"nrefs:var|eff:no|smooth:exp|order:4|version:{version}"
    assert signature(smoothing="method7", k=3, weights=[0.5, 0.25], effective_order=True) == (
        f"nrefs:var|eff:yes|smooth:method7[3]|order:2|weights:0.5,0.25|version:{version}"
    )
    example = bleupandas.load_example()
    numbers = example["references"].map(len)
    assert example.bleu.corpus().signature.startswith("nrefs:var|")
    assert example[numbers == 2].bleu.corpus().signature.startswith("nrefs:2|")
    assert example[numbers == 4].bleu.components().bleu.corpus().signature.startswith("eff:no|")
    assert example.head(0).bleu.corpus().signature.startswith("eff:no|")


def test_signature_tells_every_setting_that_changes_a_number() -> None:
    settings: list[dict[str, Any]] = [
        {}, {"effective_order": True}, {"max_order": 3}, {"max_order": 5}, {"weights": [0.1, 0.2, 0.3, 0.4]},
        {"weights": [0.4, 0.3, 0.2, 0.1]}, {"weights": [0.5] * 4}, {"smoothing": "floor"},
        {"smoothing": "floor", "epsilon": 0.2}, {"smoothing": "add-k"}, {"smoothing": "exp"},
        {"smoothing": "method4"}, {"smoothing": "method4", "k": 6}, {"smoothing": "method5"},
        {"smoothing": "method6"}, {"smoothing": "method6", "alpha": 4}, {"smoothing": "method7"},
        {"smoothing": "method7", "k": 6},
    ]  # fmt: skip
    signatures = [signature(**options) for options in settings]
    for (i, one), (k, other) in itertools.combinations(enumerate(signatures), 2):
        assert one != other, (settings[i], settings[k])


@pytest.mark.parametrize(
    ("options", "base"),
    [
        ({"smoothing": "method0"}, {}),
        ({"convention": "paper", "max_order": 4, "effective_order": False}, {}),
        ({"weights": [0.25] * 4}, {}),
        ({"epsilon": 0.2, "k": 4, "alpha": 3}, {}),
        ({"threads": 1, "errors": "coerce"}, {}),
        ({"convention": "sacrebleu"}, {"smoothing": "exp"}),
        ({"convention": "sacrebleu", "smoothing": "none"}, {}),
        ({"smoothing": "method3", "epsilon": 0.5}, {"smoothing": "exp"}),
        ({"smoothing": "method1", "epsilon": 0.1, "k": 3}, {"smoothing": "floor"}),
        ({"smoothing": "method4", "k": 5.0, "alpha": 1}, {"smoothing": "method4"}),
    ],
    ids=str,
)
def test_signature_tells_nothing_else(options: dict[str, Any], base: dict[str, Any]) -> None:
    assert signature(**options) == signature(**base)
