"""What counts as a missing value."""

import pandas as pd


def is_missing(value: object) -> bool:
    """Return whether a value is None, NaN, NA or NaT; arrays are not missing."""
    return value is None or value is pd.NA or value is pd.NaT or (isinstance(value, float) and value != value)
