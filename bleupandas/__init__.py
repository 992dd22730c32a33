"""BLEU's statistics as pandas columns: what was counted, and where the score went.

Importing it registers ``df.bleu``.
"""

from bleupandas import accessor as accessor
from bleupandas.auditing import audit
from bleupandas.comparing import assert_no_regression, buckets, compare, influence, ngram_differences, waterfall
from bleupandas.counting import components, coverage, ngram_summary, ngrams, references
from bleupandas.engine import show_versions
from bleupandas.explaining import explain, suggest_smoothing
from bleupandas.reading import load_example, read_lines, tokenize
from bleupandas.reporting import report
from bleupandas.scaling import scan_parquet
from bleupandas.scoring import CorpusScore, bleu_from_components, brevity_penalty, corpus, score
from bleupandas.viewing.html import show
from bleupandas.viewing.inspector import inspect

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
