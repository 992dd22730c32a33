"""bleu_score: a score of texts, and the reason for it."""

import itertools
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from bleupandas.contracts.error_text import describe, format_count
from bleupandas.contracts.errors import ContractError, input_error
from bleupandas.contracts.limits import Limits, Path, Strings, check_text_bytes, check_text_tokens
from bleupandas.contracts.published_reasons import published_reason
from bleupandas.contracts.strict_json import find_faults
from bleupandas.contracts.token_counts import count_components, read_block
from bleupandas.explaining import explain
from bleupandas.reading import SEGMENTS, component_names, tokenize
from bleupandas.scoring import ScoreSettings, row_scores, score_settings

MAX_REFERENCES = 8
NLTK_LAST_SEGMENT = ("method5", "method6", "method7")


class Texts(NamedTuple):
    """The texts to compare, segment by segment."""

    generated: list[str]
    references: list[list[str]]


def bleu_score(input: dict[str, Any], limits: Limits) -> dict[str, Any]:
    """Return the output of bleu_score 1.0.0 for an `input` that fits its schema.

    Examples
    --------
    >>> limits = {"max_total_text_bytes": 99, "max_total_tokens": 99}
    >>> bleu_score({"hypothesis": "a b c d", "reference": "a b c d"}, limits)["output"]
    1.0
    """
    config = input.get("config", {})
    settings = read_settings(config)
    texts = read_texts(input, config)
    check_text_bytes(itertools.chain(texts.generated, *texts.references), limits, input)
    generated, references = tokenize_texts(texts, config.get("tokenize", "whitespace"), limits)
    block = read_block(generated, references, limits)
    counts = count_components(block, settings.orders_read, len(generated))
    score, reason = score_counts(counts, settings, is_corpus=config.get("mode") == "corpus")
    if config.get("generated") == "reference":
        reason = f'Judged is what stands in "reference". {reason}'
    return {"output": score, "reason": reason}


# ---- Reading the input ----


def read_settings(config: dict[str, Any]) -> ScoreSettings:
    """Return the settings of a score, or raise for settings that contradict each other."""
    convention, smooth = config.get("convention", "nltk"), config.get("smooth", "method1")
    weights, order = config.get("weights"), config.get("max_n_gram")
    if weights is not None:
        for fault in find_faults(weights, ("config", "weights")):
            raise fault.error
        if order is not None and order != len(weights):
            message = f"{format_count(len(weights), 'weight')} for max_n_gram {int(order)}; expected one for each order"
            raise input_error(("config", "weights"), f"{message}: leave max_n_gram out, or give as many weights")
        if not any(weights):
            raise input_error(
                ("config", "weights"), "all weights are 0; expected one above 0: leave them out for equal ones"
            )
    is_corpus = config.get("mode") == "corpus"
    if is_corpus and convention == "nltk" and smooth in NLTK_LAST_SEGMENT:
        message = f"NLTK's {smooth} looks at the last segment of a corpus only; expected method0 to method4"
        raise input_error(("config", "smooth"), f'{message}, or "convention": "paper"')
    return score_settings(
        "corpus" if is_corpus and convention != "nltk" else "score",
        convention=convention,
        smoothing=smooth,
        weights=weights,
        max_order=None if order is None else int(order),
    )


def read_texts(input: dict[str, Any], config: dict[str, Any]) -> Texts:
    """Return the texts by their roles, or raise if their shape does not fit the mode."""
    judged = config.get("generated", "hypothesis")
    other = "reference" if judged == "hypothesis" else "hypothesis"
    texts = Texts([], [])
    if config.get("mode", "sentence") == "sentence":
        if isinstance(input[judged], str):
            add_segment(texts, input[judged], input[other], (judged,), (other,))
            return texts
        how = 'give "mode": "corpus" for many texts'
        if isinstance(input[other], str):
            how += f', or "generated": "{other}" if the text in {other} is the generated one'
        raise one_text_error((judged,), input[judged], how)
    for name in (judged, other):
        if isinstance(input[name], str):
            came = f'{describe(input[name])}; expected an array with an item per segment in mode "corpus"'
            raise input_error((name,), f"{came}: leave mode out for a single text, or give an array")
    if len(input[judged]) != len(input[other]):
        came = f"{format_count(len(input['reference']), 'item')}, and hypothesis has {len(input['hypothesis'])}"
        raise input_error(("reference",), f"{came}; expected as many: give one per segment")
    for i, (generated, references) in enumerate(zip(input[judged], input[other], strict=True)):
        add_segment(texts, generated, references, (judged, i), (other, i))
    return texts


def add_segment(texts: Texts, generated: object, references: object, path: Path, other_path: Path) -> None:
    """Add a segment, or raise if one of its sides is not text."""
    if not isinstance(generated, str):
        raise one_text_error(path, generated, "give the one that is judged")
    texts.generated.append(generated)
    texts.references.append(reference_texts(references, other_path))


def reference_texts(references: Any, path: Path) -> list[str]:
    """Return the references of a segment, or raise."""
    if isinstance(references, str):
        return [references]
    if len(references) > MAX_REFERENCES:
        came = f"{describe(references)}; expected an array of 1 to {MAX_REFERENCES} texts"
        raise input_error(path, f"{came}: give fewer references")
    for position, text in enumerate(references):
        if not isinstance(text, str):
            raise one_text_error((*path, position), text, 'give "mode": "corpus" for many segments')
    return list(references)


def one_text_error(path: Path, came: object, do: str) -> ContractError:
    """Return the error for a list where one text is expected."""
    return input_error(path, f"{describe(came)}; expected one text: {do}")


# ---- Tokens ----


def tokenize_texts(texts: Texts, tokenizer: str, limits: Limits) -> tuple[list[Strings], list[list[Strings]]]:
    """Return the token lists of all texts, or raise if they have too many tokens."""
    flat = [*texts.generated, *(text for references in texts.references for text in references)]
    split: list[Strings] = tokenize(pd.Series(flat, dtype=object), tokenizer, progress=False).tolist()
    check_text_tokens(split, limits)
    tokens = iter(split)
    generated = [next(tokens) for _ in texts.generated]
    return generated, [[next(tokens) for _ in references] for references in texts.references]


# ---- The score ----


def score_counts(counts: Any, settings: ScoreSettings, is_corpus: bool) -> tuple[float, str]:
    """Return the score of the summed components, (2 + 2 * orders, n_segments), and the reason for it."""
    orders = settings.orders_read
    sums = counts.sum(axis=1, keepdims=True)
    frame = pd.DataFrame(sums.T, columns=component_names(orders))
    if is_corpus and settings.convention != "nltk":
        frame[SEGMENTS] = counts.shape[1]  # then explain() scores sums of segments
    if is_corpus and settings.convention == "nltk":  # NLTK adds up totals of at least 1
        sums = np.concatenate([sums[: 2 + orders], np.maximum(counts[2 + orders :], 1).sum(axis=1, keepdims=True)])
    result = row_scores(sums[0], sums[1], sums[2 : 2 + orders].T, sums[2 + orders :].T, settings)
    if result.refused[0]:
        message = "NLTK's method6 fails where no trigram matches; expected another method"
        raise input_error(("config", "smooth"), f'{message}, or "convention": "paper"')
    explanation = explain(
        frame,
        components=True,
        convention=settings.convention,
        smoothing=settings.smoothing,
        weights=list(settings.weights),
        effective_order=settings.effective_order,
    )
    reason = published_reason(explanation.iloc[0], settings)
    return min(float(result.score[0]), 1.0), reason
