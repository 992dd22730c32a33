"""The first sentences of a report. Each number in them is also in a table of the report."""

from typing import Any, NamedTuple

import pandas as pd

from bleupandas.comparing import scores_differ
from bleupandas.explaining import explain
from bleupandas.reporting.report_data import ReportData
from bleupandas.reporting.sections import Options
from bleupandas.reporting.tables import format_cell, format_interval, format_p_value, format_score, format_signed
from bleupandas.scoring import corpus

FEW = 3  # how many groups a sentence names
SMALLEST = 0.00005  # a difference of scores below this is shown as 0.00

OVERALL = " overall, but "  # what comes before the groups that say otherwise


class SignificantGroup(NamedTuple):
    """A significant difference of a pair of systems in one group."""

    key: str  # what the rows are grouped by
    group: str
    row: Any  # of `compare(by=...)`


def summarize(data: ReportData, whole: pd.DataFrame | None, groups: list[pd.DataFrame], options: Options) -> list[str]:
    """Return sentences on how good the system is, or which one is better, how sure that is, and where.

    Parameters
    ----------
    data : ReportData
    whole : DataFrame or None
        The result of `compare` on all rows; None where nothing is compared.
    groups : list of DataFrame
        The result of `compare` for each key of `data.by`.
    options : Options
    """
    if whole is None:
        return [*alone(data), *extremes(data)]
    names = [format_cell(key.name) for key in data.by]
    first, second, third = [], [], []
    for row in whole.itertuples():
        against = reversals(row, dict(zip(names, groups, strict=True)), options.level)
        first.append(better(row, options.level, exceptions(against, options.level)))
        second += [
            f"By {found.key}, {better(found.row, options.level, f' in {found.group}')}" for found in against[:FEW]
        ]
        third += [places(row, name, frame) for name, frame in zip(names, groups, strict=True)]
    return [*first, *second, *filter(None, third)]


# ---- Systems that are not compared ----


def alone(data: ReportData) -> list[str]:
    """Return a sentence on how good each system is by itself."""
    keys = data.systems
    if keys is None:
        frame = corpus(data.counts, **data.scoring).to_frame()
        prefixes = [""]
    else:
        frame = corpus(data.counts, by=keys, sort=False, **data.scoring)
        prefixes = [f"{format_cell(name)}: " for name in frame.index]
    reasons = explain(frame, **data.scoring)["reason"]
    rows = zip(prefixes, frame["score"], frame["segments"].tolist(), reasons, strict=True)
    return [
        f"{name}BLEU is {format_score(score)} on {format_cell(n)} segments. {reason}" for name, score, n, reason in rows
    ]


def extremes(data: ReportData) -> list[str]:
    """Return a sentence on which groups score highest and lowest, for each system."""
    sentences = []
    for key in data.by:
        if data.systems is None:
            tables = {"": corpus(data.counts, by=key, **data.scoring)["score"]}
        else:
            scores = corpus(data.counts, by=[key, data.systems], **data.scoring)["score"].unstack()
            tables = {f"{format_cell(name)}: ": scores[name] for name in data.names}
        for prefix, table in tables.items():
            groups = table.dropna().astype("float64")
            if len(groups) > 1:
                low, high = groups.idxmin(), groups.idxmax()
                lowest = f"{format_cell(low)} scores lowest ({format_score(groups.min())})"
                highest = f"{format_cell(high)} highest ({format_score(groups.max())})"
                sentences.append(f"{prefix}By {format_cell(key.name)}, {lowest}, {highest}.")
    return sentences


# ---- Systems that are compared ----


def is_significant(row: Any, level: float) -> bool:
    """Return whether the difference is significant, and large enough not to be shown as 0."""
    return bool(pd.notna(row.p_value) and row.p_corrected < 1 - level and abs(row.difference) >= SMALLEST)


