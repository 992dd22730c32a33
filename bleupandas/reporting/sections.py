"""The sections of a report: each a question of its reader, answered by tables, charts and segments."""

import importlib.metadata
import platform
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from bleupandas.auditing import audit
from bleupandas.comparing import buckets, compare, scores_differ, waterfall
from bleupandas.reporting.charts import bar_chart, interval_chart
from bleupandas.reporting.report_data import ReportData
from bleupandas.reporting.tables import (
    Table,
    format_cell,
    format_interval,
    format_p_value,
    format_score,
    format_signed,
    to_table,
)
from bleupandas.scoring import corpus, signature

MANY = 20_000  # rows from which a report leaves out what would take much longer than counting; it says so
AUDITED_ROWS = 10_000  # of many rows
BUCKET_RESAMPLES = 300  # enough for the ends of an interval that is only looked at; of many rows it is narrow


class Graphic(str):
    """Safe HTML: charts and segments. Markdown leaves it out."""


Block = str | Table | Graphic


class Section(NamedTuple):
    """A part of the report."""

    title: str
    blocks: list[Block]

    @property
    def is_graphic(self) -> bool:
        """Whether the section has pictures and no tables, so that Markdown leaves it out."""
        kinds = [type(block) for block in self.blocks]
        return Graphic in kinds and Table not in kinds


class Options(NamedTuple):
    """The options of a report."""

    baseline: Any
    n_resamples: int
    seed: int
    level: float
    n_segments: int
    n_ngrams: int


# ---- What was measured ----


def settings_section(data: ReportData) -> Section:
    """Return the settings and versions behind the numbers."""
    numbers = data.references
    nrefs = None if not numbers else min(numbers) if len(numbers) == 1 else "var"
    facts = {
        "rows": format_cell(len(data.rows)),
        "systems": ", ".join(map(format_cell, data.names)) or "one",
        "references": "not known, only components are" if numbers is None else format_range(sorted(numbers)),
        "not readable, left out": format_cell(data.missing),
        **({"left out with them, to pair": format_cell(data.unpaired)} if data.unpaired else {}),
        "signature": signature(data.settings, nrefs),
        "versions": f"bleupandas {importlib.metadata.version('bleupandas')}, pandas {pd.__version__}, "
        f"Python {platform.python_version()}",
    }
    return Section("What was measured", [Table(["", ""], [list(fact) for fact in facts.items()], 2)])


def format_range(numbers: list[int]) -> str:
    """Return the number of references of a row as text."""
    if len(numbers) < 2:
        return f"{numbers[0]} a row" if numbers else "none"
    return f"{numbers[0]} to {numbers[-1]} a row"


# ---- Audit ----


def audit_section(data: ReportData) -> Section | None:
    """Return what `audit` finds in the input."""
    if not data.tokens:
        return None
    rows, systems, ids, blocks = data.rows, data.systems, data.ids, []
    if len(rows) > MANY:
        number = np.arange(len(rows)) if systems is None else systems.groupby(systems).cumcount().to_numpy()
        some = number < AUDITED_ROWS // max(len(data.names), 1)
        rows, labels = rows[some], [data.labels[at] for at in np.flatnonzero(some).tolist()]
        systems, ids = (None if key is None else key[some] for key in (systems, ids))
        blocks.append(f"Of the first {len(rows):,} of {len(data.rows):,} rows; `audit` checks all.")
    else:
        labels = data.labels
    rows = rows.set_axis(pd.RangeIndex(len(rows)))
    keys: Any = {name: None if key is None else key.array for name, key in (("system", systems), ("id", ids))}
    found = audit(rows, threads=data.threads, **keys, **data.tokens)
    if found.empty:
        return Section("Audit", [*blocks, "No problem was found that makes the scores doubtful."])
    found = found.assign(
        severity=found["severity"].astype(object),
        share=[f"{100 * share:.1f} %" for share in found["share"]],
        examples=[", ".join(format_cell(labels[at]) for at in few) for few in found["examples"]],
    )
    order = ["check", "severity", "what_to_do"]
    return Section("Audit", [*blocks, to_table(found, order, {"what_to_do": "what to do"})])


