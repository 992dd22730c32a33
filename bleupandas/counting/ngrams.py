"""ngrams(): a row for each segment and n-gram, with its count and clipped count."""

from collections.abc import Hashable, Iterable, Sequence
from typing import Any, Literal

import numpy as np
import pandas as pd

from bleupandas.common import DEFAULT_ORDER, check_order, count_options, public, refuse_choice, short_repr, typed_repr
from bleupandas.counting.ngram_rows import NgramLister
from bleupandas.reading import as_label_list, check_frame, find_column, token_columns


@public
def ngrams(
    df: pd.DataFrame,
    /,
    *,
    hypothesis: Hashable | None = None,
    references: Hashable | list[Any] | None = None,
    max_order: int | None = None,
    orders: int | Iterable[int] | None = None,
    side: Literal["hypothesis", "references"] = "hypothesis",
    ngram: Literal["text", "tuple", "list"] = "text",
    sep: str = " ",
    id_vars: Hashable | list[Any] | None = None,
    ignore_index: bool = False,
    errors: str = "raise",
    threads: int | None = None,
) -> pd.DataFrame:
    """List the distinct n-grams of every segment with their counts and clipped counts.

    Also a method: ``df.bleu.ngrams()``. For each segment and order, ``count`` adds up to totals_n of `components` and
    ``clipped_count`` to matches_n.

    Parameters
    ----------
    df : DataFrame
        A row per segment.
    hypothesis, references, max_order, errors, threads
        As in `components`. With ``errors="coerce"`` a row that cannot be read has no n-grams.
    orders : int or list of int, optional
        Only these orders; 1..max_order by default.
    side : {"hypothesis", "references"}, default "hypothesis"
        Whether to list the distinct n-grams of the hypotheses or of the references.
    ngram : {"text", "tuple", "list"}, default "text"
        Text (tokens joined by `sep`) is easy to group, plot and save. Tuples of str and Arrow lists keep tokens
        exactly.
    sep : str, default " "
        One character that no token contains.
    id_vars : label or list of labels, optional
        Columns of `df` to carry along, before the others, as in ``DataFrame.melt``.
    ignore_index : bool, default False
        Number the rows 0, 1, ... instead of repeating the labels of `df`, as in ``DataFrame.explode``.

    Returns
    -------
    DataFrame
        A row for each segment and distinct n-gram, sorted by segment, order and first occurrence. Numbers are int64
        (Int64 with ``errors="coerce"``):

        - segment: position of the row in `df`, from 0,
        - order, ngram,
        - count: occurrences in the hypothesis,
        - max_reference_count: largest number of occurrences in one reference,
        - clipped_count: the smaller of both,
        - first_position: in tokens, from 0,
        - with ``side="references"`` also missing, max(0, max_reference_count - count), and reference: the first
          reference that reaches the maximum, numbered from 0 among those that the segment has. first_position is a
          position in this reference.

    Raises
    ------
    KeyError, TypeError, ValueError
        As in `components`; for a token that contains `sep`, and for a lone surrogate in text.

    Notes
    -----
    Papineni et al. 2002, section 2.1 and footnote 2.

    Examples
    --------
    >>> import pandas as pd, bleupandas
    >>> df = pd.DataFrame({"hypothesis": [["the", "the", "cat"]], "references": [[["the", "cat"], ["a", "cat"]]]})
    >>> bleupandas.ngrams(df, orders=1)[["order", "ngram", "count", "max_reference_count", "clipped_count"]]
       order ngram  count  max_reference_count  clipped_count
    0      1   the      2                    1              1
    0      1   cat      1                    1              1
    """
    count = count_options(
        hypothesis=hypothesis, references=references, max_order=max_order, errors=errors, threads=threads
    )
    check_frame(df, "ngrams")
    lister = NgramLister(check_orders(orders, max_order), is_references(side), check_form(ngram), check_sep(sep))
    carried = id_columns(df, id_vars, lister.names)
    tokens = token_columns(df, count.hypothesis, count.references, "ngrams")
    segment, data = lister.table(tokens, count.errors, count.threads)
    if ignore_index:
        index: pd.Index = pd.RangeIndex(len(segment))
    else:
        index = df.index.repeat(np.bincount(segment, minlength=len(df)))
    result = pd.DataFrame(data, index=index, copy=False)
    for at, (label, series) in enumerate(carried):
        result.insert(at, label, series.array.take(segment), allow_duplicates=True)
    return result


# ---- Arguments ----


def check_orders(orders: object, max_order: object) -> list[int]:
    """Return the orders to list, ascending."""
    limit = DEFAULT_ORDER if max_order is None else check_order(max_order)
    if orders is None:
        return list(range(1, limit + 1))
    try:
        given = [orders] if isinstance(orders, str | bytes) else list(orders)  # type: ignore[call-overload]
    except TypeError:  # one number
        given = [orders]
    if not given:
        raise ValueError("orders is empty; expected whole numbers from 1 to 8, such as orders=[2, 3]")
    wanted = sorted({check_order(order, "orders") for order in given})
    if max_order is not None and wanted[-1] > limit:
        raise ValueError(f"orders has {wanted[-1]}, above max_order={limit}; give one of the two")
    return wanted


def is_references(side: object) -> bool:
    """Return whether the n-grams of the references are listed."""
    if not isinstance(side, str) or side not in ("hypothesis", "references"):
        refuse_choice("side", side, ["hypothesis", "references"])
    return side == "references"


def check_form(ngram: object) -> str:
    """Return the form of n-grams; raise ValueError for an unknown one."""
    if not isinstance(ngram, str) or ngram not in ("text", "tuple", "list"):
        refuse_choice("ngram", ngram, ["text", "tuple", "list"])
    return ngram


def check_sep(sep: object) -> str:
    """Return the separator; several characters are ambiguous even if no token contains them, and raise ValueError."""
    if not isinstance(sep, str):
        raise TypeError(f"sep is one character, not {typed_repr(sep)}")
    if len(sep) != 1 or "\ud800" <= sep <= "\udfff":
        raise ValueError(f"sep is exactly one character, not {short_repr(sep)}")
    return sep


def id_columns(
    df: pd.DataFrame, id_vars: object, names: Sequence[str], frame: str = "n-gram frame"
) -> list[tuple[Hashable, "pd.Series[Any]"]]:
    """Return the columns to carry along, each with its label."""
    carried = []
    for label in as_label_list(id_vars):
        series = find_column(df, label, "id_vars")
        if label in names:
            raise ValueError(f"id_vars has {label!r}, which is a column of the {frame}; rename it first")
        carried.append((label, series))
    return carried
