"""ngram_differences(): which n-grams one system matches and another does not."""

from collections.abc import Hashable, Iterable, Iterator
from typing import Any, NamedTuple, Never

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from bleupandas import columns as _columns
from bleupandas.clipping import checked_orders, checked_sep, ngrams
from bleupandas.comparing.checking import whole_number
from bleupandas.comparing.summarising import checked_min_count
from bleupandas.comparing.systems import Systems, baseline_position, systems_of
from bleupandas.scoring import float_column, scored
from bleupandas.settings import DEFAULT_ORDER, ScoreSettings, score_settings
from bleupandas.wording import listed, refuse_choice, refuse_keywords

KEYWORDS = (
    *("system", "id", "baseline", "hypothesis", "references", "rank", "examples", "min_count", "orders", "max_order"),
    *("sep", "on_unpaired", "errors", "threads"),
)
SIDES = ("baseline_only", "system_only", "both", "neither")
WINDOW_PAIRS = 1 << 14  # pairs whose n-grams are listed at once


def ngram_differences(
    df: pd.DataFrame,
    /,
    *,
    system: Any = None,
    id: Any = None,  # noqa: A002  # the word of the published data
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
    **unknown: Never,
) -> pd.DataFrame:
    """Tell of the references' n-grams which of two systems matches them, how often, and where.

    Also a method: ``df.bleu.ngram_differences()``. With the default rank, the n-grams that the system matches and the
    baseline does not stand first, ``.head(20)``, and those that only the baseline matches last, ``.tail(20)``.

    Parameters
    ----------
    df : DataFrame
        Two systems, in long form (``system=`` and ``id=``) or wide form (``hypothesis=["mt_a", "mt_b"]``), as in
        `compare`.
    system, id, hypothesis, references, on_unpaired, threads
        As in `compare`.
    baseline : system, optional
        The first in order of appearance unless given; "the system" is the other one.
    rank : {"ratio", "gain"}, default "ratio"
        What the rows are sorted by, the largest first: ratio, or system_gain.
    examples : int, default 5
        How many segments are named for each n-gram and side, at most.
    min_count : int, default 1
        Leave out n-grams of which baseline_only + system_only + both + neither is below it.
    orders, max_order, sep
        As in `ngram_summary`; gains are those of BLEU-`max_order` (or of the largest of `orders` that is above it).
    errors : {"raise", "coerce"}, default "raise"
        As in `components`. With "coerce" a segment of which either row cannot be read is left out.

    Returns
    -------
    DataFrame
        A row per order and n-gram of a reference: order, ngram (text); ratio; baseline_gain and system_gain; then
        baseline_only, system_only, both and neither, in how many places it is matched (clipped counts) by the one, the
        other, both or none; segments_baseline_only, ..., in how many segments; examples_baseline_only, ..., lists of
        the ids of the first of those (in wide form of the labels of `df`). Counts are int64, ratio and gains float64
        (Int64 and Float64 with ``errors="coerce"``), examples are Python lists. Rows of equal rank stand by
        the sum of the four counts, the larger first, then by order and n-gram.

    Raises
    ------
    KeyError, TypeError, ValueError
        As in `compare` and `ngram_summary`; where there are not exactly two systems.

    Notes
    -----
    With a and b the clipped counts of an n-gram in a segment and m its max_reference_count there (the larger one, if
    the two rows have different references): both is min(a, b), baseline_only a - both, system_only b - both, neither
    m - max(a, b), each summed over segments. The smoothed ratio is ln((system_only + 1) / (baseline_only + 1)): above 0
    the system does better. A gain is by how much that system's corpus BLEU (0..1, without smoothing) would rise if its
    clipped count were m in every segment, with everything else, totals too, as it is.

    Examples
    --------
    >>> import pandas as pd, bleupandas
    >>> df = pd.DataFrame({
    ...     "a": ["a cat sat".split(), "dogs bark".split()],
    ...     "b": ["the cat sat".split(), "the dogs bark".split()],
    ...     "references": ["the cat sat".split(), "the dogs bark".split()],
    ... })
    >>> found = bleupandas.ngram_differences(df, hypothesis=["a", "b"], orders=1)
    >>> found[["ngram", "ratio", "baseline_only", "system_only", "both", "examples_system_only"]].head(2).round(2)
      ngram  ratio  baseline_only  system_only  both examples_system_only
    0   the    1.1              0            2     0               [0, 1]
    1  bark    0.0              0            0     1                   []
    """
    refuse_keywords("ngram_differences", unknown, KEYWORDS)
    _columns.checked_frame(df, "ngram_differences")
    wanted, separator = checked_orders(orders, max_order), checked_sep(sep)
    least, most_examples = checked_min_count(min_count), whole_number("examples", examples, 0)
    if not isinstance(rank, str) or rank not in ("ratio", "gain"):
        refuse_choice("rank", rank, ["ratio", "gain"])
    for label in hypothesis if isinstance(hypothesis, list) else [hypothesis]:
        _columns.token_columns(df, label, references, "ngram_differences")
    settings = score_settings("corpus", max_order=max(DEFAULT_ORDER if max_order is None else max_order, wanted[-1]))
    systems = systems_of(
        df, "ngram_differences", system=system, id=id, hypothesis=hypothesis, references=references, components=False,
        settings=settings, errors=errors, threads=threads, on_unpaired=on_unpaired,
    )  # fmt: skip
    pair = two_of(systems, baseline)
    labels = [hypothesis[i] if isinstance(hypothesis, list) else hypothesis for i in pair]
    kept = np.flatnonzero(~systems.missing[pair].any(axis=0))
    rows = [systems.positions[i][kept] for i in pair]
    options = {"references": references, "orders": wanted, "sep": separator, "threads": threads}
    found = gathered(listed_pairs(df, rows, labels, options))
    found, sums = totalled(found, least)
    sums["ratio"] = np.log1p(sums["system_only"]) - np.log1p(sums["baseline_only"])
    for name, i, other in (("baseline", pair[0], "system_only"), ("system", pair[1], "baseline_only")):
        components = systems.values[i][:, kept].sum(axis=1)
        sums[f"{name}_gain"] = gains(components, sums["order"], sums["neither"] + sums[other], settings)
    place = ranked(sums, sums["ratio"] if rank == "ratio" else sums["system_gain"])
    ids = systems.ids[kept].tolist()
    return differences_frame(found, sums, place, ids, most_examples, systems.nullable)


