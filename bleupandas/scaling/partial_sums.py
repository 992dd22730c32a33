"""What the engines of larger data share: which columns to read, and sums of parts that become one corpus."""

from collections.abc import Callable, Hashable, Iterable
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from bleupandas.common import MAX_ORDER, Problem, row_place, short_repr
from bleupandas.engine import as_list
from bleupandas.reading import (
    HYPOTHESIS,
    REFERENCES,
    SEGMENTS,
    SEGMENTS_MISSING,
    check_group_sums,
    checked_sum,
    component_names,
    find_shape,
    near_limit,
    sum_groups,
)
from bleupandas.scoring import (
    CorpusScore,
    ScoreSettings,
    Sums,
    reads_components,
    score_corpus,
    score_groups,
    score_settings,
    segment_sums,
    sums_of,
)

FEWEST, MOST = "fewest_references", "most_references"
MOST_GROUP_ROWS = 1 << 16  # rows of group sums that are kept before they are added up
SETTINGS = ("convention", "max_order", "smoothing", "weights", "effective_order", "epsilon", "k", "alpha")
COUNTS = frozenset([*component_names(MAX_ORDER), SEGMENTS, SEGMENTS_MISSING])


def token_labels(hypothesis: Hashable, references: Any) -> list[Any]:
    """Give the labels of the token columns, the hypothesis first."""
    several = references if isinstance(references, list) else [references]
    labels = [HYPOTHESIS if hypothesis is None else hypothesis]
    return labels + [REFERENCES if label is None else label for label in several]


def used_columns(df: pd.DataFrame, options: dict[str, Any], carried: Iterable[Hashable] = ()) -> list[Any]:
    """Give the columns that a call reads of a frame, once each; `df` is such a frame, and need not have rows."""
    hypothesis, references = options["hypothesis"], options["references"]
    if reads_components(df, hypothesis, references, options.get("components", False)):
        used = [label for label in df.columns if label in COUNTS]
    else:
        used = token_labels(hypothesis, references)
    return list(dict.fromkeys([*used, *carried]))


def text_labels(columns: Iterable[Any], options: dict[str, Any], is_text: Callable[[Any], bool]) -> list[Any]:
    """Give the labels of the token columns that are text, as `is_text` tells of a label; none with components."""
    there = pd.DataFrame(columns=list(columns))
    hypothesis, references = options["hypothesis"], options["references"]
    if reads_components(there, hypothesis, references, options.get("components", False)):
        return []
    return [label for label in token_labels(hypothesis, references) if label in there.columns and is_text(label)]


def refuse_undecided(part: pd.DataFrame, options: dict[str, Any]) -> None:
    """Raise ValueError for an empty list in a reference column of which no cell holds a token.

    In one frame another row decides whether the column is nested; a Dask partition does not see the others.
    """
    if reads_components(part, options["hypothesis"], options["references"], options.get("components", False)):
        return
    for label in token_labels(options["hypothesis"], options["references"])[1:]:
        series = part[label]
        if series.dtype != object or find_shape(series.array, part.index) is not None:
            continue
        for position, cell in enumerate(series.array):
            if as_list(cell) is not None:
                raise Problem(
                    ValueError,
                    f"got {short_repr(cell)} in a partition without any reference token",
                    "a cell that shows whether the column holds token lists or lists of token lists",
                    columns=(label,),
                    row=row_place(part.index, position),
                    advice="use Arrow lists, whose type shows it (dd.read_parquet(..., dtype_backend='pyarrow'))",
                    offer="make partitions larger",
                ).error()


# ---- A corpus in parts ----


