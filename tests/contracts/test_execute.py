"""The published tools from Python: contracts as data, published examples, numbers against naive.py and NLTK."""

import contextlib
import copy
import json
import subprocess
import sys
import warnings
from collections.abc import Iterator
from typing import Any

import jsonschema_rs
import naive
import pytest
import strategies
from hypothesis import example, given, settings
from hypothesis import strategies as st
from nltk.translate.bleu_score import SmoothingFunction, corpus_bleu, sentence_bleu

import bleupandas
from bleupandas.contracts.compact_json import compact_json
from bleupandas.contracts.errors import ContractError
from bleupandas.contracts.evaluator import Evaluator
from bleupandas.contracts.execute import contract, contracts, execute, execute_json

KEYS = [
    *("id", "version", "description", "supported_operations", "unsupported_operations", "semantics", "limits"),
    *("pricing", "input_schema", "output_schema", "examples", "execute_url"),
]
EXAMPLES = [
    pytest.param(tool, shown, id=f"{tool['id']}-{number}")
    for tool in contracts()
    for number, shown in enumerate(tool["examples"])
]
EIFFEL = {
    "reference": "The Eiffel Tower is a famous landmark in Paris, built in 1889 for the World's Fair. "
    "It stands 324 meters tall.",
    "hypothesis": "The Eiffel Tower, located in Paris, was built in 1889 and is 324 meters high.",
}
GUIDES = [
    "It is a guide to action that ensures that the military will forever heed Party commands",
    "It is the guiding principle which guarantees the military forces always being under the command of the Party",
    "It is the practical guide for the army always to heed the directions of the party",
]
# As published, text for text.
PUBLISHED = [
    (
        "bleu-sentence-components",
        '{"hypothesis":["am","I","am","a","character","sequence"],'
        '"references":[["I","am","a","symbol","string","sequence","a","a"]]}',
        '{"candidate_length":6,"reference_length":8,"max_order":4,"matches":[4,2,1,0],"totals":[6,5,4,3]}',
    ),
    (
        "bleu-sentence-components",
        '{"hypothesis":["the","the","the"],"references":[["the","cat","on","the","mat"],["a","cat"]],"max_order":1,'
        '"include_ngrams":true}',
        '{"candidate_length":3,"reference_length":2,"max_order":1,"matches":[2],"totals":[3],'
        '"ngrams":[{"order":1,"ngram":["the"],"count":3,"max_reference_count":2,"clipped_count":2}]}',
    ),
    (
        "bleu-ngrams-count",
        json.dumps({"hypotheses": [["of", "the"]], "references": [[g.split() for g in GUIDES]], "max_order": 2}),
        '{"max_order":2,"matches":[2,1],"totals":[2,1]}',
    ),
]


@pytest.mark.parametrize(("name", "body", "answer"), PUBLISHED)
def test_published_examples_come_out_equal_in_the_published_order(
    name: str, body: str, answer: str, engine: str
) -> None:
    assert json.loads(execute_json(name, "1.0.0", body.encode())) == json.loads(answer)
    assert execute_json(name, "1.0.0", body) == answer
    assert compact_json(execute(name, "1.0.0", json.loads(body))) == answer


@pytest.mark.parametrize(("tool", "shown"), EXAMPLES)
def test_every_example_of_a_contract(tool: dict[str, Any], shown: dict[str, Any]) -> None:
    answer = execute(tool["id"], tool["version"], shown["input"])
    if tool["id"] == "bleu_score":
        assert answer.pop("output") == pytest.approx(shown["output"].pop("output"), abs=1e-12)
    assert compact_json(answer) == compact_json(shown["output"])


@pytest.mark.parametrize(("tool", "shown"), EXAMPLES)
def test_an_input_is_not_changed(tool: dict[str, Any], shown: dict[str, Any]) -> None:
    given_input = copy.deepcopy(shown["input"])
    execute(tool["id"], tool["version"], given_input)
    assert given_input == shown["input"]


# ---- Contracts as data ----


