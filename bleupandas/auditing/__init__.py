"""Checking the input before anyone believes a score: audit()."""

from bleupandas.auditing.audit import audit
from bleupandas.auditing.checks import reference_lists

__all__ = [
    "audit",
    "reference_lists",
]
