"""Tags and notes as messages: in any order and from any thread, each is stored for the row it was typed for."""

import random
import threading
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any

import pandas as pd
import pytest
from inspected import bar_state, find_control, find_widget, list_html, receive, send, send_label

import bleupandas
from bleupandas.viewing.inspector.sentence_inspector import SentenceInspector
from bleupandas.viewing.inspector.tag_bar import TagBar
from bleupandas.viewing.inspector.token_view import TokenView
from bleupandas.viewing.inspector.widget_tree import iterate_widgets

STEPS = 100


def tags(inspector: SentenceInspector) -> dict[int, str]:
    return dict(inspector.tags["tag"].dropna().to_dict())


def test_a_label_after_the_step_is_stored_for_the_row_before(inspector: SentenceInspector) -> None:
    send(inspector, kind="step", by=1)
    send_label(inspector, 0, tag="grammar", note="late")
    assert (inspector.position, inspector.tag, inspector.note) == (1, "", "")
    assert tags(inspector) == {0: "grammar"}
    assert inspector.tags["note"].dropna().to_dict() == {0: "late"}
    assert "grammar" in list_html(inspector)
    assert bar_state(inspector)["used"] == ["grammar"]


def test_labels_and_steps_in_any_order_lose_nothing(inspector: SentenceInspector) -> None:
    messages: list[dict[str, Any]] = []
    for row in range(STEPS):
        edit = {"kind": "label", "row": row, "texts": {"tag": f"label {row}"}, "view": "v", "number": 2 * row + 1}
        messages += [edit, {"kind": "step", "by": 1, "view": "v", "number": 2 * row + 2}]
    random.Random(0).shuffle(messages)
    for message in messages:
        send(inspector, **message)
    assert tags(inspector) == {row: f"label {row}" for row in range(STEPS)}
    assert inspector.position == STEPS


def test_the_later_of_two_texts_wins_in_any_order(inspector: SentenceInspector) -> None:
    send_label(inspector, 5, number=2, tag="wrong verb")
    send_label(inspector, 5, number=1, tag="wrong")
    assert tags(inspector) == {5: "wrong verb"}
    send_label(inspector, 5, number=1, note="of the first")
    send_label(inspector, 5, number=1, view="another page", tag="grammar")
    send_label(inspector, 5, number=3, tag="")
    assert tags(inspector) == {}
    assert inspector.tags["note"].dropna().to_dict() == {5: "of the first"}


def test_a_label_notifies_observers_once_and_only_if_it_is_new(inspector: SentenceInspector) -> None:
    seen: list[str] = []
    inspector.observe(lambda change: seen.append(change.name), names=["tag", "note", "tags", "position"])
    send_label(inspector, 3, number=1, tag="x")
    assert seen == ["tags"]
    send_label(inspector, 3, number=2, tag=" x ")
    assert seen == ["tags"]
    send_label(inspector, 0, number=3, tag="y")
    assert sorted(seen) == ["tag", "tags", "tags"]


@pytest.mark.parametrize("row", [-1, 480])
def test_a_label_without_a_row_is_dropped(inspector: SentenceInspector, row: int) -> None:
    send_label(inspector, row, tag="lost")
    assert tags(inspector) == {}


def test_the_answer_comes_with_the_row_and_before_the_segment(inspector: SentenceInspector) -> None:
    sent: list[tuple[str, Any]] = []
    bar = find_widget(inspector, TagBar)
    bar.observe(lambda change: sent.append(("bar", (change.new["row"], change.new["answer"]))), "state")
    find_widget(inspector, TokenView).observe(lambda _: sent.append(("segment", None)), "html")
    send(inspector, kind="step", by=1, view="v", number=1)
    assert sent == [("bar", (1, "v 1")), ("segment", None)]
    send(inspector, kind="step", by=0, view="v", number=2)
    assert sent[2:] == [("bar", (1, "v 2"))]


def test_a_step_that_fails_is_answered_too(inspector: SentenceInspector, caplog: pytest.LogCaptureFixture) -> None:
    def fail(_: Any) -> None:
        raise RuntimeError("an observer fails")

    inspector.observe(fail, names="position")
    send(inspector, kind="step", by=1, view="v", number=7)
    assert "an observer fails" in caplog.text
    assert bar_state(inspector)["answer"] == "v 7"


