"""BLEU's statistics as pandas columns: what was counted, and where the score went.

Importing it registers ``df.bleu``.
"""

from bleupandas import accessor as accessor
from bleupandas.advising import suggest_smoothing
from bleupandas.clipping import ngrams
from bleupandas.comparing.auditing import audit
from bleupandas.comparing.bucketing import buckets
from bleupandas.comparing.contributing import references
from bleupandas.comparing.differing import ngram_differences
from bleupandas.comparing.influencing import influence
from bleupandas.comparing.regressing import assert_no_regression
from bleupandas.comparing.significance import compare
from bleupandas.comparing.splitting import waterfall
from bleupandas.comparing.summarising import ngram_summary
from bleupandas.corpus_score import CorpusScore
from bleupandas.covering import coverage
from bleupandas.datasets import load_example, read_lines
from bleupandas.diagnosing import explain
from bleupandas.parquet import scan_parquet
from bleupandas.reporting.writing import report
from bleupandas.scoring import bleu_from_components, brevity_penalty, corpus, score
from bleupandas.statistics import components
from bleupandas.tokenizing import tokenize
from bleupandas.versions import show_versions
from bleupandas.viewing.inspecting import inspect
from bleupandas.viewing.showing import show

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
