"""Files of rows, read batch by batch and written the same way: Parquet, JSONL, CSV and TSV."""

import contextlib
import csv
import gzip
import itertools
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Self

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from bleupandas.contracts.errors import ContractError
from bleupandas.contracts.messages import amount, described, either, quoted
from bleupandas.scaling import BATCH_BYTES, BATCH_ROWS, COUNTS, frames_of

SUFFIXES = {
    ".parquet": "parquet", ".jsonl": "jsonl", ".ndjson": "jsonl", ".csv": "csv", ".tsv": "tsv",
}  # fmt: skip
FORMATS = ("parquet", "jsonl", "csv", "tsv")

ROWS_AHEAD = 256  # of JSONL, whose names are the columns

Row = dict[str, Any]


def invalid(message: str) -> ContractError:
    """Give the error for a file that is not what it should be."""
    return ContractError("invalid_input", message)


def format_of(path: str, given: str | None, option: str) -> tuple[str, bool]:
    """Give the format of a file and whether it is compressed, by its suffix unless given.

    Examples
    --------
    >>> format_of("mt.jsonl.gz", None, "--input-format")
    ('jsonl', True)
    """
    suffixes = [suffix.lower() for suffix in Path(path).suffixes]
    compressed = suffixes[-1:] == [".gz"]
    last = (suffixes[:-1] if compressed else suffixes)[-1:]
    found = given or (SUFFIXES.get(last[0]) if last else None)
    if found is None:
        what = "the standard input" if path == "-" else f"the file {quoted(path)}"
        raise invalid(f"{what} does not tell its format; expected a name in {either(SUFFIXES)}, or {option}")
    if found == "parquet" and (compressed or path == "-"):
        raise invalid(f"Parquet needs a plain file, not {quoted(path)}; give a path that ends in .parquet")
    return found, compressed


# ---- Reading ----


class Source:
    """A file of rows.

    Parameters
    ----------
    path : str
        "-" for the standard input.
    kind : str, optional
        One of `FORMATS`; by the suffix unless given.
    quotes : bool
        Whether CSV and TSV have quotation marks around fields.
    """

    def __init__(self, path: str, kind: str | None = None, quotes: bool = True) -> None:
        self.path = path
        self.kind, self.compressed = format_of(path, kind, "--input-format")
        self.name = "the standard input" if path == "-" else f"the file {quoted(path)}"
        self.quotes = quotes
        self.n_rows: int | None = None
        self.tick: Callable[[int], object] = lambda n_rows: None  # told how many rows were done with
        self._stack = contextlib.ExitStack()
        self._rows: Iterator[Row] = iter(())
        self.columns: list[str] = []

    def __enter__(self) -> Self:
        """Open the file and find its columns."""
        try:
            if self.kind == "parquet":
                self._open_parquet()
            else:
                self._open_lines()
        except BaseException:
            self._stack.close()
            raise
        return self

    def __exit__(self, *raised: object) -> None:
        """Close the file."""
        self._stack.close()

    def _opened(self) -> Any:
        return self._stack.enter_context(Path(self.path).open("rb"))

    def _open_parquet(self) -> None:
        try:
            self._parquet = pq.ParquetFile(self._opened())
        except pa.ArrowException as error:
            raise invalid(f"{self.name} is no Parquet file ({first_line(error)}); expected one") from None
        self.columns = list(self._parquet.schema_arrow.names)
        self.n_rows = self._parquet.metadata.num_rows

    def _open_lines(self) -> None:
        stream: Any = sys.stdin.buffer if self.path == "-" else self._opened()
        lines = decoded(gzip.GzipFile(fileobj=stream) if self.compressed else stream, self.name)
        if self.kind == "jsonl":
            self._rows = json_rows(lines, self.name)
            ahead = list(itertools.islice(self._rows, ROWS_AHEAD))
            self.columns = list(dict.fromkeys(name for row in ahead for name in row))
            self._rows = itertools.chain(ahead, self._rows)
        else:
            delimiter = "," if self.kind == "csv" else "\t"
            self.columns, self._rows = delimited_rows(lines, delimiter, self.quotes, self.name)

    def _taken(self) -> list[Row]:
        """Take rows until they are worth a batch."""
        rows: list[Row] = []
        size = 0
        for row in self._rows:
            rows.append(row)
            size += approximate_bytes(row)
            if size >= BATCH_BYTES or len(rows) >= BATCH_ROWS:
                break
        return rows

    def batches(self, columns: Sequence[str]) -> Iterator[pd.DataFrame]:
        """Read all rows of some columns, on an index of positions in the file.

        Columns of Parquet keep their Arrow types; elsewhere they are objects, missing names None. In CSV and TSV all
        cells are text, but for components columns.
        """
        start = 0
        if self.kind == "parquet":
            frames = frames_of(self._parquet, columns, rows=BATCH_ROWS)
        else:
            frames = self._row_frames(columns)
        for frame in frames:
            frame.index = pd.RangeIndex(start, start + len(frame))
            yield frame
            start += len(frame)
            self.tick(len(frame))

    def _row_frames(self, columns: Sequence[str]) -> Iterator[pd.DataFrame]:
        rows = self._taken()
        while True:  # also for a file without rows, whose result has columns
            data: dict[str, Any] = {}
            for name in columns:
                cells = [row.get(name) for row in rows]
                if self.kind != "jsonl" and name in COUNTS:
                    cells = [number(cell) for cell in cells]
                data[name] = pd.Series(cells, dtype=object)
            yield pd.DataFrame(data, columns=list(columns), index=pd.RangeIndex(len(rows)))
            rows = self._taken()
            if not rows:
                break


