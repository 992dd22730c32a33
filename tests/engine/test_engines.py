"""The counting engines: which one is chosen, that they agree on anything, and how blocks are read and counted."""

import importlib
import os
import subprocess
import sys
import threading
import warnings
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import frames
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from built import require_compiled
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import ALPHABETS, SURROGATES, block_sizes, examples, frame_of, segment_lists

import bleupandas
from bleupandas.common.options import default_threads
from bleupandas.engine import arrow
from bleupandas.engine.arrow import ArrowColumn
from bleupandas.engine.arrow import depth as depth_of
from bleupandas.engine.blocks import ObjectColumn, map_blocks, read_blocks
from bleupandas.engine.choice import VARIABLE, _choose, _warn_once, engine_name, get_engine
from bleupandas.engine.interface import INTERFACE, REFERENCE_SURROGATE, SURROGATE, UNCOUNTED, ArrowLists

# ---- Which engine ----


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """Choose the engine anew, and again after the test."""
    _choose.cache_clear()
    _warn_once.cache_clear()
    monkeypatch.delenv(VARIABLE, raising=False)
    yield monkeypatch
    _choose.cache_clear()
    _warn_once.cache_clear()


def without_compiled(patch: pytest.MonkeyPatch, instead: Any = None) -> None:
    """Behave as if the compiled engine had not been built, or were another module."""
    real = importlib.import_module

    def imported(name: str, package: str | None = None) -> Any:
        if name != "bleupandas.engine.compiled":
            return real(name, package)
        if instead is None:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return instead

    patch.setattr(importlib, "import_module", imported)


def test_compiled_is_chosen_where_it_was_built(fresh: pytest.MonkeyPatch) -> None:
    require_compiled()
    assert engine_name() == "compiled"
    assert get_engine().INTERFACE == INTERFACE
    fresh.setenv(VARIABLE, "")
    assert engine_name() == "compiled"
    fresh.setenv(VARIABLE, "python")
    assert engine_name() == "python"
    fresh.setenv(VARIABLE, "compiled")
    assert engine_name() == "compiled"


@pytest.mark.parametrize("value", ["cython", "Python", " python", "0"])
def test_unknown_engine(fresh: pytest.MonkeyPatch, value: str) -> None:
    fresh.setenv(VARIABLE, value)
    for call in (engine_name, get_engine, lambda: bleupandas.components(frames.objects().frame)):
        said = f"the environment variable BLEUPANDAS_ENGINE is 'compiled' or 'python', not {value!r}"
        with pytest.raises(ValueError, match=f"^{said}$"):
            call()


def test_falling_back_warns_once_at_the_first_count(fresh: pytest.MonkeyPatch) -> None:
    without_compiled(fresh)
    frame = frames.objects().frame
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert engine_name() == "python"
        assert caught == []
        first = bleupandas.components(frame)
        bleupandas.components(frame)
        bleupandas.ngrams(frame)
    [warning] = caught
    assert warning.category is RuntimeWarning
    assert str(warning.message) == (
        "bleupandas counts with its plain Python engine, about 30 times slower: the compiled one was not built at "
        "install, where no C compiler was found. Install one and run pip install --no-cache-dir --force-reinstall "
        "bleupandas; BLEUPANDAS_ENGINE=python silences this."
    )
    assert first.to_numpy().tolist() == frames.component_rows(frames.PLAIN)


def test_asking_for_python_does_not_warn(fresh: pytest.MonkeyPatch) -> None:
    without_compiled(fresh)
    fresh.setenv(VARIABLE, "python")
    bleupandas.components(frames.objects().frame)  # warnings are errors here


def test_compiled_that_was_not_built(fresh: pytest.MonkeyPatch) -> None:
    without_compiled(fresh)
    fresh.setenv(VARIABLE, "compiled")
    with pytest.raises(ImportError) as raised:  # the whole text is compared below
        bleupandas.components(frames.objects().frame)
    assert str(raised.value) == (
        "BLEUPANDAS_ENGINE=compiled, but the compiled engine was not built: install bleupandas where a C compiler is "
        "(pip install --no-cache-dir --force-reinstall bleupandas)"
    )


