"""The sentence inspector without a browser: its traits, what comes back, its static twin, its life."""

import gc
import subprocess
import sys
import weakref
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import traitlets
from ipywidgets.widgets import widget as registry

import bleupandas
from bleupandas.viewing import live
from bleupandas.viewing.inspector import SentenceInspector

HOSTILE = ["<s>", "</script>", "&amp;", "$x$", '"q"', "'", "<img src=x onerror=alert(1)>", "\\(y\\)"]


@pytest.fixture
def example() -> pd.DataFrame:
    return bleupandas.load_example()


@pytest.fixture
def inspector(example: pd.DataFrame) -> Iterator[SentenceInspector]:
    made = bleupandas.inspect(example)
    yield made
    made.close()


def bleu(df: pd.DataFrame) -> Any:
    """Give the accessor, which type checkers take for a column."""
    return df.bleu


def say(inspector: SentenceInspector, **message: Any) -> None:
    """Send what the list or the segment in the page would."""
    inspector._heard(None, message, None)


def listed(inspector: SentenceInspector) -> list[int]:
    """Give the positions on the page that is shown."""
    shown = Elements.of(inspector._list.html)
    return [
        int(attributes["data-position"]) for tag, attributes in shown if tag == "tr" and "data-position" in attributes
    ]


class Elements(HTMLParser):
    """Collects the elements of HTML, and its text."""

    def __init__(self) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def handle_data(self, data: str) -> None:
        self.text.append(data)

    @classmethod
    def of(cls, html: str) -> list[tuple[str, dict[str, str]]]:
        parser = cls()
        parser.feed(html)
        return parser.elements


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
    inspector._controls.buttons["next"].click()
    inspector._controls.buttons["next"].click()
    inspector._controls.buttons["previous"].click()
    assert inspector.position == 21


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
    inspector._controls.by_trait["tag"].value = " wrong name "
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
    assert set(inspector._controls.by_trait["tag"].options) == {"grammar", "wrong name"}
    inspector.tag = ""
    assert inspector.tags["tag"].dropna().to_dict() == {3: "grammar"}
    again = bleupandas.inspect(example, tags=tags)
    pd.testing.assert_frame_equal(again.tags, tags)
    again.close()


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
    values |= {"search_in": "matched", "query": "id > 3", "order": 3, "smoothing": "method2", "tag": "t", "note": "n"}
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
        ({"system": "domain", "id": "id"}, ValueError, "holds 4 systems .*; say which two"),
        ({"system": "system", "id": "domain"}, ValueError, "4 ids stand more than once for 'direct'"),
        ({"system": "system", "id": "id", "compare": ["direct", "x"]}, ValueError, "has no 'x'; there are"),
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


# ---- Two hypotheses ----


def test_another_column_is_compared(example: pd.DataFrame) -> None:
    df = example.assign(other=[tokens[:-2] for tokens in example["hypothesis"]])
    inspector = bleu(df).inspect(compare="other")
    inspector.sort_by = "difference"
    inspector.query = "difference > 0 and other_score < 0.3"
    mine, other = bleu(df).score(), bleu(df)(hypothesis="other").score()
    assert inspector.mask.tolist() == ((mine > other) & (other < 0.3)).tolist()
    expected = (mine - other)[inspector.mask].sort_values(kind="stable")
    assert listed(inspector) == expected.index[:15].tolist()
    assert inspector._view.html.count("<section") == 2
    at = inspector.position
    assert f"other</bdi> <strong>{other[at]:.3f}" in inspector._view.html
    assert inspector._view.html.count('<span class="bleu-differs">') == 2
    inspector.close()


def test_two_systems_are_compared_by_id(example: pd.DataFrame) -> None:
    df = example.sample(frac=1, random_state=3)
    inspector = bleu(df).inspect(compare=["pivot", "direct"], system="system", id="id")
    assert inspector.mask.tolist() == (df["system"] == "pivot").tolist()
    scores = df.assign(score=bleu(df).score()).pivot(index="id", columns="system", values="score")
    better = scores.index[scores["pivot"] > scores["direct"]]
    inspector.query = "difference > 0"
    assert sorted(inspector.frame["id"]) == sorted(better)
    views = inspector._views
    assert [df["system"].iloc[view.position] for view in views] == ["pivot", "direct"]
    assert df["id"].iloc[views[0].position] == df["id"].iloc[views[1].position]
    assert "pivot" in text_of(inspector._list.html)
    inspector.close()


