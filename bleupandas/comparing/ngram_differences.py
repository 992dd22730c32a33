"""ngram_differences(): which n-grams one system matches and another does not."""

from collections.abc import Hashable, Iterable
from typing import Any

import numpy as np
import pandas as pd

from bleupandas.common import (
    DEFAULT_ORDER,
    CountOptions,
    check_choice,
    check_whole_number,
    count_options,
    join_values,
    public,
)
from bleupandas.comparing.contrasts_frame import contrasts_frame
from bleupandas.comparing.pair_options import pair_options
from bleupandas.comparing.systems import Systems, baseline_position, read_systems
from bleupandas.counting import check_min_count, check_orders, check_sep, tally_rows, text_error
from bleupandas.engine import Tally
from bleupandas.reading import TokenColumns, check_frame, token_columns
from bleupandas.scoring import score_settings


@public
def ngram_differences(
    df: pd.DataFrame,
    /,
    *,
    system: Any = None,
    id: Any = None,  # the word of the published data
    baseline: Hashable | None = None,
    hypothesis: Hashable | list[Any] | None = None,
    references: Hashable | list[Any] | None = None,
    rank: str = "ratio",
    examples: int = 5,
    min_count: int = 1,
    orders: int | Iterable[int] | None = None,
    max_order: int | None = None,
    sep: str = " ",
    on_unpaired: str = "raise",
    errors: str = "raise",
    threads: int | None = None,
) -> pd.DataFrame:
    """Compare which of the references' n-grams two systems match, how often, and where.

    Also a method: ``df.bleu.ngram_differences()``. With the default rank the n-grams that only the system matches come
    first, ``.head(20)``, and those that only the baseline matches last, ``.tail(20)``.

    Parameters
    ----------
    df : DataFrame
        Two systems, in long form (``system=`` and ``id=``) or wide form (``hypothesis=["mt_a", "mt_b"]``), as in
        `compare`.
    system, id, hypothesis, references, on_unpaired, threads
        As in `compare`.
    baseline : system, optional
        By default the first in order of appearance; "the system" is the other one.
    rank : {"ratio", "gain"}, default "ratio"
        Sort rows by ratio or by system_gain, the largest first.
    examples : int, default 5
        At most this many example segments for each n-gram and side.
    min_count : int, default 1
        Leave out n-grams where baseline_only + system_only + both + neither is smaller.
    orders, max_order, sep
        As in `ngram_summary`; gains are those of BLEU-`max_order` (or of the largest of `orders` that is above it).
    errors : {"raise", "coerce"}, default "raise"
        As in `components`. With "coerce" a segment with a row that cannot be read is left out.

    Returns
    -------
    DataFrame
        A row for each order and n-gram of a reference: order, ngram (text), ratio, baseline_gain and system_gain; then
        baseline_only, system_only, both and neither: how many times it is matched (clipped counts) by the one, the
        other, both or none; segments_baseline_only, ...: in how many segments; examples_baseline_only, ...: tuples of
        the ids of the first of them (in wide form labels of `df`). Counts are int64, ratio and gains float64 (Int64 and
        Float64 with ``errors="coerce"``). Rows of equal rank are sorted by the sum of the four counts, the larger
        first, then by order and, token by token, by n-gram.

    Raises
    ------
    KeyError, TypeError, ValueError
        As in `compare` and `ngram_summary`, and if there are not exactly two systems.

    Notes
    -----
    Let a and b be the clipped counts of an n-gram in a segment, and m its max_reference_count there (the larger one, if
    the two rows have different references). Then both is min(a, b), baseline_only a - both, system_only b - both, and
    neither m - max(a, b), each summed over segments. The smoothed ratio is ln((system_only + 1) / (baseline_only + 1)):
    above 0 the system does better. A gain is the rise of that system's corpus BLEU (0..1, without smoothing) if its
    clipped count were m in every segment and everything else, totals too, stayed the same.

    Examples
    --------
    >>> import pandas as pd, bleupandas
    >>> df = pd.DataFrame({
    ...     "a": ["a cat sat".split(), "dogs bark".split()],
    ...     "b": ["the cat sat".split(), "the dogs bark".split()],
    ...     "references": ["the cat sat".split(), "the dogs bark".split()],
    ... })
    >>> result = bleupandas.ngram_differences(df, hypothesis=["a", "b"], orders=1)
    >>> result[["ngram", "ratio", "baseline_only", "system_only", "both", "examples_system_only"]].head(2).round(2)
      ngram  ratio  baseline_only  system_only  both examples_system_only
    0   the    1.1              0            2     0               (0, 1)
    1  bark    0.0              0            0     1                   ()
    """
    pairing = pair_options(system=system, id=id, baseline=baseline, on_unpaired=on_unpaired)
    count = count_options(hypothesis=hypothesis, references=references, errors=errors, threads=threads)
    check_frame(df, "ngram_differences")
    chosen_orders, separator = check_orders(orders, max_order), check_sep(sep)
    least, n_examples = check_min_count(min_count), check_whole_number("examples", examples, 0)
    rank_column = "ratio" if check_choice("rank", rank, ("ratio", "gain")) == "ratio" else "system_gain"
    settings = score_settings(
        "corpus", max_order=max(DEFAULT_ORDER if max_order is None else max_order, chosen_orders[-1])
    )
    sides = read_sides(df, count)
    systems = read_systems(df, "ngram_differences", pairing, count, settings)
    pair = find_pair(systems, baseline)
    readable = np.flatnonzero(~systems.missing(*pair))
    # The tally numbers the rows of all hypothesis columns one after another.
    starts = [system * len(df) if len(sides) > 1 else 0 for system in pair]
    rows = np.stack([systems.rows.positions[system][readable] for system in pair]) + np.reshape(starts, (2, 1))
    tally = tally_sides(sides, count, separator)
    contrasts = tally.contrasts(rows, chosen_orders, least, separator, n_examples, count.threads)
    return contrasts_frame(
        contrasts,
        totals=[systems.sums[system].take(readable).sum() for system in pair],
        ids=systems.ids[readable].tolist(),
        settings=settings,
        rank=rank_column,
        examples=n_examples,
        nullable=systems.nullable,
    )


def read_sides(df: pd.DataFrame, count: CountOptions) -> list[TokenColumns]:
    """Return the token columns of each hypothesis column."""
    columns = count.hypothesis if isinstance(count.hypothesis, list) else [count.hypothesis]
    return [token_columns(df, column, count.references, "ngram_differences") for column in columns]


def find_pair(systems: Systems, baseline: Hashable | None) -> tuple[int, int]:
    """Return the positions of the baseline and the other system; raise ValueError if there are not two."""
    first = baseline_position(systems.names, baseline, "ngram_differences")
    if len(systems.names) > 2:
        raise ValueError(
            f"ngram_differences() compares two systems, and the frame has {len(systems.names)}: "
            f"{join_values(systems.names)}; keep the rows (or columns) of two"
        )
    return first, 1 - first


def tally_sides(sides: list[TokenColumns], count: CountOptions, sep: str) -> Tally:
    """Count n-grams of all rows; raise for the first reference token that n-gram text cannot hold."""
    tally, unwritable = tally_rows(sides, count.errors, count.threads)
    if unwritable or tally.holds(sep):
        for tokens in sides:  # n-grams of hypotheses do not appear in the result
            error = text_error(tokens, True, sep, forms=False)
            if isinstance(error, ValueError):
                raise error
    return tally
