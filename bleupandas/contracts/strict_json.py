"""Strict JSON: every text has one meaning, or is refused."""

import json
import math
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, NoReturn

from bleupandas.contracts.error_text import append_name, describe, format_path, has_lone_surrogate, json_pointer, quote
from bleupandas.contracts.errors import Code, ContractError

MAX_DEPTH = 32  # levels of arrays and objects; no contract asks for more than 4
# Numbers above a float's range are read as this one. No contract allows them, and long ones take long to read.
TOO_LARGE = 10**400
MAX_INTEGER_LENGTH = 300  # characters


def parse_json(body: bytes | bytearray | memoryview | str) -> Any:
    """Return the value of JSON text.

    Parameters
    ----------
    body : bytes or str
        UTF-8 without a byte order mark.

    Returns
    -------
    dict, list, str, int, float, bool or None
        Numbers above a float's range become a large integer.

    Raises
    ------
    ContractError
        With code invalid_json: invalid JSON; not UTF-8; a byte order mark; NaN or Infinity; a name that occurs twice
        in an object; nesting too deep to read. (`find_faults` refuses readable texts deeper than `MAX_DEPTH`.)

    Examples
    --------
    >>> parse_json(b'{"max_order": 2.0}')
    {'max_order': 2.0}
    """
    text = body if isinstance(body, str) else decode_utf8(bytes(body))
    if text.startswith("\ufeff"):
        raise_invalid_json("the body begins with a byte order mark; send it without")
    if not text.strip(" \t\r\n"):
        raise_invalid_json("the body is empty; expected one JSON object")
    try:
        return json.loads(
            text,
            object_pairs_hook=make_object,
            parse_constant=refuse_constant,
            parse_int=parse_integer,
            parse_float=parse_number,
        )
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        # Published tools answer with this text: it stays as it is.
        raise_invalid_json(f"the body is no JSON, as {where} tells ({error.msg}); expected one JSON object")
    except RecursionError:
        raise TOO_DEEP.error from None


def decode_utf8(body: bytes) -> str:
    """Return the text of UTF-8 bytes, or raise."""
    try:
        return body.decode()
    except UnicodeDecodeError as error:
        raise_invalid_json(
            f"the body is not UTF-8: byte {error.start} is 0x{body[error.start]:02x}; encode it in UTF-8"
        )


def raise_invalid_json(message: str) -> NoReturn:
    """Raise ContractError with code invalid_json."""
    raise ContractError("invalid_json", message)


def make_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object, or raise for a name that occurs twice."""
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        for name, _ in pairs:
            if name in seen:
                raise_invalid_json(f"the name {quote(name)} stands twice in one object; give it once")
            seen.add(name)
    return found


def refuse_constant(text: str) -> NoReturn:
    """Raise for NaN and Infinity, which Python's reader accepts."""
    raise_invalid_json(f"{text} is no JSON number; give a finite one, or leave it out")


def parse_integer(text: str) -> int:
    """Return an integer; Python cannot read very long ones."""
    return int(text) if len(text) <= MAX_INTEGER_LENGTH else -TOO_LARGE if text.startswith("-") else TOO_LARGE


def parse_number(text: str) -> float | int:
    """Return a number with a fraction or an exponent."""
    number = float(text)
    return number if math.isfinite(number) else -TOO_LARGE if number < 0 else TOO_LARGE


# ---- Values that JSON or UTF-8 cannot represent ----


class JsonFault(NamedTuple):
    """An error in a value that no contract allows."""

    code: Code
    path: Sequence[str | int]
    message: str

    @property
    def error(self) -> ContractError:
        """The exception to raise."""
        return ContractError(self.code, f"{format_path(self.path)}: {self.message}", json_pointer(self.path))


TOO_DEEP = JsonFault(
    "invalid_json", (), f"arrays and objects nested deeper than {MAX_DEPTH} levels; expected at most 4"
)


def find_faults(value: object, path: Sequence[str | int] = (), depth: int = 0) -> Iterator[JsonFault]:
    """Yield what in a value is not JSON (invalid_json), and strings that are not valid Unicode (invalid_input).

    Parameters
    ----------
    value : object
    path : sequence of str and int
        The path of the value in the input.
    depth : int
        The number of arrays and objects around it.

    Examples
    --------
    >>> [fault.message for fault in find_faults({"weights": [float("nan")]})]
    ['the number nan is no JSON number; give a finite one, or leave it out']
    """
    if isinstance(value, str):
        if has_lone_surrogate(value):
            yield JsonFault("invalid_input", path, format_surrogate_fault(value))
    elif isinstance(value, float):
        if not math.isfinite(value):
            message = f"{describe(value)} is no JSON number; give a finite one, or leave it out"
            yield JsonFault("invalid_json", path, message)
    elif isinstance(value, dict | list | tuple):
        if depth >= MAX_DEPTH:
            yield TOO_DEEP
        elif isinstance(value, dict):
            yield from find_object_faults(value, path, depth + 1)
        else:
            for position, item in enumerate(value):
                yield from find_faults(item, (*path, position), depth + 1)
    elif value is not None and not isinstance(value, int):
        message = f"{describe(value)} is no JSON value; give what json.loads gives"
        yield JsonFault("invalid_json", path, message)


def find_object_faults(value: dict[Any, object], path: Sequence[str | int], depth: int) -> Iterator[JsonFault]:
    """Yield the faults of an object."""
    for name, item in value.items():
        if not isinstance(name, str):
            message = f"{describe(name)} is no name of a JSON object; give a string"
            yield JsonFault("invalid_json", path, message)
            continue
        if has_lone_surrogate(name):
            yield JsonFault("invalid_input", path, format_surrogate_fault(name))
        inner = append_name(path, name)
        for fault in find_faults(item, inner, depth):
            # A name that no path can hold is left out: its faults get the path of the object.
            yield fault if len(inner) > len(path) else fault._replace(path=path)


def format_surrogate_fault(text: str) -> str:
    """Return the message for a string with a lone surrogate."""
    return f"the string {quote(text)} holds a lone surrogate, which is no character; mend the text"
