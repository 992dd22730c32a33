"""The table of checks: what audit() looks for, how serious it is, and what to do about it."""

from typing import NamedTuple

SEVERITIES = ["info", "warning", "error"]

MIN_TOKENS = 5  # shorter hypotheses equal other texts by chance
MIN_ROWS = 5  # fewer rows in a row, or in a system, prove nothing
LENGTH_FACTOR = 2.0
LENGTH_DIFFERENCE = 5  # tokens
MAX_EQUAL_SHARE = 0.1  # of the rows of a system with at least MIN_TOKENS tokens
MAX_VARIANT_SHARE = 0.03  # of the hypothesis tokens of a system


class Check(NamedTuple):
    """One check.

    In the advice, ``{columns}`` is replaced by the columns in the form that tokenize() takes, and ``{detail}`` by what
    the check found out besides the rows.
    """

    name: str
    severity: str
    advice: str


_CHECKS = [
    Check("missing hypothesis", "error", "Drop these rows, or use [] where the system produced no output."),
    Check("no reference", "error", "Drop these rows, or add their references; [[]] is one empty reference."),
    Check("text instead of tokens", "error", "Tokenize first: df = bleupandas.tokenize(df, {columns})."),
    Check("unreadable cell", "error", "Fix the cells, or skip them with errors='coerce'. The first problem: {detail}"),
    Check("missing id", "error", "Add the ids, or drop these rows: compare() cannot pair a row without an id."),
    Check(
        "duplicate id",
        "error",
        "Drop the repeated rows or renumber them: compare() can pair rows only if an id occurs once in each system.",
    ),
    Check(
        "references shifted",
        "error",
        "The references of the row {detail} match better. Look for a missing or repeated line where this begins, then "
        "align hypotheses and references again.",
    ),
    Check(
        "references transposed",
        "error",
        "The references match better when the table is read by columns (checked on up to 5,000 rows of a system). "
        "Transpose it, so that each row has the references of its own segment: list(zip(*streams)).",
    ),
    Check("id without partner", "warning", "Drop these rows, or add those of other systems: compare() needs pairs."),
    Check(
        "white space in tokens",
        "warning",
        "Untokenized text counts as one token. Tokenize it: df = bleupandas.tokenize(df, {columns}).",
    ),
    Check(
        "single characters as tokens",
        "warning",
        "list('a b') splits a text into characters. Tokenize it instead: bleupandas.tokenize(df, {columns}).",
    ),
    Check(
        "text of a script without spaces as one token",
        "warning",
        "Tokenize it into words or characters: bleupandas.tokenize(df, {columns}, 'zh'), or 'ja-mecab', or 'char'.",
    ),
    Check(
        "empty hypothesis",
        "warning",
        "Check whether the system failed: an empty hypothesis counts as a segment without a match.",
    ),
    Check("empty reference", "warning", "Use None where a reference is missing, or drop the row."),
    Check(
        "length off by a factor",
        "warning",
        f"The hypothesis is more than {LENGTH_FACTOR:g} times as long as the closest reference, or less than half as "
        f"long, and differs by at least {LENGTH_DIFFERENCE} tokens. Look for truncated, repeated or misaligned text.",
    ),
    Check(
        "hypothesis equals the source",
        "warning",
        "The text is untranslated. Check whether columns were mixed up, or whether the system copied its input.",
    ),
    Check(
        "duplicate hypothesis",
        "warning",
        "The same system has this hypothesis in an earlier row. Look for a join that repeated rows, or for a system "
        "that repeats its output.",
    ),
    Check("unescaped entities", "warning", "Unescape the text before you tokenize it: html.unescape(text)."),
    Check(
        "tokens differ only by Unicode form",
        "warning",
        "Normalize both sides the same way before you tokenize them: unicodedata.normalize('NFKC', text), or 'NFC'.",
    ),
    Check(
        "hypothesis equals a reference",
        "info",
        f"No action needed up to {MAX_EQUAL_SHARE:.0%} of a system's longer rows. Above it is a warning: check whether "
        "references leaked into the system, or into its column.",
    ),
    Check(
        "tokens differ only by case",
        "info",
        f"No action needed up to {MAX_VARIANT_SHARE:.0%} of a system's tokens. Above it is a warning: one side is "
        "probably lowercased, so lowercase both, tokenize(..., lowercase=True).",
    ),
    Check(
        "tokens differ only by punctuation",
        "info",
        f"No action needed up to {MAX_VARIANT_SHARE:.0%} of a system's tokens. Above it is a warning: use the same "
        "tokenizer for both sides, and the same quotes and dashes.",
    ),
    Check(
        "some references missing",
        "info",
        "No action needed if you expect it. Rows with fewer references score lower, so take care when you compare "
        "groups.",
    ),
]

CHECKS = {check.name: check for check in _CHECKS}
