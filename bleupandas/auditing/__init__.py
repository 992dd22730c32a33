"""Checking the input before you trust a score: audit()."""

from bleupandas.auditing.audit import audit
from bleupandas.auditing.readable_rows import reference_lists

__all__ = [
    "audit",
    "reference_lists",
]
