"""Measure the package against other ways to the same numbers, and print one table of ratios.

python benchmarks/run.py [--check] [--quick] [--only PATTERN] [--rounds N] [--markdown]

All sides of a ratio run in one process, in turn; which of them begins a round rotates. Shown are ratios of medians, and
in brackets of minima; then, job by job, wall time and user CPU time, since new pages for a large result can cost more
than counting. --check exits with 1 if a row misses its bound. --quick measures next to nothing, to see that all runs.
"""

import argparse
import dataclasses
import fnmatch
import importlib.metadata
import os
import platform
import statistics
import sys
import time
import warnings
from collections.abc import Sequence
from pathlib import Path

import fresh
import groups
import rivals
from bounds import ROWS, Row
from groups import GROUPS, Sizes
from measuring import ROUNDS, Job, Outcome, measure, say

PACKAGES = ("bleupandas", "pandas", "numpy", "pyarrow", "sacrebleu", "sacrebleu-mojo", "nltk")


def main() -> int:
    """Run what the command line asks for; give the exit status."""
    options = arguments()
    sizes = groups.QUICK if options.quick else Sizes()
    rows = [row for row in ROWS if fnmatch.fnmatch(row.name, options.only)]
    if not rows:
        say(f"no row is called {options.only!r}; there are: {', '.join(row.name for row in ROWS)}")
        return 2
    # Sentences without a match are no news; nothing else may hide here.
    warnings.filterwarnings("ignore", message=r"\s*The hypothesis contains 0 counts")
    load = f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"
    started = time.perf_counter()
    outcomes, jobs = measured([row.name for row in rows], sizes, 1 if options.quick else options.rounds)
    say(f"done in {time.perf_counter() - started:.0f} s")
    render = markdown if options.markdown else aligned
    print(f"{machine()}; load when it began {load}")
    print()
    if options.quick:
        print("--quick: a trial run on tiny input; the figures mean nothing\n")
        rows = [dataclasses.replace(row, bounds=(None, None)) for row in rows]
    print(render(["work", "against", "bound", "one thread", "two threads", "note"], table(rows, outcomes)))
    print()
    print(render(["job", "rows", "median, ms", "minimum, ms", "user CPU, ms"], times(jobs)))
    if not options.check:
        return 0
    found = misses(rows, outcomes)
    print()
    print("\n".join(found) if found else "every row is within its bound")
    return 1 if found else 0


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="exit with 1 if a row misses its bound, and name it")
    parser.add_argument("--quick", action="store_true", help="tiny sizes, no bounds: only to see that it runs")
    parser.add_argument("--only", default="*", metavar="PATTERN", help="rows whose name matches, such as 'memory-*'")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"how often each job is measured ({ROUNDS})")
    parser.add_argument("--markdown", action="store_true", help="print Markdown tables")
    options = parser.parse_args()
    if options.check and options.quick:
        parser.error("--check needs the full sizes; leave --quick out")
    if options.rounds < 1:
        parser.error("--rounds is at least 1")
    return options


def measured(names: Sequence[str], sizes: Sizes, rounds: int) -> tuple[dict[str, Outcome], dict[str, Job]]:
    """Measure rows: first what needs fresh processes, while this one is small."""
    outcomes: dict[str, Outcome] = {}
    jobs: dict[str, Job] = {}
    for name in names:
        if name.startswith("memory"):
            say(name)
            if sizes == groups.QUICK and name in ("memory-components-documents", "memory-ngrams"):
                outcomes[name] = Outcome(reason="left out of --quick: others take the same way", excused=True)
            else:
                outcomes[name] = fresh.memory(name, sizes)
    for name, compare in (("import", fresh.importing), ("first-call", fresh.first_call)):
        if name in names:
            say(name)
            outcomes[name], more = compare(rounds)
            jobs |= more
    for make, held in GROUPS.items():
        if held & set(names):
            say(", ".join(name for name in names if name in held))
            found, more = measure(make(sizes), names, rounds)
            outcomes |= found
            jobs |= more
    return outcomes, jobs


# ---- What is printed ----


def machine() -> str:
    """Print the kind of machine."""
    try:
        processor = rivals.generic_processor(Path("/proc/cpuinfo").read_text())
    except OSError:
        processor = platform.machine()
    versions = []
    for package in PACKAGES:
        try:
            versions.append(f"{package} {importlib.metadata.version(package)}")
        except importlib.metadata.PackageNotFoundError:
            versions.append(f"no {package}")
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return f"{processor}, {cores} cores, {platform.system()}, Python {platform.python_version()}; {', '.join(versions)}"


def table(rows: Sequence[Row], outcomes: dict[str, Outcome]) -> list[list[str]]:
    """Return the cells of the table of ratios."""
    lines = []
    for row in rows:
        outcome = outcomes[row.name]
        bounds = [f"{bound:g}" for bound in row.bounds if bound is not None]
        values = [format_value(row, outcome, column) for column in (0, 1)]
        limit = f"{row.sense} {' / '.join(bounds)} {row.unit}" if bounds else ""
        lines.append([row.work, row.against, limit, *values, outcome.reason or outcome.note])
    return lines


def format_value(row: Row, outcome: Outcome, column: int) -> str:
    """Return one measured value, marked if it is not within its bound."""
    value, best = outcome.values[column], outcome.best[column]
    if value is None:
        return ""
    text = f"{rounded(value)} {row.unit}" + (f" ({rounded(best)})" if best is not None else "")
    return text if row.holds(value, column) else f"{text} !"


def rounded(value: float) -> str:
    """Return a number with about three digits."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def times(jobs: dict[str, Job]) -> list[list[str]]:
    """Return the cells of the table of times."""
    lines = []
    for name, job in jobs.items():
        rows = f"{job.items:,}" + (f" of {job.scaled_to:,}, scaled up" if job.items < job.scaled_to else "")
        seconds = statistics.median(job.wall), min(job.wall), statistics.median(job.user)
        lines.append([name, rows, *(f"{1000 * s * job.scale:,.1f}" for s in seconds)])
    return lines


def misses(rows: Sequence[Row], outcomes: dict[str, Outcome]) -> list[str]:
    """Return the names of the rows that are not within their bounds, or were not measured without an excuse."""
    found = []
    for row in rows:
        outcome = outcomes[row.name]
        if outcome.reason and not outcome.excused:
            found.append(f"{row.name}: {outcome.reason}")
        for column, threads in enumerate(("one thread", "two threads")):
            value = outcome.values[column]
            if value is not None and not row.holds(value, column):
                bound = f"{row.sense} {row.bounds[column]:g} {row.unit}"
                found.append(f"{row.name}: {row.work}, {threads}: {rounded(value)} {row.unit}, expected {bound}")
    return found


def markdown(head: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    """Lay a table out in Markdown."""
    return "\n".join(f"| {' | '.join(line)} |" for line in [head, ["---"] * len(head), *lines])


def aligned(head: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    """Lay a table out for a terminal."""
    cells = [head, *lines]
    widths = [max(len(line[i]) for line in cells) for i in range(len(head))]
    return "\n".join("  ".join(cell.ljust(n) for cell, n in zip(line, widths, strict=True)).rstrip() for line in cells)


if __name__ == "__main__":
    sys.exit(main())
