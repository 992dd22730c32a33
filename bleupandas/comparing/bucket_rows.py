"""Bucket rows: the rows that are put into buckets, of one system, of paired systems, or of systems side by side."""

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bleupandas.common import CountOptions, short_repr
from bleupandas.comparing.pair_options import PairOptions, refuse_pair_keywords
from bleupandas.comparing.systems import baseline_position, read_systems
from bleupandas.counting import Sums, read_sums
from bleupandas.reading import factorize, is_level, row_values
from bleupandas.scoring import ScoreSettings


@dataclass(frozen=True, eq=False)
class BucketRows:
    """The rows that are put into buckets.

    Attributes
    ----------
    sums : Sums
        Of the rows, (n,).
    deciding : ndarray of shape (n,)
        For each row the number of the row that decides its bucket: its own, or that of the baseline.
    positions : ndarray of shape (n,)
        The position of that row in the frame.
    systems : ndarray of shape (n,)
        The number of each row's system; 0 if there is one.
    corpora : ndarray of shape (n_rows,)
        Of the frame: deciding rows with the same number are one corpus; -1 for other rows.
    labels : Index or None
        The systems, if there are several.
    """

    sums: Sums
    deciding: NDArray[np.int64]
    positions: NDArray[np.int64]
    systems: NDArray[np.int64]
    corpora: NDArray[np.int64]
    labels: pd.Index | None


def read_bucket_rows(
    df: pd.DataFrame, pairing: PairOptions, count: CountOptions, settings: ScoreSettings
) -> BucketRows:
    """Read the rows: of one system, of several that are paired, or of several side by side."""
    has_ids = pairing.id is not None or "id" in df.columns or is_level(df, "id")
    if isinstance(count.hypothesis, list) or (pairing.system is not None and has_ids):
        return paired_bucket_rows(df, pairing, count, settings)
    refuse_pair_keywords("buckets", baseline=pairing.baseline)
    if pairing.system is None:
        refuse_pair_keywords("buckets", id=pairing.id)
    sums = read_sums(df, "buckets", count, settings.max_order, settings.orders_for)
    every = np.arange(len(df))
    codes, labels = np.zeros(len(df), np.int64), None
    if pairing.system is not None:
        codes, labels = factorize(row_values(df, pairing.system, "system", "buckets"), "system")
        if (codes < 0).any():
            [row] = df.index[[int((codes < 0).argmax())]].tolist()
            raise ValueError(
                f"{int((codes < 0).sum())} of {len(df)} rows have no system, such as row {short_repr(row)}; "
                "expected one for each row: drop these rows, or fill in their system"
            )
    return BucketRows(replace(sums, index=pd.RangeIndex(len(df))), every, every, codes, codes, labels)


def paired_bucket_rows(
    df: pd.DataFrame, pairing: PairOptions, count: CountOptions, settings: ScoreSettings
) -> BucketRows:
    """Read the rows of paired systems, one system after another; the baseline decides the buckets."""
    systems = read_systems(df, "buckets", pairing, count, settings)
    first = baseline_position(systems.names, pairing.baseline, "buckets")
    n_systems, n_pairs = systems.rows.positions.shape
    deciding = systems.rows.positions[first]
    sums = Sums.of_rows(
        pd.RangeIndex(n_systems * n_pairs),
        np.concatenate([one.array for one in systems.sums], axis=1),
        np.concatenate([one.missing for one in systems.sums]),
        nullable=systems.nullable,
    )
    return BucketRows(
        sums,
        deciding=np.tile(first * n_pairs + np.arange(n_pairs), n_systems),
        positions=np.tile(deciding, n_systems),
        systems=np.repeat(np.arange(n_systems), n_pairs),
        corpora=np.where(np.isin(np.arange(len(df)), deciding), 0, -1),
        labels=systems.labels,
    )
