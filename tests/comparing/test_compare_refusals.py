"""Errors of compare(): type and whole message."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from compared import EXAMPLE, PAIR, wide_example

import bleupandas

KEYWORDS = (
    "system, id, hypothesis, references, baseline, pairs, method, n_resamples, seed, level, correction, cluster, by, "
    "metric, max_order, convention, smoothing, weights, effective_order, epsilon, k, alpha, on_unpaired, errors, "
    "threads, components, progress"
)


def with_comet(values: Any) -> Any:
    return EXAMPLE[:4].assign(comet=values)


ERRORS: dict[str, tuple[Callable[[], Any], type[Exception], str]] = {
    "no frame": (lambda: bleupandas.compare([1]), TypeError, "compare() takes a pandas DataFrame, not list"),  # type: ignore[arg-type]
    "unknown keyword": (
        lambda: EXAMPLE.bleu.compare(n_job=2),
        TypeError,
        f"compare() has no keyword 'n_job'; its keywords are {KEYWORDS}",
    ),
    "a neighbour's keyword": (
        lambda: EXAMPLE.bleu.compare(smooth_method="exp"),
        TypeError,
        f"compare() has no keyword 'smooth_method'; did you mean 'smoothing'? its keywords are {KEYWORDS}",
    ),
    "method": (
        lambda: EXAMPLE.bleu.compare(method="bootstrapping"),
        ValueError,
        "method is one of 'bootstrap', 'randomization', not 'bootstrapping'; did you mean 'bootstrap'?",
    ),
    "correction": (
        lambda: EXAMPLE.bleu.compare(correction=None),
        ValueError,
        "correction is one of 'holm', 'benjamini-hochberg', 'none', not None",
    ),
    "pairs": (lambda: EXAMPLE.bleu.compare(pairs="both"), ValueError, "pairs is one of 'baseline', 'all', not 'both'"),
    "n_resamples": (
        lambda: EXAMPLE.bleu.compare(n_resamples=0),
        ValueError,
        "n_resamples is a whole number of at least 1, not 0",
    ),
    "n_resamples of another kind": (
        lambda: EXAMPLE.bleu.compare(n_resamples=1e3),
        TypeError,
        "n_resamples is a whole number of at least 1, not 1000.0",
    ),
    "seed": (lambda: EXAMPLE.bleu.compare(seed=-1), ValueError, "seed is a whole number of at least 0, not -1"),
    "level": (
        lambda: EXAMPLE.bleu.compare(level=95),
        ValueError,
        "level is a number between 0 and 1, such as 0.95, not 95",
    ),
    "level of another kind": (
        lambda: EXAMPLE.bleu.compare(level="95%"),
        TypeError,
        "level is a number between 0 and 1, such as 0.95, not '95%'",
    ),
    "progress": (
        lambda: EXAMPLE.bleu.compare(progress=1),
        TypeError,
        "progress is True, False or None, not 1",
    ),
    "convention": (
        lambda: EXAMPLE.bleu.compare(convention="nltk"),
        ValueError,
        "convention 'nltk' is for score() only, as NLTK's totals of at least 1 are a sentence's; corpus() has 'paper' "
        "and 'sacrebleu'",
    ),
    "one system": (
        lambda: EXAMPLE[EXAMPLE["system"] == "pivot"].bleu.compare(),
        ValueError,
        "compare() compares at least two systems, and the frame has one system, 'pivot'; pass a frame with the rows of "
        'both, or hypothesis=["mt_a", "mt_b"]',
    ),
    "baseline": (
        lambda: EXAMPLE.bleu.compare(baseline="Direct"),
        ValueError,
        "baseline is one of the systems 'direct', 'pivot', not 'Direct'",
    ),
    "by that differs": (
        lambda: EXAMPLE.bleu.compare(by="system"),
        ValueError,
        "by differs between the rows of 240 segments, id 1, 2, 3 and 237 more; expected the same for all systems' rows "
        "of a segment",
    ),
    "cluster that differs": (
        lambda: EXAMPLE.assign(doc=[0] * 479 + [1]).bleu.compare(cluster="doc"),
        ValueError,
        "cluster (column 'doc') differs between the rows of 1 segment, id 240; expected the same for all systems' rows "
        "of a segment",
    ),
    "cluster that is missing": (
        lambda: EXAMPLE.assign(doc=[0.0] * 479 + [np.nan]).bleu.compare(cluster="doc"),
        ValueError,
        "1 row has no cluster: row 479; expected one for each row: fill them in, or leave the rows out",
    ),
    "no such metric": (
        lambda: with_comet(1).bleu.compare(metric="come"),
        KeyError,
        "no column 'come' for metric=: the columns are 'id', 'system', 'domain', 'source', 'hypothesis_text', "
        "'reference_texts', 'hypothesis', 'references', 'comet'; did you mean 'comet'?",
    ),
    "metric that is missing": (
        lambda: with_comet([1, np.nan, 2, np.nan]).bleu.compare(metric="comet"),
        ValueError,
        "metric column 'comet', row 1 (position 1): got nan (2 such in all), expected a number; add it, or pass "
        "errors='coerce'",
    ),
    "metric that is infinite": (
        lambda: with_comet([1, 2, np.inf, 3]).bleu.compare(metric="comet", errors="coerce"),
        ValueError,
        "metric column 'comet', row 2 (position 2): got inf (1 such in all), expected a finite number; correct it, or "
        "leave the row out",
    ),
    "metric too large to add up": (
        lambda: with_comet([1, 2, 1e308, -1e300]).bleu.compare(metric="comet"),
        ValueError,
        "metric column 'comet', row 2 (position 2): got 1e+308 (2 such in all), expected a number of at most 1e+290; "
        "correct it, or leave the row out",
    ),
    "metric beyond floats": (
        lambda: with_comet(pd.Series([1, 2, 3, -(10**309)], dtype=object)).bleu.compare(metric="comet"),
        ValueError,
        f"metric column 'comet', row 3 (position 3): got {str(-(10**309))[:37]}... (1 such in all), "
        "expected a finite number; correct it, or leave the row out",
    ),
    "metric of text": (
        lambda: with_comet(pd.Series(list("abcd"), dtype="string")).bleu.compare(metric="comet"),
        TypeError,
        "metric column 'comet': numbers are expected, not string; pass a column of numbers",
    ),
    "metric of objects": (
        lambda: with_comet(pd.Series([1, "2", 3, None], dtype=object)).bleu.compare(metric="comet"),
        TypeError,
        "metric column 'comet', row 1 (position 1): got '2' (1 such in all), expected a number; correct it, or leave "
        "the row out",
    ),
    "one metric column for several systems": (
        lambda: wide_example().bleu.compare(hypothesis=PAIR, metric="comet"),
        ValueError,
        "metric='comet' is one column and hypothesis=['direct', 'pivot'] a column for each system; expected a metric "
        'column for each system as well, such as metric=["comet_a", "comet_b"]',
    ),
    "another number of metric columns": (
        lambda: wide_example().bleu.compare(hypothesis=PAIR, metric=["a", "b", "c"]),
        ValueError,
        "metric has 3 columns and hypothesis 2; expected one of each for each system",
    ),
}


@pytest.mark.parametrize(("call", "kind", "message"), ERRORS.values(), ids=ERRORS)
def test_error_messages(call: Any, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind) as caught:
        call()
    assert str(caught.value) == message