def two_of(systems: Systems, baseline: Hashable | None) -> list[int]:
    """Give the baseline's place and the other system's, or raise where there are not two."""
    first = baseline_position(systems.names, baseline, "ngram_differences")
    if len(systems.names) > 2:
        raise ValueError(
            f"ngram_differences() tells two systems apart, and the frame has {len(systems.names)}: "
            f"{listed(systems.names)}; keep the rows (or columns) of two"
        )
    return [first, 1 - first]


# ---- The n-grams of pairs ----


class Found(NamedTuple):
    """A row for each pair and n-gram of its references."""

    pair: NDArray[np.int64]
    ngram: NDArray[np.int64]  # number of the n-gram
    counts: NDArray[np.int64]  # (4, n), by SIDES
    texts: Any  # by number
    orders: NDArray[np.int64]  # by number


def listed_pairs(
    df: pd.DataFrame, rows: list[NDArray[np.int64]], labels: list[Any], options: dict[str, Any]
) -> Iterator[pd.DataFrame]:
    """List the references' n-grams of pairs of rows, so many pairs at once, with the counts of both systems."""
    for start in range(0, max(len(rows[0]), 1), WINDOW_PAIRS):
        sides = []
        for positions, label in zip(rows, labels, strict=True):
            part = df.iloc[positions[start : start + WINDOW_PAIRS]]
            try:
                side = ngrams(part, hypothesis=label, side="references", ignore_index=True, **options)
            except ValueError as error:  # n-gram text: told by the row of the caller's frame
                tokens = _columns.token_columns(df, label, options["references"], "ngram_differences")
                raise _columns.text_error(tokens, True, options["sep"], forms=False) from error
            sides.append(side)
        both = aligned(*sides)
        both["segment"] += start
        yield both


def aligned(a: pd.DataFrame, b: pd.DataFrame) -> pd.DataFrame:
    """Give one row per segment and n-gram: order, ngram and, by SIDES, the counts."""
    keys = ["segment", "order", "ngram"]
    numbers = ["clipped_count", "max_reference_count"]
    if a[keys].equals(b[keys]):  # the same references
        both = a[keys].copy()
        matched_a, most_a, matched_b, most_b = (side[name] for side in (a, b) for name in numbers)
    else:
        merged = a[[*keys, *numbers]].merge(b[[*keys, *numbers]], on=keys, how="outer", suffixes=("_a", "_b"))
        both = merged[keys].copy()
        filled = merged.drop(columns=keys).fillna(0).astype(np.int64)
        matched_a, most_a, matched_b, most_b = (filled[f"{name}_{side}"] for side in "ab" for name in numbers)
    shared = np.minimum(matched_a, matched_b)
    both["baseline_only"], both["system_only"], both["both"] = matched_a - shared, matched_b - shared, shared
    both["neither"] = np.maximum(most_a, most_b) - np.maximum(matched_a, matched_b)
    return both


