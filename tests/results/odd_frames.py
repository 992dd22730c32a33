"""Awkward frames: every shape in which token lists reach the package."""

import io
from collections.abc import Callable, Hashable, Sequence
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from odd_cells import (
    CELLS,
    LISTS,
    PLAIN,
    SQUARE,
    WHITE,
    Case,
    Segment,
    Tokens,
    arrow,
    cells,
    converted,
    flat,
    hypotheses,
    nested,
    object_array,
    objects,
    read_only,
    two_columns,
)

# ---- Cells ----


def without_nul(segments: Sequence[Segment]) -> list[Segment]:
    """NumPy's fixed-width text drops trailing NULs by itself."""
    return [segment for segment in segments if not any("\0" in token for token in segment[0])]


def of_cells(make: Callable[[Tokens], Any]) -> Case:
    segments = without_nul(PLAIN)
    references = [[make(tokens) for tokens in lists] for _, lists in segments]
    return two_columns(cells([make(tokens) for tokens, _ in segments]), cells(references), segments)


def references_in(make: Callable[[list[Any]], Any]) -> Case:
    """Nested references whose outer sequence is no list."""
    return two_columns(cells(hypotheses(PLAIN)), cells([make(lists) for lists in nested(PLAIN)]), PLAIN)


def two_dimensional(dtype: Any) -> Case:
    segments: list[Segment] = [
        (["a", "b", "b"], [["b", "b"], ["a", "b"]]),
        (["x"], [["x", "y", "z"], ["z", "y", "x"]]),
        (["x"], [["x"]]),
    ]
    arrays = [np.array(lists, dtype=dtype) for _, lists in segments]
    return two_columns(cells(hypotheses(segments)), cells(arrays), segments)


def mixed_cells() -> Case:
    segments = without_nul(PLAIN)
    makers = list(CELLS.values())
    first = [makers[i % len(makers)](tokens) for i, (tokens, _) in enumerate(segments)]
    second = [
        tuple(makers[(i + k) % len(makers)](tokens) for k, tokens in enumerate(lists, 1))
        for i, (_, lists) in enumerate(segments)
    ]
    return two_columns(cells(first), cells(second), segments)


def categorical_column() -> Case:
    """A column of pandas' category whose categories are token tuples."""
    segments = SQUARE
    hypothesis = cells([tuple(tokens) for tokens, _ in segments]).astype("category")
    references = cells([tuple(lists[0]) for _, lists in segments]).astype("category")
    return two_columns(hypothesis, references, segments)


# ---- Arrow columns ----


def of_arrow(inner: Callable[[Any], Any], text: Any = None, segments: list[Segment] = PLAIN) -> Case:
    """Columns of an Arrow type: `inner` makes a list type of what it holds."""
    text = pa.string() if text is None else text
    hypothesis = pa.array(hypotheses(segments), pa.list_(pa.string()))
    references = pa.array(nested(segments), pa.list_(pa.list_(pa.string())))
    hypothesis = converted(hypothesis.to_pylist(), inner(text))
    references = converted(references.to_pylist(), inner(inner(text)))
    return two_columns(arrow(hypothesis), arrow(references), segments)


def sliced() -> Case:
    """Views into the middle of longer arrays, whose offsets do not begin at 0."""
    around: list[Segment] = [(["before", "it"], [["before"], ["it"]])]
    segments = [*around, *PLAIN, *around]
    hypothesis = pa.array(hypotheses(segments), LISTS).slice(1, len(PLAIN))
    references = pa.array(nested(segments), pa.large_list(LISTS)).slice(1, len(PLAIN))
    return two_columns(arrow(hypothesis), arrow(references), PLAIN)


def sliced_frame() -> Case:
    case = of_arrow(pa.large_list, segments=[*PLAIN, *PLAIN])
    return Case(case.frame.iloc[2:9:2], [*PLAIN, *PLAIN][2:9:2])