def first_line(error: BaseException) -> str:
    """Give the first line of an error's text."""
    return (str(error).splitlines() or [""])[0].rstrip(". ")


def approximate_bytes(value: object) -> int:
    """Give about how much memory a value read from JSON takes."""
    if isinstance(value, str):
        return 50 + len(value)
    if isinstance(value, dict):
        return 64 + sum(map(approximate_bytes, value.values()))
    return 64 + sum(map(approximate_bytes, value)) if isinstance(value, list) else 32


def decoded(stream: Any, name: str) -> Iterator[str]:
    """Walk the lines of a stream of UTF-8, with or without a byte order mark."""
    try:
        for number_, line in enumerate(stream, 1):
            try:
                yield line.decode("utf-8-sig" if number_ == 1 else "utf-8")
            except UnicodeDecodeError as error:
                byte = f"byte {error.start} of line {number_} is 0x{line[error.start]:02x}"
                raise invalid(f"{name} is not UTF-8: {byte}; convert it to UTF-8") from None
    except (gzip.BadGzipFile, EOFError) as error:
        raise invalid(f"{name} is not compressed by gzip, or not whole ({first_line(error)})") from None


def json_rows(lines: Iterator[str], name: str) -> Iterator[Row]:
    """Walk the objects of JSONL."""
    for number_, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (json.JSONDecodeError, RecursionError) as error:
            why = error.msg if isinstance(error, json.JSONDecodeError) else "nested too deep"
            raise invalid(f"{name}, line {number_}: no JSON ({why}); expected one object per line") from None
        if not isinstance(row, dict):
            raise invalid(f"{name}, line {number_}: {described(row)}; expected one object per line")
        yield row


def delimited_rows(lines: Iterator[str], delimiter: str, quotes: bool, name: str) -> tuple[list[str], Iterator[Row]]:
    """Give the header of CSV or TSV, and its rows."""
    csv.field_size_limit(2**31 - 1)  # documents are long; the default is 128 KiB
    style: Any = csv.QUOTE_MINIMAL if quotes else csv.QUOTE_NONE
    reader = csv.reader(lines, delimiter=delimiter, quoting=style, strict=True)
    header = next(reader, None)
    if header is None:
        raise invalid(f"{name} is empty; expected a first line with the names of the columns")

    def rows() -> Iterator[Row]:
        try:
            for cells in reader:
                if len(cells) == len(header):
                    yield dict(zip(header, cells, strict=True))
                elif cells:
                    found = f"{amount(len(cells), 'field')}, and the first line has {len(header)}"
                    mend = "put quotation marks around fields" if quotes else "leave --no-quotes out"
                    raise invalid(f"{name}, line {reader.line_num}: {found}; expected as many: {mend}")
        except csv.Error as error:
            mend = "mend it, or pass --no-quotes if quotation marks are text"
            raise invalid(f"{name}, line {reader.line_num}: {first_line(error)}; {mend}") from None

    return header, rows()


def number(cell: object) -> object:
    """Read a cell of a components column: a number, None where it is empty, else the text for the error to come."""
    if not isinstance(cell, str) or not cell.strip():
        return None
    kind: Callable[[str], object]
    for kind in (int, float):
        try:
            return kind(cell)
        except ValueError:
            pass
    return cell
