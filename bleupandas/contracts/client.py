"""Requests over HTTP to a server of the published tools."""

import http.client
import json
import urllib.error
import urllib.parse
import urllib.request
from typing import Any

from bleupandas.contracts.error_text import quote
from bleupandas.contracts.errors import ContractError


class ServerError(Exception):
    """A server's error, or no answer from it.

    Parameters
    ----------
    body : dict
        {"error": {"code", "message", "path"}}.
    is_internal : bool
        Whether the error is not the caller's.
    """

    def __init__(self, body: dict[str, Any], is_internal: bool) -> None:
        super().__init__(body["error"]["message"])
        self.body = body
        self.is_internal = is_internal


def fetch_result(base_url: str, id: str, version: str, body: bytes, timeout: float) -> Any:
    """Return a server's result for an input.

    Parameters
    ----------
    base_url : str
        For example "http://127.0.0.1:8000".
    id, version : str
    body : bytes
        The input as JSON text, sent unchanged.
    timeout : float
        In seconds.

    Raises
    ------
    ContractError
        invalid_input if the base URL is not an HTTP address.
    ServerError
        The server refused the input, failed, or did not answer.
    """
    parts = urllib.parse.urlsplit(base_url)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        message = f"the base URL is {quote(base_url)}; expected one like http://127.0.0.1:8000"
        raise ContractError("invalid_input", message)
    path = f"/v1/tools/{urllib.parse.quote(id, safe='')}/versions/{urllib.parse.quote(version, safe='')}/execute"
    url = base_url.rstrip("/") + path
    headers = {"Content-Type": "application/json", "Accept": "application/json"}
    try:
        request = urllib.request.Request(url, body, headers, method="POST")
        with urllib.request.urlopen(request, timeout=timeout) as answer:
            text = answer.read()
    except urllib.error.HTTPError as error:
        with error:
            raise read_server_error(url, error.code, error.reason, error.read()) from None
    except (OSError, ValueError, http.client.HTTPException) as error:
        why = str(getattr(error, "reason", error)) or type(error).__name__
        raise make_server_error(f"no answer from {url} ({why}); is the server running?", is_internal=True) from None
    try:
        return json.loads(text)["result"]
    except (ValueError, KeyError, TypeError):
        raise make_server_error(f'{url} answered without a "result"; is it a bleupandas server?', True) from None


def read_server_error(url: str, status: int, reason: str, text: bytes) -> ServerError:
    """Return the error in a server's answer."""
    is_internal = status >= 500
    try:
        body = json.loads(text)
        if isinstance(body["error"]["message"], str):
            return ServerError(body, is_internal)
    except (ValueError, KeyError, TypeError):
        pass
    return make_server_error(f"{url} answered {status} {reason} without an error message", is_internal)


def make_server_error(message: str, is_internal: bool) -> ServerError:
    """Return a ServerError whose body has the form of the published errors."""
    return ServerError(ContractError("internal" if is_internal else "invalid_input", message).body, is_internal)
