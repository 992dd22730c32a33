"""The section of scores: systems, and their groups."""

from typing import Any

import pandas as pd

from bleupandas.reporting.blocks import Block, Section
from bleupandas.reporting.report_data import ReportData
from bleupandas.reporting.tables import Table, format_points, format_table_cell, frame_table
from bleupandas.scoring import corpus


def score_section(data: ReportData) -> Section:
    """Score the systems, and each group."""
    blocks: list[Block] = []
    if data.systems is None:
        blocks.append(corpus_table(corpus(data.components, **data.scoring).to_frame(), ["all rows"], ""))
    else:
        total = corpus(data.components, by=data.systems, sort=False, **data.scoring)
        blocks.append(corpus_table(total, total.index.tolist(), "system"))
    for key in data.by:
        keys = key if data.systems is None else [key, data.systems]
        groups = corpus(data.components, by=keys, **data.scoring)
        blocks.append(corpus_table(groups, groups.index.tolist(), format_table_cell(key.name)))
    return Section("Scores", blocks)


def corpus_table(frame: pd.DataFrame, labels: list[Any], name: str) -> Table:
    """Return a result of `corpus` as a table."""
    columns: dict[str, Any] = {name: [format_table_cell(label) for label in labels]}
    columns["BLEU"] = frame["score"].map(format_points).to_list()
    for column in frame.columns:
        if str(column).startswith("precision_"):
            precisions = ["–" if pd.isna(p) else f"{100 * p:.1f}" for p in frame[column]]
            columns[str(column).replace("_", " ")] = precisions
    columns["brevity penalty"] = [format_table_cell(float(penalty)) for penalty in frame["brevity_penalty"]]
    columns["length ratio"] = [format_table_cell(float(ratio)) for ratio in frame["length_ratio"]]
    columns["segments"] = [format_table_cell(number) for number in frame["segments"].tolist()]
    return frame_table(pd.DataFrame(columns), [name])
