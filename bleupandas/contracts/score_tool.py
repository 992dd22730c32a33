"""bleu_score: texts to a score with a reason."""

import itertools
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from bleupandas.contracts.counting_tools import components, counted
from bleupandas.contracts.errors import ContractError
from bleupandas.contracts.limits import Strings, exceeded, utf8_bytes
from bleupandas.contracts.messages import amount, described, pointer
from bleupandas.contracts.published_reasons import published_reason
from bleupandas.contracts.strict_json import faults
from bleupandas.explaining import explain
from bleupandas.reading import SEGMENTS, component_names, tokenize
from bleupandas.scoring import ScoreSettings, row_scores, score_settings

MOST_REFERENCES = 8
NLTK_LAST_SEGMENT = ("method5", "method6", "method7")

Limits = dict[str, int]
Path = tuple[str | int, ...]


class Texts(NamedTuple):
    """What is compared, segment by segment."""

    generated: list[str]
    references: list[list[str]]


def bleu_score(input: dict[str, Any], limits: Limits) -> dict[str, Any]:
    """Answer bleu_score 1.0.0; `input` fits its schema.

    Examples
    --------
    >>> limits = {"max_total_text_bytes": 99, "max_total_tokens": 99}
    >>> bleu_score({"hypothesis": "a b c d", "reference": "a b c d"}, limits)["output"]
    1.0
    """
    config = input.get("config", {})
    settings = checked_settings(config)
    texts = checked_texts(input, config)
    check_bytes(texts, limits, input)
    generated, references = token_lists(texts, config.get("tokenize", "whitespace"), limits)
    block = counted(generated, references, limits)
    counts = components(block, settings.orders_read, len(generated))
    score, reason = scored(counts, settings, is_corpus=config.get("mode") == "corpus")
    if config.get("generated") == "reference":
        reason = f'Judged is what stands in "reference". {reason}'
    return {"output": score, "reason": reason}


# ---- What is asked for ----


def checked_settings(config: dict[str, Any]) -> ScoreSettings:
    """Give the settings of a score, or raise for settings that do not go together."""
    convention, smooth = config.get("convention", "nltk"), config.get("smooth", "method1")
    weights, order = config.get("weights"), config.get("max_n_gram")
    if weights is not None:
        for fault in faults(weights, ("config", "weights")):
            raise fault.error
        if order is not None and order != len(weights):
            message = f"{amount(len(weights), 'weight')} for max_n_gram {int(order)}; expected one for each order"
            raise invalid(("config", "weights"), f"{message}: leave max_n_gram out, or give as many weights")
        if not any(weights):
            raise invalid(
                ("config", "weights"), "all weights are 0; expected one above 0: leave them out for equal ones"
            )
    is_corpus = config.get("mode") == "corpus"
    if is_corpus and convention == "nltk" and smooth in NLTK_LAST_SEGMENT:
        message = f"NLTK's {smooth} looks at the last segment of a corpus only; expected method0 to method4"
        raise invalid(("config", "smooth"), f'{message}, or "convention": "paper"')
    return score_settings(
        "corpus" if is_corpus and convention != "nltk" else "score",
        convention=convention,
        smoothing=smooth,
        weights=weights,
        max_order=None if order is None else int(order),
    )


def invalid(path: Path, message: str) -> ContractError:
    """Give an error at a path."""
    return ContractError("invalid_input", f"{pointer(path)}: {message}", pointer(path))


def checked_texts(input: dict[str, Any], config: dict[str, Any]) -> Texts:
    """Give the texts by their roles, or raise where their shape does not fit the mode."""
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
        raise not_one_text((judged,), input[judged], how)
    for name in (judged, other):
        if isinstance(input[name], str):
            came = f'{described(input[name])}; expected an array with an item per segment in mode "corpus"'
            raise invalid((name,), f"{came}: leave mode out for a single text, or give an array")
    if len(input[judged]) != len(input[other]):
        came = f"{amount(len(input['reference']), 'item')}, and hypothesis has {len(input['hypothesis'])}"
        raise invalid(("reference",), f"{came}; expected as many: give one per segment")
    for i, (generated, references) in enumerate(zip(input[judged], input[other], strict=True)):
        add_segment(texts, generated, references, (judged, i), (other, i))
    return texts


def add_segment(texts: Texts, generated: object, references: object, path: Path, other_path: Path) -> None:
    """Add a segment, or raise."""
    if not isinstance(generated, str):
        raise not_one_text(path, generated, "give the one that is judged")
    texts.generated.append(generated)
    texts.references.append(reference_texts(references, other_path))


def reference_texts(references: Any, path: Path) -> list[str]:
    """Give the references of a segment, or raise."""
    if isinstance(references, str):
        return [references]
    if len(references) > MOST_REFERENCES:
        came = f"{described(references)}; expected an array of 1 to {MOST_REFERENCES} texts"
        raise invalid(path, f"{came}: give fewer references")
    for position, text in enumerate(references):
        if not isinstance(text, str):
            raise not_one_text((*path, position), text, 'give "mode": "corpus" for many segments')
    return list(references)


def not_one_text(path: Path, came: object, do: str) -> ContractError:
    """Word a list where one text is expected."""
    return invalid(path, f"{described(came)}; expected one text: {do}")


# ---- Limits and tokens ----


def check_bytes(texts: Texts, limits: Limits, input: object) -> None:
    """Raise for lone surrogates, and for more bytes than are allowed."""
    n_bytes, _ = utf8_bytes(itertools.chain(texts.generated, *texts.references), input)
    if n_bytes > limits["max_total_text_bytes"]:
        came = f"the texts of the input have {n_bytes} bytes of UTF-8"
        raise exceeded("max_total_text_bytes", limits["max_total_text_bytes"], came, "send less at once")


def token_lists(texts: Texts, tokenizer: str, limits: Limits) -> tuple[list[Strings], list[list[Strings]]]:
    """Tokenize all texts, or raise for more tokens than are allowed."""
    flat = [*texts.generated, *(text for references in texts.references for text in references)]
    split: list[Strings] = tokenize(pd.Series(flat, dtype=object), tokenizer, progress=False).tolist()
    n_tokens = sum(map(len, split))
    if n_tokens > limits["max_total_tokens"]:
        came = f"the texts of the input have {n_tokens} tokens, both sides together"
        raise exceeded("max_total_tokens", limits["max_total_tokens"], came, "send less at once")
    tokens = iter(split)
    generated = [next(tokens) for _ in texts.generated]
    return generated, [[next(tokens) for _ in references] for references in texts.references]


# ---- The score ----


def scored(counts: Any, settings: ScoreSettings, is_corpus: bool) -> tuple[float, str]:
    """Score the sums of components, (2 + 2 * orders, n_segments), and say why."""
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
        raise invalid(("config", "smooth"), f'{message}, or "convention": "paper"')
    explained = explain(
        frame,
        components=True,
        convention=settings.convention,
        smoothing=settings.smoothing,
        weights=list(settings.weights),
        effective_order=settings.effective_order,
    )
    reason = published_reason(explained.iloc[0], settings)
    return min(float(result.score[0]), 1.0), reason
