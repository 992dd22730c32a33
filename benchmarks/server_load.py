"""Put load on `bleupandas serve`: many clients at once, requests of mixed sizes, every answer compared.

python benchmarks/server_load.py [--seconds N] [--clients N] [--quick]

A server is started on a free port of 127.0.0.1 and stopped at the end. The clients keep their connections and send the
next request as soon as they have an answer; what the answer has to be was computed before, in this process. Printed are
requests per second, the time that answers took by kind, and the server's memory. The exit status is 1 if a request
failed, an answer was wrong, or memory went on growing in the second half (measured on Linux only).
"""

import argparse
import asyncio
import contextlib
import json
import os
import random
import re
import statistics
import subprocess
import sys
import threading
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import generated

from bleupandas.contracts.errors import ContractError
from bleupandas.contracts.execute import execute_json

CLIENTS = 64
SECONDS = 20.0
SAMPLE_SECONDS = 0.25
MB = 1 << 20
# By how much the highest memory of the second half may exceed that of the first.
GROWTH, GROWTH_MB = 1.1, 32
START = "from bleupandas.contracts import server; server.serve(port=0)"
STATUS = {"invalid_json": 400, "unknown_tool": 404, "unknown_version": 404, "invalid_input": 422, "limit_exceeded": 422}


class Request(NamedTuple):
    """A request, and what it is answered with."""

    kind: str
    sent: bytes
    status: int
    body: bytes


@dataclass
class Tally:
    """What the clients saw."""

    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    faults: list[str] = field(default_factory=list)
    sent: int = 0
    received: int = 0


def main() -> int:
    """Run what the command line asks for; give the exit status."""
    options = arguments()
    requests = mixed(tiny=options.quick)
    with serving() as (port, process_id):
        asyncio.run(load(port, list(dict.fromkeys(requests)), 1, 0.0))  # everything is imported and warm
        before, used = memory(process_id), cpu_seconds(process_id)
        tally, samples = asyncio.run(watched(port, process_id, requests, options.clients, options.seconds))
        used = cpu_seconds(process_id) - used
    count = sum(map(len, tally.seconds.values()))
    print(f"{options.clients} clients, {options.seconds:g} s, {count:,} requests", end="; ")
    print(f"{tally.sent / MB:,.0f} MB sent, {tally.received / MB:,.0f} MB received")
    print(f"{count / options.seconds:,.0f} requests per second", end="; ")
    print(f"the server used {used / options.seconds:.2f} CPUs, {used / max(count, 1) * 1000:.1f} ms of CPU per request")
    for kind, seconds in sorted(tally.seconds.items()):
        middle, slow = statistics.median(seconds), sorted(seconds)[int(len(seconds) * 0.99)]
        print(f"  {kind:<12} {len(seconds):>7,} answers, median {middle * 1000:6.0f} ms, 99 % {slow * 1000:6.0f} ms")
    faults = tally.faults + growth(before, samples)
    print("\n".join(faults[:20]) if faults else "no error, no wrong answer, memory bounded")
    return 1 if faults else 0


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=None, help=f"how long to send requests (default {SECONDS:g})")
    parser.add_argument("--clients", type=int, default=CLIENTS, help=f"how many at once (default {CLIENTS})")
    parser.add_argument("--quick", action="store_true", help="small requests for 2 seconds, to see that all runs")
    options = parser.parse_args()
    if options.seconds is None:
        options.seconds = 2.0 if options.quick else SECONDS
    return options