class Corpus(NamedTuple):
    """A call of corpus(): how the rows of a part become sums, how sums are added up, and what is made of them.

    Sums are frames with the columns of components, segments and segments_missing. Without `by` they have one row, and
    columns with the fewest and the most references of a row, 0 where that is not known; with `by` a row per group, on
    an index of the keys. Everything here can be pickled.
    """

    options: dict[str, Any]  # all keywords of `bleupandas.corpus`
    settings: ScoreSettings
    tokenizer: str | None = None  # that made the tokens, where it is known

    @classmethod
    def of(cls, options: dict[str, Any], tokenizer: str | None = None) -> "Corpus":
        """Make one of the keywords of `bleupandas.corpus`, which has checked them."""
        return cls(options, score_settings("corpus", **{name: options[name] for name in SETTINGS}), tokenizer)

    def sums(self, df: pd.DataFrame, by: Any = None) -> pd.DataFrame:
        """Sum up the rows of one part; `by` None for all, else what groupby takes."""
        given = {name: self.options[name] for name in ("hypothesis", "references", "components", "errors", "threads")}
        source = sums_of(df, "corpus", settings=self.settings, **given)
        if by is None:
            return one_row(source)
        sums = pd.DataFrame(source.values.T, source.rows, component_names(source.orders), copy=False)
        sums[SEGMENTS], sums[SEGMENTS_MISSING] = source.segments, source.left_out
        dropna = self.options["dropna"]
        return sum_groups(df, sums, by, sort=False, observed=True, dropna=dropna, margins=False)

    def score(self, sums: pd.DataFrame) -> CorpusScore:
        """Score the sums of all rows."""
        [row] = sums[component_names(self.settings.orders_read)].to_numpy(np.int64)
        [numbers] = sums[[SEGMENTS, SEGMENTS_MISSING, FEWEST, MOST]].to_numpy(np.int64).tolist()
        segments, left_out, fewest, most = numbers
        references = frozenset({fewest, most} - {0})
        values, nothing = row[:, np.newaxis], np.array([False])
        source = Sums(sums.index, values, nothing, np.array([segments]), np.array([left_out]), False, references, True)
        return score_corpus(source, self.settings, self.tokenizer)

    def groups(self, sums: pd.DataFrame, like: pd.Index, several: bool) -> pd.DataFrame:
        """Score the sums of groups, and order them as asked for.

        Parameters
        ----------
        sums : DataFrame
            Of any number of parts, a key possibly several times.
        like : Index
            An index of keys with the names and dtypes that the result has.
        several : bool
            Whether `by` was a list.
        """
        keys = []
        for level, name in enumerate(like.names):
            values = as_kind(sums.index.get_level_values(level), like.get_level_values(level).dtype)
            keys.append(pd.Series(values, name=name))
        options = {name: self.options[name] for name in ("sort", "observed", "dropna", "margins")}
        rows = sums.reset_index(drop=True)
        groups = sum_groups(rows, rows, keys if several else keys[0], **options)
        nullable = self.options["errors"] == "coerce"
        return score_groups(Sums.from_frame(groups, self.settings.orders_read, nullable=nullable), self.settings)

    def total(self, parts: Iterable[pd.DataFrame], by: Any) -> Any:
        """Score the sums of parts that come one after another; few of them are kept."""
        add, kept = (add_parts if by is None else added_groups), list[pd.DataFrame]()
        for sums in parts:
            kept = [part for part in (*kept, sums) if len(part)] or [sums]  # empty keys may be of another dtype
            if len(kept) > 1 and sum(map(len, kept)) > MOST_GROUP_ROWS:
                kept = [add(pd.concat(kept))]
        sums = add(pd.concat(kept))
        return self.score(sums) if by is None else self.groups(sums, sums.index, isinstance(by, list))


def as_kind(keys: pd.Index, kind: Any) -> pd.Index:
    """Give keys the dtype that they have in the frame, where parts of other dtypes have made objects of them."""
    if keys.dtype == kind or pd.api.types.is_object_dtype(kind):
        return keys
    is_open = isinstance(kind, pd.CategoricalDtype) and not keys.dropna().isin(kind.categories).all()
    return keys.astype("category" if is_open else kind)


def one_row(source: Sums) -> pd.DataFrame:
    """Sum up all rows."""
    totals = checked_sum(source.values).tolist()
    table = {name: [total] for name, total in zip(component_names(source.orders), totals, strict=True)}
    segments, left_out = segment_sums(source)
    table |= {SEGMENTS: [segments], SEGMENTS_MISSING: [left_out]}
    numbers = source.references or {0}
    return pd.DataFrame(table | {FEWEST: [min(numbers)], MOST: [max(numbers)]})


def add_parts(sums: pd.DataFrame) -> pd.DataFrame:
    """Add up rows of sums without keys, of one or more parts."""
    total = pd.DataFrame([checked_sum(sums.to_numpy(np.int64).T, sums.columns)], columns=sums.columns)
    there = sums[FEWEST][sums[FEWEST] > 0]
    total[FEWEST], total[MOST] = there.min() if len(there) else 0, sums[MOST].max() if len(sums) else 0
    return total


def added_groups(sums: pd.DataFrame) -> pd.DataFrame:
    """Add up rows of sums that have the same key, in order of appearance."""
    options: Any = {"level": list(range(sums.index.nlevels)), "dropna": False, "sort": False, "observed": True}
    groups = sums.groupby(**options).sum()
    if near_limit(sums):
        check_group_sums(groups, sums.astype(np.float64).groupby(**options).sum())
    return groups
