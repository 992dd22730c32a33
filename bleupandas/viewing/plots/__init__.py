"""Plots with matplotlib: df.bleu.plot."""

from bleupandas.viewing.plots.lengths import lengths
from bleupandas.viewing.plots.ngrams import ngrams
from bleupandas.viewing.plots.precisions import precisions
from bleupandas.viewing.plots.scores import scores
from bleupandas.viewing.plots.waterfall import waterfall

__all__ = [
    "lengths",
    "ngrams",
    "precisions",
    "scores",
    "waterfall",
]
