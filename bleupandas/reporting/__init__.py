"""The error-analysis report: report()."""

from bleupandas.reporting.report import report

__all__ = [
    "report",
]
