"""The tools over HTTP: a real uvicorn on 127.0.0.1, and the application itself where a failure has to be staged."""

import asyncio
import contextlib
import json
import re
import socket
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest
from answers import rounded
from hypothesis import given, settings
from hypothesis import strategies as st
from serving import COMPONENTS, Running, head, resident, running, until_closed
from starlette.applications import Starlette

from bleupandas.contracts import server
from bleupandas.contracts.errors import CODES
from bleupandas.contracts.execute import contracts, execute, execute_json
from bleupandas.contracts.server import BODY_LIMIT, application

COUNT = "/v1/tools/bleu-ngrams-count/versions/1.0.0/execute"
EXAMPLES = [
    pytest.param(contract, example, id=f"{contract['id']}-{number}")
    for contract in contracts()
    for number, example in enumerate(contract["examples"])
]
SMALL: dict[str, Any] = {"hypothesis": ["a", "b"], "references": [["a", "b"]]}
SMALL_RESULT = {
    "candidate_length": 2,
    "reference_length": 2,
    "max_order": 4,
    "matches": [2, 1, 0, 0],
    "totals": [2, 1, 0, 0],
}


@pytest.fixture(scope="module")
def served() -> Iterator[Running]:
    with running() as served:
        yield served


@pytest.fixture(scope="module")
def client(served: Running) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=served.url, timeout=60, trust_env=False) as client:
        yield client


def compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def refusal(response: httpx.Response, status: int, code: str) -> str:
    """Check that a response is an error body of this status and code; give its message."""
    assert (response.status_code, response.headers["content-type"]) == (status, "application/json"), response.text
    body = response.json()
    assert list(body) == ["error"]
    assert list(body["error"]) == ["code", "message", "path"]
    assert body["error"]["code"] == code
    assert "\n" not in body["error"]["message"]
    assert "Traceback" not in body["error"]["message"]
    return str(body["error"]["message"])


@pytest.mark.parametrize(("contract", "example"), EXAMPLES)
def test_examples(client: httpx.Client, contract: dict[str, Any], example: dict[str, Any]) -> None:
    response = client.post(contract["execute_url"], json=example["input"])
    assert response.status_code == 200, response.text
    assert response.headers["content-type"] == "application/json"
    assert response.text == compact(response.json())
    # text: the order of the keys too
    assert compact(rounded(response.json())) == compact(rounded({"result": example["output"]}))


def test_published_example(client: httpx.Client) -> None:
    """The published answer of bleu-sentence-components, byte by byte."""
    references = [["the", "cat", "on", "the", "mat"], ["a", "cat"]]
    body = {"hypothesis": ["the"] * 3, "references": references, "max_order": 1, "include_ngrams": True}
    assert client.post(COMPONENTS, json=body).text == (
        '{"result":{"candidate_length":3,"reference_length":2,"max_order":1,"matches":[2],"totals":[3],'
        '"ngrams":[{"order":1,"ngram":["the"],"count":3,"max_reference_count":2,"clipped_count":2}]}}'
    )


def test_contracts(client: httpx.Client) -> None:
    assert client.get("/v1/tools").text == compact({"tools": contracts()})
    for contract in contracts():
        response = client.get(f"/v1/tools/{contract['id']}/versions/{contract['version']}")
        assert response.text == compact(contract)
        assert client.post(contract["execute_url"], json={}).status_code == 422


def test_health(client: httpx.Client) -> None:
    answer = client.get("/healthz").json()
    assert answer["status"] == "ok"
    assert client.head("/healthz").status_code == 200


