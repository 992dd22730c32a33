"""The tools over MCP: the official client over stdio and over streamable HTTP, each against a server process."""

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import httpx
import pytest
from answers import rounded
from jsonschema_rs import validator_for
from mcp import Client, MCPError, StdioServerParameters, stdio_client
from mcp_types import CallToolResult, TextContent
from serving import Running, running

from bleupandas.contracts import mcp_server
from bleupandas.contracts.execute import contracts, execute
from bleupandas.contracts.mcp_server import server

EXAMPLES = [
    pytest.param(contract, example, id=f"{contract['id']}-{number}")
    for contract in contracts()
    for number, example in enumerate(contract["examples"])
]
COMPONENTS = {"id": "bleu-sentence-components", "version": "1.0.0"}
SMALL: dict[str, Any] = {"hypothesis": ["a", "b"], "references": [["a", "b"]]}
STDIO = StdioServerParameters(
    command=sys.executable,
    args=["-W", "error", "-c", "from bleupandas.contracts import mcp_server as m; m.serve_stdio()"],
)

Calls = Callable[[Callable[[Client], Awaitable[Any]]], Any]


@pytest.fixture(scope="module")
def served() -> Iterator[Running]:
    with running() as served:
        yield served


@pytest.fixture(scope="module", params=["stdio", "http"])
def connected(request: pytest.FixtureRequest, served: Running) -> Calls:
    """Give what connects a client and has it do something."""

    def calls(work: Callable[[Client], Awaitable[Any]]) -> Any:
        async def connect() -> Any:
            async with Client(stdio_client(STDIO) if request.param == "stdio" else f"{served.url}/mcp") as client:
                return await work(client)

        return asyncio.run(connect())

    return calls


def text_of(result: CallToolResult) -> Any:
    """Give the text content, read as JSON; it says the same as the structured content, in the same order."""
    [content] = result.content
    assert isinstance(content, TextContent)
    assert json.dumps(result.structured_content, ensure_ascii=False, separators=(",", ":")) == content.text
    return json.loads(content.text)


def refusal(result: CallToolResult, code: str) -> str:
    assert result.is_error
    error = text_of(result)["error"]
    assert list(error) == ["code", "message", "path"]
    assert error["code"] == code
    return str(error["message"])


def test_examples(connected: Calls) -> None:
    async def ask(client: Client) -> None:
        for contract in contracts():
            for example in contract["examples"]:
                arguments = {"id": contract["id"], "version": contract["version"], "input": example["input"]}
                result = await client.call_tool("execute", arguments)
                assert not result.is_error
                answer = json.dumps(rounded(result.structured_content), ensure_ascii=False)
                assert answer == json.dumps(rounded({"result": example["output"]}), ensure_ascii=False)
                text_of(result)

    connected(ask)


def test_tools(connected: Calls) -> None:
    async def ask(client: Client) -> None:
        listed = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert list(listed) == ["execute", "list_contracts"]
        for contract in contracts():
            assert f"{contract['id']} {contract['version']}" in (listed["execute"].description or "")
        result = await client.call_tool("list_contracts", {})
        assert not result.is_error
        assert text_of(result) == {"tools": contracts()}
        assert text_of(result)["tools"][0]["pricing"]["charge_usd"] is None

    connected(ask)


def test_refusals(connected: Calls) -> None:
    refused: list[tuple[dict[str, Any], str]] = [
        ({**COMPONENTS, "input": {**SMALL, "max_order": 9}}, "invalid_input"),
        ({**COMPONENTS, "input": {**SMALL, "hypothesis": ["語" * 43]}}, "limit_exceeded"),
        ({**COMPONENTS, "input": "[]"}, "invalid_input"),
        ({**COMPONENTS, "input": None}, "invalid_input"),
        ({**COMPONENTS, "id": "nothing", "input": SMALL}, "unknown_tool"),
        ({**COMPONENTS, "version": "9.0.0", "input": SMALL}, "unknown_version"),
        ({**COMPONENTS, "version": 1, "input": SMALL}, "invalid_input"),
        ({**COMPONENTS, "input": SMALL, "inputs": SMALL}, "invalid_input"),
        (COMPONENTS, "invalid_input"),
        ({}, "invalid_input"),
    ]

    async def ask(client: Client) -> None:
        for arguments, code in refused:
            message = refusal(await client.call_tool("execute", arguments), code)
            assert "\n" not in message
        refusal(await client.call_tool("list_contracts", {"id": 1}), "invalid_input")

    connected(ask)