def concatenated() -> Case:
    """Chunks of different lengths on the two sides, empty ones among them."""
    frames = [of_arrow(pa.list_).frame, of_arrow(pa.list_).frame.iloc[:0], of_arrow(pa.list_).frame.iloc[1:4]]
    frame = pd.concat(frames, ignore_index=True)
    lists = pa.chunked_array([pa.array(nested([segment]), pa.list_(LISTS)) for segment in [*PLAIN, *PLAIN[1:4]]])
    frame["references"] = arrow(lists)
    return Case(frame, [*PLAIN, *PLAIN[1:4]])


def chunked_dictionaries() -> Case:
    """Chunks whose dictionaries differ."""
    kind = pa.list_(pa.dictionary(pa.int32(), pa.string()))
    parts = [converted(hypotheses([segment]), kind) for segment in SQUARE]
    flat_parts = [converted(flat([segment]), kind) for segment in SQUARE]
    return two_columns(arrow(pa.chunked_array(parts)), arrow(pa.chunked_array(flat_parts)), SQUARE)


def offset_leaf() -> Case:
    """Token arrays that are themselves slices."""
    leaf = pa.array(["junk", "a", "b", "a", "c", "junk"]).slice(1, 4)
    hypothesis = pa.ListArray.from_arrays(pa.array([0, 2, 2, 4], pa.int32()), leaf)
    inner = pa.ListArray.from_arrays(pa.array([0, 1, 1, 3, 4], pa.int32()), leaf).slice(1, 3)
    references = pa.ListArray.from_arrays(pa.array([0, 1, 2, 3], pa.int32()), inner)
    segments: list[Segment] = [(["a", "b"], [[]]), ([], [["b", "a"]]), (["a", "c"], [["c"]])]
    return two_columns(arrow(hypothesis), arrow(references), segments)


def junk_behind_nulls() -> Case:
    """Missing references whose slots span tokens that must not be counted."""
    leaf = pa.array(["a", "b", "junk", "junk", "c", "junk", "c"])
    mask = pa.array([False, True, False, True])
    inner = pa.ListArray.from_arrays(pa.array([0, 2, 4, 5, 7], pa.int32()), leaf, mask=mask)
    outer = pa.array([False, True, False])
    references = pa.ListArray.from_arrays(pa.array([0, 2, 3, 4], pa.int32()), inner, mask=outer)
    flat_side = pa.ListArray.from_arrays(pa.array([0, 2, 4, 5], pa.int32()), leaf, mask=pa.array([True, False, True]))
    flat_side = flat_side.slice(0, 3)
    hypothesis = pa.array([["a", "b"], ["junk", "c"], ["c"]], LISTS)
    third = [["z"], None, ["c", "c"]]
    frame = pd.DataFrame({"hyp": arrow(hypothesis), "nested": arrow(references), "flat": arrow(flat_side)})
    frame["third"] = cells(third)
    segments: list[Segment] = [
        (["a", "b"], [["a", "b"], ["z"]]),
        (["junk", "c"], [["junk", "junk"]]),
        (["c"], [["c", "c"]]),
    ]
    return Case(frame, segments, "hyp", ["nested", "flat", "third"])


def null_list_with_range() -> Case:
    """A missing flat reference in the middle, in each kind of list that has offsets."""
    kinds: list[tuple[Any, Any]] = [(pa.ListArray, pa.int32()), (pa.LargeListArray, pa.int64())]
    leaf = pa.array(["a", "junk", "junk", "b"])
    mask = pa.array([False, True, False])
    first, second = (make.from_arrays(pa.array([0, 1, 3, 4], w), leaf, mask=mask) for make, w in kinds)
    frame = pd.DataFrame({"h": cells([["a"], ["junk"], ["b"]]), "r1": arrow(first), "r2": arrow(second)})
    frame["r3"] = cells([["b"], ["other", "junk"], ["a", "b"]])
    segments: list[Segment] = [
        (["a"], [["a"], ["a"], ["b"]]),
        (["junk"], [["other", "junk"]]),
        (["b"], [["b"], ["b"], ["a", "b"]]),
    ]
    return Case(frame, segments, "h", ["r1", "r2", "r3"])


