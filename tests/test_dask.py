"""bleupandas.dask: the numbers, dtypes, rows and errors of pandas, however the frame is cut and whoever works on it."""

import ast
import contextlib
import io
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import dask
import dask.dataframe as dd
import distributed
import frames
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import strategies
from hypothesis import given, settings
from hypothesis import strategies as st
from larger import CALLS, MORE, SEGMENTS, TOKENS, arrow_frame, object_frame, same_score, with_bad_rows

import bleupandas
import bleupandas.dask
from bleupandas.common import get_problem


def partitioned(frame: pd.DataFrame, n: int = 4) -> Any:
    with dask.config.set({"dataframe.convert-string": False}):
        return dd.from_pandas(frame, npartitions=n)


def same(found: Any, expected: Any, scheduler: Any = "sync") -> None:
    """The lazy result, computed, is pandas'; its meta says so before, and so do known divisions."""
    computed = found.compute(scheduler=scheduler)
    if isinstance(expected, pd.Series):
        pd.testing.assert_series_equal(computed, expected)
        pd.testing.assert_series_equal(found._meta, expected.iloc[:0])
        return
    pd.testing.assert_frame_equal(computed, expected)
    pd.testing.assert_frame_equal(found._meta, expected.iloc[:0])


@pytest.mark.parametrize("make", [arrow_frame, object_frame])
@pytest.mark.parametrize("errors", ["raise", "coerce"])
@pytest.mark.parametrize(("name", "options"), [*CALLS.items(), *MORE], ids=str)
def test_equal_to_pandas(make: Any, errors: str, name: str, options: dict[str, Any]) -> None:
    frame = with_bad_rows(make()) if errors == "coerce" else make()
    options = {**options, "errors": errors}
    found = getattr(partitioned(frame).bleu, name)(**options)
    same(found, getattr(frame.bleu, name)(**options))
    assert found.divisions == partitioned(frame).divisions
    assert found.known_divisions


BYS: dict[str, Any] = {
    "label": "system",
    "list": ["system"],
    "labels": ["number", "system"],
    "missing keys": "domain",
    "missing keys of two": ["domain", "kind"],
    "categorical": "kind",
    "index level": "key",
    "function": lambda label: label % 3,
}


@pytest.mark.parametrize("by", BYS.values(), ids=BYS)
@pytest.mark.parametrize(
    "options",
    [{}, {"sort": False}, {"dropna": True}, {"observed": False}, {"margins": True}, {"errors": "coerce"}],
    ids=str,
)
def test_groups_equal_those_of_pandas(by: Any, options: dict[str, Any]) -> None:
    frame = with_bad_rows(arrow_frame()) if "errors" in options else arrow_frame()
    expected = frame.bleu.corpus(by=by, **options)
    found = partitioned(frame, 7).bleu.corpus(by=by, split_every=2, **options)
    assert found.npartitions == 1
    pd.testing.assert_frame_equal(found.compute(scheduler="sync"), expected)
    assert found._meta.dtypes.equals(expected.dtypes)
    assert found._meta.index.names == expected.index.names


@pytest.mark.parametrize("options", [{}, {"convention": "sacrebleu", "max_order": 2}, {"errors": "coerce"}], ids=str)
def test_corpus_equals_that_of_pandas(options: dict[str, Any]) -> None:
    frame = with_bad_rows(arrow_frame()) if "errors" in options else arrow_frame()
    found = partitioned(frame, 7).bleu.corpus(split_every=2, **options).compute(scheduler="sync")
    expected = frame.bleu.corpus(**options)
    same_score(found, expected)  # its signature, with the number of references, as well
    same_score(bleupandas.dask.corpus(partitioned(frame), **options).compute(scheduler="sync"), expected)


def test_a_dask_series_groups() -> None:
    frame = arrow_frame()
    ddf = partitioned(frame)
    counted = ddf.bleu.components()
    for by in (ddf["system"], [ddf["system"], ddf["number"]]):
        labels = [key.name for key in by] if isinstance(by, list) else by.name
        same_groups = frame.bleu.corpus(by=labels)
        pd.testing.assert_frame_equal(counted.bleu.corpus(by=by).compute(scheduler="sync"), same_groups)
        pd.testing.assert_frame_equal(ddf.bleu.corpus(by=by).compute(scheduler="sync"), same_groups)


def test_components_columns() -> None:
    frame = arrow_frame()
    counted = frame.bleu.components().assign(system=frame["system"])
    ddf = partitioned(counted)
    for name in ("components", "score", "explain"):
        same(getattr(ddf.bleu, name)(), getattr(counted.bleu, name)())
    same_score(ddf.bleu.corpus().compute(scheduler="sync"), counted.bleu.corpus())
    groups = partitioned(counted.bleu.corpus(by=["system"]), 2)
    same_score(groups.bleu.corpus().compute(scheduler="sync"), counted.bleu.corpus())
    same(groups.bleu.explain(), counted.bleu.corpus(by=["system"]).bleu.explain())


