"""suggest_smoothing(): the seven purposes, and the rules for a frame."""

import dataclasses
from typing import Any

import pandas as pd
import pytest
import strategies

import bleupandas
from bleupandas.explaining.suggest_smoothing import INTENTS
from bleupandas.reading.component_columns import component_names
from bleupandas.scoring.smoothing import METHODS

EXAMPLE = bleupandas.load_example()

PAGE = [
    ("Short outputs", ["method1", "method2"], "short outputs"),
    ("High variance in phrasing", ["method4", "method5"], "varied phrasing"),
    ("Very strict evaluation", ["method0"], "very strict"),
    ("General use", ["method1", "method2"], "general use"),
    ("Sparse references or low match rate (e.g., summaries)", ["method3"], "sparse matches"),
    ("Mixed-length outputs with partial n-gram match", ["method6"], "mixed lengths"),
    (
        "strictness early on, but flexibility only after the first break in match continuity",
        ["method7"],
        "strict early on",
    ),
]


@pytest.mark.parametrize(("scenario", "methods", "intent"), PAGE)
def test_intents(scenario: str, methods: list[str], intent: str) -> None:
    suggestion = bleupandas.suggest_smoothing(scenario)
    assert [suggestion.smoothing, *suggestion.also] == methods
    assert suggestion.intent == intent
    assert suggestion == bleupandas.suggest_smoothing(intent=intent)
    assert suggestion == bleupandas.suggest_smoothing(intent.upper().replace(" ", "_"))
    assert str(suggestion).startswith(" (or ".join(methods) + ")" * (len(methods) - 1) + f" for {intent}: ")
    assert set(methods) <= set(METHODS)
    EXAMPLE.head(3).bleu.score(smoothing=suggestion.smoothing)


def test_every_intent_is_on_the_page() -> None:
    assert sorted(INTENTS) == sorted(intent for *_, intent in PAGE)


@pytest.mark.parametrize(
    ("words", "intent"),
    [
        ("strict", "very strict"),
        ("summaries", "sparse matches"),
        ("general", "general use"),
        ("Short", "short outputs"),
    ],
)
def test_other_words(words: str, intent: str) -> None:
    assert bleupandas.suggest_smoothing(words).intent == intent


def test_a_suggestion_is_frozen() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        bleupandas.suggest_smoothing("strict").smoothing = "none"  # type: ignore[misc]


def rows(*found: tuple[int, list[int]]) -> pd.DataFrame:
    """Components of given lengths and matches; as long as the reference."""
    orders = len(found[0][1])
    totals = [[max(0, c - n) for n in range(orders)] for c, _ in found]
    values = [[c, c, *m, *t] for (c, m), t in zip(found, totals, strict=True)]
    return pd.DataFrame(values, columns=component_names(orders))


SHORT, LONG, HALF, NONE, VERY_LONG = (
    (7, [6, 4, 2, 1]),
    (8, [6, 4, 2, 1]),
    (8, [4, 2, 1, 1]),
    (8, [6, 4, 2, 0]),
    (24, [18, 9, 5, 2]),
)
UNLIKE = (8, [3, 2, 1, 1])
FRAMES: list[tuple[list[tuple[int, list[int]]], dict[str, Any], str, str]] = [
    ([SHORT, LONG], {}, "short outputs", "1 of 2 hypotheses have fewer than 8 tokens"),
    ([SHORT, LONG, LONG], {}, "general use", "18 of 23 tokens match, and 0 of 3 segments match no 4-gram"),
    ([SHORT], {"max_order": 3}, "general use", "6 of 7 tokens match, and 0 of 1 segments match no 3-gram"),
    ([HALF], {}, "general use", "4 of 8 tokens match, and 0 of 1 segments match no 4-gram"),
    ([UNLIKE], {}, "sparse matches", "3 of 8 tokens match, and 0 of 1 segments match no 4-gram"),
    ([NONE] * 3 + [LONG], {}, "sparse matches", "24 of 32 tokens match, and 3 of 4 segments match no 4-gram"),
    ([NONE] * 2 + [LONG], {}, "general use", "18 of 24 tokens match, and 2 of 3 segments match no 4-gram"),
    (
        [LONG] * 6 + [NONE] * 3 + [VERY_LONG] * 3,
        {},
        "mixed lengths",
        "most hypotheses have 8 to 24 tokens, and 3 of 12 segments match no 4-gram",
    ),
    (
        [LONG] * 7 + [NONE] * 2 + [VERY_LONG] * 3,
        {},
        "general use",
        "108 of 144 tokens match, and 2 of 12 segments match no 4-gram",
    ),
    ([], {}, "general use", "the frame has no segments"),
]


