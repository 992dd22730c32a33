"""references(): what each reference of a segment contributes."""

from collections.abc import Hashable
from typing import Any

import numpy as np
import pandas as pd

from bleupandas.common import count_options, public
from bleupandas.counting.ngrams import id_columns
from bleupandas.counting.reference_contributions import count_contributions
from bleupandas.counting.sums import nullable_integers
from bleupandas.reading import check_frame, token_columns


@public
def references(
    df: pd.DataFrame,
    /,
    *,
    hypothesis: Hashable | None = None,
    references: Hashable | list[Any] | None = None,
    max_order: int | None = None,
    id_vars: Hashable | list[Any] | None = None,
    errors: str = "raise",
    threads: int | None = None,
) -> pd.DataFrame:
    """Break down what each reference contributes, segment by segment.

    Also a method: ``df.bleu.references()``. To see what each reference contributes to the corpus, sum over its rows:
    ``df.bleu.references().groupby("reference").sum()``.

    Parameters
    ----------
    df : DataFrame
        A row per segment.
    hypothesis, references, max_order, errors, threads
        As in `components`. With ``errors="coerce"`` a segment that cannot be read has no rows in the result.
    id_vars : label or list of labels, optional
        Columns of `df` to put in front of the others, as in ``DataFrame.melt``.

    Returns
    -------
    DataFrame
        A row per segment and reference. The index repeats the label that the segment has in `df`. The columns:

        - segment: the position of the row in `df`, from 0.
        - reference: the position among the references of the segment, from 0. A missing reference has no row but keeps
          its position, so with several reference columns this is the number of the column.
        - reference_length: the length of this reference in tokens.
        - closest (bool): whether its length is the reference_length of `components`. Exactly one reference of a segment
          is closest: of those with equal lengths, the first.
        - matches_1..N: clipped counts against this reference alone.
        - only_1..N: matches that only this reference supplies, that is, matches against all references minus matches
          without this one. For a single reference, all of its matches.

        Numbers are int64 (Int64 with ``errors="coerce"``, and closest is boolean).

    Raises
    ------
    KeyError, TypeError, ValueError
        As in `components`.

    Notes
    -----
    Papineni et al. 2002, sections 2.1 (clipping by the largest count in a reference) and 2.2.2 (the closest length).
    A match that two references supply is in the only_n of neither. So the only_n of a segment add up to at most its
    matches_n, and the matches_n of its references to at least that.

    Examples
    --------
    >>> import pandas as pd, bleupandas
    >>> df = pd.DataFrame({
    ...     "hypothesis": [["the", "cat", "sat"]],
    ...     "references": [[["the", "cat"], ["a", "cat", "sat"]]],
    ... })
    >>> bleupandas.references(df, max_order=1)
       segment  reference  reference_length  closest  matches_1  only_1
    0        0          0                 2    False          2       1
    0        0          1                 3     True          2       1
    """
    count = count_options(
        hypothesis=hypothesis, references=references, max_order=max_order, errors=errors, threads=threads
    )
    check_frame(df, "references")
    names = result_names(count.order)
    carried = id_columns(df, id_vars, names, "frame of references")
    tokens = token_columns(df, count.hypothesis, count.references, "references")
    segment, reference, reference_length, closest, matches, only = count_contributions(tokens, count)
    columns = [segment, reference, reference_length, closest, *matches, *only]
    data: dict[str, Any] = dict(zip(names, columns, strict=True))
    if count.coerce:
        nothing = np.zeros(len(segment), np.bool_)
        data = {name: nullable_integers(v, nothing) for name, v in data.items() if name != "closest"}
        data["closest"] = pd.arrays.BooleanArray(closest, nothing)
    index = df.index.repeat(np.bincount(segment, minlength=len(df)))
    result = pd.DataFrame({name: data[name] for name in names}, index=index, copy=False)
    for at, (label, series) in enumerate(carried):
        result.insert(at, label, series.array.take(segment), allow_duplicates=True)
    return result


def result_names(max_order: int) -> list[str]:
    """Return the columns of the result."""
    orders = range(1, max_order + 1)
    numbers = [f"matches_{n}" for n in orders] + [f"only_{n}" for n in orders]
    return ["segment", "reference", "reference_length", "closest", *numbers]
