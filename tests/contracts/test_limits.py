"""The limits of the published tools: at, just under and just over each bound, in ASCII and in 4-byte characters."""

import json
import tracemalloc
from collections.abc import Callable
from typing import Any

import pytest
import strategies
from hypothesis import given
from hypothesis import strategies as st

from bleupandas.contracts.compact_json import count_json_bytes
from bleupandas.contracts.errors import ContractError
from bleupandas.contracts.execute import contract, execute, execute_json
from bleupandas.contracts.ngrams_count import ngrams_count
from bleupandas.contracts.sentence_components import sentence_components

SENTENCE, COUNT, SCORE = "bleu-sentence-components", "bleu-ngrams-count", "bleu_score"
WIDE = "\U0001f600"  # 4 bytes of UTF-8
Input = dict[str, Any]


def limit(name: str, key: str) -> int:
    return int(contract(name, "1.0.0")["limits"][key])


def refused(name: str, asked: Input) -> tuple[str, str, str]:
    """What a request is refused with: code, message, path; the same for a value and for JSON text."""
    with pytest.raises(ContractError) as error:
        execute(name, "1.0.0", asked)
    with pytest.raises(ContractError) as from_text:
        execute_json(name, "1.0.0", json.dumps(asked, ensure_ascii=False).encode())
    assert from_text.value.body == error.value.body
    return error.value.code, error.value.message, error.value.path


def sentence(hypothesis: list[str], *references: list[str], **more: Any) -> Input:
    return {"hypothesis": hypothesis, "references": list(references) or [[]], **more}


def segments(hypotheses: list[list[str]], references: list[list[list[str]]] | None = None, **more: Any) -> Input:
    return {"hypotheses": hypotheses, "references": references or [[[]] for _ in hypotheses], **more}


# ---- References and segments: bounds of the schema ----


@pytest.mark.parametrize("number", [1, 7, 8])
def test_as_many_references_as_are_allowed(number: int) -> None:
    references = [["a"]] * number
    assert execute(SENTENCE, "1.0.0", sentence(["a"], *references))["matches"][0] == 1
    assert execute(COUNT, "1.0.0", segments([["a"]], [references]))["matches"][0] == 1
    assert execute(SCORE, "1.0.0", {"hypothesis": "a", "reference": ["a"] * number})["output"] > 0


@pytest.mark.parametrize(("number", "came"), [(0, "an empty array"), (9, "an array of 9 items")])
def test_other_numbers_of_references(number: int, came: str) -> None:
    asked = sentence(["a"]) | {"references": [["a"]] * number}
    more = ": send fewer at once" if number else ""
    message = f"/references: {came}; expected an array of 1 to 8 items{more}"
    assert refused(SENTENCE, asked) == ("invalid_input", message, "/references")
    message = f"/references/1: {came}; expected an array of 1 to 8 items{more}"
    counted = segments([["a"], ["a"]], [[["a"]], [["a"]] * number])
    assert refused(COUNT, counted) == ("invalid_input", message, "/references/1")


def test_too_many_references_of_a_text() -> None:
    message = "/reference: an array of 9 items; expected an array of 1 to 8 texts: give fewer references"
    assert refused(SCORE, {"hypothesis": "a", "reference": ["a"] * 9}) == ("invalid_input", message, "/reference")


@pytest.mark.parametrize("number", [999, 1000])
def test_as_many_segments_as_are_allowed(number: int) -> None:
    answer = execute(COUNT, "1.0.0", segments([["a"]] * number, [[["a"]]] * number, max_order=1))
    assert answer["matches"] == [number]
    texts = {"hypothesis": ["a"] * number, "reference": ["a"] * number, "config": {"mode": "corpus", "max_n_gram": 1}}
    assert execute(SCORE, "1.0.0", texts)["output"] == 1.0


