"""What to do about text where tokens belong: one line that mends all columns of the call and keeps what is bound."""

import ast
import json
import re
from collections.abc import Hashable, Sequence

# "['a', 'b']", "[['a'], ['b']]", '["a"]', NumPy's "['a' 'b']", "[]"
LIST = re.compile(r"""\s*\[\s*(\]|["'\[].*["'\]]\s*\])\s*""", re.DOTALL)


def is_saved_list(text: str) -> bool:
    """Tell whether a text is a list that was saved as text, as to_csv() does.

    Examples
    --------
    >>> is_saved_list("['The', 'cat']"), is_saved_list("[laughs] The cat")
    (True, False)
    """
    return LIST.fullmatch(text) is not None


def reader_of(text: str) -> str | None:
    """Name the function that reads a list from a text; None where none gives back what was saved.

    Examples
    --------
    >>> reader_of("['The', 'cat']"), reader_of('["The", null]'), reader_of("['The' 'cat']")  # the last is NumPy's
    ('ast.literal_eval', 'json.loads', None)
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
    """Give the columns of a call of tokenize(): each is replaced, so that what is bound stays right.

    Examples
    --------
    >>> mapping(["mt", "ref"])
    "{'mt': 'mt', 'ref': 'ref'}"
    """
    return f"{{{', '.join(f'{label!r}: {label!r}' for label in labels)}}}"


def columns_named(labels: Sequence[Hashable]) -> str:
    """Give "column 'a'" or "columns 'a', 'b'"."""
    return f"column{'s' * (len(labels) > 1)} {', '.join(map(repr, labels))}"


def tokenize_advice(labels: Sequence[Hashable], in_pandas: bool = True) -> str:
    """Say how to tokenize columns; `in_pandas` tells whether the caller's frame is one of pandas."""
    first = "tokenize first" if in_pandas else "tokenize in pandas first"
    return f"{first}: df = bleupandas.tokenize(df, {mapping(labels)})"


def text_advice(text: str, labels: Sequence[Hashable], in_pandas: bool = True) -> str:
    """Say what a text is, and what to do.

    Parameters
    ----------
    text : str
    labels : sequence of labels
        The columns of texts of the call; none where the text is the odd one in a column of lists.
    in_pandas : bool
        As in `advice`.
    """
    if is_saved_list(text):
        read = reader_of(text)
        mend = "save the frame as Parquet, which keeps lists"
        if read and labels:
            each = f"for c in {list(labels)!r}: df[c] = df[c].map({read}, na_action='ignore')"
            mend += f", or read the lists: {each}"
        return f"it looks like a list that was saved as text, as to_csv() does: {mend}"
    if labels:
        return tokenize_advice(labels, in_pandas)
    return "the column holds lists: make this cell one too, with text.split() or by the same tokenizer"
