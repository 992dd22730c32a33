"""Fonts for labels in any script: which installed fonts have which characters."""

import functools
from collections.abc import Sequence
from typing import Any

# Fonts to try for characters that the default fonts lack, the most widespread first. All installed fonts of the family
# Noto Sans follow.
FALLBACKS = (
    *("Noto Sans CJK SC", "Noto Sans CJK JP", "PingFang SC", "Hiragino Sans", "Microsoft YaHei", "Yu Gothic"),
    *("Malgun Gothic", "Apple SD Gothic Neo", "WenQuanYi Zen Hei", "Noto Sans Hebrew", "Noto Sans Arabic"),
    *("Noto Sans Devanagari", "Noto Sans Thai", "Nirmala UI", "Leelawadee UI", "Segoe UI", "Segoe UI Emoji"),
    *("Arial Unicode MS", "Noto Emoji", "Symbola"),
)
GENERIC_FAMILIES = frozenset({"serif", "sans-serif", "cursive", "fantasy", "monospace"})


def select_fonts(characters: str) -> list[str]:
    """Return the default fonts, followed by installed fonts that have the characters which the default fonts lack."""
    from matplotlib import rcParams

    chosen: list[str] = [str(name) for name in rcParams["font.family"]]
    lacking = missing_characters(characters, resolve_fonts(chosen))
    for name in fallback_fonts() if lacking else ():
        still_lacking = missing_characters(lacking, [name])
        if len(still_lacking) < len(lacking):
            chosen.append(name)
            lacking = still_lacking
        if not lacking:
            break
    return chosen


def undrawable_characters(characters: str) -> str:
    """Return the characters that no installed font has."""
    from matplotlib import rcParams

    fonts = [*resolve_fonts(rcParams["font.family"]), *fallback_fonts()] if characters else []
    return missing_characters(characters, fonts)


def missing_characters(characters: str, fonts: Sequence[str]) -> str:
    """Return the characters that none of the fonts has."""
    maps = [font_characters(name) for name in fonts]
    return "".join(character for character in characters if not any(ord(character) in codes for codes in maps))


def resolve_fonts(names: Sequence[str]) -> list[str]:
    """Return an installed font for each name; for a generic family such as "sans-serif" the first installed one."""
    from matplotlib import rcParams

    settings: Any = rcParams
    families = [settings[f"font.{name}"] if name in GENERIC_FAMILIES else [name] for name in names]
    candidates = [[font for font in fonts if font in installed_fonts()] for fonts in families]
    return [fonts[0] for fonts in candidates if fonts]


@functools.cache
def font_characters(font: str) -> frozenset[int]:
    """Return the code points of an installed font."""
    from matplotlib import font_manager

    return frozenset(font_manager.get_font(font_manager.findfont(font)).get_charmap())


@functools.cache
def installed_fonts() -> frozenset[str]:
    """Return the names of the installed fonts."""
    from matplotlib import font_manager

    return frozenset(font_manager.fontManager.get_font_names())


@functools.cache
def fallback_fonts() -> tuple[str, ...]:
    """Return the installed fonts to try for characters that the default fonts lack."""
    noto = sorted(name for name in installed_fonts() if name.startswith("Noto Sans"))
    return tuple(dict.fromkeys(name for name in (*FALLBACKS, *noto) if name in installed_fonts()))
