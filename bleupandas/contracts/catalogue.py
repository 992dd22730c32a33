"""The published tools: each one's contract, stored as a JSON file, and the function that answers."""

import functools
import json
from collections.abc import Callable
from importlib import resources
from typing import Any

from bleupandas.common import did_you_mean
from bleupandas.contracts.bleu_score import bleu_score
from bleupandas.contracts.error_text import join_with_or, quote
from bleupandas.contracts.errors import ContractError
from bleupandas.contracts.ngrams_count import ngrams_count
from bleupandas.contracts.schema import InputSchema
from bleupandas.contracts.sentence_components import sentence_components

Answer = Callable[[dict[str, Any], dict[str, int]], dict[str, Any]]

ANSWERS: dict[tuple[str, str], Answer] = {
    ("bleu-sentence-components", "1.0.0"): sentence_components,
    ("bleu-ngrams-count", "1.0.0"): ngrams_count,
    ("bleu_score", "1.0.0"): bleu_score,
}


class Tool:
    """One version of a tool.

    Parameters
    ----------
    contract : dict
        The published contract.
    function : callable
        Returns the output for an input that fits the contract's schema, and checks the limits.
    """

    def __init__(self, contract: dict[str, Any], function: Answer) -> None:
        self.contract = contract
        self.function = function
        self.input_schema = InputSchema(contract["input_schema"])

    def answer(self, input: Any) -> dict[str, Any]:
        """Check an input and return its output."""
        self.input_schema.check(input)
        return self.function(input, self.contract["limits"])


@functools.cache
def load_tools() -> dict[tuple[str, str], Tool]:
    """Return all tools by id and version."""
    folder = resources.files("bleupandas.contracts") / "published"
    return {
        (name, version): Tool(json.loads((folder / f"{name}-{version}.json").read_text("utf-8")), function)
        for (name, version), function in ANSWERS.items()
    }


def find_tool(id: object, version: object) -> Tool:
    """Return one tool, or raise ContractError.

    Examples
    --------
    >>> find_tool("bleu_score", "2.0.0")
    Traceback (most recent call last):
        ...
    bleupandas.contracts.errors.ContractError: "bleu_score" has no version "2.0.0"; there is "1.0.0"
    """
    ids = list(dict.fromkeys(known for known, _ in ANSWERS))
    if not isinstance(id, str) or id not in ids:
        hint = did_you_mean(id, ids).replace("'", '"') if isinstance(id, str) else ""
        there = f"there are {', '.join(map(quote, ids))}"
        raise ContractError("unknown_tool", f"there is no tool {quote(str(id))}; {there}{hint}")
    versions = [found for known, found in ANSWERS if known == id]
    if not isinstance(version, str) or version not in versions:
        there = f"there is {join_with_or(map(quote, versions))}"
        raise ContractError("unknown_version", f"{quote(id)} has no version {quote(str(version))}; {there}")
    return load_tools()[id, version]
