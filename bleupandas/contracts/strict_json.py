"""JSON text to a value: strictly, so that every text has one meaning or none."""

import json
import math
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, NoReturn

from bleupandas.contracts.errors import Code, ContractError
from bleupandas.contracts.messages import described, is_no_unicode, name_path, place, pointer, quoted

MAX_DEPTH = 32  # levels of arrays and objects; no contract asks for more than 4
# Numbers beyond what a float holds are read as this: no contract allows any of them, and long ones cost time to read.
LARGE = 10**400
LONGEST_INTEGER = 300  # characters


def json_value(body: bytes | bytearray | memoryview | str) -> Any:
    """Read JSON text.

    Parameters
    ----------
    body : bytes or str
        UTF-8 without a byte order mark.

    Returns
    -------
    dict, list, str, int, float, bool or None
        Numbers above what a float can hold are a large integer.

    Raises
    ------
    ContractError
        With code invalid_json: no JSON; not UTF-8; a byte order mark; NaN or Infinity; a name that stands twice in an
        object; nested too deep to be read. (Texts nested beyond `MAX_DEPTH` that can be read are refused by `faults`.)

    Examples
    --------
    >>> json_value(b'{"max_order": 2.0}')
    {'max_order': 2.0}
    """
    text = body if isinstance(body, str) else decoded(bytes(body))
    if text.startswith("\ufeff"):
        refuse("the body begins with a byte order mark; send it without")
    if not text.strip(" \t\r\n"):
        refuse("the body is empty; expected one JSON object")
    try:
        return json.loads(
            text, object_pairs_hook=unique, parse_constant=no_constant, parse_int=whole, parse_float=fraction
        )
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        refuse(f"the body is no JSON, as {where} tells ({error.msg}); expected one JSON object")
    except RecursionError:
        raise DEEP.error from None


def decoded(body: bytes) -> str:
    """Decode UTF-8."""
    try:
        return body.decode()
    except UnicodeDecodeError as error:
        refuse(f"the body is not UTF-8: byte {error.start} is 0x{body[error.start]:02x}; encode it in UTF-8")


def refuse(message: str) -> NoReturn:
    """Raise invalid_json."""
    raise ContractError("invalid_json", message)


def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Make an object, or refuse a name that stands twice."""
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        for name, _ in pairs:
            if name in seen:
                refuse(f"the name {quoted(name)} stands twice in one object; give it once")
            seen.add(name)
    return found


def no_constant(text: str) -> NoReturn:
    """Refuse what Python's reader takes beyond JSON."""
    refuse(f"{text} is no JSON number; give a finite one, or leave it out")


def whole(text: str) -> int:
    """Read an integer; Python refuses very long ones."""
    return int(text) if len(text) <= LONGEST_INTEGER else -LARGE if text.startswith("-") else LARGE


def fraction(text: str) -> float | int:
    """Read a number with a fraction or an exponent."""
    number = float(text)
    return number if math.isfinite(number) else -LARGE if number < 0 else LARGE


# ---- Values that no JSON text gives, or that text cannot hold ----


class Fault(NamedTuple):
    """Something that is wrong with a value whatever the contract says."""

    code: Code
    path: Sequence[str | int]
    message: str

    @property
    def error(self) -> ContractError:
        """The exception that tells it."""
        return ContractError(self.code, f"{place(self.path)}: {self.message}", pointer(self.path))


DEEP = Fault("invalid_json", (), f"arrays and objects nested deeper than {MAX_DEPTH} levels; expected at most 4")


def faults(value: object, path: Sequence[str | int] = (), depth: int = 0) -> Iterator[Fault]:
    """Walk what makes a value no JSON (invalid_json), or a string no Unicode (invalid_input).

    Parameters
    ----------
    value : object
    path : sequence of str and int
        Where it stands in the input.
    depth : int
        In how many arrays and objects.

    Examples
    --------
    >>> [fault.message for fault in faults({"weights": [float("nan")]})]
    ['the number nan is no JSON number; give a finite one, or leave it out']
    """
    if isinstance(value, str):
        if is_no_unicode(value):
            yield Fault("invalid_input", path, surrogate(value))
    elif isinstance(value, float):
        if not math.isfinite(value):
            message = f"{described(value)} is no JSON number; give a finite one, or leave it out"
            yield Fault("invalid_json", path, message)
    elif isinstance(value, dict | list | tuple):
        if depth >= MAX_DEPTH:
            yield DEEP
        elif isinstance(value, dict):
            yield from object_faults(value, path, depth + 1)
        else:
            for position, item in enumerate(value):
                yield from faults(item, (*path, position), depth + 1)
    elif value is not None and not isinstance(value, int):
        message = f"{described(value)} is no JSON value; give what json.loads gives"
        yield Fault("invalid_json", path, message)


def object_faults(value: dict[Any, object], path: Sequence[str | int], depth: int) -> Iterator[Fault]:
    """Walk the faults of an object."""
    for name, item in value.items():
        if not isinstance(name, str):
            message = f"{described(name)} is no name of a JSON object; give a string"
            yield Fault("invalid_json", path, message)
            continue
        if is_no_unicode(name):
            yield Fault("invalid_input", path, surrogate(name))
        inner = name_path(path, name)
        for fault in faults(item, inner, depth):
            # what is inside of a name that no path can hold stands where that name stands
            yield fault if len(inner) > len(path) else fault._replace(path=path)


def surrogate(text: str) -> str:
    """Word the answer to a lone surrogate."""
    return f"the string {quoted(text)} holds a lone surrogate, which is no character; mend the text"
