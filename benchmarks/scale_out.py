"""Files larger than a frame should be: wall time and peak memory on pandas, Dask, Polars, Spark and without an engine.

``python benchmarks/scale_out.py --segments 200000`` tries it small. Every job runs in a separate process and gives
corpus(by="system") of the same generated segments, in 10 and in 50 Parquet files with row groups of 50,000. Linux only:
peak memory is read from /proc.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from generated import Ids, Text
from measuring import say

ROW_GROUP = 50_000
SYSTEMS = 5
POLL = 0.05  # seconds


# ---- Generated files ----


def token_column(words: Any, ids: Ids, lengths: Ids) -> Any:
    """Make list<string> of words by their numbers."""
    ends = pa.array(np.r_[0, np.cumsum(lengths)].astype(np.int32))
    return pa.ListArray.from_arrays(ends, words.take(pa.array(ids)))


def write_files(folder: Path, segments: int, files: list[int]) -> None:
    """Write the same segments to folders of some number of files each, a row group at a time."""
    text = Text()
    words = pa.array(text.words.tolist())
    kind = pa.schema(
        {"system": pa.string(), "hypothesis": pa.list_(pa.string()), "references": pa.list_(pa.list_(pa.string()))}
    )
    writers: dict[Path, pq.ParquetWriter] = {}
    for start in range(0, segments, ROW_GROUP):
        rows = min(ROW_GROUP, segments - start)
        lengths = text.lengths(rows)
        ids = text.drawn(int(lengths.sum()))
        reference = token_column(words, *text.noisy(ids, lengths))
        nested = pa.ListArray.from_arrays(pa.array(np.arange(rows + 1, dtype=np.int32)), reference)
        systems = pa.array([f"system {i % SYSTEMS}" for i in range(start, start + rows)])
        table = pa.table([systems, token_column(words, ids, lengths), nested], schema=kind)
        for number in files:
            path = folder / str(number) / f"{start * number // segments:03}.parquet"
            path.parent.mkdir(exist_ok=True)
            if path not in writers:
                writers[path] = pq.ParquetWriter(path, kind)
            writers[path].write_table(table)
    for writer in writers.values():
        writer.close()


# ---- Jobs ----


def on_pandas(folder: str) -> Any:
    import pandas as pd

    import bleupandas as bleupandas

    frame: Any = pd.read_parquet(folder, dtype_backend="pyarrow")
    return frame.bleu.corpus(by="system", threads=1)


def on_dask_threads(folder: str) -> Any:
    import dask
    import dask.dataframe as dd

    import bleupandas.dask

    with dask.config.set(scheduler="threads", num_workers=2):
        ddf = dd.read_parquet(folder, dtype_backend="pyarrow", split_row_groups=True)
        return bleupandas.dask.corpus(ddf, by="system").compute()


def on_dask_workers(folder: str) -> Any:
    import dask.dataframe as dd
    from distributed import Client, LocalCluster

    import bleupandas.dask

    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster, Client(cluster):
        ddf = dd.read_parquet(folder, dtype_backend="pyarrow", split_row_groups=True)
        return bleupandas.dask.corpus(ddf, by="system").compute()


def on_polars(folder: str) -> Any:
    import polars as pl

    import bleupandas.polars

    rows = pl.scan_parquet(folder + "/*.parquet")
    return bleupandas.polars.corpus(rows, by="system", threads=1).collect(engine="streaming").to_pandas()


def on_spark(folder: str) -> Any:
    from pyspark.sql import SparkSession

    import bleupandas.spark

    os.environ |= {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    builder: Any = SparkSession.builder
    for name in ("spark.ui.enabled", "spark.ui.showConsoleProgress"):
        builder = builder.config(name, "false")
    spark = builder.config("spark.log.level", "OFF").config("spark.sql.shuffle.partitions", "2").master("local[2]")
    return bleupandas.spark.corpus(spark.getOrCreate().read.parquet(folder), by="system").toPandas()


def scanned(folder: str) -> Any:
    import bleupandas

    return bleupandas.scan_parquet(folder).bleu.corpus(by="system", threads=2)


JOBS: dict[str, Callable[[str], Any]] = {
    "pandas, threads=1": on_pandas,
    "Dask, 2 threads": on_dask_threads,
    "Dask, 2 workers": on_dask_workers,
    "Polars, lazy": on_polars,
    "Spark, local[2]": on_spark,
    "scan_parquet, threads=2": scanned,
}


def run_job(name: str, folder: str) -> None:
    """Do one job in this process, and print its seconds and its sums."""
    start = time.perf_counter()
    found = JOBS[name](folder)
    seconds = time.perf_counter() - start
    sums = found.reset_index().sort_values("system")[["matches_1", "matches_4", "totals_4", "segments"]]
    print("RESULT " + json.dumps([seconds, sums.astype(int).to_numpy().tolist()]), flush=True)


# ---- Measuring ----


def peaks(root: int, found: dict[int, tuple[str, int]]) -> None:
    """Note the peak resident memory, in bytes, of a process and all that it started."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parents[int(entry.name)] = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
            except (OSError, IndexError):
                continue
    family = {root}
    while more := {child for child, parent in parents.items() if parent in family} - family:
        family |= more
    for process in family:
        try:
            status = Path(f"/proc/{process}/status").read_text()
        except OSError:
            continue
        lines = dict(line.split(":", 1) for line in status.splitlines() if ":" in line)
        if "VmHWM" in lines:
            found[process] = lines["Name"].strip(), int(lines["VmHWM"].split()[0]) * 1024


