"""What is refused, with which code, message and path: a test per cell of the table of errors, and the precedence."""

import json
import pickle
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from refusals import COUNT, SCORE, SENTENCE, SMALL, TOOLS, of_text, of_value, told

from bleupandas.contracts.catalogue import find_tool
from bleupandas.contracts.errors import ContractError
from bleupandas.contracts.execute import contract, contracts, execute, execute_json

DEEP = "the input: arrays and objects nested deeper than 32 levels; expected at most 4"


# ---- Tool and version ----


def test_unknown_tools() -> None:
    there = 'there are "bleu-sentence-components", "bleu-ngrams-count", "bleu_score"'
    assert of_text("bleu", "no JSON") == ("unknown_tool", f'there is no tool "bleu"; {there}', "")
    hint = '; did you mean "bleu_score"?'
    assert of_text("bleu-score", "{}") == ("unknown_tool", f'there is no tool "bleu-score"; {there}{hint}', "")
    assert of_text("é\n" * 50, "{}")[0] == "unknown_tool"
    with pytest.raises(ContractError, match=r'^there is no tool "None"; '):
        contract(None, "1.0.0")  # type: ignore[arg-type]


def test_unknown_versions() -> None:
    message = '"bleu_score" has no version "1.0"; there is "1.0.0"'
    assert of_text(SCORE, "no JSON", version="1.0") == ("unknown_version", message, "")
    with pytest.raises(ContractError) as error:
        contract(SCORE, "1.0")
    assert told(error.value) == ("unknown_version", message, "")


# ---- JSON ----


@pytest.mark.parametrize("name", TOOLS)
@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"", "the body is empty; expected one JSON object"),
        (b" \n", "the body is empty; expected one JSON object"),
        (b'{"a": }', "the body is no JSON, as line 1, column 7 tells (Expecting value); expected one JSON object"),
        (b'{"a": 1}\n]', "the body is no JSON, as line 2, column 1 tells (Extra data); expected one JSON object"),
        (b'\xef\xbb\xbf{"a": 1}', "the body begins with a byte order mark; send it without"),
        (b'{"a": "\xff"}', "the body is not UTF-8: byte 7 is 0xff; encode it in UTF-8"),
        (b'{"a": "\xed\xa0\x80"}', "the body is not UTF-8: byte 7 is 0xed; encode it in UTF-8"),
        (b'\xff\xfe{\x00}\x00', "the body is not UTF-8: byte 0 is 0xff; encode it in UTF-8"),
        (b'{"a": NaN}', "NaN is no JSON number; give a finite one, or leave it out"),
        (b'{"a": -Infinity}', "-Infinity is no JSON number; give a finite one, or leave it out"),
        (b'{"a": 1, "b": {"c": 1, "d": 2, "c": 3}}', 'the name "c" stands twice in one object; give it once'),
        (b"[" * 100_000, DEEP),
        (b"[" * 100_000 + b"]" * 100_000, DEEP),
        (b'{"hypothesis":' * 40 + b"1" + b"}" * 40, DEEP),
    ],
    ids=[
        *("empty", "blank", "syntax", "two values", "byte order mark", "not UTF-8", "a surrogate in UTF-8", "UTF-16"),
        *("NaN", "-Infinity", "a name twice", "deep and open", "deep", "deep in objects"),
    ],
)  # fmt: skip
def test_bodies_that_are_no_json(name: str, body: bytes, message: str) -> None:
    assert of_text(name, body) == ("invalid_json", message, "")


def test_text_as_str_is_read_as_strictly() -> None:
    assert of_text(SENTENCE, "\ufeff{}")[:2] == (
        "invalid_json",
        "the body begins with a byte order mark; send it without",
    )
    assert json.loads(execute_json(SENTENCE, "1.0.0", json.dumps(SMALL)))["matches"] == [1, 0, 0, 0]
    assert execute_json(SENTENCE, "1.0.0", memoryview(json.dumps(SMALL).encode()))


@pytest.mark.parametrize("depth", [33, 200, 5_000])
def test_deep_nesting_is_answered_alike_however_deep(depth: int) -> None:
    value: Any = "a"
    for _ in range(depth):
        value = [value]
    assert of_value(SENTENCE, {"hypothesis": value, "references": [[]]}) == ("invalid_json", DEEP, "")
    nested = "[" * depth + "]" * depth
    assert of_text(SENTENCE, f'{{"hypothesis": {nested}, "references": [[]]}}') == ("invalid_json", DEEP, "")


def test_nesting_that_is_not_deep_is_judged_by_the_schema() -> None:
    body = '{"hypothesis": ' + "[" * 20 + "]" * 20 + ', "references": [[]]}'
    message = "/hypothesis/0: an array of 1 item; expected a string of 1 to 128 characters"
    assert of_text(SENTENCE, body) == ("invalid_input", message, "/hypothesis/0")


