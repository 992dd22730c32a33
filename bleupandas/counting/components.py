"""components(): lengths, matches and totals of every segment as columns."""

from collections.abc import Hashable
from typing import Any

import pandas as pd

from bleupandas.common import count_options, public
from bleupandas.counting.sums import count_sums, nullable_integers
from bleupandas.reading import check_frame, component_names, reads_components, select_components, token_columns


@public
def components(
    df: pd.DataFrame,
    /,
    *,
    hypothesis: Hashable | None = None,
    references: Hashable | list[Any] | None = None,
    max_order: int | None = None,
    errors: str = "raise",
    threads: int | None = None,
    components: bool = False,
) -> pd.DataFrame:
    """Count the components of BLEU in every segment: lengths, clipped matches and numbers of n-grams.

    Also a method: ``df.bleu.components()``. Components add up: their sum over rows has the components of the corpus.

    Parameters
    ----------
    df : DataFrame
        A row per segment. If the frame has components columns and no token columns, they are returned unchanged.
    hypothesis : label, default "hypothesis"
        The column of the token lists to judge.
    references : label or list of labels, default "references"
        A column with a list of token lists in each cell, or with one token list in each cell (one reference a row); or
        a list of such columns.
    max_order : int, default 4
        Largest n-gram length, 1 to 8.
    errors : {"raise", "coerce"}, default "raise"
        What happens with a row that cannot be read: raise an error that names it, or return a missing row.
    threads : int, optional
        Number of threads; by default the CPUs that the process may use, at most 4. The result never depends on it.
    components : bool, default False
        Use the components columns of the frame even if it has token columns.

    Returns
    -------
    DataFrame of shape (n_rows, 2 + 2 * max_order)
        On the index of `df`, int64 (Int64 with ``errors="coerce"``): candidate_length and reference_length in tokens
        (the reference length that is closest to the candidate's, the shorter of two), matches_1..N (sums of clipped
        counts) and totals_1..N (numbers of n-grams).

    Raises
    ------
    KeyError
        If there is no such column.
    TypeError, ValueError
        If a cell is not a token list, a token is missing, or a row has no reference. The message names the first such
        row.

    Notes
    -----
    Papineni et al. 2002, sections 2.1 and 2.2. Tokens are compared by exact equality.

    Examples
    --------
    >>> import pandas as pd, bleupandas
    >>> df = pd.DataFrame({
    ...     "hypothesis": [["the", "the", "cat"]],
    ...     "references": [[["the", "cat", "sat"], ["a", "cat"]]],
    ... })
    >>> bleupandas.components(df, max_order=2)
       candidate_length  reference_length  matches_1  matches_2  totals_1  totals_2
    0                 3                 3          2          1         3         2
    """
    count = count_options(
        hypothesis=hypothesis,
        references=references,
        max_order=max_order,
        errors=errors,
        threads=threads,
        components=components,
    )
    check_frame(df, "components")
    if reads_components(df, count):
        return select_components(df, count.max_order)
    tokens = token_columns(df, count.hypothesis, count.references, "components")
    sums = count_sums(tokens, count.order, count.errors, count.threads)
    names = component_names(count.order)
    if not count.coerce:
        # transposed without a copy: pandas keeps the rows of one array as its columns
        return pd.DataFrame(sums.array.T, index=df.index, columns=names, copy=False)
    data = {name: nullable_integers(row, sums.missing) for name, row in zip(names, sums.array, strict=True)}
    return pd.DataFrame(data, index=df.index, copy=False)
