"""A value against a contract's input_schema: the first fault, worded from the schema."""

from collections.abc import Sequence
from typing import Any

import jsonschema_rs

from bleupandas.common import NEIGHBOURS, did_you_mean
from bleupandas.contracts.errors import ContractError
from bleupandas.contracts.messages import amount, described, either, name_path, place, pointer, quoted
from bleupandas.contracts.strict_json import faults

Path = Sequence[str | int]
Schema = dict[str, Any]


class Checker:
    """Checks values against one JSON Schema (draft 2020-12).

    Parameters
    ----------
    schema : dict

    Examples
    --------
    >>> Checker({"type": "object", "properties": {"n": {"type": "integer", "minimum": 1}}}).check({"n": 0})
    Traceback (most recent call last):
        ...
    bleupandas.contracts.errors.ContractError: /n: the number 0; expected an integer of at least 1
    """

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        # Without a mask, messages that nobody reads would hold the whole input.
        self.validator = jsonschema_rs.validator_for(schema, mask="...")

    def check(self, value: object) -> None:
        """Raise ContractError for a value that is no JSON, or not what the schema asks for."""
        try:
            self.validator.validate(value)
            return
        except jsonschema_rs.ValidationError as error:
            refused: Exception = wrong(self.schema, value, error.instance_path, error.schema_path)
        except Exception as error:  # a Python object that is no JSON, or a lone surrogate
            refused = error
        found = sorted(faults(value), key=lambda fault: fault.code != "invalid_json")
        if found and (found[0].code == "invalid_json" or not isinstance(refused, ContractError)):
            raise found[0].error
        raise refused


def wrong(schema: Schema, value: object, instance_path: Path, schema_path: Path) -> ContractError:
    """Word the breach of one keyword of a schema."""
    *steps, keyword = schema_path
    rules, at = reached(schema, steps), reached(value, instance_path)
    if keyword == "additionalProperties":
        return unknown_name(rules, at, instance_path)
    if keyword == "required":
        name = next(name for name in rules["required"] if name not in at)
        message = (
            f"{place(instance_path)} lacks {quoted(name)}; expected {' and '.join(map(quoted, rules['required']))}"
        )
        return ContractError("invalid_input", message, pointer(instance_path))
    if keyword in ("minLength", "maxLength"):
        came = "an empty string" if not at else f"a string of {amount(len(at), 'character')}"
    else:
        came = described(at)
    message = f"{place(instance_path)}: {came}; expected {expected(rules)}{advice(rules, at)}"
    return ContractError("invalid_input", message, pointer(instance_path))


def reached(value: Any, path: Path) -> Any:
    """Give the part of a value that a path leads to."""
    for step in path:
        value = value[step]
    return value


def unknown_name(rules: Schema, at: dict[str, object], path: Path) -> ContractError:
    """Word a name that an object does not have."""
    names = list(rules["properties"])
    name = next(name for name in at if name not in names)
    # what this package and others call it
    theirs = next((other for other, ours in NEIGHBOURS.items() if ours == name and other in names), name)
    hint = did_you_mean(theirs, names).replace("'", '"')
    message = f"{place(path)} has no {quoted(name)}; expected {either(map(quoted, names))}{hint}"
    return ContractError("invalid_input", message, pointer(name_path(path, name)))


def expected(rules: Schema) -> str:
    """Say what a schema asks for, as far as contracts use it.

    Examples
    --------
    >>> expected({"type": "string", "minLength": 1, "maxLength": 128})
    'a string of 1 to 128 characters'
    >>> expected({"type": ["string", "array"], "minItems": 1, "maxItems": 8})
    'a string or an array of 1 to 8 items'
    """
    if "enum" in rules:
        return either(quoted(choice) for choice in rules["enum"])
    kinds = rules["type"] if isinstance(rules["type"], list) else [rules["type"]]
    return " or ".join(
        {
            "integer": f"an integer{within(rules, 'minimum', 'maximum', ' from', '')}",
            "number": f"a number{within(rules, 'minimum', 'maximum', ' from', '')}",
            "string": f"a string{within(rules, 'minLength', 'maxLength', ' of', ' characters')}",
            "array": f"an array{within(rules, 'minItems', 'maxItems', ' of', ' items')}",
            "object": "an object",
            "boolean": "true or false",
        }[kind]
        for kind in kinds
    )


def within(rules: Schema, low: str, high: str, word: str, noun: str) -> str:
    """Give " of 1 to 8 items"; nothing where there are no bounds."""
    if low in rules and high in rules:
        return f"{word} {rules[low]} to {rules[high]}{noun}"
    if low in rules:
        return f" of at least {rules[low]}{noun}"
    return f" of at most {rules[high]}{noun}" if high in rules else ""


def advice(rules: Schema, at: object) -> str:
    """Say what to do, where more can be said than what is expected."""
    if isinstance(at, str):
        if rules.get("type") == "array":
            return ": split the text into tokens"
        if "enum" in rules:
            return did_you_mean(at, rules["enum"]).replace("'", '"')
        if rules.get("type") == "string":
            return ": shorten the token" if at else ": leave the token out"
    if isinstance(at, list | tuple) and len(at) > rules.get("maxItems", len(at)):
        return ": send fewer at once"
    return ""