@settings(max_examples=strategies.examples(15))
@given(strategies.segment_lists(most=6, references=3), st.integers(1, 4))
def test_any_segments_in_any_partitions(segments: list[Any], n: int) -> None:
    frame = strategies.frame_of(segments, "list<string>", "list<string>")
    ddf = partitioned(frame, n)
    same(ddf.bleu.components(), frame.bleu.components())
    pd.testing.assert_frame_equal(
        ddf.bleu.ngrams(ngram="tuple").compute(scheduler="sync"), frame.bleu.ngrams(ngram="tuple")
    )
    assert str(ddf.bleu.corpus().compute(scheduler="sync")) == str(frame.bleu.corpus())


# ---- Who works ----


@contextlib.contextmanager
def two_workers() -> Iterator[Any]:
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster,
        distributed.Client(cluster) as connected,
    ):
        yield connected


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with two_workers() as connected:
        yield connected


def everything(frame: Any, ddf: Any, **compute: Any) -> None:
    lazy = [
        ddf.bleu.components(),
        ddf.bleu.ngrams(),
        ddf.bleu.score(),
        ddf.bleu.explain(),
        ddf.bleu.corpus(by="system"),
    ]
    rows, listed, scores, told, groups = dask.compute(*lazy, **compute)
    pd.testing.assert_frame_equal(rows, frame.bleu.components())
    pd.testing.assert_frame_equal(listed, frame.bleu.ngrams())
    pd.testing.assert_series_equal(scores, frame.bleu.score())
    pd.testing.assert_frame_equal(told, frame.bleu.explain())
    pd.testing.assert_frame_equal(groups, frame.bleu.corpus(by="system"))
    same_score(ddf.bleu.corpus().compute(**compute), frame.bleu.corpus())


def test_threads() -> None:
    everything(arrow_frame(), partitioned(arrow_frame()), scheduler="threads", num_workers=2)


def test_processes() -> None:
    everything(arrow_frame(), partitioned(arrow_frame()), scheduler="processes", num_workers=2)


def test_cluster(client: Any) -> None:
    everything(arrow_frame(), partitioned(arrow_frame()), scheduler=client)


