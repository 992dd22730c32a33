"""Sums of rows by whatever groupby takes, looked up in the frame of the caller."""

from collections.abc import Hashable
from typing import Any

import pandas as pd

from bleupandas.wording import missing_column

ALL = "All"  # as in pandas.crosstab and pivot_table


def group_key(df: pd.DataFrame, key: Any) -> Any:
    """Give one key of groupby in a form that does not need the columns of `df`."""
    if isinstance(key, pd.Grouper) or callable(key) or not isinstance(key, Hashable):
        return key
    if key in df.columns:
        column = df[key]
        if isinstance(column, pd.DataFrame):
            raise ValueError(f"by has {key!r}, which stands for {column.shape[1]} columns of the frame; expected one")
        return column
    if key in df.index.names:
        return df.index.get_level_values(df.index.names.index(key))
    raise missing_column(key, df.columns, "by")


def grouped_sums(
    df: pd.DataFrame, sums: pd.DataFrame, by: Any, *, sort: bool, observed: bool, dropna: bool, margins: bool
) -> pd.DataFrame:
    """Sum the rows of `sums`, which stand on the index of `df`, by keys of `df`.

    Returns
    -------
    DataFrame
        On the index that ``df.groupby(by)`` gives, with the columns of `sums`; with `margins` a last row "All".
    """
    keys = [group_key(df, key) for key in by] if isinstance(by, list) else group_key(df, by)
    table = sums
    for grouper in keys if isinstance(keys, list) else [keys]:
        label = getattr(grouper, "key", None) if isinstance(grouper, pd.Grouper) else None
        if label is not None:  # a Grouper looks its column up itself
            if label not in df.columns:
                raise missing_column(label, df.columns, "by")
            table = table.assign(**{label: df[label]})
    groups = table.groupby(keys, sort=sort, observed=observed, dropna=dropna)[list(sums.columns)].sum()
    if not margins:
        return groups
    label = (ALL, *[""] * (groups.index.nlevels - 1)) if isinstance(groups.index, pd.MultiIndex) else ALL
    index = pd.MultiIndex.from_tuples([label]) if isinstance(label, tuple) else pd.Index([label], dtype=object)
    total = pd.DataFrame([groups.sum()], index=index).astype(groups.dtypes)
    total.index.names = groups.index.names
    if isinstance(groups.index, pd.CategoricalIndex):
        groups.index = groups.index.astype(object)
    return pd.concat([groups, total])
