"""Tags and notes as messages: in any order, from any thread, each lands on the row on which it was typed."""

import random
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pandas as pd
import pytest
from inspected import label, say

import bleupandas
from bleupandas.viewing.inspector import live
from bleupandas.viewing.inspector.sentence_inspector import SentenceInspector

STEPS = 100


def tags(inspector: SentenceInspector) -> dict[int, str]:
    return dict(inspector.tags["tag"].dropna().to_dict())


def test_a_label_that_comes_after_the_step_is_on_its_own_row(inspector: SentenceInspector) -> None:
    say(inspector, kind="step", by=1)
    label(inspector, 0, tag="grammar", note="late")
    assert (inspector.position, inspector.tag, inspector.note) == (1, "", "")
    assert tags(inspector) == {0: "grammar"}
    assert inspector.tags["note"].dropna().to_dict() == {0: "late"}
    assert "grammar" in inspector._list.html
    assert inspector._bar.state["used"] == ["grammar"]


def test_labels_and_steps_in_any_order_lose_nothing(inspector: SentenceInspector) -> None:
    messages: list[dict[str, Any]] = []
    for row in range(STEPS):
        edit = {"kind": "label", "row": row, "texts": {"tag": f"label {row}"}, "view": "v", "number": 2 * row + 1}
        messages += [edit, {"kind": "step", "by": 1, "view": "v", "number": 2 * row + 2}]
    random.Random(0).shuffle(messages)
    for message in messages:
        say(inspector, **message)
    assert tags(inspector) == {row: f"label {row}" for row in range(STEPS)}
    assert inspector.position == STEPS


def test_the_newest_of_two_texts_wins_whichever_comes_first(inspector: SentenceInspector) -> None:
    label(inspector, 5, number=2, tag="wrong verb")
    label(inspector, 5, number=1, tag="wrong")
    assert tags(inspector) == {5: "wrong verb"}
    label(inspector, 5, number=1, note="of the first")
    label(inspector, 5, number=1, view="another page", tag="grammar")
    label(inspector, 5, number=3, tag="")
    assert tags(inspector) == {}
    assert inspector.tags["note"].dropna().to_dict() == {5: "of the first"}


def test_a_label_tells_observers_once_and_only_of_what_is_new(inspector: SentenceInspector) -> None:
    seen: list[str] = []
    inspector.observe(lambda change: seen.append(change.name), names=["tag", "note", "tags", "position"])
    label(inspector, 3, number=1, tag="x")
    assert seen == ["tags"]
    label(inspector, 3, number=2, tag=" x ")
    assert seen == ["tags"]
    label(inspector, 0, number=3, tag="y")
    assert sorted(seen) == ["tag", "tags", "tags"]


@pytest.mark.parametrize("row", [-1, 480])
def test_a_label_of_no_row_is_dropped(inspector: SentenceInspector, row: int) -> None:
    label(inspector, row, tag="lost")
    assert tags(inspector) == {}


def test_the_answer_comes_with_the_row_and_before_the_segment(inspector: SentenceInspector) -> None:
    sent: list[tuple[str, Any]] = []
    inspector._bar.observe(lambda change: sent.append(("bar", (change.new["row"], change.new["answer"]))), "state")
    inspector._view.observe(lambda _: sent.append(("segment", None)), "html")
    say(inspector, kind="step", by=1, view="v", number=1)
    assert sent == [("bar", (1, "v 1")), ("segment", None)]
    say(inspector, kind="step", by=0, view="v", number=2)
    assert sent[2:] == [("bar", (1, "v 2"))]


def test_a_step_that_fails_is_answered_too(inspector: SentenceInspector) -> None:
    def fail(_: Any) -> None:
        raise RuntimeError("an observer fails")

    inspector.observe(fail, names="position")
    with pytest.raises(RuntimeError, match="an observer fails"):
        say(inspector, kind="step", by=1, view="v", number=7)
    assert inspector._bar.state["answer"] == "v 7"


def test_a_label_that_comes_after_closing_is_kept(example: pd.DataFrame) -> None:
    inspector = bleupandas.inspect(example)
    inspector.close()
    label(inspector, 0, number=1, tag="current")
    label(inspector, 7, number=2, tag="another")
    assert tags(inspector) == {0: "current", 7: "another"}


def arrive(part: Any, **data: Any) -> None:
    """Hand a message to a widget as the kernel does."""
    part.comm.handle_msg({"content": {"data": data}, "buffers": []})


def test_messages_from_several_threads_lose_nothing(inspector: SentenceInspector) -> None:
    """Tags, steps and a filter of the page, while a cell sets traits and reads what comes back."""
    rows = range(STEPS)

    def type_tag(row: int) -> None:
        edit = {"kind": "label", "row": row, "texts": {"tag": f"label {row}"}, "view": "v", "number": row + 1}
        arrive(inspector._bar, method="custom", content=edit)

    def step(row: int) -> None:
        arrive(inspector._bar, method="custom", content={"kind": "step", "by": 1, "view": "v", "number": row + 1})

    def search(row: int) -> None:
        arrive(inspector._controls.by_trait["search"], method="update", state={"value": "the" if row % 2 else ""})

    def use(row: int) -> None:
        with inspector.hold_trait_notifications():
            inspector.page_size, inspector.ascending = 10 + row % 2, bool(row % 2)
        assert len(inspector.tags) == 480

    def note(row: int) -> None:
        edit = {"kind": "label", "row": row, "texts": {"note": f"note {row}"}, "view": "w", "number": row + 1}
        arrive(inspector._bar, method="custom", content=edit)

    with ThreadPoolExecutor(5) as threads:
        for done in [threads.submit(all_of, work, rows) for work in (type_tag, step, search, use, note)]:
            done.result()
    assert tags(inspector) == {row: f"label {row}" for row in rows}
    assert inspector.tags["note"].dropna().to_dict() == {row: f"note {row}" for row in rows}
    assert inspector._bar.state["answer"] == f"v {STEPS}"


def all_of(work: Any, rows: range) -> None:
    for row in rows:
        work(row)


def test_a_message_waits_until_a_change_of_another_thread_is_done(inspector: SentenceInspector) -> None:
    handled = threading.Event()

    def send() -> None:
        edit = {"kind": "label", "row": 2, "texts": {"tag": "x"}, "view": "v", "number": 1}
        arrive(inspector._bar, method="custom", content=edit)
        handled.set()

    thread = threading.Thread(target=send)
    with inspector.hold_trait_notifications():
        thread.start()
        assert not handled.wait(0.05)
        inspector.position = 2
    thread.join()
    assert (inspector.position, inspector.tag) == (2, "x")


def test_every_part_is_serialised(inspector: SentenceInspector) -> None:
    handlers = {part.comm._msg_callback.__qualname__ for part in live.parts(inspector)}
    assert handlers == {live.locked(inspector._lock, print).__qualname__}
