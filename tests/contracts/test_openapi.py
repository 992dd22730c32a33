"""The OpenAPI document, held against the server by schemathesis, and the page."""

import asyncio
import json
from html.parser import HTMLParser
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import settings
from jsonschema_rs import validator_for
from schemathesis.checks import CheckContext
from schemathesis.core.transport import Response
from schemathesis.specs.openapi.checks import positive_data_acceptance

from bleupandas.contracts import openapi
from bleupandas.contracts.errors import ContractError
from bleupandas.contracts.execute import contract, contracts, execute_json
from bleupandas.contracts.openapi import CONTRACT_KEYS, home_page
from bleupandas.contracts.openapi import openapi_document as document_of
from bleupandas.contracts.server import STATUS, application

schema = schemathesis.openapi.from_asgi("/openapi.json", application())


def answered_as_by_python(context: CheckContext, response: Response, case: "schemathesis.Case[Any]") -> None:
    """Whatever is sent as JSON to a tool gets the answer that Python gives."""
    if not case.path.endswith("/execute") or response.status_code in (405, 413, 415):
        return
    _, _, _, tool, _, version, _ = case.path.split("/")
    assert (response.status_code, response.content.decode()) == by_python(tool, version, response.request.body or "")


def by_python(tool: str, version: str, body: Any) -> tuple[int, str]:
    try:
        return 200, f'{{"result":{execute_json(tool, version, body)}}}'
    except ContractError as error:
        return STATUS[error.code], json.dumps(error.body, ensure_ascii=False, separators=(",", ":"))


# What is right by its schema may still exceed a limit or break a rule between two fields (422), so acceptance is not
# asked for; that the refusal is the contract's is.
@schema.parametrize()
@settings(deadline=None, derandomize=True, max_examples=60)
def test_server_does_as_documented(case: "schemathesis.Case[Any]") -> None:
    case.call_and_validate(
        additional_checks=[answered_as_by_python],
        excluded_checks=[positive_data_acceptance],
    )


def test_document() -> None:
    document = get("/openapi.json").json()
    assert document == document_of()
    executes = {path for path in document["paths"] if path.endswith("/execute")}
    assert executes == {contract["execute_url"] for contract in contracts()}
    shapes = {"$ref": "#/$defs/Contract", "$defs": document["components"]["schemas"]}
    for known in contracts():
        assert validator_for(shapes).is_valid(known)
        assert list(known) == list(CONTRACT_KEYS)


class Page(HTMLParser):
    """Collects what a page refers to, and its text."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.references: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.references += [value or "" for name, value in attributes if name in ("href", "src", "action", "style")]
        if tag not in ("meta", "link", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def test_page_needs_no_network() -> None:
    response = get("/")
    assert response.headers["content-type"] == "text/html; charset=utf-8"
    page = Page()
    page.feed(response.text)
    page.close()
    assert page.open == []
    assert not page.tags & {"script", "link", "img", "iframe"}
    assert set(page.references) == {"/openapi.json", "/v1/tools", "/healthz"}
    for path in page.references:
        assert get(path).status_code == 200
    for known in contracts():
        assert known["execute_url"] in page.text
        assert all(text in page.text for text in known["semantics"])


def test_page_escapes(monkeypatch: pytest.MonkeyPatch) -> None:
    known = contract("bleu_score", "1.0.0")
    known["description"] = "<script>alert(1)</script> {version}"
    monkeypatch.setattr(openapi, "contracts", lambda: [known])
    assert "&lt;script&gt;alert(1)&lt;/script&gt; {version}" in home_page()


def get(path: str) -> httpx.Response:
    async def ask() -> httpx.Response:
        transport = httpx.ASGITransport(application())
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            return await client.get(path)

    return asyncio.run(ask())