def test_too_many_segments() -> None:
    came = "an array of 1001 items; expected an array of 1 to 1000 items: send fewer at once"
    assert refused(COUNT, segments([["a"]] * 1001)) == ("invalid_input", f"/hypotheses: {came}", "/hypotheses")
    code, message, path = refused(SCORE, {"hypothesis": ["a"] * 1001, "reference": "a"})
    assert (code, path) == ("invalid_input", "/hypothesis")
    assert message == (
        "/hypothesis: an array of 1001 items; expected a string or an array of 1 to 1000 items: send fewer at once"
    )


# ---- Tokens ----


@pytest.mark.parametrize("under", [0, 1])
def test_as_many_tokens_as_are_allowed(under: int) -> None:
    total = limit(SENTENCE, "max_total_tokens") - under
    answer = execute(SENTENCE, "1.0.0", sentence(["a"] * (total - 10), ["a"] * 9, ["b"]))
    assert answer["candidate_length"] == total - 10
    total = limit(COUNT, "max_total_tokens") - under
    answer = execute(COUNT, "1.0.0", segments([["a"] * (total - 10), []], [[["a"] * 9], [["b"], []]], max_order=1))
    assert answer == {"max_order": 1, "matches": [9], "totals": [total - 10]}
    total = limit(SCORE, "max_total_tokens") - under
    assert execute(SCORE, "1.0.0", {"hypothesis": "a " * (total - 10), "reference": "a " * 10})["output"] > 0


def test_one_token_too_many() -> None:
    came = "tokens, hypotheses and references together; send less at once"
    asked = sentence(["a"] * 9_991, ["a"] * 9, ["b"])
    assert refused(SENTENCE, asked) == ("limit_exceeded", f"max_total_tokens is 10000, the input has 10001 {came}", "")
    counted = segments([["a"] * 49_991, []], [[["a"] * 9], [["b"], []]])
    assert refused(COUNT, counted) == ("limit_exceeded", f"max_total_tokens is 50000, the input has 50001 {came}", "")
    message = "max_total_tokens is 50000, the texts of the input have 50001 tokens, both sides together; "
    texts = {"hypothesis": "a " * 50_000, "reference": "a"}
    assert refused(SCORE, texts) == ("limit_exceeded", message + "send less at once", "")


@pytest.mark.parametrize("tokenizer", ["whitespace", "13a", "intl", "zh", "char"])
def test_a_texts_tokens_are_those_of_its_tokenizer(tokenizer: str) -> None:
    per_text = {"whitespace": 1, "13a": 2, "intl": 2, "zh": 2, "char": 4}[tokenizer]
    config = {"tokenize": tokenizer, "max_n_gram": 1, "mode": "corpus"}
    texts = ["abc."] * 1000
    asked = {"hypothesis": texts, "reference": [texts[:8]] * 1000, "config": config}
    if 9000 * per_text <= 50_000:
        assert execute(SCORE, "1.0.0", asked)["output"] == 1.0
    wide = {"hypothesis": "abc. " * 50_001, "reference": "a", "config": {"tokenize": tokenizer}}
    assert refused(SCORE, wide)[0] == "limit_exceeded"


# ---- Bytes of a token: 128 characters by the schema, 128 bytes by the limit ----


@pytest.mark.parametrize(
    "token",
    ["a" * 127, "a" * 128, WIDE * 31, WIDE * 32, WIDE * 31 + "abcd", "日" * 42, "日" * 42 + "ab"],
    ids=lambda token: f"{len(token)} characters, {len(token.encode())} bytes",
)
def test_tokens_as_long_as_is_allowed(token: str) -> None:
    assert execute(SENTENCE, "1.0.0", sentence([token], [token]))["matches"][0] == 1
    assert execute(COUNT, "1.0.0", segments([[token]], [[[token]]]))["matches"][0] == 1


