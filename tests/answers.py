"""Answers of published tools, compared without the last bits of floats."""

from typing import Any


def rounded(value: Any) -> Any:
    """Return JSON data with floats of 12 decimals: processors compute logarithms with different last bits."""
    if isinstance(value, float):
        return round(value, 12)
    if isinstance(value, dict):
        return {key: rounded(item) for key, item in value.items()}
    return [rounded(item) for item in value] if isinstance(value, list) else value
