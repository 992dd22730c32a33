"""The catalogue of messages: labels and options that are wrong, and the whole text of the error."""

from typing import Any

import numpy as np
import pandas as pd
from malformed import BOTH, H1, R1, Bad, H, frame_of

import bleupandas

GOOD = frame_of()
THE_COLUMNS = "the columns are 'hypothesis', 'references'"
NOT_A_LABEL = "{} is named by a column label or a list of labels, not by {}; " + THE_COLUMNS
TWICE = "the column label {} for {} stands for 2 columns of the frame; expected one: {}"


def doubled(label: str) -> pd.DataFrame:
    frame = frame_of()
    frame.insert(2, "x", 1)
    frame.insert(2, label, 2, allow_duplicates=True)
    return frame


def with_levels() -> pd.DataFrame:
    frame = frame_of()
    frame.columns = pd.MultiIndex.from_tuples([("mt", "x"), ("mt", "y")])
    return frame


def hypothesis(label: Any, error: type[Exception], message: str) -> Bad:
    return Bad(GOOD, error, message, {"hypothesis": label})


def references(label: Any, error: type[Exception], message: str) -> Bad:
    return Bad(GOOD, error, message, {"references": label})


LABELS: dict[str, Bad] = {
    "no hypothesis": Bad(
        frame_of().drop(columns="hypothesis"),
        KeyError,
        "no column 'hypothesis' for the hypothesis: the columns are 'references'",
    ),
    "no references": Bad(
        frame_of().drop(columns="references"),
        KeyError,
        "no column 'references' for references: the columns are 'hypothesis'",
    ),
    "no columns": Bad(
        pd.DataFrame(index=[0]), KeyError, "no column 'hypothesis' for the hypothesis: the frame has no columns"
    ),
    "many columns": Bad(
        pd.DataFrame([range(14)], columns=[*"abcdefghijklmn"]),
        KeyError,
        "no column 'hypothesis' for the hypothesis: the columns are 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', "
        "'k', 'l' and 2 more",
    ),
    "misspelt": hypothesis(
        "hypotesis",
        KeyError,
        f"no column 'hypotesis' for the hypothesis: {THE_COLUMNS}; did you mean 'hypothesis'?",
    ),
    "one of several": references(["references", "ref_b"], KeyError, f"no column 'ref_b' for references: {THE_COLUMNS}"),
    "a tuple": references(("a", "b"), KeyError, f"no column ('a', 'b') for references: {THE_COLUMNS}"),
    "an integer": hypothesis(0, KeyError, f"no column 0 for the hypothesis: {THE_COLUMNS}"),
    "None in a list": references([None], KeyError, f"no column None for references: {THE_COLUMNS}"),
    "duplicate hypothesis": Bad(
        doubled("hypothesis"), ValueError, TWICE.format("'hypothesis'", "the hypothesis", "rename the others")
    ),
    "duplicate references": Bad(
        doubled("references"), ValueError, TWICE.format("'references'", "references", "rename the others")
    ),
    "a level": Bad(
        with_levels(),
        ValueError,
        TWICE.format("'mt'", "the hypothesis", "give a label of every level"),
        {"hypothesis": "mt"},
    ),
    "a label of another level": Bad(
        with_levels(),
        KeyError,
        "no column ('mt', 'z') for the hypothesis: the columns are ('mt', 'x'), ('mt', 'y')",
        {"hypothesis": ("mt", "z")},
    ),
    "a label with too many levels": Bad(
        with_levels(),
        KeyError,
        "no column ('mt', 'x', 'y') for the hypothesis: the columns are ('mt', 'x'), ('mt', 'y')",
        {"hypothesis": ("mt", "x", "y")},
    ),
    "hypothesis a list": hypothesis(
        ["hypothesis"],
        TypeError,
        "the hypothesis is named by a column label, not by list ['hypothesis'], which is for comparing: give one, "
        "df.bleu(hypothesis='hypothesis', ...)",
    ),
    "references a set": references({"r"}, TypeError, NOT_A_LABEL.format("references", "set {'r'}")),
    "references a slice": references(slice(0, 1), TypeError, NOT_A_LABEL.format("references", "slice(0, 1, None)")),
    "references an array": references(
        np.array(["a"]), TypeError, NOT_A_LABEL.format("references", "ndarray array(['a'], dtype='<U1')")
    ),
    "a list in the list": references([["r"]], TypeError, NOT_A_LABEL.format("references", "list ['r']")),
    "references an empty list": references(
        [], ValueError, "references is an empty list; expected a column label or a list of column labels"
    ),
    "a list": Bad([["a"]], TypeError, "FUNCTION() takes a pandas DataFrame, not list"),
    "a Series": Bad(GOOD["hypothesis"], TypeError, "FUNCTION() takes a pandas DataFrame, not Series"),
    "a dict": Bad({"hypothesis": []}, TypeError, "FUNCTION() takes a pandas DataFrame, not dict"),
    "components for n-grams": Bad(
        bleupandas.components(GOOD, max_order=1),
        KeyError,
        "no column 'hypothesis' for ngrams(), which needs token lists and not only components: the columns are "
        "'candidate_length', 'reference_length', 'matches_1', 'totals_1'",
        {},
        ("ngrams",),
    ),
}


