"""ngram_summary(): the n-grams of all segments summed up, to find over-produced and missing ones."""

from collections.abc import Hashable, Iterable, Sequence
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from bleupandas.common import check_whole_number, count_options, public
from bleupandas.counting.ngram_rows import TEXT
from bleupandas.counting.ngrams import check_orders, check_sep
from bleupandas.counting.sums import nullable_integers
from bleupandas.counting.tallies import NUMBERS, arrow_text, concatenate_summaries, ngram_text_error, tally_rows
from bleupandas.engine import Summary, Tally
from bleupandas.reading import check_frame, positions_of_groups, row_groups, token_columns


@public
def ngram_summary(
    df: pd.DataFrame,
    /,
    *,
    by: Any = None,
    min_count: int = 1,
    orders: int | Iterable[int] | None = None,
    max_order: int | None = None,
    sep: str = " ",
    hypothesis: Hashable | None = None,
    references: Hashable | list[Any] | None = None,
    errors: str = "raise",
    threads: int | None = None,
) -> pd.DataFrame:
    """Sum up over all segments how often each n-gram is produced, matched and missing.

    Also a method: ``df.bleu.ngram_summary()``. The n-grams that matter most for BLEU come first. To see what the system
    says too often, use ``.nlargest(20, "over_produced")``; to see what it lacks, ``.nlargest(20, "missing")``.

    Parameters
    ----------
    df : DataFrame
        A row per segment.
    by : label, list of labels, Series, function, ...
        Anything that ``df.groupby`` takes. Each group is summed up separately, and missing keys form one more group.
    min_count : int, default 1
        Leave out n-grams whose count + missing is smaller. Most n-grams of a text occur once, so 2 makes the call
        faster and the result several times smaller. With 1, ``count`` of order n adds up to totals_n of `components`,
        and ``clipped_count`` to matches_n.
    orders : int or list of int, optional
        Only these orders; 1..max_order unless given.
    max_order : int, default 4
        Largest n-gram length, 1 to 8.
    sep : str, default " "
        The character between the tokens of an n-gram. No token may contain it.
    hypothesis, references, errors, threads
        As in `components`. With ``errors="coerce"`` rows that cannot be read are left out.

    Returns
    -------
    DataFrame
        A row per order and n-gram of any hypothesis or reference. The columns:

        - order, ngram (text),
        - count: occurrences in the hypotheses,
        - clipped_count: those that match,
        - over_produced: the rest, count - clipped_count,
        - missing: the sum over segments of max(0, max_reference_count - count),
        - segments: how many segments have the n-gram on either side,
        - segments_over: in how many the hypothesis has it more often than any of the references,
        - segments_missing: in how many a reference has it more often than the hypothesis.

        Numbers are int64 (Int64 with ``errors="coerce"``). Rows are sorted by order, then count + missing (the larger
        first), then token by token in the order of their characters. They are numbered 0, 1, ...; with `by`, groups
        follow each other, and each row has the label of its group in ``df.groupby(by)``.

    Raises
    ------
    KeyError, TypeError, ValueError
        As in `components`; also if a token contains `sep` or a lone surrogate.

    Notes
    -----
    Papineni et al. 2002, section 2.1. Counts are clipped segment by segment, so an n-gram can be over-produced in one
    segment and missing in another. The call needs about 20 bytes per token, and as much memory as half of the result.

    Examples
    --------
    >>> import pandas as pd, bleupandas
    >>> df = pd.DataFrame({
    ...     "hypothesis": ["the the cat".split(), "a cat".split()],
    ...     "references": [["the cat".split()], ["the cat".split(), "that cat".split()]],
    ... })
    >>> summary = bleupandas.ngram_summary(df, orders=1)
    >>> summary[["ngram", "count", "clipped_count", "over_produced", "missing", "segments_missing"]]
      ngram  count  clipped_count  over_produced  missing  segments_missing
    0   the      2              1              1        1                 1
    1   cat      2              2              0        0                 0
    2     a      1              0              1        0                 0
    3  that      0              0              0        1                 1
    """
    count = count_options(hypothesis=hypothesis, references=references, errors=errors, threads=threads)
    check_frame(df, "ngram_summary")
    order_list = check_orders(orders, max_order)
    separator, minimum = check_sep(sep), check_min_count(min_count)
    groups = None if by is None else row_groups(df, by)
    tokens = token_columns(df, count.hypothesis, count.references, "ngram_summary")
    tally, has_surrogates = tally_rows([tokens], count.errors, count.threads)
    if has_surrogates or tally.holds(separator):
        raise ngram_text_error(tokens, separator)
    return summarize_ngrams(tally, groups, order_list, minimum, separator, count.coerce, count.threads)


def summarize_ngrams(
    tally: Tally,
    groups: tuple[pd.Index, NDArray[np.int64]] | None,
    orders: Sequence[int],
    min_count: int,
    sep: str,
    nullable: bool,
    threads: int,
) -> pd.DataFrame:
    """Return the frame of `ngram_summary` for a tally; `groups` are those of `bleupandas.reading.row_groups`."""
    if groups is None:
        parts = [tally.summary(None, orders, min_count, sep, threads)]
        index: pd.Index = pd.RangeIndex(parts[0].numbers.shape[1])
    else:
        labels, numbers = groups
        rows = positions_of_groups(numbers, len(labels))
        parts = [tally.summary(some, orders, min_count, sep, threads) for some in rows]
        index = labels.repeat([part.numbers.shape[1] for part in parts])
    return summary_frame(concatenate_summaries(parts), index, nullable)


def check_min_count(min_count: object) -> int:
    """Return min_count as an int that the engines can hold, or raise."""
    return min(check_whole_number("min_count", min_count, 1), 2**62)


def summary_frame(summary: Summary, index: pd.Index, nullable: bool) -> pd.DataFrame:
    """Return a summary as a frame."""
    n = len(index)
    data: dict[str, Any] = dict(zip(NUMBERS, summary.numbers, strict=True))
    if nullable:
        data = {name: nullable_integers(values, np.zeros(n, np.bool_)) for name, values in data.items()}
    text = TEXT.__from_arrow__(pa.chunked_array([arrow_text(summary.offsets, summary.text)]))
    data = {"order": data["order"], "ngram": text} | data
    return pd.DataFrame(data, index=index, copy=False)
