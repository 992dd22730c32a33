"""references(): what each reference contributes, by recounting with single and with removed references."""

from typing import Any

import frames
import naive
import numpy as np
import pandas as pd
import pytest
from frames import Case, Segment
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import SHAPES, block_sizes, examples, frame_of, segment_lists

import bleupandas
from bleupandas.counting import reference_contributions
from bleupandas.counting.sums import count_sums


def names(max_order: int) -> list[str]:
    orders = range(1, max_order + 1)
    numbers = [f"matches_{n}" for n in orders] + [f"only_{n}" for n in orders]
    return ["segment", "reference", "reference_length", "closest", *numbers]


def expected(segments: list[Segment], max_order: int = 4) -> list[list[Any]]:
    """By the definition: components against one reference, and against all but one."""
    rows = []
    for position, (hypothesis, references) in enumerate(segments):
        _, wanted, matches, _ = naive.components(hypothesis, references, max_order)
        closest = [len(reference) for reference in references].index(wanted)
        for k, reference in enumerate(references):
            alone = naive.components(hypothesis, [reference], max_order)[2]
            others = references[:k] + references[k + 1 :]
            without = naive.components(hypothesis, others, max_order)[2] if others else [0] * max_order
            only = [a - b for a, b in zip(matches, without, strict=True)]
            rows.append([position, k, len(reference), k == closest, *alone, *only])
    return rows


def rows_of(found: pd.DataFrame) -> list[list[Any]]:
    return [list(row) for row in zip(*(found[name].tolist() for name in found.columns), strict=True)]


def test_by_hand(engine: str) -> None:
    """Both references supply "cat"; of lengths 2 and 4 around 3 the shorter is closest, the first one of two."""
    segments: list[Segment] = [(["the", "cat", "sat"], [["a", "b", "cat", "sat"], ["the", "cat"], ["x", "y"]])]
    found = bleupandas.references(frame_of(segments), max_order=2)
    assert rows_of(found) == [
        [0, 0, 4, False, 2, 1, 1, 1],
        [0, 1, 2, True, 2, 1, 1, 1],
        [0, 2, 2, False, 0, 0, 0, 0],
    ]
    assert rows_of(found) == expected(segments, 2)


@pytest.mark.parametrize("errors", ["raise", "coerce"])
def test_awkward_frames(engine: str, awkward_frame: Case, errors: str) -> None:
    """Numbers, columns, dtypes, index; the input is left alone."""
    frame = awkward_frame.frame
    before = frames.snapshot(frame)
    found = bleupandas.references(frame, **awkward_frame.columns, errors=errors)
    assert found["reference"].groupby(found["segment"].to_numpy()).is_monotonic_increasing.all()
    among = found.groupby(found["segment"].to_numpy()).cumcount()  # those that are missing keep their place
    assert rows_of(found.assign(reference=among.to_numpy())) == expected(awkward_frame.segments)
    assert found.columns.tolist() == names(4)
    number, truth = (np.dtype("int64"), np.dtype(bool)) if errors == "raise" else (pd.Int64Dtype(), pd.BooleanDtype())
    assert [found[name].dtype for name in names(4)] == [truth if n == "closest" else number for n in names(4)]
    assert found.index.identical(frame.index.repeat([len(references) for _, references in awkward_frame.segments]))
    assert type(found) is pd.DataFrame
    after = frames.snapshot(frame)
    assert before[4].identical(after[4])
    assert before[:4] + before[5:] == after[:4] + after[5:]


@settings(max_examples=examples(40))
@given(segment_lists(surrogates=True, most=4, references=5), st.integers(1, 8))
def test_definition(engine: str, segments: list[Segment], max_order: int) -> None:
    assert rows_of(bleupandas.references(frame_of(segments), max_order=max_order)) == expected(segments, max_order)


@settings(max_examples=examples(40))
@given(
    segment_lists(most=6, references=4),
    *(st.sampled_from(SHAPES) for _ in range(2)),
    st.integers(1, 3),
    st.integers(1, 3),
)
def test_shape_windows_and_threads_do_not_matter(
    engine: str, segments: list[Segment], first: str, second: str, rows: int, threads: int
) -> None:
    with block_sizes(7, rows), pytest.MonkeyPatch.context() as patch:
        patch.setattr(reference_contributions, "WINDOW_ROWS", rows)
        found = bleupandas.references(frame_of(segments, first, second), threads=threads)
    assert rows_of(found) == expected(segments)


