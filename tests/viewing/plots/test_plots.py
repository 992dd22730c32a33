"""df.bleu.plot: tests compare the data of the artists, not pixels."""

import math
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import frames
import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot as plt

import bleupandas
from bleupandas.viewing.plots import labels, scores
from bleupandas.viewing.plots.fonts import (
    fallback_fonts,
    font_characters,
    missing_characters,
    resolve_fonts,
    select_fonts,
)
from bleupandas.viewing.plots.labels import drawable_text

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("agg")

TEXTS = {
    "the cat the cat on the mat": ["the cat sat", "a cat on the mat"],
    "a a a": ["a a b a"],
    "he goes home": ["he goes home now"],
    "": ["nothing here"],
}
SEGMENTS: list[frames.Segment] = [(text.split(), [other.split() for other in others]) for text, others in TEXTS.items()]
PLOTS = ["scores", "precisions", "lengths", "ngrams", "waterfall"]
RECT = matplotlib.patches.Rectangle


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    yield
    plt.close("all")


@pytest.fixture
def df() -> Any:
    frame = frames.objects(SEGMENTS).frame
    frame["system"] = ["x", "y", "x", "y"]
    return frame


def by_gid(ax: Any, gid: str) -> Any:
    [found] = [artist for artist in ax.get_children() if artist.get_gid() == gid]
    return found


def legend_of(ax: Any) -> tuple[str, list[str]]:
    legend = ax.get_legend()
    return legend.get_title().get_text(), [text.get_text() for text in legend.get_texts()]


def tick_labels(ax: Any) -> list[str]:
    return [label.get_text() for label in ax.get_xticklabels()]


# ---- scores ----


def test_scores(df: Any) -> None:
    ax = df.bleu.plot.scores(bins=4)
    heights, edges, _ = by_gid(ax, "0").get_data()
    expected = np.histogram(df.bleu.score(), np.linspace(0, 1, 5))[0]
    assert heights.tolist() == expected.tolist()
    assert edges.tolist() == [0, 0.25, 0.5, 0.75, 1]
    [mean] = ax.get_lines()
    assert mean.get_xdata()[0] == pytest.approx(df.bleu.score().mean())
    assert ax.get_ylabel() == "segments"
    assert ax.get_legend() is None


def test_scores_by_group(df: Any) -> None:
    ax = df.bleu.plot.scores(by="system", bins=2, smoothing="exp", max_order=2)
    scores = df.bleu.score(smoothing="exp", max_order=2)
    for at, system in enumerate(["x", "y"]):
        heights, _, _ = by_gid(ax, str(at)).get_data()
        counts = np.histogram(scores[df["system"] == system], [0, 0.5, 1])[0]
        assert heights.tolist() == (counts / 2).tolist()
    assert legend_of(ax) == ("system", ["x", "y"])
    assert ax.get_ylabel() == "share of the group's segments"


def test_scores_leave_out_missing_rows(df: Any) -> None:
    df.loc[0, "hypothesis"] = None
    ax = df.bleu.plot.scores(errors="coerce")
    assert by_gid(ax, "0").get_data()[0].sum() == 3


# ---- precisions ----


def test_precisions(df: Any) -> None:
    ax = df.bleu.plot.precisions()
    line = by_gid(ax, "0")
    assert line.get_xdata().tolist() == [1, 2, 3, 4]
    assert line.get_ydata().tolist() == list(df.bleu.corpus().precisions)
    assert legend_of(ax) == ("", [f"all segments (BLEU {df.bleu.corpus().score:.3f})"])


def test_precisions_by_group(df: Any) -> None:
    ax = df.bleu.plot.precisions(by="system", max_order=2)
    table = df.bleu.corpus(by="system", max_order=2)
    for at, system in enumerate(["x", "y"]):
        expected = table.loc[system, ["precision_1", "precision_2"]].tolist()
        assert by_gid(ax, str(at)).get_ydata().tolist() == expected
    assert legend_of(ax) == ("system", [f"{s} (BLEU {table.loc[s, 'score']:.3f})" for s in ("x", "y")])
    assert ax.get_xticks().tolist() == [1, 2]


def test_precisions_of_nothing() -> None:
    empty: Any = frames.objects([]).frame
    ax = empty.bleu.plot.precisions()
    assert np.isnan(by_gid(ax, "0").get_ydata()).all()
    assert legend_of(ax)[1] == ["all segments (no score)"]


def test_many_groups_differ(df: Any) -> None:
    frame = pd.concat([df] * 4, ignore_index=True)
    ax = frame.bleu.plot.precisions(by=lambda position: position)
    looks = {(line.get_color(), line.get_linestyle()) for line in ax.get_lines()}
    assert len(looks) == 16