# ---- Scores ----


def score_section(data: ReportData) -> Section:
    """Score systems, and each group."""
    blocks: list[Block] = []
    if data.systems is None:
        blocks.append(group_score_table(corpus(data.counts, **data.scoring).to_frame(), ["all rows"], ""))
    else:
        total = corpus(data.counts, by=data.systems, sort=False, **data.scoring)
        blocks.append(group_score_table(total, total.index.tolist(), "system"))
    for key in data.by:
        keys = key if data.systems is None else [key, data.systems]
        groups = corpus(data.counts, by=keys, **data.scoring)
        blocks.append(group_score_table(groups, groups.index.tolist(), format_cell(key.name)))
    return Section("Scores", blocks)


def group_score_table(frame: pd.DataFrame, labels: list[Any], name: str) -> Table:
    """Return the result of `corpus` as a table."""
    orders = [column for column in frame.columns if str(column).startswith("precision_")]
    shown = {name: [format_cell(label) for label in labels], "BLEU": frame["score"].map(format_score).to_list()}
    for column in orders:
        shown[f"p{column[10:]}"] = ["–" if pd.isna(p) else f"{100 * p:.1f}" for p in frame[column]]
    shown["brevity penalty"] = [format_cell(float(penalty)) for penalty in frame["brevity_penalty"]]
    shown["length ratio"] = [format_cell(float(ratio)) for ratio in frame["length_ratio"]]
    shown["segments"] = [format_cell(n) for n in frame["segments"].tolist()]
    return to_table(pd.DataFrame(shown), [name])


# ---- Comparison ----


def compare_groups(data: ReportData, options: Options, by: Any = None) -> pd.DataFrame:
    """Compare the systems on all rows, or on each group."""
    return compare(
        data.counts,
        system=data.systems,
        id=data.ids,
        baseline=options.baseline,
        by=by,
        n_resamples=options.n_resamples,
        seed=options.seed,
        level=options.level,
        errors=data.errors,
        threads=data.threads,
        progress=False,
        **data.scoring,
    )


def comparison_section(data: ReportData, whole: pd.DataFrame, groups: list[pd.DataFrame], options: Options) -> Section:
    """Show which system is better, on all rows and in each group, and how sure that is."""
    percent = f"{100 * options.level:g} %"
    how = (
        f"Paired bootstrap (Koehn 2004), {options.n_resamples:,} resamples, seed {options.seed}; {percent} bootstrap "
        "confidence intervals; p-values corrected by Holm's method for the tests of a table."
    )
    if data.unpaired:
        how += " A segment counts only where the rows of all systems can be read, in all tables of this report."
    blocks: list[Block] = [how, *difference_blocks(whole, [], "all rows")]
    for key, frame in zip(data.by, groups, strict=True):
        blocks += difference_blocks(frame, [key.name], format_cell(key.name))
    return Section("Which system is better", blocks)


def difference_blocks(frame: pd.DataFrame, levels: list[Any], title: str) -> list[Block]:
    """Return a chart and a table of compared pairs."""
    group = [format_cell(label) for label in frame.index] if levels else [""] * len(frame)
    pairs = [f"{format_cell(b)} → {format_cell(a)}" for b, a in zip(frame["baseline"], frame["system"], strict=True)]
    labels = [
        f"{g} {pair}".strip() if frame["system"].nunique() > 1 or not levels else g
        for g, pair in zip(group, pairs, strict=True)
    ]
    columns = [
        (100 * frame[name]).astype("float64").tolist() for name in ("difference", "difference_low", "difference_high")
    ]
    shown = pd.DataFrame({title: labels} if levels else {"systems": pairs})
    shown["baseline"] = frame["baseline_score"].map(format_score).to_list()
    shown["system"] = frame["score"].map(format_score).to_list()
    shown["difference"] = frame["difference"].map(format_signed).to_list()
    shown["interval"] = [
        format_interval(low, high, format_signed)
        for low, high in zip(frame["difference_low"], frame["difference_high"], strict=True)
    ]
    # sacreBLEU's p-value of a difference of 0 is the smallest possible: it would look significant.
    unequal = scores_differ(frame["difference"], frame["baseline_score"], frame["score"])
    shown["p"] = frame["p_corrected"].where(unequal | (frame["p_corrected"] == 1)).map(format_p_value).to_list()
    shown["segments"] = frame["segments"].tolist()
    chart = Graphic(interval_chart(labels, *columns, title=f"Difference of BLEU, {title}"))
    return [chart, to_table(shown, [shown.columns[0]])]


