"""Checks of every explained frame: shares add up, and the numbers of a reason are in its row."""

import re

import frames
import naive
import numpy as np
import pandas as pd
import strategies

from bleupandas.explaining.reasons import MAX_LENGTH
from bleupandas.reading.component_columns import component_names


def frame(*segments: tuple[str, list[str]]) -> pd.DataFrame:
    """Return a frame of segments that are written as text."""
    made: pd.DataFrame = strategies.frame_of(
        [(hypothesis.split(), [r.split() for r in refs]) for hypothesis, refs in segments]
    )
    return made


def orders_of(explained: pd.DataFrame, prefix: str) -> list[str]:
    return [name for name in explained.columns if re.fullmatch(rf"{prefix}_\d", name)]


def random_components(seed: int, rows: int) -> pd.DataFrame:
    """Return components of random segments, and of sums of some of them."""
    found = frames.component_rows(naive.random_segments(seed, rows), 6)
    generator = np.random.default_rng(seed)
    found += [np.sum([found[i] for i in generator.integers(0, rows, 3)], axis=0).tolist() for _ in range(rows)]
    return pd.DataFrame(found, columns=component_names(6))


def check_numbers(explained: pd.DataFrame) -> None:
    """Check that each number of a reason is in its row, those before "n-grams" in the columns of order n."""
    for row in explained.to_dict("records"):
        if row["main_cause"] == "not scored":
            continue
        text, orders = str(row["reason"]), len(orders_of(explained, "matches"))
        assert len(text) <= MAX_LENGTH
        assert text.endswith(".")
        assert 1 <= len(re.findall(r"\.(?: |$)", text)) <= 2, text
        for m, t, n in re.findall(r"(\d+) of (\d+) (\d+)-grams", text):
            assert (int(m), int(t)) == (row[f"matches_{n}"], row[f"totals_{n}"]), text
        for m, t in re.findall(r"(\d+) of (\d+) tokens?", text):
            assert (int(m), int(t)) == (row["matches_1"], row["totals_1"]), text
        assert all(1 <= int(n) <= orders for n in re.findall(r"(\d+)-gram", text)), text
        shown = re.findall(r"(?<![\w.])\d+(?:\.\d+)?(?:e[+-]\d+)?", re.sub(r"\d+-gram", "", text))
        assert shown, text
        values = [float(v) for v in row.values() if isinstance(v, int | float)]
        for number in shown:
            digits = len(number.partition(".")[2])
            penalty = f"{row['brevity_penalty']:.{digits}f}", f"{row['brevity_penalty']:.6g}"
            assert float(number) in values or number in penalty, (number, text)
        if not pd.isna(row["first_zero_order"]):
            assert re.search(rf"\b{row['first_zero_order']}-gram.*so the score is 0", text), text


def check_shares(explained: pd.DataFrame) -> None:
    score = explained["score"].to_numpy(np.float64)
    shares = explained[["share_brevity", *orders_of(explained, "share")]].to_numpy(np.float64)
    positive = score > 0
    assert not np.isnan(shares[positive]).any()
    assert np.isnan(shares[~positive]).all()
    usual = score > 1e-300  # below, a score has few digits
    np.testing.assert_allclose(shares[usual].sum(axis=1), np.log(score[usual]), rtol=0, atol=1e-12)
    zero = explained["first_zero_order"]
    assert zero[~(score == 0)].isna().all()
    assert zero[score == 0].notna().all()
