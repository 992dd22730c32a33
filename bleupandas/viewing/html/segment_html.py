"""One segment as HTML: escaped once, self-contained, readable without style sheets and without scripts."""

import html
import math
import unicodedata
from collections.abc import Iterable, Sequence
from importlib import resources

from bleupandas.viewing.html.palette import colours_css, shade_of
from bleupandas.viewing.html.segment_view import SegmentView, ViewedNgram

# For the page that holds segments; touches nothing outside of the class "bleupandas", and pages of `page_html`.
STYLE = colours_css() + resources.files("bleupandas.viewing.html").joinpath("segment.css").read_text(encoding="utf-8")

MOST_TOKENS = 2000  # of a list
MOST_NGRAMS = 200  # of an order in the clipping table


def segment_html(view: SegmentView, *, table: bool = True) -> str:
    """Give one segment as HTML.

    Parameters
    ----------
    view : SegmentView
        From `segment_view`.
    table : bool, default True
        With the clipping table.

    Returns
    -------
    str
        A ``<section class="bleupandas ...">``, coloured where `STYLE` stands in the page. For scripts: a token has
        data-position, its list data-side ("hypothesis" or "references") and data-reference; a row of the clipping
        table has data-ngram (its id), data-order, and its start positions in data-hypothesis ("0 5"), data-matched
        (those of them that count) and data-references ("0:3 1:7", reference and position). Tokens with the class
        "bleu-lit" are lit up.

    Examples
    --------
    >>> import pandas as pd
    >>> from bleupandas.viewing.html.segment_view import segment_view
    >>> view = segment_view(pd.DataFrame({"hypothesis": [["<s>"]], "references": [[["<s>", "a"]]]}), 0)
    >>> "<bdi>&lt;s&gt;</bdi>" in segment_html(view)
    True
    """
    parts = [title(view), extra_list(view)]
    if view.readable:
        parts += [token_lists(view), legend(view), numbers(view)]
        if table:
            parts.append(clipping_tables(view))
    inside = "\n".join(part for part in parts if part)
    return (
        f'<section class="bleupandas tex2jax_ignore mathjax_ignore" data-row="{view.position}" '
        f'data-max-order="{view.max_order}">\n{inside}\n</section>\n'
    )


def page_html(body: str, title: str) -> str:
    """Give a self-contained page.

    Parameters
    ----------
    body : str
        HTML, such as that of `segment_html`.
    title : str
        Text.

    Returns
    -------
    str
    """
    name = escaped(title)
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>{name}</title>\n'
        f"<style>\n{STYLE}</style>\n</head>\n"
        f'<body class="bleu-page">\n<main>\n<h1>{name}</h1>\n{body}</main>\n</body>\n</html>\n'
    )


# ---- Text ----


def visible(text: str) -> str:
    r"""Give text in which what a page cannot show or would swallow is shown: controls, lone surrogates, spaces.

    Examples
    --------
    >>> visible("a b\n")
    'a␣b␊'
    """
    return "".join(map(visible_character, text))


def visible_character(character: str) -> str:
    """Give a character, or a sign for it."""
    code = ord(character)
    if code <= 0x20:
        return "␣" if code == 0x20 else chr(0x2400 + code)
    if code == 0x7F:
        return "␡"
    if 0x80 <= code < 0xA0 or unicodedata.category(character) in ("Cs", "Cn"):
        return f"\\u{code:04x}"
    return character


def escaped(text: str) -> str:
    """Escape text that is not a token's for HTML; lone surrogates, which no page can hold, are spelled out."""
    return html.escape(text.encode("utf-8", "backslashreplace").decode(), quote=True)


def direction(tokens: Iterable[str]) -> str:
    """Give the dir attribute of a list of tokens.

    The browser's own "auto" looks past what stands in <bdi>, and each token does: a list whose first strong character
    is a right-to-left one has to say so.
    """
    for token in tokens:
        for character in token:
            kind = unicodedata.bidirectional(character)
            if kind in ("R", "AL"):
                return "rtl"
            if kind == "L":
                return "auto"
    return "auto"


