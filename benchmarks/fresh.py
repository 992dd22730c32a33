"""Rows that need fresh processes: memory, import, the first call."""

import json
import statistics
import subprocess
import sys
from pathlib import Path

from groups import Sizes
from measuring import Job, Outcome, say

# What a million segments or the documents take together with their n-gram frame, and a reserve.
NEEDED_MB = 17_000


def child(*arguments: object) -> dict[str, float]:
    """Run child.py in a new process; give what it prints."""
    words = [str(argument) for argument in arguments]
    command = [sys.executable, str(Path(__file__).with_name("child.py")), *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"child.py {' '.join(words)} ended with {done.returncode}\n{done.stderr}")
    found: dict[str, float] = json.loads(done.stdout)
    return found


def available_mb() -> int:
    """Return the free memory in MB, 0 if the system is not Linux."""
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
    except OSError:
        return 0
    return next(int(line.split()[1]) // 1024 for line in lines if line.startswith("MemAvailable"))


def memory(row: str, sizes: Sizes) -> Outcome:
    """Measure a row of memory with two threads, which have most blocks in flight."""
    method = "ngrams" if "ngrams" in row else "components"
    form = "arrow" if "arrow" in row else "list"
    n_tokens = sizes.longest if "documents" in row else 0
    wanted = sizes.memory_documents if n_tokens else sizes.million
    available = available_mb()
    if not available:
        return Outcome(reason="needs Linux's /proc", excused=True)
    n_rows = wanted
    if method == "ngrams" and sizes.million >= 1_000_000:
        n_rows = min(wanted, wanted * available // NEEDED_MB)
    found = child("memory", method, form, n_rows, n_tokens)
    note = f"input {found['input']:,.0f} MB, result {found['result']:,.0f} MB"
    if n_rows < wanted:
        note += f"; {n_rows:,} rows, for lack of memory: what is extra does not grow with them"
    say(f"  {row}: extra {found['extra']:,.0f} MB; {note}")
    return Outcome([None, found["extra"]], note=note)


def importing(rounds: int) -> tuple[Outcome, dict[str, Job]]:
    """Compare imports, without the start of Python."""
    statements = ("import bleupandas", "import pandas, pyarrow")
    jobs = {statement: Job(lambda: None, 1, 1) for statement in statements}
    for i in range(-1 if rounds > 1 else 0, rounds):  # -1 is the warm-up
        for statement in statements if i % 2 else statements[::-1]:
            found = child("import", statement)
            if i >= 0:
                jobs[statement].wall.append(found["wall"])
                jobs[statement].user.append(found["user"])
    return compared(*jobs.values()), jobs


def first_call(rounds: int) -> tuple[Outcome, dict[str, Job]]:
    """Compare the first and the second call of processes."""
    jobs = {name: Job(lambda: None, 1000, 1000) for name in ("first", "second")}
    for i in range(-1 if rounds > 1 else 0, rounds):
        found = child("first")
        for name, job in jobs.items():
            if i >= 0:
                job.wall.append(found[name])
                job.user.append(found[f"{name} user"])
    return compared(*jobs.values()), {f"{name} call, 1,000 segments": job for name, job in jobs.items()}


def compared(above: Job, below: Job) -> Outcome:
    """Return the ratio of two jobs."""
    value = statistics.median(above.wall) / statistics.median(below.wall)
    return Outcome([value, None], [min(above.wall) / min(below.wall), None])
