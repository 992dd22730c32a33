"""df.bleu.plot.waterfall() of two systems: the data of its artists. test_plots.py has rows and corpora."""

import math
from collections.abc import Iterator
from typing import Any

import frames
import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot as plt

import bleupandas

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("agg")

EXAMPLE: Any = bleupandas.load_example()


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    yield
    plt.close("all")


def shorter() -> Any:
    """Return the example with a pivot system that leaves out two words of each longer sentence."""
    cells = [
        tokens[:-2] if name == "pivot" and len(tokens) > 6 else tokens
        for name, tokens in zip(EXAMPLE["system"], EXAMPLE["hypothesis"], strict=True)
    ]
    return EXAMPLE.assign(hypothesis=frames.cells(cells))


@pytest.mark.parametrize("baseline", ["direct", "pivot"])
@pytest.mark.parametrize("frame", [EXAMPLE, shorter()], ids=["example", "shorter"])
def test_bars_are_the_contributions(frame: Any, baseline: str) -> None:
    ax = frame.bleu.plot.waterfall(system="system", baseline=baseline)
    scores = frame.bleu.corpus(by="system")
    first, second = scores.loc[baseline], scores.drop(index=baseline).iloc[0]
    names = [f"precision_{n}" for n in range(1, 5)]
    logs = [math.log(second["brevity_penalty"] / first["brevity_penalty"])]
    logs += [math.log(second[name] / first[name]) / 4 for name in names]
    *parts, total = ax.patches
    assert [bar.get_height() for bar in parts] == pytest.approx(logs, abs=1e-14)
    assert [bar.get_y() for bar in parts] == pytest.approx([0, *np.cumsum(logs)[:-1]], abs=1e-14)
    assert total.get_height() == pytest.approx(math.log(second["score"] / first["score"]), abs=1e-12)
    assert total.get_y() == 0
    low, high = ax.get_ylim()
    assert low < min(0, *np.cumsum(logs))
    assert high > max(0, *np.cumsum(logs))
    labels = [label.get_text() for label in ax.get_xticklabels()]
    assert labels[0] == f"BP\n{first['brevity_penalty']:.3f}\n→ {second['brevity_penalty']:.3f}"
    assert labels[2] == f"2-grams\n{first['precision_2']:.3f}\n→ {second['precision_2']:.3f}"
    assert labels[-1] == f"BLEU\n{first['score']:.3f}\n→ {second['score']:.3f}"
    assert len(labels) == 6
    other = "pivot" if baseline == "direct" else "direct"
    assert ax.get_ylabel() == f"ln BLEU of {other} − ln BLEU of {baseline}"
    heights = [float(text.get_text()) for text in ax.texts]
    assert heights == pytest.approx([*logs, sum(logs)], abs=5e-4)
    colours = [bar.get_facecolor() for bar in parts[1:]]
    assert len(set(colours)) == len({height > 0 for height in logs[1:]})


def test_wide_form_settings_and_axes() -> None:
    parts = {name: part.set_index("id") for name, part in EXAMPLE.groupby("system")}
    wide: Any = parts["direct"].assign(pivot=parts["pivot"]["hypothesis"]).rename(columns={"hypothesis": "direct"})
    _, axes = plt.subplots()
    ax = wide.bleu.plot.waterfall(hypothesis=["direct", "pivot"], max_order=2, smoothing="exp", ax=axes)
    assert ax is axes
    expected = wide.bleu.waterfall(hypothesis=["direct", "pivot"], max_order=2, smoothing="exp")["contribution"]
    bars: Any = ax.patches[:-1]
    assert [bar.get_height() for bar in bars] == expected.tolist()
    assert len(ax.patches) == 4


def test_names_are_unchanged() -> None:
    frame = EXAMPLE.assign(system=EXAMPLE["system"].map({"direct": "$x^2$", "pivot": "システム"}))
    ax = frame.bleu.plot.waterfall(system="system")
    assert ax.get_ylabel() == "ln BLEU of システム − ln BLEU of $x^2$"
    assert not ax.yaxis.label.get_parse_math()


def test_orders_without_ngrams() -> None:
    frame: Any = pd.DataFrame({
        "hypothesis": [["a", "b"], ["a", "b", "c"]],
        "references": [[["a", "b", "c"]]] * 2,
        "system": ["x", "y"],
        "id": [0, 0],
    })  # fmt: skip
    ax = frame.bleu.plot.waterfall(system="system", effective_order=True, max_order=3)
    assert [label.get_text() for label in ax.get_xticklabels()][3] == "3-grams\nnone\n→ 1.000"
    assert [text.get_text() for text in ax.texts] == ["+0.500", "0.000", "0.000", "0.000", "+0.500"]


def test_refusals() -> None:
    plot = EXAMPLE.bleu.plot
    with pytest.raises(ValueError, match=r"plot\.waterfall\(\) draws one row, 3, or the difference of two"):
        plot.waterfall(3, system="system")
    with pytest.raises(ValueError, match=r"plot\.waterfall\(\) has baseline=, which needs several systems"):
        plot.waterfall(baseline="pivot")
    with pytest.raises(ValueError, match=r"the score of system 'direct' is 0: none of 1 3-grams matched"):
        EXAMPLE.iloc[[124, 125]].bleu.plot.waterfall(system="system")
    three = pd.concat([EXAMPLE, EXAMPLE[EXAMPLE["system"] == "direct"].assign(system="third")])
    with pytest.raises(ValueError, match=r"draws the difference of two systems, and there are 3: select the rows or"):
        three.bleu.plot.waterfall(system="system")
    with pytest.raises(TypeError, match=r"plot\.waterfall\(\) has no keyword 'baselin'; did you mean 'baseline'\?"):
        plot.waterfall(baselin="pivot")
