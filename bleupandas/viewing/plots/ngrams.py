"""plot.ngrams(): the n-grams that are over-produced or missing most often."""

import contextlib
from collections.abc import Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from bleupandas.common import CountOptions, count_options, public_as, short_repr
from bleupandas.counting import check_orders, summarize_ngrams, tally_rows
from bleupandas.engine import Tally, UnreadableError
from bleupandas.reading import TokenColumns, token_columns
from bleupandas.viewing.plots.axes import GREY, ORANGE, PURPLE, check_plot_frame, new_axes
from bleupandas.viewing.plots.labels import drawable_text, format_label, label_style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

KINDS = ("over_produced", "missing")
SEPARATOR = "\x1f"  # between the tokens of an n-gram


@public_as("plot.ngrams")
def ngrams(
    df: pd.DataFrame,
    /,
    *,
    n: int = 10,
    orders: int | Iterable[int] | None = None,
    ax: "Axes | None" = None,
    figsize: tuple[float, float] | None = None,
    hypothesis: Hashable | None = None,
    references: Hashable | list[Any] | None = None,
    max_order: int | None = None,
    errors: str = "raise",
    threads: int | None = None,
) -> "Axes":
    """Draw the n-grams that are over-produced or missing most often in all segments.

    Also a method: ``df.bleu.plot.ngrams()``. The numbers are those of `ngram_summary`.

    Parameters
    ----------
    df : DataFrame
        With token columns.
    n : int, default 10
        How many over-produced n-grams, and how many missing ones.
    orders, max_order
        As in `ngram_summary`.
    ax, figsize
        As in `scores`.
    hypothesis, references, errors, threads
        As in `components`.

    Returns
    -------
    Axes
        One row per n-gram: a bar to the right for over-produced occurrences, a bar to the left for missing ones.

    Raises
    ------
    ImportError
        Without matplotlib.
    KeyError, TypeError, ValueError
        As in `ngram_summary`.

    Examples
    --------
    >>> import bleupandas
    >>> df = bleupandas.load_example()
    >>> df.bleu.plot.ngrams(n=3, orders=2).get_xlabel()
    'occurrences (left: missing, right: over-produced)'
    """
    count = count_options(hypothesis=hypothesis, references=references, errors=errors, threads=threads)
    if isinstance(n, bool) or not isinstance(n, int | np.integer) or n < 1:
        raise ValueError(f"n is a whole number of at least 1, not {short_repr(n)}")
    check_plot_frame(df, "ngrams")
    columns = token_columns(df, count.hypothesis, count.references, "plot.ngrams")
    table = frequent_faults(columns, int(n), check_orders(orders, max_order), count)
    ax = new_axes(ax, figsize, (7.0, 1.2 + 0.25 * max(len(table), 4)))
    draw_faults(ax, table)
    return ax


def draw_faults(ax: "Axes", table: pd.DataFrame) -> None:
    """Draw two bars for each n-gram, over-produced ones at the top."""
    from matplotlib.ticker import MaxNLocator

    places = np.arange(len(table))
    ax.barh(places, table["over_produced"], color=ORANGE, label="over-produced")
    ax.barh(places, -table["missing"], color=PURPLE, label="missing")
    labels = [format_label(" ".join(map(drawable_text, tokens))) for tokens in table["tokens"]]
    ax.set_yticks(places, labels, **label_style(labels))
    ax.invert_yaxis()
    ax.axvline(0, color=GREY, linewidth=1)
    ax.set_xlabel("occurrences (left: missing, right: over-produced)")
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.xaxis.set_major_formatter(lambda value, _: f"{abs(value):g}")
    ax.legend()


# ---- Numbers ----


def frequent_faults(columns: TokenColumns, n: int, orders: Sequence[int], count: CountOptions) -> pd.DataFrame:
    """Return the `n` most over-produced and the `n` most missing n-grams: tokens, over_produced, missing."""
    tally, has_surrogates = tally_rows([columns], count.errors, count.threads)
    encoded = has_surrogates or tally.holds(SEPARATOR)
    if encoded:
        segments = token_columns(encoded_frame(columns), None, None, "plot.ngrams")
        tally, _ = tally_rows([segments], count.errors, count.threads)
    table = top_faults(tally, n, orders, count.threads)
    ngrams = [text.split(SEPARATOR) for text in table["ngram"].tolist()]
    tokens = [list(map(decode_token, ngram)) for ngram in ngrams] if encoded else ngrams
    faults = pd.DataFrame({"tokens": tokens, **{kind: table[kind].to_numpy(np.int64) for kind in KINDS}})
    return faults.iloc[np.argsort(faults["missing"] - faults["over_produced"], kind="stable")]


def top_faults(tally: Tally, n: int, orders: Sequence[int], threads: int) -> pd.DataFrame:
    """Return the rows of `ngram_summary` with the `n` largest numbers of over-produced and of missing occurrences.

    Most n-grams of a text occur once. They matter only if fewer than `n` n-grams have a fault more than once.
    """
    for min_count in (2, 1):
        table = summarize_ngrams(tally, None, orders, min_count, SEPARATOR, False, threads)
        tops = [table.loc[table[kind] > 0, kind].nlargest(n) for kind in KINDS]
        if all(len(top) == n and top.iloc[-1] > 1 for top in tops):
            break
    return table.loc[tops[0].index.union(tops[1].index, sort=False)]


# ---- Tokens that n-gram text cannot hold ----


def encoded_frame(columns: TokenColumns) -> pd.DataFrame:
    """Return the readable segments with each token as a hexadecimal number."""
    segments = []
    for position in range(len(columns.index)):
        with contextlib.suppress(UnreadableError):
            segments.append([list(map(encode_token, tokens)) for tokens in columns.lists(position)])
    segments = [lists for lists in segments if len(lists) > 1]  # a segment without references is not counted
    hypotheses = pd.Series([hypothesis for hypothesis, *_ in segments], dtype=object)
    return pd.DataFrame({"hypothesis": hypotheses, "references": pd.Series([r for _, *r in segments], dtype=object)})


def encode_token(token: str) -> str:
    """Return a token as a hexadecimal number."""
    return token.encode("utf-8", "surrogatepass").hex()


def decode_token(number: str) -> str:
    """Return the token that `encode_token` has encoded."""
    return bytes.fromhex(number).decode("utf-8", "surrogatepass")
