"""The sections of a report: each a question of its reader, answered by tables, charts and segments."""

import importlib.metadata
import platform
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from bleupandas.auditing import audit
from bleupandas.comparing import buckets, compare, scores_differ, waterfall
from bleupandas.reporting.charts import bar_chart, interval_chart
from bleupandas.reporting.material import Material
from bleupandas.reporting.tables import Table, ends, p_value, plain, points, signed, table_of
from bleupandas.scoring import corpus, signature

MANY = 20_000  # rows from which a report leaves out what would take much longer than counting; it says so
AUDITED_ROWS = 10_000  # of many rows
BUCKET_RESAMPLES = 300  # enough for the ends of an interval that is only looked at; of many rows it is narrow


class Drawn(str):
    """HTML that is safe as it stands: charts and segments. Markdown leaves it out."""


Block = str | Table | Drawn


class Section(NamedTuple):
    """A part of the report."""

    title: str
    blocks: list[Block]

    @property
    def drawn_only(self) -> bool:
        """Whether nothing but what stands around pictures would be left without them."""
        kinds = [type(block) for block in self.blocks]
        return Drawn in kinds and Table not in kinds


class Options(NamedTuple):
    """What a report is asked for."""

    baseline: Any
    n_resamples: int
    seed: int
    level: float
    n_segments: int
    n_ngrams: int


# ---- What was measured ----


def measured(material: Material) -> Section:
    """Say what stands behind the numbers."""
    numbers = material.references
    nrefs = None if not numbers else min(numbers) if len(numbers) == 1 else "var"
    facts = {
        "rows": plain(len(material.rows)),
        "systems": ", ".join(map(plain, material.names)) or "one",
        "references": "not known, only components are" if numbers is None else several(sorted(numbers)),
        "not readable, left out": plain(material.missing),
        **({"left out with them, to pair": plain(material.unpaired)} if material.unpaired else {}),
        "signature": signature(material.settings, nrefs),
        "versions": f"bleupandas {importlib.metadata.version('bleupandas')}, pandas {pd.__version__}, "
        f"Python {platform.python_version()}",
    }
    return Section("What was measured", [Table(["", ""], [list(fact) for fact in facts.items()], 2)])


def several(numbers: list[int]) -> str:
    """Say how many references rows have."""
    if len(numbers) < 2:
        return f"{numbers[0]} a row" if numbers else "none"
    return f"{numbers[0]} to {numbers[-1]} a row"


# ---- Audit ----


def audited(material: Material) -> Section | None:
    """Say what is wrong with the input."""
    if not material.tokens:
        return None
    rows, systems, ids, blocks = material.rows, material.systems, material.ids, []
    if len(rows) > MANY:
        number = np.arange(len(rows)) if systems is None else systems.groupby(systems).cumcount().to_numpy()
        some = number < AUDITED_ROWS // max(len(material.names), 1)
        rows, labels = rows[some], [material.labels[at] for at in np.flatnonzero(some).tolist()]
        systems, ids = (None if key is None else key[some] for key in (systems, ids))
        blocks.append(f"Of the first {len(rows):,} of {len(material.rows):,} rows; `audit` looks at all.")
    else:
        labels = material.labels
    rows = rows.set_axis(pd.RangeIndex(len(rows)))
    keys: Any = {name: None if key is None else key.array for name, key in (("system", systems), ("id", ids))}
    found = audit(rows, threads=material.threads, **keys, **material.tokens)
    if found.empty:
        return Section("Audit", [*blocks, "Nothing was found that makes the scores doubtful."])
    found = found.assign(
        severity=found["severity"].astype(object),
        share=[f"{100 * share:.1f} %" for share in found["share"]],
        examples=[", ".join(plain(labels[at]) for at in few) for few in found["examples"]],
    )
    order = ["check", "severity", "what_to_do"]
    return Section("Audit", [*blocks, table_of(found, order, {"what_to_do": "what to do"})])


# ---- Scores ----


def scores(material: Material) -> Section:
    """Score systems, and each group."""
    blocks: list[Block] = []
    if material.systems is None:
        blocks.append(score_table(corpus(material.counts, **material.scoring).to_frame(), ["all rows"], ""))
    else:
        total = corpus(material.counts, by=material.systems, sort=False, **material.scoring)
        blocks.append(score_table(total, total.index.tolist(), "system"))
    for key in material.by:
        keys = key if material.systems is None else [key, material.systems]
        groups = corpus(material.counts, by=keys, **material.scoring)
        blocks.append(score_table(groups, groups.index.tolist(), plain(key.name)))
    return Section("Scores", blocks)


def score_table(frame: pd.DataFrame, labels: list[Any], name: str) -> Table:
    """Give what `corpus` gave as a table."""
    orders = [column for column in frame.columns if str(column).startswith("precision_")]
    shown = {name: [plain(label) for label in labels], "BLEU": frame["score"].map(points).to_list()}
    for column in orders:
        shown[f"p{column[10:]}"] = ["–" if pd.isna(p) else f"{100 * p:.1f}" for p in frame[column]]
    shown["brevity penalty"] = [plain(float(penalty)) for penalty in frame["brevity_penalty"]]
    shown["length ratio"] = [plain(float(ratio)) for ratio in frame["length_ratio"]]
    shown["segments"] = [plain(n) for n in frame["segments"].tolist()]
    return table_of(pd.DataFrame(shown), [name])


# ---- Comparison ----


def comparison_of(material: Material, options: Options, by: Any = None) -> pd.DataFrame:
    """Compare the systems on all rows, or on each group."""
    return compare(
        material.counts,
        system=material.systems,
        id=material.ids,
        baseline=options.baseline,
        by=by,
        n_resamples=options.n_resamples,
        seed=options.seed,
        level=options.level,
        errors=material.errors,
        threads=material.threads,
        progress=False,
        **material.scoring,
    )


