"""Counts and scores of a whole file, batch by batch in bounded memory, with the results of one frame."""

import contextlib
import dataclasses
import inspect
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from bleupandas.common import DEFAULT_ORDER, check_errors, check_order, check_threads, is_missing
from bleupandas.contracts.error_text import quote
from bleupandas.contracts.errors import ContractError
from bleupandas.contracts.file_formats import file_error
from bleupandas.contracts.row_reader import RowReader
from bleupandas.counting import components, ngrams
from bleupandas.engine import as_list
from bleupandas.reading import TokenColumns, complete_orders, find_column, is_nested_cell, token_columns, tokenize
from bleupandas.scaling import COMPONENT_COLUMNS, CorpusParts, sum_rows
from bleupandas.scoring import ScoreSettings, Sums, corpus, score, score_settings, sums_of_tokens

# What messages advise, and how the command line has it.
OPTIONS = [
    (r"tokenize first: df = bleupandas\.tokenize\(df, \{.*?\}\)", "tokenize: pass --tokenize 13a"),
    (r"pass errors='coerce'", "pass --errors coerce"),
]


@contextlib.contextmanager
def told(kind: str = "") -> Iterator[None]:
    """Turn what the package's functions raise for a caller's mistake into a ContractError; `kind` is the file's."""
    try:
        yield
    except (KeyError, TypeError, ValueError, ImportError) as error:
        # a batch is a frame of its own: its index tells the position in the file
        message = re.sub(r"\brow (\d+) \(position \d+\)", r"row \1 (position \1)", " ".join(str(error).split()))
        for pattern, on_the_command_line in OPTIONS:
            message = re.sub(pattern, on_the_command_line, message)
        if kind in ("csv", "tsv"):
            message = message.replace("give [] for", 'give JSONL with "" for')
        raise ContractError("invalid_input", message) from error


