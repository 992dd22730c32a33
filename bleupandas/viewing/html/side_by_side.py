"""Two hypotheses of one segment beside each other; tokens in which they differ are underlined."""

from collections.abc import Sequence
from dataclasses import replace
from difflib import SequenceMatcher

from bleupandas.viewing.html.segment_html import MOST_TOKENS, NOT_PINNED, extra_html, pinned_html
from bleupandas.viewing.html.segment_view import SegmentView
from bleupandas.viewing.html.text_html import escape_text, format_number

NO_SEGMENT = '<p class="bleupandas">No segment to show.</p>\n'


def views_html(views: Sequence[SegmentView], ngram: Sequence[str] = (), names: Sequence[str] | None = None) -> str:
    r"""Return the HTML of one segment, of two beside each other, or of none.

    Parameters
    ----------
    views : sequence of SegmentView
    ngram : sequence of str
        Tokens of the n-gram that stays highlighted.
    names : sequence of two str, optional
        The names of two hypotheses.

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
    tokens = tuple(ngram)
    pinned = [next((n.id for n in view.ngrams if n.tokens == tokens), NOT_PINNED) for view in views]
    return pinned_html(views[0], pinned[0]) if names is None else pair_html(views, names, pinned)


def pair_html(
    views: Sequence[SegmentView],
    names: Sequence[str],
    pinned: Sequence[int] = (NOT_PINNED, NOT_PINNED),
    baseline_first: bool = False,
) -> str:
    """Return two views of a segment beside each other.

    Parameters
    ----------
    views : sequence of two SegmentView
    names : sequence of two str
        The names of the hypotheses.
    pinned : sequence of two int
        As in `pinned_html`.
    baseline_first : bool
        Whether the difference is the second score minus the first; otherwise it is the first minus the second.

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
    first, second = (view.hypothesis[:MOST_TOKENS] for view in views)
    marks = differing_tokens(first, second)
    sections = [
        pinned_html(replace(view, extra=tuple(item for item in view.extra if item not in shared)), pin, name, marked)
        for view, name, marked, pin in zip(views, names, marks, pinned, strict=True)
    ]
    summary = pair_summary_html(views, names, shared, baseline_first)
    return f'{summary}<div class="bleu-pair">\n{"".join(sections)}</div>\n'


def differing_tokens(first: Sequence[str], second: Sequence[str]) -> tuple[set[int], set[int]]:
    """Return the positions, on each side, of tokens that a diff of the two lists finds on that side only.

    Examples
    --------
    >>> differing_tokens(["a", "b", "c"], ["a", "c", "d"])
    ({1}, {2})
    """
    here, there = set(range(len(first))), set(range(len(second)))
    for a, b, length in SequenceMatcher(None, first, second, autojunk=False).get_matching_blocks():
        here -= set(range(a, a + length))
        there -= set(range(b, b + length))
    return here, there


def pair_summary_html(
    views: Sequence[SegmentView], names: Sequence[str], shared: Sequence[tuple[str, str]], baseline_first: bool
) -> str:
    """Return both scores in one line, and the further columns that are equal on both sides."""
    labels = [f"<bdi>{escape_text(name)}</bdi>" for name in names]
    facts = [f"{label} <strong>{format_number(view.score)}</strong>" for label, view in zip(labels, views, strict=True)]
    system, baseline = (1, 0) if baseline_first else (0, 1)
    score, baseline_score = views[system].score, views[baseline].score
    if score is not None and baseline_score is not None:
        difference = format_difference(score - baseline_score)
        facts.append(f"{labels[system]} − {labels[baseline]} <strong>{difference}</strong>")
    return (
        f'<div class="bleupandas bleu-summary tex2jax_ignore mathjax_ignore">\n<p>score: {", ".join(facts)}. '
        '<span class="bleu-token bleu-differs">Underlined</span> tokens differ between the two.</p>\n'
        f"{extra_html(shared)}</div>\n"
    )


def format_difference(difference: float) -> str:
    """Return a difference with its sign; a difference that rounds to 0 has none.

    Examples
    --------
    >>> format_difference(-0.12345), format_difference(1e-9)
    ('−0.123', '0.000')
    """
    return "0.000" if abs(difference) < 0.0005 else f"{difference:+.3f}".replace("-", "−")
