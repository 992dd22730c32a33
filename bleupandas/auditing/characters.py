"""Odd characters in tokens: HTML entities, white space, text without spaces, single characters as tokens."""

import html
import html.entities
import re
from collections.abc import Iterable

from bleupandas.auditing.checks import MIN_TOKENS
from bleupandas.auditing.readable_rows import Tokens

CHINESE = r"\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
JAPANESE = r"\u3040-\u309f"  # Hiragana only: long words in Katakana are usual
SPACELESS = r"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Burmese, Khmer
LETTER = f"[{CHINESE}{JAPANESE}]"
SENTENCE = re.compile(f"(?:{LETTER}.*){{8}}|{LETTER}[，。、！？；：]+{LETTER}|[{SPACELESS}]{{20}}", re.DOTALL)
SHORT_WORDS = re.compile(f"[{CHINESE}{JAPANESE}{SPACELESS}\u30a0-\u30ff\uac00-\ud7af]")
ENTITY = re.compile(r"&(#[0-9]+;|#[xX][0-9a-fA-F]+;|[A-Za-z][A-Za-z0-9]*;)")
INNER_SPACE = re.compile(r"\S\s+\S")


def has_inner_space(token: str) -> bool:
    """Return whether a token has white space between other characters."""
    return INNER_SPACE.search(token) is not None


def is_sentence(token: str) -> bool:
    """Return whether a token is a whole sentence of a script without spaces.

    Examples
    --------
    >>> [is_sentence(token) for token in ["苹果", "我喜欢吃苹果，他也喜欢。", "インターネットエクスプローラー"]]
    [False, True, False]
    """
    return SENTENCE.search(token) is not None


def has_entity(text: str) -> bool:
    """Return whether a text has a character reference of HTML.

    Examples
    --------
    >>> [has_entity(text) for text in ["Tom&amp;Jerry", "don&#39;t", "R&D;", "AT&T"]]
    [True, True, False, False]
    """
    return any(name[0] == "#" or name in html.entities.html5 for name in ENTITY.findall(text))


def has_split_entity(ampersands: set[str], lists: Iterable[Tokens]) -> bool:
    """Return whether a list has an entity, whole or split into tokens; `ampersands` are the tokens with an "&"."""
    return any(has_entity("".join(tokens)) for tokens in lists if not ampersands.isdisjoint(tokens))


def unescape(text: str) -> str:
    """Return a text with its entities replaced; some tokenizers replace them too."""
    return html.unescape(text) if "&" in text else text


def is_characters(tokens: Tokens) -> bool:
    """Return whether all tokens are single characters of a script with longer words.

    Examples
    --------
    >>> is_characters(list("a cat")), is_characters(list("我喜欢吃苹果"))
    (True, False)
    """
    if len(tokens) < MIN_TOKENS or len(tokens[0]) > 1 or len(tokens[-1]) > 1 or max(map(len, tokens)) > 1:
        return False
    letters = "".join(token for token in tokens if token.isalpha())
    return len(letters) >= MIN_TOKENS - 1 and not SHORT_WORDS.search(letters)
