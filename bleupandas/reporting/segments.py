"""Segments that a report shows: the worst, the best and the most different, highlighted as in the inspector."""

from dataclasses import replace

import pandas as pd

from bleupandas.reading import token_columns
from bleupandas.reporting.material import Material
from bleupandas.reporting.sections import Block, Drawn, Options, Section
from bleupandas.reporting.tables import plain
from bleupandas.scoring import score
from bleupandas.viewing.html import SegmentView, pair_html, segment_html, segment_view
from bleupandas.viewing.inspector import plain_columns


def exhibits(material: Material, options: Options) -> Section | None:
    """Show segments."""
    if not material.tokens or not options.n_segments:
        return None
    settings = material.settings
    scores = score(material.counts, max_order=settings.max_order, weights=list(settings.weights))
    blocks: list[Block] = [
        "Each segment is scored as a sentence (smoothing floor, orders without n-grams left out). A token has the "
        "colour and the number of the longest matched n-gram over it."
    ]
    known = scores.dropna().astype("float64")
    worst = known.nsmallest(options.n_segments).index
    best = known.drop(worst).nlargest(options.n_segments).index  # none of few is both
    for title, positions in (("The worst" if len(best) else "All, the worst first", worst), ("The best", best)):
        if len(positions):
            blocks.append(Drawn(f"<h3>{title}</h3>\n{''.join(one(material, at) for at in positions.tolist())}"))
    if material.ids is not None:
        blocks.append(Drawn("<h3>The most different</h3>\n" + "".join(pairs(material, known, options))))
    return Section("Segments", blocks)


def one(material: Material, position: int) -> str:
    """Show a row, without the clipping table."""
    return segment_html(view(material, position), table=False)


def pairs(material: Material, scores: "pd.Series[float]", options: Options) -> list[str]:
    """Show the pairs of rows of the baseline and another system that differ most in score."""
    assert material.ids is not None
    assert material.systems is not None
    names = material.names
    first = names[0] if options.baseline is None else options.baseline
    table = pd.DataFrame(
        {"score": scores, "id": material.ids, "system": material.systems, "row": range(len(material.ids))}
    )
    merged = table[table["system"] == first].merge(table[table["system"] != first], on="id", suffixes=("", "_other"))
    gap = (merged["score_other"] - merged["score"]).abs()
    widest = merged.loc[gap[gap > 0].nlargest(options.n_segments).index]
    return [
        pair_html([view(material, row), view(material, other)], [plain(first), plain(name)], baseline_first=True)
        for row, other, name in zip(widest["row"], widest["row_other"], widest["system_other"], strict=True)
    ]


def view(material: Material, position: int) -> SegmentView:
    """Give what there is to see of a row, under the label and position that it has in the caller's frame."""
    row = material.rows.iloc[[position]].set_axis([material.labels[position]])
    tokens = token_columns(row, needs="report", **material.tokens).labels
    extra = [label for label in plain_columns(row) if label not in tokens]
    settings = material.settings
    seen = segment_view(
        row, 0, extra=extra, errors=material.errors, max_order=settings.max_order, weights=settings.weights,
        **material.tokens,
    )  # fmt: skip
    return replace(seen, position=int(material.positions[position]))
