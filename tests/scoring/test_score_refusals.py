"""What score() and corpus() say of bad input: whole messages, and their kinds."""

from collections.abc import Callable
from functools import partial
from typing import Any

import frames
import numpy as np
import pandas as pd
import pytest

import bleupandas
from bleupandas.reading.component_columns import component_names

TOKENS: Any = frames.objects().frame
TOKENS = TOKENS.assign(system=[*"aabbc", None], day=pd.date_range("2024-05-01", periods=6), text="All")
COUNTS: Any = pd.DataFrame(frames.component_rows(frames.PLAIN), columns=component_names(4))
ROW = COUNTS.sum()

SCORE_KEYWORDS = (
    "hypothesis, references, max_order, convention, smoothing, weights, effective_order, epsilon, k, alpha, errors, "
    "threads, components"
)
CORPUS_KEYWORDS = f"by, sort, observed, dropna, margins, {SCORE_KEYWORDS}"
METHODS = (
    "'none', 'floor', 'add-k', 'exp', 'method0', 'method1', 'method2', 'method3', 'method4', 'method5', 'method6', "
    "'method7'"
)
COLUMNS = "'hypothesis', 'references', 'system', 'day', 'text'"
TAKES = "takes a pandas DataFrame, or a Series that is a row of components, not"
GROUPS = (
    "; expected what df.groupby takes: a column label, a list of labels, or a Series, array or function that gives a "
    "key for each row"
)

Refusal = tuple[Callable[[], Any], type[Exception], str]


# ---- Options ----

OPTIONS: dict[str, Refusal] = {
    "unknown smoothing": (
        lambda: TOKENS.bleu.score(smoothing="method8"),
        ValueError,
        f"smoothing is one of {METHODS}, not 'method8'; did you mean 'method7'?",
    ),
    "smoothing is no name": (
        lambda: TOKENS.bleu.corpus(smoothing=1),
        ValueError,
        f"smoothing is one of {METHODS}, not 1",
    ),
    "unknown convention": (
        lambda: TOKENS.bleu.score(convention="sacreblue"),
        ValueError,
        "convention is one of 'paper', 'sacrebleu', 'nltk', not 'sacreblue'; did you mean 'sacrebleu'?",
    ),
    "NLTK's corpus": (
        lambda: COUNTS.bleu.corpus(convention="nltk"),
        ValueError,
        "convention 'nltk' is for score() only, as NLTK's totals of at least 1 are a sentence's; corpus() has 'paper' "
        "and 'sacrebleu'",
    ),
    "too many weights": (
        lambda: TOKENS.bleu.score(weights=[0.1] * 9),
        ValueError,
        "weights is a list of 1 to 8 numbers, one for each order, not of 9",
    ),
    "weights beside max_order": (
        lambda: TOKENS.bleu(max_order=4).score(weights=[0.5, 0.5]),
        ValueError,
        "2 weights do not fit max_order=4: leave out max_order, or give one weight for each order",
    ),
    "weights beside several orders": (
        lambda: TOKENS.bleu.score(weights=[0.5, 0.5], max_order=[2, 3]),
        ValueError,
        "2 weights do not fit max_order=3: leave out max_order, or give one weight for each order",
    ),
    "negative weight": (
        lambda: TOKENS.bleu.corpus(weights=[1, -0.5]),
        ValueError,
        "weights[1] is a number of at least 0, not -0.5",
    ),
    "NaN weight": (
        lambda: TOKENS.bleu.score(weights=[np.nan, 1]),
        ValueError,
        "weights[0] is a number of at least 0, not nan",
    ),
    "infinite weight": (
        lambda: TOKENS.bleu.score(weights=[np.inf]),
        ValueError,
        "weights[0] is a number of at least 0, not inf",
    ),
    "weights of 0": (
        lambda: TOKENS.bleu.score(weights=[0, 0]),
        ValueError,
        "weights add up to a finite number above 0, not to 0.0",
    ),
    "text as weights": (
        lambda: TOKENS.bleu.score(weights="uniform"),
        TypeError,
        "weights is a list of numbers, one for each order, not 'uniform'",
    ),
    "max_order of 0": (
        lambda: TOKENS.bleu.score(max_order=0),
        ValueError,
        "max_order is a whole number from 1 to 8, not 0",
    ),
    "one order of several": (
        lambda: TOKENS.bleu.score(max_order=[1, 9]),
        ValueError,
        "max_order is a whole number from 1 to 8, not 9",
    ),
    "no orders": (
        lambda: TOKENS.bleu.score(max_order=[]),
        ValueError,
        "max_order is an empty list; expected orders from 1 to 8, such as max_order=[1, 2, 3, 4]",
    ),
    "several orders of a corpus": (
        lambda: TOKENS.bleu.corpus(max_order=[1, 2]),
        TypeError,
        "max_order is a whole number from 1 to 8, not [1, 2]",
    ),
    "max_order is True": (
        lambda: ROW.bleu.score(max_order=True),
        TypeError,
        "max_order is a whole number from 1 to 8, not True",
    ),
    "effective_order": (
        lambda: TOKENS.bleu.score(effective_order="yes"),
        TypeError,
        "effective_order is True or False, not 'yes'",
    ),
    "epsilon": (lambda: TOKENS.bleu.score(epsilon=2), ValueError, "epsilon is a number from 0 to 1, not 2"),
    "k": (lambda: TOKENS.bleu.score(k=0), ValueError, "k is a number above 0, not 0"),
    "alpha": (lambda: TOKENS.bleu.score(alpha="5"), TypeError, "alpha is a number of at least 0, not '5'"),
    "errors": (
        lambda: COUNTS.bleu.score(errors="ignore"),
        ValueError,
        "errors is one of 'raise', 'coerce', not 'ignore'",
    ),
    "threads": (
        lambda: COUNTS.bleu.corpus(threads=0),
        ValueError,
        "threads is a whole number of at least 1, or None for the CPUs there are, not 0",
    ),
    "components": (
        lambda: COUNTS.bleu.score(components="yes"),
        TypeError,
        "components is True or False, not 'yes'",
    ),
    **{
        name: (
            partial(TOKENS.bleu.corpus, by="system", **{name: "yes"}),
            TypeError,
            f"{name} is True or False, not 'yes'",
        )
        for name in ("sort", "observed", "dropna", "margins")
    },
}

