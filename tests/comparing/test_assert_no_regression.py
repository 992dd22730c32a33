"""assert_no_regression(): fails on a planted drop, passes for a system against itself, returns the comparison."""

from collections.abc import Callable
from typing import Any

import frames
import numpy as np
import pandas as pd
import pytest

import bleupandas

EXAMPLE: Any = bleupandas.load_example()
DIRECT, PIVOT = (
    EXAMPLE[EXAMPLE["system"] == name].drop(columns="system").reset_index(drop=True) for name in ("direct", "pivot")
)
COUNTS: Any = DIRECT.bleu.components().assign(id=DIRECT["id"], domain=DIRECT["domain"])


def shortened(frame: Any, every: int) -> Any:
    """Plant a drop: keep only the first half of each k-th hypothesis."""
    halves = [tokens[: len(tokens) // 2] if i % every == 0 else tokens for i, tokens in enumerate(frame["hypothesis"])]
    return frame.assign(hypothesis=halves)


def test_passes_for_a_system_against_itself() -> None:
    before = frames.snapshot(DIRECT)
    several: Any = (
        {},
        {"method": "randomization"},
        {"convention": "sacrebleu"},
        {"by": "domain"},
        {"cluster": "domain"},
    )
    for options in several:
        found = bleupandas.assert_no_regression(DIRECT, DIRECT, **options)
        assert (found["difference"] == 0).all()
    assert frames.snapshot(DIRECT)[:4] == before[:4]


def test_passes_for_a_gain_and_for_a_loss_by_chance() -> None:
    assert bleupandas.assert_no_regression(PIVOT, DIRECT)["difference"].item() > 0
    wrong = frames.cells([["x"] * len(DIRECT["hypothesis"][0]), *DIRECT["hypothesis"][1:]])
    found = bleupandas.assert_no_regression(DIRECT, DIRECT.assign(hypothesis=wrong))
    assert found["difference"].item() < 0
    assert found["p_value"].item() > 0.05


@pytest.mark.parametrize("method", ["bootstrap", "randomization"])
def test_fails_on_a_planted_drop(method: str) -> None:
    with pytest.raises(AssertionError) as caught:
        DIRECT.bleu.assert_no_regression(shortened(DIRECT, 4), method=method)
    head, names, row = str(caught.value).splitlines()
    assert head == "BLEU of the new system is significantly worse (p_corrected <= 0.05):"
    assert names.split() == [
        *("old", "new", "difference", "difference_low", "difference_high", "p_value", "p_corrected", "segments"),
    ]
    old, new, difference, *_ = map(float, row.split())
    assert old == pytest.approx(DIRECT.bleu.corpus().score, abs=5e-5)
    assert new == pytest.approx(shortened(DIRECT, 4).bleu.corpus().score, abs=5e-5)
    assert difference == pytest.approx(new - old, abs=1.1e-4)


def test_significance_decides() -> None:
    frame = numbers(0.15)
    p = bleupandas.assert_no_regression(*frame, metric="comet", significance=1e-9)["p_corrected"].item()
    assert 0.001 < p < 0.5
    bleupandas.assert_no_regression(*frame, metric="comet", significance=p * 0.999)
    with pytest.raises(AssertionError, match=r"^mean of 'comet' of the new system is significantly worse"):
        bleupandas.assert_no_regression(*frame, metric="comet", significance=p)


def numbers(loss: float) -> tuple[pd.DataFrame, pd.DataFrame]:
    rng = np.random.default_rng(3)
    old = pd.DataFrame({"id": range(50), "comet": rng.normal(size=50)})
    return old, old.assign(comet=old["comet"] - loss + rng.normal(0, 0.5, size=50))


def test_equals_compare() -> None:
    both = pd.concat([PIVOT.assign(system="old"), DIRECT.assign(system="new")], ignore_index=True)
    for options in (
        {},
        {"by": "domain"},
        {"by": ["domain"]},
        {"cluster": "domain"},
        {"smoothing": "exp", "max_order": 3},
    ):
        found = bleupandas.assert_no_regression(PIVOT, DIRECT, n_resamples=50, **options)
        pd.testing.assert_frame_equal(found, both.bleu.compare(n_resamples=50, **options))


def test_kinds_and_order_of_frames_do_not_matter() -> None:
    expected = bleupandas.assert_no_regression(PIVOT, DIRECT)
    kinds = [COUNTS, COUNTS.set_index("id"), DIRECT.sample(frac=1, random_state=1), DIRECT.assign(system="x", extra=1)]
    for new in kinds:
        pd.testing.assert_frame_equal(bleupandas.assert_no_regression(PIVOT, new), expected)


def test_a_worse_group_is_enough() -> None:
    news = DIRECT["domain"] == "news"
    new = pd.concat([DIRECT[~news], shortened(DIRECT[news], 1)])
    with pytest.raises(AssertionError) as caught:
        bleupandas.assert_no_regression(DIRECT, new, by="domain")
    lines = str(caught.value).splitlines()
    assert lines[0] == "BLEU of the new system is significantly worse in 1 of 4 groups (p_corrected <= 0.05):"
    assert [line.split()[0] for line in lines[1:]] == ["old", "domain", "cooking", "news", "software", "travel"]


def test_unreadable_and_unpaired_rows() -> None:
    new = DIRECT.copy()
    new["hypothesis"] = new["hypothesis"].where(new.index > 2, None)
    assert bleupandas.assert_no_regression(DIRECT, new, errors="coerce")["segments_missing"].tolist() == [3]
    with pytest.raises(
        ValueError, match=r"^2 of 240 ids are not in every system: 1 \(not in 'new'\), 2 \(not in 'new'\)"
    ):
        bleupandas.assert_no_regression(DIRECT, DIRECT[2:])
    with pytest.warns(RuntimeWarning, match="left out 2 of 240 segments"):
        assert bleupandas.assert_no_regression(DIRECT, DIRECT[2:], on_unpaired="drop")["segments"].tolist() == [238]


ERRORS: dict[str, tuple[Callable[[], Any], type[Exception], str]] = {
    "no frame": (
        lambda: bleupandas.assert_no_regression(DIRECT, None),  # type: ignore[arg-type]
        TypeError,
        "assert_no_regression() takes two pandas DataFrames, and new is None",
    ),
    "no such column": (
        lambda: bleupandas.assert_no_regression(DIRECT, COUNTS, by="source"),
        KeyError,
        "no column 'source' for by= in new: the columns are 'candidate_length', 'reference_length', 'matches_1', "
        "'matches_2', 'matches_3', 'matches_4', 'totals_1', 'totals_2', 'totals_3', 'totals_4', 'id', 'domain'",
    ),
    "no label": (
        lambda: bleupandas.assert_no_regression(DIRECT, COUNTS, on=["id"]),  # type: ignore[arg-type]
        TypeError,
        "on is the label of a column that both frames have, not ['id']",
    ),
    "significance": (
        lambda: bleupandas.assert_no_regression(DIRECT, DIRECT, significance=5),
        ValueError,
        "significance is a number between 0 and 1, such as 0.05, not 5",
    ),
    "unknown keyword": (
        lambda: DIRECT.bleu.assert_no_regression(DIRECT, system="x"),
        TypeError,
        "assert_no_regression() has no keyword 'system'; its keywords are on, significance, hypothesis, "
        "references, method, n_resamples, seed, level, correction, cluster, by, metric, max_order, convention, "
        "smoothing, weights, effective_order, epsilon, k, alpha, on_unpaired, errors, threads, components, progress",
    ),
}


@pytest.mark.parametrize(("call", "kind", "message"), ERRORS.values(), ids=ERRORS)
def test_error_messages(call: Any, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind) as caught:
        call()
    assert str(caught.value) == message
