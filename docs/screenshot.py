"""Makes docs/inspector.png, the picture of the README: python docs/screenshot.py (needs Chromium and JupyterLab)."""

import re
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "tests"))

import lab  # noqa: E402  # the helpers of the browser tests

CELL = """import bleupandas
df = bleupandas.load_example()
inspector = df[df["system"] == "direct"].bleu.inspect(by="domain")
inspector.group = "cooking"
inspector.sort_by = "score"
inspector.step(14)
inspector"""


def main() -> None:
    """Open the inspector in JupyterLab, as a reader of the quickstart has it, and take its picture."""
    with tempfile.TemporaryDirectory() as folder, lab.browser_page(1400, 1600) as page:
        lab.write_notebook(Path(folder) / "look.ipynb", CELL)
        with lab.lab_server(Path(folder)) as address:
            notebook = lab.Notebook(page, address, "look.ipynb")
            notebook.run_cell(0)
            page.evaluate("window.jupyterapp.commands.execute('application:toggle-left-area')")
            shown = page.locator(".bleu-inspector")
            shown.locator(".bleu-list tr[data-position]").first.wait_for()
            shown.locator("[role=status]").filter(has_text=re.compile("60 of 240")).wait_for()
            shown.locator("tr[data-ngram]").filter(has_text="the").first.hover()
            shown.screenshot(path=HERE / "inspector.png")
            page.goto("about:blank")


if __name__ == "__main__":
    main()