def measured(name: str, folder: Path) -> tuple[float, list[list[int]], str]:
    """Run a job in a separate process: seconds, sums, and the peak of each process of at least 100 MB."""
    command = [sys.executable, __file__, "--job", name, "--folder", str(folder)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    found: dict[int, tuple[str, int]] = {}
    while process.poll() is None:
        peaks(process.pid, found)
        time.sleep(POLL)
    assert process.stdout is not None
    lines = [line for line in process.stdout.read().splitlines() if line.startswith("RESULT ")]
    if process.returncode or not lines:
        raise SystemExit(f"{name} failed; run it alone: {' '.join(command)}")
    seconds, sums = json.loads(lines[-1].removeprefix("RESULT "))
    own = found.pop(process.pid, ("", 0))[1]
    others = sorted(f"{kind} {peak / 1e6:,.0f}" for kind, peak in found.values() if peak > 1e8)
    return seconds, sums, f"{own / 1e6:,.0f}" + (f"; {', '.join(others)}" if others else "")


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--segments", type=int, default=5_000_000)
    parser.add_argument("--files", type=int, nargs="+", default=[10, 50])
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--only", nargs="+", choices=JOBS, default=list(JOBS))
    parser.add_argument("--job", choices=JOBS, help=argparse.SUPPRESS)
    parser.add_argument("--folder", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.job:
        run_job(given.job, given.folder)
        return
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        write_files(Path(folder), given.segments, given.files)
        size = sum(path.stat().st_size for path in Path(folder, str(given.files[0])).iterdir())
        say(f"{given.segments:,} segments, {size / 1e6:,.0f} MB, written in {time.perf_counter() - start:.0f} s")
        print(f"| {given.segments:,} segments | files | wall time, s | against pandas | peak MB: main; others |")
        print("|---|--:|--:|--:|---|")
        first: Any = None
        for number in given.files:
            base = 0.0
            for name in given.only:
                runs = [measured(name, Path(folder, str(number))) for _ in range(given.rounds)]
                seconds, sums, memory = min(runs)
                first = first or sums
                assert sums == first, f"{name} gives other sums"
                base = base or seconds
                print(f"| {name} | {number} | {seconds:.1f} | {seconds / base:.2f} x | {memory} |", flush=True)


if __name__ == "__main__":
    main()
