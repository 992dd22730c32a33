"""Checks of an input against a contract's input_schema; the error message comes from the schema."""

from collections.abc import Sequence
from typing import Any

import jsonschema_rs

from bleupandas.common import NEIGHBOURS, did_you_mean
from bleupandas.contracts.error_text import (
    append_name,
    describe,
    format_count,
    format_path,
    join_with_or,
    json_pointer,
    quote,
)
from bleupandas.contracts.errors import ContractError, input_error
from bleupandas.contracts.strict_json import find_faults

Path = Sequence[str | int]
Schema = dict[str, Any]


class InputSchema:
    """A JSON Schema (draft 2020-12) that checks inputs.

    Parameters
    ----------
    schema : dict

    Examples
    --------
    >>> InputSchema({"type": "object", "properties": {"n": {"type": "integer", "minimum": 1}}}).check({"n": 0})
    Traceback (most recent call last):
        ...
    bleupandas.contracts.errors.ContractError: /n: the number 0; expected an integer of at least 1
    """

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        # Without a mask, the validator's messages, which are not used, would hold the whole input.
        self.validator = jsonschema_rs.validator_for(schema, mask="...")

    def check(self, value: object) -> None:
        """Raise ContractError for a value that is not JSON or breaks the schema."""
        try:
            self.validator.validate(value)
            return
        except jsonschema_rs.ValidationError as error:
            refused: Exception = schema_error(self.schema, value, error.instance_path, error.schema_path)
        except Exception as error:  # a Python object that is not JSON, or a lone surrogate
            refused = error
        found = sorted(find_faults(value), key=lambda fault: fault.code != "invalid_json")
        if found and (found[0].code == "invalid_json" or not isinstance(refused, ContractError)):
            raise found[0].error
        raise refused


def schema_error(schema: Schema, value: object, instance_path: Path, schema_path: Path) -> ContractError:
    """Return the error for a value that breaks one keyword of a schema."""
    *steps, keyword = schema_path
    rules, found = follow_path(schema, steps), follow_path(value, instance_path)
    if keyword == "additionalProperties":
        return unknown_name_error(rules, found, instance_path)
    if keyword == "required":
        name = next(name for name in rules["required"] if name not in found)
        message = (
            f"{format_path(instance_path)} lacks {quote(name)}; expected {' and '.join(map(quote, rules['required']))}"
        )
        return ContractError("invalid_input", message, json_pointer(instance_path))
    if keyword in ("minLength", "maxLength"):
        came = "an empty string" if not found else f"a string of {format_count(len(found), 'character')}"
    else:
        came = describe(found)
    return input_error(instance_path, f"{came}; expected {describe_schema(rules)}{suggest_fix(rules, found)}")


def follow_path(value: Any, path: Path) -> Any:
    """Return the part of a value at a path."""
    for step in path:
        value = value[step]
    return value


def unknown_name_error(rules: Schema, at: dict[str, object], path: Path) -> ContractError:
    """Return the error for a name that an object does not have."""
    names = list(rules["properties"])
    name = next(name for name in at if name not in names)
    # Other packages use other names.
    theirs = next((other for other, ours in NEIGHBOURS.items() if ours == name and other in names), name)
    hint = did_you_mean(theirs, names).replace("'", '"')
    message = f"{format_path(path)} has no {quote(name)}; expected {join_with_or(map(quote, names))}{hint}"
    return ContractError("invalid_input", message, json_pointer(append_name(path, name)))


def describe_schema(rules: Schema) -> str:
    """Return what a schema expects, for the keywords that contracts use.

    Examples
    --------
    >>> describe_schema({"type": "string", "minLength": 1, "maxLength": 128})
    'a string of 1 to 128 characters'
    >>> describe_schema({"type": ["string", "array"], "minItems": 1, "maxItems": 8})
    'a string or an array of 1 to 8 items'
    """
    if "enum" in rules:
        return join_with_or(quote(choice) for choice in rules["enum"])
    kinds = rules["type"] if isinstance(rules["type"], list) else [rules["type"]]
    return " or ".join(
        {
            "integer": f"an integer{format_bounds(rules, 'minimum', 'maximum', ' from', '')}",
            "number": f"a number{format_bounds(rules, 'minimum', 'maximum', ' from', '')}",
            "string": f"a string{format_bounds(rules, 'minLength', 'maxLength', ' of', ' characters')}",
            "array": f"an array{format_bounds(rules, 'minItems', 'maxItems', ' of', ' items')}",
            "object": "an object",
            "boolean": "true or false",
        }[kind]
        for kind in kinds
    )


def format_bounds(rules: Schema, low: str, high: str, word: str, noun: str) -> str:
    """Return the bounds of a schema as text, for example " of 1 to 8 items"; empty without bounds."""
    if low in rules and high in rules:
        return f"{word} {rules[low]} to {rules[high]}{noun}"
    if low in rules:
        return f" of at least {rules[low]}{noun}"
    return f" of at most {rules[high]}{noun}" if high in rules else ""


def suggest_fix(rules: Schema, at: object) -> str:
    """Return advice on how to fix a value, or an empty text."""
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


def object_schema(properties: dict[str, Any], required: Sequence[str] | None = None) -> Schema:
    """Return the schema of an object with these properties and no others; all are required by default."""
    names = list(properties) if required is None else list(required)
    return {"type": "object", "properties": properties, "required": names, "additionalProperties": False}
