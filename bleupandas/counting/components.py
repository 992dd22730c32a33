"""components(): BLEU's sufficient statistics as columns."""

from collections.abc import Hashable
from typing import Any

import pandas as pd

from bleupandas.common import count_options, public
from bleupandas.counting.sums import count_sums, nullable_integers, reads_components
from bleupandas.reading import check_frame, component_names, select_components, token_columns


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
    """Count what BLEU is made of, a row per segment.

    Also a method: ``df.bleu.components()``. Components add up: the sum over rows is the corpus' components.

    Parameters
    ----------
    df : DataFrame
        A row per segment. Of a frame that holds components columns and no token columns, those are given as they are.
    hypothesis : label, default "hypothesis"
        The column of token lists that are judged.
    references : label or list of labels, default "references"
        A column of lists of token lists, or of token lists (one reference a row); or a list of such columns.
    max_order : int, default 4
        Largest n-gram length, 1 to 8.
    errors : {"raise", "coerce"}, default "raise"
        What a row that cannot be read gives: an error that names it, or a missing row.
    threads : int, optional
        How many threads count; the CPUs that the process may use, at most 4, unless given. The result never depends
        on it.
    components : bool, default False
        Use the components columns of the frame even if it has token columns.

    Returns
    -------
    DataFrame of shape (n_rows, 2 + 2 * max_order)
        On the index of `df`, int64 (Int64 with ``errors="coerce"``), in tokens and n-grams: candidate_length,
        reference_length (the length closest to it, of two the shorter), matches_1..N (clipped counts), totals_1..N.

    Raises
    ------
    KeyError
        No such column.
    TypeError, ValueError
        A cell is no token list, a token is missing, a row has no reference; the message names the first such row.

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