# ---- lengths ----


def test_lengths(df: Any) -> None:
    frame = pd.concat([df, df.iloc[[1]]])
    ax = frame.bleu.plot.lengths()
    points = by_gid(ax, "0")
    assert points.get_offsets().tolist() == [[2, 0], [4, 3], [5, 7]]  # closest reference length, candidate length
    assert points.get_sizes().tolist() == [48, 144, 48]  # three segments of lengths 3 and 4
    shaded = by_gid(ax, "brevity").get_paths()[0]
    for r, c in ((4, 3), (5, 1)):
        assert shaded.contains_point((r, c))
    for r, c in ((3, 4), (1, 5)):
        assert not shaded.contains_point((r, c))
    assert ax.get_xlim() == ax.get_ylim()


def test_lengths_by_group(df: Any) -> None:
    ax = df.bleu.plot.lengths(by="system")
    assert by_gid(ax, "0").get_offsets().tolist() == [[4, 3], [5, 7]]
    assert by_gid(ax, "1").get_offsets().tolist() == [[2, 0], [4, 3]]
    assert legend_of(ax) == ("system", ["x", "y"])


# ---- ngrams ----


def bars(ax: Any) -> dict[str, tuple[float, float]]:
    """Return {n-gram: (over-produced, missing)}."""
    names = [label.get_text() for label in ax.get_yticklabels()]
    over, missing = ax.containers
    widths = [[bar.get_width() for bar in kind] for kind in (over, missing)]
    return {name: (more, -less) for name, more, less in zip(names, *widths, strict=True)}


def test_ngrams(df: Any) -> None:
    """The hypothesis of row 0 has "the" three times, a reference at most once; "a" is missing there."""
    found = bars(df.bleu.plot.ngrams(orders=1))
    # row 0: the 3 of 1, cat 2 of 1, on and mat match; missing sat, a. row 1: a 3 of 3; missing b. row 2: missing now.
    expected = {"the": (2, 0), "cat": (1, 0), "sat": (0, 1), "a": (0, 1), "b": (0, 1), "now": (0, 1)}
    assert found == {**expected, "nothing": (0, 1), "here": (0, 1)}
    assert list(found)[:2] == ["the", "cat"]


def test_ngrams_are_those_of_the_table(df: Any) -> None:
    frame: Any = bleupandas.load_example()
    ax = frame.bleu.plot.ngrams(n=5, max_order=3)
    own, other = frame.bleu.ngrams(max_order=3), frame.bleu.ngrams(max_order=3, side="references")
    over = (own["count"] - own["clipped_count"]).groupby(own["ngram"]).sum()
    missing = other["missing"].groupby(other["ngram"]).sum()
    found = bars(ax)
    for name, (more, less) in found.items():
        assert more == over.get(name, 0)
        assert less == missing.get(name, 0)
    assert sorted(more for more, _ in found.values())[-5:] == over.nlargest(5).sort_values().tolist()
    assert sorted(less for _, less in found.values())[-5:] == missing.nlargest(5).sort_values().tolist()


