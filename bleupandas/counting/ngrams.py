"""ngrams(): the clipping table as a frame, a row per segment and n-gram."""

from collections.abc import Hashable, Iterable, Sequence
from typing import Any, Literal

import numpy as np
import pandas as pd

from bleupandas.common import DEFAULT_ORDER, check_order, count_options, public, refuse_choice, short_repr, typed_repr
from bleupandas.counting.ngram_rows import NgramLister
from bleupandas.counting.sums import nullable_integers
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
    """List the distinct n-grams of every segment with what clipping made of them.

    Also a method: ``df.bleu.ngrams()``. Per segment and order, ``count`` sums to totals_n and ``clipped_count`` to
    matches_n of `components`.

    Parameters
    ----------
    df : DataFrame
        A row per segment.
    hypothesis, references, max_order, errors, threads
        As in `components`. With ``errors="coerce"`` a row that cannot be read gives no n-grams.
    orders : int or list of int, optional
        Only these orders; 1..max_order unless given.
    side : {"hypothesis", "references"}, default "hypothesis"
        Whose distinct n-grams are listed.
    ngram : {"text", "tuple", "list"}, default "text"
        Text (tokens joined by `sep`) groups, plots and saves well; tuples of str and Arrow lists give tokens exactly.
    sep : str, default " "
        One character that no token holds.
    id_vars : label or list of labels, optional
        Columns of `df` to carry along, before the others, as in ``DataFrame.melt``.
    ignore_index : bool, default False
        Number the rows 0, 1, ... instead of repeating the labels of `df`, as in ``DataFrame.explode``.

    Returns
    -------
    DataFrame
        A row per segment and distinct n-gram, by segment, order, first occurrence: segment (position of the row in
        `df`, from 0), order, ngram, count (in the hypothesis), max_reference_count (largest in one reference),
        clipped_count (the smaller), first_position (in tokens, from 0). With ``side="references"`` also missing
        (max(0, max_reference_count - count)) and reference, the first that reaches the maximum, in which
        first_position counts (numbered from 0 among those that the segment has). Numbers are int64 (Int64 with
        ``errors="coerce"``).

    Raises
    ------
    KeyError, TypeError, ValueError
        As in `components`; a token that holds `sep`, or a lone surrogate in text.

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
    lister = NgramLister(check_listed_orders(orders, max_order), is_references(side), check_form(ngram), check_sep(sep))
    carried = id_columns(df, id_vars, lister.names)
    tokens = token_columns(df, count.hypothesis, count.references, "ngrams")
    numbers, ngram_column = lister.listed(tokens, count.errors, count.threads)
    segment = numbers["segment"]
    data: dict[str, Any] = {name: numbers.get(name, ngram_column) for name in lister.names}
    if count.coerce:
        none = np.zeros(len(segment), np.bool_)
        data = {name: v if name == "ngram" else nullable_integers(v, none) for name, v in data.items()}
    if ignore_index:
        index: pd.Index = pd.RangeIndex(len(segment))
    else:
        index = df.index.repeat(np.bincount(segment, minlength=len(df)))
    result = pd.DataFrame(data, index=index, copy=False)
    for at, (label, series) in enumerate(carried):
        result.insert(at, label, series.array.take(segment), allow_duplicates=True)
    return result


# ---- Arguments ----


def check_listed_orders(orders: object, max_order: object) -> list[int]:
    """Give the orders to list, ascending."""
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
    """Tell whether the references' n-grams are listed."""
    if not isinstance(side, str) or side not in ("hypothesis", "references"):
        refuse_choice("side", side, ["hypothesis", "references"])
    return side == "references"


def check_form(ngram: object) -> str:
    """Give the form of n-grams, or raise."""
    if not isinstance(ngram, str) or ngram not in ("text", "tuple", "list"):
        refuse_choice("ngram", ngram, ["text", "tuple", "list"])
    return ngram


def check_sep(sep: object) -> str:
    """Give the separator, or raise: several characters are ambiguous even where no token holds them."""
    if not isinstance(sep, str):
        raise TypeError(f"sep is one character, not {typed_repr(sep)}")
    if len(sep) != 1 or "\ud800" <= sep <= "\udfff":
        raise ValueError(f"sep is exactly one character, not {short_repr(sep)}")
    return sep


def id_columns(
    df: pd.DataFrame, id_vars: object, names: Sequence[str], frame: str = "n-gram frame"
) -> list[tuple[Hashable, "pd.Series[Any]"]]:
    """Give the columns to carry along."""
    carried = []
    for label in as_label_list(id_vars):
        series = find_column(df, label, "id_vars")
        if label in names:
            raise ValueError(f"id_vars has {label!r}, which is a column of the {frame}; rename it first")
        carried.append((label, series))
    return carried
