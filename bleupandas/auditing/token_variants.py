"""Variants of a token: the same token in another case, with other punctuation, or in another Unicode form."""

import unicodedata
from collections.abc import Mapping

QUOTES_AND_DASHES = {'"': "“”„‟«»", "'": "‘’‚‛", "-": "‐‑‒–—−"}
TO_ASCII = str.maketrans({mark: plain for plain, marks in QUOTES_AND_DASHES.items() for mark in marks})


def strip_punctuation(token: str) -> str:
    """Return a token without its punctuation, or with ASCII quotes and dashes if it is nothing else.

    Examples
    --------
    >>> [strip_punctuation(token) for token in ["«word,", "1.200", "“", "."]]
    ['word', '1200', '"', '.']
    """
    kept = "".join(character for character in token if unicodedata.category(character)[0] != "P")
    return kept or token.translate(TO_ASCII)


def find_variants(tokens: set[str], others: set[str], normalized: Mapping[str, str]) -> set[str]:
    """Return the tokens that equal one of the others once both are normalized.

    Parameters
    ----------
    tokens, others : set of str
        Without a token in common.
    normalized : mapping of str to str
        The normalized form of each token that differs from it.

    Examples
    --------
    >>> find_variants({"The", "dog"}, {"the", "cat"}, {"The": "the"})
    {'The'}
    """
    # Asked this way round, because the other way round loops over the whole mapping.
    if normalized.keys().isdisjoint(tokens) and normalized.keys().isdisjoint(others):
        return set()
    other_forms = {normalized.get(token, token) for token in others}
    return {token for token in tokens if normalized.get(token, token) in other_forms}