def test_a_label_after_closing_is_stored(example: pd.DataFrame) -> None:
    inspector = bleupandas.inspect(example)
    bar = find_widget(inspector, TagBar).comm
    inspector.close()
    for number, (row, tag) in enumerate({0: "current", 7: "another"}.items(), 1):
        edit = {"kind": "label", "row": row, "texts": {"tag": tag}, "view": "v", "number": number}
        receive(bar, method="custom", content=edit)
    assert tags(inspector) == {0: "current", 7: "another"}


def test_messages_from_several_threads_lose_nothing(inspector: SentenceInspector) -> None:
    """Send tags, steps and a filter from the page, while a cell sets traits and reads results."""
    rows = range(STEPS)
    bar = find_widget(inspector, TagBar).comm
    search_box = find_control(inspector, "search").comm

    def type_tag(row: int) -> None:
        edit = {"kind": "label", "row": row, "texts": {"tag": f"label {row}"}, "view": "v", "number": row + 1}
        receive(bar, method="custom", content=edit)

    def step(row: int) -> None:
        receive(bar, method="custom", content={"kind": "step", "by": 1, "view": "v", "number": row + 1})

    def search(row: int) -> None:
        receive(search_box, method="update", state={"value": "the" if row % 2 else ""})

    def use(row: int) -> None:
        with inspector.hold_trait_notifications():
            inspector.page_size, inspector.ascending = 10 + row % 2, bool(row % 2)
        assert len(inspector.tags) == 480

    def note(row: int) -> None:
        edit = {"kind": "label", "row": row, "texts": {"note": f"note {row}"}, "view": "w", "number": row + 1}
        receive(bar, method="custom", content=edit)

    with ThreadPoolExecutor(5) as threads:
        for done in [threads.submit(all_of, work, rows) for work in (type_tag, step, search, use, note)]:
            done.result()
    assert tags(inspector) == {row: f"label {row}" for row in rows}
    assert inspector.tags["note"].dropna().to_dict() == {row: f"note {row}" for row in rows}
    assert bar_state(inspector)["answer"] == f"v {STEPS}"


def all_of(work: Any, rows: range) -> None:
    for row in rows:
        work(row)


def test_a_message_waits_until_a_change_of_another_thread_is_done(inspector: SentenceInspector) -> None:
    handled = threading.Event()
    bar = find_widget(inspector, TagBar).comm

    def send() -> None:
        edit = {"kind": "label", "row": 2, "texts": {"tag": "x"}, "view": "v", "number": 1}
        receive(bar, method="custom", content=edit)
        handled.set()

    thread = threading.Thread(target=send)
    with inspector.hold_trait_notifications():
        thread.start()
        assert not handled.wait(0.05)
        inspector.position = 2
    thread.join()
    assert (inspector.position, inspector.tag) == (2, "x")


def test_messages_to_every_widget_wait_for_the_lock(inspector: SentenceInspector) -> None:
    channels = [widget.comm for widget in iterate_widgets(inspector)]
    with ThreadPoolExecutor(len(channels)) as threads:
        with inspector.hold_trait_notifications():
            requests = [threads.submit(receive, channel, method="request_state") for channel in channels]
            assert not wait(requests, timeout=0.2).done
        assert not wait(requests, timeout=10).not_done


@pytest.mark.parametrize("row", [3, 0])
def test_a_tag_set_together_with_the_position_is_for_the_new_row(inspector: SentenceInspector, row: int) -> None:
    inspector.tag = "grammar"
    for position in (7, row):
        with inspector.hold_trait_notifications():
            inspector.position = position
            inspector.tag, inspector.note = "grammar", f"note {position}"
    assert (inspector.position, inspector.tag, inspector.note) == (row, "grammar", f"note {row}")
    assert tags(inspector) == {0: "grammar", 7: "grammar", row: "grammar"}
    assert inspector.tags["note"].dropna().to_dict() == {7: "note 7", row: f"note {row}"}


def test_a_tag_set_before_the_position_is_for_the_row_before(inspector: SentenceInspector) -> None:
    for tag in ("grammar", "grammar"):
        with inspector.hold_trait_notifications():
            inspector.tag = tag
    inspector.position = 5
    assert inspector.tag == ""
    assert tags(inspector) == {0: "grammar"}
