"""Which jobs the rows of the table need, on which data."""

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import comparing
import contracts
import generated
import inspector
import numpy as np
import pandas as pd
import rivals
from measuring import Group, Job

import bleupandas

# How much larger a sample the faster of the slow rivals gets.
MORE = 2
THREADS = {1: "1 thread", 2: "2 threads"}


@dataclass(frozen=True)
class Sizes:
    """How much is measured."""

    segments: int = 100_000
    sample: int = 4_000  # of slow rivals
    million: int = 1_000_000
    slice: int = 10_000
    components_rows: int = 1_000_000
    groups: int = 1_000
    long_tokens: int = 2_000_000
    longest: int = 100_000
    hostile_tokens: int = 20_000
    hostile_documents: int = 5
    memory_documents: int = 400


QUICK = Sizes(2_000, 100, 4_000, 400, 2_000, 50, 20_000, 5_000, 500, 2, 4)


class Input:
    """The generated segments in every form that a job needs, made when first asked for."""

    def __init__(self, sizes: Sizes) -> None:
        self.every = max(sizes.segments // sizes.sample, 1)
        self.hypotheses, self.references = generated.Text().segments(sizes.segments, 4)
        self.first = [texts[:1] for texts in self.references]

    @functools.cached_property
    def frames(self) -> dict[str, pd.DataFrame]:
        """Frames by what their names say."""
        one = generated.frame(self.hypotheses, self.first)
        four = generated.frame(self.hypotheses, self.references)
        arrays = generated.frame(
            [np.array(tokens, object) for tokens in self.hypotheses],
            [[np.array(tokens, object) for tokens in texts] for texts in self.first],
        )
        arrow = {"arrow-1": generated.arrow(one), "arrow-4": generated.arrow(four)}
        return {"list-1": one, "list-4": four, "ndarray-1": arrays} | arrow

    @functools.cached_property
    def joined(self) -> tuple[list[str], list[list[str]]]:
        """The segments as text, for libraries that take no tokens."""
        texts = [[" ".join(tokens) for tokens in texts] for texts in self.references]
        return [" ".join(tokens) for tokens in self.hypotheses], texts

    @functools.cached_property
    def streams(self) -> tuple[list[str], list[list[str]]]:
        """The larger sample as text, a list for each reference."""
        hypotheses, references = (self.sampled(texts, MORE) for texts in self.joined)
        return hypotheses, [list(stream) for stream in zip(*references, strict=True)]

    def sampled(self, items: list[Any], times: int = 1) -> list[Any]:
        """Return every k-th item of the whole input, or the input several times."""
        return items[:: max(self.every // times, 1)]


def components(df: pd.DataFrame, threads: int) -> Callable[[], Any]:
    """Return a job that counts."""
    return lambda: bleupandas.components(df, threads=threads)


def method(df: pd.DataFrame, name: str, **keywords: Any) -> Any:
    """Call a method that this version of the package may not have yet."""
    found = getattr(bleupandas, name, None)
    if found is None:
        raise rivals.UnavailableError(f"not yet: there is no bleupandas.{name}", excused=False)
    return found(df, **keywords)


def counting(sizes: Sizes) -> Group:
    """Return the rows on 100,000 segments."""
    data = Input(sizes)
    jobs = rival_jobs(data)
    n = len(data.hypotheses)
    ratios: dict[tuple[str, int], list[tuple[str, str]]] = {}
    for column, (threads, with_threads) in enumerate(THREADS.items()):
        for form in ("list-1", "list-4", "arrow-1", "arrow-4", "ndarray-1"):
            ours = f"components, {form}, {with_threads}"
            jobs[ours] = Job(functools.partial(count, data, form, threads), n, n)
            references = "4 references" if form.endswith("4") else "1 reference"
            if form != "ndarray-1":
                ratios[form, column] = [(f"sacreBLEU, {references}", ours)]
            if form.startswith("list"):
                ratios[f"mojo-{form[-1]}", column] = [(f"sacrebleu-mojo, {references}", ours)]
            if form in ("list-1", "ndarray-1"):
                ratios[f"chain-{form[:-2]}", column] = [(ours, "chain, list cells")]
        for name, call, rival in (("score", score, "NLTK"), ("ngrams", list_ngrams, "Counter and DataFrame")):
            jobs[f"{name}, {with_threads}"] = Job(functools.partial(call, data, threads), n, n)
            ratios[name, column] = [(rival, f"{name}, {with_threads}")]
        for name, least in (("summary", 1), ("summary-2", 2)):
            jobs[f"{name}, {with_threads}"] = Job(functools.partial(summarised, data, least, threads), n, n)
            ratios[name, column] = [(f"{name}, {with_threads}", f"components, list-1, {with_threads}")]
    checks = {form: functools.partial(check_components, data, form) for form in ("list-1", "list-4", "arrow-1")}
    checks |= {"arrow-4": functools.partial(check_components, data, "arrow-4")}
    checks |= {"chain-ndarray": functools.partial(check_components, data, "ndarray-1")}
    checks |= {"mojo-1": functools.partial(check_sums, data, 1), "mojo-4": functools.partial(check_sums, data, 4)}
    checks |= {"ngrams": functools.partial(check_ngrams, data), "summary": functools.partial(check_summary, data)}
    return Group(jobs, ratios, checks)


def rival_jobs(data: Input) -> dict[str, Job]:
    """Return the other sides; the slow ones on a sample."""
    n = len(data.hypotheses)
    few, more = len(data.sampled(data.hypotheses)), len(data.sampled(data.hypotheses, MORE))
    hypotheses, first = data.sampled(data.hypotheses), data.sampled(data.first)
    return {
        "sacreBLEU, 1 reference": Job(lambda: sacrebleu(data, 1), few, n),
        "sacreBLEU, 4 references": Job(lambda: sacrebleu(data, 4), few, n),
        "sacrebleu-mojo, 1 reference": Job(lambda: mojo(data, 1), more, n),
        "sacrebleu-mojo, 4 references": Job(lambda: mojo(data, 4), more, n),
        "chain, list cells": Job(lambda: rivals.chained(data.hypotheses, data.first), n, n),
        "NLTK": Job(lambda: rivals.nltk_scores(hypotheses, first), few, n),
        "Counter and DataFrame": Job(lambda: rivals.counter_frame(hypotheses, first), few, n),
    }


def count(data: Input, form: str, threads: int) -> pd.DataFrame:
    """Count every segment."""
    return bleupandas.components(data.frames[form], threads=threads)


def score(data: Input, threads: int) -> Any:
    """Score every segment."""
    return method(data.frames["list-1"], "score", smoothing="method1", threads=threads)


def list_ngrams(data: Input, threads: int) -> pd.DataFrame:
    """List the n-grams of every segment."""
    return bleupandas.ngrams(data.frames["list-1"], threads=threads)


def summarised(data: Input, min_count: int, threads: int) -> pd.DataFrame:
    """Sum the n-grams of all segments up."""
    return method(data.frames["list-1"], "ngram_summary", min_count=min_count, threads=threads)  # type: ignore[no-any-return]


def sacrebleu(data: Input, n_references: int) -> list[list[int]]:
    """Count the sample with sacreBLEU."""
    hypotheses, references = (data.sampled(texts) for texts in data.joined)
    return rivals.sacrebleu_statistics(hypotheses, [texts[:n_references] for texts in references])


def mojo(data: Input, n_references: int) -> list[int]:
    """Count a larger sample with sacrebleu-mojo, which takes a stream for each reference."""
    hypotheses, streams = data.streams
    return rivals.mojo_sums(hypotheses, streams[:n_references])


def check_components(data: Input, form: str) -> None:
    """Compare with sacreBLEU on its sample: a ratio between different numbers would be none."""
    ours = bleupandas.components(data.frames[form].iloc[:: data.every])
    if ours.to_numpy().tolist() != sacrebleu(data, int(form[-1])):
        raise AssertionError(f"{form}: other components than sacreBLEU's statistics")


def check_sums(data: Input, n_references: int) -> None:
    """Compare with sacrebleu-mojo on its sample."""
    df = data.frames[f"list-{n_references}"].iloc[:: max(data.every // MORE, 1)]
    if bleupandas.components(df).sum().tolist() != mojo(data, n_references):
        raise AssertionError(f"{n_references}: other sums than sacrebleu-mojo's")


def check_ngrams(data: Input) -> None:
    """Compare with the frame that a user would make."""
    hypotheses, references = data.sampled(data.hypotheses)[:500], data.sampled(data.first)[:500]
    ours = bleupandas.ngrams(generated.frame(hypotheses, references), ignore_index=True)
    pd.testing.assert_frame_equal(ours, rivals.counter_frame(hypotheses, references))


def check_summary(data: Input) -> None:
    """Compare its sums with those of components."""
    sums = summarised(data, 1, 1).groupby("order")[["clipped_count", "count"]].sum()
    components = bleupandas.components(data.frames["list-1"]).sum().tolist()
    if sums.to_numpy().T.reshape(-1).tolist() != components[2:]:
        raise AssertionError("ngram_summary: other sums than those of components")


def million(sizes: Sizes) -> Group:
    """Return the row of a million segments: ten calls on ten slices of it, so that neither side has warm caches."""
    df = generated.frame(*generated.Text().segments(sizes.million))
    starts = range(0, sizes.million, sizes.million // 10)
    slices = [df.iloc[start : start + sizes.slice] for start in starts]
    n, few = sizes.million, len(slices) * sizes.slice
    jobs: dict[str, Job] = {}
    ratios = {}
    for column, (threads, with_threads) in enumerate(THREADS.items()):
        whole, parts = f"components of the million, {with_threads}", f"components of slices, {with_threads}"
        jobs[whole] = Job(components(df, threads), n, n)
        jobs[parts] = Job(functools.partial(components_of_each, slices, threads), few, n)
        ratios["million", column] = [(whole, parts)]
    return Group(jobs, ratios)


def components_of_each(frames: list[pd.DataFrame], threads: int) -> list[pd.DataFrame]:
    """Count several frames."""
    return [bleupandas.components(df, threads=threads) for df in frames]


def grouping(sizes: Sizes) -> Group:
    """Return the row of corpus(by=) on components rows."""
    random = np.random.default_rng(generated.SEED)
    n = sizes.components_rows
    lengths = random.integers(4, 50, (n, 2))
    totals = lengths[:, :1] - np.arange(4)
    matches = np.minimum.accumulate(random.integers(0, totals + 1), axis=1)
    names = [f"{kind}_{order}" for kind in ("matches", "totals") for order in range(1, 5)]
    df = pd.DataFrame(np.hstack([lengths, matches, totals]), columns=["candidate_length", "reference_length", *names])
    by = pd.Series(random.integers(0, sizes.groups, n), name="system")
    jobs = {
        "corpus(by=)": Job(lambda: method(df, "corpus", by=by), n, n),
        "groupby().sum()": Job(lambda: df.groupby(by).sum(), n, n),
    }
    return Group(jobs, {("corpus-by", 0): [("corpus(by=)", "groupby().sum()")]})


def documents(sizes: Sizes) -> Group:
    """Return the row of long documents: as many tokens, in few documents and in many segments."""
    n = sizes.long_tokens
    text = generated.Text()
    long = generated.frame(*text.segments(n // sizes.longest, 1, sizes.longest))
    short = generated.frame(*text.segments(n // 100, 1, 100))
    jobs: dict[str, Job] = {}
    ratios = {}
    for column, (threads, with_threads) in enumerate(THREADS.items()):
        pair = f"components of long documents, {with_threads}", f"components of segments of 100, {with_threads}"
        jobs[pair[0]] = Job(components(long, threads), n, n)
        jobs[pair[1]] = Job(components(short, threads), n, n)
        ratios["documents", column] = [pair]
    return Group(jobs, ratios)


def collisions(sizes: Sizes) -> Group:
    """Return the row of tokens that were chosen against fixed hash functions."""
    random = np.random.default_rng(generated.SEED)
    n = sizes.hostile_tokens * sizes.hostile_documents
    jobs: dict[str, Job] = {}
    ratios: dict[tuple[str, int], list[tuple[str, str]]] = {}
    for kind, tokens in generated.hostile(sizes.hostile_tokens).items():
        chosen = generated.shuffled_documents(tokens, sizes.hostile_documents, random)
        plain = generated.shuffled_documents(generated.ordinary(tokens, random), sizes.hostile_documents, random)
        for column, (threads, with_threads) in enumerate(THREADS.items()):
            pair = f"components, {kind} tokens, {with_threads}", f"components, as long as {kind}, {with_threads}"
            jobs[pair[0]] = Job(components(chosen, threads), n, n)
            jobs[pair[1]] = Job(components(plain, threads), n, n)
            ratios.setdefault(("collisions", column), []).append(pair)
    return Group(jobs, ratios)


def requests(sizes: Sizes) -> Group:
    """Return the row of the published tools."""
    return contracts.group(max(Sizes().segments // sizes.segments // 2, 1))


def inspecting(sizes: Sizes) -> Group:
    """Return the rows of the inspector."""
    return inspector.group(sizes.million)


def systems(sizes: Sizes) -> Group:
    """Return the row of two systems."""
    return comparing.group(sizes.segments)


GROUPS: dict[Callable[[Sizes], Group], set[str]] = {
    counting: {"list-1", "list-4", "arrow-1", "arrow-4", "mojo-1", "mojo-4", "chain-list", "chain-ndarray", "score"}
    | {"ngrams", "summary", "summary-2"},
    grouping: {"corpus-by"},
    documents: {"documents"},
    collisions: {"collisions"},
    million: {"million"},
    requests: {"request"},
    inspecting: inspector.ROWS,
    systems: comparing.ROWS,
}
