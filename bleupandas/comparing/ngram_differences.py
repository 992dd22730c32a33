"""ngram_differences(): which n-grams one system matches and another does not."""

from collections.abc import Hashable, Iterable, Sequence
from typing import Any, Never

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from bleupandas.common import (
    DEFAULT_ORDER,
    check_errors,
    check_threads,
    check_whole_number,
    join_values,
    refuse_choice,
    refuse_keywords,
)
from bleupandas.comparing.systems import Systems, baseline_position, systems_of
from bleupandas.counting import (
    TEXT,
    arrow_text,
    check_listed_orders,
    check_min_count,
    check_sep,
    nullable_integers,
    tally_rows,
    text_error,
)
from bleupandas.engine import Contrasts
from bleupandas.reading import TokenColumns, check_frame, exact_sum, token_columns
from bleupandas.scoring import ScoreSettings, float_column, score_settings, score_sums

KEYWORDS = (
    *("system", "id", "baseline", "hypothesis", "references", "rank", "examples", "min_count", "orders", "max_order"),
    *("sep", "on_unpaired", "errors", "threads"),
)
SIDES = ("baseline_only", "system_only", "both", "neither")


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
        other, both or none; segments_baseline_only, ..., in how many segments; examples_baseline_only, ..., tuples
        of the ids of the first of those (in wide form of the labels of `df`). Counts are int64, ratio and gains float64
        (Int64 and Float64 with ``errors="coerce"``). Rows of equal rank stand by the sum of the four counts, the larger
        first, then by order and, token by token, the n-gram.

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
    0   the    1.1              0            2     0               (0, 1)
    1  bark    0.0              0            0     1                   ()
    """
    refuse_keywords("ngram_differences", unknown, KEYWORDS)
    check_frame(df, "ngram_differences")
    wanted, separator = check_listed_orders(orders, max_order), check_sep(sep)
    least, most_examples = check_min_count(min_count), check_whole_number("examples", examples, 0)
    if not isinstance(rank, str) or rank not in ("ratio", "gain"):
        refuse_choice("rank", rank, ["ratio", "gain"])
    n_threads = check_threads(threads)
    wide = isinstance(hypothesis, list)
    labels: list[Any] = hypothesis if isinstance(hypothesis, list) else [hypothesis]
    sides = [token_columns(df, label, references, "ngram_differences") for label in labels]
    settings = score_settings("corpus", max_order=max(DEFAULT_ORDER if max_order is None else max_order, wanted[-1]))
    systems = systems_of(
        df, "ngram_differences", system=system, id=id, hypothesis=hypothesis, references=references, components=False,
        settings=settings, errors=errors, threads=threads, on_unpaired=on_unpaired,
    )  # fmt: skip
    pair = two_of(systems, baseline)
    kept = np.flatnonzero(~systems.missing[pair].any(axis=0))
    rows = np.stack([systems.positions[i][kept] + (i * len(df) if wide else 0) for i in pair])
    tally, unwritable = tally_rows(sides, check_errors(errors), n_threads)
    if unwritable or tally.holds(separator):
        refuse_references(sides, separator)
    found = tally.contrasts(rows, wanted, least, separator, most_examples, n_threads)
    components = [exact_sum(systems.values[i][:, kept]) for i in pair]
    by = "ratio" if rank == "ratio" else "system_gain"
    return told_apart(found, components, systems.ids[kept].tolist(), settings, by, most_examples, systems.nullable)


def told_apart(
    found: Contrasts,
    components: Sequence[NDArray[np.int64]],
    ids: list[Any],
    settings: ScoreSettings,
    by: str,
    examples: int,
    nullable: bool,
    most: int | None = None,
) -> pd.DataFrame:
    """Give what `ngram_differences` gives, or only so many of its first and last rows.

    Components are the sums of baseline and system, ids those of the pairs.
    """
    sums = totals(found)
    for name, one, other in zip(("baseline", "system"), components, ("system_only", "baseline_only"), strict=True):
        sums[f"{name}_gain"] = gains(one, sums["order"], sums["neither"] + sums[other], settings)
    place = ranked(sums, by)
    if most is not None and 2 * most < len(place):
        place = np.concatenate([place[:most], place[len(place) - most :]])
    return differences_frame(found, sums, place, ids, examples, nullable)


def two_of(systems: Systems, baseline: Hashable | None) -> list[int]:
    """Give the baseline's place and the other system's, or raise where there are not two."""
    first = baseline_position(systems.names, baseline, "ngram_differences")
    if len(systems.names) > 2:
        raise ValueError(
            f"ngram_differences() tells two systems apart, and the frame has {len(systems.names)}: "
            f"{join_values(systems.names)}; keep the rows (or columns) of two"
        )
    return [first, 1 - first]


def refuse_references(sides: list[TokenColumns], sep: str) -> None:
    """Raise for the first token of a reference that n-gram text cannot hold; hypotheses' n-grams are not listed."""
    for tokens in sides:
        error = text_error(tokens, True, sep, forms=False)
        if isinstance(error, ValueError):
            raise error


