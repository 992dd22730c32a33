"""A corpus in parts: the columns a call reads, the sums of each part, and the score of all."""

import dataclasses
from collections.abc import Callable, Hashable, Iterable
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from bleupandas.common import MAX_ORDER, CountOptions, Problem, count_options, row_place, short_repr
from bleupandas.counting import Sums, read_sums
from bleupandas.engine import as_list
from bleupandas.reading import (
    HYPOTHESIS,
    REFERENCES,
    SEGMENTS,
    SEGMENTS_MISSING,
    check_group_sums,
    component_names,
    exact_sum,
    find_shape,
    near_limit,
    reads_components,
    sum_groups,
)
from bleupandas.scoring import CorpusScore, ScoreSettings, score_corpus, score_groups, score_settings

FEWEST_REFERENCES, MOST_REFERENCES = "fewest_references", "most_references"
MAX_GROUP_ROWS = 1 << 16  # rows of group sums to keep before adding them up
SCORE_OPTIONS = ("convention", "max_order", "smoothing", "weights", "effective_order", "epsilon", "k", "alpha")
COMPONENT_COLUMNS = frozenset([*component_names(MAX_ORDER), SEGMENTS, SEGMENTS_MISSING])


def get_token_labels(hypothesis: Hashable, references: Any) -> list[Any]:
    """Return the labels of the token columns, the hypothesis first."""
    several = references if isinstance(references, list) else [references]
    labels = [HYPOTHESIS if hypothesis is None else hypothesis]
    return labels + [REFERENCES if label is None else label for label in several]


def get_columns(options: dict[str, Any]) -> CountOptions:
    """Return the keywords that choose columns; a function without components= reads tokens."""
    return CountOptions(
        hypothesis=options["hypothesis"],
        references=options["references"],
        components=bool(options.get("components", False)),
    )


def find_used_columns(df: pd.DataFrame, options: dict[str, Any], carried: Iterable[Hashable] = ()) -> list[Any]:
    """Return the columns that a call reads from a frame like `df`, which may be empty, each once."""
    hypothesis, references = options["hypothesis"], options["references"]
    if reads_components(df, get_columns(options)):
        used = [label for label in df.columns if label in COMPONENT_COLUMNS]
    else:
        used = get_token_labels(hypothesis, references)
    return list(dict.fromkeys([*used, *carried]))


def find_text_labels(columns: Iterable[Any], options: dict[str, Any], is_text: Callable[[Any], bool]) -> list[Any]:
    """Return the labels of token columns that hold text according to `is_text`; none if components are read."""
    frame = pd.DataFrame(columns=list(columns))
    if reads_components(frame, get_columns(options)):
        return []
    labels = get_token_labels(options["hypothesis"], options["references"])
    return [label for label in labels if label in frame.columns and is_text(label)]


def refuse_undecided(part: pd.DataFrame, options: dict[str, Any]) -> None:
    """Raise ValueError for an empty list in a reference column whose cells hold no token.

    In one frame another row decides whether the column is nested; a Dask partition does not see the others.
    """
    if reads_components(part, get_columns(options)):
        return
    for label in get_token_labels(options["hypothesis"], options["references"])[1:]:
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


