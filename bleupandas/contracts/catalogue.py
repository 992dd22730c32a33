"""Which tools there are: each one's contract, kept as a JSON file, and the function that answers."""

import functools
import json
from collections.abc import Callable
from importlib import resources
from typing import Any

from bleupandas.common import did_you_mean
from bleupandas.contracts.counting_tools import ngrams_count, sentence_components
from bleupandas.contracts.errors import ContractError
from bleupandas.contracts.messages import either, quoted
from bleupandas.contracts.schema import Checker
from bleupandas.contracts.score_tool import bleu_score

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
        As published.
    function : callable
        Gives the output of an input that fits the contract's schema, within its limits.
    """

    def __init__(self, contract: dict[str, Any], function: Answer) -> None:
        self.contract = contract
        self.function = function
        self.checker = Checker(contract["input_schema"])

    def answer(self, input: Any) -> dict[str, Any]:
        """Check an input and answer it."""
        self.checker.check(input)
        return self.function(input, self.contract["limits"])


@functools.cache
def all_tools() -> dict[tuple[str, str], Tool]:
    """Give all tools, by id and version."""
    folder = resources.files("bleupandas.contracts") / "published"
    return {
        (name, version): Tool(json.loads((folder / f"{name}-{version}.json").read_text("utf-8")), function)
        for (name, version), function in ANSWERS.items()
    }


def find_tool(id: object, version: object) -> Tool:
    """Give one tool, or raise ContractError.

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
        there = f"there are {', '.join(map(quoted, ids))}"
        raise ContractError("unknown_tool", f"there is no tool {quoted(str(id))}; {there}{hint}")
    versions = [found for known, found in ANSWERS if known == id]
    if not isinstance(version, str) or version not in versions:
        there = f"there is {either(map(quoted, versions))}"
        raise ContractError("unknown_version", f"{quoted(id)} has no version {quoted(str(version))}; {there}")
    return all_tools()[id, version]
