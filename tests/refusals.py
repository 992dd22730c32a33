"""What the published tools refuse a request with."""

import json

import pytest

from bleupandas.contracts.errors import CODES, ContractError
from bleupandas.contracts.execute import execute, execute_json

SENTENCE, COUNT, SCORE = "bleu-sentence-components", "bleu-ngrams-count", "bleu_score"
TOOLS = [SENTENCE, COUNT, SCORE]
SMALL = {"hypothesis": ["a"], "references": [["a"]]}
Cell = tuple[str, str, str]


def of_text(name: str, body: bytes | str, version: str = "1.0.0") -> Cell:
    with pytest.raises(ContractError) as error:
        execute_json(name, version, body)
    return told(error.value)


def of_value(name: str, value: object) -> Cell:
    with pytest.raises(ContractError) as error:
        execute(name, "1.0.0", value)
    return told(error.value)


def told(error: ContractError) -> Cell:
    """Give code, message and path; what holds for every error is asserted."""
    assert error.body == {"error": {"code": error.code, "message": error.message, "path": error.path}}
    assert list(error.body["error"]) == ["code", "message", "path"]
    assert error.code in CODES
    json.dumps(error.body, ensure_ascii=False).encode()  # no lone surrogate
    assert len(error.message.splitlines()) == 1
    assert len(error.message) < 400
    assert error.path == "" or error.path.startswith("/")
    return error.code, error.message, error.path
