"""The limits of the published contracts: every one is checked here, except those that a schema has as maxItems.

Schemas bound the numbers of segments and references and the characters of a token (maxItems, maxLength); schema.py
checks them. The server bounds the bytes of a request (server.py).
"""

from collections.abc import Callable, Iterable, Sequence

from bleupandas.contracts.error_text import json_pointer, quote
from bleupandas.contracts.errors import ContractError
from bleupandas.contracts.strict_json import find_faults

Limits = dict[str, int]
Path = tuple[str | int, ...]
Strings = Sequence[str]
# Returns every list of strings of an input with its path, in the order of the input.
TokenLists = Callable[[], Iterable[tuple[Path, Strings]]]

LESS = "send less at once"


def check_token_limits(tokens: Strings, token_lists: TokenLists, limits: Limits, input: object) -> None:
    """Raise ContractError for tokens with lone surrogates, else for the first limit that they exceed.

    Parameters
    ----------
    tokens : sequence of str
        All tokens of the input.
    token_lists : callable
        Returns every token list of the input with its path.
    limits : dict
        max_total_tokens, max_token_bytes, max_total_token_bytes.
    input : object
        The whole input, in which a lone surrogate is searched for.

    Examples
    --------
    >>> limits = {"max_total_tokens": 9, "max_token_bytes": 4, "max_total_token_bytes": 20}
    >>> check_token_limits(["one", "two"], lambda: [(("hypothesis",), ["one", "two"])], limits, {})
    >>> check_token_limits(["one", "three"], lambda: [(("hypothesis",), ["one", "three"])], limits, {})
    Traceback (most recent call last):
        ...
    bleupandas.contracts.errors.ContractError: max_token_bytes is 4, the token "three" has 5 bytes of UTF-8; shorten it
    """
    n_bytes, is_ascii = count_utf8_bytes(tokens, input)
    came = f"the input has {len(tokens)} tokens, hypotheses and references together"
    check_limit("max_total_tokens", len(tokens), limits, came, LESS)
    longest = limits["max_token_bytes"]
    # A character has at most 4 bytes: most tokens need not be encoded.
    if max(map(len, tokens), default=0) > (longest if is_ascii else longest // 4):
        for path, strings in token_lists():
            check_token_bytes(strings, path, limits)
    came = f"the tokens of the input have {n_bytes} bytes of UTF-8"
    check_limit("max_total_token_bytes", n_bytes, limits, came, LESS)


def check_token_bytes(tokens: Strings, path: Path, limits: Limits) -> None:
    """Raise ContractError for the first token of a list over max_token_bytes."""
    for position, token in enumerate(tokens):
        size = len(token.encode())
        came = f"the token {quote(token)} has {size} bytes of UTF-8"
        check_limit("max_token_bytes", size, limits, came, "shorten it", (*path, position))


def check_text_bytes(texts: Iterable[str], limits: Limits, input: object) -> None:
    """Raise ContractError for texts with lone surrogates, else for more bytes than max_total_text_bytes."""
    n_bytes, _ = count_utf8_bytes(texts, input)
    came = f"the texts of the input have {n_bytes} bytes of UTF-8"
    check_limit("max_total_text_bytes", n_bytes, limits, came, LESS)


def check_text_tokens(token_lists: Iterable[Strings], limits: Limits) -> None:
    """Raise ContractError for texts that have more tokens than max_total_tokens."""
    n_tokens = sum(map(len, token_lists))
    came = f"the texts of the input have {n_tokens} tokens, both sides together"
    check_limit("max_total_tokens", n_tokens, limits, came, LESS)


def check_output_size(size: int, limits: Limits, because: str, advice: str, name: str) -> None:
    """Raise ContractError for an output of more bytes than max_output_bytes; `name` is the option that asks for it."""
    check_limit("max_output_bytes", size, limits, f"the output would have {size} bytes {because}", advice, (name,))


def check_limit(name: str, size: int, limits: Limits, came: str, advice: str, path: Path = ()) -> None:
    """Raise ContractError if `size` is above the limit: which one, its value, what came, what to do."""
    if size > limits[name]:
        raise ContractError("limit_exceeded", f"{name} is {limits[name]}, {came}; {advice}", json_pointer(path))


def count_utf8_bytes(strings: Iterable[str], input: object) -> tuple[int, bool]:
    """Return the bytes of strings of the input, and whether all are ASCII; raise for a lone surrogate."""
    text = "".join(strings)
    if text.isascii():
        return len(text), True
    try:
        return len(text.encode()), False
    except UnicodeEncodeError:
        raise next(find_faults(input)).error from None
