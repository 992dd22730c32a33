"""Calls of the functions of pandas frames: options, awkward frames, malformed input, signatures."""

import inspect
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import odd_frames
import pandas as pd
from bad_frames import BAD_OPTIONS, bad_frames, frame_of
from frozen import Tree, freeze, outcome
from odd_cells import Case

import bleupandas

Calls = Iterator[tuple[str, Callable[[], Tree]]]
EXAMPLE = bleupandas.load_example()
SMALL = EXAMPLE.head(60)
KEPT = ["system", "domain"]

COUNT = ["components", "ngrams", "coverage", "score", "corpus", "explain", "references", "ngram_summary"]
PAIR = ["compare", "buckets", "influence", "waterfall", "ngram_differences"]
OTHER = ["suggest_smoothing", "audit"]
FRAME_FUNCTIONS = [*COUNT, *PAIR, *OTHER]
FUNCTIONS = [
    *FRAME_FUNCTIONS, "assert_no_regression", "bleu_from_components", "brevity_penalty", "inspect", "load_example",
    "read_lines", "report", "scan_parquet", "show", "show_versions", "tokenize", "CorpusScore",
]  # fmt: skip
PLOTS = ["scores", "precisions", "lengths", "ngrams", "waterfall"]

SMOOTHINGS = ["none", "floor", "add-k", "exp", *(f"method{i}" for i in range(8))]
# Values of keywords: every function that has the keyword is called with each.
VALUES: dict[str, list[Any]] = {
    "hypothesis": ["other", ["hypothesis", "other"]],
    "references": ["flat", ["references", "flat"], ["flat", "gaps"]],
    "max_order": [1, 2, 8, np.int64(3), [1, 3], range(2, 4)],
    "errors": ["raise", "coerce"],
    "threads": [1, 2],
    "convention": ["paper", "sacrebleu", "nltk"],
    "smoothing": SMOOTHINGS,
    "weights": [[0.5, 0.5], [1, 0, 0, 3], (0.25,) * 4, np.array([0.1, 0.2, 0.7])],
    "effective_order": [True, False],
    "by": ["system", ["system", "domain"], "domain", lambda label: label % 3, ["missing"]],
    "sort": [True, False],
    "observed": [True, False],
    "dropna": [True, False],
    "margins": [True, False],
    "side": ["hypothesis", "references"],
    "ngram": ["text", "tuple", "list"],
    "sep": ["_", "\t", "é"],
    "orders": [2, [1, 3], range(2, 4)],
    "id_vars": ["id", ["system", "domain"]],
    "ignore_index": [True, False],
    "system": ["system", ["direct", "pivot"], ["pivot"]],
    "id": ["id", "number"],
    "baseline": ["pivot", "direct"],
    "pairs": ["baseline", "all"],
    "method": ["bootstrap", "randomization"],
    "n_resamples": [20, 200],
    "seed": [1, 12345],
    "level": [0.5, 0.99],
    "correction": ["holm", "benjamini-hochberg", "none"],
    "cluster": ["domain", "third"],
    "metric": ["number", ["number", "length"]],
    "on_unpaired": ["raise", "drop"],
    "progress": [False],
    "bins": [3, [0, 5, 20, 100]],
    "rank": ["ratio", "gain", "count"],
    "examples": [0, 2],
    "min_count": [1, 3],
    "source": ["source", "hypothesis_text"],
    "intent": [
        "general use",
        "very strict",
        "short outputs",
        "varied phrasing",
        "sparse matches",
        "mixed lengths",
        "x",
    ],
    "significance": [0.01, 0.5],
    "on": ["id", "number"],
    "components": [True, False],
}
WITH: dict[str, list[dict[str, Any]]] = {
    "epsilon": [{"smoothing": name, "epsilon": x} for name in ("floor", "method1") for x in (0.01, 0.5)],
    "k": [{"smoothing": name, "k": x} for name in ("add-k", "method4", "method2") for x in (1, 2.5)],
    "alpha": [{"smoothing": "method6", "alpha": x} for x in (1, 2.5)],
    "max_order": [{"convention": name, "max_order": n} for name in ("sacrebleu", "nltk") for n in (2, 5)],
    "side": [{"side": "references", "references": ["references", "flat"], "max_order": n} for n in (1, 3)],
    "cluster": [{"cluster": "domain", "method": "randomization", "n_resamples": 50}],
    "id": [{"system": "system", "id": "id"}],
    "baseline": [{"system": "system", "baseline": name} for name in ("direct", "pivot")],
    "hypothesis": [{"hypothesis": ["hypothesis", "other"], "baseline": "other"}],
    "margins": [{"by": by, "margins": True, "dropna": d} for by in ("missing", KEPT) for d in (True, False)],
    "observed": [{"by": "category", "observed": o} for o in (True, False)],
    "pairs": [{"hypothesis": ["hypothesis", "other", "third_mt"], "pairs": p} for p in ("baseline", "all")],
}