def better(row: Any, level: float, where: str = "") -> str:
    """Return a sentence on which of a pair is better; `where` follows what it claims.

    The names come in the order of their scores: the better system first in a claim, otherwise the baseline first.
    """
    names, scores = (format_cell(row.baseline), format_cell(row.system)), (row.baseline_score, row.score)
    if pd.isna(row.p_value):
        return f"{names[0]} and {names[1]} cannot be compared{where}: there are too few segments that both have."
    if not scores_differ(row.difference, row.baseline_score, row.score):
        return f"No difference between {names[0]} and {names[1]}{where}: BLEU {format_score(row.score)} for both."
    claim, excepted = is_significant(row, level), where.startswith(OVERALL)
    first, second = (1, 0) if claim and row.difference > 0 else (0, 1)
    sure = (
        f"a difference of {format_signed(row.difference)} for {names[1]}, {100 * level:g} % interval "
        f"{format_interval(row.difference_low, row.difference_high, format_signed)}, p {equals(row.p_corrected)}"
    )
    of = [f" for {name}" if excepted else "" for name in names]  # whose, after another system was named
    values = (
        f"BLEU {format_score(scores[first])}{of[first]} against {format_score(scores[second])}{of[second]} ({sure})."
    )
    if claim and holds_zero(row):
        doubt = ", and the interval holds 0" if excepted else ", but the interval holds 0"
        return f"{names[first]} may be better than {names[second]}{where}{doubt}: {values}"
    if claim:
        return f"{names[first]} is better than {names[second]}{where}: {values}"
    if abs(row.difference) < SMALLEST:
        return f"{names[0]} and {names[1]} differ by less than 0.005 BLEU{where}: {values}"
    return f"No significant difference between {names[0]} and {names[1]}{where}: {values}"


def holds_zero(row: Any) -> bool:
    """Return whether 0 is in the interval, which happens to significant differences of few segments."""
    return bool(row.difference_low <= 0 <= row.difference_high)


def equals(p: float) -> str:
    """Format a p-value with its relation."""
    text = format_p_value(p)
    return text if text.startswith("<") else f"= {text}"


def of_pair(frame: pd.DataFrame, row: Any) -> pd.DataFrame:
    """Return the rows of the pair of systems of `row`; a system's name may be a tuple."""
    pairs = zip(frame["baseline"].tolist(), frame["system"].tolist(), strict=True)
    return frame[[pair == (row.baseline, row.system) for pair in pairs]]


def reversals(row: Any, groups: dict[str, pd.DataFrame], level: float) -> list[SignificantGroup]:
    """Return the groups whose significant difference is not that of all rows, the largest difference first."""
    found = []
    for key, frame in groups.items():
        part = of_pair(frame, row)
        for group, one in zip(part.index, part.itertuples(index=False), strict=True):
            agrees = is_significant(row, level) and row.difference * one.difference > 0
            if is_significant(one, level) and not agrees:
                found.append(SignificantGroup(key, format_cell(group), one))
    return sorted(found, key=lambda claim: -abs(claim.row.difference))


def exceptions(found: list[SignificantGroup], level: float) -> str:
    """Return the part of a sentence that names the groups of `reversals`, by the system that is better there.

    The order is that of the largest difference. With several keys a group is named with its key.
    """
    keys = {claim.key for claim in found}
    places: dict[tuple[str, bool], list[str]] = {}
    for claim in found:
        winner = format_cell(claim.row.system if claim.row.difference > 0 else claim.row.baseline)
        name = claim.group if len(keys) == 1 else f"{claim.group} ({claim.key})"
        places.setdefault((winner, holds_zero(claim.row)), []).append(name)
    texts = []
    for (winner, doubtful), names in places.items():
        more = [f"{len(names) - FEW} more"] if len(names) > FEW else []
        *most, last = names[:FEW] + more
        where = f"{', '.join(most)} and {last}" if most else last
        texts.append(f"{winner} {'may be' if doubtful else 'is'} better in {where}")
    return f"{OVERALL}{', and '.join(texts)}" if texts else ""


def places(row: Any, key: str, frame: pd.DataFrame) -> str:
    """Return a sentence on the groups in which a pair differs most and least; "" where they are all alike."""
    gaps = of_pair(frame, row)["difference"].dropna().astype("float64")
    sizes = gaps.abs().to_numpy()
    if len(gaps) < 2 or sizes.max() - sizes.min() < SMALLEST:
        return ""
    most, least = (
        f"{format_cell(gaps.index[at])} ({format_signed(gaps.iloc[at])})"
        for at in map(int, (sizes.argmax(), sizes.argmin()))
    )
    pair = f"{format_cell(row.system)} and {format_cell(row.baseline)}"
    return f"By {key}, {pair} differ most in {most} and least in {least}."
