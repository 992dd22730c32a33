"""Measurements in a separate process: memory, import, the first call. Imports nothing before it has to."""

import ctypes
import gc
import json
import sys
import time
from pathlib import Path

MB = 1 << 20


def memory(method: str, form: str, n_rows: int, n_tokens: int) -> dict[str, float]:
    """Count in this process; give sizes in MB.

    The peak is what the kernel recorded (VmHWM, set back just before). Subtracted are the input, and of the two sizes
    of the result, what pandas says and what stays resident, the smaller: whatever else is kept counts as extra.
    """
    import generated

    import bleupandas

    bleupandas.components(generated.frame([["a"]] * 9, [[["a"]]] * 9))  # all is imported
    bare = resident("VmRSS")
    text = generated.Text()
    if form == "arrow":
        df = text.arrow_frame(n_rows, n_tokens or None)
    else:
        df = generated.frame(*text.segments(n_rows, 1, n_tokens or None))
    del text
    release()
    before = resident("VmRSS")
    Path("/proc/self/clear_refs").write_text("5")
    result = getattr(bleupandas, method)(df, threads=2)
    peak = resident("VmHWM")
    release()
    stays = resident("VmRSS") - before
    size = min(stays, float(result.memory_usage(deep=True, index=True).sum() / MB))
    return {"input": before - bare, "result": size, "extra": peak - before - size}


def resident(field: str) -> float:
    """Read a field of /proc/self/status, in MB."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith(field))


def release() -> None:
    """Return freed memory to the system, so that none of it can hide growth."""
    import pyarrow as pa

    gc.collect()
    pa.default_memory_pool().release_unused()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


def importing(statement: str) -> dict[str, float]:
    """Import in this process."""
    user, start = time.process_time(), time.perf_counter()
    exec(statement, {})
    return {"wall": time.perf_counter() - start, "user": time.process_time() - user}


def first_call() -> dict[str, float]:
    """Count 1,000 segments twice in this process."""
    import generated

    import bleupandas

    df = generated.frame(*generated.Text().segments(1000))
    found: dict[str, float] = {}
    for name in ("first", "second"):
        user, start = time.process_time(), time.perf_counter()
        bleupandas.components(df)
        found |= {name: time.perf_counter() - start, f"{name} user": time.process_time() - user}
    return found


def main() -> None:
    """Measure what the command line says and print it as JSON."""
    kind, *rest = sys.argv[1:]
    if kind == "memory":
        found = memory(rest[0], rest[1], int(rest[2]), int(rest[3]))
    else:
        found = importing(rest[0]) if kind == "import" else first_call()
    print(json.dumps(found))


if __name__ == "__main__":
    main()