@pytest.mark.parametrize("body", [b"", b"{", b"[1,]", b"\xff\xfe", b'{"hypothesis": NaN}', b"nothing"])
def test_400(client: httpx.Client, body: bytes) -> None:
    headers = {"content-type": "application/json"}
    refusal(client.post(COMPONENTS, content=body, headers=headers), 400, "invalid_json")


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("/v1/tools/nothing/versions/1.0.0", "unknown_tool"),
        ("/v1/tools/bleu_score/versions/9.0.0", "unknown_version"),
        ("/v1/tools/bleu_score/versions/%FF%00", "unknown_version"),
        ("/v1/tools/bleu_score", "invalid_input"),
        ("/v1/tools/", "invalid_input"),
        ("/nothing", "invalid_input"),
    ],
)
def test_404(client: httpx.Client, path: str, code: str) -> None:
    refusal(client.get(path), 404, code)
    refusal(client.post(f"{path}/execute", json=SMALL), 404, code)


def test_405(client: httpx.Client) -> None:
    response = client.get(COMPONENTS)
    assert refusal(response, 405, "invalid_input") == f"{COMPONENTS} takes POST, not GET"
    assert response.headers["allow"] == "POST"
    refusal(client.post("/v1/tools", json={}), 405, "invalid_input")
    refusal(client.delete("/healthz"), 405, "invalid_input")


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"content-type": "text/plain"},
        {"content-type": "application/x-www-form-urlencoded"},
        {"content-type": "application/jsonp"},
        {"content-type": "application/json; charset=latin-1"},
        {"content-type": "application/json", "content-encoding": "gzip"},
    ],
)
def test_415(client: httpx.Client, headers: dict[str, str]) -> None:
    refusal(client.post(COMPONENTS, content=compact(SMALL), headers=headers), 415, "invalid_input")


@pytest.mark.parametrize(
    "given", ["application/json", "Application/JSON; charset=UTF-8", 'application/json;charset="utf-8"']
)
def test_json_media_types(client: httpx.Client, given: str) -> None:
    response = client.post(COMPONENTS, content=compact(SMALL), headers={"content-type": given})
    assert response.json() == {"result": SMALL_RESULT}


def test_422(client: httpx.Client) -> None:
    refusal(client.post(COMPONENTS, json={**SMALL, "max_order": 9}), 422, "invalid_input")
    refusal(client.post(COMPONENTS, json={**SMALL, "hypothesis": ["語" * 43]}), 422, "limit_exceeded")


def test_unicode(client: httpx.Client) -> None:
    hypothesis = ["שלום", "e\u0301", "é", "🦊", "語", "\u0000", '"\\', "\u2028"]
    body = {"hypothesis": hypothesis, "references": [hypothesis[:5]], "max_order": 1, "include_ngrams": True}
    response = client.post(COMPONENTS, json=body)
    rows = response.json()["result"]["ngrams"]
    assert [row["ngram"] for row in rows] == [[token] for token in hypothesis]
    assert "🦊".encode() in response.content
    assert "שלום".encode() in response.content


def test_body_announced_too_large(served: Running) -> None:
    """It is refused before anything of it is read."""
    with socket.create_connection(("127.0.0.1", served.port), timeout=30) as connection:
        connection.sendall(head(f"Content-Length: {BODY_LIMIT + 1}"))
        answer = until_closed(connection)
    assert answer.startswith(b"HTTP/1.1 413 ")
    assert f"max_body_bytes, {BODY_LIMIT}:" in answer.decode()


def test_chunked_body_is_cut(served: Running) -> None:
    """A body without an announced length is cut while it is read: the client cannot go on sending."""
    before = resident(served.process_id)
    sent = 0
    chunk = b"10000\r\n" + b" " * 0x10000 + b"\r\n"
    with socket.create_connection(("127.0.0.1", served.port), timeout=30) as connection:
        connection.sendall(head("Transfer-Encoding: chunked"))
        start = time.monotonic()
        with contextlib.suppress(OSError):  # reset or broken pipe, as the system likes
            while time.monotonic() < start + 30:
                connection.sendall(chunk)
                sent += 0x10000
    assert sent > BODY_LIMIT
    assert time.monotonic() < start + 20
    assert resident(served.process_id) < before + 4 * BODY_LIMIT


