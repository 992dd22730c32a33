"""influence(): what each segment does to the score of a corpus, and to the difference of two systems."""

from collections.abc import Hashable
from typing import Any, Unpack, overload

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bleupandas.common import ScoreKeywords, count_options, public
from bleupandas.comparing.pair_options import pair_options, refuse_pair_keywords
from bleupandas.comparing.systems import Systems, baseline_position, read_systems
from bleupandas.counting import Sums, float_column, read_sums
from bleupandas.reading import check_frame, check_sums, component_names
from bleupandas.scoring import ScoreSettings, score_settings, score_sums

Floats = NDArray[np.float64]


class Keywords(ScoreKeywords, total=False):
    """The keywords of influence() besides system and hypothesis."""

    id: Any
    references: Hashable | list[Any] | None
    baseline: Hashable | None
    max_order: int | None
    on_unpaired: str
    errors: str
    threads: int | None
    components: bool


@overload
def influence(
    df: pd.DataFrame, /, *, system: None = None, hypothesis: Hashable | None = None, **options: Unpack[Keywords]
) -> "pd.Series[float]": ...
@overload
def influence(
    df: pd.DataFrame, /, *, system: Any = None, hypothesis: list[Any], **options: Unpack[Keywords]
) -> pd.DataFrame: ...
@overload
def influence(
    df: pd.DataFrame, /, *, system: object, hypothesis: Hashable | None = None, **options: Unpack[Keywords]
) -> pd.DataFrame: ...
@public
def influence(
    df: pd.DataFrame,
    /,
    *,
    system: Any = None,
    id: Any = None,  # the word of the published data
    hypothesis: Hashable | list[Any] | None = None,
    references: Hashable | list[Any] | None = None,
    baseline: Hashable | None = None,
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
) -> "pd.Series[float] | pd.DataFrame":
    """Compute what each segment does to corpus BLEU: the score of all minus the score without it.

    Also a method: ``df.bleu.influence()``. Above 0 the segment raises the score; below 0 it lowers the score. All rows
    are one corpus, unless ``system=`` or a list of hypothesis columns makes several systems. Then the result also has
    each segment's effect on the difference between systems.

    Parameters
    ----------
    df : DataFrame
        Token columns or components columns. A row that sums up several segments is left out as a whole.
    system, id, baseline, on_unpaired
        Several systems in long form, as in `compare`; only with ``system=``.
    hypothesis : label or list of labels, default "hypothesis"
        A list has the columns of several systems.
    references, max_order, errors, threads, components
        As in `components`.
    convention, smoothing, weights, effective_order, epsilon, k, alpha
        As in `corpus`.

    Returns
    -------
    Series of float64, named "influence", on the index of `df`
        On the scale of the score, 0..1. Missing where the row is missing, and where no other segment is left. Float64
        with ``errors="coerce"``.
    DataFrame, of several systems
        For every system but the baseline a row for each segment, on the ids, in wide form on the index of `df`:

        - baseline, system,
        - baseline_influence and influence (float64): the segment's influence on the baseline's and the system's score,
        - difference (float64): influence minus baseline_influence. The difference of the scores (system minus
          baseline) falls by this much if the segment is left out for both,
        - contribution (float64): this segment's contribution to the difference of the scores. It is the mean of two
          changes: the rise of the baseline with the system's hypothesis for this segment, and the fall of the system
          with the baseline's,
        - share (float64): contribution divided by the difference of the scores, missing where the scores are equal.
          Above 0 the segment favours the better system.

        A segment with a row that cannot be read is left out of both corpora, and missing.

    Raises
    ------
    KeyError, TypeError, ValueError
        As in `corpus`, and if systems do not pair.

    Notes
    -----
    BLEU is a function of sums (Papineni et al. 2002, section 2.3). Rows are left out or exchanged by adding and
    subtracting: nothing is counted again, and the result equals that of counting again. Corpus BLEU is not a mean over
    segments: a corpus repeated twice has the same score. An influence therefore compares a segment with an average
    segment: influences add up to about 0, not to the score. Contributions add up to about the difference, shares to
    about 1.

    Examples
    --------
    >>> import bleupandas
    >>> df = bleupandas.load_example()
    >>> df.bleu.influence().nlargest(2).round(5).to_dict()
    {372: 0.00261, 172: 0.00239}
    >>> pairs = df.bleu.influence(system="system")
    >>> pairs.nsmallest(1, "contribution")[["baseline_influence", "influence", "contribution", "share"]].round(4)
         baseline_influence  influence  contribution  share
    171              0.0009    -0.0014       -0.0027  0.064
    """
    pairing = pair_options(system=system, id=id, baseline=baseline, on_unpaired=on_unpaired)
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
    check_frame(df, "influence")
    if system is None and not isinstance(hypothesis, list):
        refuse_pair_keywords("influence", id=id, baseline=baseline)
        sums = read_sums(df, "influence", count, settings.max_order, settings.orders_for)
        _, changes = leave_out_each(sums, sums.missing, settings)
        changes[sums.segments == sums.sum().segments[0]] = np.nan  # no other segment is left
        return pd.Series(sums.column(changes), index=sums.index, name="influence")
    systems = read_systems(df, "influence", pairing, count, settings)
    first = baseline_position(systems.names, baseline, "influence")
    others = [at for at in range(len(systems.names)) if at != first]
    return pd.concat([pair_frame(systems, first, at, settings) for at in others])


