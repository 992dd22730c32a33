"""The reasons of bleu_score 1.0.0. Their text is published, so it stays when explain() rewords its own."""

from typing import Any

import pandas as pd

from bleupandas.scoring import ScoreSettings

MAX_LENGTH = 200  # characters, before words are replaced
LOW_SCORE = 0.5  # below it, reasons end with advice
# What the contract calls the options that advice names.
REPLACED_WORDS = {"max_order": "max_n_gram", "smoothing add-k": "smooth method2"}
ADVICE = {
    "no match": "a semantic measure tells whether the meaning is right",
    "too short to judge": "try a smaller max_order",
    "word order": "try a smaller max_order",
    "word choice": "a semantic measure tells whether the meaning is right",
}


def published_reason(row: "pd.Series[Any]", settings: ScoreSettings) -> str:
    """Return the reason of a score.

    Parameters
    ----------
    row : Series
        A row of `explain`.
    settings : ScoreSettings
        The settings of the score.

    Examples
    --------
    >>> import pandas as pd, bleupandas
    >>> from bleupandas.scoring import score_settings
    >>> df = pd.DataFrame({"hypothesis": [["a", "dog"]], "references": [[["a", "dog"]]]})
    >>> published_reason(bleupandas.explain(df).loc[0], score_settings("score"))
    'All of 2 tokens and all longer n-grams matched; the closest reference, of 2, is not longer.'
    """
    text = add_advice(write_cause(row, settings), row, settings)
    for word, published in REPLACED_WORDS.items():
        text = text.replace(word, published)
    return text


def add_advice(text: str, row: "pd.Series[Any]", settings: ScoreSettings) -> str:
    """Return a sentence with as much advice as fits if the score is low."""
    if not row["score"] < LOW_SCORE:
        return text
    advices = [ADVICE[row["main_cause"]]] if row["main_cause"] in ADVICE else []
    if find_unmatched_order(row, settings) and row["matches_1"] and settings.smoothing in ("method0", "method1"):
        advices.append("smoothing add-k softens zero matches")
    while advices:
        sentence = "; ".join(advices)
        if len(text) + len(sentence) + 2 <= MAX_LENGTH:
            return f"{text} {sentence[0].upper()}{sentence[1:]}."
        advices.pop()
    return text


def write_cause(row: "pd.Series[Any]", settings: ScoreSettings) -> str:
    """Return the sentence of the main cause."""
    text = write_sentence(row, settings, format_matched(row, settings))
    if len(text) > MAX_LENGTH:  # numbers with very many digits
        text = write_sentence(row, settings, format_matched(row, settings, only_one=True))
    return text


def write_sentence(row: "pd.Series[Any]", settings: ScoreSettings, matched: str) -> str:
    """Return the sentence of the main cause with the matches in these words."""
    c, r, penalty = row["candidate_length"], row["reference_length"], row["brevity_penalty"]
    matches, totals = row["matches_1"], row["totals_1"]
    match row["main_cause"]:
        case "not scored":
            return "No segment was counted here."
        case "empty hypothesis":
            return f"The hypothesis has 0 tokens, the closest reference {r}: no 1-gram can match, so the score is 0."
        case "empty reference":
            which = f"0 of {number_tokens(totals)} (1-grams) matched"
            return f"The closest reference has 0 tokens, and {which}, so the score is 0."
        case "no match":
            which = f"0 of {number_tokens(totals)} (1-grams) matched"
            return f"{which}, so the score is 0; check language, case and tokenization."
        case "perfect":
            which = f"{number_tokens(c)} and all longer n-grams matched"
            return f"All of {which}; the closest reference, of {r}, is not longer."
        case "brevity":
            number = f"{penalty:.3f}" if 0.0095 <= penalty < 0.9995 else f"{penalty:.6g}"
            lengths = f"it has {number_tokens(c)}, the closest reference {r}, a brevity penalty of {number}"
            return f"The hypothesis is short: {lengths}; {matched}."
        case "too short to judge":
            orders = range(1, settings.max_order + 1)
            absent = next(n for n in orders if settings.weights[n - 1] > 0 and not row[f"totals_{n}"])
            return f"{number_tokens(c)} without a {absent}-gram are too few to judge by; {matched}."
        case "word order":
            which = "the words" if matches == totals else "most words"
            return f"{matched}; {which} match, their order does not."
        case "extra words":
            return f"The hypothesis adds words: it has {number_tokens(c)}, the closest reference {r}; {matched}."
        case _:
            which = "most" if 2 * matches < totals else "some"
            return f"{matched}; {which} words differ from the references."


def format_matched(row: "pd.Series[Any]", settings: ScoreSettings, only_one: bool = False) -> str:
    """Return "8 of 9 tokens, 2 of 8 2-grams and 0 of 7 3-grams matched", and what makes the score 0."""
    zero = 0 if pd.isna(row["first_zero_order"]) else int(row["first_zero_order"])
    orders = sorted({2, find_unmatched_order(row, settings), zero} - {0, 1})
    parts = [
        f"{row[f'matches_{n}']} of {row[f'totals_{n}']} {n}-grams"
        for n in orders
        if n <= settings.max_order and row[f"totals_{n}"]
    ]
    text = f"{row['matches_1']} of {number_tokens(row['totals_1'])}"
    if only_one:
        text = parts[-1] if row["score"] == 0 and zero > 1 and row[f"totals_{zero}"] else text
    elif parts:
        text = ", ".join([text, *parts[:-1]]) + f" and {parts[-1]}"
    text += " matched"
    if row["score"] != 0:
        return text
    if not zero:
        return f"{text}, and the score is so small that it is 0"
    if not row[f"totals_{zero}"]:
        return f"{text}, and no {zero}-gram is there, so the score is 0"
    return f"{text}, so the score is 0"


def find_unmatched_order(row: "pd.Series[Any]", settings: ScoreSettings) -> int:
    """Return the first weighted order above 1 with n-grams but no match; 0 if there is none."""
    for n in range(2, settings.max_order + 1):
        if settings.weights[n - 1] > 0 and row[f"totals_{n}"] and not row[f"matches_{n}"]:
            return n
    return 0


def number_tokens(count: int) -> str:
    """Return "1 token" or "2 tokens"."""
    return "1 token" if count == 1 else f"{count} tokens"