@contextlib.contextmanager
def serving() -> Iterator[tuple[int, int]]:
    """Yield the port and the process id of a server that runs until the block ends."""
    with subprocess.Popen([sys.executable, "-c", START], stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr is not None
            lines: list[str] = []
            for line in process.stderr:
                lines.append(line)
                if found := re.search(r"running on http://127\.0\.0\.1:(\d+)", line):
                    break
            else:
                raise RuntimeError("the server did not start:\n" + "".join(lines))
            threading.Thread(target=process.stderr.read, daemon=True).start()  # a full pipe would stop the server
            yield int(found[1]), process.pid
        finally:
            process.terminate()


def mixed(*, tiny: bool) -> list[Request]:
    """Make requests of all kinds, each as often in the list as it is to be sent."""
    text = generated.Text()
    large = 20 if tiny else 1000
    requests: list[Request] = []
    for _ in range(8):
        for kind, call in calls(text, large).items():
            requests += SHARES[kind] * [one(kind, *call)]
        requests += SHARES["mcp"] * [over_mcp(sentence(text))]
    return requests


SHARES = {"sentence": 60, "segments": 20, "corpus": 6, "ngrams": 4, "score": 4, "refused": 4, "mcp": 2}
Call = tuple[str, bytes]


def calls(text: generated.Text, large: int) -> dict[str, Call]:
    """Return one call of each kind: the id of the tool and the body."""
    return {
        "sentence": ("bleu-sentence-components", compact(sentence(text))),
        "segments": ("bleu-ngrams-count", compact(corpus(text, 50, "segments"))),
        "corpus": ("bleu-ngrams-count", compact(corpus(text, large, "totals"))),
        "ngrams": ("bleu-ngrams-count", compact(corpus(text, large // 20, "ngrams"))),
        "score": ("bleu_score", compact(texts(text))),
        "refused": random.choice(
            [
                ("bleu-sentence-components", b'{"hypothesis": ['),
                ("bleu-sentence-components", compact({**sentence(text), "max_order": 9})),
                ("bleu-sentence-components", compact({**sentence(text), "hypothesis": ["語" * 43]})),
            ]
        ),
    }


def sentence(text: generated.Text) -> dict[str, Any]:
    """Return the input of one sentence with all of its n-grams."""
    [hypothesis], [references] = text.segments(1, 3, 24)
    return {"hypothesis": hypothesis, "references": references, "include_ngrams": True}


def corpus(text: generated.Text, n_rows: int, detail: str) -> dict[str, Any]:
    """Return the input of a corpus; 1,000 segments have nearly as many tokens as are allowed."""
    hypotheses, references = text.segments(n_rows, 1, 23)
    return {"hypotheses": hypotheses, "references": references, "detail": detail}


def texts(text: generated.Text) -> dict[str, Any]:
    """Return the input of bleu_score."""
    [hypothesis], [references] = text.segments(1, 2, 24)
    return {"hypothesis": " ".join(hypothesis), "reference": [" ".join(tokens) for tokens in references]}


def one(kind: str, tool: str, body: bytes) -> Request:
    """Make a request of the tool's execute, with the answer that Python gives."""
    try:
        status, answer = 200, b'{"result":%b}' % execute_json(tool, "1.0.0", body).encode()
    except ContractError as error:
        status, answer = STATUS[error.code], compact(error.body)
    return Request(kind, post(f"/v1/tools/{tool}/versions/1.0.0/execute", body), status, answer)


def over_mcp(sent: dict[str, Any]) -> Request:
    """Make a call of MCP's execute; of its answer the structured content is compared."""
    tool = "bleu-sentence-components"
    named = {"name": "execute", "arguments": {"id": tool, "version": "1.0.0", "input": sent}}
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": named}
    result = execute_json(tool, "1.0.0", compact(sent)).encode()
    return Request("mcp", post("/mcp", compact(call)), 200, b'"structuredContent":{"result":%b}' % result)


def post(path: str, body: bytes) -> bytes:
    """Write a request as HTTP/1.1 has it."""
    lines = [
        f"POST {path} HTTP/1.1",
        "Host: 127.0.0.1",
        "Content-Type: application/json",
        "Accept: application/json, text/event-stream",
        f"Content-Length: {len(body)}",
    ]
    return "\r\n".join([*lines, "", ""]).encode() + body


def compact(value: object) -> bytes:
    """Write JSON as the server does."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


async def watched(
    port: int, process_id: int, requests: list[Request], clients: int, seconds: float
) -> tuple[Tally, list[float]]:
    """Put the load on while the server's memory is sampled."""
    samples: list[float] = []

    async def watch() -> None:
        while True:
            samples.append(memory(process_id))
            await asyncio.sleep(SAMPLE_SECONDS)

    watching = asyncio.create_task(watch())
    tally = await load(port, requests, clients, seconds)
    watching.cancel()
    return tally, samples


async def load(port: int, requests: list[Request], clients: int, seconds: float) -> Tally:
    """Run the clients; with 0 seconds each sends every request once."""
    tally = Tally()
    end = time.monotonic() + seconds if seconds else None
    await asyncio.gather(*(client(port, requests, number, end, tally) for number in range(clients)))
    return tally


async def client(port: int, requests: list[Request], number: int, end: float | None, tally: Tally) -> None:
    """Send one request after the other over one connection, in a separate order."""
    order = random.Random(number)
    async with connection(port) as (reader, writer):
        queue: list[Request] = []
        while end is None or time.monotonic() < end:
            if not queue:
                queue = order.sample(requests, len(requests))
            request = queue.pop()
            start = time.perf_counter()
            try:
                writer.write(request.sent)
                await writer.drain()
                status, body = await answer(reader)
            except (OSError, asyncio.IncompleteReadError, ValueError) as error:
                tally.faults.append(f"{request.kind}: no answer: {error!r}")
                return
            tally.seconds[request.kind].append(time.perf_counter() - start)
            tally.sent += len(request.sent)
            tally.received += len(body)
            right = request.body in body if request.kind == "mcp" else request.body == body
            if status != request.status or not right:
                tally.faults.append(f"{request.kind}: status {status}, not {request.status}: {body[:200]!r}")
            if end is None and not queue:
                return


@contextlib.asynccontextmanager
async def connection(port: int) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """Return a connection, closed after use."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        yield reader, writer
    finally:
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()


async def answer(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    """Read an answer: its status and body."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
    length = re.search(r"content-length: (\d+)", head)
    if length is None:
        raise ValueError(f"an answer without a length: {head!r}")
    return int(head.split()[1]), await reader.readexactly(int(length[1]))


def memory(process_id: int, name: str = "VmRSS") -> float:
    """Return what a process holds in memory, in MB; nan if the system does not say."""
    try:
        lines = Path(f"/proc/{process_id}/status").read_text(encoding="ascii").splitlines()
    except OSError:
        return float("nan")
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith(name))


def cpu_seconds(process_id: int) -> float:
    """Return the CPU time that a process has used; nan if the system does not say."""
    try:
        fields = Path(f"/proc/{process_id}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    except OSError:
        return float("nan")
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def growth(before: float, samples: list[float]) -> list[str]:
    """Print the server's memory; give a fault if it went on growing."""
    half = len(samples) // 2
    first, second = max(samples[:half], default=before), max(samples[half:], default=before)
    print(f"memory of the server: {before:.0f} MB before, peak {max(first, second):.0f} MB", end=" ")
    print(f"(first half {first:.0f} MB, second half {second:.0f} MB)")
    if second > first * GROWTH + GROWTH_MB:
        return [f"memory went on growing: {first:.0f} MB, then {second:.0f} MB"]
    return []


if __name__ == "__main__":
    sys.exit(main())