@pytest.mark.parametrize(
    "token", [WIDE * 32 + "a", WIDE * 33, "日" * 43, "é" * 64 + "a", "a" * 125 + WIDE], ids=lambda token: token[:1]
)
def test_tokens_of_too_many_bytes(token: str) -> None:
    shown = json.dumps(token if len(token) <= 40 else token[:37] + "...", ensure_ascii=False)
    message = f"max_token_bytes is 128, the token {shown} has {len(token.encode())} bytes of UTF-8; shorten it"
    assert refused(SENTENCE, sentence(["a", token])) == ("limit_exceeded", message, "/hypothesis/1")
    assert refused(SENTENCE, sentence(["a"], [], ["b", token])) == ("limit_exceeded", message, "/references/1/1")
    assert refused(COUNT, segments([[], [token]])) == ("limit_exceeded", message, "/hypotheses/1/0")
    counted = segments([[], []], [[[]], [[], ["b", token]]])
    assert refused(COUNT, counted) == ("limit_exceeded", message, "/references/1/1/1")


@pytest.mark.parametrize("character", ["a", WIDE])
def test_tokens_of_too_many_characters(character: str) -> None:
    came = "a string of 129 characters; expected a string of 1 to 128 characters: shorten the token"
    asked = sentence(["a"], [character * 129])
    assert refused(SENTENCE, asked) == ("invalid_input", f"/references/0/0: {came}", "/references/0/0")
    asked = segments([[character * 129]])
    assert refused(COUNT, asked) == ("invalid_input", f"/hypotheses/0/0: {came}", "/hypotheses/0/0")


# ---- Bytes of all tokens ----