def test_rows_that_do_not_pair_are_counted_and_named(example: pd.DataFrame) -> None:
    with pytest.raises(ValueError, match=r"2 ids are not there for both of 'direct' and 'pivot': 1, 2; drop"):
        bleu(example.iloc[[0, 2, *range(4, 480)]]).inspect(system="system", id="id")
    with pytest.raises(ValueError, match="1 ids of 'direct' are missing"):
        bleu(example.assign(id=example["id"].where(example.index > 0))).inspect(system="system", id="id")


# ---- Where nothing runs ----


def text_of(html: str) -> str:
    parser = Elements()
    parser.feed(html)
    return "".join(parser.text)


def test_the_mimebundle_holds_a_static_twin(inspector: SentenceInspector) -> None:
    inspector.query = "score < 0.1"
    bundle = inspector._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "text/html", "application/vnd.jupyter.widget-view+json"}
    assert bundle["text/plain"] == repr(inspector)
    text = text_of(bundle["text/html"])
    count = len(inspector.frame)
    assert f"{count} of 480 segments" in text
    assert inspector._views[0].reason in text
    assert "over-produced" in text
    elements = Elements.of(bundle["text/html"])
    assert {tag for tag, _ in elements}.isdisjoint({"script", "button", "noscript"})
    assert not any(
        name.startswith("on") or name in ("role", "hidden") for tag, a in elements for name in a if tag == "tr"
    )


def test_two_runs_show_the_same(example: pd.DataFrame) -> None:
    shown = []
    for _ in range(2):
        inspector = bleu(example).inspect(by="domain")
        inspector.group, inspector.sort_by, inspector.tag = "news", "score", "x"
        bundle = inspector._repr_mimebundle_()
        shown.append((bundle["text/html"], bundle["text/plain"], inspector._list.html, inspector._view.html))
        inspector.close()
    assert shown[0] == shown[1]
    assert "0x" not in "".join(map(repr, [inspector, inspector._list, inspector._view]))


def test_what_is_text_stays_text(tmp_path: Path) -> None:
    df = pd.DataFrame({"hypothesis": [HOSTILE], "references": [[HOSTILE[:4]]], "<b>": ["<i>&amp;$y$"]}, index=["<u>"])
    inspector = bleupandas.inspect(df, by="<b>")
    inspector.list_columns = ("score", "<b>")
    inspector.tag, inspector.note = "<script>alert(1)</script>", "<b>"
    inspector.query = "score < '<img src=x>'"
    inspector.to_html(tmp_path / "page.html", title="<title>")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    for html in (inspector._list.html, inspector._view.html, inspector.static_html(), page):
        assert {tag for tag, _ in Elements.of(html)}.isdisjoint({"s", "img", "b", "i", "u"})
        assert "&amp;lt;" not in html
        assert "$" not in html or "mathjax_ignore" in html
    assert page.count("</script>") == 1
    assert inspector.frame["hypothesis"].iloc[0] == HOSTILE
    inspector.close()


def test_right_to_left_text_runs_that_way() -> None:
    tokens = ["שלום", "עולם", "BLEU", "2024", "."]
    df = pd.DataFrame({"hypothesis": [tokens], "references": [[[*tokens[:3], "2025", "."]]]})
    inspector = bleupandas.inspect(df)
    for html in (inspector._list.html, inspector._view.html):
        assert 'dir="rtl"' in html
        starts = [html.index(f"<bdi>{token}</bdi>") for token in tokens]
        assert starts == sorted(starts)
    inspector.close()


