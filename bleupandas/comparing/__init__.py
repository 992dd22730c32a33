"""Comparing systems and parts of the data."""

from bleupandas.comparing.assert_no_regression import assert_no_regression
from bleupandas.comparing.buckets import buckets
from bleupandas.comparing.compare import compare, differs
from bleupandas.comparing.influence import influence, refuse_pairing
from bleupandas.comparing.ngram_differences import ngram_differences, told_apart
from bleupandas.comparing.systems import Rows, baseline_position, paired_rows, wide_rows
from bleupandas.comparing.waterfall import Difference, differences, refuse_nought, waterfall

__all__ = [
    "Difference",
    "Rows",
    "assert_no_regression",
    "baseline_position",
    "buckets",
    "compare",
    "differences",
    "differs",
    "influence",
    "ngram_differences",
    "paired_rows",
    "refuse_nought",
    "refuse_pairing",
    "told_apart",
    "waterfall",
    "wide_rows",
]
