"""What the plots share: axes in pandas' manner, labels in any script, legends, groups."""

import functools
from collections.abc import Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import pandas as pd

from bleupandas.common import COUNT_KEYWORDS as TOKEN_KEYWORDS
from bleupandas.common import SCORE_KEYWORDS, refuse_keywords
from bleupandas.reading import check_frame, group_column, group_keys
from bleupandas.viewing.html import visible_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Okabe and Ito's colours, which colour-blind people tell apart; yellow is too pale for lines.
COLOURS = ("#0072b2", "#e69f00", "#009e73", "#d55e00", "#cc79a7", "#56b4e9", "#000000")
LINES = ("-", "--", ":", "-.")
BLUE, ORANGE, PURPLE, GREY = "#2a78b5", "#c05a00", "#6a4fa3", "#8a9097"

# Fonts of other scripts than the default font's, the wide-spread ones first; then all installed ones of Noto Sans.
FONTS = (
    *("Noto Sans CJK SC", "Noto Sans CJK JP", "PingFang SC", "Hiragino Sans", "Microsoft YaHei", "Yu Gothic"),
    *("Malgun Gothic", "Apple SD Gothic Neo", "WenQuanYi Zen Hei", "Noto Sans Hebrew", "Noto Sans Arabic"),
    *("Noto Sans Devanagari", "Noto Sans Thai", "Nirmala UI", "Leelawadee UI", "Segoe UI", "Segoe UI Emoji"),
    *("Arial Unicode MS", "Noto Emoji", "Symbola"),
)
LONGEST_LABEL = 40  # characters


def new_axes(
    ax: "Axes | None", figsize: tuple[float, float] | None, default: tuple[float, float] | None = None
) -> "Axes":
    """Give the axes to draw on: those that are given, or those of a new figure, of size `default` where none is said.

    Raises
    ------
    ImportError
        Without matplotlib.
    """
    try:
        from matplotlib import pyplot
    except ModuleNotFoundError:
        raise ImportError('df.bleu.plot needs matplotlib: pip install "bleupandas[plot]"') from None
    if ax is None:
        return pyplot.subplots(figsize=figsize or default, layout="constrained")[1]
    if figsize is not None:
        figure = ax.get_figure(root=True)
        assert figure is not None
        figure.set_size_inches(figsize)
    return ax


