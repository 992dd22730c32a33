"""`bleupandas serve`: the published tools over HTTP.

==========================================  =====================================================
``GET /v1/tools``                           ``{"tools": [...]}``, every contract
``GET /v1/tools/{id}/versions/{version}``   one contract
``POST .../execute``                        answers JSON input with ``{"result": ...}``
``/mcp``                                    the Model Context Protocol (streamable HTTP)
``GET /healthz``, ``/openapi.json``, ``/``  health; a description for programs, and one for people
==========================================  =====================================================

Errors are ``{"error": {"code", "message", "path"}}`` with status 400 (invalid_json), 404, 405, 413, 415 or 422
(invalid_input, limit_exceeded).
"""

import contextlib
import copy
import logging
from collections.abc import AsyncIterator
from email.message import Message
from importlib.metadata import version
from typing import Any, Final

from bleupandas.contracts.catalogue import find_tool
from bleupandas.contracts.compact_json import compact_json
from bleupandas.contracts.errors import ContractError
from bleupandas.contracts.execute import contract, contracts, execute_json

try:
    import anyio
    import uvicorn
    from starlette.applications import Starlette
    from starlette.exceptions import HTTPException
    from starlette.requests import ClientDisconnect, Request
    from starlette.responses import HTMLResponse, Response
    from starlette.routing import Route
    from starlette.types import Receive, Scope, Send
    from uvicorn.config import LOGGING_CONFIG
except ImportError as error:
    raise ImportError(f"bleupandas serve lacks packages ({error}): pip install 'bleupandas[serve]'") from error

from bleupandas.contracts.mcp_server import session_manager
from bleupandas.contracts.openapi import JSON, home_page, openapi_document
from bleupandas.contracts.workers import run_in_worker

STATUS: Final = {
    "invalid_json": 400,
    "unknown_tool": 404,
    "unknown_version": 404,
    "invalid_input": 422,
    "limit_exceeded": 422,
    "internal": 500,
}

# The largest valid input has 1,048,576 bytes of tokens. "\u0041" for "A" takes six bytes instead of one, and quotes,
# commas and brackets add more.
BODY_LIMIT: Final = 8 << 20

# A client that sends everything before it reads would see a reset connection instead of the error. So the server reads
# and drops the rest of the body for this long.
LINGER_SECONDS: Final = 2.0

log = logging.getLogger(__name__)


def application(*, host: str = "127.0.0.1", body_limit: int = BODY_LIMIT) -> Starlette:
    """Return the server as an ASGI application, for any ASGI server.

    Parameters
    ----------
    host : str, default "127.0.0.1"
        The address it is served on. On a local address, ``/mcp`` refuses requests for another host's name.
    body_limit : int, default 8388608
        The largest request body, in bytes. It is enforced while the body is read.

    Returns
    -------
    starlette.applications.Starlette

    Examples
    --------
    >>> from bleupandas.contracts import server
    >>> [route.path for route in server.application().routes][:2]
    ['/v1/tools', '/v1/tools/{id}/versions/{version}']
    """

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[dict[str, object]]:
        manager = session_manager(host, body_limit)
        async with manager.run():
            yield {"mcp": manager}

    one = "/v1/tools/{id}/versions/{version}"
    routes = [
        Route("/v1/tools", _get_contracts),
        Route(one, _get_contract),
        Route(f"{one}/execute", _post_execute, methods=["POST"]),
        Route("/mcp", _Mcp()),
        Route("/healthz", _get_health),
        Route("/openapi.json", _get_openapi),
        Route("/", _get_home_page),
    ]
    app = Starlette(
        routes=routes,
        lifespan=lifespan,
        exception_handlers={
            ContractError: _answer_contract_error,
            HTTPException: _answer_http_error,
            ClientDisconnect: _answer_nobody,
            Exception: _answer_internal_error,
        },
    )
    app.router.redirect_slashes = False
    app.state.body_limit = body_limit
    return app


def serve(host: str = "127.0.0.1", port: int = 8000, *, body_limit: int = BODY_LIMIT) -> None:
    """Serve the tools over HTTP until the process is interrupted or terminated; log to stderr.

    Parameters
    ----------
    host : str, default "127.0.0.1"
        The address to listen on; the default is reachable from this machine only. There is no authentication.
    port : int, default 8000
        The port; 0 picks a free one, which the log shows.
    body_limit : int, default 8388608
        The largest request body, in bytes.
    """
    logging_config = copy.deepcopy(LOGGING_CONFIG)
    for handler in logging_config["handlers"].values():
        handler["stream"] = "ext://sys.stderr"
    logging_config["root"] = {"handlers": ["default"], "level": "WARNING"}
    config = uvicorn.Config(
        application(host=host, body_limit=body_limit),
        host=host,
        port=port,
        http="h11",
        ws="none",
        lifespan="on",
        server_header=False,
        log_config=logging_config,
        timeout_graceful_shutdown=10,
    )
    with contextlib.suppress(KeyboardInterrupt):
        uvicorn.Server(config).run()