@pytest.mark.parametrize(("found", "options", "intent", "reason"), FRAMES)
def test_frames(found: list[tuple[int, list[int]]], options: dict[str, Any], intent: str, reason: str) -> None:
    components = rows(*found) if found else rows(LONG).head(0)
    suggestion = components.bleu.suggest_smoothing(**options)
    named = bleupandas.suggest_smoothing(intent)
    assert suggestion == dataclasses.replace(named, reason=reason)


def test_the_example(engine: str) -> None:
    suggestion = EXAMPLE.bleu.suggest_smoothing()
    assert suggestion.smoothing == "method6"
    assert suggestion == bleupandas.suggest_smoothing(EXAMPLE.bleu.components())
    accessor: Any = EXAMPLE.rename(columns={"hypothesis": "mt"}).bleu
    assert accessor(hypothesis="mt", references="references").suggest_smoothing() == suggestion


def test_unreadable_rows_do_not_count() -> None:
    df = strategies.frame_of([(list("abcdefgh"), [list("abcdefgh")]), (["a"], [["a"]])])
    df.at[1, "hypothesis"] = None
    assert (
        df.bleu.suggest_smoothing(errors="coerce").reason == "8 of 8 tokens match, and 0 of 1 segments match no 4-gram"
    )
    with pytest.raises(ValueError, match="the hypothesis is missing"):
        df.bleu.suggest_smoothing()


ALL = ", ".join(map(repr, INTENTS))


@pytest.mark.parametrize(
    ("arguments", "keywords", "error", "message"),
    [
        (["verry strict"], {}, ValueError, f"intent is one of {ALL}, not 'verry strict'; did you mean 'very strict'?"),
        (["summary"], {}, ValueError, f"intent is one of {ALL}, not 'summary'; did you mean 'sparse matches'?"),
        (["zzz"], {}, ValueError, f"intent is one of {ALL}, not 'zzz'"),
        ([], {"intent": 5}, TypeError, f"intent is one of {ALL}, not int 5"),
        ([], {}, TypeError, f"suggest_smoothing() takes a DataFrame or an intent; intents are {ALL}"),
        (["strict"], {"intent": "strict"}, TypeError, "suggest_smoothing() takes a DataFrame or an intent, not both"),
        ([EXAMPLE], {"intent": "strict"}, TypeError, "suggest_smoothing() takes a DataFrame or an intent, not both"),
        ([EXAMPLE["id"]], {}, TypeError, "suggest_smoothing() takes a frame with a row per segment, not a Series"),
        ([5], {}, TypeError, "suggest_smoothing() takes a pandas DataFrame, not int"),
        (
            [EXAMPLE.bleu.corpus(by="system")],
            {},
            ValueError,
            "suggest_smoothing() needs a row per segment, and the column 'segments' says that rows are sums of them",
        ),
        (
            ["strict"],
            {"method": 1},
            TypeError,
            "suggest_smoothing() has no keyword 'method'; its keywords are intent, hypothesis, references, max_order, "
            "errors, threads, components",
        ),
    ],
)
def test_bad_input(arguments: list[Any], keywords: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error) as caught:
        bleupandas.suggest_smoothing(*arguments, **keywords)
    assert str(caught.value) == message
