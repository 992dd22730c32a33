"""Two hypotheses of one segment beside each other, with the tokens in which they differ marked."""

from collections.abc import Sequence
from dataclasses import replace
from difflib import SequenceMatcher

from bleupandas.viewing.html.segment_html import (
    MOST_TOKENS,
    chip,
    clipping_tables,
    direction,
    escaped,
    extra_list,
    legend,
    number,
    numbers,
    segment_html,
    title,
    token_list,
    tokens_of,
)
from bleupandas.viewing.html.segment_view import SegmentView

NOT_PINNED = -1
NO_SEGMENT = '<p class="bleupandas">No segment to show.</p>\n'


def views_html(views: Sequence[SegmentView], wanted: Sequence[str] = (), names: Sequence[str] | None = None) -> str:
    r"""Return the HTML of one segment, of two beside each other, or of none.

    Parameters
    ----------
    views : sequence of SegmentView
    wanted : sequence of str
        Tokens of the n-gram that stays lit up.
    names : sequence of two str, optional
        Of the hypotheses, where there are two.

    Returns
    -------
    str

    Examples
    --------
    >>> views_html([])
    '<p class="bleupandas">No segment to show.</p>\n'
    """
    if not views:
        return NO_SEGMENT
    wanted = tuple(wanted)
    pinned = [next((n.id for n in view.ngrams if n.tokens == wanted), NOT_PINNED) for view in views]
    return one_html(views[0], pinned[0]) if names is None else pair_html(views, names, pinned)


def one_html(view: SegmentView, pinned: int = NOT_PINNED) -> str:
    """Give one segment; the n-gram with the id `pinned` stays lit up where the script runs."""
    return pinned_html(segment_html(view), pinned)


def pair_html(
    views: Sequence[SegmentView],
    names: Sequence[str],
    pinned: Sequence[int] = (NOT_PINNED, NOT_PINNED),
    baseline_first: bool = False,
) -> str:
    """Give two views of a segment beside each other.

    Parameters
    ----------
    views : sequence of two SegmentView
    names : sequence of two str
        Of the hypotheses.
    pinned : sequence of two int
        As in `one_html`.
    baseline_first : bool
        The difference is the second's score less the first's; otherwise the other way round.

    Returns
    -------
    str

    Examples
    --------
    >>> import pandas as pd
    >>> from bleupandas.viewing.html.segment_view import segment_view
    >>> frame = pd.DataFrame({"mt": [["a", "b"]], "other": [["a", "c"]], "references": [[["a", "b"]]]})
    >>> views = [segment_view(frame, 0, hypothesis=column) for column in ("mt", "other")]
    >>> pair_html(views, ["mt", "other"]).count('<span class="bleu-differs">')
    2
    """
    shared = [item for item in views[0].extra if item in views[1].extra]
    summed_up = summary(views, names, shared, baseline_first)
    views = [replace(view, extra=tuple(item for item in view.extra if item not in shared)) for view in views]
    first, second = (view.hypothesis[:MOST_TOKENS] for view in views)
    marks = differing(first, second)
    sections = [
        pinned_html(section(view, name, marked), pin)
        for view, name, marked, pin in zip(views, names, marks, pinned, strict=True)
    ]
    return f'{summed_up}<div class="bleu-pair">\n{"".join(sections)}</div>\n'


def differing(first: Sequence[str], second: Sequence[str]) -> tuple[set[int], set[int]]:
    """Give the positions of the tokens, on each side, that the other does not have in that place.

    Examples
    --------
    >>> differing(["a", "b", "c"], ["a", "c", "d"])
    ({1}, {2})
    """
    here, there = set(range(len(first))), set(range(len(second)))
    for a, b, length in SequenceMatcher(None, first, second, autojunk=False).get_matching_blocks():
        here -= set(range(a, a + length))
        there -= set(range(b, b + length))
    return here, there


def summary(
    views: Sequence[SegmentView], names: Sequence[str], shared: Sequence[tuple[str, str]], baseline_first: bool
) -> str:
    """Give both scores in a line, and the further columns in which the two do not differ."""
    told = [f"<bdi>{escaped(name)}</bdi>" for name in names]
    facts = [f"{name} <strong>{number(view.score)}</strong>" for name, view in zip(told, views, strict=True)]
    of, than = (1, 0) if baseline_first else (0, 1)
    one, other = views[of].score, views[than].score
    if one is not None and other is not None:
        facts.append(f"{told[of]} − {told[than]} <strong>{signed(one - other)}</strong>")
    return (
        f'<div class="bleupandas bleu-summary tex2jax_ignore mathjax_ignore">\n<p>score: {", ".join(facts)}. '
        '<span class="bleu-token bleu-differs">Underlined</span> tokens stand in one hypothesis only.</p>\n'
        f"{extra_list(replace(views[0], extra=tuple(shared)))}</div>\n"
    )


def signed(difference: float) -> str:
    """Give a difference with its sign; what rounds to 0 has none.

    Examples
    --------
    >>> signed(-0.12345), signed(1e-9)
    ('−0.123', '0.000')
    """
    return "0.000" if abs(difference) < 0.0005 else f"{difference:+.3f}".replace("-", "−")


def section(view: SegmentView, name: str, marked: set[int]) -> str:
    """Give one of the two, as `segment_html` does, with marks in the hypothesis."""
    parts = [f'<p class="bleu-side"><strong><bdi>{escaped(name)}</bdi></strong></p>', title(view), extra_list(view)]
    if view.readable:
        parts += [marked_list(view, marked), reference_lists(view), legend(view), numbers(view), clipping_tables(view)]
    inside = "\n".join(part for part in parts if part)
    return (
        f'<section class="bleupandas tex2jax_ignore mathjax_ignore" data-row="{view.position}" '
        f'data-max-order="{view.max_order}">\n{inside}\n</section>\n'
    )


def marked_list(view: SegmentView, marked: set[int]) -> str:
    """Give the hypothesis; marked tokens have the class "bleu-differs" around them."""
    chips = []
    for at, (token, level) in enumerate(zip(view.hypothesis[:MOST_TOKENS], view.coverage[:MOST_TOKENS], strict=True)):
        shown = chip(at, token, level, view.max_order)
        chips.append(f'<span class="bleu-differs">{shown}</span>' if at in marked else shown)
    left_out = len(view.hypothesis) - MOST_TOKENS
    more = f" <span>… and {left_out} more tokens</span>" if left_out > 0 else ""
    return (
        f'<p class="bleu-name">hypothesis, {tokens_of(len(view.hypothesis))}</p>\n'
        f'<p class="bleu-tokens" dir="{direction(view.hypothesis)}" data-side="hypothesis">{" ".join(chips)}{more}</p>'
    )


def reference_lists(view: SegmentView) -> str:
    """Give the references."""
    lists = []
    for at, (tokens, levels) in enumerate(zip(view.references, view.reference_coverage, strict=True)):
        name = "reference" if len(view.references) == 1 else f"reference {at}"
        lists.append(token_list(view, name, tokens, levels, f'data-side="references" data-reference="{at}"'))
    return "\n".join(lists)


def pinned_html(section: str, pinned: int) -> str:
    """Wrap a section with what the script has to keep lit up."""
    return f'<div data-pinned="{pinned}">\n{section}</div>\n'