def style_axes(at: int) -> tuple[str, str]:
    """Give colour and line style of a group by its number."""
    return COLOURS[at % len(COLOURS)], LINES[at // len(COLOURS) % len(LINES)]


# ---- Labels ----


def shortened(text: str) -> str:
    """Give a label: on one line, not too long."""
    text = " ".join(map(drawable, text.split(" ")))
    return text if len(text) <= LONGEST_LABEL else text[: LONGEST_LABEL - 1] + "…"


def drawable(text: str) -> str:
    """Give text with a sign for each character that is not seen: where no font has the sign, with its escape."""
    signs = [(character, visible_text(character)) for character in text]
    lacking = unseen("".join(sign for character, sign in signs if sign != character))
    return "".join(ascii(character)[1:-1] if sign in lacking else sign for character, sign in signs)


def unseen(signs: str) -> str:
    """Give the signs that no installed font has."""
    from matplotlib import rcParams

    return lacked(signs, [*fonts_of(rcParams["font.family"]), *fallbacks()]) if signs else ""


def label_style(labels: Iterable[str]) -> dict[str, Any]:
    """Give the text properties with which labels show as they are: no mathematics, and fonts that have the letters."""
    return {
        "parse_math": False,
        "fontfamily": families("".join(sorted({letter for text in labels for letter in text}))),
    }


def families(letters: str) -> list[str]:
    """Give the default fonts, and behind them those that letters need which the default ones lack."""
    from matplotlib import rcParams

    chosen: list[str] = [str(name) for name in rcParams["font.family"]]
    lacking = lacked(letters, fonts_of(chosen))
    for name in fallbacks() if lacking else ():
        left = lacked(lacking, [name])
        if len(left) < len(lacking):
            chosen.append(name)
            lacking = left
        if not lacking:
            break
    return chosen


def fonts_of(names: Sequence[str]) -> list[str]:
    """Give the installed font that each name stands for; "sans-serif" and the like stand for the first of several."""
    from matplotlib import rcParams

    settings: Any = rcParams
    generic = {"serif", "sans-serif", "cursive", "fantasy", "monospace"}
    wanted = [settings[f"font.{name}"] if name in generic else [name] for name in names]
    return [there[0] for fonts in wanted if (there := [font for font in fonts if font in installed()])]


def lacked(letters: str, fonts: Sequence[str]) -> str:
    """Give the letters that none of some installed fonts has."""
    maps = [letters_of(name) for name in fonts]
    return "".join(letter for letter in letters if not any(ord(letter) in known for known in maps))


@functools.cache
def letters_of(font: str) -> frozenset[int]:
    """Give the characters of an installed font."""
    from matplotlib import font_manager

    return frozenset(font_manager.get_font(font_manager.findfont(font)).get_charmap())


@functools.cache
def installed() -> frozenset[str]:
    """Give the names of the installed fonts."""
    from matplotlib import font_manager

    return frozenset(font_manager.fontManager.get_font_names())


@functools.cache
def fallbacks() -> tuple[str, ...]:
    """Give the installed fonts to try for letters that the default ones lack."""
    noto = sorted(name for name in installed() if name.startswith("Noto Sans"))
    return tuple(dict.fromkeys(name for name in (*FONTS, *noto) if name in installed()))


def set_legend(ax: "Axes", labels: Sequence[str], title: str | None) -> None:
    """Draw a legend of the artists whose gid is the number of a label."""
    artists = {artist.get_gid(): artist for artist in ax.get_children() if artist.get_gid() is not None}
    handles = [artists[str(at)] for at in range(len(labels))]
    # Labels are set afterwards: matplotlib leaves out those that begin with an underscore.
    legend = ax.legend(handles, [str(at) for at in range(len(labels))], title=title)
    shown = [shortened(label) for label in labels]
    for text, label in zip(legend.get_texts(), shown, strict=True):
        text.set(text=label, **label_style(shown))
    if title is not None:
        legend.get_title().set(**label_style([title]))


# ---- Groups ----


def split_groups(df: pd.DataFrame, values: pd.DataFrame, by: Any) -> list[tuple[str, pd.DataFrame]]:
    """Give (name, rows of `values`) of each group of `df`; one of no name without `by`."""
    if by is None:
        return [("", values)]
    table = values.copy()
    keys = group_keys(df, by)
    for key in keys:
        label = getattr(key, "key", None) if isinstance(key, pd.Grouper) else None
        if label is not None:  # a Grouper looks its column up itself
            table[label] = group_column(df, label).array
    grouped = table.groupby(keys if isinstance(by, list) else keys[0], observed=True, dropna=False)
    return [(group_name(key), part[list(values.columns)]) for key, part in grouped]


def group_name(key: Hashable) -> str:
    """Give a group's key as text."""
    return ", ".join(map(str, key)) if isinstance(key, tuple) else str(key)


def by_name(by: Any) -> str | None:
    """Give what groups are made by as text, where that is a label."""
    if isinstance(by, list):
        names = [by_name(one) for one in by]
        return None if None in names else ", ".join(name for name in names if name is not None)
    name = getattr(by, "name", None) if isinstance(by, pd.Series | pd.Index) else by
    return str(name) if isinstance(name, str | int | tuple) else None


# ---- Arguments ----


def refuse_unknown(name: str, scoring: dict[str, Any], *own: str) -> None:
    """Raise TypeError for a keyword that a plot does not have."""
    unknown = {key: value for key, value in scoring.items() if key not in SCORE_KEYWORDS}
    refuse_keywords(f"plot.{name}", unknown, (*own, "ax", "figsize", *TOKEN_KEYWORDS, *SCORE_KEYWORDS))


def check_plot_frame(df: object, name: str) -> pd.DataFrame:
    """Give the frame as it is, or raise."""
    return check_frame(df, f"plot.{name}")