async def _get_contracts(request: Request) -> Response:
    return _json({"tools": contracts()})


async def _get_contract(request: Request) -> Response:
    return _json(contract(**request.path_params))


async def _post_execute(request: Request) -> Response:
    tool = request.path_params["id"], request.path_params["version"]
    find_tool(*tool)  # an unknown tool is an error before the body is read
    _check_media_type(request)
    body = await _read_body(request, request.app.state.body_limit)
    if body is None:
        return _BodyTooLarge(request.app.state.body_limit)
    output = await run_in_worker(execute_json, *tool, body)
    return Response(b'{"result":%b}' % output.encode(), media_type=JSON)


async def _get_health(request: Request) -> Response:
    return _json({"status": "ok", "version": version("bleupandas")})


async def _get_openapi(request: Request) -> Response:
    return _json(openapi_document())


async def _get_home_page(request: Request) -> Response:
    allowed = {"content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'"}
    return HTMLResponse(home_page(), headers=allowed)


class _Mcp:
    """The MCP endpoint. It is a class, so that Starlette passes all HTTP methods on to it."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await scope["state"]["mcp"].handle_request(scope, receive, send)


def _check_media_type(request: Request) -> None:
    """Raise for a body that is not sent as plain JSON in UTF-8."""
    header = Message()
    header["content-type"] = request.headers.get("content-type", "none")
    if header.get_content_type() != JSON:
        media_type = request.headers.get("content-type")
        raise HTTPException(415, f"the body is sent as {media_type!r}: send it with Content-Type: application/json")
    if (charset := header.get_content_charset("utf-8")) not in ("utf-8", "utf8"):
        raise HTTPException(415, f"the body is sent in {charset!r}: JSON is sent in UTF-8")
    if (encoding := request.headers.get("content-encoding", "identity")).lower() != "identity":
        raise HTTPException(415, f"the body is encoded as {encoding!r}: send it without Content-Encoding")


async def _read_body(request: Request, limit: int) -> bytes | None:
    """Return the body; None as soon as its announced or actual size exceeds the limit."""
    announced = request.headers.get("content-length", "")
    if announced.isdecimal() and int(announced[:20]) > limit:
        return None
    body = bytearray()
    async for chunk in request.stream():
        if len(body) + len(chunk) > limit:
            return None
        body += chunk
    return bytes(body)


class _BodyTooLarge(Response):
    """The error for a body over the limit. It is sent at once, and the rest of the body is dropped."""

    def __init__(self, limit: int) -> None:
        message = f"the body is larger than max_body_bytes, {limit}: send less at a time"
        headers = {"connection": "close"}
        super().__init__(_encode_json(ContractError("limit_exceeded", message).body), 413, headers, JSON)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        await send({"type": "http.response.body", "body": self.body, "more_body": True})
        with anyio.move_on_after(LINGER_SECONDS):
            while (await receive()).get("more_body"):
                pass
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _answer_contract_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, ContractError)
    if error.code == "internal":
        log.error("%s failed", request.url.path, exc_info=error)
    return _json(error.body, STATUS[error.code])


async def _answer_http_error(request: Request, error: Exception) -> Response:
    """Answer an error of HTTP: unknown path, wrong method or media type."""
    assert isinstance(error, HTTPException)
    message = error.detail
    if error.status_code == 404:
        message = f"no path {request.url.path}: see / or /openapi.json for the paths of this server"
    elif error.status_code == 405:
        allowed = (error.headers or {}).get("Allow", "another method")
        message = f"{request.url.path} takes {allowed}, not {request.method}"
    return _json(ContractError("invalid_input", message).body, error.status_code, error.headers)


async def _answer_internal_error(request: Request, error: Exception) -> Response:
    """Answer an internal error without details; uvicorn logs it and closes the connection."""
    return _json(ContractError("internal", "the server failed; its log says why").body, 500, {"connection": "close"})


async def _answer_nobody(request: Request, error: Exception) -> Response:
    return Response(status_code=400)  # the client has gone


def _json(content: object, status: int = 200, headers: Any = None) -> Response:
    return Response(_encode_json(content), status, headers, JSON)


def _encode_json(content: object) -> bytes:
    # An error may quote a lone surrogate, which UTF-8 cannot encode; "\\ud800" is its JSON escape.
    return compact_json(content).encode(errors="backslashreplace")
