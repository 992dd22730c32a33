"""Colours for light and dark pages. Shades are one blue of different lightness, so they need no colour vision."""

# A row per shade, from no coverage to the longest n-gram: light background and text, dark background and text.
STEPS = [
    ("#ffffff", "#1a1a1a", "#111417", "#f2f3f4"),
    ("#e9f1fa", "#1a1a1a", "#16293f", "#ffffff"),
    ("#cfe1f2", "#1a1a1a", "#1a3d63", "#ffffff"),
    ("#abcfe6", "#1a1a1a", "#1f5488", "#ffffff"),
    ("#82badb", "#1a1a1a", "#2b6cab", "#ffffff"),
    ("#56a0ce", "#000000", "#4b92cd", "#000000"),
    ("#2a78b5", "#ffffff", "#74afdd", "#000000"),
    ("#115d9e", "#ffffff", "#a3cdec", "#000000"),
    ("#08386e", "#ffffff", "#d9ebf9", "#000000"),
]
SHADES = len(STEPS) - 1

# Name: (light, dark). All but "line" and the shades are text colours on the background "paper".
COLOURS = {
    "ink": ("#1a1a1a", "#f2f3f4"),
    "quiet": ("#4a4f55", "#c3c8cd"),
    "paper": ("#ffffff", "#111417"),
    "line": ("#8a9097", "#7a828a"),
    "bar": ("#2a78b5", "#74afdd"),
    "over": ("#9c3800", "#ffb27a"),
    "missing": ("#5e35a0", "#cdb4f6"),
    "lit": ("#c84b00", "#ffb000"),
    **{f"c{shade}": (light, dark) for shade, (light, _, dark, _) in enumerate(STEPS)},
    **{f"t{shade}": (light, dark) for shade, (_, light, _, dark) in enumerate(STEPS)},
}
# Colours that JupyterLab's theme overrides.
THEMES = {
    "ink": "--jp-content-font-color1",
    "quiet": "--jp-content-font-color1",
    "paper": "--jp-layout-color0",
    "c0": "--jp-layout-color0",
    "t0": "--jp-content-font-color1",
}


def shade_level(level: int, max_order: int) -> int:
    """Return the shade, 0 to `SHADES`, of a coverage from 0 to `max_order`.

    Examples
    --------
    >>> [shade_level(level, 4) for level in range(5)]
    [0, 2, 4, 6, 8]
    """
    return -(-SHADES * level // max_order)


def colours_css() -> str:
    """Return the CSS that selects light or dark: by JupyterLab's theme, otherwise by the reader's system."""
    light, dark = css_variables(dark=False), css_variables(dark=True)
    roots = ".bleupandas, .bleu-page"
    return (
        f"{roots} {{ {light} }}\n"
        f"@media (prefers-color-scheme: dark) {{ {roots} {{ {dark} }} }}\n"
        f'[data-jp-theme-light="true"] .bleupandas {{ {light} }}\n'
        f'[data-jp-theme-light="false"] .bleupandas {{ {dark} }}\n'
    )


def css_variables(dark: bool) -> str:
    """Return the colours as CSS variables."""
    values = ["color-scheme: dark;" if dark else "color-scheme: light;"]
    for name, colours in COLOURS.items():
        colour = colours[dark]
        values.append(f"--bleu-{name}: {f'var({THEMES[name]}, {colour})' if name in THEMES else colour};")
    return " ".join(values)
