"""The section that compares systems: on all rows, and in each group."""

from typing import Any

import pandas as pd

from bleupandas.comparing import compare, scores_differ
from bleupandas.reporting.blocks import HTML, Block, Options, Section
from bleupandas.reporting.charts import interval_chart
from bleupandas.reporting.report_data import ReportData
from bleupandas.reporting.tables import (
    format_interval,
    format_p_value,
    format_points,
    format_signed_points,
    format_table_cell,
    frame_table,
)


def read_comparison(data: ReportData, options: Options, by: Any = None) -> pd.DataFrame:
    """Compare the systems on all rows, or on each group."""
    return compare(
        data.components,
        system=data.systems,
        id=data.ids,
        baseline=options.baseline,
        by=by,
        n_resamples=options.n_resamples,
        seed=options.seed,
        level=options.level,
        errors=data.count.errors,
        threads=data.count.threads,
        progress=False,
        **data.scoring,
    )


def comparison_section(data: ReportData, whole: pd.DataFrame, groups: list[pd.DataFrame], options: Options) -> Section:
    """Show which system is better, on all rows and in each group, and how certain that is."""
    method = (
        f"Differences have {100 * options.level:g} % bootstrap confidence intervals: paired bootstrap (Koehn 2004), "
        f"{options.n_resamples:,} resamples, seed {options.seed}. The p-values of each table are corrected for its "
        "number of tests by Holm's method."
    )
    if data.unpaired:
        method += " All tables of this report use only the segments that are readable for all systems."
    blocks: list[Block] = [method, *difference_blocks(whole, [], "all rows")]
    for key, frame in zip(data.by, groups, strict=True):
        blocks += difference_blocks(frame, [key.name], format_table_cell(key.name))
    return Section("Which system is better", blocks)


def difference_blocks(frame: pd.DataFrame, levels: list[Any], title: str) -> list[Block]:
    """Return a chart and a table of compared pairs."""
    groups = [format_table_cell(label) for label in frame.index] if levels else [""] * len(frame)
    pairs = zip(frame["baseline"], frame["system"], strict=True)
    names = [f"{format_table_cell(baseline)} → {format_table_cell(system)}" for baseline, system in pairs]
    has_pairs = frame["system"].nunique() > 1 or not levels
    labels = [f"{group} {name}".strip() if has_pairs else group for group, name in zip(groups, names, strict=True)]
    ends = zip(frame["difference_low"], frame["difference_high"], strict=True)
    columns = pd.DataFrame({title: labels} if levels else {"systems": names})
    columns["baseline"] = frame["baseline_score"].map(format_points).to_list()
    columns["system"] = frame["score"].map(format_points).to_list()
    columns["difference"] = frame["difference"].map(format_signed_points).to_list()
    columns["confidence interval"] = [format_interval(low, high, format_signed_points) for low, high in ends]
    # sacreBLEU's method gives a difference of 0 the smallest p-value, which would look significant.
    unequal = scores_differ(frame["difference"], frame["baseline_score"], frame["score"])
    columns["p"] = frame["p_corrected"].where(unequal | (frame["p_corrected"] == 1)).map(format_p_value).to_list()
    columns["segments"] = frame["segments"].tolist()
    values, lows, highs = (
        (100 * frame[name]).astype("float64").tolist() for name in ("difference", "difference_low", "difference_high")
    )
    scope = f"by {title}" if levels else title
    chart = interval_chart(
        labels, values, lows, highs, title=f"Difference in BLEU and its confidence interval, {scope}; the line is at 0"
    )
    return [HTML(chart), frame_table(columns, [columns.columns[0]])]