def test_unknown_mcp_tool(connected: Calls) -> None:
    async def ask(client: Client) -> None:
        with pytest.raises(MCPError, match="no tool 'nothing'; the tools are execute, list_contracts"):
            await client.call_tool("nothing", {})

    connected(ask)


def test_unicode_and_numbers(connected: Calls) -> None:
    """Tokens arrive as they are, and 2.0 is an integer here too."""
    hypothesis = ["שלום", "e\u0301", "é", "🦊", "\u0000", '"\\', "\u2028"]
    sent = {"hypothesis": hypothesis, "references": [hypothesis[:5]], "max_order": 2.0, "include_ngrams": True}

    async def ask(client: Client) -> None:
        result = await client.call_tool("execute", {**COMPONENTS, "input": sent})
        assert result.structured_content == {
            "result": execute(COMPONENTS["id"], COMPONENTS["version"], {**sent, "max_order": 2})
        }

    connected(ask)


def test_concurrency(connected: Calls) -> None:
    async def ask(client: Client) -> None:
        async def one(number: int) -> None:
            tokens = [str(i % 7) for i in range(number * 30)]
            sent = {"hypothesis": tokens, "references": [tokens[::-1]]}
            result = await client.call_tool("execute", {**COMPONENTS, "input": sent})
            assert result.structured_content == {"result": execute(COMPONENTS["id"], COMPONENTS["version"], sent)}

        await asyncio.gather(*map(one, range(40)))

    connected(ask)


def test_full_size(connected: Calls) -> None:
    tokens = [f"t{i}" for i in range(25)]
    sent = {"hypotheses": [tokens] * 1000, "references": [[tokens]] * 1000, "detail": "segments"}

    async def ask(client: Client) -> None:
        arguments = {"id": "bleu-ngrams-count", "version": "1.0.0", "input": sent}
        result = await client.call_tool("execute", arguments)
        assert result.structured_content == {"result": execute("bleu-ngrams-count", "1.0.0", sent)}

    connected(ask)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]"])
def test_host_of_this_machine(served: Running, host: str) -> None:
    assert post(served, {"host": f"{host}:{served.port}"}).status_code == 200
    assert post(served, {"host": host, "origin": f"http://{host}:{served.port}"}).status_code == 200


@pytest.mark.parametrize("headers", [{"host": "evil.example"}, {"origin": "http://evil.example"}])
def test_host_of_another_name(served: Running, headers: dict[str, str]) -> None:
    """A web page cannot have a browser call the server by a name of its own."""
    assert post(served, headers).status_code in (403, 421)


def test_body_limit(served: Running) -> None:
    assert post(served, {}, padding=9 << 20).status_code == 413


def test_failure_tells_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> dict[str, Any]:
        raise RuntimeError("a secret")

    monkeypatch.setattr(mcp_server, "execute", fail)

    async def ask() -> None:
        async with Client(server()) as client:
            message = refusal(await client.call_tool("execute", {**COMPONENTS, "input": SMALL}), "internal")
            assert "secret" not in message

    asyncio.run(ask())


def test_schemas() -> None:
    """What is announced for results and errors is what comes."""

    async def ask() -> None:
        async with Client(server()) as client:
            for tool in (await client.list_tools()).tools:
                takes, gives = validator_for(tool.input_schema), validator_for(tool.output_schema or {})
                arguments = {**COMPONENTS, "input": SMALL} if tool.name == "execute" else {}
                assert takes.is_valid(arguments)
                for sent in (arguments, {"nothing": 1}):
                    assert gives.is_valid((await client.call_tool(tool.name, sent)).structured_content)

    asyncio.run(ask())


def post(served: Running, headers: dict[str, str], padding: int = 0) -> httpx.Response:
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    accepted = {"accept": "application/json, text/event-stream", "content-type": "application/json"}
    content = json.dumps(call) + " " * padding
    return httpx.post(f"{served.url}/mcp", content=content, headers={**accepted, **headers}, trust_env=False)
