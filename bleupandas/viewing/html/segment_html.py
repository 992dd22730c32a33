"""One segment as HTML that is readable without style sheets and without scripts."""

from collections.abc import Collection, Sequence

from bleupandas.viewing.html.ngram_tables import ngram_tables
from bleupandas.viewing.html.palette import shade_level
from bleupandas.viewing.html.segment_view import SegmentView
from bleupandas.viewing.html.text_html import (
    bar_html,
    escape_text,
    format_number,
    format_token_count,
    text_direction,
    token_html,
)

MOST_TOKENS = 2000  # of a list
NOT_PINNED = -1


def segment_html(view: SegmentView, *, table: bool = True) -> str:
    """Return one segment as HTML.

    Parameters
    ----------
    view : SegmentView
        From `segment_view`.
    table : bool, default True
        Include the clipping table.

    Returns
    -------
    str
        A ``<section class="bleupandas ...">``; `STYLE` colours it. For scripts: a token has data-position, its list
        data-side ("hypothesis" or "references") and data-reference; a row of the clipping table has data-ngram (its
        id), data-order, and its start positions in data-hypothesis ("0 5"), data-matched (those of matched occurrences)
        and data-references ("0:3 1:7", reference and position). The class "bleu-lit" highlights tokens.

    Examples
    --------
    >>> import pandas as pd
    >>> from bleupandas.viewing.html.segment_view import segment_view
    >>> view = segment_view(pd.DataFrame({"hypothesis": [["<s>"]], "references": [[["<s>", "a"]]]}), 0)
    >>> "<bdi>&lt;s&gt;</bdi>" in segment_html(view)
    True
    """
    return section_html(view, table=table)


def pinned_html(view: SegmentView, pinned: int = NOT_PINNED, name: str = "", marked: Collection[int] = ()) -> str:
    """Return one segment in which a script keeps the n-gram with the id `pinned` highlighted.

    Parameters
    ----------
    view : SegmentView
    pinned : int
        The id of an n-gram of the view, or `NOT_PINNED`.
    name : str
        The heading; none if it is empty.
    marked : collection of int
        Positions of hypothesis tokens to underline.
    """
    return f'<div data-pinned="{pinned}">\n{section_html(view, name=name, marked=marked)}</div>\n'


def section_html(view: SegmentView, *, table: bool = True, name: str = "", marked: Collection[int] = ()) -> str:
    """Return one segment, with a heading if it has a name, and with marked tokens of the hypothesis underlined."""
    heading = f'<p class="bleu-side"><strong><bdi>{escape_text(name)}</bdi></strong></p>' if name else ""
    parts = [heading, title_html(view), extra_html(view.extra)]
    if view.readable:
        parts += [token_lists_html(view, marked), legend_html(view), precisions_html(view)]
        if table:
            parts.append(ngram_tables(view))
    inside = "\n".join(part for part in parts if part)
    return (
        f'<section class="bleupandas tex2jax_ignore mathjax_ignore" data-row="{view.position}" '
        f'data-max-order="{view.max_order}">\n{inside}\n</section>\n'
    )


# ---- Title and further columns ----


def title_html(view: SegmentView) -> str:
    """Return the row's label, score, main cause and reason."""
    label = f"<bdi>{escape_text(str(view.label))}</bdi>"
    place = "" if view.label == view.position else f" <small>(position {view.position})</small>"
    return (
        f'<p class="bleu-title"><span><strong>row {label}</strong>{place}</span> '
        f"<span>score <strong>{format_number(view.score)}</strong></span> "
        f"<span>{escape_text(view.main_cause)}</span></p>\n"
        f'<p class="bleu-reason" dir="auto">{escape_text(view.reason)}</p>'
    )


def extra_html(extra: Sequence[tuple[str, str]]) -> str:
    """Return further columns as a list of names and values."""
    if not extra:
        return ""
    items = "\n".join(
        f'<dt dir="auto">{escape_text(name)}</dt><dd dir="auto">{escape_text(value)}</dd>' for name, value in extra
    )
    return f'<dl class="bleu-extra">\n{items}\n</dl>'