def test_example_data_recounted(engine: str) -> None:
    """On real output: frames with one reference, and with one removed, counted by components()."""
    df: Any = bleupandas.load_example()
    found: Any = bleupandas.references(df)
    lengths = df["references"].map(len)
    assert len(found) == lengths.sum()
    assert found["closest"].groupby(found["segment"]).sum().eq(1).all()
    whole = df.bleu.components()
    matches, only = ([f"{kind}_{n}" for n in range(1, 5)] for kind in ("matches", "only"))
    for k in range(lengths.max()):
        rows = found[found["reference"] == k]
        part = df.iloc[rows["segment"].to_numpy()].reset_index(drop=True)
        alone = part.assign(references=[[lists[k]] for lists in part["references"]]).bleu.components()
        assert rows[matches].to_numpy().tolist() == alone[matches].to_numpy().tolist()
        assert rows["reference_length"].tolist() == alone["reference_length"].tolist()
        several = part["references"].map(len) > 1
        removed = part[several].assign(references=[[*r[:k], *r[k + 1 :]] for r in part["references"][several]])
        lost = whole.iloc[rows["segment"].to_numpy()][matches].to_numpy()[several] - removed.bleu.components()[matches]
        assert rows[only].to_numpy()[several].tolist() == lost.to_numpy().tolist()
        assert rows[only].to_numpy()[~several].tolist() == rows[matches].to_numpy()[~several].tolist()
    closest = found[found["closest"]]
    assert closest["reference_length"].tolist() == whole["reference_length"].tolist()


def test_coerce_and_missing_references(engine: str) -> None:
    """Rows that cannot be read give nothing; a missing reference keeps its place, so that a number is a column's."""
    frame = pd.DataFrame(
        {
            "mt": frames.cells([["a"], None, ["b", "c"], ["a", 1], []]),
            "one": frames.cells([None, ["a"], ["b"], ["a"], []]),
            "two": frames.cells([["a", "b"], ["a"], ["c", "c"], ["a"], float("nan")]),
        }
    ).set_axis(list("vwxyz"))
    options: Any = {"hypothesis": "mt", "references": ["one", "two"], "max_order": 1}
    found = bleupandas.references(frame, **options, errors="coerce")
    assert rows_of(found) == [
        [0, 1, 2, True, 1, 1], [2, 0, 1, False, 1, 1], [2, 1, 2, True, 1, 1], [4, 0, 0, True, 0, 0]
    ]  # fmt: skip
    assert found.index.tolist() == ["v", "x", "x", "z"]
    with pytest.raises(ValueError, match=r"column 'mt', row 'w' \(position 1\): the hypothesis is missing"):
        bleupandas.references(frame, **options)
    nested = pd.DataFrame({"hypothesis": frames.cells([["a"]]), "references": frames.cells([[["b"], None, ["a"]]])})
    assert bleupandas.references(nested)["reference"].tolist() == [0, 2]


def test_columns_carried_along(engine: str) -> None:
    frame: Any = frames.objects().frame.assign(document=list("ppqqrr"), system="A")
    found = bleupandas.references(frame, id_vars=["document", "system"])
    assert found.columns.tolist() == ["document", "system", *names(4)]
    assert found["document"].tolist() == [frame["document"].iloc[i] for i in found["segment"]]
    none = bleupandas.references(frame.iloc[:0], id_vars="document")
    assert none.columns.tolist() == ["document", *names(4)]
    assert none.dtypes.tolist() == found.drop(columns="system").dtypes.tolist()
    assert frame.bleu(max_order=2).references().equals(bleupandas.references(frame, max_order=2))


def test_changed_meanwhile(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A list that another thread spoils between the two counts is told, by its place in the caller's frame."""
    frame = frame_of([(["a"], [["a"]]), (["a"], [["b"], ["a"]])])
    real = count_sums

    def spoiled(*args: Any) -> Any:
        result = real(*args)
        frame["references"].iloc[1][1][0] = ""
        return result

    monkeypatch.setattr(reference_contributions, "count_sums", spoiled)
    with pytest.raises(RuntimeError, match=r"^row 1 \(position 1\): the row changed while it was counted"):
        bleupandas.references(frame)


def test_wrong_arguments() -> None:
    frame = frames.objects().frame.assign(only_2=0)
    for call, error, message in [
        ({"max_order": 0}, ValueError, "max_order is a whole number from 1 to 8, not 0"),
        ({"id_vars": "doc"}, KeyError, "no column 'doc' for id_vars: the columns are 'hypothesis', 'references', "
         "'only_2'"),
        ({"id_vars": "only_2"}, ValueError, "id_vars has 'only_2', which is a column of the frame of references; "
         "rename it first"),
        ({"refs": "r"}, TypeError, "references() has no keyword 'refs'; did you mean 'references'? its keywords are "
         "hypothesis, references, max_order, id_vars, errors, threads"),
    ]:  # fmt: skip
        options: Any = call
        with pytest.raises(error) as raised:  # the whole text is compared below
            bleupandas.references(frame, **options)
        assert str(raised.value) == message
    with pytest.raises(TypeError, match=r"^references\(\) takes a pandas DataFrame, not list$"):
        bleupandas.references([])  # type: ignore[arg-type]
    with pytest.raises(KeyError, match=r"for references\(\), which needs token lists and not only components"):
        bleupandas.references(bleupandas.components(frame))
