"""Pieces of the contracts' messages: JSON Pointers, and values as a line of text that any answer can hold."""

import json
from collections.abc import Iterable, Sequence

SHOWN = 40  # characters of a value
LONGEST_NAME = 128  # characters; a longer name is not repeated in a path


def pointer(path: Iterable[str | int]) -> str:
    """Give a JSON Pointer (RFC 6901); "" for the input itself.

    Examples
    --------
    >>> pointer(["references", 0, 3]), pointer(["a/b", "~"]), pointer([])
    ('/references/0/3', '/a~1b/~0', '')
    """
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in path)


def place(path: Sequence[str | int]) -> str:
    """Give a JSON Pointer for a message, on one line and cut, or "the input"."""
    text = pointer(path) or "the input"
    text = text if text.isprintable() else json.dumps(text)[1:-1]
    return text if len(text) <= 2 * SHOWN else text[: 2 * SHOWN - 3] + "..."


def name_path(path: Sequence[str | int], name: str) -> list[str | int]:
    """Give the path of a name that the caller chose; that of its object where a name is too long or is no Unicode."""
    return [*path, name] if len(name) <= LONGEST_NAME and not is_no_unicode(name) else list(path)


def is_no_unicode(text: str) -> bool:
    """Tell whether a string holds a lone surrogate, for which UTF-8 has no form."""
    return not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text)


def quoted(text: str) -> str:
    r"""Give a string as JSON, cut, on one line and free of lone surrogates.

    Examples
    --------
    >>> print(quoted("né"), quoted("two" + chr(0x2028) + "lines"))
    "né" "two\u2028lines"
    """
    cut = text if len(text) <= SHOWN else text[: SHOWN - 3] + "..."
    return json.dumps(cut, ensure_ascii=not cut.isprintable())


def described(value: object) -> str:
    """Say in a few words what a value is.

    Examples
    --------
    >>> print(described("4"), described(True), described([1, 2]), described(2.5), described({}), sep="; ")
    the string "4"; true; an array of 2 items; the number 2.5; an object
    """
    if isinstance(value, str):
        return f"the string {quoted(value)}" if value else "an empty string"
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, int | float):
        number = repr(value)
        return f"the number {number if len(number) <= SHOWN else number[: SHOWN - 3] + '...'}"
    if isinstance(value, list | tuple):
        return "an empty array" if not value else f"an array of {amount(len(value), 'item')}"
    return "an object" if isinstance(value, dict) else f"a Python {type(value).__name__}"


def amount(number: int, noun: str) -> str:
    """Give "1 item" or "2 items"."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def either(choices: Iterable[str]) -> str:
    """Give "a, b or c"."""
    *most, last = choices
    return f"{', '.join(most)} or {last}" if most else last