def schemas(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from schemas(item)


@pytest.mark.parametrize("tool", contracts(), ids=lambda tool: tool["id"])
def test_a_contract_has_the_published_keys_and_strict_schemas(tool: dict[str, Any]) -> None:
    assert list(tool) == KEYS
    assert tool["pricing"] == {"status": "unpriced", "charge_usd": None}
    assert tool["execute_url"] == f"/v1/tools/{tool['id']}/versions/{tool['version']}/execute"
    for side in ("input_schema", "output_schema"):
        assert tool[side]["$schema"] == "https://json-schema.org/draft/2020-12/schema"
        jsonschema_rs.meta.validate(tool[side])
        objects = [schema for schema in schemas(tool[side]) if schema.get("type") == "object"]
        assert objects
        assert all(schema["additionalProperties"] is False for schema in objects)
    for shown in tool["examples"]:
        jsonschema_rs.validate(tool["input_schema"], shown["input"])
        jsonschema_rs.validate(tool["output_schema"], shown["output"])


def bare(schema: Any) -> Any:
    """Leave out what only explains."""
    if isinstance(schema, list):
        return [bare(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    return {key: bare(item) for key, item in schema.items() if key not in ("$schema", "description")}


def test_the_schemas_of_sentence_components_are_the_published_ones() -> None:
    token = {"type": "string", "minLength": 1, "maxLength": 128}
    count = {"type": "integer", "minimum": 0}
    order = {"type": "integer", "minimum": 1, "maximum": 8}
    counts = {"type": "array", "minItems": 1, "maxItems": 8, "items": count}
    tool = contract("bleu-sentence-components", "1.0.0")
    assert bare(tool["input_schema"]) == {
        "type": "object",
        "additionalProperties": False,
        "required": ["hypothesis", "references"],
        "properties": {
            "hypothesis": {"type": "array", "items": token},
            "references": {
                "type": "array", "minItems": 1, "maxItems": 8, "items": {"type": "array", "items": token}
            },
            "max_order": order,
            "include_ngrams": {"type": "boolean"},
        },
    }  # fmt: skip
    assert bare(tool["output_schema"])["required"] == [
        *("candidate_length", "reference_length", "max_order", "matches", "totals")
    ]
    properties = bare(tool["output_schema"])["properties"]
    ngram = properties.pop("ngrams")["items"]
    assert properties == {
        "candidate_length": count, "reference_length": count, "max_order": order, "matches": counts, "totals": counts
    }  # fmt: skip
    assert ngram["required"] == ["order", "ngram", "count", "max_reference_count", "clipped_count"]
    assert tool["limits"] == {
        "max_references": 8,
        "max_total_tokens": 10000,
        "max_token_bytes": 128,
        "max_total_token_bytes": 262144,
        "max_output_bytes": 1000000,
    }


def test_the_limits_of_ngrams_count_are_the_published_ones() -> None:
    assert contract("bleu-ngrams-count", "1.0.0")["limits"] == {
        "max_segments": 1000,
        "max_references_per_segment": 8,
        "max_total_tokens": 50000,
        "max_token_bytes": 128,
        "max_total_token_bytes": 1048576,
        "max_output_bytes": 1000000,
    }


def test_a_contract_is_the_callers_own() -> None:
    contract("bleu_score", "1.0.0")["limits"]["max_segments"] = 0
    contracts()[2]["limits"]["max_segments"] = 0
    assert contract("bleu_score", "1.0.0")["limits"]["max_segments"] == 1000


def test_importing_the_package_imports_nothing_of_this() -> None:
    code = (
        "import sys, bleupandas; "
        "print([name for name in sys.modules if 'contracts' in name or name in ('click', 'jsonschema_rs')])"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout == "[]\n"


# ---- Counts ----


def ngram_rows(hypothesis: list[str], references: list[list[str]], order: int) -> list[dict[str, Any]]:
    names = ("order", "ngram", "count", "max_reference_count", "clipped_count")
    found = naive.ngrams(hypothesis, references, order)
    return [dict(zip(names, (n, list(ngram), *counts), strict=True)) for n, ngram, *counts, _first in found]


@given(strategies.segment_lists(most=1).filter(len), st.integers(1, 8))
def test_sentence_components_against_the_naive_count(segments: list[Any], order: int) -> None:
    [(hypothesis, references)] = segments
    c, r, matches, totals = naive.components(hypothesis, references, order)
    asked = {"hypothesis": hypothesis, "references": references, "max_order": order, "include_ngrams": True}
    answer = execute("bleu-sentence-components", "1.0.0", asked)
    assert answer == {
        "candidate_length": c,
        "reference_length": r,
        "max_order": order,
        "matches": matches,
        "totals": totals,
        "ngrams": ngram_rows(hypothesis, references, order),
    }
    jsonschema_rs.validate(contract("bleu-sentence-components", "1.0.0")["output_schema"], answer)


@given(strategies.segment_lists().filter(len), st.integers(1, 8), st.sampled_from(["totals", "segments", "ngrams"]))
def test_ngrams_count_against_the_naive_count(segments: list[Any], order: int, detail: str) -> None:
    counted = [naive.components(hypothesis, references, order)[2:] for hypothesis, references in segments]
    expected: dict[str, Any] = {
        "max_order": order,
        "matches": [sum(numbers) for numbers in zip(*(matches for matches, _ in counted), strict=True)],
        "totals": [sum(numbers) for numbers in zip(*(totals for _, totals in counted), strict=True)],
    }
    if detail != "totals":
        expected["segments"] = [{"segment": i, "matches": m, "totals": t} for i, (m, t) in enumerate(counted)]
    if detail == "ngrams":
        expected["ngrams"] = [
            {"segment": i, **row}
            for i, (hypothesis, references) in enumerate(segments)
            for row in ngram_rows(list(hypothesis), references, order)
        ]
    hypotheses, references = ([segment[side] for segment in segments] for side in (0, 1))
    asked = {"hypotheses": hypotheses, "references": references, "max_order": order, "detail": detail}
    answer = execute("bleu-ngrams-count", "1.0.0", asked)
    assert answer == expected
    assert list(answer) == list(expected)
    jsonschema_rs.validate(contract("bleu-ngrams-count", "1.0.0")["output_schema"], answer)
    assert execute_json("bleu-ngrams-count", "1.0.0", json.dumps(asked)) == compact_json(expected)


# ---- bleu_score ----

TEXTS = st.lists(st.sampled_from(["the", "cat", "sat", "on", "mat."]), max_size=9).map(" ".join)
SEGMENTS = st.tuples(TEXTS, st.lists(TEXTS, min_size=1, max_size=3))


def smoother(number: int) -> Any:
    return getattr(SmoothingFunction(), f"method{number}")


def test_the_published_numbers() -> None:
    answer = execute("bleu_score", "1.0.0", EIFFEL)
    assert list(answer) == ["output", "reason"]
    assert f"{answer['output']:.6f}" == "0.074506"
    swapped = execute("bleu_score", "1.0.0", {**EIFFEL, "config": {"generated": "reference"}})
    assert f"{swapped['output']:.6f}" == "0.076811"
    assert swapped["reason"].startswith('Judged is what stands in "reference". ')
    tokens = {side: text.split() for side, text in EIFFEL.items()}
    expected = sentence_bleu([tokens["reference"]], tokens["hypothesis"], smoothing_function=smoother(1))
    assert answer["output"] == pytest.approx(expected, abs=1e-12)
    expected = sentence_bleu([tokens["hypothesis"]], tokens["reference"], smoothing_function=smoother(1))
    assert swapped["output"] == pytest.approx(expected, abs=1e-12)


@given(SEGMENTS, st.integers(1, 6), st.integers(0, 7))
@example(("the cat", ["the cat sat on mat."]), 4, 4)
@example(("the the the", ["the the the"]), 4, 6)
def test_sentences_are_nltks(segment: tuple[str, list[str]], order: int, number: int) -> None:
    generated, references = segment
    config = {"max_n_gram": order, "smooth": f"method{number}"}
    lists = [text.split() for text in references]
    expected = None
    # NLTK's method6 raises ZeroDivisionError, AssertionError or IndexError
    with warnings.catch_warnings(), contextlib.suppress(Exception):
        warnings.simplefilter("ignore")
        weights = (1 / order,) * order
        expected = sentence_bleu(lists, generated.split(), weights, smoothing_function=smoother(number))
    if expected is None:
        with pytest.raises(ContractError, match="NLTK's method6 fails where no trigram matches"):
            execute("bleu_score", "1.0.0", {"hypothesis": generated, "reference": references, "config": config})
        assert number == 6
        return
    answer = execute("bleu_score", "1.0.0", {"hypothesis": generated, "reference": references, "config": config})
    assert answer["output"] == pytest.approx(min(expected, 1.0), abs=1e-12)
    assert answer["reason"]
    swapped = {"reference": generated, "hypothesis": references, "config": {**config, "generated": "reference"}}
    assert execute("bleu_score", "1.0.0", swapped)["output"] == answer["output"]


@settings(max_examples=strategies.examples(40))
@given(st.lists(SEGMENTS, min_size=1, max_size=4), st.integers(1, 6), st.integers(0, 4))
def test_corpora_are_nltks(segments: list[tuple[str, list[str]]], order: int, number: int) -> None:
    generated, references = [text for text, _ in segments], [texts for _, texts in segments]
    config = {"mode": "corpus", "max_n_gram": order, "smooth": f"method{number}"}
    answer = execute("bleu_score", "1.0.0", {"hypothesis": generated, "reference": references, "config": config})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = corpus_bleu(
            [[text.split() for text in texts] for texts in references],
            [text.split() for text in generated],
            (1 / order,) * order,
            smoothing_function=smoother(number),
        )
    assert answer["output"] == pytest.approx(min(expected, 1.0), abs=1e-12)


@settings(max_examples=strategies.examples(40))
@given(st.lists(SEGMENTS, min_size=1, max_size=4), st.integers(0, 7))
def test_the_papers_convention_is_the_packages(segments: list[tuple[str, list[str]]], number: int) -> None:
    config = {"convention": "paper", "smooth": f"method{number}"}
    frame = strategies.frame_of([(text.split(), [t.split() for t in texts]) for text, texts in segments])
    expected = bleupandas.score(frame, smoothing=f"method{number}").tolist()
    answers = [
        execute("bleu_score", "1.0.0", {"hypothesis": text, "reference": texts, "config": config})
        for text, texts in segments
    ]
    assert [answer["output"] for answer in answers] == expected
    generated, references = ([segment[side] for segment in segments] for side in (0, 1))
    asked = {"hypothesis": generated, "reference": references, "config": {**config, "mode": "corpus"}}
    answer = execute("bleu_score", "1.0.0", asked)
    assert answer["output"] == bleupandas.corpus(frame, smoothing=f"method{number}").score


def test_weights_and_tokenizer() -> None:
    config = {"weights": [0.5, 0.5], "tokenize": "13a", "convention": "paper", "smooth": "method0"}
    answer = execute("bleu_score", "1.0.0", {"hypothesis": "a b.", "reference": "a b.", "config": config})
    assert answer["output"] == 1.0
    assert "3 tokens" in answer["reason"]


def test_corpus_texts_may_have_one_reference_each() -> None:
    one = {"hypothesis": ["a b", "c"], "reference": ["a b", "c d"], "config": {"mode": "corpus", "max_n_gram": 1}}
    nested = {**one, "reference": [["a b"], ["c d"]]}
    assert execute("bleu_score", "1.0.0", one) == execute("bleu_score", "1.0.0", nested)


def test_the_pages_python_snippet() -> None:
    evaluator = Evaluator()
    result = evaluator.evaluate(
        eval_templates="bleu_score",
        inputs={
            "reference": "The Eiffel Tower is a famous landmark in Paris, built in 1889 for the World's Fair. It "
            "stands 324 meters tall.",
            "hypothesis": "The Eiffel Tower, located in Paris, was built in 1889 and is 324 meters high.",
        },
    )
    assert round(result.eval_results[0].output, 6) == 0.074506
    assert result.eval_results[0].reason.startswith("10 of 15 tokens")


def test_an_evaluator_takes_a_config_and_several_templates() -> None:
    result = Evaluator().evaluate(["bleu_score", "bleu_score"], EIFFEL, config={"generated": "reference"})
    assert [round(one.output, 6) for one in result.eval_results] == [0.076811, 0.076811]
    message = 'there is no template "rouge_score"; there is "bleu_score"'
    with pytest.raises(ContractError, match=f"^{message}$") as refused:
        Evaluator().evaluate("rouge_score", EIFFEL)
    assert refused.value.code == "unknown_tool"
