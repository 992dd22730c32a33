"""The published examples of the counting tools `bleu-sentence-components` and `bleu-ngrams-count`, version 1.0.0."""

from typing import Any

import frames
import pandas as pd

import bleupandas


def components(hypothesis: list[str], references: list[list[str]], max_order: int) -> dict[str, Any]:
    """Count one segment, the result in the form that the published tools give."""
    row = one_segment(hypothesis, references).bleu.components(max_order=max_order).iloc[0]
    return {
        "candidate_length": row["candidate_length"],
        "reference_length": row["reference_length"],
        "max_order": max_order,
        "matches": [row[f"matches_{n}"] for n in range(1, max_order + 1)],
        "totals": [row[f"totals_{n}"] for n in range(1, max_order + 1)],
    }


def one_segment(hypothesis: list[str], references: list[list[str]]) -> pd.DataFrame:
    return pd.DataFrame({"hypothesis": frames.cells([hypothesis]), "references": frames.cells([references])})


def test_sentence_components(engine: str) -> None:
    hypothesis = ["am", "I", "am", "a", "character", "sequence"]
    reference = ["I", "am", "a", "symbol", "string", "sequence", "a", "a"]
    assert components(hypothesis, [reference], 4) == {
        "candidate_length": 6,
        "reference_length": 8,
        "max_order": 4,
        "matches": [4, 2, 1, 0],
        "totals": [6, 5, 4, 3],
    }


def test_sentence_components_with_ngrams(engine: str) -> None:
    hypothesis, references = ["the", "the", "the"], [["the", "cat", "on", "the", "mat"], ["a", "cat"]]
    assert components(hypothesis, references, 1) == {
        "candidate_length": 3,
        "reference_length": 2,
        "max_order": 1,
        "matches": [2],
        "totals": [3],
    }
    listed = bleupandas.ngrams(one_segment(hypothesis, references), max_order=1, ngram="list")
    published = ["order", "ngram", "count", "max_reference_count", "clipped_count"]
    rows = [dict(zip(published, row, strict=True)) for row in listed[published].itertuples(index=False)]
    assert [{**row, "ngram": list(row["ngram"])} for row in rows] == [
        {"order": 1, "ngram": ["the"], "count": 3, "max_reference_count": 2, "clipped_count": 2}
    ]


def test_ngrams_count(engine: str) -> None:
    texts = [
        "It is a guide to action that ensures that the military will forever heed Party commands",
        "It is the guiding principle which guarantees the military forces always being under the command of the Party",
        "It is the practical guide for the army always to heed the directions of the party",
    ]
    found = components(["of", "the"], [text.split() for text in texts], 2)
    assert {name: found[name] for name in ("max_order", "matches", "totals")} == {
        "max_order": 2,
        "matches": [2, 1],
        "totals": [2, 1],
    }
