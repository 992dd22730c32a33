"""What is said of components columns that are lacking, or hold what is no count: whole messages, and their kinds."""

import decimal
from collections.abc import Callable
from functools import partial
from typing import Any

import frames
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import bleupandas
from bleupandas.reading.component_columns import component_names

COUNTS: Any = pd.DataFrame(frames.component_rows(frames.PLAIN), columns=component_names(4))
ROW = COUNTS.sum()
COUNTED = "; components are counts, or sums of counts"

Refusal = tuple[Callable[[], Any], type[Exception], str]


def put(value: Any, column: str = "matches_2", row: int = 3) -> Any:
    """COUNTS with one number changed."""
    frame = COUNTS.astype(object)
    frame.loc[row, column] = value
    return frame


def score_of_float(value: float) -> Any:
    return put(value).astype(float).bleu.score()


def score_of_column(kind: str) -> Any:
    return COUNTS.assign(totals_2=COUNTS["totals_2"].clip(0, 1).astype(kind)).bleu.score()


# ---- Orders ----

ORDERS: dict[str, Refusal] = {
    "hole in the matches": (
        lambda: COUNTS.drop(columns="matches_2").bleu.score(),
        KeyError,
        "no components column 'matches_2': score() with max_order=4 reads orders 1 to 4, and the frame has order 1; "
        "count with components(max_order=4), or pass max_order=1",
    ),
    "hole in the totals": (
        lambda: COUNTS.drop(columns="totals_3").bleu.corpus(),
        KeyError,
        "no components column 'totals_3': corpus() with max_order=4 reads orders 1 to 4, and the frame has orders 1 to "
        "2; count with components(max_order=4), or pass max_order=2",
    ),
    "no unigrams": (
        lambda: COUNTS[["candidate_length", "reference_length", "matches_2", "totals_2"]].bleu.score(max_order=2),
        KeyError,
        "no components column 'matches_1', 'totals_1': score() with max_order=2 reads orders 1 to 2, and the columns "
        "are 'candidate_length', 'reference_length', 'matches_2', 'totals_2'; count with components(max_order=2)",
    ),
    "no lengths": (
        lambda: COUNTS[["matches_1", "totals_1"]].bleu.corpus(max_order=1),
        KeyError,
        "no components column 'candidate_length', 'reference_length': corpus() with max_order=1 reads order 1, and the "
        "columns are 'matches_1', 'totals_1'; count with components(max_order=1)",
    ),
    "too few orders": (
        lambda: COUNTS.bleu.corpus(max_order=6),
        KeyError,
        "no components column 'matches_5', 'matches_6', 'totals_5', 'totals_6': corpus() with max_order=6 reads orders "
        "1 to 6, and the frame has orders 1 to 4; count with components(max_order=6), or pass max_order=4",
    ),
    "an order too few for method5": (
        lambda: COUNTS.bleu.score(smoothing="method5"),
        KeyError,
        "no components column 'matches_5', 'totals_5': score() with max_order=4 reads orders 1 to 5, and the frame has "
        "orders 1 to 4; count with components(max_order=5), or pass max_order=3",
    ),
    "an order too few for method7 of a sum": (
        lambda: ROW.bleu.corpus(smoothing="method7"),
        KeyError,
        "no components column 'matches_5', 'totals_5': corpus() with max_order=4 reads orders 1 to 5, and the frame "
        "has orders 1 to 4; count with components(max_order=5), or pass max_order=3",
    ),
    "NLTK's method5 reads 5 orders always": (
        lambda: COUNTS.bleu.score(smoothing="method5", convention="nltk", max_order=2),
        KeyError,
        "no components column 'matches_5', 'totals_5': score() with max_order=2 reads orders 1 to 5, and the frame has "
        "orders 1 to 4; count with components(max_order=5)",
    ),
    "an order too few for one of several": (
        lambda: COUNTS.bleu.score(smoothing="method5", max_order=[1, 4]),
        KeyError,
        "no components column 'matches_5', 'totals_5': score() with max_order=4 reads orders 1 to 5, and the frame has "
        "orders 1 to 4; count with components(max_order=5), or pass max_order=3",
    ),
    "a Series of something else": (
        lambda: bleupandas.score(pd.Series({"score": 0.5}), max_order=1),
        KeyError,
        "no components column 'candidate_length', 'reference_length', 'matches_1', 'totals_1': score() with "
        "max_order=1 reads order 1, and the columns are 'score'; count with components(max_order=1)",
    ),
    "a Series of nothing": (
        lambda: pd.Series(dtype=float).bleu.corpus(max_order=1),
        KeyError,
        "no components column 'candidate_length', 'reference_length', 'matches_1', 'totals_1': corpus() with "
        "max_order=1 reads order 1, and there are no columns; count with components(max_order=1)",
    ),
}