def test_the_page_of_to_html_needs_nothing_else(inspector: SentenceInspector, tmp_path: Path) -> None:
    inspector.to_html(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>")
    elements = Elements.of(page)
    assert not [a for _, a in elements if {"src", "href"} & a.keys()]
    assert "import " not in page.partition("<script")[2]
    assert "url(" not in page


# ---- Lives ----


def test_one_change_is_one_redraw(inspector: SentenceInspector) -> None:
    drawn: list[str] = []
    for widget, name in ((inspector._list, "list"), (inspector._view, "segment")):
        widget.observe(lambda _, name=name: drawn.append(name), names="html")

    def redraws() -> list[str]:
        found = sorted(drawn)
        drawn.clear()
        return found

    inspector.query = "domain == 'travel'"
    assert redraws() == ["list", "segment"]
    inspector.position = int(inspector.frame.index[4])
    assert redraws() == ["list", "segment"]
    inspector.page = 1
    assert redraws() == ["list"]
    inspector.page = 0
    inspector.tag = "x"
    assert redraws() == ["list", "list"]
    inspector._controls.by_trait["smoothing"].value = "method3"
    assert redraws() == ["list", "segment"]
    say(inspector, kind="sort", column=1)
    assert redraws() == ["list", "segment"]
    say(inspector, kind="ngram", segment=0, id=0, where=None)
    assert redraws() == ["list", "segment"]
    with inspector.hold_trait_notifications():
        inspector.query, inspector.by, inspector.group, inspector.order = "score > 0", "domain", "news", 3
    assert redraws() == ["list", "segment"]
    inspector.query = "score > 0"
    assert redraws() == []


def test_closing_leaves_no_widget_and_no_observer(example: pd.DataFrame) -> None:
    before = set(registry._instances)
    inspector = bleupandas.inspect(example, by="domain")
    inspector.query, inspector.tag = "score < 0.1", "x"
    parts = list(live.parts(inspector))
    assert len(parts) > 30
    inspector.observe(lambda change: None)
    inspector.close()
    assert set(registry._instances) == before
    assert not any(part._trait_notifiers for part in parts)
    assert inspector.tags["tag"].count() == 1
    assert 0 < len(inspector.frame) < 480
    inspector.close()


def test_a_closed_inspector_is_freed(example: pd.DataFrame) -> None:
    inspector = bleupandas.inspect(example, by="domain")
    references = [weakref.ref(thing) for thing in (inspector, inspector._list, inspector._view, inspector._controls)]
    inspector.close()
    del inspector
    gc.collect()
    assert [reference() for reference in references] == [None] * 4


def test_a_thousand_redraws_leak_nothing() -> None:
    df = pd.DataFrame({"hypothesis": [["a"], ["b"], ["a", "b"]], "references": [["a"], ["a"], ["b", "a"]]})
    inspector = bleupandas.inspect(df, max_order=1)
    inspector.step()
    gc.collect()
    widgets = len(registry._instances)
    views = []
    for at in range(1000):
        inspector.step(1 if at % 2 else -1)
        views += [weakref.ref(view) for view in inspector._views]
    gc.collect()
    assert len(registry._instances) == widgets
    assert [view() for view in views if view() is not None] == inspector._views
    inspector.close()


def test_running_a_cell_again_replaces_its_inspector(example: pd.DataFrame, monkeypatch: pytest.MonkeyPatch) -> None:
    before = len(registry._instances)
    run = ["cell-a", "run-1"]
    monkeypatch.setattr(live, "running_cell", lambda: tuple(run))
    pair = [bleupandas.inspect(example), bleupandas.inspect(example)]
    held = len(registry._instances) - before
    run[:] = "cell-b", "run-2"
    elsewhere = bleupandas.inspect(example)
    run[:] = "cell-a", "run-3"
    again = bleupandas.inspect(example)
    assert [inspector.comm is None for inspector in (*pair, elsewhere, again)] == [True, True, False, False]
    assert len(registry._instances) - before == held
    for inspector in (elsewhere, again):
        inspector.close()
    assert len(registry._instances) == before


def test_importing_the_package_imports_no_widgets() -> None:
    code = "import sys, bleupandas; print([m for m in ('ipywidgets', 'anywidget', 'matplotlib') if m in sys.modules])"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
