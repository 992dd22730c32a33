"""Counts and scores of a whole file, batch by batch in bounded memory, with the results of one frame."""

import contextlib
import inspect
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import pandas as pd

from bleupandas.common import (
    COERCE,
    DEFAULT_ORDER,
    Problem,
    RowPlace,
    check_errors,
    check_order,
    check_threads,
    get_problem,
)
from bleupandas.contracts.error_text import quote
from bleupandas.contracts.errors import ContractError
from bleupandas.contracts.file_formats import file_error
from bleupandas.contracts.row_reader import RowReader
from bleupandas.counting import (
    FORMS,
    NgramLister,
    Sums,
    check_orders,
    components,
    count_sums,
    ngrams,
    nullable_integers,
)
from bleupandas.reading import (
    Shape,
    TokenColumns,
    complete_orders,
    component_names,
    find_column,
    find_shape,
    token_columns,
    tokenize,
)
from bleupandas.scaling import COMPONENT_COLUMNS, CorpusParts, sum_rows
from bleupandas.scoring import corpus, score, score_settings

# What the functions offer, and the options of the command for it.
OFFERS = {COERCE: "pass --errors coerce", FORMS: "pass --ngram list"}
TEXT_FILES = ("csv", "tsv")


@contextlib.contextmanager
def contract_errors(kind: str = "") -> Iterator[None]:
    """Raise the caller's mistakes in the with block as ContractError; `kind` is the format of the file."""
    try:
        yield
    except (KeyError, TypeError, ValueError, ImportError) as error:
        problem = get_problem(error)
        message = " ".join(str(error).split()) if problem is None else command_problem(problem, kind).message()
        raise ContractError("invalid_input", message) from error


def command_problem(problem: Problem, kind: str) -> Problem:
    """Return a problem of a batch as one of the file: with positions in the file, and the command's options."""
    return replace(
        problem,
        row=file_place(problem.row),
        as_in=file_place(problem.as_in),
        tokenize="pass --tokenize 13a" if problem.tokenize else "",
        empty_form='JSONL with ""' if kind in TEXT_FILES else problem.empty_form,
        offer=OFFERS.get(problem.offer, problem.offer),
    )


def file_place(row: RowPlace | None) -> RowPlace | None:
    """Return the place of a row in the file: the index of a batch holds positions in the file."""
    return None if row is None else RowPlace(row.label, int(str(row.label)))


