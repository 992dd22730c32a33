"""Inputs that do not fit the published tools' schemas and rules: every message whole, with its path."""

import json

import pytest
from refusals import COUNT, SCORE, SENTENCE, SMALL, of_text, of_value

from bleupandas.contracts.execute import execute_json

# ---- Schema: bleu-sentence-components and what all have alike ----


@pytest.mark.parametrize(
    ("asked", "message", "path"),
    [
        ([], "the input: an empty array; expected an object", ""),
        (None, "the input: null; expected an object", ""),
        ("a", 'the input: the string "a"; expected an object', ""),
        ({}, 'the input lacks "hypothesis"; expected "hypothesis" and "references"', ""),
        ({"hypothesis": []}, 'the input lacks "references"; expected "hypothesis" and "references"', ""),
        (
            {**SMALL, "max_ngram_order": 2},
            'the input has no "max_ngram_order"; expected "hypothesis", "references", "max_order" or "include_ngrams"; '
            'did you mean "max_order"?',
            "/max_ngram_order",
        ),
        (
            {**SMALL, "a/b~": 2},
            'the input has no "a/b~"; expected "hypothesis", "references", "max_order" or "include_ngrams"',
            "/a~1b~0",
        ),
        (
            {**SMALL, "x" * 200: 2},
            f'the input has no "{"x" * 37}..."; expected "hypothesis", "references", "max_order" or "include_ngrams"',
            "",
        ),
        (
            {**SMALL, "hypothesis": "the cat"},
            '/hypothesis: the string "the cat"; expected an array: split the text into tokens',
            "/hypothesis",
        ),
        (
            {**SMALL, "references": ["the cat"]},
            '/references/0: the string "the cat"; expected an array: split the text into tokens',
            "/references/0",
        ),
        (
            {**SMALL, "hypothesis": ["a", 1]},
            "/hypothesis/1: the number 1; expected a string of 1 to 128 characters",
            "/hypothesis/1",
        ),
        (
            {**SMALL, "hypothesis": ["a", ""]},
            "/hypothesis/1: an empty string; expected a string of 1 to 128 characters: leave the token out",
            "/hypothesis/1",
        ),
        (
            {**SMALL, "references": [["a"], None]},
            "/references/1: null; expected an array",
            "/references/1",
        ),
        ({**SMALL, "max_order": 0}, "/max_order: the number 0; expected an integer from 1 to 8", "/max_order"),
        ({**SMALL, "max_order": 9}, "/max_order: the number 9; expected an integer from 1 to 8", "/max_order"),
        ({**SMALL, "max_order": 2.5}, "/max_order: the number 2.5; expected an integer from 1 to 8", "/max_order"),
        ({**SMALL, "max_order": True}, "/max_order: true; expected an integer from 1 to 8", "/max_order"),
        ({**SMALL, "max_order": "4"}, '/max_order: the string "4"; expected an integer from 1 to 8', "/max_order"),
        ({**SMALL, "max_order": None}, "/max_order: null; expected an integer from 1 to 8", "/max_order"),
        ({**SMALL, "include_ngrams": 1}, "/include_ngrams: the number 1; expected true or false", "/include_ngrams"),
        ({**SMALL, "include_ngrams": {}}, "/include_ngrams: an object; expected true or false", "/include_ngrams"),
    ],
)
def test_inputs_that_do_not_fit_the_schema(asked: object, message: str, path: str) -> None:
    assert of_value(SENTENCE, asked) == ("invalid_input", message, path)
    assert of_text(SENTENCE, json.dumps(asked)) == ("invalid_input", message, path)


@pytest.mark.parametrize("written", ["2", "2.0", "2e0", "20E-1"])
def test_integers_however_they_are_written(written: str) -> None:
    body = f'{{"hypothesis": ["a"], "references": [["a"]], "max_order": {written}}}'
    assert execute_json(SENTENCE, "1.0.0", body).startswith('{"candidate_length":1,"reference_length":1,"max_order":2,')


@pytest.mark.parametrize("written", ["1e400", "-1e400", "9" * 5_000, "-" + "9" * 5_000, "1" + "0" * 30])
def test_large_numbers(written: str) -> None:
    code, message, path = of_text(SENTENCE, f'{{"hypothesis": [], "references": [[]], "max_order": {written}}}')
    assert (code, path) == ("invalid_input", "/max_order")
    assert message.startswith("/max_order: the number ")
    assert message.endswith("; expected an integer from 1 to 8")
    body = f'{{"hypothesis": "a", "reference": "a", "config": {{"weights": [{written}]}}}}'
    assert of_text(SCORE, body)[::2] == ("invalid_input", "/config/weights/0")


# ---- bleu-ngrams-count ----


@pytest.mark.parametrize(("n_hypotheses", "n_references"), [(2, 1), (1, 2), (3, 1)])
def test_lists_of_different_length(n_hypotheses: int, n_references: int) -> None:
    asked = {"hypotheses": [["a"]] * n_hypotheses, "references": [[["a"]]] * n_references}
    items = "1 item" if n_references == 1 else "2 items"
    message = (
        f"/references: {items}, and hypotheses has {n_hypotheses}; expected as many: give the references of every "
    )
    assert of_value(COUNT, asked) == ("invalid_input", message + "segment", "/references")