@pytest.mark.parametrize("character", ["a", WIDE])
@pytest.mark.parametrize("under", [0, 1])
def test_as_many_bytes_of_tokens_as_are_allowed(character: str, under: int) -> None:
    full = character * (128 // len(character.encode()))
    tokens = [full] * (limit(SENTENCE, "max_total_token_bytes") // 128)
    tokens[-1] = "b" * (128 - under)
    assert execute(SENTENCE, "1.0.0", sentence(tokens[:1], tokens[1:]))["candidate_length"] == 1
    tokens = [full] * (limit(COUNT, "max_total_token_bytes") // 128)
    tokens[-1] = "b" * (128 - under)
    assert execute(COUNT, "1.0.0", segments([tokens[1:]], [[tokens[:1]]]))["totals"][0] == len(tokens) - 1


@pytest.mark.parametrize("character", ["a", WIDE])
def test_one_byte_of_tokens_too_many(character: str) -> None:
    full = character * (128 // len(character.encode()))
    for name in (SENTENCE, COUNT):
        most = limit(name, "max_total_token_bytes")
        tokens = [full] * (most // 128)
        asked = sentence(tokens, ["b"]) if name == SENTENCE else segments([tokens], [[["b"]]])
        message = f"max_total_token_bytes is {most}, the tokens of the input have {most + 1} bytes of UTF-8; "
        assert refused(name, asked) == ("limit_exceeded", message + "send less at once", "")


@pytest.mark.parametrize("character", ["a", WIDE])
def test_bytes_of_texts(character: str) -> None:
    most = limit(SCORE, "max_total_text_bytes")
    text = character * ((most - 4) // len(character.encode()))
    for end in ("bcd", "bcde"):
        assert execute(SCORE, "1.0.0", {"hypothesis": text, "reference": end})["output"] == 0.0
    message = f"max_total_text_bytes is {most}, the texts of the input have {most + 1} bytes of UTF-8; "
    asked = {"hypothesis": text, "reference": "bcdef"}
    assert refused(SCORE, asked) == ("limit_exceeded", message + "send less at once", "")


# ---- Bytes of the output ----


def limits_of(name: str, **changed: int) -> dict[str, int]:
    found: dict[str, int] = contract(name, "1.0.0")["limits"]
    return found | changed


@given(strategies.segment_lists(most=4).filter(len), st.integers(1, 5))
def test_the_size_of_the_output_is_known_to_the_byte(drawn: list[Any], order: int) -> None:
    escaped = [([token + '"\\\n\x01' for token in tokens], references) for tokens, references in drawn]
    for found in (drawn, escaped):
        hypotheses, references = ([list(segment[side]) for segment in found] for side in (0, 1))
        asked = {"hypotheses": hypotheses, "references": references, "max_order": order, "detail": "ngrams"}
        exactly(ngrams_count, COUNT, asked, "/detail")
        one = {"hypothesis": hypotheses[0], "references": references[0], "max_order": order, "include_ngrams": True}
        exactly(sentence_components, SENTENCE, one, "/include_ngrams")


def exactly(function: Callable[[Input, dict[str, int]], Input], name: str, asked: Input, path: str) -> None:
    """An output is given where the limit is its size, and refused where the limit is a byte less."""
    output = function(asked, limits_of(name))
    size = len(json.dumps(output, separators=(",", ":"), ensure_ascii=False).encode())
    assert count_json_bytes(output) == size
    assert function(asked, limits_of(name, max_output_bytes=size)) == output
    with pytest.raises(ContractError) as error:
        function(asked, limits_of(name, max_output_bytes=size - 1))
    assert error.value.path == path
    assert error.value.message.startswith(f"max_output_bytes is {size - 1}, the output would have {size} bytes with ")


@pytest.mark.parametrize("character", ["a", WIDE])
@pytest.mark.parametrize("name", [SENTENCE, COUNT])
def test_the_output_at_just_under_and_just_over_its_limit(name: str, character: str) -> None:
    n_tokens = 1300 if name == SENTENCE else 1200

    def asked(last: str) -> Input:
        tokens = [f"{number:04}" + character * 20 for number in range(n_tokens)] + [last]
        if name == SENTENCE:
            return sentence(tokens, ["a"], include_ngrams=True, max_order=order)
        return segments([tokens], [[["a"]]], detail="ngrams", max_order=order)

    order, most = 8, limit(name, "max_output_bytes")
    # as many orders as go in, then as many tokens; the last token fills up what is left
    while True:
        try:
            size = count_json_bytes(execute(name, "1.0.0", asked("z")))
            break
        except ContractError:
            order -= 1
    while True:
        n_tokens += max((most - size) // 2000, 1)
        try:
            size = count_json_bytes(execute(name, "1.0.0", asked("z")))
        except ContractError:
            n_tokens -= 1
            break
    grows = order  # a character of the last token stands in one n-gram of each order
    size = count_json_bytes(execute(name, "1.0.0", asked("z")))
    room, rest = divmod(most - size, grows)
    assert room < 127, "the last token can take up what is left"
    output = execute_json(name, "1.0.0", json.dumps(asked("z" * (1 + room))))
    assert len(output.encode()) == most - rest
    assert refused(name, asked("z" * (2 + room))) == over(name, most - rest + grows)


def over(name: str, size: int) -> tuple[str, str, str]:
    why, path = {
        SENTENCE: ('with "include_ngrams": true; leave include_ngrams out, or lower max_order', "/include_ngrams"),
        COUNT: ('with "detail": "ngrams"; ask for "detail": "segments", or send fewer segments at once', "/detail"),
    }[name]
    return "limit_exceeded", f"max_output_bytes is 1000000, the output would have {size} bytes {why}", path


def test_a_huge_output_is_refused_before_memory_is_spent_on_it() -> None:
    tokens = [f"{number:05}" + "x" * 15 for number in range(49_999)]
    asked = segments([tokens], [[["a"]]], detail="ngrams", max_order=8)
    execute(COUNT, "1.0.0", segments([["a"]]))  # what is loaded once
    tracemalloc.start()
    try:
        code, _, path = refused_once(asked)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert (code, path) == ("limit_exceeded", "/detail")
    # the output would have some 70 MB as text, and several times that as objects
    assert peak < 64 << 20


def refused_once(asked: Input) -> tuple[str, str, str]:
    with pytest.raises(ContractError) as error:
        execute(COUNT, "1.0.0", asked)
    return error.value.code, error.value.message, error.value.path


def test_segments_never_come_near_the_limit_of_the_output() -> None:
    hypotheses = [["a"] * 49 for _ in range(1000)]
    answer = execute(COUNT, "1.0.0", segments(hypotheses, [[["a"]]] * 1000, detail="segments", max_order=8))
    assert count_json_bytes(answer) < 200_000
