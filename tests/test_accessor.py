"""df.bleu: what it binds, that it holds nothing, and that its methods are the functions."""

import inspect
from pathlib import Path
from typing import Any

import dask.dataframe as dd
import frames
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from frames import cells

import bleupandas
import bleupandas.dask
import bleupandas.polars
from bleupandas.accessor import BleuFrame

METHODS = ["components", "ngrams"]


def two_sided() -> Any:
    return pd.DataFrame(
        {"mt": cells([["a", "b"], ["c"]]), "ref": cells([["a"], ["c"]]), "other": cells([["b"], ["d"]])}
    )


def test_default_bound_and_keyword_columns_agree(engine: str) -> None:
    frame = two_sided()
    expected = bleupandas.components(frame, hypothesis="mt", references="ref", max_order=2)
    renamed = frame.rename(columns={"mt": "hypothesis", "ref": "references"})
    assert renamed.bleu.components(max_order=2).equals(expected)
    assert frame.bleu(hypothesis="mt", references="ref", max_order=2).components().equals(expected)
    assert frame.bleu(hypothesis="mt")(references="ref")(max_order=2).components().equals(expected)
    assert frame.bleu.components(hypothesis="mt", references="ref", max_order=2).equals(expected)
    assert frame.pipe(bleupandas.components, hypothesis="mt", references="ref", max_order=2).equals(expected)
    assert expected.to_numpy().tolist() == frames.component_rows([(["a", "b"], [["a"]]), (["c"], [["c"]])], 2)


def test_a_method_overrides_what_is_bound(engine: str) -> None:
    bound = two_sided().bleu(hypothesis="mt", references="ref", max_order=1, threads=1)
    assert bound.components(max_order=2).shape == (2, 6)
    both = frames.component_rows([(["a", "b"], [["b"], ["a"]]), (["c"], [["d"], ["c"]])], 1)
    assert bound.components(references=["other", "ref"]).to_numpy().tolist() == both
    assert bound.ngrams(references="other")["clipped_count"].tolist() == [0, 1, 0]
    assert bound.components()["matches_1"].tolist() == [1, 1]


def test_binding_changes_no_other_accessor() -> None:
    frame = two_sided()
    first = frame.bleu(hypothesis="mt")
    second = first(hypothesis="other", errors="coerce")
    assert repr(first) == "<df.bleu(hypothesis='mt') of 2 rows>"
    assert repr(second) == "<df.bleu(hypothesis='other', errors='coerce') of 2 rows>"
    assert repr(frame.bleu) == "<df.bleu of 2 rows>"


def test_methods_are_the_functions(engine: str) -> None:
    frame: Any = frames.objects().frame
    for name, options in (("components", {"errors": "coerce"}), ("ngrams", {"ngram": "tuple", "side": "references"})):
        function = getattr(bleupandas, name)(frame, **options)
        pd.testing.assert_frame_equal(function, getattr(frame.bleu, name)(**options))


@pytest.mark.parametrize("name", METHODS)
def test_methods_show_the_functions_documentation(name: str) -> None:
    function, method = getattr(bleupandas, name), getattr(pd.DataFrame().bleu, name)
    assert method.__doc__ == function.__doc__
    assert method.__name__ == name
    expected = inspect.signature(function)
    assert list(inspect.signature(method).parameters) == list(expected.parameters)[1:]


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame(),
        pd.DataFrame({"hypothesis": ["text"]}),
        pd.DataFrame([[1]], columns=pd.MultiIndex.from_tuples([(1, 2)])),
    ],
)
def test_nothing_is_checked_before_a_method_is_called(frame: Any) -> None:
    assert "bleu" in dir(frame)
    assert isinstance(frame.bleu, BleuFrame)
    assert isinstance(frame.bleu(hypothesis=3, references=[], max_order="x"), BleuFrame)


def test_unknown_bindings_are_refused() -> None:
    frame: Any = pd.DataFrame()
    its = "its keywords are hypothesis, references, max_order, errors, threads, components"
    for name, hint in [("refs", " did you mean 'references'?"), ("sep", "")]:
        with pytest.raises(TypeError) as raised:  # the whole text is compared below
            frame.bleu(**{name: 1})
        assert str(raised.value) == f"df.bleu() has no keyword {name!r};{hint} {its}"


def test_bound_options_that_are_wrong_are_told_by_the_method() -> None:
    bound = two_sided().bleu(hypothesis="mt", references="ref", max_order=9)
    with pytest.raises(ValueError, match=r"^max_order is a whole number from 1 to 8, not 9$"):
        bound.components()


def test_positional_arguments_are_refused() -> None:
    frame = two_sided()
    for bleu in (frame.bleu, frame.bleu(hypothesis="mt", references="ref")):
        with pytest.raises(TypeError, match=r"^corpus\(\) takes by= and .* and 'mt' has none: write corpus\(by='mt'\)"):
            bleu.corpus("mt")
        with pytest.raises(
            TypeError, match=r"^buckets\(\) takes bins= and .*, and 3 has none: write buckets\(bins=3\)"
        ):
            bleu.buckets("score", 3)
    with pytest.raises(TypeError, match=r"^components\(\) takes hypothesis= .* and 'mt' has none"):
        frame.bleu.components("mt", "ref")
    with pytest.raises(TypeError, match=r"^df\.bleu\(\) takes hypothesis= .*: write df\.bleu\(hypothesis='mt'\) or"):
        frame.bleu("mt")


