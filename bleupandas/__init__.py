"""BLEU in pandas: what was counted, and why the score is what it is.

Importing the package registers ``df.bleu``.
"""

from bleupandas import accessor as accessor
from bleupandas.auditing.audit import audit
from bleupandas.comparing.assert_no_regression import assert_no_regression
from bleupandas.comparing.buckets import buckets
from bleupandas.comparing.compare import compare
from bleupandas.comparing.influence import influence
from bleupandas.comparing.ngram_differences import ngram_differences
from bleupandas.comparing.waterfall import waterfall
from bleupandas.counting.components import components
from bleupandas.counting.coverage import coverage
from bleupandas.counting.ngram_summary import ngram_summary
from bleupandas.counting.ngrams import ngrams
from bleupandas.counting.references import references
from bleupandas.engine.show_versions import show_versions
from bleupandas.explaining.explain import explain
from bleupandas.explaining.suggest_smoothing import suggest_smoothing
from bleupandas.reading.load_example import load_example
from bleupandas.reading.read_lines import read_lines
from bleupandas.reading.tokenize import tokenize
from bleupandas.reporting.report import report
from bleupandas.scaling.scan_parquet import scan_parquet
from bleupandas.scoring.corpus import corpus
from bleupandas.scoring.corpus_score import CorpusScore
from bleupandas.scoring.formula import bleu_from_components, brevity_penalty
from bleupandas.scoring.score import score
from bleupandas.viewing.html.show import show
from bleupandas.viewing.inspector.inspect import inspect

__version__ = "0.1.0"

__all__ = [
    "CorpusScore",
    "assert_no_regression",
    "audit",
    "bleu_from_components",
    "brevity_penalty",
    "buckets",
    "compare",
    "components",
    "corpus",
    "coverage",
    "explain",
    "influence",
    "inspect",
    "load_example",
    "ngram_differences",
    "ngram_summary",
    "ngrams",
    "read_lines",
    "references",
    "report",
    "scan_parquet",
    "score",
    "show",
    "show_versions",
    "suggest_smoothing",
    "tokenize",
    "waterfall",
]
