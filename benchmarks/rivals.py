"""What the package is compared with: other libraries, and what a user would write."""

import itertools
import re
from collections import Counter
from typing import Any

import numpy as np
import pandas as pd

Tokens = list[str]


class UnavailableError(Exception):
    """A side of a row is not there; `excused` says whether `--check` lets that pass."""

    def __init__(self, reason: str, excused: bool) -> None:
        super().__init__(reason)
        self.excused = excused


def sacrebleu_statistics(hypotheses: list[str], references: list[list[str]]) -> list[list[int]]:
    """Return sacreBLEU's statistics of every segment, by the two functions that its corpus statistics are made with.

    Called directly, they are spared preprocessing; the text is split at spaces by sacreBLEU itself.
    """
    from sacrebleu.metrics.bleu import BLEU

    metric = BLEU(tokenize="none", force=True)
    count, info = metric._compute_segment_statistics, metric._extract_reference_info
    return [count(hypothesis, info(texts)) for hypothesis, texts in zip(hypotheses, references, strict=True)]


def mojo_sums(hypotheses: list[str], streams: list[list[str]]) -> list[int]:
    """Return sacrebleu-mojo's corpus sums: lengths, matches, totals."""
    try:
        import sacrebleu_mojo
    except ImportError:
        raise UnavailableError("sacrebleu-mojo is not installed", excused=True) from None
    if not sacrebleu_mojo.native_available():
        raise UnavailableError("sacrebleu-mojo has no native kernel here", excused=True)
    bleu = sacrebleu_mojo.corpus_bleu(hypotheses, streams, tokenize="none")
    return [bleu.sys_len, bleu.ref_len, *bleu.counts, *bleu.totals]


def chained(hypotheses: list[Any], references: list[list[Any]]) -> list[str]:
    """Touch every token: the least that any program must do."""
    chain = itertools.chain.from_iterable
    return list(itertools.chain(chain(hypotheses), chain(chain(references))))


def nltk_scores(hypotheses: list[Tokens], references: list[list[Tokens]]) -> list[float]:
    """Return NLTK's sentence BLEU of every segment."""
    from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu

    smooth = SmoothingFunction().method1
    pairs = zip(references, hypotheses, strict=True)
    return [sentence_bleu(texts, hypothesis, smoothing_function=smooth) for texts, hypothesis in pairs]


def counter_frame(hypotheses: list[Tokens], references: list[list[Tokens]]) -> pd.DataFrame:
    """List n-grams with a Counter per row and order: lists that grow, and one DataFrame at the end.

    The texts of an order are made from those of the order before; a dict filled backwards keeps the first position.
    """
    segments: list[int] = []
    orders: list[int] = []
    ngrams: list[str] = []
    counts: list[int] = []
    most: list[int] = []
    firsts: list[int] = []
    for segment, (hypothesis, texts) in enumerate(zip(hypotheses, references, strict=True)):
        own = hypothesis
        others = texts
        for order in range(1, 5):
            if order > 1:
                own = [f"{a} {b}" for a, b in zip(own, hypothesis[order - 1 :], strict=False)]
                pairs = zip(others, texts, strict=True)
                others = [[f"{a} {b}" for a, b in zip(o, text[order - 1 :], strict=False)] for o, text in pairs]
            counted = Counter(own)
            best = Counter(others[0])
            for other in others[1:]:
                best |= Counter(other)
            positions = dict(zip(reversed(own), range(len(own) - 1, -1, -1), strict=True))
            segments += itertools.repeat(segment, len(counted))
            orders += itertools.repeat(order, len(counted))
            ngrams += counted
            counts += counted.values()
            most += map(best.get, counted, itertools.repeat(0))
            firsts += map(positions.__getitem__, counted)
    maxima = np.array(most)
    data = {"segment": segments, "order": orders, "ngram": ngrams, "count": counts, "max_reference_count": maxima}
    clipped = np.minimum(counts, maxima)
    return pd.DataFrame(data | {"clipped_count": clipped, "first_position": firsts})


def generic_processor(cpuinfo: str) -> str:
    """Return the kind of processor from /proc/cpuinfo, without details of the single machine."""
    found = re.search(r"^model name\s*:\s*(.+)$", cpuinfo, re.MULTILINE)
    return re.sub(r"\(R\)|\(TM\)| CPU| Processor|@.*", "", found.group(1)).strip() if found else "unknown processor"
