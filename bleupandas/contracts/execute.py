"""execute(): the one entry to every tool, for Python, the command line, HTTP and MCP."""

import copy
from typing import Any

from bleupandas.contracts.catalogue import find_tool, load_tools
from bleupandas.contracts.compact_json import compact_json
from bleupandas.contracts.errors import ContractError
from bleupandas.contracts.strict_json import parse_json


def execute(id: str, version: str, input: object) -> dict[str, Any]:
    """Return the output of a tool for an input that is a JSON value.

    Parameters
    ----------
    id, version : str
        A published tool, see `contracts`.
    input : dict
        A value that fits the contract's input_schema. It is not changed.

    Returns
    -------
    dict
        The output object, keys in the order of the contract.

    Raises
    ------
    ContractError
        With a code of `bleupandas.contracts.CODES`. Checks run in this order: tool and version, JSON, schema, limits,
        size of the output. No other exception is raised; the ``__cause__`` of "internal" is the original one.

    Examples
    --------
    >>> from bleupandas.contracts import execute
    >>> execute("bleu-ngrams-count", "1.0.0", {"hypotheses": [["a", "b"]], "references": [[["a"]]], "max_order": 2})
    {'max_order': 2, 'matches': [1, 0], 'totals': [2, 1]}
    """
    tool = find_tool(id, version)
    try:
        return tool.answer(input)
    except ContractError:
        raise
    except Exception as error:
        raise internal_error() from error


def execute_json(id: str, version: str, body: bytes | bytearray | memoryview | str) -> str:
    """Return the output of a tool, as JSON text, for an input that is JSON text.

    Parameters
    ----------
    id, version : str
        A published tool, see `contracts`.
    body : bytes or str
        UTF-8 without a byte order mark. Callers that read it from outside limit its length.

    Returns
    -------
    str
        The output object as compact JSON text, not escaped to ASCII; without lone surrogates.

    Raises
    ------
    ContractError
        As in `execute`; invalid_json for text that is not JSON or has no single meaning.

    Examples
    --------
    >>> from bleupandas.contracts import execute_json
    >>> execute_json("bleu-ngrams-count", "1.0.0", b'{"hypotheses": [["a"]], "references": [[["a"]]], "max_order": 1}')
    '{"max_order":1,"matches":[1],"totals":[1]}'
    """
    find_tool(id, version)
    try:
        value = parse_json(body)
    except ContractError:
        raise
    except Exception as error:
        raise internal_error() from error
    return compact_json(execute(id, version, value))


def internal_error() -> ContractError:
    """Return the error for a failure of ours, without details."""
    return ContractError("internal", "the tool failed, which is no fault of the input; try again, or report it")


def contract(id: str, version: str) -> dict[str, Any]:
    """Return a contract as data.

    Returns
    -------
    dict
        id, version, description, supported_operations, unsupported_operations, semantics, limits, pricing,
        input_schema, output_schema (JSON Schema draft 2020-12), examples, execute_url. Each call makes a new one.

    Raises
    ------
    ContractError
        unknown_tool or unknown_version.

    Examples
    --------
    >>> from bleupandas.contracts import contract
    >>> contract("bleu-ngrams-count", "1.0.0")["limits"]["max_segments"]
    1000
    """
    return copy.deepcopy(find_tool(id, version).contract)


def contracts() -> list[dict[str, Any]]:
    """Return all contracts as data; each call makes new ones.

    Examples
    --------
    >>> from bleupandas.contracts import contracts
    >>> [tool["id"] for tool in contracts()]
    ['bleu-sentence-components', 'bleu-ngrams-count', 'bleu_score']
    """
    return [copy.deepcopy(tool.contract) for tool in load_tools().values()]
