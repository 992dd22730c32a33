"""df.bleu: what it binds, that it holds nothing, and that its methods are the functions."""

import inspect
from typing import Any

import frames
import pandas as pd
import pytest
from frames import cells

import bleupandas
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
    with pytest.raises(ValueError, match=r"^max_order is from 1 to 8, not 9$"):
        bound.components()


def test_positional_arguments_are_refused() -> None:
    with pytest.raises(TypeError, match="positional"):
        two_sided().bleu.components("mt", "ref")


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
