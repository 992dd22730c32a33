"""Text as HTML: escaping, signs for characters that a page cannot show, directions, numbers and bars."""

import html
import math
import unicodedata
from collections.abc import Iterable


def visible_text(text: str) -> str:
    r"""Return text with a sign for each character that a page hides: controls, lone surrogates, spaces.

    Examples
    --------
    >>> visible_text("a b\n")
    'a␣b␊'
    """
    return "".join(map(visible_character, text))


def visible_character(character: str) -> str:
    """Return a character, or a sign for it if a page hides it."""
    code = ord(character)
    if code <= 0x20:
        return "␣" if code == 0x20 else chr(0x2400 + code)
    if code == 0x7F:
        return "␡"
    if 0x80 <= code < 0xA0 or unicodedata.category(character) in ("Cs", "Cn"):
        return f"\\u{code:04x}"
    return character


def escape_text(text: str) -> str:
    """Return text other than tokens with HTML's characters escaped, and lone surrogates, which no page can hold."""
    return html.escape(text.encode("utf-8", "backslashreplace").decode(), quote=True)


def token_html(token: str) -> str:
    """Return a token as HTML, isolated from the direction of the text around it."""
    return f"<bdi>{html.escape(visible_text(token), quote=True)}</bdi>"


def text_direction(tokens: Iterable[str]) -> str:
    """Return the dir attribute of a list of tokens: "rtl" or "auto".

    Browsers ignore the content of <bdi> when they resolve "auto", and each token is in a <bdi>. A list whose first
    strong character is right-to-left therefore needs "rtl".
    """
    for token in tokens:
        for character in token:
            kind = unicodedata.bidirectional(character)
            if kind in ("R", "AL"):
                return "rtl"
            if kind == "L":
                return "auto"
    return "auto"


def format_number(value: float | None, digits: int = 3) -> str:
    """Return a number as text, or a dash if it is missing."""
    return "–" if value is None or math.isnan(value) else f"{value:.{digits}f}"


def format_token_count(count: int) -> str:
    """Return "1 token", "2 tokens"."""
    return "1 token" if count == 1 else f"{count} tokens"


def bar_html(share: float | None) -> str:
    """Return a bar that is filled from the left by a share from 0 to 1; a missing share leaves it empty.

    Examples
    --------
    >>> bar_html(0.25)
    '<span class="bleu-bar"><span style="width: 25.0%"></span></span>'
    """
    filled = 0.0 if share is None or math.isnan(share) else min(max(share, 0.0), 1.0)
    return f'<span class="bleu-bar"><span style="width: {100 * filled:.1f}%"></span></span>'