@pytest.mark.parametrize(("lacking", "right"), [("", "a␣b␊"), ("␊", "a␣b\\n"), ("␣␊", "a b\\n")])
def test_signs_that_no_font_has_are_escaped(lacking: str, right: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(labels, "undrawable_characters", lambda signs: lacking)
    assert drawable_text("a b\n") == right


def test_ngrams_of_any_tokens() -> None:
    tokens = ["\x1f", "\ud800", "a b", "$x$", "\n", "<s>"]
    frame: Any = frames.objects([(tokens, [["x"]])]).frame
    ax = frame.bleu.plot.ngrams(orders=1)
    fonts = [*resolve_fonts(["sans-serif"]), *fallback_fonts()]
    signs = {sign if not missing_characters(sign, fonts) else plain for sign, plain in (("␟", "\\x1f"), ("␊", "\\n"))}
    assert set(bars(ax)) == {*signs, "\\ud800", "a␣b", "$x$", "<s>", "x"}
    ax.figure.canvas.draw()  # no mathematics, no warning


def test_unreadable_rows_of_any_tokens() -> None:
    """A lone surrogate has no text form; rows beside it are still left out, or raise."""
    frame: Any = frames.objects([(["\ud800", "a"], [["a"]]), (["b"], [["c"]])]).frame
    frame.loc[1, "hypothesis"] = None
    assert bars(frame.bleu.plot.ngrams(orders=1, errors="coerce")) == {"\\ud800": (1, 0)}
    with pytest.raises(ValueError, match=r"row 1 \(position 1\): the hypothesis is missing"):
        frame.bleu.plot.ngrams(orders=1)


def test_no_ngram_at_fault() -> None:
    frame: Any = frames.objects([(["a", "b"], [["a", "b"]])]).frame
    assert bars(frame.bleu.plot.ngrams()) == {}


# ---- waterfall ----


def test_waterfall_of_a_corpus() -> None:
    frame: Any = bleupandas.load_example()
    ax = frame.bleu.plot.waterfall()
    result = frame.bleu.corpus()
    logs = [math.log(result.brevity_penalty), *(math.log(p) / 4 for p in result.precisions)]
    *parts, total = [bar for bar in ax.patches if isinstance(bar, RECT)]
    assert [bar.get_height() for bar in parts] == pytest.approx(logs)
    assert [bar.get_y() for bar in parts] == pytest.approx([0, *np.cumsum(logs)[:-1]])
    assert total.get_height() == pytest.approx(math.log(result.score))
    assert tick_labels(ax)[1] == f"1-grams\n{result.matches[0]} of {result.totals[0]}"
    assert tick_labels(ax)[-1] == "BLEU\n0.295"


def test_waterfall_of_a_row() -> None:
    """A row has the defaults of score(): smoothing, and no orders without n-grams."""
    frame: Any = bleupandas.load_example()
    frame.index = [f"s{i}" for i in range(len(frame))]
    for position in (3, 20, 100):
        ax = frame.bleu.plot.waterfall(f"s{position}")
        row = frame.bleu.explain().iloc[position]
        *parts, total = ax.patches
        expected = [row["share_brevity"], *(row[f"share_{n}"] for n in range(1, 5))]
        assert [bar.get_height() for bar in parts] == pytest.approx(expected)
        assert total.get_height() == pytest.approx(math.log(row["score"]))
    assert "0 of 7\nsmoothed 0.014" in tick_labels(frame.bleu.plot.waterfall("s3"))[2]


def test_waterfall_of_a_score_of_0(df: Any) -> None:
    """A factor of 0 is a hatched bar to the bottom."""
    ax = df.iloc[[2]].bleu.plot.waterfall()  # 3 tokens, no 4-gram, no smoothing
    heights = [bar.get_height() for bar in ax.patches]
    assert heights[0] == pytest.approx(1 - 4 / 3)
    assert heights[1:4] == [0, 0, 0]
    bottom = ax.get_ylim()[0]
    assert heights[0] + heights[4] == pytest.approx(bottom)
    assert heights[5] == pytest.approx(bottom)
    assert [bar.get_hatch() for bar in ax.patches[4:]] == ["//", "//"]
    assert tick_labels(ax)[-2:] == ["4-grams\n0 of 0", "BLEU\n0.000"]
    assert [text.get_text() for text in ax.texts][-2:] == ["−∞", "−∞"]


def test_waterfall_of_one_row_only(df: Any) -> None:
    df.index = ["a", "b", "b", "c"]
    with pytest.raises(ValueError, match=r"^2 rows have the label 'b'; expected one: df\.iloc\[\[3\]\]$"):
        df.bleu.plot.waterfall("b")
    with pytest.raises(KeyError, match=r"^no row 'z': the index has 'a', 'b', 'b' and 1 more"):
        df.bleu.plot.waterfall("z")
    df.loc["a", "hypothesis"] = None
    with pytest.raises(ValueError, match=r"^row 'a' is missing and has no factors$"):
        df.bleu.plot.waterfall("a", errors="coerce")


# ---- All of them ----


@pytest.mark.parametrize("name", PLOTS)
def test_axes_and_figsize(df: Any, name: str) -> None:
    """A plot returns new axes or `ax`, resizes the figure to `figsize`, and does not change the frame."""
    before = frames.snapshot(df)
    plot = getattr(df.bleu.plot, name)
    first, second = plot(figsize=(5, 3)), plot()
    assert first.figure is not second.figure
    assert first.figure.get_size_inches().tolist() == [5, 3]
    figure, axes = plt.subplots(figsize=(6, 6))
    assert plot(ax=axes) is axes
    assert figure.get_size_inches().tolist() == [6, 6]
    plot(ax=axes, figsize=(7, 4))
    assert figure.get_size_inches().tolist() == [7, 4]
    assert frames.snapshot(df)[0] == before[0]
    second.figure.canvas.draw()


@pytest.mark.parametrize("name", PLOTS)
def test_bound_columns_and_components(df: Any, name: str) -> None:
    renamed = df.rename(columns={"hypothesis": "mt", "references": "refs"})
    bound = renamed.bleu(hypothesis="mt", references="refs", max_order=2)
    ax = getattr(bound.plot, name)()
    assert ax.has_data() or name == "ngrams"
    counts = df.bleu.components()
    if name == "ngrams":
        with pytest.raises(KeyError, match="needs token lists and not only components"):
            counts.bleu.plot.ngrams()
    else:
        one, other = getattr(df.bleu.plot, name)(), getattr(counts.bleu.plot, name)()
        assert [p.get_xy() for p in one.patches if isinstance(p, RECT)] == [
            p.get_xy() for p in other.patches if isinstance(p, RECT)
        ]


def test_awkward_frames(awkward_frame: frames.Case) -> None:
    frame: Any = awkward_frame.frame
    _, ax = plt.subplots()
    for name in PLOTS:
        assert getattr(frame.bleu(**awkward_frame.columns).plot, name)(ax=ax) is ax


@pytest.mark.parametrize("name", PLOTS)
def test_wrong_keywords(df: Any, name: str) -> None:
    with pytest.raises(TypeError, match=rf"^plot\.{name}\(\) has no keyword 'colour';"):
        getattr(df.bleu.plot, name)(colour="red")
    with pytest.raises(KeyError, match="no column 'nowhere'"):
        getattr(df.bleu.plot, name)(hypothesis="nowhere")


def test_wrong_values(df: Any) -> None:
    for bad in (0, 2.5, True, "10"):
        with pytest.raises(ValueError, match=r"^n is a whole number of at least 1, not "):
            df.bleu.plot.ngrams(n=bad)
        with pytest.raises(ValueError, match=r"^bins is a whole number of at least 1, not "):
            df.bleu.plot.scores(bins=bad)
    with pytest.raises(KeyError, match="no column 'nowhere' for by"):
        df.bleu.plot.scores(by="nowhere")
    with pytest.raises(TypeError, match=r"^plot\.scores\(\) takes a pandas DataFrame, not Series$"):
        scores(pd.Series([1]))  # type: ignore[arg-type]


def test_repr(df: Any) -> None:
    assert repr(df.bleu.plot) == "<df.bleu.plot: scores, precisions, lengths, ngrams, waterfall>"


@pytest.mark.parametrize(
    ("by", "names"),
    [
        ("g", ["$x$", "_y", "nan"]),
        (["g", "system"], ["$x$, x", "$x$, y", "_y, x", "nan, y"]),
        (pd.Grouper(key="g", dropna=False), ["$x$", "_y", "nan"]),
        (pd.Series(["p", "q", "q", "p"], name="own"), ["p", "q"]),
        (lambda label: label % 2, ["0", "1"]),
    ],
)
def test_group_names_are_unchanged(df: Any, by: Any, names: list[str]) -> None:
    df["g"] = ["$x$", "$x$", "_y", None]
    for name in ("scores", "lengths"):
        ax = getattr(df.bleu.plot, name)(by=by)
        assert legend_of(ax)[1] == names
        assert not any(text.get_parse_math() for text in ax.get_legend().get_texts())
        ax.figure.canvas.draw()


def test_labels_of_any_script() -> None:
    """Each character is drawn in an installed font that has it, so matplotlib does not warn of missing glyphs."""
    tokens = ["שלום", "مرحبا", "今日", "naïve", "हिन्दी"]
    chosen = select_fonts("".join(tokens))
    lacking = {letter for token in tokens for letter in token if missing_characters(letter, resolve_fonts(chosen))}
    frame: Any = frames.objects([(tokens, [["x"]])]).frame
    ax = frame.bleu.plot.ngrams(orders=1)
    assert set(bars(ax)) == {*tokens, "x"}
    if not lacking:
        ax.figure.canvas.draw()  # a warning of a missing glyph would be an error
    everything = [font_characters(name) for name in fallback_fonts()]
    assert not [letter for letter in lacking if any(ord(letter) in known for known in everything)]


def test_without_matplotlib() -> None:
    code = (
        "import sys; sys.modules['matplotlib'] = None\n"
        "import bleupandas\n"
        "df = bleupandas.load_example()\n"
        "for name in ('scores', 'precisions', 'lengths', 'ngrams', 'waterfall'):\n"
        "    try:\n        getattr(df.bleu.plot, name)()\n"
        "    except ImportError as error:\n        print(error)\n"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == 'df.bleu.plot needs matplotlib: pip install "bleupandas[plot]"\n' * 5


def test_importing_does_not_import_matplotlib() -> None:
    code = "import sys, bleupandas; print('matplotlib' in sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == "False\n"
