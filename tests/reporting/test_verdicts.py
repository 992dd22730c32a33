"""The first sentences of a report: their names, numbers and signs are those of the tables."""

import importlib
import math
import re
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bleupandas
from bleupandas.reporting.verdicts import find_reversals, format_reversals, gap_sentence, pair_sentence

GOOD, BAD = ["a", "b", "c", "d", "e"], ["a", "b", "c", "d", "x"]
NUMBER = r"[+−]?\d+\.\d\d"
SCORES = re.compile(rf"BLEU ({NUMBER})(?: for \w+)? against ({NUMBER})")
DIFFERENCE = re.compile(
    rf"a difference of ({NUMBER}) for ([^,]+), 95 % confidence interval ({NUMBER}) to ({NUMBER}), p (.+?)\)"
)
NAMES = re.compile(r"(?:By \w+, )?(\w+) (?:is|may be) better than (\w+)")
EQUAL = re.compile(r"(?:No significant difference between )?(\w+) and (\w+)(?: differ by less)?")


def lines_of(df: pd.DataFrame, folder: Path, **options: Any) -> list[str]:
    """Write a report and return its lines without Markdown's escapes."""
    path = bleupandas.report(df, folder / "report.md", **{"n_resamples": 200, **options})
    return path.read_text(encoding="utf-8").replace("\\", "").splitlines()


def cells(lines: list[str], start: str) -> list[str]:
    """Return the cells of the only row of a table that starts with `start` and has an interval."""
    [line] = [line for line in lines if line.startswith(f"| {start} |") and " to " in line]
    return [cell.strip() for cell in line.strip("|").split("|")]


def domains() -> pd.DataFrame:
    """Three domains of 40 segments: base wins in law and news, new in medical. Some rows of base cannot be read."""
    rows = []
    for domain, base_faults, new_faults in (("law", 4, 20), ("medical", 24, 6), ("news", 2, 25)):
        for i in range(40):
            reference = [f"{domain}{i}{j}" for j in range(6)]
            faulty = [*reference[:3], "x", *reference[4:]]
            base: Any = faulty if i < base_faults else reference
            new = faulty if (i * 7) % 40 < new_faults else reference
            rows.append((domain, None if i % 8 == 3 else base, new, [reference]))
    return pd.DataFrame(rows, columns=["domain", "base", "new", "references"])


# ---- Faults that a report once had ----


def test_each_system_has_its_own_score_where_the_difference_is_not_significant(tmp_path: Path) -> None:
    df = pd.DataFrame(
        {"base": [BAD] * 3 + [GOOD] * 5, "new": [GOOD] + [BAD] * 2 + [GOOD] * 5, "references": [[GOOD]] * 8}
    )
    lines = lines_of(df, tmp_path, hypothesis=["base", "new"])
    # base: p_1 to p_4 are 37/40, 29/32, 21/24, 13/16; new: 38/40, 30/32, 22/24, 14/16
    precisions = ((37 / 40, 29 / 32, 21 / 24, 13 / 16), (38 / 40, 30 / 32, 22 / 24, 14 / 16))
    base, new = (math.prod(each) ** 0.25 for each in precisions)
    assert (round(100 * base, 2), round(100 * new, 2)) == (87.86, 91.93)
    start = "No significant difference between base and new: BLEU 87.86 against 91.93 (a difference of +4.07 for new"
    assert lines[4].startswith(start)
    assert cells(lines, "base → new")[1:4] == ["87.86", "91.93", "+4.07"]


def test_a_reversal_is_in_the_headline_and_numbers_are_paired(tmp_path: Path) -> None:
    df = domains()
    lines = lines_of(df, tmp_path, hypothesis=["base", "new"], by="domain", errors="coerce")
    both = df[df["base"].notna()]
    paired = {name: bleupandas.corpus(both, hypothesis=name).score for name in ("base", "new")}
    assert f"{100 * paired['new']:.2f}" != f"{100 * bleupandas.corpus(df, hypothesis='new').score:.2f}"
    shown = {name: f"{100 * score:.2f}" for name, score in paired.items()}
    claim = "base is better than new overall, but new is better in medical"
    start = f"{claim}: BLEU {shown['base']} for base against {shown['new']} for new ("
    assert lines[4].startswith(start)
    medical = both[both["domain"] == "medical"]
    base, new = (bleupandas.corpus(medical, hypothesis=name).score for name in ("base", "new"))
    assert new > base
    gap = f"+{100 * (new - base):.2f}"
    start = (
        f"By domain, new is better than base in medical: BLEU {100 * new:.2f} against {100 * base:.2f} (a difference"
    )
    assert lines[6].startswith(f"{start} of {gap} for new, 95 % confidence interval ")
    assert cells(lines, "medical")[1:4] == [f"{100 * base:.2f}", f"{100 * new:.2f}", gap]
    for name, group in re.findall(rf"(\w+) \(([+−]{NUMBER[5:]})\)", lines[8]):
        assert cells(lines, name)[3] == group
    assert lines[8].startswith("By domain, new and base differ most in ")
    systems = {line.split(" | ")[0][2:]: line.split(" | ")[1] for line in lines if re.match(r"\| (base|new) \|", line)}
    assert systems == shown  # the table of scores
    medical_new = next(line for line in lines if line.startswith("| medical, new |"))
    assert medical_new.split(" | ")[1] == f"{100 * new:.2f}"
    assert "| readable rows of the same segments, left out | 15 |" in lines


