"""What must hold when others change the data, interrupt, or fork; long documents, and tokens made to collide."""

import itertools
import os
import random
import re
import signal
import subprocess
import sys
import textwrap
import threading
from collections import Counter
from typing import Any

import frames
import numpy as np
import pandas as pd
import pytest
from frames import Tokens
from numpy.typing import NDArray
from strategies import block_sizes, frame_of

import bleupandas
from bleupandas.engine.choice import VARIABLE

# ---- Other threads ----

STATES: list[Tokens] = [["a", "b", "a", "c"], ["é", "a"] * 20, [], ["b"] * 7]
BROKEN: list[Any] = ["a", None, "b"]
TOLD = (
    r"column '(hypothesis|references)', row \d+ \(position \d+\)(, reference \d)?, token 1: a missing token \(None\).*"
    r"|row \d+ \(position \d+\): the row changed while it was counted; .*"
)


@pytest.mark.parametrize("broken", [False, True])
def test_cells_that_other_threads_change(
    engine: str, broken: bool, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    """Each row counts as one of the states that its cells are in, or the call says what is wrong."""
    interval = sys.getswitchinterval()
    request.addfinalizer(lambda: sys.setswitchinterval(interval))
    sys.setswitchinterval(1e-5)
    n_rows, n_rounds = (400, 10) if engine == "compiled" else (60, 10)
    hypotheses = [list(STATES[i % 4]) for i in range(n_rows)]
    references = [[list(STATES[(i + k) % 4]) for k in range(2)] for i in range(n_rows)]
    frame = pd.DataFrame({"hypothesis": frames.cells(hypotheses), "references": frames.cells(references)})
    allowed = {
        tuple(row)
        for h, r1, r2 in itertools.product(STATES, repeat=3)
        for row in frames.component_rows([(h, [r1, r2])])
    }
    states: list[Any] = [*STATES, BROKEN] if broken else STATES
    done = threading.Event()

    def change(seed: int) -> None:
        source = random.Random(seed)
        while not done.is_set():
            i = source.randrange(n_rows)
            cell: Any = hypotheses[i] if source.random() < 0.5 else references[i][source.randrange(2)]
            cell[:] = source.choice(states if source.random() < 0.1 else STATES)

    changers = [threading.Thread(target=change, args=(seed,)) for seed in range(3)]
    for changer in changers:
        changer.start()
    messages = []
    try:
        for _ in range(n_rounds):
            with block_sizes(budget=200, rows=50):
                try:
                    found = bleupandas.components(frame, threads=2)
                    assert {tuple(row) for row in found.to_numpy().tolist()} <= allowed
                    listed = bleupandas.ngrams(frame, threads=2, ngram="tuple")
                    assert listed["ngram"].map(len).equals(listed["order"])
                except (ValueError, RuntimeError) as error:
                    messages.append(str(error))
    finally:
        done.set()
        for changer in changers:
            changer.join()
    for message in messages:
        assert re.fullmatch(TOLD, message)


def test_many_threads_may_count_at_once(engine: str) -> None:
    frame = pd.concat([frames.objects().frame] * 20, ignore_index=True)
    expected = frames.component_rows(frames.PLAIN) * 20
    found: list[Any] = []
    with block_sizes(budget=20, rows=10):
        counters = [
            threading.Thread(target=lambda: found.append(bleupandas.components(frame, threads=2))) for _ in range(6)
        ]
        for counter in counters:
            counter.start()
        for counter in counters:
            counter.join()
    assert [result.to_numpy().tolist() for result in found] == [expected] * 6


def test_no_thread_is_left(engine: str) -> None:
    before = threading.active_count()
    frame = pd.concat([frames.objects().frame] * 20, ignore_index=True)
    bad = frame.copy()
    bad.at[100, "hypothesis"] = None
    with block_sizes(budget=20, rows=10):
        for call in (bleupandas.components, bleupandas.ngrams):
            call(frame, threads=4)
            with pytest.raises(ValueError, match="the hypothesis is missing"):
                call(bad, threads=4)
            assert threading.active_count() == before


# ---- Interrupts and forks, in processes of their own ----


def python(code: str, engine: str) -> "subprocess.Popen[str]":
    environment = {**os.environ, VARIABLE: engine}
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    )


