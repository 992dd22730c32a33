"""The inspector in a browser: in JupyterLab, in a notebook converted to HTML, and as a page of to_html()."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import lab
import pytest

import bleupandas

pytestmark = pytest.mark.browser

OPEN = """import bleupandas
df = bleupandas.load_example()
insp = df.bleu.inspect(by="domain")
insp"""
READ = """score = df.bleu.score()
own = df.bleu.ngrams(orders=1)
faulty = own[(own["ngram"] == insp.search) & (own["count"] > own["clipped_count"])]["segment"]
expected = df[(df["domain"] == "news") & df.index.isin(faulty)]
worst = score[df["domain"] == "news"].idxmin()
print("frame equal:", insp.frame.equals(expected), len(expected))
print("tags equal:", insp.tags["tag"].dropna().to_dict() == {worst: "wrong verb"})
print("selected equal:", insp.selected.equals(df.loc[[worst]]))"""
COUNT = """import comm
print("widgets:", len(comm.get_comm_manager().comms))"""
STEPS = 100
TYPED = f"""import pandas as pd
typed = pd.Series([f"label {{at}}" for at in range({STEPS})], index=df.index[:{STEPS}])
found = insp.tags["tag"].reindex(typed.index)
print("on other rows:", insp.tags["tag"].count() - found.count(), "wrong:", found[found.ne(typed)].to_dict())"""


@pytest.fixture(scope="module")
def screenshots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder for screenshots: BLEUPANDAS_SCREENSHOTS, or a temporary one."""
    kept = os.environ.get("BLEUPANDAS_SCREENSHOTS")
    return Path(kept) if kept else tmp_path_factory.mktemp("screenshots")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with lab.browser_page() as page:
        yield page


@pytest.fixture
def page(browser: Any) -> Any:
    """Return the page that all tests of this file share, without faults."""
    browser.faults.clear()
    return browser


class Clicks:
    """Counts the clicks of a user."""

    def __init__(self, inside: Any) -> None:
        self.inside = inside
        self.count = 0

    def on(self, what: Any) -> None:
        self.count += 1
        what.click()

    def pick(self, name: str, option: re.Pattern[str]) -> None:
        self.count += 1
        control = self.inside.get_by_label(name, exact=True)
        control.select_option(label=control.locator("option").filter(has_text=option).inner_text())


def test_a_user_finds_the_worst_segment_and_all_with_its_fault(page: Any, tmp_path: Path, screenshots: Path) -> None:
    lab.write_notebook(tmp_path / "look.ipynb", OPEN, READ, COUNT)
    with lab.lab_server(tmp_path) as address:
        notebook = lab.Notebook(page, address, "look.ipynb")
        notebook.run_cell(0)
        inspector = page.locator(".bleu-inspector")
        rows = inspector.locator(".bleu-list tr[data-position]")
        rows.first.wait_for()
        clicks = Clicks(inspector)
        go_to_the_worst(clicks, rows)
        highlight_without_the_kernel(page, inspector)
        clicks.on(inspector.locator('tr[data-ngram][data-order="1"] .bleu-over:not(:empty)').first)
        inspector.locator("[role=status]").filter(has_not_text="120 of").wait_for()
        field = inspector.get_by_label("Tag", exact=True)
        clicks.on(field)
        field.fill("wrong verb")
        field.press("Enter")
        inspector.locator(".bleu-list .bleu-tag").filter(has_text="wrong verb").wait_for()
        assert clicks.count <= 6
        inspector.screenshot(path=screenshots / "inspector-light.png")
        notebook.run_cell(1)
        results = notebook.output(1).inner_text().splitlines()
        assert re.fullmatch(r"frame equal: True \d+", results[0])
        assert results[1:3] == ["tags equal: True", "selected equal: True"]
        use_keys(page, inspector, rows)
        notebook.theme("dark")
        inspector.screenshot(path=screenshots / "inspector-dark.png")
        # The handles of sliders of ipywidgets have no names.
        assert lab.serious_faults(page, include=[[".bleu-inspector"]], exclude=[[".noUi-target"]]) == []
        run_again(notebook, rows)
        assert page.faults == []
        page.goto("about:blank")


def go_to_the_worst(clicks: Clicks, rows: Any) -> None:
    clicks.pick("Value", re.compile("^news"))
    status = clicks.inside.locator("[role=status]")
    status.filter(has_text="120 of 480 segments").wait_for()
    clicks.on(clicks.inside.get_by_role("button", name="score", exact=True))
    clicks.inside.locator('th[aria-sort="ascending"]').wait_for()
    clicks.on(rows.first)
    clicks.inside.locator(f'section[data-row="{rows.first.get_attribute("data-position")}"]').wait_for()