def comparison(material: Material, whole: pd.DataFrame, groups: list[pd.DataFrame], options: Options) -> Section:
    """Show which system is better, on all rows and in each group, and how sure that is."""
    percent = f"{100 * options.level:g} %"
    how = (
        f"Paired bootstrap (Koehn 2004), {options.n_resamples:,} resamples, seed {options.seed}; intervals hold "
        f"{percent} of the resamples; p-values are corrected by Holm's method for the tests of a table."
    )
    if material.unpaired:
        how += " A segment counts only where the rows of all systems can be read, in all tables of this report."
    blocks: list[Block] = [how, *differences(whole, [], "all rows")]
    for key, frame in zip(material.by, groups, strict=True):
        blocks += differences(frame, [key.name], plain(key.name))
    return Section("Which system is better", blocks)


def differences(frame: pd.DataFrame, levels: list[Any], title: str) -> list[Block]:
    """Give a chart and a table of compared pairs."""
    group = [plain(label) for label in frame.index] if levels else [""] * len(frame)
    pairs = [f"{plain(b)} → {plain(a)}" for b, a in zip(frame["baseline"], frame["system"], strict=True)]
    labels = [
        f"{g} {pair}".strip() if frame["system"].nunique() > 1 or not levels else g
        for g, pair in zip(group, pairs, strict=True)
    ]
    columns = [
        (100 * frame[name]).astype("float64").tolist() for name in ("difference", "difference_low", "difference_high")
    ]
    shown = pd.DataFrame({title: labels} if levels else {"systems": pairs})
    shown["baseline"] = frame["baseline_score"].map(points).to_list()
    shown["system"] = frame["score"].map(points).to_list()
    shown["difference"] = frame["difference"].map(signed).to_list()
    shown["interval"] = [
        ends(low, high, signed) for low, high in zip(frame["difference_low"], frame["difference_high"], strict=True)
    ]
    # sacreBLEU's p-value of a difference of 0 is the smallest there is: it would read as a finding.
    unequal = scores_differ(frame["difference"], frame["baseline_score"], frame["score"])
    shown["p"] = frame["p_corrected"].where(unequal | (frame["p_corrected"] == 1)).map(p_value).to_list()
    shown["segments"] = frame["segments"].tolist()
    chart = Drawn(interval_chart(labels, *columns, title=f"Difference of BLEU, {title}"))
    return [chart, table_of(shown, [shown.columns[0]])]


# ---- Where it goes ----


def factors(material: Material, options: Options) -> Section:
    """Split log BLEU, or the difference of two systems, into its factors."""
    blocks: list[Block] = [
        "The logarithm of BLEU is a sum: of the brevity penalty's and of each order's. So is a difference of two."
    ]
    keys: Any = {}
    if material.ids is not None:
        keys = {"system": material.systems, "id": material.ids, "baseline": options.baseline}
    try:
        frame = waterfall(material.counts, errors=material.errors, **keys, **material.scoring)
    except ValueError as error:  # a score of 0 has no logarithm; the message says which factor makes it 0
        return Section("Where the score goes", [str(error)])
    parts = [("log BLEU", frame)]
    if keys:
        pairs = frame.groupby(["baseline", "system"], sort=False)
        parts = [(f"log BLEU of {plain(a)} minus that of {plain(b)}", part) for (b, a), part in pairs]
    for title, part in parts:
        shown = part.drop(columns=["baseline", "system"], errors="ignore")
        names = [name.replace("_", " ") for name in shown["factor"]]
        values = shown["contribution"].astype("float64").tolist()
        blocks += [
            title + ":",
            Drawn(bar_chart(names, values, title)),
            table_of(shown.assign(factor=names), ["factor"], {"baseline_value": "baseline"}),
        ]
    return Section("Where the difference lies" if keys else "Where the score goes", blocks)


# ---- Buckets ----


def bucketed(material: Material, options: Options) -> Section:
    """Score rows by the length of their reference."""
    keys: Any = {"baseline": options.baseline} if material.ids is not None else {}
    if material.systems is not None:
        keys |= {"system": material.systems, "id": material.ids}
    frame = buckets(
        material.counts,
        of="reference_length",
        n_resamples=min(options.n_resamples, BUCKET_RESAMPLES if len(material.rows) <= MANY else BUCKET_RESAMPLES // 3),
        seed=options.seed,
        level=options.level,
        errors=material.errors,
        progress=False,
        **keys,
        **material.scoring,
    )
    frame = frame[frame["segments"] > 0]  # rows that cannot be read have no length
    by_system = material.systems is not None
    keys_shown = [key if by_system else (key,) for key in frame.index]
    rows = [
        [points(row["score"]), ends(row["score_low"], row["score_high"], points), plain(row["brevity_penalty"]),
         plain(row["segments"])]
        for row in frame.to_dict("records")
    ]  # fmt: skip
    texts = ["tokens of the reference", *["system"] * by_system]
    names = [*texts, "BLEU", "interval", "brevity penalty", "segments"]
    shown = Table(names, [[*map(plain, key), *row] for key, row in zip(keys_shown, rows, strict=True)], len(texts))
    labels = [" ".join(map(plain, key)) for key in keys_shown]
    chart = interval_chart(
        labels, *((100 * frame[name]).astype("float64").tolist() for name in ("score", "score_low", "score_high")),
        title="BLEU by the length of the reference",
    )  # fmt: skip
    return Section("By length", [Drawn(chart), shown])
