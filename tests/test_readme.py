"""The README's example prints what the README says."""

import contextlib
import io
import re
from pathlib import Path

import pytest

README = Path(__file__).parent.parent / "README.md"


@pytest.mark.skipif(not README.exists(), reason="tests of an installed package, without the README")
def test_the_example_prints_what_stands_below_it() -> None:
    text = README.read_text(encoding="utf-8")
    found = re.search(r"## Use\n\n```python\n(.*?)```\n\n```text\n(.*?)```", text, re.DOTALL)
    assert found
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(found[1], {})
    assert printed.getvalue() == found[2]
