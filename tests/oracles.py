"""Scores of segments by others: sacreBLEU, NLTK, and BLEU's formula on sums of counts."""

import math
import warnings
from collections.abc import Sequence
from typing import Any

import pandas as pd
import sacrebleu
from frames import Segment
from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu
from sacrebleu.metrics.bleu import BLEU


def segments_of(frame: pd.DataFrame) -> list[Segment]:
    """The token columns of a frame as plain lists."""
    pairs = zip(frame["hypothesis"], frame["references"], strict=True)
    return [(list(tokens), [list(reference) for reference in lists]) for tokens, lists in pairs]


def plain_corpus(rows: Sequence[Sequence[float]], max_order: int = 4) -> float:
    """BLEU of sums of component rows, each of lengths, matches and totals of at least `max_order` orders."""
    if not rows:
        return math.nan
    c, r, *counts = (sum(column) for column in zip(*rows, strict=True))
    orders = len(counts) // 2
    matches, totals = counts[:max_order], counts[orders : orders + max_order]
    if 0 in matches or 0 in totals:
        return 0.0
    penalty = 1.0 if c > r else math.exp(1 - r / c)
    return penalty * math.exp(sum(math.log(m / t) for m, t in zip(matches, totals, strict=True)) / max_order)


def sacrebleu_corpus(segments: Sequence[Segment], **options: Any) -> Any:
    """sacreBLEU's BLEUScore; it pads references with None, and does not know empty ones."""
    most = max(len(references) for _, references in segments)
    streams: Any = [[" ".join(refs[k]) if k < len(refs) else None for _, refs in segments] for k in range(most)]
    lines = [" ".join(hypothesis) for hypothesis, _ in segments]
    return sacrebleu.corpus_bleu(lines, streams, tokenize="none", force=True, **options)


def sacrebleu_sentences(
    segments: Sequence[Segment], smooth_method: str = "exp", use_effective_order: bool = True
) -> list[float]:
    """sacreBLEU's sentence scores on 0..1; this is sacrebleu.sentence_bleu, which makes its BLEU anew each time."""
    metric = BLEU(tokenize="none", smooth_method=smooth_method, effective_order=use_effective_order)
    found = []
    for hypothesis, references in segments:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found.append(metric.sentence_score(" ".join(hypothesis), [" ".join(r) for r in references]).score / 100)
    return found


def nltk_sentence(segment: Segment, weights: Sequence[float], method: str, **parameters: float) -> float:
    """NLTK's score; NaN where it raises."""
    hypothesis, references = segment
    smoothing = getattr(SmoothingFunction(**parameters), method)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return float(sentence_bleu(references, hypothesis, weights, smoothing))
        except (AssertionError, IndexError, ZeroDivisionError):
            return math.nan