def test_no_claim_about_a_difference_of_0(tmp_path: Path) -> None:
    same = [["x", "y", "z", "w"]] * 10
    df = pd.DataFrame({"a": same, "b": same, "references": [[["x", "y", "z", "v"]]] * 10})
    for options in ({"convention": "sacrebleu", "max_order": 3}, {"convention": "sacrebleu"}, {"max_order": 3}):
        lines = lines_of(df, tmp_path, hypothesis=["a", "b"], **options)
        score = bleupandas.corpus(df, hypothesis="a", **options).score
        assert lines[4] == f"No difference between a and b: BLEU {100 * score:.2f} for both."
        assert not [line for line in lines if "better than" in line or "+0.00" in line or "< 0.001" in line]
        assert cells(lines, "a → b")[3] == "0.00"


def test_rounding_is_no_regression() -> None:
    # 0.1 + 0.2 + 0.3 is 0.6000000000000001, 0.3 + 0.2 + 0.1 is 0.6; sacreBLEU's way gives such a difference a small p
    old = pd.DataFrame({"id": range(3), "metric": [0.1, 0.2, 0.3]})
    new = old.assign(metric=[0.3, 0.2, 0.1])
    bleupandas.assert_no_regression(old, new, metric="metric", convention="sacrebleu", n_resamples=20)


def test_a_loss_within_rounding_is_none_whatever_its_p(monkeypatch: pytest.MonkeyPatch) -> None:
    row: Any = {"baseline": "old", "system": "new", "baseline_score": 0.3, "score": 0.3 - 6e-17, "p_corrected": 0.001}
    row |= {"difference": -6e-17, "difference_low": -0.1, "difference_high": 0.1, "p_value": 0.001, "segments": 9}
    frame = pd.DataFrame([row])
    module = importlib.import_module("bleupandas.comparing.assert_no_regression")
    monkeypatch.setattr(module, "compare_systems", lambda *_args, **_options: frame)
    counts = pd.DataFrame({"id": [1, 2], "metric": [0.3, 0.3]})
    assert bleupandas.assert_no_regression(counts, counts, metric="metric") is frame
    frame["difference"], frame["score"] = -0.1, 0.2
    with pytest.raises(AssertionError):
        bleupandas.assert_no_regression(counts, counts, metric="metric")


# ---- Every sentence ----


@st.composite
def rows(draw: st.DrawFn, baseline: str = "A", system: str = "B") -> dict[str, Any]:
    """Draw a row of a comparison."""
    share = st.floats(0.0, 1.0)
    first = draw(share)
    second = draw(st.one_of(share, st.just(first), st.just(first * (1 + 1e-15)), st.just(first * 0.9999)))
    margins = [draw(share), draw(share)]
    p = draw(st.one_of(st.floats(0.0005, 1.0), st.sampled_from([0.000999, 0.049, 0.05, 1.0, float("nan")])))
    gap = second - first
    row = {"baseline": baseline, "system": system, "baseline_score": first, "score": second, "difference": gap}
    row |= {"difference_low": gap - margins[0], "difference_high": gap + margins[1], "p_value": p, "p_corrected": p}
    return row


def pt(score: float) -> str:
    return f"{100 * score:.2f}"


def with_sign(difference: float) -> str:
    text = f"{100 * difference:+.2f}"
    return "0.00" if float(text) == 0 else text.replace("-", "−")


def check(sentence: str, row: dict[str, Any]) -> None:
    """Check names, numbers and signs of a sentence on a pair of systems against its row."""
    scores = {row["baseline"]: pt(row["baseline_score"]), row["system"]: pt(row["score"])}
    claim = NAMES.match(sentence)
    found = SCORES.search(sentence)
    if found is None:
        assert claim is None
        assert "cannot be compared" in sentence or f"BLEU {scores[row['system']]} for both" in sentence
        return
    names = (claim or re.search(EQUAL, sentence) or pytest.fail(sentence)).groups()
    assert [scores[name] for name in names] == list(found.groups())
    difference = DIFFERENCE.search(sentence)
    assert difference is not None
    assert difference[2] == row["system"]
    assert difference[1] == with_sign(row["difference"])
    assert [difference[3], difference[4]] == [with_sign(row["difference_low"]), with_sign(row["difference_high"])]
    p = row["p_corrected"]
    assert difference[5] == ("< 0.001" if p < 0.001 else f"= {p:.2g}")
    if claim is not None:
        assert difference[1] != "0.00"
        assert p < 0.05 + 1e-12
        assert names[0] == (row["system"] if row["difference"] > 0 else row["baseline"])
        assert ("may be" in sentence.split(" better")[0]) == (row["difference_low"] <= 0 <= row["difference_high"])
    else:
        assert p >= 0.05 - 1e-12 or difference[1] == "0.00"