# ---- Ranks ----


def totals(found: Contrasts) -> dict[str, NDArray[Any]]:
    """Name the numbers, and add the ratio."""
    order, *numbers = found.numbers
    names = (*SIDES, *(f"segments_{side}" for side in SIDES))
    sums: dict[str, NDArray[Any]] = {"order": order} | dict(zip(names, numbers, strict=True))
    sums["ratio"] = np.log1p(sums["system_only"]) - np.log1p(sums["baseline_only"])
    return sums


def gains(
    components: NDArray[np.int64], orders: NDArray[np.int64], added: NDArray[np.int64], settings: ScoreSettings
) -> NDArray[np.float64]:
    """Give what corpus BLEU gains where matches of an order are added to its components, (2 + 2 * N,)."""
    which, cases = pd.factorize(added * (settings.max_order + 1) + orders)  # few of the sums differ
    more, order = np.divmod(cases, settings.max_order + 1)
    values = np.repeat(components[:, np.newaxis], len(cases) + 1, axis=1)
    at = np.arange(len(cases))
    values[1 + order, at] = np.minimum(values[1 + order, at] + more, components[1 + settings.max_order + order])
    scores = score_sums(values, settings).score
    gained: NDArray[np.float64] = (scores[:-1] - scores[-1])[which]
    return gained


def ranked(sums: dict[str, NDArray[Any]], by: str) -> NDArray[np.int64]:
    """Give the order of rows, equal ones by how frequent they are; they come by order and text, and stay so."""
    total: NDArray[np.int64] = np.sum([sums[side] for side in SIDES], axis=0)
    return np.lexsort((-total, -sums[by]))


# ---- The frame ----


def differences_frame(
    found: Contrasts,
    sums: dict[str, NDArray[Any]],
    place: NDArray[np.int64],
    ids: list[Any],
    examples: int,
    nullable: bool,
) -> pd.DataFrame:
    """Lay it out as columns."""
    text = arrow_text(found.offsets, found.text).take(pa.array(place))
    data: dict[str, Any] = {"order": sums["order"][place], "ngram": TEXT.__from_arrow__(pa.chunked_array([text]))}
    data |= {name: float_column(sums[name][place], nullable) for name in ("ratio", "baseline_gain", "system_gain")}
    data |= {name: sums[name][place] for name in (*SIDES, *(f"segments_{side}" for side in SIDES))}
    if nullable:
        whole = np.zeros(len(place), np.bool_)
        integers = {name: v for name, v in data.items() if isinstance(v, np.ndarray)}
        data |= {name: nullable_integers(v, whole) for name, v in integers.items()}
    numbers = np.minimum(found.numbers[-len(SIDES) :], examples)
    ends = np.cumsum(numbers.T).reshape(-1, len(SIDES)).T  # n-gram by n-gram, and then side by side
    named = np.empty(len(ids), object)
    named[:] = ids
    for side, counts, starts in zip(SIDES, numbers, ends - numbers, strict=True):
        data[f"examples_{side}"] = tuples(named, found.examples, starts[place], counts[place])
    return pd.DataFrame(data, copy=False)


def tuples(
    ids: NDArray[np.object_], examples: NDArray[np.int64], starts: NDArray[np.int64], counts: NDArray[np.int64]
) -> NDArray[np.object_]:
    """Give for each row a tuple of the ids of `counts` examples from `starts` on."""
    cells = np.empty(len(counts), object)
    cells.fill(())
    ones = np.fromiter(zip(ids, strict=True), object, len(ids))  # by far the most, so that rows share them
    where = np.flatnonzero(counts == 1)
    cells[where] = ones[examples[starts[where]]]
    for count in np.unique(counts[counts > 1]).tolist():  # those of one length at once
        where = np.flatnonzero(counts == count)
        pairs = examples[starts[where, np.newaxis] + np.arange(count)]
        same = zip(*ids[pairs].T.tolist(), strict=True)
        cells[where] = np.fromiter(same, object, len(where))
    return cells
