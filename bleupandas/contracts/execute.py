"""execute(): one way into every tool, for Python, command line, HTTP and MCP alike."""

import copy
from typing import Any

from bleupandas.contracts.catalogue import all_tools, find_tool
from bleupandas.contracts.counting_tools import json_text
from bleupandas.contracts.errors import ContractError
from bleupandas.contracts.strict_json import json_value


def execute(id: str, version: str, input: object) -> dict[str, Any]:
    """Answer a request whose input is a JSON value that was read already.

    Parameters
    ----------
    id, version : str
        Of a published tool, see `contracts`.
    input : dict
        What the contract's input_schema asks for; it is not changed.

    Returns
    -------
    dict
        The output object, keys in the order of the contract.

    Raises
    ------
    ContractError
        With a code of `bleupandas.contracts.CODES`: the tool and version first, then what is no JSON, the schema, the
        limits, the size of the output. No other exception leaves; what "internal" came from is its ``__cause__``.

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
        raise internal() from error


def execute_json(id: str, version: str, body: bytes | bytearray | memoryview | str) -> str:
    """Answer a request whose input is JSON text.

    Parameters
    ----------
    id, version : str
        Of a published tool, see `contracts`.
    body : bytes or str
        UTF-8 without a byte order mark. How long it may be is for those to say who read it.

    Returns
    -------
    str
        The bare output object as compact JSON text, not only ASCII; without lone surrogates.

    Raises
    ------
    ContractError
        As `execute`, with code invalid_json for text that is no JSON or has no single meaning.

    Examples
    --------
    >>> from bleupandas.contracts import execute_json
    >>> execute_json("bleu-ngrams-count", "1.0.0", b'{"hypotheses": [["a"]], "references": [[["a"]]], "max_order": 1}')
    '{"max_order":1,"matches":[1],"totals":[1]}'
    """
    find_tool(id, version)
    try:
        value = json_value(body)
    except ContractError:
        raise
    except Exception as error:
        raise internal() from error
    return json_text(execute(id, version, value))


def internal() -> ContractError:
    """Give the error for what is no fault of the caller; it tells nothing of the inside."""
    return ContractError("internal", "the tool failed, which is no fault of the input; try again, or report it")


def contract(id: str, version: str) -> dict[str, Any]:
    """Give a contract as data.

    Returns
    -------
    dict
        id, version, description, supported_operations, unsupported_operations, semantics, limits, pricing,
        input_schema, output_schema (JSON Schema draft 2020-12), examples, execute_url; a new one at each call.

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
    """Give all contracts as data, new ones at each call.

    Examples
    --------
    >>> from bleupandas.contracts import contracts
    >>> [tool["id"] for tool in contracts()]
    ['bleu-sentence-components', 'bleu-ngrams-count', 'bleu_score']
    """
    return [copy.deepcopy(tool.contract) for tool in all_tools().values()]
