"""The section of factors: log BLEU, or the difference of two systems, as a sum of parts."""

from typing import Any

import pandas as pd

from bleupandas.comparing import waterfall
from bleupandas.reporting.blocks import HTML, Block, Options, Section
from bleupandas.reporting.charts import bar_chart
from bleupandas.reporting.report_data import ReportData
from bleupandas.reporting.tables import format_table_cell, frame_table

SINGLE = "log BLEU is the sum of the parts below. The more negative a part is, the more it lowers the score."
DIFFERENCE = (
    "log BLEU is a sum, so a difference splits exactly into these parts. A negative part is in favour of the baseline."
)


def factor_section(data: ReportData, options: Options) -> Section:
    """Split log BLEU, or the difference of two systems, into its factors."""
    keys: dict[str, Any] = {}
    if data.ids is not None:
        keys = {"system": data.systems, "id": data.ids, "baseline": options.baseline}
    title = "Parts of the difference" if keys else "Parts of the score"
    try:
        frame = waterfall(data.components, errors=data.count.errors, **keys, **data.scoring)
    except ValueError as error:  # a score of 0 has no logarithm; the message names the factor that makes it 0
        return Section(title, [str(error)])
    if not keys:
        return Section(title, [SINGLE, *factor_blocks(frame, "log BLEU", {"value": "value"})])
    blocks: list[Block] = [DIFFERENCE]
    for (baseline, system), rows in frame.groupby(["baseline", "system"], sort=False):
        names = {"baseline_value": format_table_cell(baseline), "value": format_table_cell(system)}
        heading = f"log BLEU of {names['value']} minus log BLEU of {names['baseline_value']}"
        blocks += factor_blocks(rows.drop(columns=["baseline", "system"]), heading, names)
    return Section(title, blocks)


def factor_blocks(frame: pd.DataFrame, heading: str, headers: dict[str, str]) -> list[Block]:
    """Return a chart and a table of factors."""
    names = [
        name.replace("brevity_", "brevity ").replace("precision_", "precision, order ") for name in frame["factor"]
    ]
    chart = bar_chart(names, frame["contribution"].astype("float64").tolist(), title=heading)
    table = frame_table(frame.assign(factor=names), ["factor"], {**headers, "contribution": "part"})
    return [HTML(chart), table]