def leave_out_each(sums: Sums, missing: NDArray[np.bool_], settings: ScoreSettings) -> tuple[float, Floats]:
    """Return the score of all rows, and how much higher it is than the score without each, (n_rows,).

    Parameters
    ----------
    sums : Sums
    missing : ndarray of shape (n_rows,)
        Rows that do not count; their result is NaN.
    settings : ScoreSettings
    """
    rows = without_missing(sums, missing)
    total = rows.sum()
    score = float(score_sums(total, settings).score[0])
    changes: Floats = score - score_arrays(total.array - rows.array, settings)
    changes[missing] = np.nan
    if (~missing).sum() == 1:
        changes[:] = np.nan
    return score, changes


def exchange_each(first: Sums, second: Sums, missing: NDArray[np.bool_], settings: ScoreSettings) -> Floats:
    """Return what each segment contributes to the score of `second` minus that of `first`, (n_rows,).

    It is NaN where `missing` is true.
    """
    first, second = without_missing(first, missing), without_missing(second, missing)
    total, other_total = first.sum(), second.sum()
    change = second.array - first.array
    raised, lowered = total.array + change, other_total.array - change
    for array in (raised, lowered):  # can be larger than both totals
        check_sums(array, np.zeros(array.shape), component_names(first.max_order))
    rises = score_arrays(raised, settings) - score_sums(total, settings).score
    falls = score_sums(other_total, settings).score - score_arrays(lowered, settings)
    contribution: Floats = (rises + falls) / 2
    contribution[missing] = np.nan
    return contribution


def without_missing(sums: Sums, missing: NDArray[np.bool_]) -> Sums:
    """Return sums with components of 0 where `missing` is true."""
    return Sums.of_rows(sums.index, np.where(missing, 0, sums.array) if missing.any() else sums.array)


def score_arrays(array: NDArray[np.int64], settings: ScoreSettings) -> Floats:
    """Return the scores of components, (2 + 2 * orders, n_rows), as (n_rows,)."""
    return score_sums(Sums.of_rows(pd.RangeIndex(array.shape[1]), array), settings).score


def pair_frame(systems: Systems, first: int, second: int, settings: ScoreSettings) -> pd.DataFrame:
    """Return the rows of one pair of systems."""
    missing = systems.missing(first, second)
    before, own_before = leave_out_each(systems.sums[first], missing, settings)
    after, own_after = leave_out_each(systems.sums[second], missing, settings)
    contribution = exchange_each(systems.sums[first], systems.sums[second], missing, settings)
    numbers = {
        "baseline_influence": own_before,
        "influence": own_after,
        "difference": own_after - own_before,
        "contribution": contribution,
        "share": contribution / (after - before) + 0.0 if after != before else np.full(len(missing), np.nan),
    }
    names = {
        name: systems.labels.take(np.full(len(missing), at)).array
        for name, at in (("baseline", first), ("system", second))
    }
    columns = {name: float_column(column, systems.nullable) for name, column in numbers.items()}
    return pd.DataFrame({**names, **columns}, index=systems.ids)
