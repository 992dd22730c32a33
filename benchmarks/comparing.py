"""The rows of two systems: compare()'s paired bootstrap resampling, n-grams that tell them apart, the report."""

import functools
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import generated
import pandas as pd
from measuring import Group, Job

import bleupandas

RESAMPLES = 1_000
FEWER = 100  # of sacreBLEU, which holds all at once, and whose cost is the same for each
ROWS = {"compare", "differences", "report"}
DOMAINS = 4


def group(segments: int) -> Group:
    """Return the rows; both sides of compare() begin with counted statistics."""
    hypotheses, references = generated.Text().segments(segments, 2)
    first = [texts[:1] for texts in references]
    second = [texts[1] for texts in references]
    tokens = [generated.frame(system, first) for system in (hypotheses, second)]
    frames = [bleupandas.components(frame) for frame in tokens]
    both = pd.concat([frame.assign(system=name, id=range(segments)) for name, frame in zip("ab", frames, strict=True)])
    theirs = paired_bootstrap(*(frame.to_numpy() for frame in frames))

    def check() -> None:
        ours, result = bleupandas.compare(both, convention="sacrebleu", n_resamples=FEWER), theirs()
        if ours["p_value"].item() != result.p_value or abs(ours["score"].item() - result.score / 100) > 1e-12:
            raise AssertionError(f"compare: {ours.to_dict()}, and sacreBLEU has {result}")

    jobs = {
        "compare": Job(lambda: bleupandas.compare(both, n_resamples=RESAMPLES), RESAMPLES, RESAMPLES),
        "sacreBLEU's paired bootstrap": Job(theirs, FEWER, RESAMPLES),
    }
    ratios = {("compare", 0): [("sacreBLEU's paired bootstrap", "compare")]}
    halves = [frame.iloc[: segments // 2].assign(system=name) for name, frame in zip("ab", tokens, strict=True)]
    long = pd.concat([half.assign(id=range(len(half))) for half in halves], ignore_index=True)
    long["domain"] = long["id"].to_numpy() % DOMAINS
    for column, threads in enumerate((1, 2)):
        with_threads = f"{threads} thread{'s' * (threads > 1)}"
        counted = f"components, two systems, {with_threads}"
        jobs[counted] = Job(functools.partial(bleupandas.components, long, threads=threads), len(long), len(long))
        for name, call in (("differences", differences), ("report", reported)):
            jobs[f"{name}, {with_threads}"] = Job(functools.partial(call, long, threads), len(long), len(long))
            ratios[name, column] = [(f"{name}, {with_threads}", counted)]
    return Group(jobs, ratios, {"compare": check})


def differences(df: pd.DataFrame, threads: int) -> pd.DataFrame:
    """Count which of two systems matches which n-gram."""
    return bleupandas.ngram_differences(df, min_count=2, threads=threads)


def reported(df: pd.DataFrame, threads: int) -> int:
    """Write the whole page, and give its size."""
    with tempfile.TemporaryDirectory() as folder:
        path = bleupandas.report(df, Path(folder) / "report.html", by="domain", threads=threads)
        return path.stat().st_size


def paired_bootstrap(baseline: Any, system: Any) -> Callable[[], Any]:
    """Return the function that sacreBLEU's PairedTest calls for a system, without counting and the overall score.

    What it does once and not for each resample would else be scaled up with the rest.
    """
    from sacrebleu.metrics.bleu import BLEU
    from sacrebleu.significance import Result, _paired_bs_test

    metric: Any = BLEU(tokenize="none", force=True)
    scores = [metric._compute_score_from_stats(statistics.sum(axis=0).tolist()) for statistics in (baseline, system)]
    metric._extract_corpus_statistics = lambda hypotheses, references: system
    metric._aggregate_and_compute = lambda statistics: scores[1]
    known: Any = {"BLEU": (baseline, Result(scores[0].score))}
    run: Any = functools.partial(_paired_bs_test, known, "b", system, None, {"BLEU": metric}, FEWER, seed=12345)
    return lambda: run()[1]["BLEU"]
