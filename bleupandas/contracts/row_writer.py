"""Results written to a file or the standard output, batch by batch. A file appears only when it is complete."""

import contextlib
import gzip
import io
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from bleupandas.common import is_missing
from bleupandas.contracts.error_text import quote
from bleupandas.contracts.file_formats import file_error, find_format, get_first_line


class PipeClosedError(Exception):
    """The reader of the standard output has closed it, as `head` does."""


@contextlib.contextmanager
def open_output(path: str) -> Iterator[IO[bytes]]:
    """Open a binary file that gets its name only when the block ends without an error; "-" is the standard output."""
    if path == "-":
        try:
            yield sys.stdout.buffer
            sys.stdout.buffer.flush()
        except BrokenPipeError:
            raise PipeClosedError from None
        return
    part = Path(f"{path}.part")
    stream = part.open("wb")
    try:
        with stream:
            yield stream
        os.replace(part, path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


class RowWriter:
    """Writes frames of the same columns, one after another.

    Parameters
    ----------
    stream : binary file
    path : str
        The name of the file; "-" is the standard output.
    kind : str, optional
        One of `FORMATS`; by default it comes from the suffix, and is CSV for the standard output.
    """

    def __init__(self, stream: IO[bytes], path: str, kind: str | None = None) -> None:
        chosen = kind or ("csv" if path == "-" else None)
        self.kind, compressed = find_format(path, chosen, "--output-format")
        self.stream: Any = stream
        self.parquet: Any = None
        self.packed = gzip.GzipFile(fileobj=stream, mode="wb", mtime=0) if compressed else None
        if self.kind != "parquet":
            self.stream = io.TextIOWrapper(self.packed or stream, "utf-8", newline="", write_through=True)
        self.is_first = True

    def write(self, frame: pd.DataFrame) -> None:
        """Write the rows of a frame without its index."""
        try:
            if self.kind == "parquet":
                self._write_parquet(frame)
            elif self.kind == "jsonl":
                self._write_json(frame)
            else:
                refuse_lists(frame, self.kind)
                separator = "," if self.kind == "csv" else "\t"
                frame.to_csv(self.stream, sep=separator, index=False, header=self.is_first, lineterminator="\n")
        except UnicodeEncodeError:
            raise file_error(
                "a text of the output holds a lone surrogate, which UTF-8 cannot encode; fix the text"
            ) from None
        self.is_first = False

    def _write_json(self, frame: pd.DataFrame) -> None:
        names = [str(name) for name in frame.columns]
        columns = [to_json_values(frame.iloc[:, i]) for i in range(len(names))]
        for cells in zip(*columns, strict=True):
            row = dict(zip(names, cells, strict=True))
            self.stream.write(json.dumps(row, ensure_ascii=False, default=str) + "\n")

    def _write_parquet(self, frame: pd.DataFrame) -> None:
        try:
            table = pa.Table.from_pandas(frame, preserve_index=False).replace_schema_metadata(None)
            if self.parquet is None:
                fields = [pa.field(f.name, pa.string()) if pa.types.is_null(f.type) else f for f in table.schema]
                self.parquet = pq.ParquetWriter(self.stream, pa.schema(fields))
            self.parquet.write_table(table.cast(self.parquet.schema))
        except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError) as error:
            why = f"a column of --keep holds values of several types ({get_first_line(error)})"
            raise file_error(
                f"{why}; Parquet allows one type per column: write .jsonl, or leave the column out"
            ) from None

    def close(self) -> None:
        """Write buffered rows and the end of the file."""
        if self.parquet is not None:
            self.parquet.close()
        if self.kind != "parquet":
            self.stream.flush()
            self.stream.detach()  # the caller closes the stream
        if self.packed is not None:
            self.packed.close()


def to_json_values(column: "pd.Series[Any]") -> list[Any]:
    """Return a column as values that JSON has; missing ones are None."""
    cells = column.astype(object).tolist()
    return [None if is_missing(cell) else cell.tolist() if hasattr(cell, "tolist") else cell for cell in cells]


def refuse_lists(frame: pd.DataFrame, kind: str) -> None:
    """Raise for a column of lists, which CSV and TSV cannot hold."""
    for i, name in enumerate(frame.columns):
        column = frame.iloc[:, i]
        if isinstance(column.dtype, pd.ArrowDtype):
            nested = pa.types.is_nested(column.dtype.pyarrow_dtype)
        else:
            nested = column.dtype == object and any(isinstance(cell, list | dict) for cell in column)
        if nested:
            where = f"the column {quote(str(name))} holds lists"
            raise file_error(f"{where}, which {kind.upper()} cannot hold; write .jsonl or .parquet")
