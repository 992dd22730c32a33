"""The scripts of the widgets in a browser, with a model in place of the kernel."""

from collections.abc import Iterator
from typing import Any

import lab
import pytest
from inspected import list_html, segment_html

from bleupandas.viewing.inspector.page_source import read_script
from bleupandas.viewing.inspector.sentence_inspector import SentenceInspector

pytestmark = pytest.mark.browser

# Draw the first HTML and move the focus into it. Then draw it again, and draw the second HTML when the focus leaves.
DRAW_WHILE_DRAWING = """async ([source, selector, first, second]) => {
    const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
    const { default: widget } = await import(url);
    let html = first;
    let draw = null;
    const model = { get: () => html, on: (_, handler) => { draw = handler; }, off: () => {}, send: () => {} };
    const el = document.createElement("div");
    document.body.append(el);
    widget.render({ model, el });
    el.querySelector(selector).focus();
    const inside = el.contains(document.activeElement);
    el.addEventListener("focusout", () => { html = second; draw(); }, { once: true });
    draw();
    return [inside, el.firstChild.innerHTML];
}"""


@pytest.fixture(scope="module")
def page() -> Iterator[Any]:
    with lab.browser_page() as page:
        yield page


@pytest.mark.parametrize(
    ("script", "html", "selector", "marker"),
    [
        ("segment_list.js", list_html, "tr[tabindex='0']", 'data-position="20"'),
        ("token_view.js", segment_html, "tr[data-ngram] button", 'data-row="20"'),
    ],
)
def test_a_widget_may_be_drawn_again_while_it_loses_the_focus(
    page: Any, inspector: SentenceInspector, script: str, html: Any, selector: str, marker: str
) -> None:
    first = html(inspector)
    inspector.position = 20
    second = html(inspector)
    inside, content = page.evaluate(DRAW_WHILE_DRAWING, [read_script(script), selector, first, second])
    assert inside
    assert marker in content
    assert marker not in first
    assert page.faults == []
