"""The description of the HTTP server: an OpenAPI document, and a page without scripts."""

import html
import json
from importlib.metadata import version
from typing import Any

from bleupandas.contracts.errors import CODES
from bleupandas.contracts.execute import contracts
from bleupandas.contracts.schema import object_schema

JSON = "application/json"
ERRORS = {
    400: "The body is not JSON, or has no single meaning (invalid_json).",
    404: "No such tool (unknown_tool), or no such version of it (unknown_version).",
    413: "The body is larger than the server accepts (limit_exceeded).",
    415: "The body is not sent as application/json (invalid_input).",
    422: "The input does not follow the input schema (invalid_input) or exceeds a limit (limit_exceeded).",
    500: "The server failed (internal).",
}
CONTRACT_KEYS = (
    "id",
    "version",
    "description",
    "supported_operations",
    "unsupported_operations",
    "semantics",
    "limits",
    "pricing",
    "input_schema",
    "output_schema",
    "examples",
    "execute_url",
)


def openapi_document() -> dict[str, Any]:
    """Return the OpenAPI 3.1 document: every contract's execute with its schemas, and the paths that list contracts.

    Examples
    --------
    >>> from bleupandas.contracts import openapi
    >>> openapi.openapi_document()["openapi"]
    '3.1.0'
    """
    known = contracts()
    parameters = [
        _parameter("id", "The tool.", [contract["id"] for contract in known]),
        _parameter("version", "The version of its contract.", [contract["version"] for contract in known]),
    ]
    one, health = {"$ref": "#/components/schemas/Contract"}, {"$ref": "#/components/schemas/Health"}
    all_of_them = object_schema({"tools": {"type": "array", "items": one}})
    paths: dict[str, Any] = {
        "/healthz": {"get": _describe_get("health", "Return the server's health.", health)},
        "/v1/tools": {"get": _describe_get("tools", "List the contracts.", all_of_them)},
        "/v1/tools/{id}/versions/{version}": {
            "get": {
                **_describe_get("contract", "Return one contract.", one, 404),
                "parameters": parameters,
            }
        },
    }
    for contract in known:
        paths[contract["execute_url"]] = {"post": _describe_execute(contract)}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "bleupandas",
            "version": version("bleupandas"),
            "summary": "What BLEU counted, as published tools",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "paths": paths,
        "components": {"schemas": _schemas()},
    }


def home_page() -> str:
    """Return the HTML page of the server: its paths, and every contract in full."""
    known = contracts()
    return PAGE.format(version=html.escape(version("bleupandas")), contracts="\n".join(map(_section, known)))


def _describe_execute(contract: dict[str, Any]) -> dict[str, Any]:
    examples = {
        f"example {number}": {"value": example["input"]} for number, example in enumerate(contract["examples"], start=1)
    }
    schema = {"schema": contract["input_schema"], "examples": examples}
    return {
        "operationId": f"execute {contract['id']} {contract['version']}",
        "summary": contract["description"],
        "requestBody": {"required": True, "content": {JSON: schema}},
        "responses": {
            "200": _response("The result.", object_schema({"result": contract["output_schema"]})),
            **_error_responses(*ERRORS),
        },
    }


def _describe_get(name: str, summary: str, schema: dict[str, Any], *errors: int) -> dict[str, Any]:
    responses = {"200": _response(summary, schema), **_error_responses(*errors)}
    return {"operationId": name, "summary": summary, "responses": responses}


def _error_responses(*statuses: int) -> dict[str, Any]:
    return {str(status): _response(ERRORS[status], {"$ref": "#/components/schemas/Error"}) for status in statuses}


def _response(description: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"description": description, "content": {JSON: {"schema": schema}}}


def _parameter(name: str, description: str, values: list[str]) -> dict[str, Any]:
    schema = {"type": "string", "enum": list(dict.fromkeys(values))}
    return {"name": name, "in": "path", "required": True, "description": description, "schema": schema}


def _schemas() -> dict[str, Any]:
    string, strings, anything = {"type": "string"}, {"type": "array", "items": {"type": "string"}}, {"type": "object"}
    kinds = {
        **dict.fromkeys(("id", "version", "description", "execute_url"), string),
        **dict.fromkeys(("supported_operations", "unsupported_operations", "semantics"), strings),
        **dict.fromkeys(("limits", "pricing", "input_schema", "output_schema"), anything),
        "examples": {"type": "array", "items": object_schema({"input": anything, "output": anything})},
    }
    pointer = {"type": "string", "description": "JSON Pointer into the input; empty for the whole input."}
    error = object_schema({"code": {"type": "string", "enum": list(CODES)}, "message": string, "path": pointer})
    return {
        "Contract": object_schema({key: kinds[key] for key in CONTRACT_KEYS}),
        "Error": object_schema({"error": error}),
        "Health": object_schema({"status": {"const": "ok"}, "version": string}),
    }


def _section(contract: dict[str, Any]) -> str:
    example = json.dumps(contract["examples"][0], ensure_ascii=False, indent=2)
    parts = [
        f"<section><h2><code>{html.escape(contract['id'])}</code> {html.escape(contract['version'])}</h2>",
        f"<p>{html.escape(contract['description'])}</p>",
        f"<p><code>POST {html.escape(contract['execute_url'])}</code></p>",
        _list("For", contract["supported_operations"]),
        _list("Not for", contract["unsupported_operations"]),
        _list("What it does", contract["semantics"]),
        _list("Limits", [f"{name}: {value}" for name, value in contract["limits"].items()]),
        _folded("Example", example),
        _folded("Input schema", json.dumps(contract["input_schema"], ensure_ascii=False, indent=2)),
        _folded("Output schema", json.dumps(contract["output_schema"], ensure_ascii=False, indent=2)),
        "</section>",
    ]
    return "\n".join(parts)


def _list(title: str, items: list[str]) -> str:
    entries = "".join(f'<li dir="auto">{html.escape(item)}</li>' for item in items)
    return f"<h3>{title}</h3><ul>{entries}</ul>"


def _folded(title: str, text: str) -> str:
    return f"<details><summary>{title}</summary><pre>{html.escape(text)}</pre></details>"


PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>bleupandas {version}</title>
<style>
:root {{ color-scheme: light dark }}
body {{ font: 1rem/1.5 system-ui, sans-serif; max-width: 50rem; margin: 2rem auto; padding: 0 1rem }}
pre {{ overflow-x: auto }}
section {{ border-top: 1px solid; margin-top: 2rem }}
</style>
</head>
<body>
<main>
<h1>bleupandas {version}</h1>
<p>What BLEU counted, as tools over HTTP. The description for programs is <a href="/openapi.json">/openapi.json</a>.</p>
<ul>
<li><code>GET <a href="/v1/tools">/v1/tools</a></code>: all contracts</li>
<li><code>GET /v1/tools/{{id}}/versions/{{version}}</code>: one contract</li>
<li><code>POST /v1/tools/{{id}}/versions/{{version}}/execute</code>: the input as JSON, answered with
<code>{{"result": ...}}</code> or <code>{{"error": {{"code", "message", "path"}}}}</code></li>
<li><code>/mcp</code>: the same for agents, by the Model Context Protocol (streamable HTTP)</li>
<li><code>GET <a href="/healthz">/healthz</a></code>: whether the server answers</li>
</ul>
{contracts}
</main>
</body>
</html>
"""