def isolated(token: str) -> str:
    """Give a token as HTML."""
    return f"<bdi>{html.escape(visible(token), quote=True)}</bdi>"


def number(value: float | None, digits: int = 3) -> str:
    """Give a number, or a dash."""
    return "–" if value is None or math.isnan(value) else f"{value:.{digits}f}"


def tokens_of(count: int) -> str:
    """Give "1 token", "2 tokens"."""
    return "1 token" if count == 1 else f"{count} tokens"


# ---- Parts ----


def title(view: SegmentView) -> str:
    """Give the row's label, score, main cause and reason."""
    label = f"<bdi>{escaped(str(view.label))}</bdi>"
    place = "" if view.label == view.position else f" <small>(position {view.position})</small>"
    return (
        f'<p class="bleu-title"><span><strong>row {label}</strong>{place}</span> '
        f"<span>score <strong>{number(view.score)}</strong></span> <span>{escaped(view.main_cause)}</span></p>\n"
        f'<p class="bleu-reason" dir="auto">{escaped(view.reason)}</p>'
    )


def extra_list(view: SegmentView) -> str:
    """Give further columns as a list of names and values."""
    if not view.extra:
        return ""
    items = "\n".join(f'<dt dir="auto">{escaped(k)}</dt><dd dir="auto">{escaped(v)}</dd>' for k, v in view.extra)
    return f'<dl class="bleu-extra">\n{items}\n</dl>'


def token_lists(view: SegmentView) -> str:
    """Give hypothesis and references as chips."""
    lists = [token_list(view, "hypothesis", view.hypothesis, view.coverage, 'data-side="hypothesis"')]
    for at, (tokens, levels) in enumerate(zip(view.references, view.reference_coverage, strict=True)):
        name = "reference" if len(view.references) == 1 else f"reference {at}"
        data = f'data-side="references" data-reference="{at}"'
        lists.append(token_list(view, name, tokens, levels, data))
    return "\n".join(lists)


def token_list(view: SegmentView, name: str, tokens: Sequence[str], levels: Sequence[int], data: str) -> str:
    """Give one token list as chips."""
    shown = enumerate(zip(tokens[:MOST_TOKENS], levels[:MOST_TOKENS], strict=True))
    chips = " ".join(chip(at, token, level, view.max_order) for at, (token, level) in shown)
    if len(tokens) > MOST_TOKENS:
        chips += f" <span>… and {len(tokens) - MOST_TOKENS} more tokens</span>"
    return (
        f'<p class="bleu-name">{name}, {tokens_of(len(tokens))}</p>\n'
        f'<p class="bleu-tokens" dir="{direction(tokens)}" {data}>{chips}</p>'
    )


def chip(at: int, token: str, level: int, max_order: int) -> str:
    """Give one token, its coverage as colour and as a digit."""
    return (
        f'<span class="bleu-token bleu-c{shade_of(level, max_order)}" data-position="{at}" data-coverage="{level}">'
        f"{isolated(token)}<sub>{level}</sub></span>"
    )


def legend(view: SegmentView) -> str:
    """Give what the colours say."""
    samples = " ".join(
        f'<span class="bleu-token bleu-c{shade_of(level, view.max_order)}">{level}</span>'
        for level in range(view.max_order + 1)
    )
    return (
        f'<p class="bleu-legend">{samples} the longest matched n-gram over a hypothesis token; over a reference token, '
        "the longest that the hypothesis has too</p>"
    )


def numbers(view: SegmentView) -> str:
    """Give precisions as bars, and the lengths."""
    facts = view.facts
    rows = "\n".join(precision_row(view, order) for order in range(1, view.max_order + 1))
    smoothed = '<th scope="col">smoothed</th>' if "smoothed_precision_1" in facts else ""
    return (
        '<table class="bleu-precisions">\n<thead><tr><th scope="col">order</th>'
        f'<th scope="col">matched of total</th><th scope="col">precision</th>{smoothed}</tr></thead>\n'
        f"<tbody>\n{rows}\n</tbody>\n</table>\n"
        f'<p class="bleu-lengths">brevity penalty <strong>{number(facts["brevity_penalty"])}</strong>: hypothesis '
        f"{tokens_of(facts['candidate_length'])}, closest reference {tokens_of(facts['reference_length'])} "
        f"<small>({escaped(view.settings)})</small></p>"
    )


