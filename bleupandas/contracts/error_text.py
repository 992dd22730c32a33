"""Pieces of the contracts' error messages: JSON Pointers, and values on one line that any answer can hold."""

import json
from collections.abc import Iterable, Sequence

VALUE_LENGTH = 40  # characters of a value in a message
MAX_NAME_LENGTH = 128  # characters; a longer name is not repeated in a path


def json_pointer(path: Iterable[str | int]) -> str:
    """Return a JSON Pointer (RFC 6901); "" is the input itself.

    Examples
    --------
    >>> json_pointer(["references", 0, 3]), json_pointer(["a/b", "~"]), json_pointer([])
    ('/references/0/3', '/a~1b/~0', '')
    """
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in path)


def format_path(path: Sequence[str | int]) -> str:
    """Return a path for a message: a JSON Pointer on one line, shortened, or "the input"."""
    text = json_pointer(path) or "the input"
    text = text if text.isprintable() else json.dumps(text)[1:-1]
    return text if len(text) <= 2 * VALUE_LENGTH else text[: 2 * VALUE_LENGTH - 3] + "..."


def append_name(path: Sequence[str | int], name: str) -> list[str | int]:
    """Return a path with a name from the caller at its end; without it if it is too long or not valid Unicode."""
    return [*path, name] if len(name) <= MAX_NAME_LENGTH and not has_lone_surrogate(name) else list(path)


def has_lone_surrogate(text: str) -> bool:
    """Return whether a string holds a lone surrogate, which UTF-8 cannot encode."""
    return not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text)


def quote(text: str) -> str:
    r"""Return a string as JSON on one line, shortened and without lone surrogates.

    Examples
    --------
    >>> print(quote("né"), quote("two" + chr(0x2028) + "lines"))
    "né" "two\u2028lines"
    """
    short = text if len(text) <= VALUE_LENGTH else text[: VALUE_LENGTH - 3] + "..."
    return json.dumps(short, ensure_ascii=not short.isprintable())


def describe(value: object) -> str:
    """Return a short description of a value.

    Examples
    --------
    >>> print(describe("4"), describe(True), describe([1, 2]), describe(2.5), describe({}), sep="; ")
    the string "4"; true; an array of 2 items; the number 2.5; an object
    """
    if isinstance(value, str):
        return f"the string {quote(value)}" if value else "an empty string"
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, int | float):
        number = repr(value)
        return f"the number {number if len(number) <= VALUE_LENGTH else number[: VALUE_LENGTH - 3] + '...'}"
    if isinstance(value, list | tuple):
        return "an empty array" if not value else f"an array of {format_count(len(value), 'item')}"
    return "an object" if isinstance(value, dict) else f"a Python {type(value).__name__}"


def format_count(number: int, noun: str) -> str:
    """Return "1 item" or "2 items"."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def join_with_or(choices: Iterable[str]) -> str:
    """Return "a, b or c"."""
    *first, last = choices
    return f"{', '.join(first)} or {last}" if first else last
