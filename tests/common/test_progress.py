"""The bar of long work: who sees it, and that it counts all work."""

import sys
from typing import Any

import pytest
from compared import COUNTS

from bleupandas.common import progress as progressing
from bleupandas.common.progress import DELAY

TESTS = ["bootstrap", "randomization"]


@pytest.mark.parametrize("method", TESTS)
def test_bar_counts_all_work(method: str, monkeypatch: Any) -> None:
    bars: list[Any] = []

    class Bar:
        def __init__(self, **options: Any) -> None:
            self.options, self.done = options, 0
            bars.append(self)

        def __enter__(self) -> "Bar":
            return self

        def __exit__(self, *_: object) -> None:
            pass

        def update(self, done: int) -> None:
            self.done += done

    monkeypatch.setattr("tqdm.auto.tqdm", Bar)
    COUNTS.bleu.compare(by="domain", progress=True, n_resamples=50, method=method)
    monkeypatch.setattr(progressing, "is_interactive", lambda: True)
    COUNTS.bleu.compare(n_resamples=50, method=method)
    COUNTS.bleu.compare(progress=False)
    passes = 1 if method == "bootstrap" else 2
    assert [(bar.done, bar.options["total"]) for bar in bars] == [
        (200 * passes, 200 * passes),
        (50 * passes, 50 * passes),
    ]
    assert [bar.options["delay"] for bar in bars] == [0, DELAY]


def test_no_bar_where_nobody_watches(capsys: Any) -> None:
    COUNTS.bleu.compare()
    assert capsys.readouterr() == ("", "")
    COUNTS.bleu.compare(progress=True)
    assert "resamples" in capsys.readouterr().err


def test_importing_stays_light() -> None:
    import subprocess

    code = "import sys, bleupandas; print({'scipy', 'sacrebleu', 'tqdm'} & set(sys.modules))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == "set()\n"
