"""`bleupandas mcp`: the published tools over the Model Context Protocol, by stdio or streamable HTTP.

Clients see two MCP tools: `execute` ({id, version, input} to {"result": ...}) and `list_contracts`. An error of
`execute` is a tool error (`isError`) whose text and structured content are the error body of the contracts.
"""

import logging
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

from bleupandas.contracts.compact_json import compact_json
from bleupandas.contracts.errors import ContractError
from bleupandas.contracts.execute import contracts, execute
from bleupandas.contracts.schema import object_schema

try:
    import anyio
    from mcp import MCPError
    from mcp.server import Server, ServerRequestContext
    from mcp.server.stdio import stdio_server
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
    from mcp.server.transport_security import TransportSecuritySettings
    from mcp_types import (
        INVALID_PARAMS,
        CallToolRequestParams,
        CallToolResult,
        ListToolsResult,
        PaginatedRequestParams,
        TextContent,
        Tool,
        ToolAnnotations,
    )
except ImportError as error:
    raise ImportError(f"bleupandas mcp lacks packages ({error}): pip install 'bleupandas[serve]'") from error

from bleupandas.contracts.workers import run_in_worker

LOCAL_HOSTS = ("127.0.0.1", "localhost", "::1")

log = logging.getLogger(__name__)


def server() -> "Server[dict[str, Any]]":
    """Return a new MCP server with the two tools and no state.

    Returns
    -------
    mcp.server.Server

    Examples
    --------
    >>> from bleupandas.contracts import mcp_server
    >>> mcp_server.server().name
    'bleupandas'
    """
    return Server(
        "bleupandas",
        version=version("bleupandas"),
        title="bleupandas: what BLEU counted",
        instructions="Call list_contracts to see the tools, then execute with the id and version of a contract and an "
        "input that follows its input_schema. Results are exact; nothing is stored.",
        on_list_tools=_list_tools,
        on_call_tool=_call_tool,
    )


def serve_stdio() -> None:
    """Answer on stdin and stdout until stdin ends; log to stderr.

    Notes
    -----
    While it runs, other output to stdout goes to stderr, so that it cannot break the protocol.
    """
    logging.basicConfig(level=logging.WARNING)
    anyio.run(_serve_stdio)


def session_manager(host: str, body_limit: int) -> StreamableHTTPSessionManager:
    """Return the manager that answers streamable HTTP without sessions; run it by ``async with manager.run()``.

    Parameters
    ----------
    host : str
        The address it is served on. On a local address, requests with another host in their Host or Origin header are
        refused: otherwise a web page could reach the server through a host name of its choice (DNS rebinding).
    body_limit : int
        The largest request body, in bytes.
    """
    security = None
    if host in LOCAL_HOSTS:
        hosts = ["127.0.0.1", "localhost", "[::1]"]
        names = [*hosts, *(f"{name}:*" for name in hosts)]
        security = TransportSecuritySettings(allowed_hosts=names, allowed_origins=[f"http://{name}" for name in names])
    return StreamableHTTPSessionManager(
        server(), json_response=True, stateless=True, security_settings=security, max_request_body_size=body_limit
    )


async def _serve_stdio() -> None:
    mcp_server = server()
    async with stdio_server() as (incoming, outgoing):
        await mcp_server.run(incoming, outgoing, mcp_server.create_initialization_options())


async def _list_tools(context: ServerRequestContext[Any], params: PaginatedRequestParams | None) -> ListToolsResult:
    return ListToolsResult(tools=_get_tools())


async def _call_tool(context: ServerRequestContext[Any], params: CallToolRequestParams) -> CallToolResult:
    function = TOOL_FUNCTIONS.get(params.name)
    if function is None:
        raise MCPError(
            code=INVALID_PARAMS, message=f"no tool {params.name!r}; the tools are {', '.join(TOOL_FUNCTIONS)}"
        )
    try:
        return await run_in_worker(function, params.arguments or {})
    except ContractError as error:
        if error.code == "internal":
            log.exception("the tool %s failed", params.name)
        return _answer(error.body, is_error=True)
    except Exception:  # the client gets no details
        log.exception("the tool %s failed", params.name)
        return _answer(ContractError("internal", "the server failed; its log says why").body, is_error=True)


def _call_execute(arguments: dict[str, Any]) -> CallToolResult:
    names = ("id", "version", "input")
    for name in names:
        if name not in arguments:
            raise ContractError(
                "invalid_input", f"the argument {name!r} of execute is missing: give id, version, input"
            )
        if name != "input" and not isinstance(arguments[name], str):
            raise ContractError("invalid_input", f"the argument {name!r} of execute is no string")
    if other := sorted(arguments.keys() - names):
        raise ContractError("invalid_input", f"execute takes id, version and input, and no {other[0]!r}")
    return _answer({"result": execute(*(arguments[name] for name in names))})


def _call_list_contracts(arguments: dict[str, Any]) -> CallToolResult:
    if arguments:
        raise ContractError("invalid_input", f"list_contracts takes no arguments, and no {min(arguments)!r}")
    return _answer({"tools": contracts()})


TOOL_FUNCTIONS: dict[str, Callable[[dict[str, Any]], CallToolResult]] = {
    "execute": _call_execute,
    "list_contracts": _call_list_contracts,
}


def _answer(content: dict[str, Any], *, is_error: bool = False) -> CallToolResult:
    """Return the content in structured form and, for clients that read text only, as the same JSON."""
    return CallToolResult(
        content=[TextContent(text=compact_json(content))], structured_content=content, is_error=is_error
    )


def _get_tools() -> list[Tool]:
    known = ", ".join(f"{contract['id']} {contract['version']}" for contract in contracts())
    harmless = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)
    string, anything = {"type": "string"}, {"type": "object"}
    return [
        Tool(
            name="execute",
            title="Run a BLEU tool",
            description=f"Run one of the contracts, {known}, on an input that follows its input_schema.",
            input_schema=object_schema(
                {"id": string, "version": string, "input": anything}, ["id", "version", "input"]
            ),
            output_schema=_outcome("result", anything),
            annotations=harmless,
        ),
        Tool(
            name="list_contracts",
            title="List the BLEU tools",
            description="Return the contracts: what each tool does and does not do, schemas, limits, examples.",
            input_schema=object_schema({}, []),
            output_schema=_outcome("tools", {"type": "array", "items": anything}),
            annotations=harmless,
        ),
    ]


def _outcome(name: str, schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of an answer: `name` or `error`, because some clients check structured errors too."""
    error = object_schema({field: {"type": "string"} for field in ("code", "message", "path")})
    outcome = object_schema({name: schema, "error": error}, [])
    return {**outcome, "minProperties": 1, "maxProperties": 1}
