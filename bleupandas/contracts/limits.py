"""The limits of contracts on what goes in: tokens and their bytes."""

from collections.abc import Callable, Iterable, Sequence

from bleupandas.contracts.errors import ContractError
from bleupandas.contracts.messages import pointer, quoted
from bleupandas.contracts.strict_json import faults

Path = tuple[str | int, ...]
Strings = Sequence[str]
# Every list of strings of an input with its path, in the order of the input.
Places = Callable[[], Iterable[tuple[Path, Strings]]]


def exceeded(name: str, limit: int, came: str, do: str, path: Path = ()) -> ContractError:
    """Word a limit that is exceeded: which one, its value, the value given, what to do."""
    return ContractError("limit_exceeded", f"{name} is {limit}, {came}; {do}", pointer(path))


def check_tokens(tokens: Strings, places: Places, limits: dict[str, int], input: object) -> None:
    """Raise ContractError for tokens that hold lone surrogates, else for the first limit that they exceed.

    Parameters
    ----------
    tokens : sequence of str
        All tokens of the input.
    places : callable
        Gives every token list of the input with its path.
    limits : dict
        max_total_tokens, max_token_bytes, max_total_token_bytes.
    input : object
        The whole input, in which a lone surrogate is looked for.

    Examples
    --------
    >>> limits = {"max_total_tokens": 9, "max_token_bytes": 4, "max_total_token_bytes": 20}
    >>> check_tokens(["one", "two"], lambda: [(("hypothesis",), ["one", "two"])], limits, {})
    >>> check_tokens(["one", "three"], lambda: [(("hypothesis",), ["one", "three"])], limits, {})
    Traceback (most recent call last):
        ...
    bleupandas.contracts.errors.ContractError: max_token_bytes is 4, the token "three" has 5 bytes of UTF-8; shorten it
    """
    n_bytes, is_ascii = utf8_bytes(tokens, input)
    if len(tokens) > limits["max_total_tokens"]:
        came = f"the input has {len(tokens)} tokens, hypotheses and references together"
        raise exceeded("max_total_tokens", limits["max_total_tokens"], came, "send less at once")
    longest = limits["max_token_bytes"]
    # A character has at most 4 bytes: most tokens need not be encoded.
    if max(map(len, tokens), default=0) > (longest if is_ascii else longest // 4):
        check_each_token(places, longest)
    if n_bytes > limits["max_total_token_bytes"]:
        came = f"the tokens of the input have {n_bytes} bytes of UTF-8"
        raise exceeded("max_total_token_bytes", limits["max_total_token_bytes"], came, "send less at once")


def utf8_bytes(strings: Iterable[str], input: object) -> tuple[int, bool]:
    """Give the bytes of strings of the input, and whether they are all ASCII; raise for a lone surrogate."""
    text = "".join(strings)
    if text.isascii():
        return len(text), True
    try:
        return len(text.encode()), False
    except UnicodeEncodeError:
        raise next(faults(input)).error from None


def check_each_token(places: Places, longest: int) -> None:
    """Raise ContractError for the first token of more bytes than `longest`."""
    for path, tokens in places():
        for position, token in enumerate(tokens):
            size = len(token.encode())
            if size > longest:
                came = f"the token {quoted(token)} has {size} bytes of UTF-8"
                raise exceeded("max_token_bytes", longest, came, "shorten it", (*path, position))