class Batch(NamedTuple):
    """Some rows of a file."""

    rows: pd.DataFrame  # token columns, or components columns
    others: pd.DataFrame  # columns to copy to the result
    shapes: dict[Hashable, Shape]  # of the reference columns, as the whole file decides


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
        if self.reader.kind in TEXT_FILES and self.tokenizer is None and not self.from_components:
            kind = self.reader.kind.upper()
            raise file_error(f"{kind} holds text, not token lists; choose a tokenizer: --tokenize 13a")
        with contract_errors():
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

    def batches(self, carried: Sequence[str]) -> Iterator[Batch]:
        """Yield the rows: token columns or components columns, and the columns to copy."""
        used = (
            [name for name in self.reader.columns if name in COMPONENT_COLUMNS] if self.from_components else self.labels
        )
        columns = list(dict.fromkeys([*used, *carried]))
        read = (Batch(self._tokens(frame[used]), frame[list(carried)], {}) for frame in self.reader.batches(columns))
        return read if self.from_components else with_shapes(read, self.labels[1:])

    def _tokens(self, frame: pd.DataFrame) -> pd.DataFrame:
        if self.tokenizer is None:
            return frame
        if self.reader.kind in TEXT_FILES:  # where an empty text and a missing one look the same, as in pandas
            frame = frame.map(lambda cell: cell or None)
        with contract_errors():
            return tokenize(frame, {label: label for label in self.labels}, self.tokenizer, progress=False)

    def _columns(self, batch: Batch, function: str) -> TokenColumns:
        return token_columns(batch.rows, **self.token_options, needs=function, shapes=batch.shapes)

    def _sums(self, batch: Batch, function: str, orders: int) -> Sums:
        with contract_errors(self.reader.kind):
            return count_sums(
                self._columns(batch, function), orders, check_errors(self.errors), check_threads(self.threads)
            )

    def counts(self, orders: int, carried: Sequence[str]) -> Iterator[tuple[pd.DataFrame, pd.DataFrame]]:
        """Yield the components of the rows, and the columns to copy."""
        for batch in self.batches(carried):
            if self.from_components:
                yield batch.rows, batch.others
            else:
                yield components_frame(self._sums(batch, "components", orders)), batch.others

    # ---- Results, batch by batch ----

    def components(self) -> Iterator[pd.DataFrame]:
        """Yield components of every row."""
        order = self._get_order()
        for counted, others in self.counts(order, self.keep):
            with contract_errors():
                found = components(counted, max_order=self.max_order) if self.from_components else counted
            yield join_columns(others, found)

    def ngrams(
        self, *, orders: list[int] | None = None, side: Any = "hypothesis", ngram: Any = "text", sep: str = " "
    ) -> Iterator[pd.DataFrame]:
        """Yield the n-grams of every row."""
        with contract_errors():
            checked: dict[str, Any] = {"max_order": self.max_order, "orders": orders, **self.count_options}
            empty = pd.DataFrame(columns=self.reader.columns)
            ngrams(empty, **self.token_options, side=side, ngram=ngram, sep=sep, **checked)
            listing = NgramLister(check_orders(orders, self.max_order), side == "references", ngram, sep)
        for batch in self.batches(self.keep):
            with contract_errors(self.reader.kind):
                segment, data = listing.table(
                    self._columns(batch, "ngrams"), check_errors(self.errors), check_threads(self.threads)
                )
            found = pd.DataFrame(data, copy=False)
            found["segment"] += int(batch.others.index[0]) if len(batch.others) else 0
            yield join_columns(batch.others.take(segment).reset_index(drop=True), found)

    def scores(self, **options: Any) -> Iterator[pd.DataFrame]:
        """Yield the score of every row."""
        with contract_errors():
            orders = score_settings("score", max_order=self.max_order, **options).orders_read
        for counted, others in self.counts(orders, self.keep):
            with contract_errors():
                found = score(counted, components=True, max_order=self.max_order, errors=self.errors, **options)
            yield join_columns(others, found.to_frame())

    def corpus(self, by: Sequence[str], **options: Any) -> Iterator[pd.DataFrame]:
        """Yield one frame: the score of all rows, or of each group."""
        with contract_errors():
            parts = CorpusParts.from_options(self._corpus_options(options), self.tokenizer)
            for label in by:
                find_column(pd.DataFrame(columns=self.reader.columns), label, "--by")

        def sums() -> Iterator[pd.DataFrame]:
            if not by and not self.from_components:
                for batch in self.batches([]):  # with the numbers of references, which components do not hold
                    yield sum_rows(self._sums(batch, "corpus", parts.settings.orders_read))
                return
            for counted, others in self.counts(parts.settings.orders_read, by):
                keys = [others[label] for label in by] if by else None
                with contract_errors():
                    found = parts.sum_part(counted, keys)
                yield found

        with contract_errors():  # sums may exceed int64
            found = parts.score_total(sums(), list(by) or None)
        yield join_columns(found.index.to_frame(index=False), found.reset_index(drop=True)) if by else found.to_frame()

    def _corpus_options(self, options: dict[str, Any]) -> dict[str, Any]:
        """Return all keywords of `bleupandas.corpus`, for components columns."""
        keywords = inspect.signature(corpus).parameters.values()
        every = {option.name: option.default for option in keywords if option.kind is option.KEYWORD_ONLY}
        return every | options | {"components": True, "max_order": self.max_order, **self.count_options}

    def _get_order(self) -> int:
        with contract_errors():
            return DEFAULT_ORDER if self.max_order is None else check_order(self.max_order)


def join_columns(others: pd.DataFrame, found: pd.DataFrame) -> pd.DataFrame:
    """Put columns that are carried along before those of a result, row by row."""
    for name in others.columns:
        if name in found.columns:
            raise file_error(f"the column {quote(name)} is also a column of the result; rename it, or leave it out")
    return pd.concat([others.set_axis(found.index), found], axis=1)


def components_frame(source: Sums) -> pd.DataFrame:
    """Return the components of rows as a frame."""
    names = component_names(source.max_order)
    if not source.nullable:
        return pd.DataFrame(source.array.T, source.index, names, copy=False)
    data = {name: nullable_integers(row, source.missing) for name, row in zip(names, source.array, strict=True)}
    return pd.DataFrame(data, index=source.index, copy=False)


# ---- Nested or flat ----


def with_shapes(batches: Iterator[Batch], references: Sequence[str]) -> Iterator[Batch]:
    """Yield batches with the shapes of their reference columns: the first cell of the file that shows it decides.

    Batches before that cell wait for it. The type of an Arrow column decides by itself.
    """
    shapes: dict[Hashable, Shape] = {}
    open_labels: set[str] | None = None
    waiting: list[Batch] = []
    for batch in batches:
        if open_labels is None:
            open_labels = {label for label in references if batch.rows[label].dtype == object}
        for label in sorted(open_labels):
            shape = find_shape(batch.rows[label].array, batch.rows.index)
            if shape is not None:
                shapes[label] = shape
                open_labels.discard(label)
        waiting.append(batch)
        if not open_labels:
            yield from (one._replace(shapes=shapes) for one in waiting)
            waiting = []
    yield from (one._replace(shapes=shapes) for one in waiting)
