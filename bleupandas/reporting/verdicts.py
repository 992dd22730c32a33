"""What a reader should take home, in sentences; every number stands in a table of the report too."""

from typing import Any

import pandas as pd

from bleupandas.diagnosing import explain
from bleupandas.reporting.material import Material
from bleupandas.reporting.sections import Options
from bleupandas.reporting.tables import ends, p_value, plain, points, signed
from bleupandas.scoring import corpus


def verdict(material: Material, whole: pd.DataFrame | None, options: Options) -> list[str]:
    """Say how good the system is, or which one is better, how sure that is, and where."""
    if whole is None:
        return [*alone(material), *extremes(material)]
    sentences = [better(row, options.level) for row in whole.itertuples()]
    return sentences + places(material, whole)


def alone(material: Material) -> list[str]:
    """Say how good each system is by itself."""
    keys = material.systems
    if keys is None:
        frame = corpus(material.counts, **material.scoring).to_frame()
        told = [""]
    else:
        frame = corpus(material.counts, by=keys, sort=False, **material.scoring)
        told = [f"{plain(name)}: " for name in frame.index]
    reasons = explain(frame, **material.scoring)["reason"]
    rows = zip(told, frame["score"], frame["segments"].tolist(), reasons, strict=True)
    return [f"{name}BLEU is {points(score)} on {plain(n)} segments. {reason}" for name, score, n, reason in rows]


def extremes(material: Material) -> list[str]:
    """Say which groups score highest and lowest."""
    sentences = []
    for key in material.by:
        groups = corpus(material.counts, by=key, **material.scoring)["score"].dropna().astype("float64")
        if len(groups) > 1:
            low, high = groups.idxmin(), groups.idxmax()
            ends = (
                f"{plain(low)} scores lowest ({points(groups.min())}), {plain(high)} highest ({points(groups.max())})"
            )
            sentences.append(f"By {plain(key.name)}, {ends}.")
    return sentences


def better(row: Any, level: float) -> str:
    """Say which of a pair is better."""
    names, scores = (plain(row.baseline), plain(row.system)), (row.baseline_score, row.score)
    if pd.isna(row.p_value):
        return f"{names[0]} and {names[1]} cannot be compared: there are too few segments that both have."
    first, second = (0, 1) if row.difference <= 0 else (1, 0)
    values = f"BLEU {points(scores[first])} against {points(scores[second])}"
    sure = (
        f"a difference of {signed(row.difference)} for {names[1]}, {100 * level:g} % interval "
        f"{ends(row.difference_low, row.difference_high, signed)}, p {equals(row.p_corrected)}"
    )
    if row.p_corrected < 1 - level:
        if row.difference_low <= 0 <= row.difference_high:  # of few segments the two may differ
            return f"{names[first]} may be better than {names[second]}, but the interval holds 0: {values} ({sure})."
        return f"{names[first]} is better than {names[second]}: {values} ({sure})."
    return f"No significant difference between {names[0]} and {names[1]}: {values} ({sure})."


def equals(p: float) -> str:
    """Give a p-value with its sign."""
    told = p_value(p)
    return told if told.startswith("<") else f"= {told}"


def places(material: Material, whole: pd.DataFrame) -> list[str]:
    """Say in which groups the difference of each pair is largest and smallest."""
    sentences = []
    for key in material.by:
        table = corpus(material.counts, by=[key, material.systems], **material.scoring)["score"].unstack()
        for baseline, system in zip(whole["baseline"], whole["system"], strict=True):
            gaps = (table[system] - table[baseline]).dropna().astype("float64")
            if len(gaps) > 1:
                most, least = gaps.abs().idxmax(), gaps.abs().idxmin()
                sentences.append(
                    f"By {plain(key.name)}, {plain(system)} and {plain(baseline)} differ most in {plain(most)} "
                    f"({signed(gaps[most])}) and least in {plain(least)} ({signed(gaps[least])})."
                )
    return sentences
