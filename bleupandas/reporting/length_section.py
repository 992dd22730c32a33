"""The section of scores by the length of the reference."""

from typing import Any

import pandas as pd

from bleupandas.comparing import buckets
from bleupandas.reporting.blocks import HTML, Options, Section
from bleupandas.reporting.charts import interval_chart
from bleupandas.reporting.data_sections import MANY_ROWS
from bleupandas.reporting.report_data import ReportData
from bleupandas.reporting.tables import Table, format_interval, format_points, format_table_cell

RESAMPLES = 300  # enough for intervals in a chart
RESAMPLES_OF_MANY_ROWS = 100  # intervals of many rows are narrow


def length_section(data: ReportData, options: Options) -> Section:
    """Score the readable rows by the length of their closest reference."""
    frame = read_buckets(data.complete(), options)
    has_systems = data.systems is not None
    keys = [key if has_systems else (key,) for key in frame.index]
    numbers = [
        [
            format_points(row["score"]),
            format_interval(row["score_low"], row["score_high"], format_points),
            format_table_cell(row["brevity_penalty"]),
            format_table_cell(row["segments"]),
        ]
        for row in frame.to_dict("records")
    ]
    texts = ["reference length (tokens)", *["system"] * has_systems]
    headers = [*texts, "BLEU", "confidence interval", "brevity penalty", "segments"]
    rows = [[*map(format_table_cell, key), *cells] for key, cells in zip(keys, numbers, strict=True)]
    labels = [", ".join([f"{format_table_cell(key[0])} tokens", *map(format_table_cell, key[1:])]) for key in keys]
    values, lows, highs = (
        (100 * frame[name]).astype("float64").tolist() for name in ("score", "score_low", "score_high")
    )
    chart = interval_chart(labels, values, lows, highs, title="BLEU and its confidence interval by reference length")
    return Section("Scores by reference length", [HTML(chart), Table(headers, rows, len(texts))])


def read_buckets(data: ReportData, options: Options) -> pd.DataFrame:
    """Return the scores of buckets of reference lengths, for each system."""
    keys: dict[str, Any] = {"baseline": options.baseline} if data.ids is not None else {}
    if data.systems is not None:
        keys |= {"system": data.systems, "id": data.ids}
    most = RESAMPLES if len(data.rows) <= MANY_ROWS else RESAMPLES_OF_MANY_ROWS
    return buckets(
        data.components,
        of="reference_length",
        n_resamples=min(options.n_resamples, most),
        seed=options.seed,
        level=options.level,
        errors=data.count.errors,
        progress=False,
        **keys,
        **data.scoring,
    )
