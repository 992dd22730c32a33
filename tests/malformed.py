"""The catalogue of messages: malformed cells in the second row of a frame, and the whole text of the error.

Other tests check the type of an error and the fields of its problem, so that only this file follows the wording.
"""

import decimal
from typing import Any, NamedTuple

import frames
import numpy as np
import pandas as pd
import pyarrow as pa
from frames import arrow, cells

BOTH = ("components", "ngrams")


class Bad(NamedTuple):
    """A malformed call, and what it raises; FUNCTION stands for the name of the function."""

    frame: Any
    error: type[Exception]
    message: str
    options: dict[str, Any] = {}  # noqa: RUF012
    functions: tuple[str, ...] = BOTH


def frame_of(hypothesis: Any = None, references: Any = None, **more: Any) -> pd.DataFrame:
    """Two rows; a column that is not given is right."""
    hypothesis = [["a", "b"], ["c"]] if hypothesis is None else hypothesis
    references = [[["a", "c"]], [["c"]]] if references is None else references
    columns = {"hypothesis": hypothesis, "references": references, **more}
    return pd.DataFrame({k: v if isinstance(v, pd.Series) else cells(v) for k, v in columns.items()})


def on_index(frame: pd.DataFrame, index: Any) -> pd.DataFrame:
    frame.index = index
    return frame


H, R = "column 'hypothesis', row ", "column 'references', row "
H1, R0, R1 = H + "1 (position 1)", R + "0 (position 0)", R + "1 (position 1)"
TEXT = "{}: got the text {}, expected {}; "
TOKENIZE = "tokenize first: df = bleupandas.tokenize(df, {{'{0}': '{0}'}})"
ODD = "the column holds lists: make this cell a list too, with text.split() or the same tokenizer"
NO_LIST = ": got {}, expected a list of tokens; pass a list, tuple or array"
NO_LISTS = NO_LIST.replace("tokens", "token lists")
MISSING = (
    ": the hypothesis is missing ({}), expected a list of tokens; drop the row, write [] for an empty hypothesis, or "
    "pass errors='coerce'"
)
NO_REFERENCE = (
    ": no reference ({}), expected at least one; drop the row, write {} for one empty reference, or pass "
    "errors='coerce'"
)
MISSING_TOKEN = ", token 1: a missing token ({}), expected str; leave it out"
EMPTY_TOKEN = ", token 1: an empty token (''), expected at least one character; leave it out"
NO_STR = ", token 1: got {}, expected str; make it text with str()"
BYTES = ", token 1: got bytes b'b', expected str; decode it"
TOO_DEEP = ", token {}: got {}, expected str; the cell is nested too deep: pass the inner list"
SENTENCES = (
    ": got a list of texts, with white space in {0}, expected a list of tokens; tokenize first: df = "
    "bleupandas.tokenize(df, {{'{1}': '{1}'}}), or nest the cell if these are tokens: [[...]]"
)
FLAT_IN_NESTED = (
    ": got one token list {}, expected a list of token lists, as in row 0 (position 0); write [[...]] for one "
    "reference, or make every cell of the column one token list"
)
NESTED_IN_FLAT = (
    ": got a list of token lists {}, expected one token list, as in row {} (position 0); nest every cell of the "
    "column: [[...]]"
)
MISSING_VALUES: dict[str, Any] = {"None": None, "nan": float("nan"), "<NA>": pd.NA, "NaT": pd.NaT}
TEXT_DTYPES: dict[str, Any] = {
    "object": object,
    "str": "str",
    "string": "string",
    "category": "category",
    "Arrow string": pd.ArrowDtype(pa.string()),
    "Arrow large_string": pd.ArrowDtype(pa.large_string()),
    "Arrow string_view": pd.ArrowDtype(pa.string_view()),
}


def hypothesis_text(place: str, text: str) -> str:
    whole = "row 0" in place
    return TEXT.format(place, text, "a list of tokens") + (TOKENIZE.format("hypothesis") if whole else ODD)