NEIGHBOURS = {
    "smooth": "smoothing",
    "smooth_method": "smoothing",
    "smoothing_function": "smoothing",
    "smooth_value": "epsilon",
    "max_n_gram": "max_order",
    "n_gram": "max_order",
    "max_ngram_order": "max_order",
    "use_effective_order": "effective_order",
    "auto_reweigh": "effective_order",
    "predictions": "hypothesis",
    "refs": "references",
    "weight": "weights",
}


@pytest.mark.parametrize("name", NEIGHBOURS)
def test_keywords_of_neighbours(name: str) -> None:
    options = {name: 1}
    for function, keywords in (("score", SCORE_KEYWORDS), ("corpus", CORPUS_KEYWORDS)):
        expected = (
            f"{function}() has no keyword {name!r}; did you mean {NEIGHBOURS[name]!r}? its keywords are {keywords}"
        )
        for frame in (TOKENS, COUNTS, ROW):
            for call in (getattr(frame.bleu, function), partial(getattr(bleupandas, function), frame)):
                with pytest.raises(TypeError) as caught:
                    call(**options)
                assert str(caught.value) == expected


KEYWORDS: dict[str, Refusal] = {
    "groupby": (
        lambda: TOKENS.bleu.corpus(groupby="system"),
        TypeError,
        f"corpus() has no keyword 'groupby'; did you mean 'by'? its keywords are {CORPUS_KEYWORDS}",
    ),
    "by of score": (
        lambda: TOKENS.bleu.score(by="system"),
        TypeError,
        f"score() has no keyword 'by'; its keywords are {SCORE_KEYWORDS}",
    ),
}

