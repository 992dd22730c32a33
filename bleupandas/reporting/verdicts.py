"""The summary of a report in sentences. Each number in them is also in a table of the report."""

from typing import Any, NamedTuple

import pandas as pd

from bleupandas.comparing import scores_differ
from bleupandas.explaining import explain
from bleupandas.reporting.blocks import Options
from bleupandas.reporting.report_data import ReportData
from bleupandas.reporting.tables import (
    format_interval,
    format_p_value,
    format_points,
    format_signed_points,
    format_table_cell,
)
from bleupandas.scoring import corpus

MOST_GROUPS = 3  # in one sentence
SMALLEST = 0.00005  # a smaller difference of scores rounds to 0.00

OVERALL = " overall, but "  # precedes the groups that differ from all rows


class GroupDifference(NamedTuple):
    """A significant difference of a pair of systems in one group."""

    key: str  # the name of the column of groups
    group: str
    row: Any  # of `compare(by=...)`


def verdict(data: ReportData, whole: pd.DataFrame | None, groups: list[pd.DataFrame], options: Options) -> list[str]:
    """Return sentences on how good the system is, or which one is better, how certain that is, and in which groups.

    Parameters
    ----------
    data : ReportData
    whole : DataFrame or None
        The result of `compare` on all rows; None if systems are not compared.
    groups : list of DataFrame
        The result of `compare` for each key of `data.by`.
    options : Options
    """
    if whole is None:
        return [*score_sentences(data), *range_sentences(data)]
    names = [format_table_cell(key.name) for key in data.by]
    first, second, third = [], [], []
    for row in whole.itertuples():
        reversals = find_reversals(row, dict(zip(names, groups, strict=True)), options.level)
        first.append(pair_sentence(row, options.level, format_reversals(reversals)))
        second += [
            f"By {reversal.key}, {pair_sentence(reversal.row, options.level, f' in {reversal.group}')}"
            for reversal in reversals[:MOST_GROUPS]
        ]
        third += [gap_sentence(row, name, frame) for name, frame in zip(names, groups, strict=True)]
    return [*first, *second, *filter(None, third)]


# ---- Systems that are not compared ----


def score_sentences(data: ReportData) -> list[str]:
    """Return a sentence on how good each system is."""
    keys = data.systems
    if keys is None:
        frame = corpus(data.components, **data.scoring).to_frame()
        prefixes = [""]
    else:
        frame = corpus(data.components, by=keys, sort=False, **data.scoring)
        prefixes = [f"{format_table_cell(name)}: " for name in frame.index]
    reasons = explain(frame, **data.scoring)["reason"]
    rows = zip(prefixes, frame["score"], frame["segments"].tolist(), reasons, strict=True)
    return [
        f"{prefix}BLEU is {format_points(score)} on {format_table_cell(n)} segments. {reason}"
        for prefix, score, n, reason in rows
    ]


def range_sentences(data: ReportData) -> list[str]:
    """Return a sentence on the groups with the lowest and the highest score, for each system."""
    sentences = []
    for key in data.by:
        if data.systems is None:
            tables = {"": corpus(data.components, by=key, **data.scoring)["score"]}
        else:
            scores = corpus(data.components, by=[key, data.systems], **data.scoring)["score"].unstack()
            tables = {f"{format_table_cell(name)}: ": scores[name] for name in data.names}
        for prefix, table in tables.items():
            groups = table.dropna().astype("float64")
            if len(groups) > 1:
                low, high = format_table_cell(groups.idxmin()), format_table_cell(groups.idxmax())
                sentences.append(
                    f"{prefix}By {format_table_cell(key.name)}, {low} scores lowest ({format_points(groups.min())}), "
                    f"{high} highest ({format_points(groups.max())})."
                )
    return sentences


# ---- Systems that are compared ----


def is_significant(row: Any, level: float) -> bool:
    """Return whether the difference is significant, and does not round to 0."""
    return bool(pd.notna(row.p_value) and row.p_corrected < 1 - level and abs(row.difference) >= SMALLEST)


