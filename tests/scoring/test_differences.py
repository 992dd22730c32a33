"""The table of docs/differences.md: every number in it, computed by the packages that it is about."""

import math
import re
import warnings
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import naive
import pytest
import strategies
from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu
from sacrebleu.metrics.bleu import BLEU

import bleupandas

PAGE = Path(__file__).parents[2] / "docs" / "differences.md"
NOTHING, RAISES = "–", "raises"
HAS_NONE = {"torchmetrics"}  # reported, not run
SACREBLEU_NAMES = {"method0": "none", "method1": "floor", "method2": "add-k", "method3": "exp"}


class Difference(NamedTuple):
    number: int
    hypothesis: list[str]
    references: list[list[str]]
    method: str | None  # None for the defaults
    weights: list[float] | None
    effective_order: bool
    cells: dict[str, str]

    @property
    def ours(self) -> dict[str, Any]:
        """Keywords of corpus()."""
        if self.method is None:
            return {}
        return {"smoothing": self.method, "effective_order": self.effective_order, "weights": self.weights}


def read_page() -> list[Difference]:
    lines = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("|")]
    head, _, *rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    found = []
    for row in rows:
        number, hypothesis, references, settings, *cells = row
        method, _, rest = settings.partition(", ")
        weights = [float(w) for w in re.findall(r"[\d.]+", rest)] or None
        assert rest in ("", "effective order") or weights, settings
        found.append(
            Difference(
                int(number),
                hypothesis.split(),
                [reference.split() for reference in references.split(" / ")],
                None if method == "defaults" else method,
                weights,
                rest == "effective order",
                dict(zip(head[4:], cells, strict=True)),
            )
        )
    return found


DIFFERENCES = read_page()


def shown(value: float) -> str:
    """A score as the table has it: six digits, or all where it is not quite 1."""
    return repr(value) if 0 < abs(value - 1) < 1e-9 else f"{value:.6g}"


# ---- What each prints; None where it has no such setting ----


def paper(row: Difference) -> float | None:
    frame = strategies.frame_of([(row.hypothesis, row.references)])
    return float(bleupandas.corpus(frame, **row.ours).score)


def nltk(row: Difference) -> float | None:
    weights = tuple(row.weights or (0.25,) * 4)
    smoothing = getattr(SmoothingFunction(), row.method or "method0")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # its advice on orders without a match
        return float(sentence_bleu(row.references, row.hypothesis, weights, smoothing, row.effective_order))


def sacrebleu(row: Difference) -> float | None:
    if row.weights or (row.method or "method3") not in SACREBLEU_NAMES:
        return None
    chosen: dict[str, Any] = {} if row.method is None else {"smooth_method": SACREBLEU_NAMES[row.method]}
    metric = BLEU(tokenize="none", force=True, effective_order=row.effective_order, **chosen)
    streams = [[" ".join(reference)] for reference in row.references]
    return float(metric.corpus_score([" ".join(row.hypothesis)], streams).score) / 100


def nmt_script(row: Difference) -> float | None:
    """The rule of compute_bleu(): shortest reference, and with smooth=True one more match and n-gram of each order."""
    if row.weights or row.effective_order or row.method not in ("method0", "method2", None):
        return None
    smooth = row.method == "method2"
    precisions = []
    for order in range(1, 5):
        counts: Counter[tuple[str, ...]] = Counter()
        for reference in row.references:
            counts |= Counter(naive.grams(reference, order))
        matches = (Counter(naive.grams(row.hypothesis, order)) & counts).total()
        total = max(0, len(row.hypothesis) - order + 1)
        precisions.append((matches + smooth) / (total + smooth) if total + smooth else 0.0)
    if min(precisions) == 0:
        return 0.0
    ratio = len(row.hypothesis) / min(len(reference) for reference in row.references)
    penalty = 1.0 if ratio > 1 else math.exp(1 - 1 / ratio)
    return penalty * math.exp(sum(math.log(p) for p in precisions) / 4)


COLUMNS: dict[str, Callable[[Difference], float | None]] = {
    "paper": paper,
    "NLTK": nltk,
    "sacreBLEU": sacrebleu,
    "nmt script": nmt_script,
}


def prints(scorer: Callable[[Difference], float | None], row: Difference) -> str:
    try:
        value = scorer(row)
    except AssertionError:  # NLTK's way to refuse
        return RAISES
    return NOTHING if value is None else shown(value)


@pytest.mark.parametrize("column", COLUMNS)
@pytest.mark.parametrize("row", DIFFERENCES, ids=lambda row: str(row.number))
def test_the_table_has_what_each_prints(row: Difference, column: str) -> None:
    assert row.cells[column] == prints(COLUMNS[column], row)


def test_columns_and_numbers() -> None:
    assert set(DIFFERENCES[0].cells) == set(COLUMNS) | HAS_NONE
    assert [row.number for row in DIFFERENCES] == list(range(1, len(DIFFERENCES) + 1))


@pytest.mark.parametrize("row", DIFFERENCES, ids=lambda row: str(row.number))
def test_rows_differ_unless_they_show_the_way_out(row: Difference) -> None:
    others = {cell for name, cell in row.cells.items() if cell not in (NOTHING, row.cells["paper"])}
    assert others or row.effective_order


@pytest.mark.parametrize("row", DIFFERENCES, ids=lambda row: str(row.number))
def test_paper_is_the_oracle(row: Difference) -> None:
    if row.weights is None:
        value = naive.bleu(row.hypothesis, row.references, 4, row.method or "method0", row.effective_order)
        assert shown(value) == row.cells["paper"]


@pytest.mark.parametrize("row", DIFFERENCES, ids=lambda row: str(row.number))
def test_conventions_give_the_other_columns(row: Difference) -> None:
    frame = strategies.frame_of([(row.hypothesis, row.references)])
    chosen: dict[str, Any] = {"smoothing": row.method, "weights": row.weights}
    if row.cells["sacreBLEU"] != NOTHING:
        value = bleupandas.corpus(
            frame, convention="sacrebleu", smoothing=row.method, effective_order=row.effective_order
        ).score
        assert value == pytest.approx(float(row.cells["sacreBLEU"]), rel=1e-5)
    if row.cells["NLTK"] != RAISES:
        value = frame.bleu.score(convention="nltk", effective_order=row.effective_order, **chosen)[0]
        assert value == pytest.approx(float(row.cells["NLTK"]), rel=1e-5, abs=1e-315)
    else:
        with pytest.warns(RuntimeWarning, match="NLTK's method6 raises"):
            assert math.isnan(frame.bleu.score(convention="nltk", **chosen)[0])


def test_every_row_is_explained() -> None:
    text = PAGE.read_text(encoding="utf-8").partition("## Why")[2]
    numbered: Sequence[str] = re.findall(r"^(\d+)\. \*\*", text, re.MULTILINE)
    assert [int(number) for number in numbered] == [row.number for row in DIFFERENCES]


def test_torchmetrics_by_its_reported_rules() -> None:
    """The first reference of a tie is kept, and an order without a match is 0 before it is smoothed."""
    reported = {row.number: row.cells["torchmetrics"] for row in DIFFERENCES if row.cells["torchmetrics"] != NOTHING}
    assert reported == {1: shown(math.exp(1 - 5 / 4)), 9: "0"}