# ---- Frames ----

FRAMES: dict[str, Refusal] = {
    "list": (lambda: bleupandas.score([["a"]]), TypeError, f"score() {TAKES} list"),  # type: ignore[call-overload]
    "str": (lambda: bleupandas.corpus("a b"), TypeError, f"corpus() {TAKES} str"),  # type: ignore[call-overload]
    "None": (lambda: bleupandas.corpus(None), TypeError, f"corpus() {TAKES} NoneType"),  # type: ignore[call-overload]
    "groups": (
        lambda: bleupandas.score(TOKENS.groupby("system")),
        TypeError,
        f"score() {TAKES} DataFrameGroupBy",
    ),
    "neither": (
        lambda: TOKENS[["system", "day"]].bleu.score(),
        KeyError,
        "no column 'hypothesis' for the hypothesis: the columns are 'system', 'day'",
    ),
    "misspelt": (
        lambda: TOKENS.rename(columns={"references": "reference"}).bleu.corpus(),
        KeyError,
        "no column 'references' for references: the columns are 'hypothesis', 'reference', 'system', 'day', 'text'; "
        "did you mean 'reference'?",
    ),
    "no columns": (
        lambda: pd.DataFrame().bleu.corpus(),
        KeyError,
        "no column 'hypothesis' for the hypothesis: the frame has no columns",
    ),
    "forced without components": (
        lambda: TOKENS.bleu(components=True).score(),
        KeyError,
        "no components column 'candidate_length', 'reference_length', 'matches_1', 'matches_2' and 6 more: score() "
        f"with max_order=4 reads orders 1 to 4, and the columns are {COLUMNS}; count with components(max_order=4)",
    ),
    "bound to a column that is not there": (
        lambda: COUNTS.bleu(hypothesis="mt").score(),
        KeyError,
        "no column 'mt' for the hypothesis: the columns are 'candidate_length', 'reference_length', 'matches_1', "
        "'matches_2', 'matches_3', 'matches_4', 'totals_1', 'totals_2', 'totals_3', 'totals_4'",
    ),
    "a row that cannot be read": (
        lambda: TOKENS.assign(hypothesis=[["a"]] * 5 + [None]).bleu.score(),
        ValueError,
        "column 'hypothesis', row 5 (position 5): the hypothesis is missing (None), expected a list of tokens; drop "
        "the row, write [] for an empty hypothesis, or pass errors='coerce'",
    ),
}

# ---- by ----


DAYS = pd.Grouper(key="system", freq="D")
LEVEL = pd.Grouper(level="pair")


def fails(label: object) -> Any:
    raise TypeError("the caller's own")