# ---- Counts ----

WHERE = "components column 'matches_2', row 3 (position 3): got"
WHOLE = f", expected a whole number of at least 0{COUNTED}"
COUNT_VALUES: dict[str, tuple[Any, type[Exception], str]] = {
    "fraction": (1.5, ValueError, "1.5"),
    "negative": (-1, ValueError, "-1.0"),
    "infinite": (np.inf, ValueError, "inf"),
    "minus infinite": (-np.inf, ValueError, "-inf"),
}
COUNTS_REFUSED: dict[str, Refusal] = {
    **{
        f"{name} float": (
            partial(score_of_float, value),
            kind,
            f"{WHERE} {shown}{WHOLE}",
        )
        for name, (value, kind, shown) in COUNT_VALUES.items()
    },
    "negative integer": (
        lambda: put(-1).astype("int16").bleu.corpus(),
        ValueError,
        f"{WHERE} -1{WHOLE}",
    ),
    "negative match": (
        lambda: COUNTS.assign(matches_1=[6, 2, 0, 3, 3, -1]).bleu.corpus(),
        ValueError,
        f"components column 'matches_1', row 5 (position 5): got -1{WHOLE}",
    ),
    "negative length": (
        lambda: COUNTS.assign(reference_length=-8).bleu.corpus(),
        ValueError,
        "components column 'reference_length', row 0 (position 0): got -8" + WHOLE,
    ),
    "negative total": (
        lambda: COUNTS.assign(totals_2=[6, 2, 0, 3, -3, 1]).bleu.score(),
        ValueError,
        f"components column 'totals_2', row 4 (position 4): got -3{WHOLE}",
    ),
    "negative, nullable": (
        lambda: put(-1).astype("Int64").bleu.corpus(by=[0] * 6),
        ValueError,
        f"{WHERE} -1{WHOLE}",
    ),
    "negative, Arrow": (
        lambda: put(-1).astype("int64[pyarrow]").bleu.score(),
        ValueError,
        f"{WHERE} -1{WHOLE}",
    ),
    "fraction, Arrow": (
        lambda: put(0.25).astype("double[pyarrow]").bleu.score(),
        ValueError,
        f"{WHERE} 0.25{WHOLE}",
    ),
    "fraction, nullable": (
        lambda: put(0.25).astype("Float32").bleu.score(errors="coerce"),
        ValueError,
        f"{WHERE} 0.25{WHOLE}",
    ),
    "mean": (
        lambda: COUNTS.mean().bleu.score(),
        ValueError,
        f"components column 'candidate_length', row 0 (position 0): got {20 / 6!r}{WHOLE}",
    ),
    "named row": (
        lambda: put("x", "totals_1", 2).iloc[2].rename("s2").bleu.corpus(),
        TypeError,
        "components column 'totals_1', row 's2' (position 0): got 'x'" + WHOLE,
    ),
    "text among numbers": (lambda: put("3").bleu.score(), TypeError, f"{WHERE} '3'{WHOLE}"),
    "True among numbers": (lambda: put(True).bleu.score(), TypeError, f"{WHERE} True{WHOLE}"),
    "list among numbers": (
        lambda: COUNTS.assign(matches_2=frames.cells([0, 0, 0, [1], 0, 0])).bleu.score(),
        TypeError,
        f"{WHERE} [1]{WHOLE}",
    ),
    "date among numbers": (
        lambda: put(pd.Timestamp("2024-01-01")).bleu.score(),
        TypeError,
        f"{WHERE} Timestamp('2024-01-01 00:00:00'){WHOLE}",
    ),
    "complex among numbers": (lambda: put(2 + 0j).bleu.score(), TypeError, f"{WHERE} (2+0j){WHOLE}"),
    "Decimal fraction": (
        lambda: put(decimal.Decimal("0.5")).bleu.score(),
        ValueError,
        f"{WHERE} Decimal('0.5'){WHOLE}",
    ),
    "unsigned and too large": (
        lambda: COUNTS.assign(totals_1=np.array([6, 1, 2**63, 9, 9, 9], "uint64")).bleu.score(),
        ValueError,
        "components column 'totals_1', row 2 (position 2): got 9223372036854775808, expected a whole "
        f"number up to 2**63 - 1{COUNTED}",
    ),
    "float and too large": (
        lambda: COUNTS.assign(totals_1=1e16).bleu.score(),
        ValueError,
        "components column 'totals_1', row 0 (position 0): got 1e+16, expected a whole number up to 2**53 "
        f"(floats hold no larger exactly){COUNTED}",
    ),
    "object and huge": (
        lambda: put(10**400).bleu.score(),
        ValueError,
        f"{WHERE} 1000000000000000000000000000000000000...{WHOLE}",
    ),
    **{
        f"column of {kind}": (
            partial(score_of_column, kind),
            TypeError,
            f"components column 'totals_2': whole numbers are expected, not {shown}{COUNTED}",
        )
        for kind, shown in {
            "bool": "bool",
            "boolean": "boolean",
            "category": "category",
            "complex128": "complex128",
            "string": "string",
            "datetime64[ns]": "datetime64[ns]",
            "timedelta64[ns]": "timedelta64[ns]",
        }.items()
    },
    "column of Arrow texts": (
        lambda: COUNTS.assign(totals_2=frames.arrow(pa.array(["1"] * 6))).bleu.corpus(),
        TypeError,
        f"components column 'totals_2': whole numbers are expected, not string[pyarrow]{COUNTED}",
    ),
    "more matches than n-grams": (
        lambda: COUNTS.set_axis(list("uvwxyz")).assign(matches_3=6).bleu.score(),
        ValueError,
        "components columns 'matches_3', 'totals_3', row 'u' (position 0): got 6 matches of 5 n-grams, expected at "
        f"most as many matches as n-grams{COUNTED}",
    ),
    "more matches than n-grams of a sum": (
        lambda: ROW.replace(14, 21).rename("sum").bleu.corpus(),
        ValueError,
        "components columns 'matches_1', 'totals_1', row 'sum' (position 0): got 21 matches of 20 n-grams, expected at "
        f"most as many matches as n-grams{COUNTED}",
    ),
    "a column twice": (
        lambda: pd.concat([COUNTS, COUNTS[["matches_1"]]], axis=1).bleu.score(),
        ValueError,
        "the components column 'matches_1' occurs 2 times in the frame; expected once: drop or rename the others",
    ),
    "an entry twice": (
        lambda: pd.concat([ROW, ROW[["totals_4"]]]).bleu.corpus(),
        ValueError,
        "the components column 'totals_4' occurs 2 times in the frame; expected once: drop or rename the others",
    ),
    "segments twice": (
        lambda: pd.concat([COUNTS, pd.DataFrame(1, COUNTS.index, ["segments", "segments"])], axis=1).bleu.corpus(),
        ValueError,
        "the components column 'segments' occurs 2 times in the frame; expected once: drop or rename the others",
    ),
    "segments that are no counts": (
        lambda: COUNTS.assign(segments=0.5).bleu.corpus(),
        ValueError,
        "components column 'segments', row 0 (position 0): got 0.5" + WHOLE,
    ),
}


ALL = {f"orders: {name}": refusal for name, refusal in ORDERS.items()}
ALL |= {f"counts: {name}": refusal for name, refusal in COUNTS_REFUSED.items()}


@pytest.mark.parametrize(("call", "kind", "message"), ALL.values(), ids=ALL)
def test_refusals(call: Callable[[], Any], kind: type[Exception], message: str) -> None:
    with pytest.raises(kind) as caught:
        call()
    assert str(caught.value) == message
    assert "\n" not in message
    assert caught.value.__cause__ is None
    assert type(caught.value) is kind or kind is KeyError


def test_nothing_is_refused_where_nothing_stands() -> None:
    """All missing and no rows are fine, whatever the dtype."""
    for frame in (COUNTS.astype("string").head(0), pd.DataFrame(None, range(2), component_names(4), "datetime64[ns]")):
        assert frame.bleu.score().isna().all()
        assert frame.bleu.corpus().segments == 0
