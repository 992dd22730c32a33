"""Segments that a report shows: the worst, the best and the most different, highlighted as in the inspector."""

from dataclasses import replace

import pandas as pd

from bleupandas.reading import token_columns
from bleupandas.reporting.report_data import ReportData
from bleupandas.reporting.sections import Block, Graphic, Options, Section
from bleupandas.reporting.tables import format_cell
from bleupandas.scoring import score
from bleupandas.viewing.html import SegmentView, pair_html, segment_html, segment_view
from bleupandas.viewing.inspector import plain_columns


def segment_section(data: ReportData, options: Options) -> Section | None:
    """Show segments."""
    if not data.tokens or not options.n_segments:
        return None
    settings = data.settings
    scores = score(data.counts, max_order=settings.max_order, weights=list(settings.weights))
    blocks: list[Block] = [
        "Each segment is scored as a sentence (smoothing floor, orders without n-grams left out). A token has the "
        "colour and the number of the longest matched n-gram over it."
    ]
    known = scores.dropna().astype("float64")
    worst = known.nsmallest(options.n_segments).index
    best = known.drop(worst).nlargest(options.n_segments).index  # none of few is both
    for title, positions in (("The worst" if len(best) else "All, the worst first", worst), ("The best", best)):
        if len(positions):
            blocks.append(Graphic(f"<h3>{title}</h3>\n{''.join(one(data, at) for at in positions.tolist())}"))
    if data.ids is not None:
        blocks.append(Graphic("<h3>The most different</h3>\n" + "".join(pairs(data, known, options))))
    return Section("Segments", blocks)


def one(data: ReportData, position: int) -> str:
    """Show a row, without the clipping table."""
    return segment_html(row_view(data, position), table=False)


def pairs(data: ReportData, scores: "pd.Series[float]", options: Options) -> list[str]:
    """Show the pairs of rows of the baseline and another system that differ most in score."""
    assert data.ids is not None
    assert data.systems is not None
    names = data.names
    first = names[0] if options.baseline is None else options.baseline
    table = pd.DataFrame({"score": scores, "id": data.ids, "system": data.systems, "row": range(len(data.ids))})
    merged = table[table["system"] == first].merge(table[table["system"] != first], on="id", suffixes=("", "_other"))
    gap = (merged["score_other"] - merged["score"]).abs()
    widest = merged.loc[gap[gap > 0].nlargest(options.n_segments).index]
    return [
        pair_html(
            [row_view(data, row), row_view(data, other)],
            [format_cell(first), format_cell(name)],
            baseline_first=True,
        )
        for row, other, name in zip(widest["row"], widest["row_other"], widest["system_other"], strict=True)
    ]


def row_view(data: ReportData, position: int) -> SegmentView:
    """Return the view of a row, with its label and position in the caller's frame."""
    row = data.rows.iloc[[position]].set_axis([data.labels[position]])
    tokens = token_columns(row, needs="report", **data.tokens).labels
    extra = [label for label in plain_columns(row) if label not in tokens]
    settings = data.settings
    seen = segment_view(
        row, 0, extra=extra, errors=data.errors, max_order=settings.max_order, weights=settings.weights,
        **data.tokens,
    )  # fmt: skip
    return replace(seen, position=int(data.positions[position]))