@dataclass
class FileCounter:
    """Counts and scores the rows of a file.

    Attributes
    ----------
    reader : RowReader
    hypothesis : str, optional
        A column; "hypothesis" by default.
    references : list of str
        Columns; "references" by default.
    tokenizer : str, optional
        The tokenizer of columns that hold text.
    keep : list of str
        Columns to copy to the result.
    max_order : int, optional
    errors : {"raise", "coerce"}
    threads : int, optional
    """

    reader: RowReader
    hypothesis: str | None = None
    references: Sequence[str] = ()
    tokenizer: str | None = None
    keep: Sequence[str] = ()
    max_order: int | None = None
    errors: str = "raise"
    threads: int | None = None
    count_options: dict[str, Any] = field(init=False)

    def __post_init__(self) -> None:
        self.count_options = {"errors": self.errors, "threads": self.threads}
        self.has_labels = self.hypothesis is not None or bool(self.references)
        self.labels = [self.hypothesis or "hypothesis", *(self.references or ["references"])]
        self.from_components = self._reads_components()
        if self.reader.kind in ("csv", "tsv") and self.tokenizer is None and not self.from_components:
            kind = self.reader.kind.upper()
            raise file_error(f"{kind} holds text, not token lists; choose a tokenizer: --tokenize 13a")
        with told():
            for label in (*([] if self.from_components else self.labels), *self.keep):
                find_column(pd.DataFrame(columns=self.reader.columns), label, self._label_role(label))

    def _label_role(self, label: str) -> str:
        return "the hypothesis" if label == self.labels[0] else "references" if label in self.labels else "--keep"

    def _reads_components(self) -> bool:
        """Return whether to read components columns: the file has some, no token columns, and none are chosen."""
        columns = self.reader.columns
        if self.has_labels or self.tokenizer is not None or set(self.labels) <= set(columns):
            return False
        return complete_orders(columns) > 0

    @property
    def token_options(self) -> dict[str, Any]:
        """The token columns as keywords of the package's functions."""
        if self.from_components:
            return {}
        hypothesis, *references = self.labels
        return {"hypothesis": hypothesis, "references": references if len(references) > 1 else references[0]}

    # ---- Batches ----

    def batches(self, carried: Sequence[str]) -> Iterator[tuple[pd.DataFrame, pd.DataFrame]]:
        """Yield the rows: token columns (after `heads`) or components columns, and the columns to copy."""
        used = (
            [name for name in self.reader.columns if name in COMPONENT_COLUMNS] if self.from_components else self.labels
        )
        columns = list(dict.fromkeys([*used, *carried]))
        pairs = ((self._tokens(frame[used]), frame[list(carried)]) for frame in self.reader.batches(columns))
        return pairs if self.from_components else with_heads(pairs, self.labels)

    def _tokens(self, frame: pd.DataFrame) -> pd.DataFrame:
        if self.tokenizer is None:
            return frame
        if self.reader.kind in ("csv", "tsv"):  # an empty text and a missing one look the same, as in pandas
            frame = frame.map(lambda cell: cell or None)
        with told():
            return tokenize(frame, {label: label for label in self.labels}, self.tokenizer, progress=False)

    def counts(self, orders: int, carried: Sequence[str]) -> Iterator[tuple[pd.DataFrame, pd.DataFrame]]:
        """Yield the components of the rows, and the columns to copy."""
        for tokens, others in self.batches(carried):
            if self.from_components:
                yield tokens, others
                continue
            with told(self.reader.kind):
                counted = components(tokens, **self.token_options, max_order=orders, **self.count_options)
            yield counted.iloc[len(tokens) - len(others) :], others

    # ---- Results, batch by batch ----

    def components(self) -> Iterator[pd.DataFrame]:
        """Yield the components of every row."""
        order = self._get_order()
        for counted, others in self.counts(order, self.keep):
            with told():
                found = components(counted, max_order=self.max_order) if self.from_components else counted
            yield join_columns(others, found)

    def ngrams(self, **options: Any) -> Iterator[pd.DataFrame]:
        """Yield the n-grams of every row."""
        if self.from_components:
            with told():  # raises: n-grams need tokens
                ngrams(pd.DataFrame(columns=self.reader.columns))
        for tokens, others in self.batches(self.keep):
            with told(self.reader.kind):
                found = ngrams(
                    tokens,
                    **self.token_options,
                    max_order=self.max_order,
                    ignore_index=True,
                    **options,
                    **self.count_options,
                )
            n_heads = len(tokens) - len(others)
            found = found[found["segment"] >= n_heads].reset_index(drop=True)
            rows = found["segment"].to_numpy("int64") - n_heads
            found["segment"] += int(others.index[0]) - n_heads if len(others) else 0
            yield join_columns(others.take(rows).reset_index(drop=True), found)

    def scores(self, **options: Any) -> Iterator[pd.DataFrame]:
        """Yield the score of every row."""
        with told():
            orders = score_settings("score", max_order=self.max_order, **options).orders_read
        for counted, others in self.counts(orders, self.keep):
            with told():
                found = score(counted, components=True, max_order=self.max_order, errors=self.errors, **options)
            yield join_columns(others, found.to_frame())

    def corpus(self, by: Sequence[str], **options: Any) -> Iterator[pd.DataFrame]:
        """Yield one frame: the score of all rows, or of each group."""
        with told():
            parts = CorpusParts.from_options(self._corpus_options(options), self.tokenizer)
            for label in by:
                find_column(pd.DataFrame(columns=self.reader.columns), label, "--by")

        def sums() -> Iterator[pd.DataFrame]:
            if not by and not self.from_components:
                yield from self._sums_of_tokens(parts.settings)
                return
            for counted, others in self.counts(parts.settings.orders_read, by):
                keys = [others[label] for label in by] if by else None
                with told():
                    found = parts.sum_part(counted, keys)
                yield found

        with told():  # sums may exceed int64
            found = parts.score_total(sums(), list(by) or None)
        yield join_columns(found.index.to_frame(index=False), found.reset_index(drop=True)) if by else found.to_frame()

    def _sums_of_tokens(self, settings: ScoreSettings) -> Iterator[pd.DataFrame]:
        """Yield the sums of each batch, with the numbers of references, which components do not hold."""
        mode, threads = check_errors(self.errors), check_threads(self.threads)
        for tokens, others in self.batches([]):
            with told(self.reader.kind):
                found = token_columns(tokens, **self.token_options, needs="corpus")
                source = sums_of_tokens(found, settings.orders_read, mode, threads)
            yield sum_rows(without_heads(source, found, len(tokens) - len(others)))

    def _corpus_options(self, options: dict[str, Any]) -> dict[str, Any]:
        """Return all keywords of `bleupandas.corpus`, for components columns."""
        keywords = inspect.signature(corpus).parameters.values()
        every = {option.name: option.default for option in keywords if option.kind is option.KEYWORD_ONLY}
        return every | options | {"components": True, "max_order": self.max_order, **self.count_options}

    def _get_order(self) -> int:
        with told():
            return DEFAULT_ORDER if self.max_order is None else check_order(self.max_order)