class CorpusParts(NamedTuple):
    """A call of corpus() on data in parts: sums of each part, and the score of all parts.

    Sums are frames with the columns of components, segments and segments_missing. Without `by` they have one row, and
    two columns with the smallest and largest number of references of a segment, 0 if unknown. With `by` they have a
    row per group, on an index of the keys. Everything here can be pickled.
    """

    options: dict[str, Any]  # all keywords of `bleupandas.corpus` except those of grouping
    settings: ScoreSettings
    tokenizer: str | None = None  # the tokenizer of the tokens, if known

    @classmethod
    def from_options(cls, options: dict[str, Any], tokenizer: str | None = None) -> "CorpusParts":
        """Return the parts for keywords that `bleupandas.corpus` has checked."""
        return cls(options, score_settings("corpus", **{name: options[name] for name in SCORE_OPTIONS}), tokenizer)

    def sum_part(self, df: pd.DataFrame, by: Any = None) -> pd.DataFrame:
        """Return the sums of one part: of all rows, or of the groups of `by`."""
        names = ("hypothesis", "references", "components", "errors", "threads")
        count = count_options(**{name: self.options[name] for name in names})
        sums = read_sums(df, "corpus", count, self.settings.max_order, self.settings.orders_for)
        if by is None:
            return sum_rows(sums)
        options = {"sort": False, "observed": True, "margins": False, "dropna": self.options["dropna"]}
        return sum_groups(df, sums.to_frame(), by, **options)

    def score(self, sums: pd.DataFrame) -> CorpusScore:
        """Return the score for the sums of all rows, a frame of one row."""
        [numbers] = sums[[FEWEST_REFERENCES, MOST_REFERENCES]].to_numpy(np.int64).tolist()
        total = Sums.from_frame(sums, self.settings.orders_read)
        total = dataclasses.replace(total, reference_counts=frozenset(numbers) - {0})
        return score_corpus(total, self.settings, self.tokenizer)

    def score_groups(self, sums: pd.DataFrame, like: pd.Index, several: bool) -> pd.DataFrame:
        """Return the scores of groups, sorted as the options say.

        Parameters
        ----------
        sums : DataFrame
            Sums of any number of parts; a key may occur several times.
        like : Index
            An index of keys with the names and dtypes of the result.
        several : bool
            Whether `by` was a list.
        """
        keys = []
        for level, name in enumerate(like.names):
            values = cast_keys(sums.index.get_level_values(level), like.get_level_values(level).dtype)
            keys.append(pd.Series(values, name=name))
        options = {name: self.options[name] for name in ("sort", "observed", "dropna", "margins")}
        rows = sums.reset_index(drop=True)
        groups = sum_groups(rows, rows, keys if several else keys[0], **options)
        nullable = self.options["errors"] == "coerce"
        return score_groups(Sums.from_frame(groups, self.settings.orders_read, nullable=nullable), self.settings)

    def score_total(self, parts: Iterable[pd.DataFrame], by: Any) -> Any:
        """Return the score of all parts; sums are added up while they arrive, to bound the memory."""
        add, kept = (add_parts if by is None else add_groups), list[pd.DataFrame]()
        for sums in parts:
            # Keys of an empty part may have another dtype.
            kept = [part for part in (*kept, sums) if len(part)] or [sums]
            if len(kept) > 1 and sum(map(len, kept)) > MAX_GROUP_ROWS:
                kept = [add(pd.concat(kept))]
        sums = add(pd.concat(kept))
        return self.score(sums) if by is None else self.score_groups(sums, sums.index, isinstance(by, list))


def cast_keys(keys: pd.Index, kind: Any) -> pd.Index:
    """Return keys in the dtype of the frame; parts of several dtypes may have turned them into objects."""
    if keys.dtype == kind or pd.api.types.is_object_dtype(kind):
        return keys
    is_open = isinstance(kind, pd.CategoricalDtype) and not keys.dropna().isin(kind.categories).all()
    return keys.astype("category" if is_open else kind)


def sum_rows(sums: Sums) -> pd.DataFrame:
    """Return the sum of all rows as a frame of one row."""
    numbers = sums.reference_counts or {0}
    return sums.sum().to_frame().assign(**{FEWEST_REFERENCES: min(numbers), MOST_REFERENCES: max(numbers)})


def add_parts(sums: pd.DataFrame) -> pd.DataFrame:
    """Return the sum of parts without keys, as a frame of one row."""
    total = pd.DataFrame([exact_sum(sums.to_numpy(np.int64).T, sums.columns)], columns=sums.columns)
    known = sums[FEWEST_REFERENCES][sums[FEWEST_REFERENCES] > 0]
    total[FEWEST_REFERENCES], total[MOST_REFERENCES] = (
        known.min() if len(known) else 0,
        sums[MOST_REFERENCES].max() if len(sums) else 0,
    )
    return total


def add_groups(sums: pd.DataFrame) -> pd.DataFrame:
    """Return the sums of equal keys, in order of appearance."""
    options: Any = {"level": list(range(sums.index.nlevels)), "dropna": False, "sort": False, "observed": True}
    groups = sums.groupby(**options).sum()
    if near_limit(sums):
        check_group_sums(groups, sums.astype(np.float64).groupby(**options).sum())
    return groups