def fixed_size_with_nulls() -> Case:
    kind = pa.list_(pa.string(), 3)
    first = pa.array([flat([segment])[0] if i % 2 else None for i, segment in enumerate(SQUARE)], kind)
    second = pa.array([None if i % 2 else flat([segment])[0] for i, segment in enumerate(SQUARE)], kind)
    hypothesis = pa.array(hypotheses(SQUARE), kind).slice(1)
    frame = pd.DataFrame({"h": arrow(hypothesis), "r1": arrow(first.slice(1)), "r2": arrow(second.slice(1))})
    return Case(frame, SQUARE[1:], "h", ["r1", "r2"])


def shuffled_views() -> Case:
    """List views that overlap, run backwards and leave gaps."""
    leaf = pa.array(["a", "b", "c", "a", "b"])
    views = pa.ListViewArray.from_arrays(pa.array([3, 0, 1], pa.int32()), pa.array([2, 4, 0], pa.int32()), leaf)
    references = pa.ListViewArray.from_arrays(pa.array([2, 0, 1], pa.int32()), pa.array([1, 2, 2], pa.int32()), views)
    segments: list[Segment] = [
        (["a", "b"], [[]]),
        (["a", "b", "c", "a"], [["a", "b"], ["a", "b", "c", "a"]]),
        ([], [["a", "b", "c", "a"], []]),
    ]
    return two_columns(arrow(views), arrow(references), segments)


def of_nothing() -> Case:
    """Arrow's null type inside: lists that are all empty."""
    segments: list[Segment] = [([], [[]]), ([], [[], []])]
    return two_columns(arrow(pa.array([[], []])), arrow(pa.array(nested(segments))), segments)


def parquet(**options: Any) -> Case:
    frame = objects().frame
    frame["flat"] = cells([["a", "cat"], [], ["here"], ["b"], ["\0"], ["match"]])
    segments = [
        (tokens, [*lists, reference]) for (tokens, lists), reference in zip(PLAIN, frame["flat"].tolist(), strict=True)
    ]
    file = io.BytesIO()
    frame.to_parquet(file)
    return Case(pd.read_parquet(file, **options), segments, references=["references", "flat"])


# ---- Which columns hold references ----


def flat_references() -> Case:
    segments = [(tokens, [lists[0]]) for tokens, lists in PLAIN]
    return two_columns(cells(hypotheses(PLAIN)), cells(flat(PLAIN)), segments)


def several_columns() -> Case:
    """Gaps of every kind; nested and flat columns side by side."""
    frame = pd.DataFrame(
        {
            "mt": cells([["a", "b"], ["c"], ["d", "d"], []]),
            "first": cells([["a"], None, float("nan"), ["e"]]),
            "second": cells([pd.NA, ["c", "c"], ["d"], None]),
            "third": cells([[["b", "b"], None, ["b"]], pd.NaT, [["d", "d", "d"]], [None]]),
            "fourth": [np.nan] * 4,
        }
    )
    segments: list[Segment] = [
        (["a", "b"], [["b", "b"], ["b"], ["a"]]),
        (["c"], [["c", "c"]]),
        (["d", "d"], [["d", "d", "d"], ["d"]]),
        ([], [["e"]]),
    ]
    return Case(frame, segments, "mt", ["third", "first", "second", "fourth"])


def arrow_and_objects(arrow_hypothesis: bool) -> Case:
    plain_case, arrow_case = objects(), of_arrow(pa.list_)
    first, second = (arrow_case, plain_case) if arrow_hypothesis else (plain_case, arrow_case)
    return two_columns(first.frame["hypothesis"], second.frame["references"], PLAIN)


