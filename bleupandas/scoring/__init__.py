"""Scores from sums: settings, smoothing, the formula, score() and corpus()."""

from bleupandas.counting import Sums, float_column
from bleupandas.scoring.corpus import corpus, score_corpus, score_groups
from bleupandas.scoring.corpus_score import CorpusScore
from bleupandas.scoring.formula import (
    RowScores,
    bleu_from_components,
    brevity_penalty,
    order_shares,
    raw_precisions,
    refusal,
    row_scores,
    score_sums,
)
from bleupandas.scoring.score import score, score_rows
from bleupandas.scoring.settings import ScoreSettings, score_settings, signature
from bleupandas.scoring.smoothing import method_name, orders_read

__all__ = [
    "CorpusScore",
    "RowScores",
    "ScoreSettings",
    "Sums",
    "bleu_from_components",
    "brevity_penalty",
    "corpus",
    "float_column",
    "method_name",
    "order_shares",
    "orders_read",
    "raw_precisions",
    "refusal",
    "row_scores",
    "score",
    "score_corpus",
    "score_groups",
    "score_rows",
    "score_settings",
    "score_sums",
    "signature",
]