def references_text(place: str, text: str, expected: str = "a list of token lists") -> str:
    return TEXT.format(place, text, expected) + (TOKENIZE.format("references") if "row 0" in place else ODD)


Cells = dict[str, tuple[Any, type[Exception], str]]


def hypotheses(cases: Cells) -> dict[str, Bad]:
    """The malformed cell is the second hypothesis; or the first of a column that is given whole."""
    made = {}
    for name, (cell, error, message) in cases.items():
        whole = isinstance(cell, pd.Series)
        place = H + "0 (position 0)" if whole else H1
        text = message if message.startswith("column") else place + message
        made[f"hypothesis: {name}"] = Bad(frame_of(cell if whole else [["a"], cell]), error, text)
    return made


def references(cases: Cells, first: Any) -> dict[str, Bad]:
    """The malformed cell is the second one of the references, behind one that says what the column is."""
    made = {}
    for name, (cell, error, message) in cases.items():
        whole = isinstance(cell, pd.Series)
        text = message if message.startswith("column") else R1 + message
        made[f"references: {name}"] = Bad(frame_of(references=cell if whole else [first, cell]), error, text)
    return made


CELLS: dict[str, Bad] = {
    **hypotheses(
        {
            **{
                name: (pd.Series(["a b", "c"], dtype=dtype), TypeError, hypothesis_text(H + "0 (position 0)", "'a b'"))
                for name, dtype in TEXT_DTYPES.items()
            },
            "Arrow dictionary": (
                arrow(pa.array(["a b", "c"]).dictionary_encode()),
                TypeError,
                hypothesis_text(H + "0 (position 0)", "'a b'"),
            ),
            "text": ("it's \"b\"\nc  d", TypeError, hypothesis_text(H1, "'it\\'s \"b\"\\nc  d'")),
            "long text": ("x" * 41, TypeError, hypothesis_text(H1, repr("x" * 40))),
            "np.str_": (np.str_("a b"), TypeError, hypothesis_text(H1, "'a b'")),
            "bytes": (b"a b", TypeError, NO_LIST.format("bytes b'a b'")),
            "integers": (pd.Series([1, 2]), TypeError, NO_LIST.format("int 1")),
            "floats": (pd.Series([1.5, 2]), TypeError, NO_LIST.format("float 1.5")),
            "bool": (True, TypeError, NO_LIST.format("bool True")),
            "dates": (
                pd.Series(pd.to_datetime(["2024-05-01"] * 2)),
                TypeError,
                NO_LIST.format("Timestamp('2024-05-01 00:00:00')"),
            ),
            "set": ({"a"}, TypeError, NO_LIST.format("set {'a'}")),
            "dict": ({"a": 1}, TypeError, NO_LIST.format("dict {'a': 1}")),
            "dict keys": ({"a": 1}.keys(), TypeError, NO_LIST.format("dict_keys(['a'])")),
            "range": (range(10**12), TypeError, NO_LIST.format("range(0, 1000000000000)")),
            "generator": ((t for t in "ab"), TypeError, NO_LIST.format("<generator object <genexpr>>")),
            "object": (object(), TypeError, NO_LIST.format("<object object>")),
            "0-d array": (np.array("a b"), TypeError, NO_LIST.format("ndarray array('a b', dtype='<U3')")),
            "Arrow structs": (arrow(pa.array([{"a": 1}] * 2)), TypeError, NO_LIST.format("dict {'a': 1}")),
            **{f"{text}": (value, ValueError, MISSING.format(text)) for text, value in MISSING_VALUES.items()},
            **{
                f"token {text}": (["b", value], ValueError, MISSING_TOKEN.format(text))
                for text, value in MISSING_VALUES.items()
            },
            "Arrow null": (
                arrow(pa.array([["a"], None], frames.LISTS)), ValueError, H1 + MISSING.format("None")
            ),
            "Arrow nulls": (arrow(pa.nulls(2)), ValueError, MISSING.format("None")),
            "Arrow token null": (
                arrow(pa.array([["a"], ["b", None]], frames.LISTS)), ValueError, H1 + MISSING_TOKEN.format("None")
            ),
            "Arrow lists of nulls": (arrow(pa.array([[], [None] * 2])), ValueError, H1 + MISSING_TOKEN.format(
                "None").replace("token 1", "token 0")),
            "empty token": (["b", ""], ValueError, EMPTY_TOKEN),
            "empty token of an array": (np.array(["b", ""]), ValueError, EMPTY_TOKEN),
            "Arrow empty token": (arrow(pa.array([["a"], ["b", ""]], frames.LISTS)), ValueError, H1 + EMPTY_TOKEN),
            "integer": (["a", 3], TypeError, NO_STR.format("int 3")),
            "NumPy integer": (["a", np.int64(3)], TypeError, NO_STR.format("int64 3")),
            "array of numbers": (np.array([1.5]), TypeError, NO_STR.format("float 1.5").replace("token 1", "token 0")),
            "decimal": (("a", decimal.Decimal("1.5")), TypeError, NO_STR.format("Decimal('1.5')")),
            "bytes token": (["a", b"b"], TypeError, BYTES),
            "Arrow lists of binary": (arrow(pa.array([[], [b"a", b"b"]])), TypeError, H1 + BYTES.replace(
                "1: got bytes b'b'", "0: got bytes b'a'")),
            "Arrow lists of integers": (
                arrow(pa.array([[1], [2]])), TypeError, NO_STR.format("int 1").replace("token 1", "token 0")
            ),
            "nested": ([["a", "b"]], TypeError, TOO_DEEP.format(0, "list ['a', 'b']")),
            "Arrow nested": (arrow(pa.array([[["a"]], [["b"]]])), TypeError, TOO_DEEP.format(0, "list ['a']")),
            "2-D array": (np.array([["a", "b"]]), TypeError, TOO_DEEP.format(0, "list ['a', 'b']")),
            "tuple as token": (["a", ("a", "b")], TypeError, TOO_DEEP.format(1, "tuple ('a', 'b')")),
        }
    ),
    **references(
        {
            **{
                name: (pd.Series(["a b", "c"], dtype=dtype), TypeError, references_text(R0, "'a b'"))
                for name, dtype in TEXT_DTYPES.items()
            },
            "text": ("a b", TypeError, references_text(R1, "'a b'")),
            "text as a reference": (
                [["b"], "a b"], TypeError, references_text(R1 + ", reference 1", "'a b'", "a list of tokens")
            ),
            "set": ({"a"}, TypeError, NO_LISTS.format("set {'a'}")),
            "frozenset as a reference": ([frozenset("a")], TypeError, ", reference 0" + NO_LIST.format(
                "frozenset({'a'})")),
            "number": (3, TypeError, NO_LISTS.format("int 3")),
            "number as a reference": ([["a"], 3], TypeError, ", reference 1" + NO_LIST.format("int 3")),
            "iterator": (iter(["a"]), TypeError, NO_LISTS.format("<list_iterator object>")),
            **{text: (value, ValueError, NO_REFERENCE.format(text, "[[]]")) for text, value in MISSING_VALUES.items()},
            "empty": ([], ValueError, NO_REFERENCE.format("[]", "[[]]")),
            "only missing ones": ([None, pd.NA], ValueError, NO_REFERENCE.format("[None, <NA>]", "[[]]")),
            "all empty": (cells([[], []]), ValueError, R0 + NO_REFERENCE.format("[]", "[[]]")),
            "Arrow empty": (arrow(pa.array([[["a"]], []])), ValueError, NO_REFERENCE.format("[]", "[[]]")),
            "Arrow null": (arrow(pa.array([[["a"]], None])), ValueError, NO_REFERENCE.format("None", "[[]]")),
            "token None": ([["b"], ["c", None]], ValueError, ", reference 1" + MISSING_TOKEN.format("None")),
            "Arrow token null": (
                arrow(pa.array([[["a"]], [None, ["c", None]]])),
                ValueError,
                R1 + ", reference 1" + MISSING_TOKEN.format("None"),
            ),
            "empty token": ([["b"], ["c", ""]], ValueError, ", reference 1" + EMPTY_TOKEN),
            "integer": ([["b"], ["c", 3]], TypeError, ", reference 1" + NO_STR.format("int 3")),
            "nested too deep": ([[["a"]]], TypeError, ", reference 0" + TOO_DEEP.format(0, "list ['a']")),
            "Arrow nested too deep": (
                arrow(pa.array([[[["a"]]], []])), TypeError, R0 + ", reference 0" + TOO_DEEP.format(0, "list ['a']")
            ),
            "flat": (["a", "b"], TypeError, FLAT_IN_NESTED.format("['a', 'b']")),
            "flat array": (np.array(["b"]), TypeError, FLAT_IN_NESTED.format("array(['b'], dtype='<U1')")),
        },
        [["a"]],
    ),
    **references(
        {
            "missing, flat": (None, ValueError, NO_REFERENCE.format("None", "[]")),
            "Arrow null, flat": (arrow(pa.array([["a"], None])), ValueError, NO_REFERENCE.format("None", "[]")),
            "token None, flat": (["c", None], ValueError, MISSING_TOKEN.format("None")),
            "empty token, flat": (["c", ""], ValueError, EMPTY_TOKEN),
            "nested in flat": ([["a"], ["b"]], TypeError, NESTED_IN_FLAT.format("[['a'], ['b']]", 0)),
            "empty nested in flat": ([[]], TypeError, NESTED_IN_FLAT.format("[[]]", 0)),
            "a list in a flat cell": (["a", ["b"]], TypeError, TOO_DEEP.format(1, "list ['b']")),
            "text in flat": ("a b", TypeError, references_text(R1, "'a b'", "a list of tokens")),
            "sentences": (["b", "one two"], TypeError, SENTENCES.format("'one two'", "references")),
            "tab": (("one\ttwo", "b"), TypeError, SENTENCES.format("'one\\ttwo'", "references")),
            "Arrow sentences": (
                arrow(pa.array([["a"], ["one two"]])), TypeError, SENTENCES.format("'one two'", "references")
            ),
        },
        ["a"],
    ),
    "sentences in the second column": Bad(
        frame_of([["c"], []], second=[("c",), ("c d", "e")]),
        TypeError,
        "column 'second', row 1 (position 1)" + SENTENCES.format("'c d'", "second"),
        {"references": ["references", "second"]},
    ),
    "missing in every column": Bad(
        frame_of(references=[["a"], None], second=[[["a"]], []]),
        ValueError,
        "columns 'references', 'second', row 1 (position 1)" + NO_REFERENCE.format("None, []", "[]"),
        {"references": ["references", "second"]},
    ),
    "label of a MultiIndex": Bad(
        on_index(frame_of([["a"], None]), pd.MultiIndex.from_tuples([("x", 1), ("y", 2)])),
        ValueError,
        H + "('y', 2) (position 1)" + MISSING.format("None"),
    ),
    "label of a date": Bad(
        on_index(frame_of([["a"], None]), pd.to_datetime(["2024-05-01", "2024-05-02"])),
        ValueError,
        H + "Timestamp('2024-05-02 00:00:00') (position 1)" + MISSING.format("None"),
    ),
    "label of the row that tells": Bad(
        on_index(frame_of(references=[["a", "b"], [["a"]]]), [7, 9]),
        TypeError,
        R + "9 (position 1)" + NESTED_IN_FLAT.format("[['a']]", 7),
    ),
    "the hypothesis is named before the references": Bad(
        frame_of([["a"], ["b", ""]], [[["a"]], None]), ValueError, H1 + EMPTY_TOKEN
    ),
}  # fmt: skip
