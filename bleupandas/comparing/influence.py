"""influence(): what each segment does to the score of a corpus, and to the difference of two systems."""

from collections.abc import Hashable
from typing import Any, Never

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bleupandas.common import COUNT_KEYWORDS, SCORE_KEYWORDS, refuse_keywords
from bleupandas.comparing.systems import Systems, baseline_position, systems_of
from bleupandas.reading import check_frame, check_sums, component_names, exact_sum
from bleupandas.scoring import ScoreSettings, float_column, score_settings, score_sums, segment_sums, sums_of

KEYWORDS = ("system", "id", "baseline", "on_unpaired", *COUNT_KEYWORDS, *SCORE_KEYWORDS)


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
    **unknown: Never,
) -> Any:
    """Tell what each segment does to corpus BLEU: the score of all minus the score without it.

    Also a method: ``df.bleu.influence()``. Above 0 the segment lifts the score, which would be lower without it; below
    0 it pulls the score down. All rows are one corpus, unless ``system=`` or a list of hypothesis columns says that
    there are several systems: then what each segment does to their difference is told as well.

    Parameters
    ----------
    df : DataFrame
        Token columns or components columns. A row that sums up several segments is left out as a whole.
    system, id, baseline, on_unpaired
        Several systems in long form, as in `compare`; only with ``system=``.
    hypothesis : label or list of labels, default "hypothesis"
        A list names the columns of several systems.
    references, max_order, errors, threads, components
        As in `components`.
    convention, smoothing, weights, effective_order, epsilon, k, alpha
        As in `corpus`.

    Returns
    -------
    Series of float64, named "influence", on the index of `df`
        On the scale of the score, 0..1. Missing where the row is, and where nothing is left without it. Float64 with
        ``errors="coerce"``.
    DataFrame, of several systems
        For every system but the baseline a row per segment, on the ids, in wide form on the index of `df`:

        - baseline, system,
        - baseline_influence and influence (float64): those of the segment on the baseline's and the system's score,
        - difference (float64): influence minus baseline_influence, by how much the difference of the scores (system
          minus baseline) would fall if the segment were left out for both,
        - contribution (float64): what of the difference of the scores comes from this segment, by how much the baseline
          rises when it takes the system's hypothesis here, averaged with how much the system falls when it takes the
          baseline's,
        - share (float64): contribution over the difference of the scores, missing where the scores are equal; above 0
          the segment speaks for the side that is ahead.

        A segment of which either row cannot be read is left out of both corpora, and missing.

    Raises
    ------
    KeyError, TypeError, ValueError
        As in `corpus`, and where systems do not pair.

    Notes
    -----
    BLEU is a function of sums (Papineni et al. 2002, section 2.3): leaving out and exchanging rows is adding and
    subtracting, nothing is counted again, and the result is what counting again would give. It is no mean of its
    segments. A corpus taken twice has the same score, so that an influence is one beside that of an average segment:
    influences add up to about 0, not to the score. Contributions add up to about the difference, shares to about 1.

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
    refuse_keywords("influence", unknown, KEYWORDS)
    check_frame(df, "influence")
    given: Any = {"convention": convention, "smoothing": smoothing, "weights": weights, "epsilon": epsilon, "k": k}
    given |= {"effective_order": effective_order, "alpha": alpha, "max_order": max_order}
    settings = score_settings("corpus", **given)
    if system is None and not isinstance(hypothesis, list):
        refuse_pairing("influence", id=id, baseline=baseline)
        sums = sums_of(df, "influence", hypothesis, references, components, settings, errors, threads)
        _, changes = left_out(sums.values, sums.missing, settings)
        changes[sums.segments == segment_sums(sums)[0]] = np.nan  # no segment is left
        return pd.Series(sums.column(changes), index=sums.rows, name="influence")
    more: Any = {"references": references, "components": components, "settings": settings, "threads": threads}
    form = {"system": system, "id": id, "hypothesis": hypothesis, "errors": errors, "on_unpaired": on_unpaired}
    systems = systems_of(df, "influence", **form, **more)
    first = baseline_position(systems.names, baseline, "influence")
    others = [at for at in range(len(systems.names)) if at != first]
    return pd.concat([of_pair(systems, first, at, settings) for at in others])


def refuse_pairing(function: str, **given: object) -> None:
    """Raise for what says something of several systems where there is one."""
    for name, value in given.items():
        if value is not None:
            raise ValueError(
                f"{function}() has {name}=, which is of use with several systems only; give system= as well, or "
                f'hypothesis=["mt_a", "mt_b"], or leave {name} out'
            )


def rows_of(values: NDArray[np.int64], missing: NDArray[np.bool_]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Give rows of components with 0 where they are missing, and their sum, (fields, 1)."""
    there = np.where(missing, 0, values) if missing.any() else values
    return there, exact_sum(there)[:, np.newaxis]


def left_out(
    values: NDArray[np.int64], missing: NDArray[np.bool_], settings: ScoreSettings
) -> tuple[float, NDArray[np.float64]]:
    """Give the score of all rows, and by how much it is above the score without each, (n_rows,); NaN where missing.

    Parameters
    ----------
    values : ndarray of shape (2 + 2 * orders, n_rows)
    missing : ndarray of shape (n_rows,)
        Rows that are not there.
    settings : ScoreSettings
    """
    there, total = rows_of(values, missing)
    whole = float(score_sums(total, settings).score[0])
    changes: NDArray[np.float64] = whole - score_sums(total - there, settings).score
    changes[missing] = np.nan
    if (~missing).sum() == 1:
        changes[:] = np.nan
    return whole, changes


def exchanged(
    first: NDArray[np.int64], second: NDArray[np.int64], missing: NDArray[np.bool_], settings: ScoreSettings
) -> NDArray[np.float64]:
    """Give what each segment contributes to the score of `second` minus that of `first`, (n_rows,).

    Both are of shape (2 + 2 * orders, n_rows). NaN where missing.
    """
    (own, total), (other, other_total) = rows_of(first, missing), rows_of(second, missing)
    change = other - own
    changed = total + change, other_total - change
    for sums in changed:  # can be larger than both totals
        check_sums(sums, np.zeros(sums.shape), component_names((len(sums) - 2) // 2))
    rises = score_sums(changed[0], settings).score - score_sums(total, settings).score
    falls = score_sums(other_total, settings).score - score_sums(changed[1], settings).score
    contribution: NDArray[np.float64] = (rises + falls) / 2
    contribution[missing] = np.nan
    return contribution


def of_pair(systems: Systems, first: int, second: int, settings: ScoreSettings) -> pd.DataFrame:
    """Give the rows of one pair of systems."""
    missing = systems.missing[first] | systems.missing[second]
    before, own_before = left_out(systems.values[first], missing, settings)
    after, own_after = left_out(systems.values[second], missing, settings)
    contribution = exchanged(systems.values[first], systems.values[second], missing, settings)
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