def test_python_values_that_are_no_json() -> None:
    circular: list[Any] = []
    circular.append(circular)
    assert of_value(SENTENCE, {**SMALL, "hypothesis": circular}) == ("invalid_json", DEEP, "")
    message = "/max_order: a Python set is no JSON value; give what json.loads gives"
    assert of_value(SENTENCE, {**SMALL, "max_order": {1}}) == ("invalid_json", message, "/max_order")
    message = "/hypothesis/0: a Python bytes is no JSON value; give what json.loads gives"
    assert of_value(SENTENCE, {**SMALL, "hypothesis": [b"a"]}) == ("invalid_json", message, "/hypothesis/0")
    message = "the input: the number 1 is no name of a JSON object; give a string"
    odd: dict[object, object] = {1: 2}
    odd.update(SMALL)
    assert of_value(SENTENCE, odd) == ("invalid_json", message, "")
    message = "/max_order: the number nan is no JSON number; give a finite one, or leave it out"
    assert of_value(SENTENCE, {**SMALL, "max_order": float("nan")}) == ("invalid_json", message, "/max_order")
    asked = {"hypothesis": "a", "reference": "a", "config": {"weights": [0.5, float("nan")]}}
    message = "/config/weights/1: the number nan is no JSON number; give a finite one, or leave it out"
    assert of_value(SCORE, asked) == ("invalid_json", message, "/config/weights/1")


def test_names_that_no_line_or_path_can_hold() -> None:
    why = "the number inf is no JSON number; give a finite one, or leave it out"
    asked = {**SMALL, "a\nb": {"c": float("inf")}}
    assert of_value(SENTENCE, asked) == ("invalid_json", rf"/a\nb/c: {why}", "/a\nb/c")
    asked = {**SMALL, "x" * 200: {"c": float("inf")}}
    assert of_value(SENTENCE, asked) == ("invalid_json", f"the input: {why}", "")
    asked = {**SMALL, "x" * 99: {"c": float("inf")}}
    assert of_value(SENTENCE, asked) == ("invalid_json", f"/{'x' * 76}...: {why}", f"/{'x' * 99}/c")


def test_tuples_are_arrays() -> None:
    assert execute(SENTENCE, "1.0.0", {"hypothesis": ("a",), "references": (("a",),)})["matches"][0] == 1


# ---- Lone surrogates ----


def test_lone_surrogates() -> None:
    why = "holds a lone surrogate, which is no character; mend the text"
    body = r'{"hypothesis": ["a", "b\ud800"], "references": [["c"]]}'
    expected = ("invalid_input", rf'/hypothesis/1: the string "b\ud800" {why}', "/hypothesis/1")
    assert of_text(SENTENCE, body) == expected
    assert of_value(SENTENCE, json.loads(body)) == expected
    body = r'{"hypotheses": [["a"]], "references": [[["b"], ["\ude00", "\ud83d"]]]}'
    expected = ("invalid_input", rf'/references/0/1/0: the string "\ude00" {why}', "/references/0/1/0")
    assert of_text(COUNT, body) == expected
    body = r'{"hypothesis": "a", "reference": ["b", "\udfff"]}'
    expected = ("invalid_input", rf'/reference/1: the string "\udfff" {why}', "/reference/1")
    assert of_text(SCORE, body) == expected
    body = r'{"hypothesis": ["a"], "references": [["a"]], "\ud800": 1}'
    expected = ("invalid_input", rf'the input: the string "\ud800" {why}', "")
    assert of_text(SENTENCE, body) == expected
    pair = r'{"hypothesis": ["\ud83d\ude00"], "references": [["😀"]], "max_order": 1}'
    assert json.loads(execute_json(SENTENCE, "1.0.0", pair))["matches"] == [1]


def test_a_long_string_of_lone_surrogates() -> None:
    body = json.dumps({**SMALL, "hypothesis": ["\ud800" * 129]})
    assert of_text(SENTENCE, body)[::2] == ("invalid_input", "/hypothesis/0")


# ---- Precedence: tool, JSON, schema, limits, size of the output ----


@pytest.mark.parametrize("has_output", [False, True])
@pytest.mark.parametrize("has_limit", [False, True])
@pytest.mark.parametrize("has_schema", [False, True])
@pytest.mark.parametrize("has_json", [False, True])
def test_the_first_fault_is_the_answer(has_json: bool, has_schema: bool, has_limit: bool, has_output: bool) -> None:
    tokens = [f"{number:05}xxxxxxxxxxxxxxx" for number in range(9_000 if has_output else 3)]
    if has_limit:
        tokens.append("日" * 43)
    rows = '"detail": "ngrams"' + (', "detail": "ngrams"' if has_json else "")
    order = 9 if has_schema else 3
    body = f'{{"hypotheses": [{json.dumps(tokens)}], "references": [[["a"]]], "max_order": {order}, {rows}}}'
    in_order = [
        (has_json, ("invalid_json", "")),
        (has_schema, ("invalid_input", "/max_order")),
        (has_limit, ("limit_exceeded", f"/hypotheses/0/{len(tokens) - 1}")),
        (has_output, ("limit_exceeded", "/detail")),
    ]
    expected = [answer for is_there, answer in in_order if is_there]
    if expected:
        assert of_text(COUNT, body)[::2] == expected[0]
    else:
        assert "ngrams" in json.loads(execute_json(COUNT, "1.0.0", body))
    assert of_text("bleu", body)[0] == "unknown_tool"
    assert of_text(COUNT, body, version="0.9")[0] == "unknown_version"


