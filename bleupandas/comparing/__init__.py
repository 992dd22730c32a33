"""Comparing systems and groups of segments."""

from bleupandas.comparing.assert_no_regression import assert_no_regression
from bleupandas.comparing.buckets import buckets
from bleupandas.comparing.compare import compare
from bleupandas.comparing.contrasts_frame import contrasts_frame
from bleupandas.comparing.factors import (
    FactorDifference,
    Factors,
    check_positive_score,
    read_factor_differences,
    split_factors,
)
from bleupandas.comparing.influence import influence
from bleupandas.comparing.ngram_differences import ngram_differences
from bleupandas.comparing.p_values import scores_differ
from bleupandas.comparing.pair_options import PairOptions, pair_options, refuse_pair_keywords
from bleupandas.comparing.paired_rows import PairedRows, pair_rows, wide_rows
from bleupandas.comparing.systems import baseline_position
from bleupandas.comparing.waterfall import waterfall

__all__ = [
    "FactorDifference",
    "Factors",
    "PairOptions",
    "PairedRows",
    "assert_no_regression",
    "baseline_position",
    "buckets",
    "check_positive_score",
    "compare",
    "contrasts_frame",
    "influence",
    "ngram_differences",
    "pair_options",
    "pair_rows",
    "read_factor_differences",
    "refuse_pair_keywords",
    "scores_differ",
    "split_factors",
    "waterfall",
    "wide_rows",
]
