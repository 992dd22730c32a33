"""`bleupandas serve`: the tools over HTTP.

==========================================  =====================================================
``GET /v1/tools``                           ``{"tools": [...]}``, every contract
``GET /v1/tools/{id}/versions/{version}``   one contract
``POST .../execute``                        the input as JSON, answered with ``{"result": ...}``
``/mcp``                                    the Model Context Protocol (streamable HTTP)
``GET /healthz``, ``/openapi.json``, ``/``  whether it answers; what it answers, for programs and for people
==========================================  =====================================================

Refusals are ``{"error": {"code", "message", "path"}}`` with status 400 (invalid_json), 404, 405, 413, 415 or 422
(invalid_input, limit_exceeded).
"""

import contextlib
import copy
import json
import logging
from collections.abc import AsyncIterator
from email.message import Message
from importlib.metadata import version
from typing import Any, Final

from bleupandas.contracts.catalogue import find_tool
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
from bleupandas.contracts.openapi import JSON, document, page
from bleupandas.contracts.workers import in_worker

STATUS: Final = {
    "invalid_json": 400,
    "unknown_tool": 404,
    "unknown_version": 404,
    "invalid_input": 422,
    "limit_exceeded": 422,
    "internal": 500,
}

# The largest input within all limits has 1,048,576 bytes of tokens; "\u0041" for "A" makes six bytes of one, and
# quotes, commas and brackets come on top.
BODY_LIMIT: Final = 8 << 20

# A client that reads only after it has sent everything would see a reset connection instead of the refusal, so what it
# still sends is thrown away for this long.
LINGER_SECONDS: Final = 2.0

log = logging.getLogger(__name__)


def application(*, host: str = "127.0.0.1", body_limit: int = BODY_LIMIT) -> Starlette:
    """Give the server as an ASGI application, for any ASGI server.

    Parameters
    ----------
    host : str, default "127.0.0.1"
        The address that it is served on. On a local one, ``/mcp`` refuses requests for another host's name.
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
        Route("/v1/tools", _tools),
        Route(one, _contract),
        Route(f"{one}/execute", _execute, methods=["POST"]),
        Route("/mcp", _Mcp()),
        Route("/healthz", _health),
        Route("/openapi.json", _document),
        Route("/", _page),
    ]
    app = Starlette(
        routes=routes,
        lifespan=lifespan,
        exception_handlers={
            ContractError: _refused,
            HTTPException: _not_served,
            ClientDisconnect: _gone,
            Exception: _failed,
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
        The address to listen on: this machine only, unless another one is given. There is no authentication.
    port : int, default 8000
        The port; 0 takes a free one, which the log names.
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


async def _tools(request: Request) -> Response:
    return _json({"tools": contracts()})


async def _contract(request: Request) -> Response:
    return _json(contract(**request.path_params))


async def _execute(request: Request) -> Response:
    tool = request.path_params["id"], request.path_params["version"]
    find_tool(*tool)  # that there is no such tool is told before the body is read
    _check_media_type(request)
    body = await _body(request, request.app.state.body_limit)
    if body is None:
        return _TooLarge(request.app.state.body_limit)
    output = await in_worker(execute_json, *tool, body)
    return Response(b'{"result":%b}' % output.encode(), media_type=JSON)


async def _health(request: Request) -> Response:
    return _json({"status": "ok", "version": version("bleupandas")})


async def _document(request: Request) -> Response:
    return _json(document())


async def _page(request: Request) -> Response:
    allowed = {"content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'"}
    return HTMLResponse(page(), headers=allowed)


class _Mcp:
    """The MCP endpoint: a class, so that Starlette hands it all methods as they come."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await scope["state"]["mcp"].handle_request(scope, receive, send)


def _check_media_type(request: Request) -> None:
    """Refuse a body that is not sent as plain JSON in UTF-8."""
    header = Message()
    header["content-type"] = request.headers.get("content-type", "none")
    if header.get_content_type() != JSON:
        given = request.headers.get("content-type")
        raise HTTPException(415, f"the body is sent as {given!r}: send it with Content-Type: application/json")
    if (charset := header.get_content_charset("utf-8")) not in ("utf-8", "utf8"):
        raise HTTPException(415, f"the body is sent in {charset!r}: JSON is sent in UTF-8")
    if (encoding := request.headers.get("content-encoding", "identity")).lower() != "identity":
        raise HTTPException(415, f"the body is encoded as {encoding!r}: send it without Content-Encoding")


async def _body(request: Request, limit: int) -> bytes | None:
    """Read the body; None as soon as it is announced to be or turns out larger than the limit."""
    announced = request.headers.get("content-length", "")
    if announced.isdecimal() and int(announced[:20]) > limit:
        return None
    body = bytearray()
    async for chunk in request.stream():
        if len(body) + len(chunk) > limit:
            return None
        body += chunk
    return bytes(body)


class _TooLarge(Response):
    """The refusal of a body over the limit, sent at once; what still comes is thrown away."""

    def __init__(self, limit: int) -> None:
        message = f"the body is larger than max_body_bytes, {limit}: send less at a time"
        headers = {"connection": "close"}
        super().__init__(_text(ContractError("limit_exceeded", message).body), 413, headers, JSON)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        await send({"type": "http.response.body", "body": self.body, "more_body": True})
        with anyio.move_on_after(LINGER_SECONDS):
            while (await receive()).get("more_body"):
                pass
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, ContractError)
    if error.code == "internal":
        log.error("%s failed", request.url.path, exc_info=error)
    return _json(error.body, STATUS[error.code])


async def _not_served(request: Request, error: Exception) -> Response:
    """Answer what HTTP itself refuses: no such path, method or media type."""
    assert isinstance(error, HTTPException)
    message = error.detail
    if error.status_code == 404:
        message = f"there is no {request.url.path}: / and /openapi.json say what there is"
    elif error.status_code == 405:
        allowed = (error.headers or {}).get("Allow", "another method")
        message = f"{request.url.path} takes {allowed}, not {request.method}"
    return _json(ContractError("invalid_input", message).body, error.status_code, error.headers)


async def _failed(request: Request, error: Exception) -> Response:
    """Answer a failure of ours, of which the client learns nothing; uvicorn logs it and closes the connection."""
    return _json(ContractError("internal", "the server failed; its log says why").body, 500, {"connection": "close"})


async def _gone(request: Request, error: Exception) -> Response:
    return Response(status_code=400)  # nobody reads it


def _json(content: object, status: int = 200, headers: Any = None) -> Response:
    return Response(_text(content), status, headers, JSON)


def _text(content: object) -> bytes:
    # A lone surrogate, which an error may quote, has no UTF-8; as "\\ud800" it is the JSON escape of itself.
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode(errors="backslashreplace")