def test_chunked_body_is_refused(served: Running) -> None:
    """A client that sends everything before it reads still gets its answer."""
    chunk = b"100000\r\n" + b" " * 0x100000 + b"\r\n"
    with socket.create_connection(("127.0.0.1", served.port), timeout=30) as connection:
        connection.sendall(head("Transfer-Encoding: chunked") + 2 * BODY_LIMIT // 0x100000 * chunk)
        connection.sendall(b"0\r\n\r\n")
        answer = until_closed(connection)
    assert answer.startswith(b"HTTP/1.1 413 ")
    assert b'"code":"limit_exceeded"' in answer


def test_chunked_body_is_read(client: httpx.Client) -> None:
    text = compact(SMALL).encode()
    pieces = (text[i : i + 3] for i in range(0, len(text), 3))
    response = client.post(COMPONENTS, content=pieces, headers={"content-type": "application/json"})
    assert response.json() == {"result": SMALL_RESULT}


def test_body_limit() -> None:
    """At the limit a body is read, above it is not, however it is cut; nothing is kept beyond it."""
    text = compact(SMALL).encode()

    async def status(body: bytes, size: int) -> int:
        app = application(body_limit=len(text))
        headers = {"content-type": "application/json"}
        async with inside(app) as client:
            chunks = chunked(body, size)
            return (await client.post(COMPONENTS, content=chunks, headers=headers)).status_code

    for size in (1, 7, len(text), 1000):
        assert asyncio.run(status(text, size)) == 200
        assert asyncio.run(status(text + b" ", size)) == 413


def test_client_that_goes_away(served: Running, client: httpx.Client) -> None:
    with socket.create_connection(("127.0.0.1", served.port), timeout=30) as connection:
        connection.sendall(head("Content-Length: 1000") + b"{")
    assert client.get("/healthz").status_code == 200
    assert not [line for line in served.log if "Traceback" in line]


@pytest.mark.parametrize("threads", [32])
def test_concurrency(client: httpx.Client, threads: int) -> None:
    """Many requests of different sizes at a time get their own answers."""

    def ask(number: int) -> bool:
        tokens = [str(i % (number + 2)) for i in range(number * 20)]
        body = compact({"hypothesis": tokens, "references": [tokens[::-1], tokens[: number + 1]]})
        expected = execute_json("bleu-sentence-components", "1.0.0", body)
        response = client.post(COMPONENTS, content=body.encode(), headers={"content-type": "application/json"})
        return response.text == f'{{"result":{expected}}}'

    with ThreadPoolExecutor(threads) as pool:
        assert all(pool.map(ask, range(200)))


def test_counting_runs_off_the_event_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    """While as many requests count as may, the server still answers."""
    counts, may_end = threading.Event(), threading.Event()

    def count(*_: object) -> str:
        counts.set()
        assert may_end.wait(10)
        return "{}"

    monkeypatch.setattr(server, "execute_json", count)

    async def ask() -> None:
        async with inside(application()) as client:
            counting = [asyncio.create_task(client.post(COMPONENTS, json=SMALL)) for _ in range(8)]
            assert await asyncio.to_thread(counts.wait, 10)
            assert (await client.get("/healthz")).status_code == 200
            assert not any(task.done() for task in counting)
            may_end.set()
            assert {response.text for response in await asyncio.gather(*counting)} == {'{"result":{}}'}

    asyncio.run(ask())


@pytest.mark.parametrize(
    "failing",
    [
        "server.execute_json = lambda *_: {}['a secret']",  # a failure of the server
        "import sys; sys.modules['bleupandas.contracts.execute'].parse_json = lambda *_: {}['a secret']",  # of the tool
    ],
)
def test_500(failing: str) -> None:
    """The log says what failed, the client learns only that."""
    with running(failing) as served, httpx.Client(base_url=served.url, trust_env=False) as client:
        response = client.post(COMPONENTS, json=SMALL)
        refusal(response, 500, "internal")
        assert client.get("/healthz").status_code == 200
    assert "secret" not in response.text
    log = "".join(served.log)
    assert "KeyError: 'a secret'" in log
    assert "Traceback" in log


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=20,
)
FIELDS = ["hypothesis", "references", "max_order", "include_ngrams"]


