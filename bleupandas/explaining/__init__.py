"""Why a score is what it is: explain() and suggest_smoothing()."""

from bleupandas.explaining.causes import CAUSES, diagnose
from bleupandas.explaining.explain import explain
from bleupandas.explaining.suggest_smoothing import suggest_smoothing

__all__ = [
    "CAUSES",
    "diagnose",
    "explain",
    "suggest_smoothing",
]