# ---- Tokens ----


def token_lists_html(view: SegmentView, marked: Collection[int] = ()) -> str:
    """Return hypothesis and references as coloured tokens."""
    data = 'data-side="hypothesis"'
    lists = [token_list_html(view, "hypothesis", view.hypothesis, view.coverage, data, marked)]
    for at, (tokens, levels) in enumerate(zip(view.references, view.reference_coverage, strict=True)):
        name = "reference" if len(view.references) == 1 else f"reference {at}"
        lists.append(token_list_html(view, name, tokens, levels, f'data-side="references" data-reference="{at}"'))
    return "\n".join(lists)


def token_list_html(
    view: SegmentView, name: str, tokens: Sequence[str], levels: Sequence[int], data: str, marked: Collection[int] = ()
) -> str:
    """Return one list as coloured tokens; marked ones are within an element of the class "bleu-differs"."""
    pairs = enumerate(zip(tokens[:MOST_TOKENS], levels[:MOST_TOKENS], strict=True))
    chips = [chip_html(at, token, level, view.max_order) for at, (token, level) in pairs]
    chips = [f'<span class="bleu-differs">{chip}</span>' if at in marked else chip for at, chip in enumerate(chips)]
    if len(tokens) > MOST_TOKENS:
        chips.append(f"<span>… and {len(tokens) - MOST_TOKENS} more tokens</span>")
    return (
        f'<p class="bleu-name">{name}, {format_token_count(len(tokens))}</p>\n'
        f'<p class="bleu-tokens" dir="{text_direction(tokens)}" {data}>{" ".join(chips)}</p>'
    )


def chip_html(at: int, token: str, level: int, max_order: int) -> str:
    """Return one token, with its coverage as a shade and as a digit."""
    return (
        f'<span class="bleu-token bleu-c{shade_level(level, max_order)}" data-position="{at}" data-coverage="{level}">'
        f"{token_html(token)}<sub>{level}</sub></span>"
    )


def legend_html(view: SegmentView) -> str:
    """Return the meaning of the shades."""
    samples = " ".join(
        f'<span class="bleu-token bleu-c{shade_level(level, view.max_order)}">{level}</span>'
        for level in range(view.max_order + 1)
    )
    return (
        f'<p class="bleu-legend">{samples} Shade and digit: length of the longest match that covers the token '
        "(in a reference: of the longest n-gram that the hypothesis also has)</p>"
    )


# ---- Numbers ----


def precisions_html(view: SegmentView) -> str:
    """Return the precisions as bars, and the lengths."""
    facts = view.facts
    rows = "\n".join(precision_html(view, order) for order in range(1, view.max_order + 1))
    smoothed = '<th scope="col">smoothed</th>' if "smoothed_precision_1" in facts else ""
    return (
        '<table class="bleu-precisions">\n<thead><tr><th scope="col">order</th>'
        f'<th scope="col">n-grams matched</th><th scope="col">precision</th>{smoothed}</tr></thead>\n'
        f"<tbody>\n{rows}\n</tbody>\n</table>\n"
        f'<p class="bleu-lengths">brevity penalty <strong>{format_number(facts["brevity_penalty"])}</strong>: '
        f"hypothesis {format_token_count(facts['candidate_length'])}, closest reference "
        f"{format_token_count(facts['reference_length'])} <small>({escape_text(view.settings)})</small></p>"
    )


def precision_html(view: SegmentView, order: int) -> str:
    """Return the row of one order's precision."""
    facts = view.facts
    precision = facts[f"precision_{order}"]
    smoothed = facts.get(f"smoothed_precision_{order}")
    last = f"<td>{format_number(smoothed)}</td>" if "smoothed_precision_1" in facts else ""
    return (
        f'<tr><th scope="row">{order}</th><td>{facts[f"matches_{order}"]} of {facts[f"totals_{order}"]}</td>'
        f"<td>{bar_html(precision)} {format_number(precision)}</td>{last}</tr>"
    )
