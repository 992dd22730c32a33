"""Store what every public function returns, and compare another tree with it.

    python tests/results store FILE [--spark] [--only ROUND ...]
    python tests/results compare FILE [--prose] [--spark] [--only ROUND ...] [--other STORED]

It uses public names only, so that it runs on trees whose files are laid out differently: copy the folder there.
Values, dtypes, indexes, names, error types and the places that errors name are compared exactly, and so are whole
answers and messages of the published tools. Text that people read (reasons, advice, messages, labels of plots,
headings and sentences of pages) may be reworded; `--prose` lists what was. Of tables in pages the cells are compared:
the numbers of a cell that has some, else its text. `compare` prints a line for each difference, and exits 1 when
there is one.
"""

import argparse
import gzip
import importlib
import os
import pickle
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from differences import differences

ROOT = Path(__file__).resolve().parents[2]
ENGINES = ("compiled", "python")
ROUNDS: dict[str, list[str]] = {
    "frame_calls": ["signature_calls", "option_calls", "awkward_calls", "malformed_calls", "single_calls"],
    "contract_calls": ["tool_calls", "command_calls"],
    "engine_calls": ["dask_calls", "polars_calls", "scan_calls", "read_calls", "spark_calls"],
    "page_calls": ["show_calls", "inspect_calls", "report_calls", "plot_calls"],
}
# What takes long and is made from numbers that the other rounds compare on both engines.
COMPILED_ONLY = {"signature_calls", "inspect_calls", "report_calls", "plot_calls"}


def chosen(spark: bool, only: list[str]) -> list[str]:
    """Return the names of the rounds to do."""
    every = [name.removesuffix("_calls") for names in ROUNDS.values() for name in names]
    return [name for name in every if (name in only if only else name != "spark" or spark)]


def results_of(engine: str, wanted: list[str]) -> dict[str, Any]:
    """Return the results of this process's engine by the name of the call."""
    results: dict[str, Any] = {}
    for module, rounds in ROUNDS.items():
        for name in rounds:
            if name.removesuffix("_calls") not in wanted or (engine == "python" and name in COMPILED_ONLY):
                continue
            start, before = time.perf_counter(), len(results)
            for title, call in getattr(importlib.import_module(module), name)():
                key = f"{name.removesuffix('_calls')}: {title}"
                while key in results:
                    key += " again"
                results[key] = call()
            took = time.perf_counter() - start
            print(f"{engine} {name}: {len(results) - before} calls, {took:.1f} s", file=sys.stderr)
    return results


def run(wanted: list[str]) -> dict[str, Any]:
    """Return the results of both engines, each in a process of its own."""
    results: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        children = {}
        for engine in ENGINES:
            path = Path(folder) / engine
            paths = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
            environment = os.environ | {"BLEUPANDAS_ENGINE": engine, "PYTHONPATH": os.pathsep.join(paths)}
            command = [sys.executable, str(Path(__file__).parent), "child", str(path), "--only", *wanted]
            children[path] = subprocess.Popen(command, env=environment)
        for path, child in children.items():
            if child.wait():
                raise SystemExit(f"the {path.name} engine's process ended with {child.returncode}")
        for path in children:
            results |= {f"{path.name} {key}": tree for key, tree in pickle.loads(path.read_bytes()).items()}
    return results


def read(path: Path) -> dict[str, Any]:
    with gzip.open(path) as stream:
        stored: dict[str, Any] = pickle.load(stream)
    return stored


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["store", "compare", "child"])
    parser.add_argument("file", type=Path)
    parser.add_argument("--spark", action="store_true", help="call bleupandas.spark too, which is slow")
    parser.add_argument("--prose", action="store_true", help="list text that was reworded as well")
    parser.add_argument("--only", nargs="+", default=[], metavar="ROUND", help="option, awkward, malformed, tool, ...")
    parser.add_argument("--other", type=Path, metavar="STORED", help="compare with a stored file and call nothing")
    given = parser.parse_args()
    wanted = chosen(given.spark, given.only)
    if given.what == "child":
        import bleupandas

        engine = os.environ["BLEUPANDAS_ENGINE"]
        print(f"{engine} engine, {bleupandas.__file__}", file=sys.stderr)
        given.file.write_bytes(pickle.dumps(results_of(engine, wanted)))
        return 0
    results = read(given.other) if given.other else run(wanted)
    if given.what == "store":
        with gzip.open(given.file, "wb", compresslevel=3) as stream:
            pickle.dump(results, stream)
        print(f"{len(results)} results stored")
        return 0
    stored, results = (
        {key: tree for key, tree in trees.items() if key.split(" ", 1)[1].split(":")[0] in wanted}
        for trees in (read(given.file), results)
    )
    found = 0
    for line in differences(stored, results, prose=given.prose):
        print(line.removeprefix(" / "))
        found += 1
    print(f"{len(stored)} results stored, {len(results)} now, {found} differences")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