BYS: dict[str, Refusal] = {
    "unknown label": (
        lambda: TOKENS.bleu.corpus(by="sytem"),
        KeyError,
        f"no column 'sytem' for by: the columns are {COLUMNS}; did you mean 'system'?",
    ),
    "unknown label of several": (
        lambda: TOKENS.bleu.corpus(by=["system", "domain"]),
        KeyError,
        f"no column 'domain' for by: the columns are {COLUMNS}",
    ),
    "unknown label of a Grouper": (
        lambda: TOKENS.bleu.corpus(by=pd.Grouper(key="date", freq="D")),
        KeyError,
        f"no column 'date' for by: the columns are {COLUMNS}",
    ),
    "a tuple is one label": (
        lambda: TOKENS.bleu.corpus(by=("system", "day")),
        KeyError,
        f"no column ('system', 'day') for by: the columns are {COLUMNS}",
    ),
    "tuples are labels, however many": (
        lambda: TOKENS.bleu.corpus(by=[("a", 1), ("b", 2)] * 3),
        KeyError,
        f"no column ('a', 1) for by: the columns are {COLUMNS}",
    ),
    "None among labels": (
        lambda: TOKENS.bleu.corpus(by=["system", None]),
        KeyError,
        f"no column None for by: the columns are {COLUMNS}",
    ),
    "label of two columns": (
        lambda: pd.concat([TOKENS, TOKENS[["system"]]], axis=1).bleu.corpus(by="system"),
        ValueError,
        "by has 'system', which stands for 2 columns of the frame; expected one: rename the others, or give the key "
        "itself, such as a Series",
    ),
    "label of two columns in a Grouper": (
        lambda: pd.concat([TOKENS, TOKENS[["day"]]], axis=1).bleu.corpus(by=pd.Grouper(key="day", freq="D")),
        ValueError,
        "by has 'day', which stands for 2 columns of the frame; expected one: rename the others, or give the key "
        "itself, such as a Series",
    ),
    "no labels": (
        lambda: TOKENS.bleu.corpus(by=[]),
        ValueError,
        "by is an empty list; expected a column label or a list of labels, or leave by out",
    ),
    "array of another length": (
        lambda: TOKENS.bleu.corpus(by=np.array([1, 2])),
        ValueError,
        "by has ndarray keys of length 2, and the frame has 6 rows; expected a key for each row",
    ),
    "array of another length among labels": (
        lambda: COUNTS.bleu.corpus(by=[pd.Categorical(["a"])]),
        ValueError,
        "by has Categorical keys of length 1, and the frame has 6 rows; expected a key for each row",
    ),
    "column of lists": (
        lambda: TOKENS.bleu.corpus(by="references"),
        TypeError,
        f"by='references' does not group the frame (unhashable type: 'list'){GROUPS}",
    ),
    "dates that are none": (
        lambda: TOKENS.bleu.corpus(by=DAYS),
        TypeError,
        f"by={repr(DAYS)[:37]}... does not group the frame (Only valid with DatetimeIndex, TimedeltaIndex or "
        f"PeriodIndex, but got an instance of 'Index'){GROUPS}",
    ),
    "Series whose index has duplicates": (
        lambda: TOKENS.bleu.corpus(by=pd.Series(["x", "y"], index=[0, 0])),
        ValueError,
        f"by, a Series, does not group the frame (cannot reindex on an axis with duplicate labels){GROUPS}",
    ),
    "frame": (
        lambda: TOKENS.bleu.corpus(by=TOKENS[["system"]]),
        ValueError,
        "by has a DataFrame of 2 dimensions; expected a key for each row",
    ),
    "no such level": (
        lambda: TOKENS.bleu.corpus(by=LEVEL),
        ValueError,
        f"by={repr(LEVEL)[:37]}... does not group the frame (The level pair is not valid){GROUPS}",
    ),
    "a function's own error": (lambda: TOKENS.bleu.corpus(by=fails), TypeError, "the caller's own"),
    "margins without by": (
        lambda: TOKENS.bleu.corpus(margins=True),
        ValueError,
        "margins=True adds a row to the groups of `by`; give by=, or leave margins out",
    ),
    "margins beside a group of that name": (
        lambda: TOKENS.bleu.corpus(by=["text", "system"], margins=True),
        ValueError,
        "margins=True adds a row 'All', and by has a group of that name already: rename that one",
    ),
    "by of a Series": (
        lambda: ROW.bleu.corpus(by="system"),
        TypeError,
        "corpus(by=...) takes a frame, and a Series is one row of components: leave by out",
    ),
}

ALL: dict[str, Refusal] = {}
for title, table in {"options": OPTIONS, "keywords": KEYWORDS, "frames": FRAMES, "by": BYS}.items():
    ALL |= {f"{title}: {name}": refusal for name, refusal in table.items()}


@pytest.mark.parametrize(("call", "kind", "message"), ALL.values(), ids=ALL)
def test_refusals(call: Callable[[], Any], kind: type[Exception], message: str) -> None:
    with pytest.raises(kind) as caught:
        call()
    assert str(caught.value) == message
    assert "\n" not in message
    assert caught.value.__cause__ is None
    assert type(caught.value) is kind or kind is KeyError