def precision_row(view: SegmentView, order: int) -> str:
    """Give one order's precision."""
    facts = view.facts
    precision = facts[f"precision_{order}"]
    bar = f'<span class="bleu-bar"><span style="width: {100 * (precision or 0):.1f}%"></span></span>'
    smoothed = facts.get(f"smoothed_precision_{order}")
    last = f"<td>{number(smoothed)}</td>" if "smoothed_precision_1" in facts else ""
    return (
        f'<tr><th scope="row">{order}</th><td>{facts[f"matches_{order}"]} of {facts[f"totals_{order}"]}</td>'
        f"<td>{bar} {number(precision)}</td>{last}</tr>"
    )


# ---- The clipping table ----


def clipping_tables(view: SegmentView) -> str:
    """Give the clipping table order by order; the first that holds a fault is open."""
    by_order = [[ngram for ngram in view.ngrams if ngram.order == order] for order in range(1, view.max_order + 1)]
    faulty = [any(ngram.over_produced or ngram.missing for ngram in table) for table in by_order]
    first = faulty.index(True) if True in faulty else -1
    return "\n".join(order_table(table, at == first) for at, table in enumerate(by_order) if table)


def order_table(table: Sequence[ViewedNgram], is_open: bool) -> str:
    """Give the clipping table of one order: what is over-produced, what is missing, what matched."""
    order = table[0].order
    count, clipped = sum(ngram.count for ngram in table), sum(ngram.clipped_count for ngram in table)
    missing = sum(ngram.missing for ngram in table)
    ranks = {"over-produced": 0, "missing": 1, "matched": 2}
    rows = [ngram_row(ngram) for ngram in sorted(table, key=lambda ngram: ranks[ngram.status])]
    if len(rows) > MOST_NGRAMS:
        rows[MOST_NGRAMS:] = [f'<tr><td colspan="6">… and {len(rows) - MOST_NGRAMS} more</td></tr>']
    body = "\n".join(rows)
    heads = ("n-gram", "in hypothesis", "most in a reference", "matched", "over-produced", "missing")
    head = "".join(f'<th scope="col">{name}</th>' for name in heads)
    return (
        f'<details class="bleu-ngrams" data-order="{order}"{" open" * is_open}>'
        f"<summary>{order}-grams: {clipped} of {count} matched, {count - clipped} over-produced, {missing} missing"
        f'</summary>\n<div class="bleu-scroll" role="region" aria-label="{order}-grams" tabindex="0">\n'
        f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>\n</div>\n</details>"
    )


def ngram_row(ngram: ViewedNgram) -> str:
    """Give one row of the clipping table."""
    tokens = " ".join(map(isolated, ngram.tokens))
    places = " ".join(f"{which}:{at}" for which, starts in enumerate(ngram.references) for at in starts)
    over, missing = ngram.over_produced or "", ngram.missing or ""
    return (
        f'<tr data-ngram="{ngram.id}" data-order="{ngram.order}" data-hypothesis="{joined(ngram.hypothesis)}" '
        f'data-matched="{joined(ngram.hypothesis[: ngram.clipped_count])}" data-references="{places}">'
        f'<th scope="row" dir="{direction(ngram.tokens)}">{tokens}</th><td>{ngram.count}</td>'
        f"<td>{ngram.max_reference_count}</td><td>{ngram.clipped_count}</td>"
        f'<td class="bleu-over">{over}</td><td class="bleu-missing">{missing}</td></tr>'
    )


def joined(positions: Iterable[int]) -> str:
    """Give positions as "0 5 7"."""
    return " ".join(map(str, positions))