def options_frame() -> pd.DataFrame:
    """Return 60 rows of the example with the columns that options name."""
    frame = SMALL.copy()
    frame["other"] = EXAMPLE["hypothesis"].iloc[1:61].tolist()
    frame["third_mt"] = [tokens[::-1] for tokens in frame["hypothesis"]]
    frame["flat"] = [lists[0] for lists in frame["references"]]
    frame["gaps"] = [lists[-1] if i % 3 else None for i, lists in enumerate(frame["references"])]
    frame["number"] = [i // 2 for i in range(60)]
    frame["length"] = [len(tokens) / 2 for tokens in frame["hypothesis"]]
    frame["third"] = [i % 3 for i in range(60)]
    frame["missing"] = [None if i % 4 == 0 else "xy"[i % 2] for i in range(60)]
    frame["category"] = pd.Categorical([["a", "b"][i % 2] for i in range(60)], categories=["b", "c", "a"])
    return frame


def with_holes(frame: pd.DataFrame) -> pd.DataFrame:
    frame = frame.copy()
    cells = frame["hypothesis"].tolist()
    cells[3], cells[4], cells[10] = None, None, ["a", 3]
    frame["hypothesis"] = pd.Series(cells, index=frame.index, dtype=object)
    return frame


def keywords_of(name: str) -> set[str]:
    return set(inspect.signature(getattr(bleupandas, name)).parameters)


def calling(name: str, *arguments: Any, **options: Any) -> Callable[[], Tree]:
    return lambda: outcome(lambda: getattr(bleupandas, name)(*arguments, **options))


def shown(options: dict[str, Any]) -> str:
    return ", ".join(f"{k}={'function' if callable(v) else repr(v)}" for k, v in options.items())


# ---- Each keyword ----


def option_calls() -> Calls:
    frame = options_frame()
    counted = pd.concat([bleupandas.components(frame), frame], axis=1)
    subjects = {"": frame, "components ": counted, "holes ": with_holes(frame)}
    for name in FRAME_FUNCTIONS:
        accepted = keywords_of(name)
        few = {"n_resamples": 50} if "n_resamples" in accepted else {}
        for what, subject in subjects.items():
            more: dict[str, Any] = {"components": True} if what == "components " else {}
            if what == "holes ":
                more = {"errors": "coerce"}
            if not set(more) <= accepted and what:
                continue
            given = few | more
            yield f"{name} {what}", calling(name, subject, **given)
            for keyword in VALUES:
                if keyword in accepted:
                    tried = [{keyword: value} for value in VALUES[keyword]] + WITH.get(keyword, [])
                    for options in (options for options in tried if set(options) <= accepted):
                        yield f"{name} {what}({shown(options)})", calling(name, subject, **given | options)
            for keyword in ("epsilon", "k", "alpha"):
                for options in WITH[keyword] if keyword in accepted else []:
                    yield f"{name} {what}({shown(options)})", calling(name, subject, **given | options)
    for of in ("reference_length", "candidate_length", "score", "domain", "number", "length", "category", "nowhere"):
        for bins in (None, 2):
            yield f"buckets of {of}, {bins}", calling("buckets", frame, of, bins=bins, n_resamples=20)
    yield from whole_calls()


def whole_calls() -> Calls:
    """The whole example, and what follows from components."""
    for name in FRAME_FUNCTIONS:
        if name not in ("ngrams", "ngram_summary", "ngram_differences"):
            yield f"whole example {name}", calling(name, EXAMPLE)
    for name in ("ngram_summary", "ngram_differences"):
        yield f"whole example {name}", calling(name, EXAMPLE, min_count=5)
    yield "example", lambda: freeze(bleupandas.load_example())
    counts = bleupandas.components(EXAMPLE)
    for name in ("score", "corpus", "explain"):
        for max_order in (1, 4):
            for convention in ("paper", "sacrebleu", "nltk"):
                options: dict[str, Any] = {"max_order": max_order, "convention": convention}
                total = counts.sum()
                yield f"Series {name}({shown(options)})", calling(name, total, **options)
                yield (
                    f"series.bleu.{name}({shown(options)})",
                    lambda name=name, total=total, options=options: outcome(  # type: ignore[misc]
                        lambda: getattr(total.bleu, name)(**options)
                    ),
                )
                yield f"components {name}({shown(options)})", calling(name, counts, **options)
    yield "corpus by Series", calling("corpus", counts, by=EXAMPLE["system"])
    yield "Series components", calling("components", counts.sum())
    direct, pivot = (EXAMPLE[EXAMPLE["system"] == s].head(80).assign(number=len(s) / 7) for s in ("direct", "pivot"))
    worse = pivot.assign(number=0.5)
    for options in (
        {}, {"significance": 0.9}, {"by": "domain"}, {"method": "randomization"}, {"cluster": "domain"},
        {"seed": 3}, {"smoothing": "exp"}, {"on": "source"}, {"on": "nowhere"}, {"metric": "number"}, {"level": 0.5},
        {"on_unpaired": "drop"}, {"threads": 2}, {"max_order": 2}, {"convention": "nltk"}, {"correction": "none"},
    ):  # fmt: skip
        for which, old, new in (("better", pivot, direct), ("worse", direct, worse), ("short", direct, worse[3:])):
            call = calling("assert_no_regression", old, new, n_resamples=100, **options)
            yield f"assert_no_regression {which}({shown(options)})", call


# ---- Awkward frames ----

CASE_FUNCTIONS = [*COUNT, "suggest_smoothing", "audit", "buckets"]


def case_options(name: str, case: Case) -> dict[str, Any]:
    options = dict(case.columns)
    accepted = keywords_of(name)
    if "sep" in accepted:
        options["sep"] = case.sep
    if "n_resamples" in accepted:
        options["n_resamples"] = 20
    return options


def awkward_calls() -> Calls:
    for title, make in odd_frames.AWKWARD.items():
        case = make()
        for name in CASE_FUNCTIONS:
            options = case_options(name, case)
            yield f"awkward {title}: {name}", calling(name, case.frame, **options)
            if "threads" in keywords_of(name):
                yield f"awkward {title}: {name}, threads=2", calling(name, case.frame, threads=2, **options)
        for name, more in (
            ("ngrams", {"side": "references"}),
            ("ngrams", {"ngram": "tuple"}),
            ("ngrams", {"ngram": "list", "max_order": 2}),
            ("ngrams", {"ngram": "list", "side": "references"}),
            ("coverage", {"side": "references"}),
            ("components", {"errors": "coerce", "max_order": 2}),
            ("score", {"convention": "sacrebleu"}),
        ):
            options = case_options(name, case) | more
            yield f"awkward {title}: {name}({shown(more)})", calling(name, case.frame, **options)
        yield f"awkward {title}: bound", lambda case=case: bound_calls(case)  # type: ignore[misc]


def bound_calls(case: Case) -> Tree:
    """The accessor, with the columns bound; scores of the components by themselves."""
    bound = outcome(lambda: case.frame.bleu(**case.columns, max_order=2).components())
    counted = outcome(lambda: case.frame.bleu(**case.columns).components().bleu.score())
    return {"bound": bound, "components": counted}


# ---- Malformed input ----


def malformed_calls() -> Calls:
    tried: list[tuple[str, dict[str, Any]]] = [(name, {}) for name in CASE_FUNCTIONS]
    tried += [(name, {"errors": "coerce"}) for name in CASE_FUNCTIONS if "errors" in keywords_of(name)]
    tried += [("ngrams", {"side": "references"}), ("ngrams", {"ngram": "tuple"}), ("score", {"threads": 2})]
    for name, more in tried:
        for title, (frame, options) in bad_frames().items():
            yield f"malformed {title}: {name}({shown(more)})", calling(name, frame, **options | more)
    frame = frame_of()
    pairs = options_frame()
    for name in [*FRAME_FUNCTIONS, "inspect", "show", "tokenize", "assert_no_regression"]:
        for keyword, values in BAD_OPTIONS.items():
            for value in values:
                subject = pairs if name in PAIR or name == "inspect" else frame
                arguments = (pairs, pairs) if name == "assert_no_regression" else (subject,)
                yield f"wrong {name}({keyword}={value!r})", calling(name, *arguments, **{keyword: value})


# ---- Functions of other things than a frame of segments ----


def single_calls() -> Calls:
    for c, r in (
        (0, 0),
        (0, 3),
        (3, 0),
        (5, 5),
        (4, 7),
        (9, 7),
        (-1, 2),
        ([1, 2], [2, 2]),
        (np.array([3]), 4),
        ("x", 1),
    ):
        yield f"brevity_penalty({c!r}, {r!r})", calling("brevity_penalty", c, r)
    counts = (7, 8, [5, 3, 1, 0], [7, 6, 5, 4])
    ngrams = [{"order": 1, "ngram": ["a"], "clipped_count": 2}]
    tried: list[dict[str, Any]] = [{"smoothing": name} for name in SMOOTHINGS]
    tried += [{"convention": name} for name in VALUES["convention"]]
    tried += [{"max_order": n} for n in (1, 2, 4, 5)] + [{"weights": w} for w in VALUES["weights"]]
    tried += [options for name in ("epsilon", "k", "alpha") for options in WITH[name]]
    tried += [{"effective_order": x} for x in (True, False)] + [{"ngrams": ngrams, "smoothing": "method5"}, {"n": 1}]
    for options in ({}, *tried):
        yield f"bleu_from_components({shown(options)})", calling("bleu_from_components", *counts, **options)
    for wrong in ((1, 1, [2], [1]), (-1, 1, [0], [0]), (1, 1, [0], [0, 0]), (1.5, 1, [0], [1]), (1, 1, "a", [1])):
        yield f"bleu_from_components{wrong!r}", calling("bleu_from_components", *wrong)
    texts = pd.Series(
        ["It's 3.5 km, isn't it?", "", "日本語 のテキスト。", "«Déjà»—vu\u00a0&quot;x&quot;", None, "a  b"]
    )
    for name in ("13a", "whitespace", "intl", "zh", "char", "none", "13A", 3, str.split):
        for lowercase in (False, True):
            options = {"tokenizer": name, "lowercase": lowercase}
            yield f"tokenize({shown(options)})", calling("tokenize", texts, **options)
    columns = {"hypothesis_text": "h", "reference_texts": "r"}
    for chosen in (columns, {"nowhere": "h"}, {"id": "h"}, {"hypothesis": "h"}, None, "intl"):
        yield f"tokenize frame {chosen!r}", calling("tokenize", EXAMPLE.head(20), chosen)
    yield "tokenize Arrow", calling("tokenize", texts.astype("string[pyarrow]"), "13a")
    for intent in (*VALUES["intent"], None, "x"):
        yield f"suggest_smoothing alone {intent!r}", calling("suggest_smoothing", intent=intent)
        yield f"suggest_smoothing as text {intent!r}", calling("suggest_smoothing", intent)


# ---- Signatures ----


def signature_of(function: Any) -> Tree:
    """Return names, kinds and defaults; annotations and `**unknown` are left out."""
    parameters = inspect.signature(function).parameters.values()
    return {
        p.name: f"{p.kind.name} {'required' if p.default is p.empty else repr(p.default)}"
        for p in parameters
        if not (p.kind is p.VAR_KEYWORD and p.name == "unknown")
    }


def public_names(thing: object) -> list[str]:
    return [name for name in dir(thing) if not name.startswith("_")]


def signature_calls() -> Calls:
    yield "names of the package", lambda: freeze(sorted(bleupandas.__all__))
    for name in FUNCTIONS:
        yield f"signature {name}", lambda name=name: outcome(lambda: getattr(bleupandas, name), signature_of)  # type: ignore[misc]
    frame = EXAMPLE.head(2)
    holders = {"df.bleu": frame.bleu, "series.bleu": frame["hypothesis"].bleu, "df.bleu.plot": frame.bleu.plot}
    for title, holder in holders.items():
        yield f"names of {title}", lambda holder=holder: freeze(public_names(holder))  # type: ignore[misc]
        for name in public_names(holder):
            if name != "plot":
                yield (
                    f"signature {title}.{name}",
                    lambda holder=holder, name=name: outcome(lambda: getattr(holder, name), signature_of),  # type: ignore[misc]
                )