def kill_once(part: pd.DataFrame, flag: str) -> pd.DataFrame:
    """End the process that works on a partition, once."""
    if 110 in part.index:
        try:
            os.close(os.open(flag, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            return part
        os.kill(os.getpid(), signal.SIGKILL)
    return part


@pytest.mark.parametrize("run", range(int(os.environ.get("BLEUPANDAS_KILLS", "1"))))
def test_a_worker_that_dies_changes_nothing(tmp_path: Path, run: int) -> None:
    frame = arrow_frame()
    flag = tmp_path / f"killed{run}"
    ddf = partitioned(frame, 8)
    ddf = ddf.map_partitions(kill_once, str(flag), meta=ddf._meta)
    with two_workers() as client:
        lazy = [ddf.bleu.components(), ddf.bleu.corpus(by="system")]
        rows, groups = (future.result(timeout=60) for future in client.compute(lazy))
    assert flag.exists()
    pd.testing.assert_frame_equal(rows, frame.bleu.components())
    pd.testing.assert_frame_equal(groups, frame.bleu.corpus(by="system"))


# ---- What can be wrong ----


@pytest.mark.parametrize(
    ("scheduler", "make"),
    [("sync", arrow_frame), ("sync", object_frame), ("client", object_frame)],
)
def test_a_bad_row_in_the_last_partition(request: pytest.FixtureRequest, scheduler: str, make: Any) -> None:
    frame = make()
    cells = [*frame["hypothesis"][:-1], None]
    frame["hypothesis"] = frames.cells(cells, frame.index).astype(frame["hypothesis"].dtype)
    ddf = partitioned(frame)
    last = len(ddf.partitions[-1])
    compute = {"scheduler": request.getfixturevalue("client") if scheduler == "client" else scheduler}
    missing = f"column 'hypothesis', row 122 (position {last - 1} of its partition): the hypothesis is missing"
    for lazy in (ddf.bleu.components(), ddf.bleu.score(), ddf.bleu.corpus(), ddf.bleu.corpus(by="system")):
        with pytest.raises(ValueError, match="^" + re.escape(missing)) as error:
            dask.compute(lazy, **compute)
        assert len(str(error.value).splitlines()) == 1
    with pytest.raises(ValueError) as pandas_error:  # noqa: PT011
        frame.bleu.ngrams()
    with pytest.raises(ValueError, match="^" + re.escape(str(pandas_error.value))):  # the position in the whole
        dask.compute(ddf.bleu.ngrams(), **compute)


def test_bad_components_columns_are_named_with_their_place() -> None:
    counted = arrow_frame().bleu.components()
    counted.loc[122, "matches_1"] = -1
    with pytest.raises(
        ValueError, match=r"column 'matches_1', row 122 \(position \d of its partition\): got -1"
    ) as error:
        partitioned(counted).bleu.score().compute(scheduler="sync")
    problem = get_problem(error.value)
    assert problem is not None
    assert (problem.column, problem.came) == ("matches_1", "got -1")
    assert problem.row is not None
    assert (problem.row.label, problem.row.part) == (122, "its partition")


def test_lists_that_dask_made_text_of_are_refused() -> None:
    ddf = dd.from_pandas(object_frame(), npartitions=2)
    for name in ("components", "ngrams", "score", "explain", "corpus"):
        with pytest.raises(
            TypeError, match=r"^columns 'hypothesis', 'references': text .* turned them into text, .*convert-"
        ):
            getattr(ddf.bleu, name)()
    with pytest.raises(TypeError, match="column 'references': text"):
        bleupandas.dask.components(dd.from_pandas(object_frame()[["references"]].assign(hypothesis=1), npartitions=2))


def test_labels_and_options_are_checked_at_once() -> None:
    ddf = partitioned(arrow_frame())
    with pytest.raises(KeyError, match="no column 'mt' for the hypothesis"):
        ddf.bleu.components(hypothesis="mt")
    with pytest.raises(KeyError, match=r"no column 'sytem' for by: .* did you mean 'system'"):
        ddf.bleu.corpus(by="sytem")
    with pytest.raises(ValueError, match="max_order is a whole number from 1 to 8, not 9"):
        ddf.bleu.score(max_order=9)
    with pytest.raises(TypeError, match=r"components\(\) has no keyword 'n_gram'; did you mean 'max_order'\?"):
        ddf.bleu.components(n_gram=2)
    with pytest.raises(TypeError, match=r"frame.bleu\(\) has no keyword 'hyp'; did you mean 'hypothesis'\?"):
        ddf.bleu(hyp="x")
    with pytest.raises(TypeError, match="takes a Dask DataFrame here, not DataFrame; a pandas"):
        bleupandas.dask.score(arrow_frame())
    with pytest.raises(TypeError, match=r"by has Grouper.*on a Dask frame it is a column label, a Dask Series"):
        ddf.bleu.corpus(by=pd.Grouper(key="number"))
    with pytest.raises(ValueError, match="split_every is a whole number of at least 2"):
        ddf.bleu.corpus(split_every=1)
    with pytest.raises(KeyError, match="no column 'hypothesis' for ngrams"):
        ddf.bleu.components().bleu.ngrams()


def test_bound_columns() -> None:
    frame = arrow_frame().rename(columns={"hypothesis": "mt", "references": "ref"})
    bound = partitioned(frame).bleu(hypothesis="mt", references=["ref"], max_order=2)
    assert repr(bound) == "<bleu(hypothesis='mt', references=['ref'], max_order=2) of a DataFrame>"
    expected = frame.bleu(hypothesis="mt", references=["ref"], max_order=2)
    same(bound.components(), expected.components())
    same(bound.score(max_order=1), expected.score(max_order=1))


def test_empty_partitions() -> None:
    for make in (arrow_frame, object_frame):
        frame = make()
        kept = frame[frame["number"] == 2]
        ddf = partitioned(frame, 6)
        ddf = ddf[ddf["number"] == 2]
        assert 0 in [len(part) for part in dask.compute(*ddf.to_delayed(), scheduler="sync")]
        everything(kept, ddf, scheduler="sync")
        nothing = ddf[ddf["number"] == 99]
        same(nothing.bleu.components(), kept.iloc[:0].bleu.components())
        same(nothing.bleu.ngrams(), kept.iloc[:0].bleu.ngrams())
        assert nothing.bleu.corpus().compute(scheduler="sync").segments == 0
        assert len(nothing.bleu.corpus(by="system").compute(scheduler="sync")) == 0


@pytest.mark.parametrize("make", [arrow_frame, object_frame])
def test_a_partition_whose_references_are_all_missing(make: Any) -> None:
    frame = make()
    cells = [None if i < 6 else cell for i, cell in enumerate(frame["references"])]
    frame["references"] = frames.cells(cells, frame.index).astype(frame["references"].dtype)
    frame["second"] = frames.cells(frames.nested(SEGMENTS), frame.index).astype(frame["references"].dtype)
    ddf = partitioned(frame)
    same(ddf.bleu.components(errors="coerce"), frame.bleu.components(errors="coerce"))
    assert ddf.bleu.corpus(errors="coerce").compute(scheduler="sync").segments_missing == 6
    same(
        ddf.bleu.components(references=["references", "second"]),
        frame.bleu.components(references=["references", "second"]),
    )


def test_empty_cells_that_nothing_tells_the_meaning_of_are_no_guess() -> None:
    """In a flat column [] is an empty reference, in a nested one it is none; pandas knows it from another row."""
    flat = object_frame().assign(references=frames.cells([[]] * 12 + [["a"]] * 11, arrow_frame().index))
    assert flat.bleu.components()["reference_length"].tolist() == [0] * 12 + [1] * 11
    with pytest.raises(
        ValueError, match=r"column 'references', row 10\d \(position \d of its partition\): got \[\] in a partition"
    ):
        partitioned(flat).bleu.components().compute(scheduler="sync")
    same(partitioned(flat, 1).bleu.components(), flat.bleu.components())
    arrow = flat.astype({"references": pd.ArrowDtype(TOKENS)})
    same(partitioned(arrow).bleu.components(), flat.bleu.components())


# ---- Parquet ----

PANDAS_31 = pytest.mark.filterwarnings("ignore:The inplace keyword in DataFrame.reset_index:DeprecationWarning")  # Dask


def write(path: Path, frame: Any, first: Any = TOKENS, second: Any = None) -> None:
    table = pa.table(
        {
            "hypothesis": frames.converted(frame["hypothesis"].tolist(), first),
            "references": frames.converted(frame["references"].tolist(), second or pa.list_(TOKENS)),
            "system": frame["system"].tolist(),
            "note": ["x" * 100] * len(frame),
        }
    )
    pq.write_table(table, path)


def plan(lazy: Any) -> str:
    """The optimised plan, as it is printed."""
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        lazy.optimize(fuse=False).pprint()
    return text.getvalue()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    frame = object_frame()
    for i in range(0, 23, 8):
        write(tmp_path / f"{i:02}.parquet", frame[i : i + 8])
    return tmp_path


@PANDAS_31
@pytest.mark.parametrize("backend", [{}, {"dtype_backend": "pyarrow"}], ids=str)
def test_only_the_token_columns_are_read(folder: Path, backend: dict[str, Any]) -> None:
    ddf = dd.read_parquet(folder, **backend)
    plans = {
        "components": (ddf.bleu.components(), {"hypothesis", "references"}),
        "score": (ddf.bleu.score(), {"hypothesis", "references"}),
        "ngrams": (ddf.bleu.ngrams(id_vars="system"), {"hypothesis", "references", "system"}),
        "by": (ddf.bleu.corpus(by="system"), {"hypothesis", "references", "system"}),
    }
    frame = object_frame().reset_index(drop=True)
    for lazy, columns in plans.values():
        reads = [set(ast.literal_eval(found)) for found in re.findall(r"columns=(\[.*?\])", plan(lazy))]
        assert reads
        assert all(read == columns for read in reads)
    found = plans["components"][0].compute(scheduler="sync").reset_index(drop=True)
    pd.testing.assert_frame_equal(found, frame.bleu.components())
    same_score(ddf.bleu.corpus().compute(scheduler="sync"), frame.bleu.corpus())
    groups = plans["by"][0].compute(scheduler="sync")
    pd.testing.assert_frame_equal(groups, frame.bleu.corpus(by="system"), check_index_type=False)
    rows = plans["ngrams"][0].compute(scheduler="sync")
    assert rows["segment"].tolist() == frame.bleu.ngrams()["segment"].tolist()


@PANDAS_31
@pytest.mark.parametrize("backend", [{}, {"dtype_backend": "pyarrow"}], ids=str)
def test_files_whose_list_columns_differ_in_type(tmp_path: Path, backend: dict[str, Any]) -> None:
    frame = object_frame()
    large = pa.large_list(pa.large_string())
    write(tmp_path / "0.parquet", frame[:8])
    write(tmp_path / "1.parquet", frame[8:16], large, pa.large_list(large))
    write(tmp_path / "2.parquet", frame[16:], pa.list_(pa.dictionary(pa.int32(), pa.string())))
    ddf = dd.read_parquet(sorted(tmp_path.iterdir()), **backend)
    found = ddf.bleu.components().compute(scheduler="sync").reset_index(drop=True)
    pd.testing.assert_frame_equal(found, frame.bleu.components().reset_index(drop=True))
    nothing = frame[16:].assign(references=None)
    write(tmp_path / "2.parquet", nothing, second=pa.null())
    missing = ddf.bleu.corpus(errors="coerce").compute(scheduler="sync")
    assert (missing.segments, missing.segments_missing) == (16, 7)


def test_importing_bleupandas_does_not_import_engines() -> None:
    code = (
        "import sys, bleupandas; print([m for m in ('dask', 'polars', 'pyspark', 'distributed') if m in sys.modules])"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "[]"
