"""The sentence inspector without a browser: what a person does, what comes back, its traits, how it opens."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
import traitlets
from inspected import bleu, label, listed, say
from ipywidgets.widgets import widget as registry

import bleupandas
from bleupandas.viewing.inspector.sentence_inspector import SentenceInspector

# ---- What a person does, and what comes back ----


def test_it_opens_on_the_first_row_of_all(inspector: SentenceInspector, example: pd.DataFrame) -> None:
    assert repr(inspector) == "<SentenceInspector: 480 of 480 segments>"
    assert inspector.position == 0
    pd.testing.assert_frame_equal(inspector.selected, example.iloc[[0]])
    pd.testing.assert_frame_equal(inspector.frame, example)
    pd.testing.assert_series_equal(inspector.mask, pd.Series(True, index=example.index, name="mask"))
    assert listed(inspector) == list(range(15))


def test_filters_come_back_as_pandas_objects(inspector: SentenceInspector, example: pd.DataFrame) -> None:
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
def test_what_comes_back_has_the_callers_index(example: pd.DataFrame, index: pd.Index) -> None:
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


def test_sorting_goes_to_the_top(inspector: SentenceInspector, example: pd.DataFrame) -> None:
    say(inspector, kind="sort", column=1)
    order = bleu(example).score().sort_values(kind="stable").index.tolist()
    assert (inspector.sort_by, inspector.ascending) == ("score", True)
    assert listed(inspector) == order[:15]
    assert inspector.position == order[0]
    say(inspector, kind="sort", column=1)
    assert not inspector.ascending
    assert inspector.position == int(bleu(example).score().idxmax())
    say(inspector, kind="sort", column=0)
    assert inspector.sort_by is None
    assert listed(inspector) == list(range(15))


def test_steps_keys_and_pages(inspector: SentenceInspector) -> None:
    say(inspector, kind="step", by=1)
    assert inspector.position == 1
    say(inspector, kind="step", by=-5)
    assert inspector.position == 0
    say(inspector, kind="jump", where="last")
    assert (inspector.position, inspector.page) == (479, 31)
    say(inspector, kind="page", where="first")
    assert (inspector.position, inspector.page) == (479, 0)
    say(inspector, kind="page", where="next")
    assert listed(inspector) == list(range(15, 30))
    say(inspector, kind="select", position=20)
    assert inspector.position == 20
    for number, by in enumerate((1, 1, -1), 1):
        say(inspector, kind="step", by=by, view="v", number=number)
    assert inspector.position == 21
    assert inspector._bar.state["answer"] == "v 3"


def test_clicking_an_ngram_lists_the_segments_with_the_same_fault(
    inspector: SentenceInspector, example: pd.DataFrame
) -> None:
    table = bleu(example).ngrams(orders=1).query("ngram == 'of' and count > clipped_count")
    inspector.position = at = int(table["segment"].iloc[1])
    [ngram] = [ngram for ngram in inspector._views[0].ngrams if ngram.tokens == ("of",)]
    say(inspector, kind="ngram", segment=0, id=ngram.id, where=None)
    assert inspector.frame.index.tolist() == table["segment"].tolist()
    assert (inspector.search, inspector.search_in, inspector.position) == ("of", "over-produced", at)
    assert f'data-pinned="{ngram.id}"' in inspector._view.html
    say(inspector, kind="ngram", segment=0, id=ngram.id, where="hypothesis")
    assert inspector.search_in == "hypothesis"
    say(inspector, kind="ngram", segment=0, id=ngram.id, where="hypothesis")
    assert len(inspector.frame) == 480


def test_an_ngram_whose_tokens_hold_spaces_is_searched_by_its_tokens() -> None:
    df = pd.DataFrame({"hypothesis": [["a b", "c"], ["a", "b", "c"]], "references": [[["a b", "c"]], [["c"]]]})
    inspector = bleupandas.inspect(df, max_order=2)
    [ngram] = [ngram for ngram in inspector._views[0].ngrams if ngram.tokens == ("a b", "c")]
    say(inspector, kind="ngram", segment=0, id=ngram.id, where=None)
    assert inspector.search == ("a b", "c")
    assert inspector.mask.tolist() == [True, False]
    assert inspector._controls.by_trait["search"].value == "a b c"
    inspector.close()


def test_tags_and_notes_belong_to_rows(inspector: SentenceInspector, example: pd.DataFrame) -> None:
    label(inspector, 0, tag=" wrong name ")
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
    assert "wrong name" in inspector._list.html
    assert inspector._bar.state["used"] == ["grammar", "wrong name"]
    inspector.tag = ""
    assert inspector.tags["tag"].dropna().to_dict() == {3: "grammar"}
    again = bleupandas.inspect(example, tags=tags)
    pd.testing.assert_frame_equal(again.tags, tags)
    again.close()


def test_the_bar_shows_the_current_row(inspector: SentenceInspector) -> None:
    shown: dict[str, object] = {"row": 0, "tag": "", "note": "", "used": [], "answer": ""}
    shown |= {"previous": False, "next": True}
    assert inspector._bar.state == shown
    inspector.tag, inspector.note = "grammar", "who?"
    assert inspector._bar.state == {**shown, "tag": "grammar", "note": "who?", "used": ["grammar"]}
    inspector.position = 479
    assert inspector._bar.state == {**shown, "row": 479, "used": ["grammar"], "previous": True, "next": False}
    inspector.query = "score > 2"
    assert inspector._bar.state == {**shown, "row": -1, "used": ["grammar"], "next": False}


def test_nothing_listed_is_nothing_selected(inspector: SentenceInspector, example: pd.DataFrame) -> None:
    inspector.query = "score > 2"
    assert inspector.position == -1
    assert inspector.selected.empty
    assert inspector.selected.columns.equals(example.columns)
    assert repr(inspector) == "<SentenceInspector: 0 of 480 segments>"
    assert "No segment" in inspector._view.html
    inspector.step()
    inspector.tag = "lost"
    assert inspector.tags.isna().all(axis=None)
    inspector._controls.buttons["clear"].click()
    assert inspector.query == ""
    assert inspector.position == 0


def test_order_and_smoothing_change_every_number(inspector: SentenceInspector, example: pd.DataFrame) -> None:
    with inspector.hold_trait_notifications():
        inspector.order, inspector.smoothing = 2, "add-k"
        inspector.query = "score > 0.5"
    expected = bleu(example).score(max_order=2, smoothing="add-k") > 0.5
    pd.testing.assert_series_equal(inspector.mask, expected, check_names=False)
    assert inspector._views[0].max_order == 2
    inspector.order, inspector.smoothing = 4, "method5"
    assert inspector.mask.tolist() == (bleu(example).score(smoothing="method5") > 0.5).tolist()


def test_a_bad_query_says_so_in_the_list(inspector: SentenceInspector) -> None:
    inspector.query = "score < 0.1"
    count = len(inspector.frame)
    inspector.query = "scor < 0.1 & <b>"
    assert inspector.error.startswith("query: ")
    assert 'role="alert"' in inspector._list.html
    assert len(inspector.frame) == count
    inspector.query = "score < 0.1"
    assert inspector.error == ""
    assert 'role="alert"' not in inspector._list.html


def test_a_column_that_cannot_be_sorted_says_so(example: pd.DataFrame) -> None:
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
        ("mask", None, "mask is what comes back from the inspector; it cannot be set"),
        ("error", "mine", "error"),
    ],
)
def test_a_trait_refuses_what_it_cannot_be(
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
    told = dict(seen)
    assert sorted(told) == ["frame", "mask", "position", "query", "selected"]
    assert told["mask"].tolist() == expected.tolist()
    pd.testing.assert_frame_equal(told["frame"], example[expected])
    assert told["selected"].index.tolist() == [told["position"]]
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
    assert 'aria-selected="true"' in inspector._list.html


def test_every_control_shows_its_trait_and_sets_it(inspector: SentenceInspector) -> None:
    values: dict[str, object] = {
        "by": "domain",
        "group": "news",
        "main_cause": "word choice",
        "score_range": (0.1, 0.5),
        "search": "the",
    }
    values |= {"search_in": "matched", "query": "id > 3", "order": 3, "smoothing": "method2"}
    values |= {"list_columns": ("score", "id")}
    controls = inspector._controls.by_trait
    assert set(values) == set(controls)
    for name, value in values.items():
        controls[name].value = value
        assert getattr(inspector, name) == value
    for name, value in values.items():
        assert controls[name].value == value
    controls["by"].value = "system"
    assert inspector.group is None
    assert [text for text, _ in controls["group"].options] == ["all", "direct (240)", "pivot (240)"]


def test_missing_values_can_be_picked(example: pd.DataFrame) -> None:
    df = example.assign(kind=pd.Series([None, "a", "b"] * 160))
    inspector = bleupandas.inspect(df, by="kind")
    assert [text for text, _ in inspector._controls.by_trait["group"].options][-1] == "(missing) (160)"
    inspector.group = float("nan")
    assert repr(inspector.group) == "MISSING"
    assert inspector.mask.tolist() == df["kind"].isna().tolist()
    inspector.close()


# ---- Opening ----


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


def test_components_columns_save_the_counting(example: pd.DataFrame) -> None:
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
    assert inspector._views[0].score == pytest.approx(expected[inspector.position])
    assert inspector._controls.by_trait["order"].options == (("2", 2),)
    inspector.close()


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"by": "domian"}, KeyError, "no column 'domian' for by: .*did you mean 'domain'"),
        ({"page_size": 0}, ValueError, "page_size is at least 1"),
        ({"page_size": 2.5}, TypeError, "page_size is a whole number"),
        ({"group": "news"}, TypeError, "no keyword 'group'"),
        ({"tags": "x"}, TypeError, "tags is a frame"),
        ({"tags": pd.DataFrame({"tag": ["x"], "note": ["y"]})}, ValueError, "expected the same index"),
        ({"compare": ["a", "b"]}, ValueError, "two systems of a column are compared with system= and id="),
        ({"system": "system"}, ValueError, "system= and id= go together"),
        ({"system": "domain", "id": "id"}, ValueError, "has 4 systems .*; name two"),
        ({"system": "system", "id": "domain"}, ValueError, "ids appear more than once in a system"),
        ({"system": "system", "id": "id", "compare": ["direct", "x"]}, ValueError, "has no 'x'; the systems are"),
        ({"system": "system", "id": "id", "compare": "direct"}, ValueError, "compare is a list of two systems"),
        ({"max_order": 9}, ValueError, "max_order"),
        ({"hypothesis": "nothing"}, KeyError, "no column 'nothing'"),
    ],
)
def test_what_cannot_be_opened_says_so_and_leaves_no_widget(
    example: pd.DataFrame, options: dict[str, Any], error: type[Exception], message: str
) -> None:
    before = len(registry._instances)
    with pytest.raises(error, match=message):
        bleupandas.inspect(example, **options)
    assert len(registry._instances) == before
