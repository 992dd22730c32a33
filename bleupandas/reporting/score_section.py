"""The section of scores: systems, and their groups."""

from typing import Any

import pandas as pd

from bleupandas.reporting.blocks import Block, Section
from bleupandas.reporting.report_data import ReportData
from bleupandas.reporting.tables import Table, format_cell, format_points, frame_table
from bleupandas.scoring import corpus


def score_section(data: ReportData) -> Section:
    """Score the systems, and each group."""
    blocks: list[Block] = []
    if data.systems is None:
        blocks.append(score_table(corpus(data.components, **data.scoring).to_frame(), ["all rows"], ""))
    else:
        total = corpus(data.components, by=data.systems, sort=False, **data.scoring)
        blocks.append(score_table(total, total.index.tolist(), "system"))
    for key in data.by:
        keys = key if data.systems is None else [key, data.systems]
        groups = corpus(data.components, by=keys, **data.scoring)
        blocks.append(score_table(groups, groups.index.tolist(), format_cell(key.name)))
    return Section("Scores", blocks)


def score_table(frame: pd.DataFrame, labels: list[Any], name: str) -> Table:
    """Return a result of `corpus` as a table."""
    columns: dict[str, Any] = {name: [format_cell(label) for label in labels]}
    columns["BLEU"] = frame["score"].map(format_points).to_list()
    for column in frame.columns:
        if str(column).startswith("precision_"):
            precisions = ["–" if pd.isna(p) else f"{100 * p:.1f}" for p in frame[column]]
            columns[str(column).replace("_", " ")] = precisions
    columns["brevity penalty"] = [format_cell(float(penalty)) for penalty in frame["brevity_penalty"]]
    columns["length ratio"] = [format_cell(float(ratio)) for ratio in frame["length_ratio"]]
    columns["segments"] = [format_cell(number) for number in frame["segments"].tolist()]
    return frame_table(pd.DataFrame(columns), [name])
