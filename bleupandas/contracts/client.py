"""A tool asked over HTTP, at a server of this interface."""

import http.client
import json
import urllib.error
import urllib.parse
import urllib.request
from typing import Any

from bleupandas.contracts.errors import ContractError
from bleupandas.contracts.messages import quoted


class ServerError(Exception):
    """What a server answered instead of a result.

    Parameters
    ----------
    body : dict
        {"error": {"code", "message", "path"}}.
    is_ours : bool
        Whether the fault is not the caller's.
    """

    def __init__(self, body: dict[str, Any], is_ours: bool) -> None:
        super().__init__(body["error"]["message"])
        self.body = body
        self.is_ours = is_ours


def remote_result(base_url: str, id: str, version: str, body: bytes, timeout: float) -> Any:
    """Give the result that a server has for an input.

    Parameters
    ----------
    base_url : str
        Such as "http://127.0.0.1:8000".
    id, version : str
    body : bytes
        The input as JSON text, sent as it is.
    timeout : float
        In seconds.

    Raises
    ------
    ContractError
        invalid_input for a base URL that is none.
    ServerError
        The server refused the input, failed, or was not reached.
    """
    parts = urllib.parse.urlsplit(base_url)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        message = f"the base URL is {quoted(base_url)}; expected one like http://127.0.0.1:8000"
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
            raise refused(url, error.code, error.reason, error.read()) from None
    except (OSError, ValueError, http.client.HTTPException) as error:
        why = str(getattr(error, "reason", error)) or type(error).__name__
        raise server_error(f"no answer from {url} ({why}); is the server there?", is_ours=True) from None
    try:
        return json.loads(text)["result"]
    except (ValueError, KeyError, TypeError):
        raise server_error(f'{url} answered without a "result"; is it a server of this interface?', True) from None


def refused(url: str, status: int, reason: str, text: bytes) -> ServerError:
    """Give the error that a server answered with."""
    is_ours = status >= 500
    try:
        body = json.loads(text)
        if isinstance(body["error"]["message"], str):
            return ServerError(body, is_ours)
    except (ValueError, KeyError, TypeError):
        pass
    return server_error(f"{url} answered {status} {reason} without saying why", is_ours)


def server_error(message: str, is_ours: bool) -> ServerError:
    """Word an error in the form of the interface."""
    return ServerError(ContractError("internal" if is_ours else "invalid_input", message).body, is_ours)