def test_a_lone_surrogate_comes_before_limits() -> None:
    asked = {"hypothesis": ["a"] * 10_001, "references": [["\ud800"]]}
    assert of_value(SENTENCE, asked)[::2] == ("invalid_input", "/references/0/0")
    text = {"hypothesis": "a " * 600_000, "reference": "\ud800"}
    assert of_value(SCORE, text)[::2] == ("invalid_input", "/reference")


def test_different_lengths_come_before_limits() -> None:
    asked = {"hypotheses": [["a"] * 50_001], "references": [[["a"]], [["b"]]]}
    assert of_value(COUNT, asked)[::2] == ("invalid_input", "/references")


def test_limits_come_in_their_order() -> None:
    wide = "日" * 43
    asked = {"hypothesis": [wide] * 10_001, "references": [[]]}
    assert of_value(SENTENCE, asked)[1].startswith("max_total_tokens is 10000, ")
    asked = {"hypothesis": ["日" * 42] * 3_000 + [wide], "references": [[]]}
    assert of_value(SENTENCE, asked)[1].startswith("max_token_bytes is 128, ")
    asked = {"hypothesis": ["日" * 42] * 3_000, "references": [[]], "include_ngrams": True}
    assert of_value(SENTENCE, asked)[1].startswith("max_total_token_bytes is 262144, ")


# ---- Faults of ours ----


def test_a_fault_of_ours_tells_nothing_of_the_inside(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(asked: object, limits: object) -> dict[str, Any]:
        raise ZeroDivisionError("secret")

    monkeypatch.setattr(find_tool(SENTENCE, "1.0.0"), "function", broken)
    message = "the tool failed, which is no fault of the input; try again, or report it"
    assert of_value(SENTENCE, SMALL) == ("internal", message, "")
    assert of_text(SENTENCE, json.dumps(SMALL)) == ("internal", message, "")
    with pytest.raises(ContractError) as error:
        execute(SENTENCE, "1.0.0", SMALL)
    assert isinstance(error.value.__cause__, ZeroDivisionError)


def test_an_error_survives_another_process() -> None:
    error = ContractError("invalid_input", "message", "/path")
    assert pickle.loads(pickle.dumps(error)).body == error.body


# ---- Whatever comes ----

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
NAMES = sorted({name for tool in contracts() for name in tool["input_schema"]["properties"]})


@st.composite
def malformed_bodies(draw: st.DrawFn) -> bytes:
    """Bytes, JSON of any value, inputs with a wrong value, and examples with a piece cut out or put in."""
    kind = draw(st.sampled_from(["bytes", "value", "names", "example"]))
    if kind == "bytes":
        return draw(st.binary(max_size=60))
    if kind == "value":
        return json.dumps(draw(VALUES)).encode()
    if kind == "names":
        return json.dumps(draw(st.dictionaries(st.sampled_from(NAMES), VALUES, max_size=5))).encode()
    tool = draw(st.sampled_from(contracts()))
    body = json.dumps(draw(st.sampled_from(tool["examples"]))["input"]).encode()
    start = draw(st.integers(0, len(body)))
    return body[:start] + draw(st.binary(max_size=3)) + body[draw(st.integers(start, len(body))) :]


@pytest.mark.parametrize("name", TOOLS)
@settings(max_examples=200, suppress_health_check=[HealthCheck.too_slow])
@given(body=malformed_bodies())
def test_malformed_bodies_are_never_a_fault_of_ours(name: str, body: bytes) -> None:
    refusal = None
    try:
        json.loads(execute_json(name, "1.0.0", body))
    except ContractError as error:
        refusal = error
    assert refusal is None or told(refusal)[0] in ("invalid_json", "invalid_input", "limit_exceeded")


@pytest.mark.parametrize("name", TOOLS)
@settings(max_examples=100, suppress_health_check=[HealthCheck.too_slow])
@given(value=VALUES | st.dictionaries(st.sampled_from(NAMES), VALUES, max_size=5))
def test_malformed_values_are_never_a_fault_of_ours(name: str, value: object) -> None:
    refusal = None
    try:
        execute(name, "1.0.0", value)
    except ContractError as error:
        refusal = error
    assert refusal is None or told(refusal)[0] in ("invalid_json", "invalid_input", "limit_exceeded")
