"""The section of a report that lists n-grams: over-produced, missing, and matched by one system and not by another."""

from typing import Any

import numpy as np
import pandas as pd

from bleupandas.common import check_errors, check_threads
from bleupandas.comparing import PairedRows, baseline_position, contrasts_frame, pair_rows
from bleupandas.counting import Sums, ngram_text_error, summarize_ngrams, tally_rows
from bleupandas.engine import Tally
from bleupandas.reading import row_groups, token_columns
from bleupandas.reporting.report_data import ReportData
from bleupandas.reporting.sections import MANY, Block, Options, Section
from bleupandas.reporting.tables import format_cell, to_table

EXAMPLES = 3
SEPARATORS = " ·␣|¦"  # the first that no token holds


def ngram_section(data: ReportData, options: Options) -> Section | None:
    """List the n-grams that are said too often, and those that are missing; all rows are read once."""
    if not data.tokens:
        return None
    data = data.readable()
    least = 2 if len(data.rows) > MANY else 1  # most n-grams of a text occur once
    left_out = " N-grams that occur once are left out." if least > 1 else ""
    blocks: list[Block] = [
        f"Over all segments; an n-gram is over-produced where no reference has it as often.{left_out}"
    ]
    tokens = token_columns(data.rows, needs="report", **data.tokens)
    threads = check_threads(data.threads)
    tally, unwritable = tally_rows([tokens], check_errors(data.errors), threads)
    sep = next((one for one in SEPARATORS if not tally.holds(one)), " ")
    if unwritable or tally.holds(sep):
        raise ngram_text_error(tokens, sep)
    if sep != " ":
        blocks.append(f"Some token holds a space: the tokens of an n-gram are joined by {sep!r}.")
    groups = None if data.systems is None else row_groups(data.rows, data.systems)
    summary = summarize_ngrams(tally, groups, list_orders(data), least, sep, False, threads)
    if data.systems is None:
        blocks += top_ngrams(summary, "", options.n_ngrams)
    for name in data.names:
        blocks += top_ngrams(summary[summary.index == name], f"{format_cell(name)}: ", options.n_ngrams)
    if data.systems is not None and data.ids is not None:
        systems, ids = (pd.Index(key.array, tupleize_cols=False) for key in (data.systems, data.ids))
        paired = pair_rows(systems, ids, data.rows.index)
        first = baseline_position(paired.names, options.baseline, "report")
        for at in range(len(paired.names)):
            if at != first:
                found = list_differences(data, tally, paired, [first, at], options, least, sep, threads)
                blocks += difference_tables(found, paired.names[first], paired.names[at], options.n_ngrams)
    return Section("Which n-grams", blocks)


def list_orders(data: ReportData) -> list[int]:
    """Return the orders of the score."""
    return list(range(1, data.settings.max_order + 1))


def list_differences(
    data: ReportData,
    tally: Tally,
    paired: PairedRows,
    pair: list[int],
    options: Options,
    least: int,
    sep: str,
    threads: int,
) -> pd.DataFrame:
    """Return the first and last rows of the result of `ngram_differences`."""
    unread = data.counts.isna().any(axis=1).to_numpy()
    kept = np.flatnonzero(~unread[paired.positions[pair]].any(axis=0))
    rows = paired.positions[pair][:, kept]
    found = tally.contrasts(rows, list_orders(data), least, sep, EXAMPLES, threads)
    totals = [data.counts.iloc[positions].sum().to_numpy(np.int64) for positions in rows]
    return contrasts_frame(
        found,
        totals=[Sums.of_rows(pd.RangeIndex(1), total[:, np.newaxis]) for total in totals],
        ids=paired.ids[kept].tolist(),
        settings=data.settings,
        rank="ratio",
        examples=EXAMPLES,
        nullable=False,
        most=options.n_ngrams,
    )


def difference_tables(found: pd.DataFrame, first: Any, second: Any, number: int) -> list[Block]:
    """Return tables of the n-grams that one of two systems matches more often."""
    blocks: list[Block] = []
    for name, side, part in (
        (second, "system_only", found[found["ratio"] > 0].head(number)),
        (first, "baseline_only", found[found["ratio"] < 0].tail(number).iloc[::-1]),
    ):
        columns = ["ngram", "order", side, "both", "neither", f"examples_{side}"]
        headers = {"ngram": f"matched more by {format_cell(name)}", side: "only", f"examples_{side}": "such as"}
        blocks.append(to_table(part[columns], ["ngram"], headers))
    return blocks


def top_ngrams(summary: pd.DataFrame, of: str, number: int) -> list[Block]:
    """Return tables of the n-grams that a system over-produces most, and that it lacks most."""
    blocks: list[Block] = []
    for column, other in (("over_produced", "count"), ("missing", "clipped_count")):
        counts = summary[column].to_numpy(np.int64)
        least = np.partition(counts, -number)[-number] if 0 < number < len(counts) else 1  # text is slow to sort
        top = summary[counts >= max(least, 1)].sort_values(
            [column, "order", "ngram"], ascending=[False, False, True], kind="stable"
        )
        words = column.replace("_", "-")
        headers = {"ngram": f"{of}most {words}", column: words, "clipped_count": "matched"}
        blocks.append(to_table(top.head(number)[["ngram", "order", column, other]], ["ngram"], headers))
    return blocks
