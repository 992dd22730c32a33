"""Comparison of two hypotheses: another column, or two systems."""

import pandas as pd
import pytest
from inspected import bleu, list_html, page_positions, segment_html, segment_positions, visible_text

import bleupandas


@pytest.fixture
def example() -> pd.DataFrame:
    return bleupandas.load_example()


def test_another_column_is_compared(example: pd.DataFrame) -> None:
    df = example.assign(other=[tokens[:-2] for tokens in example["hypothesis"]])
    inspector = bleu(df).inspect(compare="other")
    inspector.sort_by = "difference"
    inspector.query = "difference > 0 and other_score < 0.3"
    mine, other = bleu(df).score(), bleu(df)(hypothesis="other").score()
    assert inspector.mask.tolist() == ((mine > other) & (other < 0.3)).tolist()
    expected = (mine - other)[inspector.mask].sort_values(kind="stable")
    assert page_positions(inspector) == expected.index[:15].tolist()
    assert segment_html(inspector).count("<section") == 2
    at = inspector.position
    assert f"other</bdi> <strong>{other[at]:.3f}" in segment_html(inspector)
    assert segment_html(inspector).count('<span class="bleu-differs">') == 2
    inspector.close()


def test_two_systems_are_compared_by_id(example: pd.DataFrame) -> None:
    df = example.sample(frac=1, random_state=3)
    inspector = bleu(df).inspect(compare=["pivot", "direct"], system="system", id="id")
    assert inspector.mask.tolist() == (df["system"] == "pivot").tolist()
    scores = df.assign(score=bleu(df).score()).pivot(index="id", columns="system", values="score")
    better = scores.index[scores["pivot"] > scores["direct"]]
    inspector.query = "difference > 0"
    assert sorted(inspector.frame["id"]) == sorted(better)
    pair = df.iloc[segment_positions(inspector)]
    assert pair["system"].tolist() == ["pivot", "direct"]
    assert pair["id"].nunique() == 1
    assert "pivot" in visible_text(list_html(inspector))
    inspector.close()


def test_systems_and_ids_may_be_index_levels_or_series(example: pd.DataFrame) -> None:
    """An index level, and a Series in another order, pair the same rows as columns."""
    columns = bleu(example).inspect(system="system", id="id")
    levels = bleu(example.set_index(["system", "id"])).inspect(system="system", id="id")
    backwards = example[["system", "id"]].iloc[::-1]
    series = bleu(example.drop(columns=["system", "id"])).inspect(system=backwards["system"], id=backwards["id"])
    scores = bleu(example).score()
    for inspector in (columns, levels, series):
        assert inspector.mask.tolist() == (example["system"] == "direct").tolist()
        inspector.query = "difference > 0"
        better = scores[example["system"] == "direct"].to_numpy() > scores[example["system"] == "pivot"].to_numpy()
        assert inspector.mask.sum() == better.sum()
        inspector.close()


def test_rows_that_do_not_pair_are_counted_and_named(example: pd.DataFrame) -> None:
    with pytest.raises(ValueError, match=r"2 of 240 ids are not in every system: 1 \(not in 'pivot'\), 2 \(not in"):
        bleu(example.iloc[[0, 2, *range(4, 480)]]).inspect(system="system", id="id")
    with pytest.raises(ValueError, match="1 row has no id: row 0; expected a row for each id of both systems"):
        bleu(example.assign(id=example["id"].where(example.index > 0))).inspect(system="system", id="id")