def pair_sentence(row: Any, level: float, where: str = "") -> str:
    """Return a sentence on which of a pair is better; `where` follows the claim.

    The names are in the order of their scores: the better system first in a claim, otherwise the baseline first.
    """
    names, scores = (format_table_cell(row.baseline), format_table_cell(row.system)), (row.baseline_score, row.score)
    if pd.isna(row.p_value):
        return f"{names[0]} and {names[1]} cannot be compared{where}: too few segments have a readable row of both."
    if not scores_differ(row.difference, row.baseline_score, row.score):
        return f"No difference between {names[0]} and {names[1]}{where}: BLEU {format_points(row.score)} for both."
    significant, has_exceptions = is_significant(row, level), where.startswith(OVERALL)
    first, second = (1, 0) if significant and row.difference > 0 else (0, 1)
    certainty = (
        f"a difference of {format_signed_points(row.difference)} for {names[1]}, {100 * level:g} % confidence interval "
        f"{format_interval(row.difference_low, row.difference_high, format_signed_points)}, "
        f"p {format_relation(row.p_corrected)}"
    )
    # After the exceptions named another system, each score has its name.
    owners = [f" for {name}" if has_exceptions else "" for name in names]
    values = (
        f"BLEU {format_points(scores[first])}{owners[first]} against {format_points(scores[second])}{owners[second]} "
        f"({certainty})."
    )
    if significant and contains_zero(row):
        conjunction = "and" if has_exceptions else "but"
        doubt = f", {conjunction} the confidence interval contains 0"
        return f"{names[first]} may be better than {names[second]}{where}{doubt}: {values}"
    if significant:
        return f"{names[first]} is better than {names[second]}{where}: {values}"
    if abs(row.difference) < SMALLEST:
        return f"{names[0]} and {names[1]} differ by less than 0.005 BLEU{where}: {values}"
    return f"No significant difference between {names[0]} and {names[1]}{where}: {values}"


def contains_zero(row: Any) -> bool:
    """Return whether the interval contains 0, as it may for significant differences of few segments."""
    return bool(row.difference_low <= 0 <= row.difference_high)


def format_relation(p: float) -> str:
    """Return a p-value with "=" or "<"."""
    text = format_p_value(p)
    return text if text.startswith("<") else f"= {text}"


def select_pair(frame: pd.DataFrame, row: Any) -> pd.DataFrame:
    """Return the rows of the pair of systems of `row`; a system's name may be a tuple."""
    pairs = zip(frame["baseline"].tolist(), frame["system"].tolist(), strict=True)
    return frame[[pair == (row.baseline, row.system) for pair in pairs]]


def find_reversals(row: Any, groups: dict[str, pd.DataFrame], level: float) -> list[GroupDifference]:
    """Return the groups with a significant difference that all rows do not have, the largest difference first."""
    reversals = []
    for key, frame in groups.items():
        pairs = select_pair(frame, row)
        for group, one in zip(pairs.index, pairs.itertuples(index=False), strict=True):
            agrees = is_significant(row, level) and row.difference * one.difference > 0
            if is_significant(one, level) and not agrees:
                reversals.append(GroupDifference(key, format_table_cell(group), one))
    return sorted(reversals, key=lambda reversal: -abs(reversal.row.difference))


def format_reversals(reversals: list[GroupDifference]) -> str:
    """Return the end of a sentence that names the groups of `find_reversals`, by the system that is better there.

    The order is that of the largest difference. With several keys a group has the name of its key.
    """
    keys = {reversal.key for reversal in reversals}
    groups: dict[tuple[str, bool], list[str]] = {}
    for reversal in reversals:
        winner = format_table_cell(reversal.row.system if reversal.row.difference > 0 else reversal.row.baseline)
        name = reversal.group if len(keys) == 1 else f"{reversal.group} ({reversal.key})"
        groups.setdefault((winner, contains_zero(reversal.row)), []).append(name)
    texts = []
    for (winner, doubtful), names in groups.items():
        more = [f"{len(names) - MOST_GROUPS} more"] if len(names) > MOST_GROUPS else []
        *most, last = names[:MOST_GROUPS] + more
        where = f"{', '.join(most)} and {last}" if most else last
        texts.append(f"{winner} {'may be' if doubtful else 'is'} better in {where}")
    return f"{OVERALL}{', and '.join(texts)}" if texts else ""


def gap_sentence(row: Any, key: str, frame: pd.DataFrame) -> str:
    """Return a sentence on the groups in which a pair differs most and least; "" if all differences are alike."""
    gaps = select_pair(frame, row)["difference"].dropna().astype("float64")
    sizes = gaps.abs().to_numpy()
    if len(gaps) < 2 or sizes.max() - sizes.min() < SMALLEST:
        return ""
    most, least = (
        f"{format_table_cell(gaps.index[at])} ({format_signed_points(gaps.iloc[at])})"
        for at in map(int, (sizes.argmax(), sizes.argmin()))
    )
    pair = f"{format_table_cell(row.system)} and {format_table_cell(row.baseline)}"
    return f"By {key}, {pair} differ most in {most} and least in {least}."
