"""assert_no_regression(): a test that fails when a new system is significantly worse than an old one."""

from collections.abc import Hashable
from dataclasses import replace
from typing import Any

import pandas as pd

from bleupandas.common import CountOptions, check_proportion, count_options, missing_column_error, public, short_repr
from bleupandas.comparing.comparison import compare_systems
from bleupandas.comparing.p_values import scores_differ
from bleupandas.comparing.pair_options import pair_options
from bleupandas.comparing.resampling_options import resampling_options
from bleupandas.counting import components as components_of
from bleupandas.reading import as_index, find_column, reads_components, row_values
from bleupandas.scoring import ScoreSettings, score_settings

TABLE_COLUMNS = (
    *("baseline_score", "score", "difference", "difference_low", "difference_high"),
    *("p_value", "p_corrected", "segments"),
)


@public
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
) -> pd.DataFrame:
    """Raise AssertionError if a new system scores significantly worse than an old one.

    Also a method: ``old.bleu.assert_no_regression(new)``. For a pytest suite: keep the components of the released
    system as a Parquet file, and compare every new system with it.

    Parameters
    ----------
    old, new : DataFrame
        A row for each segment: token columns or components columns, in any order. One frame may have tokens and the
        other components.
    on : label, default "id"
        The column or index level that pairs the rows of both.
    significance : float, default 0.05
        Fail if the difference is negative and the corrected p-value is at most this.
    cluster : label, optional
    by : label or list of labels, optional
        Columns or index levels that both frames have. With `by` one worse group is enough to fail.
    method, n_resamples, seed, level, correction, metric, on_unpaired, errors, progress
        As in `compare`.
    hypothesis, references, max_order, convention, smoothing, weights, effective_order, epsilon, k, alpha
        As in `corpus`.
    threads, components
        As in `components`.

    Returns
    -------
    DataFrame
        The frame of `compare`, with the baseline "old" and the system "new".

    Raises
    ------
    AssertionError
        With the comparison as a table.
    KeyError, TypeError, ValueError
        As in `compare`.

    Notes
    -----
    A difference that is not significant can still be a loss: few segments only reveal large losses. The interval of the
    difference shows how large a loss is still possible.

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
    frames = {"old": old, "new": new}
    pairing = pair_options(on_unpaired=on_unpaired)
    count = count_options(
        hypothesis=hypothesis, references=references, errors=errors, threads=threads, components=components
    )
    settings = score_settings(
        "corpus",
        max_order=max_order,
        convention=convention,
        smoothing=smoothing,
        weights=weights,
        effective_order=effective_order,
        epsilon=epsilon,
        k=k,
        alpha=alpha,
    )
    resampling = resampling_options(
        method=method, n_resamples=n_resamples, seed=seed, level=level, correction=correction
    )
    limit = check_proportion("significance", significance, "0.05")
    for name, frame in frames.items():
        if not isinstance(frame, pd.DataFrame):
            raise TypeError(f"assert_no_regression() takes two pandas DataFrames, and {name} is {short_repr(frame)}")
    parts = [compared_columns(frame, name, metric, count, settings) for name, frame in frames.items()]
    systems = [name for name, frame in frames.items() for _ in range(len(frame))]
    result = compare_systems(
        pd.concat(parts, ignore_index=True),
        replace(pairing, system=systems, id=both_columns(frames, on, "on")),
        CountOptions(errors=count.errors, threads=count.threads, components=metric is None),
        settings,
        resampling,
        metric=metric,
        cluster=None if cluster is None else both_columns(frames, cluster, "cluster"),
        by=both_groups(frames, by),
        progress=progress,
    )
    unequal = scores_differ(result["difference"], result["baseline_score"], result["score"])
    worse = unequal & (result["difference"] < 0) & (result["p_corrected"] <= limit)
    if worse.any():
        raise AssertionError(format_loss(result, worse, limit, metric))
    return result


def compared_columns(
    df: pd.DataFrame, name: str, metric: Hashable | None, count: CountOptions, settings: ScoreSettings
) -> pd.DataFrame:
    """Return the columns of one frame that are compared: the metric's, or components, counted or read."""
    if metric is not None:
        return find_column(df, metric, f"metric= in {name}").to_frame()
    return components_of(
        df,
        hypothesis=count.hypothesis,
        references=count.references,
        max_order=settings.orders_read,
        errors=count.errors,
        threads=count.threads,
        components=reads_components(df, count),
    )


def both_columns(frames: dict[str, pd.DataFrame], label: Hashable, keyword: str) -> pd.Index:
    """Return one value for each row of both frames, the old one's first."""
    if not isinstance(label, Hashable):
        raise TypeError(f"{keyword} is the label of a column that both frames have, not {short_repr(label)}")
    columns = []
    for name, df in frames.items():
        if label not in df.columns and label not in df.index.names:
            raise missing_column_error(label, df.columns, f"{keyword}= in {name}")
        columns.append(row_values(df, label, keyword, "assert_no_regression"))
    old, new = columns
    return old.append(new) if old.dtype == new.dtype else as_index([*old.tolist(), *new.tolist()])


def both_groups(frames: dict[str, pd.DataFrame], by: Hashable | list[Any] | None) -> Any:
    """Return the group keys of the rows of both frames, as ``groupby`` takes them."""
    if by is None:
        return None
    labels = by if isinstance(by, list) else [by]
    keys = [pd.Series(both_columns(frames, label, "by"), name=label) for label in labels]
    return keys if isinstance(by, list) else keys[0]


def format_loss(result: pd.DataFrame, worse: "pd.Series[bool]", limit: float, metric: Hashable | None) -> str:
    """Return the text of the AssertionError: what is worse, and the table."""
    what = "BLEU" if metric is None else f"mean of {metric!r}"
    groups = "" if len(result) == 1 else f" in {int(worse.sum())} of {len(result)} groups"
    table = result[list(TABLE_COLUMNS)].rename(columns={"baseline_score": "old", "score": "new"})
    text = table.to_string(index=len(result) > 1, float_format="{:.4f}".format)
    return f"{what} of the new system is significantly worse{groups} (p_corrected <= {limit:g}):\n{text}"
