"""A server in a process of its own, which the test that started it stops."""

import contextlib
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field

START = "from bleupandas.contracts import server; {before}; server.serve(port=0)"
SECONDS = 60
COMPONENTS = "/v1/tools/bleu-sentence-components/versions/1.0.0/execute"


@dataclass
class Running:
    """A server that runs: where, and what it has logged."""

    url: str = ""
    port: int = 0
    process_id: int = 0
    stdout: str = ""
    log: list[str] = field(default_factory=list)


@contextlib.contextmanager
def running(before: str = "pass") -> Iterator[Running]:
    """Serve on a free port of 127.0.0.1 until the block ends; after it `stdout` and `log` are complete.

    `before` is a statement that the process runs before it serves.
    """
    command = [sys.executable, "-W", "error", "-c", START.format(before=before)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        served = Running(process_id=process.pid)
        listening = threading.Event()
        reader = threading.Thread(target=follow, args=(process, served, listening))
        reader.start()
        try:
            listening.wait(SECONDS)
            assert served.port, "".join(served.log)
            yield served
        finally:
            process.terminate()
            assert process.stdout is not None
            served.stdout = process.stdout.read()
            process.wait(SECONDS)
            reader.join(SECONDS)


def follow(process: "subprocess.Popen[str]", served: Running, listening: threading.Event) -> None:
    assert process.stderr is not None
    for line in process.stderr:
        served.log.append(line)
        if found := re.search(r"running on (http://127\.0\.0\.1:(\d+))", line):
            served.url, served.port = found[1], int(found[2])
            listening.set()
    listening.set()


def head(length: str) -> bytes:
    """Give the head of a request to bleu-sentence-components, with the header that tells the body's length."""
    lines = [f"POST {COMPONENTS} HTTP/1.1", "Host: 127.0.0.1", "Content-Type: application/json", length, "", ""]
    return "\r\n".join(lines).encode()


def until_closed(connection: socket.socket) -> bytes:
    """Read until the server closes the connection."""
    parts = []
    while part := connection.recv(65536):
        parts.append(part)
    return b"".join(parts)


def resident(process_id: int) -> int:
    """Give the peak of a process's memory so far, in bytes; 0 where the system does not tell."""
    try:
        with open(f"/proc/{process_id}/status", encoding="ascii") as status:
            return next(int(line.split()[1]) << 10 for line in status if line.startswith("VmHWM"))
    except FileNotFoundError:
        return 0
