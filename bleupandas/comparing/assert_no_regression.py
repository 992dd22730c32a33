"""assert_no_regression(): a test that fails when a new system is significantly worse than an old one."""

from collections.abc import Hashable
from typing import Any, Never

import pandas as pd

from bleupandas.common import (
    COUNT_KEYWORDS,
    SCORE_KEYWORDS,
    check_proportion,
    count_options,
    missing_column_error,
    refuse_keywords,
    short_repr,
)
from bleupandas.comparing.compare import compare, differs
from bleupandas.counting import components as components_of
from bleupandas.reading import as_index, find_column, reads_components, row_values
from bleupandas.scoring import ScoreSettings, score_settings

KEYWORDS = (
    *("on", "significance", "method", "n_resamples", "seed", "level", "correction", "cluster", "by", "metric"),
    *("on_unpaired", "progress", *COUNT_KEYWORDS, *SCORE_KEYWORDS),
)
SHOWN = (
    "baseline_score",
    "score",
    "difference",
    "difference_low",
    "difference_high",
    "p_value",
    "p_corrected",
    "segments",
)


def assert_no_regression(
    old: pd.DataFrame,
    new: pd.DataFrame,
    /,
    *,
    on: Hashable = "id",
    significance: float = 0.05,
    hypothesis: Hashable | None = None,
    references: Hashable | list[Any] | None = None,
    method: str = "bootstrap",
    n_resamples: int = 1000,
    seed: int | None = 12345,
    level: float = 0.95,
    correction: str = "holm",
    cluster: Hashable | None = None,
    by: Hashable | list[Any] | None = None,
    metric: Hashable | None = None,
    max_order: int | None = None,
    convention: str = "paper",
    smoothing: str | None = None,
    weights: object = None,
    effective_order: bool | None = None,
    epsilon: float = 0.1,
    k: float = 5,
    alpha: float = 5,
    on_unpaired: str = "raise",
    errors: str = "raise",
    threads: int | None = None,
    components: bool = False,
    progress: bool | None = None,
    **unknown: Never,
) -> pd.DataFrame:
    """Fail if a new system's score is below an old one's, and by more than chance.

    Also a method: ``old.bleu.assert_no_regression(new)``. For a pytest suite: keep the components of the released
    system as a Parquet file, and hold every new one to it.

    Parameters
    ----------
    old, new : DataFrame
        A row per segment each: token columns or components columns, not necessarily the same in both, in any order.
    on : label, default "id"
        The column or index level that pairs the rows of both.
    significance : float, default 0.05
        Fail where the corrected p-value is at most this and the difference negative.
    cluster : label, optional
    by : label or list of labels, optional
        Columns or index levels that both frames have. With `by` one group that is worse is enough to fail.
    method, n_resamples, seed, level, correction, metric, on_unpaired, errors, progress
        As in `compare`.
    hypothesis, references, max_order, convention, smoothing, weights, effective_order, epsilon, k, alpha
        As in `corpus`.
    threads, components
        As in `components`.

    Returns
    -------
    DataFrame
        That of `compare`, of the baseline "old" and the system "new".

    Raises
    ------
    AssertionError
        With the comparison as a table.
    KeyError, TypeError, ValueError
        As in `compare`.

    Notes
    -----
    No significant difference is not the same as none: with few segments only large losses are seen. The interval of the
    difference says how large a loss the segments leave possible.

    Examples
    --------
    >>> import bleupandas
    >>> df = bleupandas.load_example()
    >>> direct, pivot = df[df["system"] == "direct"], df[df["system"] == "pivot"]
    >>> bleupandas.assert_no_regression(pivot, direct)["difference"].round(4).tolist()
    [0.0422]
    >>> bleupandas.assert_no_regression(direct, pivot)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    AssertionError: BLEU of the new system is significantly worse (p_corrected <= 0.05):...
    """
    refuse_keywords("assert_no_regression", unknown, KEYWORDS)
    scoring: Any = {"convention": convention, "smoothing": smoothing, "weights": weights, "epsilon": epsilon, "k": k}
    scoring |= {"effective_order": effective_order, "alpha": alpha, "max_order": max_order}
    settings = score_settings("corpus", **scoring)
    limit = check_proportion("significance", significance, "0.05")
    frames = {"old": old, "new": new}
    for name, frame in frames.items():
        if not isinstance(frame, pd.DataFrame):
            raise TypeError(f"assert_no_regression() takes two pandas DataFrames, and {name} is {short_repr(frame)}")
    reading: Any = {"hypothesis": hypothesis, "references": references, "errors": errors, "threads": threads}
    parts = [measured(frame, name, metric, settings, components, reading) for name, frame in frames.items()]
    keys: Any = {
        "id": joined(frames, on, "on"),
        "system": [name for name, frame in frames.items() for _ in range(len(frame))],
    }
    if cluster is not None:
        keys["cluster"] = joined(frames, cluster, "cluster")
    if by is not None:
        labels = by if isinstance(by, list) else [by]
        values = [pd.Series(joined(frames, label, "by"), name=label) for label in labels]
        keys["by"] = values if isinstance(by, list) else values[0]
    options: Any = {"method": method, "n_resamples": n_resamples, "seed": seed, "level": level, "metric": metric}
    options |= {"correction": correction, "on_unpaired": on_unpaired, "progress": progress, "errors": errors}
    both = pd.concat(parts, ignore_index=True)
    result = compare(both, **keys, **options, **scoring, components=metric is None)
    unequal = differs(result["difference"], result["baseline_score"], result["score"])
    worse = unequal & (result["difference"] < 0) & (result["p_corrected"] <= limit)
    if worse.any():
        raise AssertionError(loss(result, worse, limit, metric))
    return result


def measured(
    df: pd.DataFrame, name: str, metric: Hashable | None, settings: ScoreSettings, components: bool, reading: Any
) -> pd.DataFrame:
    """Give the columns of one frame that are compared: components, counted if need be, or the metric's."""
    if metric is not None:
        return find_column(df, metric, f"metric= in {name}").to_frame()
    columns = {name: reading[name] for name in ("hypothesis", "references")}
    uses = reads_components(df, count_options(**columns, components=components))
    return components_of(df, **reading, components=uses, max_order=settings.orders_read)


def joined(frames: dict[str, pd.DataFrame], label: Hashable, keyword: str) -> pd.Index:
    """Give one value for each row of both frames, the old one's first."""
    if not isinstance(label, Hashable):
        raise TypeError(f"{keyword} is the label of a column that both frames have, not {short_repr(label)}")
    found = []
    for name, df in frames.items():
        if label not in df.columns and label not in df.index.names:
            raise missing_column_error(label, df.columns, f"{keyword}= in {name}")
        found.append(row_values(df, label, keyword, "assert_no_regression"))
    old, new = found
    return old.append(new) if old.dtype == new.dtype else as_index([*old.tolist(), *new.tolist()])


def loss(result: pd.DataFrame, worse: "pd.Series[bool]", limit: float, metric: Hashable | None) -> str:
    """Say what is worse, with the table."""
    what = "BLEU" if metric is None else f"mean of {metric!r}"
    groups = "" if len(result) == 1 else f" in {int(worse.sum())} of {len(result)} groups"
    table = result[list(SHOWN)].rename(columns={"baseline_score": "old", "score": "new"})
    text = table.to_string(index=len(result) > 1, float_format="{:.4f}".format)
    return f"{what} of the new system is significantly worse{groups} (p_corrected <= {limit:g}):\n{text}"