def missing_inside() -> Case:
    segments: list[Segment] = [(["a"], [["a", "a"]]), (["b"], [["b"], ["c"]])]
    lists = [[None, ["a", "a"]], [["b"], float("nan"), ["c"], pd.NA]]
    return two_columns(cells(hypotheses(segments)), cells(lists), segments)


# ---- Labels and indexes ----


def on_index(index: Any) -> Case:
    case = objects()
    case.frame.index = index
    return case


def labelled(columns: Any, hypothesis: Hashable, references: Any, segments: list[Segment] = PLAIN) -> Case:
    """Four columns, the tokens in the second and the fourth."""
    frame = objects(segments).frame
    frame.insert(0, "x", range(len(frame)))
    frame.insert(2, "y", "text")
    frame.columns = columns
    return Case(frame, segments, hypothesis, references)


def with_attrs() -> Case:
    case = objects()
    case.frame.attrs["note"] = "kept"
    return case


class Frame(pd.DataFrame):
    """A subclass of DataFrame."""

    @property
    def _constructor(self) -> type["Frame"]:
        return Frame


def surrogates() -> Case:
    segments: list[Segment] = [
        (["\ud800", "\udfff", "a"], [["\ud800", "a"], ["\udc00", "\udfff", "a"]]),
        (["a\ud83d", "\ude00b"], [["a\ud83d\ude00b"], ["a😀b"]]),
    ]
    return objects(segments, has_surrogates=True)


N = len(PLAIN)
LABELS = ("hypothesis", "references")

