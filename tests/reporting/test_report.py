"""report(): its sentences and tables for every form of frame, hostile text, and the page in a browser and in print."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import lab
import pandas as pd
import pytest

import bleupandas
from bleupandas.reporting.verdicts import pair_sentence

HOSTILE = ["<script>alert(1)</script>", "</table>", "$x$", "a|b", "`c`", "&amp;", '"q"']


@pytest.fixture(scope="module")
def example() -> pd.DataFrame:
    return bleupandas.load_example()


def text_of(df: pd.DataFrame, folder: Path, **options: Any) -> str:
    options = {"n_resamples": 100, **options}
    return bleupandas.report(df, folder / "report.md", **options).read_text(encoding="utf-8")


def test_the_summary_has_the_better_system_its_certainty_and_groups(example: pd.DataFrame, tmp_path: Path) -> None:
    lines = text_of(example, tmp_path, by="domain", n_resamples=1000).splitlines()
    found = bleupandas.compare(example).iloc[0]
    low, high = (f"−{abs(100 * found[name]):.2f}" for name in ("difference_low", "difference_high"))
    assert lines[4] == (
        "direct is better than pivot: BLEU 31.61 against 27.39 (a difference of −4.22 for pivot, 95 % "
        f"confidence interval {low} to {high}, p \\< 0.001)."
    )
    table = bleupandas.corpus(example, by=["domain", "system"])["score"].unstack()
    gaps: Any = table["pivot"] - table["direct"]
    most, least = (f"{name} (−{abs(100 * gaps[name]):.2f})" for name in (gaps.abs().idxmax(), gaps.abs().idxmin()))
    assert lines[6] == f"By domain, pivot and direct differ most in {most} and least in {least}."


def test_tables_have_the_results_of_the_functions(example: pd.DataFrame, tmp_path: Path) -> None:
    text = text_of(example, tmp_path, by="domain")
    groups = bleupandas.corpus(example, by=["domain", "system"])
    rows: Any = groups.iterrows()
    for (domain, system), row in rows:
        assert f"| {domain}, {system} | {100 * row['score']:.2f} | {100 * row['precision_1']:.1f} |" in text
    summary = bleupandas.ngram_summary(example[example["system"] == "direct"]).nlargest(1, "over_produced").iloc[0]
    top = f"| {summary['ngram']} | {summary['order']} | {summary['over_produced']} | {summary['count']} |"
    assert top in text
    for check in bleupandas.audit(example)["check"]:
        assert f"| {check} |" in text
    assert "nrefs:var\\|eff:no\\|smooth:none\\|order:4" in text


def test_long_wide_and_components_have_the_same_results(example: pd.DataFrame, tmp_path: Path) -> None:
    direct = example[example["system"] == "direct"].reset_index(drop=True)
    pivot = example[example["system"] == "pivot"].set_index("id").loc[direct["id"]].reset_index()
    wide = direct[["domain", "references"]].assign(direct=direct["hypothesis"], pivot=pivot["hypothesis"])
    counts = example[["system", "id", "domain"]].join(bleupandas.components(example))
    texts = [
        text_of(example, tmp_path, by="domain"),
        text_of(wide, tmp_path, by="domain", hypothesis=["direct", "pivot"]),
        text_of(counts, tmp_path, by="domain"),
    ]
    until = "## N-grams\n"
    heads = [re.split(f"{until}|## N-grams and segments", text)[0] for text in texts]
    assert heads[0] == heads[1] == heads[2]
    assert until in texts[1]
    assert "They need tokens" in texts[2]


def test_one_system_and_systems_that_do_not_pair(example: pd.DataFrame, tmp_path: Path) -> None:
    direct = example[example["system"] == "direct"].drop(columns=["system", "id"])
    assert text_of(direct, tmp_path, by="domain").splitlines()[4].startswith("BLEU is 31.61 on 240 segments.")
    lines = text_of(example.drop(columns="id"), tmp_path).splitlines()
    assert lines[4].startswith("direct: BLEU is 31.61 on 240 segments.")
    assert lines[6].startswith("pivot: BLEU is 27.39 on 240 segments.")


def test_segments_have_their_position_in_the_frame(example: pd.DataFrame, tmp_path: Path) -> None:
    direct = example[example["system"] == "direct"].reset_index(drop=True)
    pivot = example[example["system"] == "pivot"].set_index("id").loc[direct["id"]].reset_index()
    wide = direct[["id", "references"]].assign(direct=direct["hypothesis"], pivot=pivot["hypothesis"])
    cases: list[tuple[Any, Any]] = [(example, {}), (wide.set_index("id"), {"hypothesis": ["direct", "pivot"]})]
    for frame, options in cases:
        page = bleupandas.report(frame, tmp_path / "report.html", n_resamples=10, n_segments=3, **options)
        found = re.findall(
            r"row <bdi>([^<]*)</bdi></strong>(?: <small>\(position (\d+)\)</small>)?", page.read_text(encoding="utf-8")
        )
        assert len(found) == 12
        for label, position in found:
            assert str(frame.index[int(position or label)]) == label.strip("'")


def test_the_difference_of_a_pair_is_that_of_compare(tmp_path: Path) -> None:
    df = pd.DataFrame(
        {"A": [["a", "b"], ["c", "d"]], "B": [["x", "y"], ["c", "d"]], "references": [[["a", "b"]], [["c", "d"]]]}
    )
    page = bleupandas.report(df, tmp_path / "report.html", hypothesis=["A", "B"], n_resamples=10, max_order=1)
    found = re.search(r"<bdi>B</bdi> − <bdi>A</bdi> <strong>(.*?)</strong>", page.read_text(encoding="utf-8"))
    assert found is not None
    assert found[1] == "−1.000"  # B has no match, so its score is 0 with any smoothing; A matches completely


def test_a_segment_of_a_small_frame_is_shown_once(tmp_path: Path) -> None:
    df = pd.DataFrame({"hypothesis": [["a"], ["b"]], "references": [["a"], ["a"]]})
    text = bleupandas.report(df, tmp_path / "report.html", max_order=1).read_text(encoding="utf-8")
    assert "<h3>All segments, lowest scores first</h3>" in text
    assert "<h3>Highest scores</h3>" not in text
    assert "## Segments" not in text_of(df, tmp_path, max_order=1)  # Markdown has no pictures


def test_ngrams_that_occur_once_are_listed_for_few_rows(tmp_path: Path) -> None:
    df = pd.DataFrame({"hypothesis": [["a", "b"]], "references": [["a", "c"]]})
    text = text_of(df, tmp_path, max_order=1)
    assert "| b | 1 | 1 | 1 |" in text
    assert "| c | 1 | 1 | 0 |" in text


def test_tokens_that_contain_a_space(tmp_path: Path) -> None:
    df = pd.DataFrame({"hypothesis": [["New York", "is"]], "references": [["New York", "was"]]})
    text = text_of(df, tmp_path)
    assert "joined by '·'" in text
    assert "| New York·is | 2 | 1 | 1 |" in text


def test_an_interval_that_contains_0_is_no_proof(tmp_path: Path) -> None:
    values: Any = {
        "baseline": "A",
        "system": "B",
        "baseline_score": 0.3,
        "score": 0.4,
        "difference": 0.1,
        "p_value": 0.03,
    }
    values |= {"difference_low": -0.02, "difference_high": 0.5, "p_corrected": 0.03}
    [row] = pd.DataFrame([values]).itertuples()
    assert pair_sentence(row, 0.95) == (
        "B may be better than A, but the confidence interval contains 0: BLEU 40.00 against 30.00 (a difference of "
        "+10.00 for B, 95 % confidence interval −2.00 to +50.00, p = 0.03)."
    )


def test_unreadable_rows_and_scores_of_0(tmp_path: Path) -> None:
    df = pd.DataFrame({"hypothesis": [["a", "b"], None, ["c"]], "references": [["x", "y"], ["a"], ["d"]]})
    text = text_of(df, tmp_path, errors="coerce")
    assert "| unreadable rows, left out | 1 |" in text
    assert "BLEU is 0.00 on 2 segments" in text
    assert "## Parts of the score" in text


def test_the_first_lines_name_the_report(example: pd.DataFrame, tmp_path: Path) -> None:
    start = "This is a BLEU error analysis of direct (the baseline) and pivot, computed by bleupandas on 480 rows."
    assert text_of(example, tmp_path).splitlines()[2].startswith(start)
    direct = example[example["system"] == "direct"].drop(columns=["system", "id"])
    assert text_of(direct, tmp_path).splitlines()[2].startswith("This is a BLEU error analysis of one system, computed")


def test_unreadable_rows_have_no_length(tmp_path: Path) -> None:
    df = pd.DataFrame({"hypothesis": [["a", "b"], None, ["c"]], "references": [["x", "y"], ["a"], ["d"]]})
    lines = text_of(df, tmp_path, errors="coerce").splitlines()
    start = lines.index("## Scores by reference length")
    rows = [line for line in lines[start : start + 8] if line.startswith("|")][2:]
    assert rows
    assert not [row for row in rows if row.startswith("| – |")]


def test_ids_that_a_system_lacks(example: pd.DataFrame, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"correct the rows, or leave these ids out of the frame$") as raised:
        text_of(example.iloc[1:], tmp_path)
    assert "on_unpaired" not in str(raised.value)


def test_an_empty_frame(tmp_path: Path) -> None:
    df = pd.DataFrame({"hypothesis": [], "references": []}, dtype=object)
    assert "on 0 segments" in text_of(df, tmp_path)


def test_the_input_is_not_changed(example: pd.DataFrame, tmp_path: Path) -> None:
    before = example.copy(deep=True)
    text_of(example, tmp_path, by="domain")
    pd.testing.assert_frame_equal(example, before)


@pytest.mark.parametrize(
    ("path", "options", "error", "message"),
    [
        ("report.pdf", {}, ValueError, "the path of a report ends in '.html' or '.md', and 'report.pdf' does not"),
        (3, {}, TypeError, "report() takes the path of a file, such as 'report.html', not 3"),
        ("report.md", {"n_ngrams": -1}, ValueError, "n_ngrams is a whole number of at least 0, not -1"),
        ("report.md", {"n_segments": "5"}, TypeError, "n_segments is a whole number of at least 0, not '5'"),
        ("report.md", {"hypothesis": ["hypothesis"]}, ValueError,
         "hypothesis is a label, or a list of two or more different ones, not ['hypothesis']"),
        ("report.md", {"groups": "domain"}, TypeError, "report() has no keyword 'groups'"),
    ],
)  # fmt: skip
def test_refusals(
    example: pd.DataFrame, tmp_path: Path, path: Any, options: Any, error: type[Exception], message: str
) -> None:
    target = tmp_path / path if isinstance(path, str) else path
    with pytest.raises(error, match=re.escape(message)):
        bleupandas.report(example, target, **options)


def test_a_folder_that_is_not_there(example: pd.DataFrame, tmp_path: Path) -> None:
    with pytest.raises(
        ValueError, match=r"the folder .*nowhere' of the report 'report\.md' does not exist: make it first"
    ):
        bleupandas.report(example, tmp_path / "nowhere" / "report.md")


def test_importing_the_package_does_not_import_the_parts_of_a_report() -> None:
    heavy = "{'bleupandas.reporting.contents', 'importlib.metadata', 'jinja2'}"
    code = f"import sys, pandas, pyarrow, bleupandas; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.browser
def test_the_page_in_a_browser_shows_hostile_text_as_text(example: pd.DataFrame, tmp_path: Path) -> None:
    df = example.copy()
    df["hypothesis"] = [[*tokens, *HOSTILE] for tokens in df["hypothesis"]]
    df["domain"] = df["domain"].replace("news", HOSTILE[0])
    page_path = bleupandas.report(
        df, tmp_path / "report.html", by="domain", title=HOSTILE[0], n_resamples=100, n_segments=1
    )
    with lab.browser_page() as page:
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            page.goto(page_path.as_uri())
            assert page.locator("script").count() == 0
            assert page.title() == HOSTILE[0]
            shown = page.locator("main").inner_text()
            assert all(token in shown for token in HOSTILE)
            assert lab.serious_faults(page) == []
        page.emulate_media(color_scheme="light")
        assert page.pdf(path=tmp_path / "report.pdf").startswith(b"%PDF")
        assert page.faults == []