def highlight_without_the_kernel(page: Any, inspector: Any) -> None:
    """Point at a matched n-gram: it must be highlighted at once, before the kernel could answer."""
    row = inspector.locator('tr[data-ngram][data-order="1"]').last
    row.scroll_into_view_if_needed()
    row.hover()
    hypothesis = row.get_attribute("data-hypothesis").split()
    references = row.get_attribute("data-references").split()
    lit = inspector.locator(".bleu-token.bleu-lit")
    assert lit.count() == len(hypothesis) + len(references) > 1
    assert inspector.locator('[data-side="hypothesis"] .bleu-lit').count() == len(hypothesis)
    chip = inspector.locator('[data-side="hypothesis"] [data-position]').first
    chip.hover()
    assert "bleu-lit" in chip.get_attribute("class")
    page.mouse.move(1, 1)
    assert lit.count() == 0


def use_keys(page: Any, inspector: Any, rows: Any) -> None:
    """Move through the list with arrow keys; the notebook must not take them for its shortcuts."""
    before = page.locator(".jp-Notebook .jp-Cell").count()
    rows.first.focus()
    page.keyboard.press("ArrowDown")
    second = rows.nth(1)
    inspector.locator(f'section[data-row="{second.get_attribute("data-position")}"]').wait_for()
    inspector.locator('tr[aria-selected="true"]:focus').wait_for()
    page.keyboard.press("ArrowUp")
    inspector.locator(f'section[data-row="{rows.first.get_attribute("data-position")}"]').wait_for()
    page.keyboard.press("b")
    assert page.locator(".jp-Notebook .jp-Cell").count() == before


def run_again(notebook: lab.Notebook, rows: Any) -> None:
    """Run the cell again: the new inspector is visible, and there are as many widgets as before."""
    counts = []
    for _ in range(2):
        notebook.run_cell(0)
        rows.first.wait_for()
        notebook.run_cell(2)
        counts.append(notebook.output(2).inner_text())
    assert re.search(r"widgets: \d+", counts[0])
    assert counts[0] == counts[1]


def test_a_hundred_labels_typed_fast_are_stored_for_their_rows(page: Any, tmp_path: Path) -> None:
    """Type a label and click Next without Enter; the kernel handles messages of the page in more than one thread."""
    lab.write_notebook(tmp_path / "label.ipynb", OPEN, TYPED)
    with lab.lab_server(tmp_path) as address:
        notebook = lab.Notebook(page, address, "label.ipynb")
        notebook.run_cell(0)
        inspector = page.locator(".bleu-inspector")
        field = middle(inspector.get_by_label("Tag", exact=True))
        following = middle(inspector.get_by_role("button", name="Next ›"))
        for at in range(STEPS):
            inspector.locator(f'section[data-row="{at}"]').wait_for(state="attached")
            page.mouse.click(*field)
            page.keyboard.insert_text(f"label {at}")
            page.mouse.click(*following)
        inspector.locator(f'section[data-row="{STEPS}"]').wait_for()
        notebook.run_cell(1)
        assert notebook.output(1).inner_text().strip() == "on other rows: 0 wrong: {}"
        assert page.faults == []
        page.goto("about:blank")


def middle(element: Any) -> tuple[float, float]:
    """Return where to click. Looking for the element at each step would take longer than the step."""
    box = element.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_notebook_converted_to_html_has_the_static_view(tmp_path: Path) -> None:
    pytest.importorskip("nbconvert")
    lab.write_notebook(tmp_path / "look.ipynb", OPEN)
    command = [sys.executable, "-m", "nbconvert", "--to", "html", "--execute", "--output=page.html", "look.ipynb"]
    command += ["--ExecutePreprocessor.store_widget_state=False"]
    environment = lab.jupyter_environment(tmp_path)
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "of 480 segments" in page
    assert 'class="bleupandas bleu-list' in page
    assert "over-produced" in page
    assert "application/vnd.jupyter.widget-view+json" not in page


@pytest.mark.parametrize("compared", [False, True], ids=["one", "two"])
def test_the_page_of_to_html_is_accessible_and_highlights_ngrams(
    page: Any, tmp_path: Path, screenshots: Path, compared: bool
) -> None:
    pair: dict[str, Any] = {"system": "system", "id": "id"} if compared else {}
    inspector = bleupandas.inspect(bleupandas.load_example(), **pair)
    inspector.sort_by = "score"
    inspector.step(3)
    inspector.tag = "wrong verb"
    inspector.to_html(tmp_path / "page.html", title="Worst segments")
    inspector.close()
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.goto((tmp_path / "page.html").as_uri())
        page.locator("tr[data-ngram]").first.hover()
        assert page.locator(".bleu-token.bleu-lit").count() > 0
        page.mouse.move(1, 1)
        page.screenshot(path=screenshots / f"page-{scheme}-{'two' if compared else 'one'}.png", full_page=True)
        assert lab.serious_faults(page) == []
    assert page.faults == []
