"""The sentence inspector without a browser: actions of the user, results, traits, and how it opens."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import inspected
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import traitlets
from inspected import (
    DESCRIPTIONS,
    bar_state,
    bleu,
    clear_filters,
    count_widgets,
    find_control,
    list_html,
    ngram_id,
    page_positions,
    segment_html,
    send,
    send_label,
)

import bleupandas
from bleupandas.viewing.inspector.sentence_inspector import SentenceInspector

# ---- Actions and results ----


def test_it_opens_on_the_first_row_of_all(inspector: SentenceInspector, example: pd.DataFrame) -> None:
    assert repr(inspector) == "<SentenceInspector: 480 of 480 segments>"
    assert inspector.position == 0
    pd.testing.assert_frame_equal(inspector.selected, example.iloc[[0]])
    pd.testing.assert_frame_equal(inspector.frame, example)
    pd.testing.assert_series_equal(inspector.mask, pd.Series(True, index=example.index, name="mask"))
    assert page_positions(inspector) == list(range(15))


def test_filters_result_in_pandas_objects(inspector: SentenceInspector, example: pd.DataFrame) -> None:
    inspector.by, inspector.group, inspector.query = "domain", "news", "score < 0.2"
    expected = (example["domain"] == "news") & (bleu(example).score() < 0.2)
    pd.testing.assert_series_equal(inspector.mask, expected, check_names=False)
    pd.testing.assert_frame_equal(inspector.frame, example[expected])
    pd.testing.assert_frame_equal(inspector.frame, example[inspector.mask])
    assert inspector.position in np.flatnonzero(expected)


@pytest.mark.parametrize(
    "index",
    [pd.Index(list("aabbc") * 96), pd.MultiIndex.from_product([range(240), ["x", "y"]], names=["n", "side"])],
    ids=["duplicates", "levels"],
)
def test_results_have_the_callers_index(example: pd.DataFrame, index: pd.Index) -> None:
    df = example.set_axis(index)
    inspector = bleupandas.inspect(df)
    inspector.query = "domain == 'travel'"
    inspector.tag = "odd"
    assert inspector.mask.index is not None
    pd.testing.assert_index_equal(inspector.mask.index, index)
    pd.testing.assert_index_equal(inspector.tags.index, index)
    pd.testing.assert_frame_equal(inspector.frame, df[(df["domain"] == "travel").to_numpy()])
    pd.testing.assert_frame_equal(inspector.selected, df.iloc[[inspector.position]])
    assert df.assign(tag=inspector.tags["tag"])["tag"].notna().sum() == 1
    inspector.close()


def test_the_frame_is_not_changed(example: pd.DataFrame) -> None:
    before = example.copy(deep=True)
    inspector = bleupandas.inspect(example, by="domain")
    inspector.query, inspector.tag, inspector.sort_by = "score < 0.5", "x", "score"
    mask, frame = inspector.mask, inspector.frame
    mask.iloc[:] = False
    frame.iloc[:, 0] = 0
    pd.testing.assert_frame_equal(example, before)
    assert inspector.mask.any()
    inspector.close()


def test_sorting_moves_to_the_first_row(inspector: SentenceInspector, example: pd.DataFrame) -> None:
    send(inspector, kind="sort", column=1)
    order = bleu(example).score().sort_values(kind="stable").index.tolist()
    assert (inspector.sort_by, inspector.ascending) == ("score", True)
    assert page_positions(inspector) == order[:15]
    assert inspector.position == order[0]
    send(inspector, kind="sort", column=1)
    assert not inspector.ascending
    assert inspector.position == int(bleu(example).score().idxmax())
    send(inspector, kind="sort", column=0)
    assert inspector.sort_by is None
    assert page_positions(inspector) == list(range(15))


def test_steps_keys_and_pages(inspector: SentenceInspector) -> None:
    send(inspector, kind="step", by=1)
    assert inspector.position == 1
    send(inspector, kind="step", by=-5)
    assert inspector.position == 0
    send(inspector, kind="jump", where="last")
    assert (inspector.position, inspector.page) == (479, 31)
    send(inspector, kind="page", where="first")
    assert (inspector.position, inspector.page) == (479, 0)
    send(inspector, kind="page", where="next")
    assert page_positions(inspector) == list(range(15, 30))
    send(inspector, kind="select", position=20)
    assert inspector.position == 20
    for number, by in enumerate((1, 1, -1), 1):
        send(inspector, kind="step", by=by, view="v", number=number)
    assert inspector.position == 21
    assert bar_state(inspector)["answer"] == "v 3"


def test_clicking_an_ngram_searches_the_segments_with_the_same_fault(
    inspector: SentenceInspector, example: pd.DataFrame
) -> None:
    table = bleu(example).ngrams(orders=1).query("ngram == 'of' and count > clipped_count")
    inspector.position = at = int(table["segment"].iloc[1])
    ngram = ngram_id(inspector, "of")
    send(inspector, kind="ngram", segment=0, id=ngram, where=None)
    assert inspector.frame.index.tolist() == table["segment"].tolist()
    assert (inspector.search, inspector.search_in, inspector.position) == ("of", "over-produced", at)
    assert f'data-pinned="{ngram}"' in segment_html(inspector)
    send(inspector, kind="ngram", segment=0, id=ngram, where="hypothesis")
    assert inspector.search_in == "hypothesis"
    send(inspector, kind="ngram", segment=0, id=ngram, where="hypothesis")
    assert len(inspector.frame) == 480


def test_an_ngram_whose_tokens_hold_spaces_is_searched_by_its_tokens() -> None:
    df = pd.DataFrame({"hypothesis": [["a b", "c"], ["a", "b", "c"]], "references": [[["a b", "c"]], [["c"]]]})
    inspector = bleupandas.inspect(df, max_order=2)
    ngram = ngram_id(inspector, "a␣b", "c")
    send(inspector, kind="ngram", segment=0, id=ngram, where=None)
    assert inspector.search == ("a b", "c")
    assert inspector.mask.tolist() == [True, False]
    assert find_control(inspector, "search").value == "a b c"
    inspector.close()


def test_tags_and_notes_belong_to_rows(inspector: SentenceInspector, example: pd.DataFrame) -> None:
    send_label(inspector, 0, tag=" wrong name ")
    inspector.note = "who?"
    inspector.step(3)
    assert (inspector.tag, inspector.note) == ("", "")
    inspector.tag = "grammar"
    inspector.position = 0
    assert (inspector.tag, inspector.note) == ("wrong name", "who?")
    tags = inspector.tags
    assert tags.columns.tolist() == ["tag", "note"]
    assert tags["tag"].dropna().to_dict() == {0: "wrong name", 3: "grammar"}
    assert tags["note"].dropna().to_dict() == {0: "who?"}
    assert example.join(tags).shape == (480, 10)
    assert "wrong name" in list_html(inspector)
    assert bar_state(inspector)["used"] == ["grammar", "wrong name"]
    inspector.tag = ""
    assert inspector.tags["tag"].dropna().to_dict() == {3: "grammar"}
    again = bleupandas.inspect(example, tags=tags)
    pd.testing.assert_frame_equal(again.tags, tags)
    again.close()


def test_the_bar_shows_the_current_row(inspector: SentenceInspector) -> None:
    state: dict[str, object] = {"row": 0, "tag": "", "note": "", "used": [], "answer": ""}
    state |= {"previous": False, "next": True}
    assert bar_state(inspector) == state
    inspector.tag, inspector.note = "grammar", "who?"
    assert bar_state(inspector) == {**state, "tag": "grammar", "note": "who?", "used": ["grammar"]}
    inspector.position = 479
    assert bar_state(inspector) == {**state, "row": 479, "used": ["grammar"], "previous": True, "next": False}
    inspector.query = "score > 2"
    assert bar_state(inspector) == {**state, "row": -1, "used": ["grammar"], "next": False}


def test_without_rows_nothing_is_selected(inspector: SentenceInspector, example: pd.DataFrame) -> None:
    inspector.query = "score > 2"
    assert inspector.position == -1
    assert inspector.selected.empty
    assert inspector.selected.columns.equals(example.columns)
    assert repr(inspector) == "<SentenceInspector: 0 of 480 segments>"
    assert "No segment" in segment_html(inspector)
    inspector.step()
    inspector.tag = "lost"
    assert inspector.tags.isna().all(axis=None)
    clear_filters(inspector)
    assert inspector.query == ""
    assert inspector.position == 0


def test_order_and_smoothing_change_every_number(inspector: SentenceInspector, example: pd.DataFrame) -> None:
    with inspector.hold_trait_notifications():
        inspector.order, inspector.smoothing = 2, "add-k"
        inspector.query = "score > 0.5"
    expected = bleu(example).score(max_order=2, smoothing="add-k") > 0.5
    pd.testing.assert_series_equal(inspector.mask, expected, check_names=False)
    assert 'data-max-order="2"' in segment_html(inspector)
    inspector.order, inspector.smoothing = 4, "method5"
    assert inspector.mask.tolist() == (bleu(example).score(smoothing="method5") > 0.5).tolist()


def test_the_error_of_a_query_is_in_the_list(inspector: SentenceInspector) -> None:
    inspector.query = "score < 0.1"
    count = len(inspector.frame)
    inspector.query = "scor < 0.1 & <b>"
    assert inspector.error.startswith("query: ")
    assert 'role="alert"' in list_html(inspector)
    assert len(inspector.frame) == count
    inspector.query = "score < 0.1"
    assert inspector.error == ""
    assert 'role="alert"' not in list_html(inspector)


def test_a_column_that_cannot_be_sorted_is_an_error(example: pd.DataFrame) -> None:
    df = example.assign(mixed=pd.Series([1, "a"] * 240, dtype=object))
    inspector = bleupandas.inspect(df)
    inspector.sort_by = "mixed"
    assert inspector.sort_by is None
    assert inspector.error.startswith("cannot sort by 'mixed'")
    inspector.close()


# ---- Traits ----


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("order", 5, "order is one of 1, 2, 3, 4, not 5"),
        ("smoothing", "flor", "smoothing is one of"),
        ("position", 480, "position is from 0 to 479"),
        ("sort_by", "scor", "no column 'scor' for sort_by: .*did you mean 'score'"),
        ("by", "hypothesis", "no column 'hypothesis' for by"),
        ("list_columns", ("score", "nothing"), "no column 'nothing' for list_columns"),
        ("search_in", "anywhere", "search_in"),
        ("main_cause", "magic", "main_cause"),
        ("page_size", 0, "page_size"),
        ("mask", None, "mask is a result of the inspector; it cannot be set"),
        ("error", "mine", "error"),
    ],
)
def test_wrong_values_of_traits_are_refused(
    inspector: SentenceInspector, name: str, value: object, message: str
) -> None:
    before = repr(getattr(inspector, name))
    with pytest.raises(traitlets.TraitError, match=message):
        setattr(inspector, name, value)
    assert repr(getattr(inspector, name)) == before


def test_traits_are_observable(inspector: SentenceInspector, example: pd.DataFrame) -> None:
    seen: list[tuple[str, Any]] = []
    names = ["mask", "frame", "selected", "tags", "position", "query", "error", "tag"]
    inspector.observe(lambda change: seen.append((change.name, change.new)), names=names)
    inspector.query = "domain == 'news' and score < 0.1"
    expected = (example["domain"] == "news") & (bleu(example).score() < 0.1)
    new = dict(seen)
    assert sorted(new) == ["frame", "mask", "position", "query", "selected"]
    assert new["mask"].tolist() == expected.tolist()
    pd.testing.assert_frame_equal(new["frame"], example[expected])
    assert new["selected"].index.tolist() == [new["position"]]
    seen.clear()
    inspector.tag = "x"
    assert sorted(name for name, _ in seen) == ["tag", "tags"]
    assert inspector.has_trait("frame")


def test_an_observer_may_set_traits(inspector: SentenceInspector, example: pd.DataFrame) -> None:
    def follow(change: Any) -> None:
        inspector.query = f"domain == '{example['domain'].iloc[change.new]}'"

    inspector.observe(follow, names="position")
    inspector.position = 479
    assert inspector.frame["domain"].unique().tolist() == [example["domain"].iloc[479]]
    assert inspector.position == 479
    assert 'aria-selected="true"' in list_html(inspector)


def test_every_control_has_the_value_of_its_trait_and_sets_it(inspector: SentenceInspector) -> None:
    values: dict[str, object] = {
        "by": "domain",
        "group": "news",
        "main_cause": "word choice",
        "score_range": (0.1, 0.5),
        "search": "the",
    }
    values |= {"search_in": "matched", "query": "id > 3", "order": 3, "smoothing": "method2"}
    values |= {"list_columns": ("score", "id")}
    controls = {name: find_control(inspector, name) for name in DESCRIPTIONS}
    assert set(values) == set(controls)
    for name, value in values.items():
        controls[name].value = value
        assert getattr(inspector, name) == value
    for name, value in values.items():
        assert controls[name].value == value
    controls["by"].value = "system"
    assert inspector.group is None
    assert [text for text, _ in controls["group"].options] == ["all", "direct (240)", "pivot (240)"]


def test_missing_values_are_a_group(example: pd.DataFrame) -> None:
    df = example.assign(kind=pd.Series([None, "a", "b"] * 160))
    inspector = bleupandas.inspect(df, by="kind")
    assert [text for text, _ in find_control(inspector, "group").options][-1] == "(missing) (160)"
    inspector.group = float("nan")
    assert repr(inspector.group) == "MISSING"
    assert inspector.mask.tolist() == df["kind"].isna().tolist()
    inspector.close()


@pytest.mark.parametrize("seed", ["3", "6"])
def test_no_dropdown_is_blank_whatever_the_hash_seed(seed: str) -> None:
    code = (
        "import bleupandas, inspected\n"
        "inspector = bleupandas.inspect(bleupandas.load_example())\n"
        "print([dropdown.label for dropdown in inspected.find_dropdowns(inspector)])\n"
        "inspector.by, inspector.group = 'domain', 'news'\n"
        "inspector.by = inspector.group = None\n"
        "print([dropdown.label for dropdown in inspected.find_dropdowns(inspector)])\n"
    )
    folder = str(Path(inspected.__file__).parent)
    environment = os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": folder}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    labels = ["no column", "all", "any cause", "text on either side", "4", "floor (method1)"]
    assert done.stdout.splitlines() == [str(labels)] * 2


# ---- Opening ----


def test_columns_of_string_view_are_converted(example: pd.DataFrame) -> None:
    def with_text(kind: pa.DataType) -> pd.DataFrame:
        hypothesis = pa.array(example["hypothesis"].tolist(), pa.large_list(kind))
        domain = pa.array(example["domain"].tolist(), kind)
        arrays = {"hypothesis": hypothesis, "domain": domain}
        return example.assign(**{label: pd.arrays.ArrowExtensionArray(array) for label, array in arrays.items()})

    df, expected = with_text(pa.string_view()), with_text(pa.large_string())
    inspector = bleupandas.inspect(df, by="domain")
    inspector.sort_by, inspector.group, inspector.query = "domain", "news", "domain != 'travel' and score < 0.1"
    rows = (example["domain"] == "news") & (bleu(example).score() < 0.1)
    pd.testing.assert_frame_equal(inspector.frame, expected[rows])
    pd.testing.assert_frame_equal(inspector.selected, expected[rows].iloc[[0]])
    inspector.close()


def test_columns_of_arrow_dictionaries_are_sorted_and_grouped(example: pd.DataFrame) -> None:
    domain = pa.array(example["domain"].tolist()).dictionary_encode()
    inspector = bleupandas.inspect(example.assign(domain=pd.arrays.ArrowExtensionArray(domain)), by="domain")
    inspector.sort_by = "domain"
    order = example["domain"].sort_values(kind="stable").index.tolist()
    assert page_positions(inspector) == order[:15]
    inspector.group = "news"
    assert inspector.mask.tolist() == (example["domain"] == "news").tolist()
    inspector.close()


def test_awkward_frames_open() -> None:
    empty = bleupandas.load_example().iloc[:0]
    unreadable = pd.DataFrame({"hypothesis": [["a"], None], "references": [[["a", "b"]], [["a"]]]})
    for df, errors in ((empty, "raise"), (unreadable, "coerce")):
        inspector = bleupandas.inspect(df, errors=errors)
        inspector.sort_by = "score"
        inspector.step(len(df))
        assert inspector._repr_mimebundle_()["text/html"]
        assert len(inspector.frame) == len(df)
        inspector.close()
    with pytest.raises(ValueError, match="the hypothesis is missing"):
        bleupandas.inspect(unreadable)


def test_components_columns_are_read(example: pd.DataFrame) -> None:
    df = example.join(bleu(example).components())
    df["matches_4"] = 0
    inspector = bleu(df).inspect(components=True)
    inspector.query = "matches_4 > 0"
    assert len(inspector.frame) == 0
    with pytest.raises(traitlets.TraitError, match="smoothing at order 4 is one of"):
        inspector.smoothing = "method5"
    inspector.close()
    with pytest.raises(KeyError, match="needs token lists"):
        bleu(example).components().bleu.inspect()


def test_bound_columns_and_settings_are_used(example: pd.DataFrame) -> None:
    df = example.rename(columns={"hypothesis": "mt", "references": "refs"})
    inspector = bleu(df)(hypothesis="mt", references="refs", max_order=2).inspect(smoothing="exp", weights=[0.9, 0.1])
    expected = bleu(df)(hypothesis="mt", references="refs").score(smoothing="exp", weights=[0.9, 0.1])
    inspector.query = "score < 0.5"
    assert inspector.mask.tolist() == (expected < 0.5).tolist()
    assert f"<strong>{expected[inspector.position]:.3f}" in segment_html(inspector)
    assert find_control(inspector, "order").options == (("2", 2),)
    inspector.close()


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"by": "domian"}, KeyError, "no column 'domian' for by: .*did you mean 'domain'"),
        ({"page_size": 0}, ValueError, "page_size is a whole number of at least 1"),
        ({"page_size": 2.5}, TypeError, "page_size is a whole number"),
        ({"group": "news"}, TypeError, "no keyword 'group'"),
        ({"tags": "x"}, TypeError, "tags is a frame"),
        ({"tags": pd.DataFrame({"tag": ["x"], "note": ["y"]})}, ValueError, "expected the same index"),
        ({"compare": ["a", "b"]}, ValueError, "to compare two systems of a column, give system= and id="),
        ({"system": "system"}, ValueError, "system= and id= go together"),
        ({"system": "domain", "id": "id"}, ValueError, "has 4 systems .*; name two"),
        ({"system": "system", "id": "domain"}, ValueError, "ids appear more than once in a system"),
        ({"system": "system", "id": "id", "compare": ["direct", "x"]}, ValueError, "has no 'x'; the systems are"),
        ({"system": "system", "id": "id", "compare": "direct"}, ValueError, "compare is a list of two systems"),
        ({"max_order": 9}, ValueError, "max_order"),
        ({"hypothesis": "nothing"}, KeyError, "no column 'nothing'"),
    ],
)
def test_errors_leave_no_widget_open(
    example: pd.DataFrame, options: dict[str, Any], error: type[Exception], message: str
) -> None:
    before = count_widgets()
    with pytest.raises(error, match=message):
        bleupandas.inspect(example, **options)
    assert count_widgets() == before