def values(name: str, wrong: list[tuple[Any, type[Exception], str]], *functions: str) -> dict[str, Bad]:
    """Wrong values of one option."""
    return {
        f"{name}={value!r}": Bad(GOOD, error, message, {name: value}, functions or BOTH)
        for value, error, message in wrong
    }


def keywords(function: str, its: str, names: dict[str, str | None]) -> dict[str, Bad]:
    """Keywords that a function does not have, and what was meant."""
    return {
        f"{function}({name}=)": Bad(
            GOOD,
            TypeError,
            f"{function}() has no keyword {name!r}; " + (f"did you mean {meant!r}? " if meant else "") + its,
            {name: 1},
            (function,),
        )
        for name, meant in names.items()
    }


def ngrams(frame: pd.DataFrame, error: type[Exception], message: str, **options: Any) -> Bad:
    return Bad(frame, error, message, dict(options), ("ngrams",))


AMBIGUOUS = (
    ": the token {} holds the separator {}, so n-gram text would be ambiguous ({}); pass another sep, one character "
    "that no token holds, or pass ngram='tuple' or 'list'"
)
SURROGATE = ": the token {} holds a lone surrogate, which UTF-8 cannot encode; repair the text, or pass ngram='tuple'"
ORDER = "max_order is a whole number from 1 to 8, not "
ORDERS = "orders is a whole number from 1 to 8, not "
THREADS = "threads is a whole number of at least 1, or None for the CPUs there are, not {}"
ERRORS = "errors is one of 'raise', 'coerce', not "
FORMS = "ngram is one of 'text', 'tuple', 'list', not "
SIDES = "side is one of 'hypothesis', 'references', not "
CLASH = "id_vars has {}, which is a column of the n-gram frame; rename it first"
OPTIONS: dict[str, Bad] = {
    **values(
        "max_order",
        [
            (0, ValueError, "max_order is a whole number from 1 to 8, not 0"),
            (9, ValueError, "max_order is a whole number from 1 to 8, not 9"),
            (-1, ValueError, "max_order is a whole number from 1 to 8, not -1"),
            (np.int64(9), ValueError, "max_order is a whole number from 1 to 8, not 9"),
            (True, TypeError, ORDER + "True"),
            ("4", TypeError, ORDER + "'4'"),
            (2.5, TypeError, ORDER + "2.5"),
            (np.float64(4), TypeError, ORDER + "4.0"),
            ([1, 2], TypeError, ORDER + "[1, 2]"),
        ],
    ),
    **values(
        "errors",
        [
            ("ignore", ValueError, ERRORS + "'ignore'"),
            ("corce", ValueError, ERRORS + "'corce'; did you mean 'coerce'?"),
            (None, ValueError, ERRORS + "None"),
            (pd.NA, ValueError, ERRORS + "<NA>"),
            (["raise"], ValueError, ERRORS + "['raise']"),
        ],
    ),
    **values(
        "threads",
        [
            (0, ValueError, THREADS.format(0)),
            (-1, ValueError, THREADS.format(-1)),
            ("2", TypeError, THREADS.format("'2'")),
            (1.5, TypeError, THREADS.format(1.5)),
            (True, TypeError, THREADS.format(True)),
        ],
    ),
    **values("components", [("yes", TypeError, "components is True or False, not 'yes'")], "components"),
    **values(
        "sep",
        [
            ("", ValueError, "sep is exactly one character, not ''"),
            ("ab", ValueError, "sep is exactly one character, not 'ab'"),
            ("  ", ValueError, "sep is exactly one character, not '  '"),
            ("\ud800", ValueError, "sep is exactly one character, not '\\ud800'"),
            (None, TypeError, "sep is one character, not NoneType None"),
            (b" ", TypeError, "sep is one character, not bytes b' '"),
            ("b", ValueError, H + "0 (position 0)" + AMBIGUOUS.format("'b'", "'b'", "1 such token")),
        ],
        "ngrams",
    ),
    **values(
        "orders",
        [
            ([], ValueError, "orders is empty; expected whole numbers from 1 to 8, such as orders=[2, 3]"),
            ([0], ValueError, "orders is a whole number from 1 to 8, not 0"),
            ([1, 9], ValueError, "orders is a whole number from 1 to 8, not 9"),
            (0, ValueError, "orders is a whole number from 1 to 8, not 0"),
            ("12", TypeError, ORDERS + "'12'"),
            (b"12", TypeError, ORDERS + "b'12'"),
            ([1, "2"], TypeError, ORDERS + "'2'"),
            (True, TypeError, ORDERS + "True"),
            (2.5, TypeError, ORDERS + "2.5"),
            (np.array(2), TypeError, ORDERS + "array(2)"),
        ],
        "ngrams",
    ),
    **values(
        "ngram",
        [
            ("words", ValueError, FORMS + "'words'"),
            ("Text", ValueError, FORMS + "'Text'; did you mean 'text'?"),
            (None, ValueError, FORMS + "None"),
            (["text"], ValueError, FORMS + "['text']"),
        ],
        "ngrams",
    ),
    **values(
        "side",
        [
            ("both", ValueError, SIDES + "'both'"),
            ("reference", ValueError, SIDES + "'reference'; did you mean 'references'?"),
            (pd.NA, ValueError, SIDES + "<NA>"),
        ],
        "ngrams",
    ),
    **values(
        "id_vars",
        [
            ("system", KeyError, f"no column 'system' for id_vars: {THE_COLUMNS}"),
            (["hypothesis", "system"], KeyError, f"no column 'system' for id_vars: {THE_COLUMNS}"),
            (("a", "b"), KeyError, f"no column ('a', 'b') for id_vars: {THE_COLUMNS}"),
            ([["a"]], TypeError, NOT_A_LABEL.format("id_vars", "list ['a']")),
        ],
        "ngrams",
    ),
    "id_vars that clash": ngrams(
        frame_of(order=[1, 2]), ValueError, CLASH.format("'order'"), id_vars=["hypothesis", "order"]
    ),
    "id_vars that clash on the references' side": ngrams(
        frame_of(missing=[1, 2]), ValueError, CLASH.format("'missing'"), id_vars="missing", side="references"
    ),
    "id_vars twice in the frame": ngrams(
        doubled("x"), ValueError, TWICE.format("'x'", "id_vars", "rename the others"), id_vars="x"
    ),
    "orders above max_order": ngrams(
        GOOD, ValueError, "orders has 3, above max_order=2; give one of the two", orders=[1, 3], max_order=2
    ),
    "separator in several tokens": ngrams(
        frame_of([["a", "b c"], ["d e", "b c"]]),
        ValueError,
        H + "0 (position 0)" + AMBIGUOUS.format("'b c'", "' '", "3 such tokens"),
    ),
    "separator in a reference": ngrams(
        frame_of(references=[["a"], ["c"]], second=[[["a"]], [["c"], ["d", "a b"]]]),
        ValueError,
        "column 'second', row 1 (position 1)" + AMBIGUOUS.format("'a b'", "' '", "1 such token"),
        references=["references", "second"],
        side="references",
    ),
    "surrogate in text": ngrams(
        frame_of([["a"], ["b", "\ud800"]]), ValueError, H1 + SURROGATE.format("'\\ud800'")
    ),
    "surrogate in lists": ngrams(
        frame_of([["a b"], ["\ud800"]]), ValueError, H1 + SURROGATE.format("'\\ud800'"), ngram="list"
    ),
    "surrogate in a reference": ngrams(
        frame_of(references=[[["a"]], [["b", "x\udfff"]]]),
        ValueError,
        R1 + SURROGATE.format("'x\\udfff'"),
        side="references",
    ),
    "separator before a surrogate": ngrams(
        frame_of([["a b"], ["\ud800"]]),
        ValueError,
        H + "0 (position 0)" + AMBIGUOUS.format("'a b'", "' '", "1 such token"),
    ),
    # the neighbours' keywords
    **keywords(
        "components",
        "its keywords are hypothesis, references, max_order, errors, threads, components",
        {
            **dict.fromkeys(["max_n_gram", "n_gram", "max_ngram_order", "orders", "max_ordr"], "max_order"),
            **dict.fromkeys(["hypotheses", "predictions", "candidate"], "hypothesis"),
            **dict.fromkeys(["refs", "reference"], "references"),
            "n_jobs": "threads",
            **dict.fromkeys(["smooth", "smooth_method", "weights"]),
        },
    ),
    **keywords(
        "ngrams",
        "its keywords are hypothesis, references, max_order, orders, side, ngram, sep, id_vars, ignore_index, errors, "
        "threads",
        {
            "n": "max_order", "hyp": "hypothesis", "reference": "references", "separator": "sep", "id_var": "id_vars",
            "smooth": None, "components": None,
        },
    ),
}  # fmt: skip