@st.composite
def malformed(draw: st.DrawFn) -> bytes:
    """Bodies that no contract takes: cut, spoilt or random text, and values of the wrong form."""
    text = compact({**SMALL, "max_order": 2}).encode()
    kind = draw(st.sampled_from(["cut", "spoilt", "random", "value", "field"]))
    if kind == "cut":
        return text[: draw(st.integers(0, len(text) - 1))]
    if kind == "spoilt":  # a byte that UTF-8 does not have
        place = draw(st.integers(0, len(text)))
        return text[:place] + draw(st.sampled_from([b"\xff", b"\xc0", b"\x80"])) + text[place:]
    if kind == "random":
        return draw(st.binary(max_size=50))
    value = draw(VALUES)
    body = value if kind == "value" else {**SMALL, draw(st.sampled_from(FIELDS)): {"": value}}
    return json.dumps(body, ensure_ascii=draw(st.booleans())).encode(errors="surrogatepass")


@settings(max_examples=200, derandomize=True)
@given(malformed())
def test_malformed_bodies(client: httpx.Client, body: bytes) -> None:
    response = client.post(COMPONENTS, content=body, headers={"content-type": "application/json"})
    assert 400 <= response.status_code < 500
    assert refusal(response, response.status_code, response.json()["error"]["code"])
    assert response.json()["error"]["code"] in CODES


@pytest.mark.parametrize(
    "body",
    [
        b"[" * 200_000,
        b'{"a":' * 100_000,
        b"1" * 10_000,
        b'{"hypothesis":["\\ud800"],"references":[["a"]]}',
        b'{"\\ud800":1}',
    ],
    ids=["lists", "objects", "digits", "surrogate", "surrogate-key"],
)
def test_hostile_bodies(client: httpx.Client, body: bytes) -> None:
    response = client.post(COMPONENTS, content=body, headers={"content-type": "application/json"})
    assert response.status_code in (400, 422), response.text
    refusal(response, response.status_code, response.json()["error"]["code"])


def test_full_size(client: httpx.Client) -> None:
    """The largest corpus within the limits is within the body limit, also written with six bytes for one."""
    tokens = [chr(ord("A") + i % 26) * 20 for i in range(25)]
    body = {"hypotheses": [tokens] * 1000, "references": [[tokens]] * 1000}
    text = re.sub("[A-Z]", lambda found: f"\\u{ord(found[0]):04x}", compact(body))
    assert 6_000_000 < len(text) < BODY_LIMIT
    response = client.post(COUNT, content=text, headers={"content-type": "application/json"})
    assert response.json() == {"result": execute("bleu-ngrams-count", "1.0.0", body)}


def test_serve_logs_to_stderr_and_stops() -> None:
    with running() as served:
        assert httpx.get(f"{served.url}/healthz", trust_env=False).status_code == 200
    log = "".join(served.log)
    assert served.stdout == ""
    assert "GET /healthz" in log
    assert "Finished server process" in log
    assert "Traceback" not in log


def test_missing_packages() -> None:
    """Without the extra the error is one line that says what to install."""
    code = """
import importlib, sys
sys.modules["mcp"] = None
for module in ("server", "mcp_server"):
    try:
        importlib.import_module(f"bleupandas.contracts.{module}")
    except ImportError as error:
        print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    assert len(lines) == 2
    assert all("pip install 'bleupandas[serve]'" in line for line in lines)


@contextlib.asynccontextmanager
async def inside(app: Starlette) -> AsyncIterator[httpx.AsyncClient]:
    """Give a client of an application in this process."""
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1", timeout=60) as client:
        yield client


async def chunked(body: bytes, size: int) -> AsyncIterator[bytes]:
    for start in range(0, len(body), size):
        yield body[start : start + size]
