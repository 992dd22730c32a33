"""Suggest a fix when a column holds untokenized text."""

import ast
import json
import re
from collections.abc import Hashable, Sequence
from typing import NamedTuple

# "['a', 'b']", "[['a'], ['b']]", '["a"]', NumPy's "['a' 'b']", "[]"
LIST = re.compile(r"""\s*\[\s*(\]|["'\[].*["'\]]\s*\])\s*""", re.DOTALL)


def is_saved_list(text: str) -> bool:
    """Return whether a text is a list that was saved as text, as to_csv() does.

    Examples
    --------
    >>> is_saved_list("['The', 'cat']"), is_saved_list("[laughs] The cat")
    (True, False)
    """
    return LIST.fullmatch(text) is not None


def find_list_reader(text: str) -> str | None:
    """Find the function that reads a list from a text, and return its name, or None.

    Examples
    --------
    >>> find_list_reader("['The', 'cat']"), find_list_reader('["The", null]')
    ('ast.literal_eval', 'json.loads')
    >>> find_list_reader("['The' 'cat']")  # as NumPy prints lists
    """
    try:
        found = ast.literal_eval(text.strip())
        if repr(found) == text.strip():
            return "ast.literal_eval"
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        pass
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return None
    return "json.loads"


def mapping(labels: Sequence[Hashable]) -> str:
    """Return the columns of a call of tokenize() that replaces each column, so that bound labels stay right.

    Examples
    --------
    >>> mapping(["mt", "ref"])
    "{'mt': 'mt', 'ref': 'ref'}"
    """
    return f"{{{', '.join(f'{label!r}: {label!r}' for label in labels)}}}"


def format_columns(labels: Sequence[Hashable]) -> str:
    """Return "column 'a'" or "columns 'a', 'b'"."""
    return f"column{'s' * (len(labels) > 1)} {', '.join(map(repr, labels))}"


class Advice(NamedTuple):
    """A fix for a column that holds untokenized text; one of the two fields is empty."""

    tokenize: str = ""
    other: str = ""


def tokenize_call(labels: Sequence[Hashable], in_pandas: bool = True) -> str:
    """Return the call that tokenizes columns; `in_pandas` is False if the caller's frame is not a pandas frame."""
    first = "tokenize first" if in_pandas else "tokenize in pandas first"
    return f"{first}: df = bleupandas.tokenize(df, {mapping(labels)})"


def text_advice(text: str, labels: Sequence[Hashable], in_pandas: bool = True) -> Advice:
    """Suggest a fix when a column holds untokenized text.

    Parameters
    ----------
    text : str
    labels : sequence of labels
        The columns of texts in the call; empty if the text is the only one in a column of lists.
    in_pandas : bool
        As in `tokenize_call`.
    """
    if is_saved_list(text):
        return Advice(
            other=f"it looks like a list that was saved as text, as to_csv() does: {saved_advice(text, labels)}"
        )
    if labels:
        return Advice(tokenize=tokenize_call(labels, in_pandas))
    return Advice(other="the column holds lists: make this cell a list too, with text.split() or the same tokenizer")


def saved_advice(text: str, labels: Sequence[Hashable]) -> str:
    """Suggest how to read lists that were saved as text."""
    read = find_list_reader(text)
    keep = "save the frame as Parquet, which keeps lists"
    if read is None or not labels:
        return keep
    return f"{keep}, or read the lists: for c in {list(labels)!r}: df[c] = df[c].map({read}, na_action='ignore')"
