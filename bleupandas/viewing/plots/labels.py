"""Labels of plots: user text without mathematics, on one line, in fonts that have its characters."""

from collections.abc import Hashable, Iterable
from typing import Any

import pandas as pd

from bleupandas.viewing.html import visible_text
from bleupandas.viewing.plots.fonts import select_fonts, undrawable_characters

LONGEST_LABEL = 40  # characters


def format_label(text: str) -> str:
    """Return user text as a label: on one line and of at most `LONGEST_LABEL` characters."""
    text = " ".join(map(drawable_text, text.split(" ")))
    return text if len(text) <= LONGEST_LABEL else text[: LONGEST_LABEL - 1] + "…"


def drawable_text(text: str) -> str:
    """Return text with a sign for each hidden character, or its escape if no installed font has the sign."""
    signs = [(character, visible_text(character)) for character in text]
    lacking = undrawable_characters("".join(sign for character, sign in signs if sign != character))
    return "".join(ascii(character)[1:-1] if sign in lacking else sign for character, sign in signs)


def label_style(labels: Iterable[str]) -> dict[str, Any]:
    """Return text properties that draw labels unchanged: no mathematics, and fonts that have their characters."""
    characters = "".join(sorted({character for label in labels for character in label}))
    return {"parse_math": False, "fontfamily": select_fonts(characters)}


# ---- Groups ----


def group_label(key: Hashable) -> str:
    """Return a group's key as text."""
    return ", ".join(map(str, key)) if isinstance(key, tuple) else str(key)


def by_label(by: Any) -> str | None:
    """Return a title for groups made by ``by``: the column labels, or None if it has no label."""
    if isinstance(by, list):
        names = [by_label(one) for one in by]
        return None if None in names else ", ".join(name for name in names if name is not None)
    name = getattr(by, "name", None) if isinstance(by, pd.Series | pd.Index) else by
    return str(name) if isinstance(name, str | int | tuple) else None