@pytest.mark.parametrize("wanted", [None, "compiled"])
def test_stale_compiled_file(fresh: pytest.MonkeyPatch, wanted: str | None) -> None:
    without_compiled(fresh, SimpleNamespace(INTERFACE=INTERFACE - 1))
    if wanted:
        fresh.setenv(VARIABLE, wanted)
    with pytest.raises(ImportError) as raised:  # the whole text is compared below
        bleupandas.components(frames.objects().frame)
    assert str(raised.value) == (
        f"the compiled engine of bleupandas is of another version (interface {INTERFACE - 1}, expected {INTERFACE}): "
        "rebuild it with pip install --no-cache-dir --force-reinstall bleupandas"
    )


def test_the_variable_is_read_at_first_use_not_at_import() -> None:
    code = (
        "import os, bleupandas, pandas as pd\n"
        "os.environ['BLEUPANDAS_ENGINE'] = 'nonsense'\n"
        "df = pd.DataFrame({'hypothesis': [['a']], 'references': [[['a']]]})\n"
        "try:\n    df.bleu.components()\nexcept ValueError as error:\n    print(error)\n"
    )
    environment = {**os.environ, "BLEUPANDAS_ENGINE": "also nonsense"}
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True)
    assert found.stdout == "the environment variable BLEUPANDAS_ENGINE is 'compiled' or 'python', not 'nonsense'\n"


# ---- The engines agree, on what can be counted and on what cannot ----

TOKENS = st.sampled_from([token for tokens in [*ALPHABETS, *SURROGATES] for token in tokens])
ODD: st.SearchStrategy[Any] = st.sampled_from(
    [
        None,
        float("nan"),
        pd.NA,
        pd.NaT,
        "",
        " ",
        "a b",
        "\t",
        b"a",
        3,
        1.5,
        True,
        {"a"},
        {"a": 1},
        np.array("a"),
    ]
)


