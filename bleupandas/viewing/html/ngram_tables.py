"""The clipping table of a segment as HTML: a table for each order, with counts of each n-gram."""

from collections.abc import Iterable, Sequence

from bleupandas.viewing.html.segment_view import NgramView, SegmentView
from bleupandas.viewing.html.text_html import text_direction, token_html

MOST_NGRAMS = 200  # rows of an order's table
HEADERS = ("n-gram", "in hypothesis", "most in one reference", "matched", "over-produced", "missing")
STATUSES = ("over-produced", "missing", "matched")  # the order of the rows


def ngram_tables(view: SegmentView) -> str:
    """Return the clipping table, order by order. The first order with an unmatched n-gram is open."""
    by_order = [[ngram for ngram in view.ngrams if ngram.order == order] for order in range(1, view.max_order + 1)]
    faulty = [any(ngram.over_produced or ngram.missing for ngram in ngrams) for ngrams in by_order]
    first = faulty.index(True) if True in faulty else -1
    return "\n".join(order_html(ngrams, at == first) for at, ngrams in enumerate(by_order) if ngrams)


def order_html(ngrams: Sequence[NgramView], is_open: bool) -> str:
    """Return the table of one order: over-produced n-grams first, then missing ones, then matched ones."""
    order = ngrams[0].order
    count, clipped = sum(ngram.count for ngram in ngrams), sum(ngram.clipped_count for ngram in ngrams)
    missing = sum(ngram.missing for ngram in ngrams)
    rows = [ngram_html(ngram) for ngram in sorted(ngrams, key=lambda ngram: STATUSES.index(ngram.status))]
    if len(rows) > MOST_NGRAMS:
        rows[MOST_NGRAMS:] = [f'<tr><td colspan="{len(HEADERS)}">… and {len(rows) - MOST_NGRAMS} more</td></tr>']
    body = "\n".join(rows)
    header = "".join(f'<th scope="col">{name}</th>' for name in HEADERS)
    return (
        f'<details class="bleu-ngrams" data-order="{order}"{" open" * is_open}>'
        f"<summary>{order}-grams: {clipped} of {count} matched, {count - clipped} over-produced, {missing} missing"
        f'</summary>\n<div class="bleu-scroll" role="region" aria-label="{order}-grams" tabindex="0">\n'
        f"<table>\n<thead><tr>{header}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>\n</div>\n</details>"
    )


def ngram_html(ngram: NgramView) -> str:
    """Return one row of the clipping table."""
    tokens = " ".join(map(token_html, ngram.tokens))
    places = " ".join(f"{which}:{at}" for which, starts in enumerate(ngram.references) for at in starts)
    return (
        f'<tr data-ngram="{ngram.id}" data-order="{ngram.order}" data-hypothesis="{join_positions(ngram.hypothesis)}" '
        f'data-matched="{join_positions(ngram.hypothesis[: ngram.clipped_count])}" data-references="{places}">'
        f'<th scope="row" dir="{text_direction(ngram.tokens)}">{tokens}</th><td>{ngram.count}</td>'
        f"<td>{ngram.max_reference_count}</td><td>{ngram.clipped_count}</td>"
        f'<td class="bleu-over">{ngram.over_produced or ""}</td>'
        f'<td class="bleu-missing">{ngram.missing or ""}</td></tr>'
    )


def join_positions(positions: Iterable[int]) -> str:
    """Return positions as "0 5 7"."""
    return " ".join(map(str, positions))