def join_columns(others: pd.DataFrame, found: pd.DataFrame) -> pd.DataFrame:
    """Return a result with the copied columns in front."""
    for name in others.columns:
        if name in found.columns:
            raise file_error(f"the column {quote(name)} is also a column of the result; rename it, or leave it out")
    return pd.concat([others.set_axis(found.index), found], axis=1)


# ---- Nested or flat: decided by the first cell of the file that tells, not of each batch ----


def with_heads(
    pairs: Iterator[tuple[pd.DataFrame, pd.DataFrame]], labels: Sequence[str]
) -> Iterator[tuple[pd.DataFrame, pd.DataFrame]]:
    """Put rows before each batch that tell what its reference columns hold, at the positions where the file told it.

    On one frame the first cell that tells makes a reference column nested or flat, and an error of the other kind
    names its row. Batches that come before that cell wait for it. Arrow columns tell by their type.
    """
    hypothesis, *references = labels
    heads: dict[int, dict[str, Any]] = {}
    untold: set[str] | None = None
    waiting: list[tuple[pd.DataFrame, pd.DataFrame]] = []
    for tokens, others in pairs:
        if untold is None:
            untold = {label for label in references if tokens[label].dtype == object}
        for label in sorted(untold):
            told_at = first_tell(tokens[label])
            if told_at is not None:
                row = heads.setdefault(told_at[0], {hypothesis: []} | dict.fromkeys(references))
                row[label] = [["x"]] if told_at[1] else ["x"]
                untold.discard(label)
        waiting.append((tokens, others))
        if not untold:
            yield from ((headed(heads, *pair), pair[1]) for pair in waiting)
            waiting = []
    yield from ((headed(heads, *pair), pair[1]) for pair in waiting)


def first_tell(column: "pd.Series[Any]") -> tuple[int, bool] | None:
    """Give the position of the first cell that tells, and whether it is nested."""
    for position, cell in zip(column.index, column.array, strict=True):
        nested = is_nested_cell(cell)
        if nested is not None:
            return int(position), nested
    return None


def headed(heads: dict[int, dict[str, Any]], tokens: pd.DataFrame, others: pd.DataFrame) -> pd.DataFrame:
    """Put the head rows that are not the batch's own before it."""
    away = {position: row for position, row in heads.items() if position not in others.index}
    if not away:
        return tokens
    first = pd.DataFrame(list(away.values()), index=list(away), columns=tokens.columns, dtype=object)
    return pd.concat([first, tokens])


def without_heads(source: Sums, columns: TokenColumns, n_heads: int) -> Sums:
    """Leave the head rows out of what was counted of a batch."""
    if not n_heads:
        return source
    missing = source.missing[n_heads:]
    numbers = np.zeros(len(source.missing), np.int64)
    for form, nested in zip(columns.forms[1:], columns.nested, strict=True):
        cells = form.pylist(0, len(form))
        numbers += [0 if is_missing(cell) else there(cell) if nested else 1 for cell in cells]
    return dataclasses.replace(
        source,
        index=source.index[n_heads:],
        array=source.array[:, n_heads:],
        missing=missing,
        segments=source.segments[n_heads:],
        segments_missing=source.segments_missing[n_heads:],
        reference_counts=frozenset(numbers[n_heads:][~missing].tolist()),
    )


def there(cell: object) -> int:
    """Give the number of references in a nested cell."""
    return sum(not is_missing(item) for item in as_list(cell) or ())