def sequences(items: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Lists, tuples and arrays of items."""
    lists = st.lists(items, max_size=4)
    return lists | lists.map(tuple) | lists.map(frames.object_array)


LIKELY = sequences(TOKENS)
ANY_CELL = st.one_of(LIKELY, LIKELY, sequences(LIKELY), sequences(TOKENS | ODD), sequences(LIKELY | ODD), ODD)


def read_all(name: str, rows: list[Any], nested: list[bool]) -> list[Any]:
    """Everything that an engine says about rows of (hypothesis, reference cells...)."""
    engine = importlib.import_module(f"bleupandas.engine.{name}")
    sides = [list(side) for side in zip(*rows, strict=True)]
    block = engine.read(sides[0], sides[1:], nested, 0, len(rows), 1 << 18)
    out = np.full((2 + 2 * 3, len(rows)), -1, np.int64)
    block.components(3, out)
    counted = (block.faults & UNCOUNTED) == 0
    said = [block.stop, block.faults.tolist(), out.tolist(), np.asarray(block.reference_counts())[counted].tolist()]
    for references in (False, True):
        said.append([np.asarray(part).tolist() for part in block.coverage(3, references)])
        for sep in (None, " ", "é"):
            found = block.ngrams([1, 3], sep, references)
            said.append([np.asarray(part).tolist() for part in found[:6]])
            said.append(bool(found.ambiguous) if sep else None)
            if sep and not found.ambiguous:
                said.append([found.offsets.tolist(), bytes(found.text)])
    tally = engine.tally()
    said += [tally.add(0, block), tally.holds("é"), tally.holds("a b")]
    if not (block.faults[counted] & (SURROGATE | REFERENCE_SURROGATE)).any():
        for some in (None, np.arange(0, len(rows), 2)):
            summary = tally.summary(some, [1, 2, 4], 1, "é", 2)
            said += [summary.numbers.tolist(), summary.offsets.tolist(), bytes(summary.text)]
        pairs = np.flatnonzero(counted)[: counted.sum() // 2 * 2].reshape(2, -1)
        for most in (0, 1, 5):
            found = tally.contrasts(pairs, [1, 3], 1 + most % 2, "é", most, 2)
            said += [found.numbers.tolist(), found.offsets.tolist(), bytes(found.text), found.examples.tolist()]
    return said


@settings(max_examples=examples(80))
@given(
    st.lists(st.tuples(ANY_CELL, ANY_CELL, ANY_CELL), min_size=1, max_size=6),
    st.lists(st.booleans(), min_size=2, max_size=2),
)
def test_engines_agree_on_any_cells(rows: list[Any], nested: list[bool]) -> None:
    require_compiled()
    assert read_all("compiled", rows, nested) == read_all("python", rows, nested)


ARROW_TOKENS = st.lists(st.sampled_from(["a", "b", "ab", "é", "😀", "a b", "x\0", "", None]), max_size=4) | st.none()


@settings(max_examples=examples(30))
@given(
    st.lists(st.tuples(ARROW_TOKENS, ARROW_TOKENS, st.lists(ARROW_TOKENS, max_size=3) | st.none()), max_size=6),
    st.integers(1, 9),
    st.integers(0, 2),
)
def test_engines_agree_on_any_arrow_columns(rows: list[Any], budget: int, skipped: int) -> None:
    require_compiled()
    kinds = [frames.LISTS, pa.large_list(pa.string()), pa.list_(pa.large_list(pa.large_string()))]
    arrays = [pa.array([row[i] for row in rows], kind).slice(skipped) for i, kind in enumerate(kinds)]
    frame: Any = pd.DataFrame({f"c{i}": frames.arrow(array) for i, array in enumerate(arrays)})
    found = []
    for name in ("compiled", "python"):
        with pytest.MonkeyPatch.context() as patch, block_sizes(budget, 4):
            patch.setenv(VARIABLE, name)
            bound = frame.bleu(hypothesis="c0", references=["c1", "c2"], errors="coerce")
            try:
                alone: Any = frame.bleu(hypothesis="c0", references=["c1", "c2"]).components()
            except (TypeError, ValueError) as error:
                alone = pd.Series([type(error).__name__, str(error)])
            found.append([bound.components(), bound.ngrams(ngram="tuple"), bound.ngrams(ngram="list", sep="|"), alone])
    for compiled, python in zip(*found, strict=True):
        assert compiled.equals(python)


def test_both_engines_have_the_interface() -> None:
    require_compiled()
    for name in ("compiled", "python"):
        engine = importlib.import_module(f"bleupandas.engine.{name}")
        assert engine.INTERFACE == INTERFACE
        block = engine.read([["a"]], [[["a"]]], [False], 0, 1, 1)
        assert block.stop == 1
        assert block.faults.dtype == np.uint8


def test_components_refuses_another_shape_of_output() -> None:
    require_compiled()
    block = get_engine().read([["a"]], [[["a"]]], [False], 0, 1, 1)
    for shape in ((9, 1), (10, 2), (10, 0)):
        with pytest.raises(ValueError, match="out is of shape"):
            block.components(4, np.empty(shape, np.int64))


# ---- Blocks ----


def test_a_block_ends_at_the_budget(engine: str) -> None:
    cells: list[object] = [["a"] * 3] * 10
    counting = get_engine()
    for budget, rows in [(1, 1), (4, 1), (5, 2), (8, 2), (9, 3), (1000, 10)]:
        # 4 tokens a row, 3 of the hypothesis and 1 of the reference
        assert counting.read(cells, [[["b"]] * 10], [False], 0, 10, budget).stop == min(rows, 10)
    assert counting.read(cells, [[["b"]] * 10], [False], 7, 9, 1000).stop == 9


@settings(max_examples=examples(20))
@given(segment_lists(most=9, references=2), st.integers(1, 40), st.integers(1, 5))
def test_every_row_is_read_once(engine: str, segments: list[frames.Segment], budget: int, rows: int) -> None:
    frame = frame_of(segments)
    columns = [ObjectColumn(frame[name].to_numpy(), name == "references") for name in frame]
    with block_sizes(budget, rows):
        starts = [(start, block.stop, len(block.faults)) for start, block in read_blocks(columns, budget)]
    assert sum(n for _, _, n in starts) == len(segments)
    assert [start for start, _, _ in starts] == [sum(n for _, _, n in starts[:i]) for i in range(len(starts))]


def numbered(n: int, made: list[int]) -> Iterator[tuple[int, Any]]:
    for i in range(n):
        made.append(i)
        yield i, SimpleNamespace(number=i)


@pytest.mark.parametrize("threads", [1, 2, 4])
@pytest.mark.parametrize("n", [0, 1, 2, 3, 40])
def test_results_come_in_order_and_few_blocks_are_in_flight(threads: int, n: int) -> None:
    made: list[int] = []
    seen = []
    tenfold: Any = lambda start, block: block.number * 10  # noqa: E731
    for start, number in map_blocks(tenfold, numbered(n, made), threads):
        seen.append((start, number))
        assert len(made) <= len(seen) + 2 * threads
    assert seen == [(i, 10 * i) for i in range(n)]


@pytest.mark.parametrize("threads", [1, 3])
def test_an_error_ends_the_work_and_the_threads(threads: int) -> None:
    made: list[int] = []

    def work(start: int, block: Any) -> int:
        if start == 5:
            raise ValueError("at 5")
        return start

    seen: list[int] = []
    with pytest.raises(ValueError, match=r"^at 5$"):
        seen.extend(start for start, _ in map_blocks(work, numbered(1000, made), threads))
    assert len(made) < 20
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("bleupandas")]


def test_leaving_early_ends_the_threads() -> None:
    found = map_blocks(lambda start, block: start, numbered(1000, []), 3)
    assert next(found) == (0, 0)
    found.close()  # type: ignore[attr-defined]
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("bleupandas")]


def test_default_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    cpus = "process_cpu_count" if hasattr(os, "process_cpu_count") else "sched_getaffinity"
    for available, expected in [(1, 1), (3, 3), (64, 4)]:
        answer: Any = available if cpus == "process_cpu_count" else set(range(available))
        monkeypatch.setattr(os, cpus, lambda *_, answer=answer: answer, raising=False)
        assert default_threads() == expected


def test_lengths_are_a_guess_that_never_fails() -> None:
    cells = frames.cells([["a", "b"], ("a",), None, "text", np.array("a"), np.array(["a"] * 3), range(10**9), 5])
    assert ObjectColumn(cells.to_numpy(), False).lengths().tolist() == [2, 1, 0, 0, 0, 3, 0, 0]


# ---- Arrow ----


@pytest.mark.parametrize(
    ("kind", "depth"),
    [
        (pa.list_(pa.string()), 1), (pa.large_list(pa.large_string()), 1), (pa.list_(pa.string(), 3), 1),
        (pa.list_view(pa.string_view()), 1), (pa.list_(pa.dictionary(pa.int8(), pa.string())), 1),
        (pa.list_(pa.large_list(pa.string())), 2), (pa.list_(pa.list_(pa.list_(pa.string()))), 3), (pa.string(), 0),
        (pa.list_(pa.binary()), 0), (pa.list_(pa.int64()), 0), (pa.list_(pa.null()), 0), (pa.null(), 0),
        (pa.struct([("a", pa.list_(pa.string()))]), 0), (pa.map_(pa.string(), pa.string()), 0),
        (pa.list_(pa.dictionary(pa.int8(), pa.binary())), 0),
    ],
)  # fmt: skip
def test_depth(kind: Any, depth: int) -> None:
    assert depth_of(kind) == (depth if depth else 0)


def test_arrow_buffers_are_used_where_they_lie() -> None:
    array = pa.array([["a", "b"], ["c"]], frames.LISTS)
    lists = ArrowColumn(array, True).cells(0, 2)
    assert isinstance(lists, ArrowLists)
    start = array.values.buffers()[2].address
    assert lists.data.__array_interface__["data"][0] == start


def test_windows_of_an_arrow_column_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrow, "WINDOW_TOKENS", 10)
    column = ArrowColumn(pa.array([["a"] * 4] * 20), True)
    assert column.window(0, 20) in (1, 2)
    assert column.window(19, 20) == 20
    long = ArrowColumn(pa.array([["a"] * 400] * 2), True)
    assert long.window(0, 2) == 1
