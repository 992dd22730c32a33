"""The section of segments: the lowest scores, the highest scores and the largest differences."""

from dataclasses import replace

import pandas as pd

from bleupandas.reporting.blocks import HTML, Block, Options, Section
from bleupandas.reporting.report_data import ReportData, read_report_tokens
from bleupandas.reporting.tables import format_table_cell
from bleupandas.scoring import score
from bleupandas.viewing.html import SegmentView, pair_html, segment_html, segment_view
from bleupandas.viewing.inspector import plain_columns


def segment_section(data: ReportData, options: Options) -> Section | None:
    """Show segments; None without tokens."""
    if not data.tokens or not options.n_segments:
        return None
    settings = data.settings
    scores = score(data.components, max_order=settings.max_order, weights=list(settings.weights))
    known = scores.dropna().astype("float64")
    lowest = known.nsmallest(options.n_segments).index
    highest = known.drop(lowest).nlargest(options.n_segments).index  # a segment of a small frame appears only once
    blocks: list[Block] = [
        "Each segment is scored as a sentence, with floor smoothing and without the orders that have no n-grams. The "
        "shade and the digit of a token show the length of the longest match that covers it."
    ]
    low_title = "Lowest scores" if len(highest) else "All segments, lowest scores first"
    for title, positions in ((low_title, lowest), ("Highest scores", highest)):
        if len(positions):
            segments = [segment_html(report_view(data, at), table=False) for at in positions.tolist()]
            blocks.append(HTML(f"<h3>{title}</h3>\n{''.join(segments)}"))
    if data.ids is not None:
        blocks.append(HTML("<h3>Largest differences</h3>\n" + "".join(differing_pairs(data, known, options))))
    return Section("Segments", blocks)


def differing_pairs(data: ReportData, scores: "pd.Series[float]", options: Options) -> list[str]:
    """Return the pairs of rows of the baseline and another system with the largest differences in score."""
    assert data.ids is not None
    assert data.systems is not None
    names = data.names
    first = names[0] if options.baseline is None else options.baseline
    table = pd.DataFrame({"score": scores, "id": data.ids, "system": data.systems, "row": range(len(data.ids))})
    is_baseline = table["system"] == first
    pairs = table[is_baseline].merge(table[~is_baseline], on="id", suffixes=("", "_other"))
    gap = (pairs["score_other"] - pairs["score"]).abs()
    widest = pairs.loc[gap[gap > 0].nlargest(options.n_segments).index]
    return [
        pair_html(
            [report_view(data, row), report_view(data, other)],
            [format_table_cell(first), format_table_cell(name)],
            baseline_first=True,
        )
        for row, other, name in zip(widest["row"], widest["row_other"], widest["system_other"], strict=True)
    ]


def report_view(data: ReportData, position: int) -> SegmentView:
    """Return the view of a row, with its label and position in the caller's frame."""
    row = data.rows.iloc[[position]].set_axis([data.labels[position]])
    labels = read_report_tokens(data, row).labels
    extra = [label for label in plain_columns(row) if label not in labels]
    settings = data.settings
    view = segment_view(
        row,
        0,
        extra=extra,
        errors=data.count.errors,
        max_order=settings.max_order,
        weights=settings.weights,
        **data.tokens,
    )
    return replace(view, position=int(data.positions[position]))