def test_of_is_the_one_positional_argument_of_buckets(example: Any) -> None:
    expected = bleupandas.buckets(example, of="score", n_resamples=20)
    pd.testing.assert_frame_equal(bleupandas.buckets(example, "score", n_resamples=20), expected)
    pd.testing.assert_frame_equal(example.bleu.buckets("score", n_resamples=20), expected)
    bound = example.bleu(hypothesis="hypothesis", references="references", max_order=4)
    pd.testing.assert_frame_equal(bound.buckets("score", n_resamples=20), expected)


def test_a_list_of_hypotheses_is_for_comparing() -> None:
    bound = two_sided().bleu(hypothesis=["mt", "other"], references="ref")
    message = (
        "the hypothesis is named by a column label, not by list ['mt', 'other'], which is for comparing: give one, "
        "df.bleu(hypothesis='mt', ...), or look at two with inspect(hypothesis='mt', compare='other')"
    )
    for name in ("components", "corpus", "score", "explain", "inspect", "show", "coverage", "ngrams"):
        with pytest.raises(TypeError) as raised:  # the whole text is compared below
            getattr(bound, name)()
        assert str(raised.value) == message, name


def test_a_label_in_other_case_is_meant() -> None:
    with pytest.raises(KeyError, match="did you mean 'mt'"):
        two_sided().bleu(hypothesis="MT", references="ref").components()


def test_a_row_of_components_says_what_it_has() -> None:
    row: Any = frames.objects().frame
    row = row.bleu.components().sum()
    with pytest.raises(AttributeError) as raised:  # the whole text is compared below
        row.bleu.compare()
    its = "corpus, explain, score"
    frame = "A pandas DataFrame of segments has it: df.bleu.compare"
    assert str(raised.value) == f".bleu of a pandas Series has no compare; it has {its}. {frame}"
    with pytest.raises(AttributeError, match="'BleuSeries' object has no attribute 'scoer'"):
        row.bleu.scoer()


def test_other_frames_say_what_only_pandas_has(tmp_path: Path) -> None:
    df = bleupandas.load_example()[["hypothesis", "references"]]
    df.to_parquet(tmp_path / "mt.parquet")
    rows: Any = pl.DataFrame(pa.Table.from_pandas(df))
    others: dict[str, Any] = {
        "dask DataFrame": dd.from_pandas(df, npartitions=1),
        "polars DataFrame": rows,
        "polars LazyFrame": rows.lazy(),
        "bleupandas ParquetScan": bleupandas.scan_parquet(tmp_path / "mt.parquet"),
    }
    for name, frame in others.items():
        its = (
            "components, corpus, explain, ngrams, score"
            if name.startswith("dask")
            else "components, corpus, ngrams, score"
        )
        with pytest.raises(AttributeError) as raised:  # the whole text is compared below
            frame.bleu.compare()
        there = "A pandas DataFrame of segments has it: df.bleu.compare"
        assert str(raised.value) == f".bleu of a {name} has no compare; it has {its}. {there}"
        with pytest.raises(TypeError, match=r"^corpus\(\) takes .* by keyword, and 'system' has none: write corpus\("):
            frame.bleu.corpus("system")
        with pytest.raises(AttributeError, match=r" has no plot; it has components, "):
            frame.bleu.plot.lengths()


def test_components_bound_to_a_method_that_has_no_such_keyword(engine: str) -> None:
    frame = frames.objects().frame
    assert len(frame.bleu(components=True).ngrams(ngram="tuple")) == len(frames.ngram_rows(frames.PLAIN))


def test_nothing_is_kept_from_one_call_to_the_next(engine: str) -> None:
    """A frame that changes is counted anew, whether pandas caches accessors (2.3) or not."""
    frame: Any = pd.DataFrame({"hypothesis": cells([["a"], ["b", "c"]]), "references": cells([[["a"]], [["b", "c"]]])})
    accessor = frame.bleu
    lengths = [accessor.components()["candidate_length"].tolist()]
    frame.at[0, "hypothesis"] = ["q", "r", "s"]
    lengths.append(accessor.components()["candidate_length"].tolist())
    frame.loc[2] = [["m"] * 4, [["m"]]]
    lengths.append(frame.bleu.components()["candidate_length"].tolist())
    frame["hypothesis"] = cells([[], [], []])
    lengths.append(frame.bleu.components()["candidate_length"].tolist())
    lengths.append(frame[frame.index > 0].bleu.components()["reference_length"].tolist())
    assert lengths == [[1, 2], [3, 2], [3, 2, 4], [0, 0, 0], [2, 1]]
    assert list(frame.columns) == ["hypothesis", "references"]


def test_a_column_called_bleu_hides_nothing(engine: str) -> None:
    frame = frames.objects().frame
    frame["bleu"] = 0.5
    assert frame.bleu.components().to_numpy().tolist() == frames.component_rows(frames.PLAIN)
    assert frame["bleu"].tolist() == [0.5] * len(frame)