@pytest.mark.parametrize(
    ("asked", "message", "path"),
    [
        ({}, 'the input lacks "hypotheses"; expected "hypotheses" and "references"', ""),
        (
            {"hypotheses": [], "references": []},
            "/hypotheses: an empty array; expected an array of 1 to 1000 items",
            "/hypotheses",
        ),
        (
            {"hypotheses": [["a"]], "references": [["a"]]},
            '/references/0/0: the string "a"; expected an array: split the text into tokens',
            "/references/0/0",
        ),
        (
            {"hypotheses": [["a"]], "references": [[["a"]]], "detail": "ngram"},
            '/detail: the string "ngram"; expected "totals", "segments" or "ngrams"; did you mean "ngrams"?',
            "/detail",
        ),
        (
            {"hypotheses": [["a"]], "references": [[["a"]]], "detail": None},
            '/detail: null; expected "totals", "segments" or "ngrams"',
            "/detail",
        ),
    ],
)
def test_counts_that_do_not_fit_the_schema(asked: object, message: str, path: str) -> None:
    assert of_text(COUNT, json.dumps(asked)) == ("invalid_input", message, path)


# ---- bleu_score ----


def scored(hypothesis: object, reference: object, **config: object) -> dict[str, object]:
    return {"hypothesis": hypothesis, "reference": reference, "config": config}


ONE_TEXT = 'expected one text: give "mode": "corpus" for many texts'
SEGMENTS = (
    'expected an array with an item per segment in mode "corpus": leave mode out for a single text, or give an array'
)


@pytest.mark.parametrize(
    ("asked", "message", "path"),
    [
        ({"hypothesis": "a"}, 'the input lacks "reference"; expected "reference" and "hypothesis"', ""),
        (
            scored(1, "a"),
            "/hypothesis: the number 1; expected a string or an array of 1 to 1000 items",
            "/hypothesis",
        ),
        (
            scored(["a"], "a"),
            f'/hypothesis: an array of 1 item; {ONE_TEXT}, or "generated": "reference" if the text in reference is the '
            "generated one",
            "/hypothesis",
        ),
        (scored(["a"], ["a"]), f"/hypothesis: an array of 1 item; {ONE_TEXT}", "/hypothesis"),
        (
            scored("a", ["a"], generated="reference"),
            f'/reference: an array of 1 item; {ONE_TEXT}, or "generated": "hypothesis" if the text in hypothesis is '
            "the generated one",
            "/reference",
        ),
        (
            scored("a", ["a", ["b"]]),
            '/reference/1: an array of 1 item; expected one text: give "mode": "corpus" for many segments',
            "/reference/1",
        ),
        (scored("a", ["a"], mode="corpus"), f'/hypothesis: the string "a"; {SEGMENTS}', "/hypothesis"),
        (scored(["a"], "a", mode="corpus"), f'/reference: the string "a"; {SEGMENTS}', "/reference"),
        (
            scored(["a", "b"], ["a"], mode="corpus"),
            "/reference: 1 item, and hypothesis has 2; expected as many: give one per segment",
            "/reference",
        ),
        (
            scored(["a", ["b"]], ["a", "b"], mode="corpus"),
            "/hypothesis/1: an array of 1 item; expected one text: give the one that is judged",
            "/hypothesis/1",
        ),
        (
            scored("a", "a", smooth="method8"),
            '/config/smooth: the string "method8"; expected "method0", "method1", "method2", "method3", "method4", '
            '"method5", "method6" or "method7"; did you mean "method7"?',
            "/config/smooth",
        ),
        (
            scored("a", "a", max_order=2),
            '/config has no "max_order"; expected "mode", "max_n_gram", "weights", "smooth", "tokenize", "convention" '
            'or "generated"; did you mean "max_n_gram"?',
            "/config/max_order",
        ),
        (
            scored("a", "a", weights=[0.5, 0.5], max_n_gram=3),
            "/config/weights: 2 weights for max_n_gram 3; expected one for each order: leave max_n_gram out, or give "
            "as many weights",
            "/config/weights",
        ),
        (
            scored("a", "a", weights=[0, 0.0]),
            "/config/weights: all weights are 0; expected one above 0: leave them out for equal ones",
            "/config/weights",
        ),
        (
            scored("a", "a", weights=[1.5]),
            "/config/weights/0: the number 1.5; expected a number from 0 to 1",
            "/config/weights/0",
        ),
        (
            scored(["a"], ["a"], mode="corpus", smooth="method5"),
            "/config/smooth: NLTK's method5 looks at the last segment of a corpus only; expected method0 to method4, "
            'or "convention": "paper"',
            "/config/smooth",
        ),
        (
            scored("a b", "a c", smooth="method6"),
            "/config/smooth: NLTK's method6 fails where no trigram matches; expected another method, or "
            '"convention": "paper"',
            "/config/smooth",
        ),
    ],
)
def test_scores_that_cannot_be_asked_for(asked: object, message: str, path: str) -> None:
    assert of_value(SCORE, asked) == ("invalid_input", message, path)
    assert of_text(SCORE, json.dumps(asked)) == ("invalid_input", message, path)