@pytest.mark.skipif(os.name == "nt", reason="sends a Unix signal")
def test_ctrl_c_ends_a_count(engine: str) -> None:
    """The frame is so large that its count would not end by itself before the signal comes."""
    code = """
        import signal, threading
        import numpy as np, pandas as pd, bleupandas
        signal.signal(signal.SIGINT, signal.default_int_handler)
        cells = np.empty(4_000_000, object)
        cells[:] = [["a", "b", "c", "d"] * 30] * len(cells)
        df = pd.DataFrame({"hypothesis": pd.Series(cells, dtype=object), "references": pd.Series(cells, dtype=object)})
        df.head(9).bleu.components()
        for threads in (1, 2):
            try:
                print("counting", flush=True)
                df.bleu.components(threads=threads)
                print("came to its end", flush=True)
            except KeyboardInterrupt:
                print("interrupted,", threading.active_count(), "thread", flush=True)
        print(df.head(1).bleu.components()["matches_1"].tolist())
    """
    with python(code, engine) as process:
        assert process.stdout is not None
        said = []
        for line in process.stdout:
            said.append(line.strip())
            if line.strip() == "counting":
                threading.Timer(0.3, process.send_signal, [signal.SIGINT]).start()
        assert process.wait() == 0, process.stderr.read() if process.stderr else ""
    assert said == ["counting", "interrupted, 1 thread", "counting", "interrupted, 1 thread", "[120]"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_fork_after_counting(engine: str) -> None:
    code = """
        import os, threading, warnings
        import pandas as pd, bleupandas
        from bleupandas.engine import blocks
        blocks.BUDGET = 50
        df = pd.DataFrame({"hypothesis": [["a", "b", "a"]] * 500, "references": [[["a", "b"]]] * 500})
        first = df.bleu.components(threads=2)
        assert threading.active_count() == 1, threading.enumerate()
        warnings.simplefilter("ignore")  # of threads that are not ours, such as NumPy's
        child = os.fork()
        if not child:
            os._exit(0 if df.bleu.components(threads=2).equals(first) and len(df.bleu.ngrams(threads=2)) == 2500 else 1)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), df.bleu.components(threads=2).equals(first))
    """
    with python(code, engine) as process:
        out, error = process.communicate(timeout=60)
    assert (out, error) == ("0 True\n", "")


# ---- Long documents ----


def independent(codes: NDArray[np.int64], other: NDArray[np.int64], order: int) -> tuple[int, int]:
    """(matches, totals) of two documents of token numbers below 2^15, by sorting."""

    def grams(numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        keys = np.zeros(len(numbers) - order + 1, np.int64)
        for i in range(order):
            keys = keys * 2**15 + numbers[i : len(numbers) - order + 1 + i]
        return keys

    own_keys, own = np.unique(grams(codes), return_counts=True)
    other_keys, others = np.unique(grams(other), return_counts=True)
    _, i, k = np.intersect1d(own_keys, other_keys, return_indices=True)
    return int(np.minimum(own[i], others[k]).sum()), len(codes) - order + 1


@pytest.mark.parametrize("kind", ["like language", "nearly all different", "all the same"])
def test_long_documents(engine: str, kind: str) -> None:
    source = np.random.default_rng(5)
    n = 100_000 if engine == "compiled" else 20_000
    codes = {
        "like language": np.minimum(source.zipf(1.3, n), 20_000),
        "nearly all different": np.arange(n) * 7 % 32_749,
        "all the same": np.zeros(n, np.int64),
    }[kind]
    other = np.concatenate([codes[3 * n // 10 : 9 * n // 10], codes[: n // 2][::-1]])
    documents = [[f"w{code}" for code in numbers.tolist()] for numbers in (codes, other)]
    frame = frame_of([(documents[0], [documents[1]])])
    row = bleupandas.components(frame).iloc[0]
    expected = [independent(codes, other, order) for order in range(1, 5)]
    assert [row[f"matches_{order}"] for order in range(1, 5)] == [matches for matches, _ in expected]
    assert [row[f"totals_{order}"] for order in range(1, 5)] == [total for _, total in expected]
    assert (row["candidate_length"], row["reference_length"]) == (n, len(other))
    listed = bleupandas.ngrams(frame, orders=[1, 2], ngram="text")
    for order in (1, 2):
        part = listed[listed["order"] == order]
        assert part["count"].sum() == expected[order - 1][1]
        assert part["clipped_count"].sum() == expected[order - 1][0]
        assert part["ngram"].is_unique


def clipped(hypothesis: Tokens, references: list[Tokens], order: int) -> Counter[tuple[str, ...]]:
    """The clipped counts of one order, by Counter."""
    sides = [Counter(zip(*(t[i:] for i in range(order)), strict=False)) for t in (hypothesis, *references)]
    most: Counter[tuple[str, ...]] = Counter()
    for side in sides[1:]:
        most |= side
    return sides[0] & most


def large_segments() -> dict[str, list[frames.Segment]]:
    """Segments that outgrow, one after the other, every piece of memory that is reserved before anything is read."""
    source = random.Random(9)
    wide = [c * n for c in "aé日😀" for n in (1, 7, 900, 5000, 20_000)]
    names = [f"{c}{i}" for c in "aé日😀" for i in range(5000)]
    return {
        "wide tokens": [(source.choices(wide, k=n), [source.choices(wide, k=30), [wide[-1]]]) for n in (40, 1, 0, 25)],
        "many tokens": [(source.sample(names, n), [source.sample(names, 9000)]) for n in (3, 9000, 2)],
        "many references": [
            (["a", "é"], [source.choices(["a", "é", "日"], k=i % 3) for i in range(n)]) for n in (1, 9000)
        ],
        "many rows": [(["a"] * (i % 3), [["a", "é"]] * (1 + i % 2)) for i in range(5000)],
    }


@pytest.mark.parametrize("name", large_segments())
def test_whatever_grows(engine: str, name: str) -> None:
    segments = large_segments()[name]
    frame = frame_of(segments)
    found = bleupandas.components(frame, max_order=2)
    listed = bleupandas.ngrams(frame, max_order=2, sep="\uffff")
    for order in (1, 2):
        right = [clipped(*segment, order) for segment in segments]
        assert found[f"matches_{order}"].tolist() == [counts.total() for counts in right]
        part = listed[(listed["order"] == order) & (listed["clipped_count"] > 0)]
        for position, rows in part.head(20_000 if len(segments) < 9 else 100).groupby("segment"):
            counts = dict(zip(rows["ngram"], rows["clipped_count"], strict=True))
            assert counts == {"\uffff".join(ngram): count for ngram, count in right[int(str(position))].items()}
        assert len(part) == sum(map(len, right))


# ---- Tokens that collide under well-known hashes ----


def of_blocks(first: str, second: str, length: int) -> list[str]:
    """All strings of `length` blocks, each one of two that have the same polynomial hash."""
    return ["".join(parts) for parts in itertools.product((first, second), repeat=length)]


def polynomial(token: str, base: int) -> int:
    value = 0
    for character in token:
        value = (value * base + ord(character)) % 2**32
    return value


def fnv_twins() -> list[str]:
    """Pairs of tokens with the same 32-bit FNV-1a hash."""
    source = np.random.default_rng(1)
    letters = source.integers(97, 123, (300_000, 8)).astype(np.uint32)
    hashes = np.full(len(letters), 2166136261, np.uint32)
    for column in letters.T:
        hashes = (hashes ^ column) * np.uint32(16777619)
    order = np.argsort(hashes, kind="stable")
    twins = np.flatnonzero(np.diff(hashes[order].astype(np.int64)) == 0)
    chosen = np.concatenate([order[twins], order[twins + 1]])
    return ["".join(map(chr, row)) for row in letters[chosen].tolist()]


def collisions() -> dict[str, list[str]]:
    made = {
        "times 31": of_blocks("Aa", "BB", 9),
        "times 33": of_blocks("Ez", "FY", 9),
        "sums of letters": ["".join(letters) for letters in itertools.permutations("abcdef")],
        "FNV-1a": fnv_twins(),
        "the first 16 bytes": ["0123456789abcdef" + str(i) for i in range(512)],
        "the last 16 bytes": [str(i) + "0123456789abcdef" for i in range(512)],
        "the middle": [f"01234567{i:03}89abcdef" for i in range(512)],
        "length and ends": ["a" + chr(0x100 + i) * 3 + "z" for i in range(512)],
        "NULs only": ["\0" * i for i in range(1, 300)],
    }
    assert len({polynomial(token, 31) for token in made["times 31"]}) == 1
    assert len({polynomial(token, 33) for token in made["times 33"]}) == 1
    assert len(made["FNV-1a"]) >= 4
    return made


@pytest.mark.parametrize("name", collisions())
def test_tokens_that_collide_are_counted_exactly(engine: str, name: str) -> None:
    source = random.Random(name)
    tokens = collisions()[name]
    hypothesis = [source.choice(tokens) for _ in range(3000)]
    reference = [source.choice(tokens) for _ in range(2000)] + hypothesis[:400]
    row = bleupandas.components(frame_of([(hypothesis, [reference])])).iloc[0]
    for order in range(1, 5):
        assert row[f"matches_{order}"] == clipped(hypothesis, [reference], order).total()
    listed = bleupandas.ngrams(frame_of([(hypothesis, [reference])]), orders=1, ngram="tuple")
    counts = {ngram[0]: count for ngram, count in zip(listed["ngram"], listed["count"], strict=True)}
    assert counts == dict(Counter(hypothesis))