AWKWARD: dict[str, Callable[[], Case]] = {
    "plain objects": objects,
    "no rows": lambda: Case(pd.DataFrame({"hypothesis": [], "references": []}), []),
    "no rows left of objects": lambda: Case(objects().frame.head(0), []),
    "no rows of Arrow": lambda: Case(of_arrow(pa.list_).frame.head(0), []),
    "no chunks": lambda: two_columns(arrow(pa.chunked_array([], LISTS)), arrow(pa.chunked_array([], LISTS)), []),
    "one row": lambda: objects(PLAIN[:1]),
    "empty hypotheses only": lambda: objects([([], [["a"]]), ([], [[]])]),
    # indexes
    "duplicate index": lambda: on_index(["x", "x", "y", "x", "y", "x"]),
    "MultiIndex": lambda: on_index(pd.MultiIndex.from_product([["a", "b"], [3, 1, 2]], names=["system", None])),
    "named index": lambda: on_index(pd.Index([9, 8, 7, 7, 5, 4], name="segment")),
    "DatetimeIndex": lambda: on_index(pd.date_range("2024-02-28", periods=N, tz="Europe/Madrid", name="day")),
    "CategoricalIndex": lambda: on_index(pd.CategoricalIndex(list("abcaba"), categories=list("cbaz"))),
    "index with missing labels": lambda: on_index(pd.Index([None, "a", None, "b", "c", "d"], dtype=object)),
    "float index": lambda: on_index(pd.Index([0.5, np.nan, 1.5, 2.0, -1.0, 3.0])),
    "filtered rows": lambda: Case(objects().frame.iloc[[4, 0, 3]], [PLAIN[4], PLAIN[0], PLAIN[3]]),
    # labels
    "duplicate labels among others": lambda: labelled(["x", "hypothesis", "x", "references"], *LABELS),
    "a column called bleu": lambda: labelled(["bleu", "hypothesis", "score", "references"], *LABELS),
    "components columns beside tokens": lambda: labelled(
        ["matches_1", "hypothesis", "totals_1", "references"], *LABELS
    ),
    "integer labels": lambda: labelled([3, 0, 1, 2], 0, 2),
    "tuple labels": lambda: labelled(
        pd.Index([("a", 1), ("mt", 1), ("a", 2), ("ref", "x")], tupleize_cols=False), ("mt", 1), ("ref", "x")
    ),
    "MultiIndex columns": lambda: labelled(
        pd.MultiIndex.from_tuples([("a", "x"), ("mt", "x"), ("a", "y"), ("ref", "y")]), ("mt", "x"), [("ref", "y")]
    ),
    "first level of MultiIndex columns": lambda: labelled(
        pd.MultiIndex.from_tuples([("a", "x"), ("mt", ""), ("a", "y"), ("ref", "")]), "mt", "ref"
    ),
    "datetime labels": lambda: labelled(
        pd.date_range("2024-01-01", periods=4), pd.Timestamp("2024-01-02"), [pd.Timestamp("2024-01-04")]
    ),
    "interval labels": lambda: labelled(pd.interval_range(0, 4), pd.Interval(1, 2), pd.Interval(3, 4)),
    "named columns": lambda: labelled(pd.Index(["x", "hypothesis", "y", "references"], name="field"), *LABELS),
    "attrs": with_attrs,
    "subclass of DataFrame": lambda: Case(Frame(objects().frame), PLAIN),
    # cells
    **{f"cells: {name}": lambda make=make: of_cells(make) for name, make in CELLS.items()},  # type: ignore[misc]
    "references in tuples": lambda: references_in(tuple),
    "references in object arrays": lambda: references_in(object_array),
    "references in read-only arrays": lambda: references_in(read_only),
    "references in Series": lambda: references_in(cells),
    "references in 2-D object arrays": lambda: two_dimensional(object),
    "references in 2-D <U arrays": lambda: two_dimensional(np.str_),
    "every kind of cell": mixed_cells,
    "category column": categorical_column,
    "embedded NUL": lambda: objects([(["a\0", "a", "a\0"], [["a\0\0", "a\0"]]), (["\0"], [["\0", "\0"]])]),
    "lone surrogates": surrogates,
    "white space in tokens": lambda: objects(WHITE, sep="|"),
    "white space in flat references": lambda: two_columns(
        cells([["New York", "is"], ["\t"]]),
        cells([["New York"], [" "]]),
        [(["New York", "is"], [["New York"]]), (["\t"], [[" "]])],
        sep="é",
    ),
    # Arrow
    "list": lambda: of_arrow(pa.list_),
    "large_list": lambda: of_arrow(pa.large_list, pa.large_string()),
    "fixed_size_list": lambda: of_arrow(lambda kind: pa.list_(kind, 3 if kind == pa.string() else 1), None, SQUARE),
    "list_view": lambda: of_arrow(pa.list_view),
    "large_list_view": lambda: of_arrow(pa.large_list_view),
    "list of list_view": lambda: of_arrow(lambda k: pa.list_view(k) if pa.types.is_list(k) else pa.list_(k)),
    "string_view": lambda: of_arrow(pa.list_, pa.string_view()),
    "dictionary": lambda: of_arrow(pa.large_list, pa.dictionary(pa.int8(), pa.large_string())),
    "sliced Arrow": sliced,
    "sliced Arrow frame": sliced_frame,
    "concatenated Arrow": concatenated,
    "chunks with different dictionaries": chunked_dictionaries,
    "token arrays with an offset": offset_leaf,
    "junk behind nulls": junk_behind_nulls,
    "nulls that span tokens": null_list_with_range,
    "fixed_size_list with nulls": fixed_size_with_nulls,
    "list views in disorder": shuffled_views,
    "lists of nothing": of_nothing,
    "Parquet": parquet,
    "Parquet, pyarrow backend": lambda: parquet(dtype_backend="pyarrow"),
    # references
    "flat references": flat_references,
    "several reference columns": several_columns,
    "missing references inside": missing_inside,
    "Arrow hypothesis, object references": lambda: arrow_and_objects(True),
    "object hypothesis, Arrow references": lambda: arrow_and_objects(False),
    "one column as both": lambda: Case(
        pd.DataFrame({"h": cells(flat(SQUARE))}), [(lists[0], [lists[0]]) for _, lists in SQUARE], "h", "h"
    ),
}