# ---- Where it goes ----


def factor_section(data: ReportData, options: Options) -> Section:
    """Split log BLEU, or the difference of two systems, into its factors."""
    blocks: list[Block] = [
        "log BLEU is a sum, so a score or a difference splits exactly into these parts: brevity penalty and orders."
    ]
    keys: Any = {}
    if data.ids is not None:
        keys = {"system": data.systems, "id": data.ids, "baseline": options.baseline}
    try:
        frame = waterfall(data.counts, errors=data.errors, **keys, **data.scoring)
    except ValueError as error:  # a score of 0 has no logarithm; the message says which factor makes it 0
        return Section("Where the score goes", [str(error)])
    parts = [("log BLEU", frame)]
    if keys:
        pairs = frame.groupby(["baseline", "system"], sort=False)
        parts = [(f"log BLEU of {format_cell(a)} minus that of {format_cell(b)}", part) for (b, a), part in pairs]
    for title, part in parts:
        shown = part.drop(columns=["baseline", "system"], errors="ignore")
        names = [name.replace("_", " ") for name in shown["factor"]]
        values = shown["contribution"].astype("float64").tolist()
        blocks += [
            title + ":",
            Graphic(bar_chart(names, values, title)),
            to_table(shown.assign(factor=names), ["factor"], {"baseline_value": "baseline"}),
        ]
    return Section("Where the difference lies" if keys else "Where the score goes", blocks)


# ---- Buckets ----


def bucket_section(data: ReportData, options: Options) -> Section:
    """Score rows by the length of their reference."""
    keys: Any = {"baseline": options.baseline} if data.ids is not None else {}
    if data.systems is not None:
        keys |= {"system": data.systems, "id": data.ids}
    frame = buckets(
        data.counts,
        of="reference_length",
        n_resamples=min(options.n_resamples, BUCKET_RESAMPLES if len(data.rows) <= MANY else BUCKET_RESAMPLES // 3),
        seed=options.seed,
        level=options.level,
        errors=data.errors,
        progress=False,
        **keys,
        **data.scoring,
    )
    frame = frame[frame["segments"] > 0]  # rows that cannot be read have no length
    by_system = data.systems is not None
    keys_shown = [key if by_system else (key,) for key in frame.index]
    rows = [
        [
            format_score(row["score"]),
            format_interval(row["score_low"], row["score_high"], format_score),
            format_cell(row["brevity_penalty"]),
            format_cell(row["segments"]),
        ]
        for row in frame.to_dict("records")
    ]
    texts = ["tokens of the reference", *["system"] * by_system]
    names = [*texts, "BLEU", "interval", "brevity penalty", "segments"]
    shown = Table(
        names, [[*map(format_cell, key), *row] for key, row in zip(keys_shown, rows, strict=True)], len(texts)
    )
    labels = [" ".join(map(format_cell, key)) for key in keys_shown]
    chart = interval_chart(
        labels, *((100 * frame[name]).astype("float64").tolist() for name in ("score", "score_low", "score_high")),
        title="BLEU by the length of the reference",
    )  # fmt: skip
    return Section("By length", [Graphic(chart), shown])
