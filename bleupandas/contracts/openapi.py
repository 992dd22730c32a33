"""What the HTTP server says of itself: the OpenAPI document, and a page that needs neither scripts nor the network."""

import html
import json
from importlib.metadata import version
from typing import Any

from bleupandas.contracts.errors import CODES
from bleupandas.contracts.execute import contracts

JSON = "application/json"
REFUSALS = {
    400: "The body is no JSON text, or none that has one meaning (invalid_json).",
    404: "There is no such tool (unknown_tool) or no such version of it (unknown_version).",
    413: "The body is larger than the server reads (limit_exceeded).",
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


def document() -> dict[str, Any]:
    """Give the OpenAPI 3.1 document: each contract's execute with its own schemas, and what leads there.

    Examples
    --------
    >>> from bleupandas.contracts import openapi
    >>> openapi.document()["openapi"]
    '3.1.0'
    """
    known = contracts()
    parameters = [
        _parameter("id", "The tool.", [contract["id"] for contract in known]),
        _parameter("version", "The version of its contract.", [contract["version"] for contract in known]),
    ]
    one, health = {"$ref": "#/components/schemas/Contract"}, {"$ref": "#/components/schemas/Health"}
    all_of_them = _object({"tools": {"type": "array", "items": one}})
    paths: dict[str, Any] = {
        "/healthz": {"get": _reading("health", "Tell that the server answers.", health)},
        "/v1/tools": {"get": _reading("tools", "List the contracts.", all_of_them)},
        "/v1/tools/{id}/versions/{version}": {
            "get": {
                **_reading("contract", "Give one contract.", one, 404),
                "parameters": parameters,
            }
        },
    }
    for contract in known:
        paths[contract["execute_url"]] = {"post": _execute(contract)}
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


def page() -> str:
    """Give the HTML page of the server: where to call, and every contract in full."""
    known = contracts()
    return PAGE.format(version=html.escape(version("bleupandas")), contracts="\n".join(map(_section, known)))


def _execute(contract: dict[str, Any]) -> dict[str, Any]:
    examples = {
        f"example {number}": {"value": example["input"]} for number, example in enumerate(contract["examples"], start=1)
    }
    schema = {"schema": contract["input_schema"], "examples": examples}
    return {
        "operationId": f"execute {contract['id']} {contract['version']}",
        "summary": contract["description"],
        "requestBody": {"required": True, "content": {JSON: schema}},
        "responses": {
            "200": _response("The result.", _object({"result": contract["output_schema"]})),
            **_refusals(*REFUSALS),
        },
    }


def _reading(name: str, summary: str, schema: dict[str, Any], *refusals: int) -> dict[str, Any]:
    responses = {"200": _response(summary, schema), **_refusals(*refusals)}
    return {"operationId": name, "summary": summary, "responses": responses}


def _refusals(*statuses: int) -> dict[str, Any]:
    return {str(status): _response(REFUSALS[status], {"$ref": "#/components/schemas/Error"}) for status in statuses}


def _response(description: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"description": description, "content": {JSON: {"schema": schema}}}


def _parameter(name: str, description: str, values: list[str]) -> dict[str, Any]:
    schema = {"type": "string", "enum": list(dict.fromkeys(values))}
    return {"name": name, "in": "path", "required": True, "description": description, "schema": schema}


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _schemas() -> dict[str, Any]:
    string, strings, anything = {"type": "string"}, {"type": "array", "items": {"type": "string"}}, {"type": "object"}
    kinds = {
        **dict.fromkeys(("id", "version", "description", "execute_url"), string),
        **dict.fromkeys(("supported_operations", "unsupported_operations", "semantics"), strings),
        **dict.fromkeys(("limits", "pricing", "input_schema", "output_schema"), anything),
        "examples": {"type": "array", "items": _object({"input": anything, "output": anything})},
    }
    pointer = {"type": "string", "description": "JSON Pointer into the input; empty for all of it."}
    error = _object({"code": {"type": "string", "enum": list(CODES)}, "message": string, "path": pointer})
    return {
        "Contract": _object({key: kinds[key] for key in CONTRACT_KEYS}),
        "Error": _object({"error": error}),
        "Health": _object({"status": {"const": "ok"}, "version": string}),
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
<p>What BLEU counted, as tools over HTTP. Described for programs in <a href="/openapi.json">/openapi.json</a>.</p>
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