@given(rows())
@settings(max_examples=300, deadline=None)
def test_a_sentence_on_a_pair_says_what_its_row_says(row: dict[str, Any]) -> None:
    [one_row] = pd.DataFrame([row]).itertuples()
    check(pair_sentence(one_row, 0.95), row)


@given(rows(), st.lists(rows(), min_size=1, max_size=6))
@settings(max_examples=300, deadline=None)
def test_groups_are_named_as_their_rows_say(whole: dict[str, Any], groups: list[dict[str, Any]]) -> None:
    [row] = pd.DataFrame([whole]).itertuples()
    frame = pd.DataFrame(groups, index=[f"g{at}" for at in range(len(groups))])
    found = find_reversals(row, {"domain": frame}, 0.95)
    headline = pair_sentence(row, 0.95, format_reversals(found))
    check(headline, whole)
    reversed_ = {reversal.group: reversal.row for reversal in found}
    claims = NAMES.match(pair_sentence(row, 0.95))
    for group, one in zip(frame.index, groups, strict=True):
        [one_row] = frame.loc[[group]].itertuples()
        sentence = pair_sentence(one_row, 0.95, f" in {group}")
        check(sentence, one)
        winner = NAMES.match(sentence)
        assert (group in reversed_) == (winner is not None and (claims is None or winner[1] != claims[1]))
    named = re.findall(r"\bg\d", headline)
    assert set(named) <= set(reversed_)
    assert len(named) == len(reversed_) or " more" in headline
    for text in re.findall(
        r"(\w) (?:is|may be) better in ([^:]*?)(?=, and \w (?:is|may)|, and the|, but the|:)", headline
    ):
        for group in re.findall(r"g\d", text[1]):
            one = frame.loc[group]
            assert text[0] == (one["system"] if one["difference"] > 0 else one["baseline"])
    places = gap_sentence(row, "domain", frame)
    for group, gap in re.findall(r"(g\d) \(([^)]+)\)", places):
        assert gap == with_sign(frame.loc[group, "difference"])
    assert not places or places.startswith("By domain, B and A differ most in ")


@given(st.permutations(range(6)), st.permutations(range(6)))
@settings(max_examples=5, deadline=None)
def test_sentences_of_a_whole_report_agree_with_its_tables(
    tmp_path_factory: pytest.TempPathFactory, first: list[int], second: list[int]
) -> None:
    df = domains().assign(base=lambda frame: frame["new"])
    for name, order in (("base", first), ("new", second)):
        faults = {domain: 6 * place for domain, place in zip(["law", "medical", "news"], order[:3], strict=True)}
        df[name] = [
            [*refs[0][:3], "x", *refs[0][4:]] if i % 40 < faults[domain] else refs[0]
            for i, (domain, refs) in enumerate(zip(df["domain"], df["references"], strict=True))
        ]
    lines = lines_of(df, tmp_path_factory.mktemp("report"), hypothesis=["base", "new"], by="domain", n_segments=0)
    for sentence in [line for line in lines[: lines.index("## Scores")] if SCORES.search(line)]:
        group = re.search(r" in (\w+): BLEU", sentence) if sentence.startswith("By ") else None
        row = cells(lines, group[1] if group else "base → new")
        names = (NAMES.match(sentence) or EQUAL.search(sentence) or pytest.fail(sentence)).groups()
        scores, gap = SCORES.search(sentence), DIFFERENCE.search(sentence)
        assert scores is not None
        assert gap is not None
        assert dict(zip(names, scores.groups(), strict=True)) == {"base": row[1], "new": row[2]}
        assert [gap[1], f"{gap[3]} to {gap[4]}", gap[5].removeprefix("= ")] == row[3:6]


def test_systems_without_ids_are_each_described_by_their_own_groups(tmp_path: Path) -> None:
    example = bleupandas.load_example().drop(columns="id")
    lines = lines_of(example, tmp_path, by="domain")
    table = bleupandas.corpus(example, by=["domain", "system"])["score"].unstack()
    for at, name in ((8, "direct"), (10, "pivot")):
        scores = table[name]
        assert lines[at] == (
            f"{name}: By domain, {scores.idxmin()} scores lowest ({pt(scores.min())}), {scores.idxmax()} highest "
            f"({pt(scores.max())})."
        )


def test_a_group_without_paired_segments_is_not_compared(tmp_path: Path) -> None:
    df = domains()
    df.loc[df["domain"] == "law", "base"] = None
    lines = lines_of(df, tmp_path, hypothesis=["base", "new"], by="domain", errors="coerce")
    assert not [line for line in lines[: lines.index("## Scores")] if "law" in line]
    [law] = [line for line in lines if line.startswith("| law | ")]
    assert law == "| law | – | – | – | – | – | 0 |"
