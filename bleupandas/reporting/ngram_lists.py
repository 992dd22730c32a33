"""The section of a report that lists n-grams: over-produced, missing, and matched by one system and not by another."""

from typing import Any

import numpy as np
import pandas as pd

from bleupandas.common import check_errors, check_threads
from bleupandas.comparing import PairedRows, baseline_position, contrasts_frame, pair_rows
from bleupandas.counting import Sums, ngram_text_error, summarize_ngrams, tally_rows
from bleupandas.engine import Tally
from bleupandas.reading import row_groups, token_columns
from bleupandas.reporting.material import Material
from bleupandas.reporting.sections import MANY, Block, Options, Section
from bleupandas.reporting.tables import plain, table_of

EXAMPLES = 3
SEPARATORS = " ·␣|¦"  # the first that no token holds


def ngram_lists(material: Material, options: Options) -> Section | None:
    """List the n-grams that are said too often, and those that are missing; all rows are read once."""
    if not material.tokens:
        return None
    material = material.counted()
    least = 2 if len(material.rows) > MANY else 1  # most n-grams of a text occur once
    left_out = " N-grams that occur once are left out." if least > 1 else ""
    blocks: list[Block] = [
        f"Over all segments; an n-gram is over-produced where no reference has it as often.{left_out}"
    ]
    tokens = token_columns(material.rows, needs="report", **material.tokens)
    threads = check_threads(material.threads)
    tally, unwritable = tally_rows([tokens], check_errors(material.errors), threads)
    sep = next((one for one in SEPARATORS if not tally.holds(one)), " ")
    if unwritable or tally.holds(sep):
        raise ngram_text_error(tokens, sep)
    if sep != " ":
        blocks.append(f"Some token holds a space: the tokens of an n-gram are joined by {sep!r}.")
    groups = None if material.systems is None else row_groups(material.rows, material.systems)
    summary = summarize_ngrams(tally, groups, orders_of(material), least, sep, False, threads)
    if material.systems is None:
        blocks += top_ngrams(summary, "", options.n_ngrams)
    for name in material.names:
        blocks += top_ngrams(summary[summary.index == name], f"{plain(name)}: ", options.n_ngrams)
    if material.systems is not None and material.ids is not None:
        systems, ids = (pd.Index(key.array, tupleize_cols=False) for key in (material.systems, material.ids))
        paired = pair_rows(systems, ids, material.rows.index)
        first = baseline_position(paired.names, options.baseline, "report")
        for at in range(len(paired.names)):
            if at != first:
                found = differences(material, tally, paired, [first, at], options, least, sep, threads)
                blocks += ngrams_apart(found, paired.names[first], paired.names[at], options.n_ngrams)
    return Section("Which n-grams", blocks)


def orders_of(material: Material) -> list[int]:
    """Give the orders that are scored."""
    return list(range(1, material.settings.max_order + 1))


def differences(
    material: Material,
    tally: Tally,
    paired: PairedRows,
    pair: list[int],
    options: Options,
    least: int,
    sep: str,
    threads: int,
) -> pd.DataFrame:
    """Give the first and last rows of what `ngram_differences` gives."""
    unread = material.counts.isna().any(axis=1).to_numpy()
    kept = np.flatnonzero(~unread[paired.positions[pair]].any(axis=0))
    rows = paired.positions[pair][:, kept]
    found = tally.contrasts(rows, orders_of(material), least, sep, EXAMPLES, threads)
    totals = [material.counts.iloc[positions].sum().to_numpy(np.int64) for positions in rows]
    return contrasts_frame(
        found,
        totals=[Sums.of_rows(pd.RangeIndex(1), total[:, np.newaxis]) for total in totals],
        ids=paired.ids[kept].tolist(),
        settings=material.settings,
        rank="ratio",
        examples=EXAMPLES,
        nullable=False,
        most=options.n_ngrams,
    )


def ngrams_apart(found: pd.DataFrame, first: Any, second: Any, number: int) -> list[Block]:
    """Give the n-grams that one of two systems matches more often."""
    blocks: list[Block] = []
    for name, side, part in (
        (second, "system_only", found[found["ratio"] > 0].head(number)),
        (first, "baseline_only", found[found["ratio"] < 0].tail(number).iloc[::-1]),
    ):
        columns = ["ngram", "order", side, "both", "neither", f"examples_{side}"]
        headers = {"ngram": f"matched more by {plain(name)}", side: "only", f"examples_{side}": "such as"}
        blocks.append(table_of(part[columns], ["ngram"], headers))
    return blocks


def top_ngrams(summary: pd.DataFrame, of: str, number: int) -> list[Block]:
    """Give the n-grams of a system that are most over-produced, and most missing."""
    blocks: list[Block] = []
    for column, other in (("over_produced", "count"), ("missing", "clipped_count")):
        counts = summary[column].to_numpy(np.int64)
        least = np.partition(counts, -number)[-number] if 0 < number < len(counts) else 1  # text is slow to sort
        top = summary[counts >= max(least, 1)].sort_values(
            [column, "order", "ngram"], ascending=[False, False, True], kind="stable"
        )
        words = column.replace("_", "-")
        headers = {"ngram": f"{of}most {words}", column: words, "clipped_count": "matched"}
        blocks.append(table_of(top.head(number)[["ngram", "order", column, other]], ["ngram"], headers))
    return blocks
