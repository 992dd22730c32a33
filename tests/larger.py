"""Frames and calls that are the same on pandas and on the engines of larger data."""

from typing import Any

import frames
import naive
import numpy as np
import pandas as pd
import pyarrow as pa
import strategies

import bleupandas

SEGMENTS = naive.random_segments(17, 23)
TOKENS = pa.list_(pa.string())
BAD = [3, 22]  # the last one in the last partition


def arrow_frame() -> Any:
    frame = strategies.frame_of(SEGMENTS, "list<string>", "list<string>")
    frame["system"] = [["nmt", "pbmt", "human"][i % 3] for i in range(23)]
    frame["domain"] = [None if i % 7 == 0 else ["law", "news"][i // 12] for i in range(23)]
    frame["number"] = np.arange(23) // 6
    frame["kind"] = pd.Categorical([["b", "a"][i % 2] for i in range(23)], categories=["c", "b", "a"])
    return frame.set_index(pd.Index(np.arange(100, 123), name="key"))


def object_frame() -> Any:
    frame = arrow_frame()
    return frame.assign(
        hypothesis=frames.cells(frames.hypotheses(SEGMENTS), frame.index),
        references=frames.cells(frames.nested(SEGMENTS), frame.index),
    )


def with_bad_rows(frame: Any) -> Any:
    """A missing hypothesis in the first partition, a row without references in the last one."""
    hypotheses, references = list(frame["hypothesis"]), list(frame["references"])
    hypotheses[BAD[0]], references[BAD[1]] = None, None
    kinds = [frame["hypothesis"].dtype, frame["references"].dtype]
    columns = [
        frames.cells(cells, frame.index).astype(kind)
        for cells, kind in zip((hypotheses, references), kinds, strict=True)
    ]
    return frame.assign(hypothesis=columns[0], references=columns[1])


def same_score(found: Any, expected: bleupandas.CorpusScore) -> None:
    assert isinstance(found, bleupandas.CorpusScore)
    pd.testing.assert_series_equal(found.to_series(), expected.to_series(), check_exact=True)


CALLS: dict[str, dict[str, Any]] = {
    "components": {},
    "ngrams": {"id_vars": ["system", "number"]},
    "score": {},
    "explain": {},
}
MORE: list[tuple[str, dict[str, Any]]] = [
    ("components", {"max_order": 2}),
    ("ngrams", {"side": "references", "orders": [2]}),
    ("ngrams", {"ngram": "list", "orders": 1}),
    ("ngrams", {"ngram": "tuple", "max_order": 1}),
    ("score", {"max_order": [1, 2], "smoothing": "method5"}),
    ("score", {"convention": "nltk"}),
    ("explain", {"convention": "sacrebleu"}),
]


def is_missing(cell: object) -> bool:
    return cell is None or cell is pd.NA or (not hasattr(cell, "__len__") and cell != cell)