def gathered(parts: Iterator[pd.DataFrame]) -> Found:
    """Give the n-grams of all parts, numbered."""
    segments, counts, orders, texts = [], [], [], []
    for part in parts:
        segments.append(part["segment"].to_numpy())
        counts.append(part[list(SIDES)].to_numpy().T.astype(np.int32))
        orders.append(part["order"].to_numpy())
        texts.append(part["ngram"])
    numbers, distinct = pd.factorize(pd.concat(texts, ignore_index=True))
    every = np.zeros(len(distinct), np.int64)
    every[numbers] = np.concatenate(orders)
    return Found(np.concatenate(segments), numbers.astype(np.int64), np.hstack(counts), distinct, every)


def totalled(found: Found, min_count: int) -> tuple[Found, dict[str, Any]]:
    """Sum up by n-gram, and leave out rare ones."""
    n = len(found.orders)
    totals = np.array([np.bincount(found.ngram, counts, n) for counts in found.counts]).astype(np.int64)
    kept = totals.sum(axis=0) >= min_count
    number = np.cumsum(kept) - 1
    there = kept[found.ngram]
    found = Found(
        found.pair[there], number[found.ngram[there]], found.counts[:, there], found.texts[kept], found.orders[kept]
    )
    sums = dict(zip(SIDES, totals[:, kept], strict=True))
    for side, counts in zip(SIDES, found.counts, strict=True):
        sums[f"segments_{side}"] = np.bincount(found.ngram[counts > 0], minlength=len(found.orders))
    by_text = np.empty(len(found.orders), np.int64)
    by_text[pc.sort_indices(pa.array(found.texts, pa.large_string()))] = np.arange(len(by_text))
    return found, sums | {"order": found.orders, "by_text": by_text}


# ---- Ranks ----


def gains(
    components: NDArray[np.int64], orders: NDArray[np.int64], added: NDArray[np.int64], settings: ScoreSettings
) -> NDArray[np.float64]:
    """Give what corpus BLEU gains where matches of an order are added to its components, (2 + 2 * N,)."""
    cases, which = np.unique(np.stack([orders, added]), axis=1, return_inverse=True)
    values = np.repeat(components[:, np.newaxis], cases.shape[1] + 1, axis=1)
    at = np.arange(cases.shape[1])
    totals = components[1 + settings.max_order + cases[0]]
    values[1 + cases[0], at] = np.minimum(values[1 + cases[0], at] + cases[1], totals)
    scores = scored(values, settings).score
    gained: NDArray[np.float64] = (scores[:-1] - scores[-1])[which.reshape(-1)]
    return gained


def ranked(sums: dict[str, Any], by: NDArray[np.float64]) -> NDArray[np.int64]:
    """Give the order of rows, equal ones by how frequent they are, then by order and text."""
    total = sum(sums[side] for side in SIDES)
    return np.lexsort((sums["by_text"], sums["order"], -total, -by))


def first_pairs(found: Found, which: int, most: int, n: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Give for each of n n-grams the first pairs in which a count is above 0: pairs, and (n + 1,) offsets into them."""
    there = np.flatnonzero(found.counts[which] > 0)
    order = there[np.lexsort((found.pair[there], found.ngram[there]))]
    number = found.ngram[order]
    starts = np.searchsorted(number, np.arange(n + 1))
    few = np.arange(len(order)) - starts[number] < most
    ends = np.zeros(n + 1, np.int64)
    np.cumsum(np.minimum(np.diff(starts), most), out=ends[1:])
    return found.pair[order[few]], ends


def differences_frame(
    found: Found, sums: dict[str, Any], place: NDArray[np.int64], ids: list[Any], examples: int, nullable: bool
) -> pd.DataFrame:
    """Lay it out as columns."""
    whole = np.zeros(len(place), np.bool_)
    data: dict[str, Any] = {"order": sums["order"][place], "ngram": found.texts[place].array}
    data |= {name: float_column(sums[name][place], nullable) for name in ("ratio", "baseline_gain", "system_gain")}
    data |= {name: sums[name][place] for name in (*SIDES, *(f"segments_{side}" for side in SIDES))}
    if nullable:
        integers = {name: v for name, v in data.items() if isinstance(v, np.ndarray)}
        data |= {name: _columns.coerced_integers(v, whole) for name, v in integers.items()}
    for which, side in enumerate(SIDES):
        pairs, ends = first_pairs(found, which, examples, len(place))
        named = [ids[pair] for pair in pairs.tolist()]
        lists = np.empty(len(place), object)
        for i, number in enumerate(place.tolist()):
            lists[i] = named[ends[number] : ends[number + 1]]
        data[f"examples_{side}"] = lists
    return pd.DataFrame(data, copy=False)
