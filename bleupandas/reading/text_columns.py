"""A column of texts, or of lists of texts, as token lists."""

from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pandas as pd

from bleupandas.common import Problem, is_missing, row_place, short_repr
from bleupandas.reading.tokenizers import Split

if TYPE_CHECKING:
    from numpy.typing import NDArray

KINDS = ("a text", "a list of texts")


class TextColumn:
    """A column of texts, or of lists of texts.

    Parameters
    ----------
    series : Series
    noun : str
        What messages call it: "column", "series".
    label : label
        None where it has no name.
    """

    def __init__(self, series: "pd.Series[Any]", noun: str, label: Hashable) -> None:
        self.series = series
        self.noun = noun
        self.labels = () if noun == "the series" else (label,)

    def tokenize(self, split: Split, tick: Callable[[int], object]) -> "pd.Series[Any]":
        """Return the tokens of every cell, as a Series of object dtype on the same index."""
        series = self.series
        tokens: NDArray[np.object_] = np.empty(len(series), dtype=object)
        first = -1  # the row whose cell shows whether the column holds texts or lists of texts
        nested = False
        for position, cell in enumerate(series):
            if is_missing(cell):
                tokens[position] = cell
            else:
                texts = list_texts(cell)
                if texts is None and not isinstance(cell, str):
                    raise self.not_text(cell, "a text or a list of texts", position).error()
                if first < 0:
                    first, nested = position, texts is not None
                if nested != (texts is not None):
                    raise self.other_kind(position, first, nested).error()
                if texts is None:
                    tokens[position] = self.split_text(cast("str", cell), split, position)
                else:
                    tokens[position] = self.split_texts(texts, split, position)
            tick(1)
        return pd.Series(tokens, index=series.index, name=series.name, dtype=object, copy=False)

    def split_texts(self, texts: list[object], split: Split, position: int) -> list[list[str] | None]:
        """Return the tokens of each text of one cell, None where the text is missing."""
        lists: list[list[str] | None] = []
        for item, text in enumerate(texts):
            if is_missing(text):
                lists.append(None)
            elif isinstance(text, str):
                lists.append(self.split_text(text, split, position, item))
            else:
                raise self.not_text(text, "a text", position, item).error()
        return lists

    def split_text(self, text: str, split: Split, position: int, item: int | None = None) -> list[str]:
        """Return the tokens of one text, as a new list."""
        if not text:
            return []
        try:
            tokens = split(text)
        except Exception as error:
            place = self.problem(type(error), "", "", position, item).place
            error.add_note(f"The tokenizer was at {place}: {short_repr(text)}.")
            raise
        if isinstance(tokens, list) and all(isinstance(token, str) and token for token in tokens):
            return list(tokens)
        raise self.bad_tokens(tokens, position, item).error()

    # ---- Problems ----

    def problem(
        self, error_type: type[Exception], came: str, expected: str, position: int, item: int | None = None, **more: Any
    ) -> Problem:
        """Return a problem of one cell, or of one text in it."""
        row = row_place(self.series.index, position)
        return Problem(error_type, came, expected, self.noun, self.labels, row, text=item, **more)

    def not_text(self, value: object, expected: str, position: int, item: int | None = None) -> Problem:
        """Return the problem of a value that is not a text."""
        if isinstance(value, bytes):
            advice = "decode it, as .str.decode('utf-8') does"
        elif list_texts(value) is not None:
            advice = "this looks like token lists, which need no tokenize()"
        else:
            advice = "turn it into a str, or make it missing (None)"
        return self.problem(TypeError, typed_came(value), expected, position, item, advice=advice)

    def other_kind(self, position: int, first: int, nested: bool) -> Problem:
        """Return the problem of a text in a column of lists of texts, or the other way round."""
        return self.problem(
            TypeError,
            f"got {KINDS[not nested]}",
            KINDS[nested],
            position,
            as_in=row_place(self.series.index, first),
            advice="a column holds one kind: put single texts into lists, or keep the two in separate columns",
        )

    def bad_tokens(self, tokens: object, position: int, item: int | None) -> Problem:
        """Return the problem of what a function returned instead of a list of tokens."""
        expected = "a list of str"
        if isinstance(tokens, str):
            came = f"the tokenizer returned the text {short_repr(tokens)}"
            advice = "split it: lambda text: tokenizer(text).split()"
            return self.problem(TypeError, came, expected, position, item, advice=advice)
        if not isinstance(tokens, list):
            came = f"the tokenizer returned {short_repr(tokens)} ({type(tokens).__name__})"
            advice = "make a list of it: lambda text: list(tokenizer(text))"
            return self.problem(TypeError, came, expected, position, item, advice=advice)
        at = next(i for i, token in enumerate(tokens) if not (isinstance(token, str) and token))
        if isinstance(tokens[at], str):
            came = f"the tokenizer returned an empty token at position {at}"
            return self.problem(ValueError, came, "none", position, item, advice="drop empty tokens")
        came = f"the tokenizer returned {short_repr(tokens[at])} ({type(tokens[at]).__name__}) as token {at}"
        return self.problem(TypeError, came, "a str", position, item, advice="return the tokens' text")


def typed_came(value: object) -> str:
    """Return "got 12 (int)"."""
    return f"got {short_repr(value)} ({type(value).__name__})"


def list_texts(cell: object) -> list[object] | None:
    """Return the elements of a list-like cell, None for any other."""
    if isinstance(cell, list | tuple):
        return list(cell)
    elements = cell.tolist() if hasattr(cell, "tolist") else None  # arrays of any library; a scalar's returns no list
    return elements if isinstance(elements, list) else None
