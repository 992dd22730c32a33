"""BLEU's statistics as pandas columns: what was counted, and where the score went.

Importing it registers ``df.bleu``.
"""

from bleupandas import accessor as accessor
from bleupandas.advising import suggest_smoothing
from bleupandas.clipping import ngrams
from bleupandas.corpus_score import CorpusScore
from bleupandas.covering import coverage
from bleupandas.datasets import load_example, read_lines
from bleupandas.diagnosing import explain
from bleupandas.scoring import bleu_from_components, brevity_penalty, corpus, score
from bleupandas.statistics import components
from bleupandas.tokenizing import tokenize
from bleupandas.versions import show_versions
from bleupandas.viewing.inspecting import inspect
from bleupandas.viewing.showing import show

__version__ = "0.1.0"

__all__ = [
    "CorpusScore",
    "bleu_from_components",
    "brevity_penalty",
    "components",
    "corpus",
    "coverage",
    "explain",
    "inspect",
    "load_example",
    "ngrams",
    "read_lines",
    "score",
    "show",
    "show_versions",
    "suggest_smoothing",
    "tokenize",
]
