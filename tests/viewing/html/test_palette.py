"""Colours are legible in light and dark, differ in lightness, and follow JupyterLab's theme."""

import itertools
import re

import pytest

from bleupandas.viewing.html.page import STYLE
from bleupandas.viewing.html.palette import COLOURS, SHADES, css_variables, shade_level


def luminance(colour: str) -> float:
    """Return the relative luminance as WCAG 2 defines it."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("dark", [False, True])
def test_contrast(dark: bool) -> None:
    colours = {name: pair[dark] for name, pair in COLOURS.items()}
    assert contrast("#ffffff", "#000000") == pytest.approx(21)
    for shade in range(SHADES + 1):
        assert contrast(colours[f"c{shade}"], colours[f"t{shade}"]) >= 4.5
    for name in ("ink", "quiet", "over", "missing"):
        assert contrast(colours[name], colours["paper"]) >= 4.5
    for name in ("line", "bar", "lit"):  # not text
        assert contrast(colours[name], colours["paper"]) >= 3


@pytest.mark.parametrize("dark", [False, True])
def test_shades_differ_in_lightness(dark: bool) -> None:
    """The order of shades is visible without colour vision; with four orders, neighbours differ clearly."""
    lights = [luminance(COLOURS[f"c{shade}"][dark]) for shade in range(SHADES + 1)]
    assert lights == sorted(lights, reverse=not dark)
    usual = [COLOURS[f"c{shade_level(level, 4)}"][dark] for level in range(5)]
    for one, other in itertools.pairwise(usual):
        assert contrast(one, other) >= 1.3


def test_shades() -> None:
    for max_order in range(1, 9):
        shades = [shade_level(level, max_order) for level in range(max_order + 1)]
        assert shades[0] == 0
        assert shades[-1] == SHADES
        assert sorted(set(shades)) == shades


def test_styles_touch_only_our_elements() -> None:
    """Every selector is within our classes, so other output of a notebook keeps its style."""
    style = re.sub(r"/\*.*?\*/", "", STYLE, flags=re.DOTALL)
    style = re.sub(r"@media [^{]*\{([^{}]*\{[^{}]*\})\s*\}", r"\1", style)
    for selectors in re.findall(r"([^{}]+)\{", style):
        for selector in selectors.split(","):
            assert re.search(r"\.bleu(pandas|-page)\b", selector), selector


def test_the_theme_of_jupyterlab_overrides_the_system() -> None:
    """A light notebook on a dark system is light, and a dark one on a light system is dark."""
    light, dark = (css_variables(dark=dark) for dark in (False, True))
    for theme, colours in (("true", light), ("false", dark)):
        assert f'[data-jp-theme-light="{theme}"] .bleupandas {{ {colours} }}' in STYLE
    assert "var(--jp-layout-color0, #ffffff)" in light
    assert "var(--jp-content-font-color1, #f2f3f4)" in dark
