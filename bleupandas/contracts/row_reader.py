"""Files of rows, read in batches: Parquet, JSONL, CSV and TSV."""

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

from bleupandas.contracts.error_text import describe, format_count, quote
from bleupandas.contracts.file_formats import file_error, find_format, get_first_line
from bleupandas.scaling import BATCH_BYTES, BATCH_ROWS, COMPONENT_COLUMNS, read_frames

PREVIEW_ROWS = 256  # of JSONL; their names are the columns

Row = dict[str, Any]


class RowReader:
    """Reads a file of rows in batches.

    Parameters
    ----------
    path : str
        "-" is the standard input.
    kind : str, optional
        One of `FORMATS`; by default it comes from the suffix.
    quotes : bool
        Whether quotation marks in CSV and TSV enclose fields.
    """

    def __init__(self, path: str, kind: str | None = None, quotes: bool = True) -> None:
        self.path = path
        self.kind, self.compressed = find_format(path, kind, "--input-format")
        self.name = "the standard input" if path == "-" else f"the file {quote(path)}"
        self.quotes = quotes
        self.n_rows: int | None = None
        self.report_rows: Callable[[int], object] = lambda n_rows: None  # called after each batch
        self._stack = contextlib.ExitStack()
        self._rows: Iterator[Row] = iter(())
        self.columns: list[str] = []

    def __enter__(self) -> Self:
        """Open the file and read its columns."""
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

    def _open(self) -> Any:
        return self._stack.enter_context(Path(self.path).open("rb"))

    def _open_parquet(self) -> None:
        try:
            self._parquet = pq.ParquetFile(self._open())
        except pa.ArrowException as error:
            raise file_error(f"{self.name} is not a Parquet file ({get_first_line(error)}); expected one") from None
        self.columns = list(self._parquet.schema_arrow.names)
        self.n_rows = self._parquet.metadata.num_rows

    def _open_lines(self) -> None:
        stream: Any = sys.stdin.buffer if self.path == "-" else self._open()
        lines = decode_lines(gzip.GzipFile(fileobj=stream) if self.compressed else stream, self.name)
        if self.kind == "jsonl":
            self._rows = read_json_rows(lines, self.name)
            ahead = list(itertools.islice(self._rows, PREVIEW_ROWS))
            self.columns = list(dict.fromkeys(name for row in ahead for name in row))
            self._rows = itertools.chain(ahead, self._rows)
        else:
            delimiter = "," if self.kind == "csv" else "\t"
            self.columns, self._rows = read_delimited_rows(lines, delimiter, self.quotes, self.name)

    def _read_batch(self) -> list[Row]:
        """Return the next rows, enough for a batch."""
        rows: list[Row] = []
        size = 0
        for row in self._rows:
            rows.append(row)
            size += estimate_bytes(row)
            if size >= BATCH_BYTES or len(rows) >= BATCH_ROWS:
                break
        return rows

    def batches(self, columns: Sequence[str]) -> Iterator[pd.DataFrame]:
        """Yield all rows of some columns, on an index of positions in the file.

        Columns of Parquet keep their Arrow types. Other columns hold objects, and missing names become None. Cells of
        CSV and TSV are text, except in components columns.
        """
        start = 0
        if self.kind == "parquet":
            frames = read_frames(self._parquet, columns, rows=BATCH_ROWS)
        else:
            frames = self._row_frames(columns)
        for frame in frames:
            frame.index = pd.RangeIndex(start, start + len(frame))
            yield frame
            start += len(frame)
            self.report_rows(len(frame))

    def _row_frames(self, columns: Sequence[str]) -> Iterator[pd.DataFrame]:
        rows = self._read_batch()
        while True:  # once for a file without rows, so that its result has columns
            data: dict[str, Any] = {}
            for name in columns:
                cells = [row.get(name) for row in rows]
                if self.kind != "jsonl" and name in COMPONENT_COLUMNS:
                    cells = [parse_cell(cell) for cell in cells]
                data[name] = pd.Series(cells, dtype=object)
            yield pd.DataFrame(data, columns=list(columns), index=pd.RangeIndex(len(rows)))
            rows = self._read_batch()
            if not rows:
                break


def estimate_bytes(value: object) -> int:
    """Return about how much memory a value from JSON takes."""
    if isinstance(value, str):
        return 50 + len(value)
    if isinstance(value, dict):
        return 64 + sum(map(estimate_bytes, value.values()))
    return 64 + sum(map(estimate_bytes, value)) if isinstance(value, list) else 32


def decode_lines(stream: Any, name: str) -> Iterator[str]:
    """Yield the lines of a stream of UTF-8, with or without a byte order mark."""
    try:
        for line_number, line in enumerate(stream, 1):
            try:
                yield line.decode("utf-8-sig" if line_number == 1 else "utf-8")
            except UnicodeDecodeError as error:
                byte = f"byte {error.start} of line {line_number} is 0x{line[error.start]:02x}"
                raise file_error(f"{name} is not UTF-8: {byte}; convert it to UTF-8") from None
    except (gzip.BadGzipFile, EOFError) as error:
        raise file_error(f"{name} is not a complete gzip file ({get_first_line(error)})") from None


def read_json_rows(lines: Iterator[str], name: str) -> Iterator[Row]:
    """Yield the objects of JSONL."""
    for line_number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (json.JSONDecodeError, RecursionError) as error:
            why = error.msg if isinstance(error, json.JSONDecodeError) else "nested too deep"
            raise file_error(
                f"{name}, line {line_number}: invalid JSON ({why}); expected one object per line"
            ) from None
        if not isinstance(row, dict):
            raise file_error(f"{name}, line {line_number}: {describe(row)}; expected one object per line")
        yield row


def read_delimited_rows(
    lines: Iterator[str], delimiter: str, quotes: bool, name: str
) -> tuple[list[str], Iterator[Row]]:
    """Return the header of CSV or TSV, and its rows."""
    csv.field_size_limit(2**31 - 1)  # documents are long; the default is 128 KiB
    style: Any = csv.QUOTE_MINIMAL if quotes else csv.QUOTE_NONE
    reader = csv.reader(lines, delimiter=delimiter, quoting=style, strict=True)
    header = next(reader, None)
    if header is None:
        raise file_error(f"{name} is empty; expected a first line with the names of the columns")

    def rows() -> Iterator[Row]:
        try:
            for cells in reader:
                if len(cells) == len(header):
                    yield dict(zip(header, cells, strict=True))
                elif cells:
                    found = f"{format_count(len(cells), 'field')}, and the first line has {len(header)}"
                    advice = "put quotation marks around fields" if quotes else "leave --no-quotes out"
                    raise file_error(f"{name}, line {reader.line_num}: {found}; expected the same number: {advice}")
        except csv.Error as error:
            advice = "fix the line, or pass --no-quotes if quotation marks are text"
            raise file_error(f"{name}, line {reader.line_num}: {get_first_line(error)}; {advice}") from None

    return header, rows()


def parse_cell(cell: object) -> object:
    """Return a cell of a components column: a number, None if it is empty, or its text, which is refused later."""
    if not isinstance(cell, str) or not cell.strip():
        return None
    kind: Callable[[str], object]
    for kind in (int, float):
        try:
            return kind(cell)
        except ValueError:
            pass
    return cell
