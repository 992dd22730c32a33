"""The section of n-grams: over-produced ones, missing ones, and those that one system matches more often."""

from typing import Any

import numpy as np
import pandas as pd

from bleupandas.comparing import baseline_position, contrasts_frame
from bleupandas.counting import Sums, ngram_text_error, summarize_ngrams, tally_rows
from bleupandas.engine import Tally
from bleupandas.reading import row_groups
from bleupandas.reporting.blocks import Block, Options, Section
from bleupandas.reporting.data_sections import MANY_ROWS
from bleupandas.reporting.report_data import ReportData, read_report_tokens
from bleupandas.reporting.tables import Table, format_table_cell, frame_table

EXAMPLES = 3
SEPARATORS = " ·␣|¦"  # the first one that no token contains is used


def ngram_section(data: ReportData, options: Options) -> Section | None:
    """List n-grams, reading all rows once; None without tokens."""
    if not data.tokens:
        return None
    data = data.complete()
    min_count = 2 if len(data.rows) > MANY_ROWS else 1  # most n-grams of a text occur once
    blocks: list[Block] = [
        "An n-gram is over-produced if a hypothesis has it more often than each of its references, and missing if a "
        "reference has it more often. The numbers are sums over all segments."
    ]
    if min_count > 1:
        blocks.append("N-grams that occur only once are left out.")
    tally, sep = read_tally(data)
    if sep != " ":
        blocks.append(f"Some tokens contain a space, so the tokens of an n-gram are joined by {sep!r}.")
    groups = None if data.systems is None else row_groups(data.rows, data.systems)
    summary = summarize_ngrams(tally, groups, data.orders, min_count, sep, False, data.count.threads)
    if data.systems is None:
        blocks += fault_tables(summary, "", options.n_ngrams)
    for name in data.names:
        blocks += fault_tables(summary[summary.index == name], f"{format_table_cell(name)}: ", options.n_ngrams)
    if data.ids is not None:
        blocks += contrast_tables(data, tally, options, min_count, sep)
    return Section("N-grams", blocks)


def read_tally(data: ReportData) -> tuple[Tally, str]:
    """Return the n-grams of all rows, and a separator that no token contains."""
    tokens = read_report_tokens(data, data.rows)
    tally, has_surrogates = tally_rows([tokens], data.count.errors, data.count.threads)
    sep = next((one for one in SEPARATORS if not tally.holds(one)), " ")
    if has_surrogates or tally.holds(sep):
        raise ngram_text_error(tokens, sep)
    return tally, sep


def fault_tables(summary: pd.DataFrame, prefix: str, number: int) -> list[Table]:
    """Return the n-grams that are over-produced most often, and those that are missing most often."""
    tables = []
    for column, other in (("over_produced", "count"), ("missing", "clipped_count")):
        counts = summary[column].to_numpy(np.int64)
        # Sorting text is slow, so only n-grams that can be in the list are sorted.
        least = np.partition(counts, -number)[-number] if 0 < number < len(counts) else 1
        top = summary[counts >= max(least, 1)].sort_values(
            [column, "order", "ngram"], ascending=[False, False, True], kind="stable"
        )
        name = column.replace("_", "-")
        headers = {"ngram": f"{prefix}most {name}", column: name, "count": "in hypotheses", "clipped_count": "matched"}
        tables.append(frame_table(top.head(number)[["ngram", "order", column, other]], ["ngram"], headers))
    return tables


# ---- Two systems ----


def contrast_tables(data: ReportData, tally: Tally, options: Options, min_count: int, sep: str) -> list[Table]:
    """Return the n-grams that the baseline or another system matches more often, for every other system."""
    paired = data.paired()
    baseline = baseline_position(paired.names, options.baseline, "report")
    tables = []
    for system, name in enumerate(paired.names):
        if system != baseline:
            rows = paired.positions[[baseline, system]]
            contrasts = read_contrasts(data, tally, rows, paired.ids.tolist(), options, min_count, sep)
            tables += pair_tables(contrasts, paired.names[baseline], name, options.n_ngrams)
    return tables


def read_contrasts(
    data: ReportData, tally: Tally, rows: Any, ids: list[Any], options: Options, min_count: int, sep: str
) -> pd.DataFrame:
    """Return the first and the last rows of `ngram_differences` of two systems."""
    totals = [data.components.iloc[positions].sum().to_numpy(np.int64) for positions in rows]
    return contrasts_frame(
        tally.contrasts(rows, data.orders, min_count, sep, EXAMPLES, data.count.threads),
        totals=[Sums.of_rows(pd.RangeIndex(1), total[:, np.newaxis]) for total in totals],
        ids=ids,
        settings=data.settings,
        rank="ratio",
        examples=EXAMPLES,
        nullable=False,
        most=options.n_ngrams,
    )


def pair_tables(contrasts: pd.DataFrame, baseline: Any, system: Any, number: int) -> list[Table]:
    """Return the n-grams that one of two systems matches more often, for each of the two."""
    tables = []
    for name, side, rows in (
        (system, "system_only", contrasts[contrasts["ratio"] > 0].head(number)),
        (baseline, "baseline_only", contrasts[contrasts["ratio"] < 0].tail(number).iloc[::-1]),
    ):
        columns = ["ngram", "order", side, "both", "neither", f"examples_{side}"]
        headers = {
            "ngram": f"matched more often by {format_table_cell(name)}",
            side: f"only {format_table_cell(name)}",
            f"examples_{side}": "example ids",
        }
        tables.append(frame_table(rows[columns], ["ngram"], headers))
    return tables
