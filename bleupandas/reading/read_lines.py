"""Frames to start from: the example data, and files with one segment per line."""

import errno
import gzip
import os
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pandas as pd

from bleupandas.common import short_repr

FilePath: TypeAlias = str | os.PathLike[str]
COLUMNS = ("hypothesis_text", "reference_texts")


def read_lines(
    hypothesis: FilePath,
    references: FilePath | Sequence[FilePath],
    *,
    encoding: str = "utf-8",
    **metadata: Any,
) -> pd.DataFrame:
    r"""Read parallel text files, one segment per line.

    Only ``\n`` and ``\r\n`` end a line; other characters that Unicode calls line separators stay in the text. The end
    of line after the last line may be missing. A byte order mark at the beginning of a file is dropped, and a file
    whose name ends in ".gz" is unpacked.

    Parameters
    ----------
    hypothesis : path
        The file of the texts that are judged.
    references : path or list of paths
        One or more files of references.
    encoding : str, default "utf-8"
        The encoding of all files.
    **metadata
        Further columns, by name. A `pathlib.Path` is a file that is read like the others (``source=Path("test.es")``);
        a list, tuple, array, Index or Series gives the values in order, one per line (a Series' index is not looked
        at); anything else is a constant, a str too (``system="A"``), also when a file has that name.

    Returns
    -------
    DataFrame of shape (n_lines, 2 + n_metadata)
        On a RangeIndex: ``hypothesis_text`` (text), ``reference_texts`` (object: a list with one text per reference
        file, in their order), then the metadata as given. An empty line is an empty text, not a missing one: where
        it means that there is no such reference, put None in its place.

    Raises
    ------
    FileNotFoundError
        A file is not there.
    ValueError
        No reference file, files of different numbers of lines, a file that is not in this encoding or not in gzip
        format, an unknown encoding, or metadata of another length or with a name that is taken.
    TypeError
        A path that is none, or metadata that is neither a constant nor a sequence.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from bleupandas import read_lines
    >>> with TemporaryDirectory() as name:
    ...     folder = Path(name)
    ...     _ = (folder / "mt.en").write_text("A dog.\nTwo cats.\n", encoding="utf-8")
    ...     _ = (folder / "ref.en").write_text("The dog.\nTwo cats.\n", encoding="utf-8")
    ...     df = read_lines(folder / "mt.en", [folder / "ref.en"], system="A")
    >>> df
      hypothesis_text reference_texts system
    0          A dog.      [The dog.]      A
    1       Two cats.     [Two cats.]      A
    """
    paths = {"hypothesis": _path(hypothesis, "hypothesis")}
    for name, path in zip(*_reference_paths(references), strict=True):
        paths[name] = path
    if taken := [name for name in COLUMNS if name in metadata]:
        raise ValueError(f"metadata {taken[0]!r} has the name of a column that read_lines() makes: choose another name")
    texts = {name: _lines(path, name, encoding) for name, path in paths.items()}
    columns = {name: _column(value, name, encoding) for name, value in metadata.items()}
    _check_lengths(paths, texts, metadata, columns)
    hypotheses = texts.pop("hypothesis")
    frame = pd.DataFrame({COLUMNS[0]: pd.Series(hypotheses, dtype="str")})
    frame[COLUMNS[1]] = pd.Series([list(row) for row in zip(*texts.values(), strict=True)], dtype=object)
    for name, column in columns.items():
        frame[name] = column
    return frame


# --- arguments


def _path(value: object, what: str) -> Path:
    if isinstance(value, str | os.PathLike):
        return Path(value).expanduser()  # as pandas' readers do
    raise TypeError(f"{what} is the path of a text file (str or pathlib.Path), not {short_repr(value)}")


def _reference_paths(references: object) -> tuple[list[str], list[Path]]:
    """Return the names of the reference files, for messages, and their paths."""
    if not isinstance(references, list | tuple):
        return ["references"], [_path(references, "references")]
    if not references:
        raise ValueError("references is empty: give the path of at least one reference file")
    names = [f"references[{k}]" for k in range(len(references))]
    return names, [_path(value, name) for name, value in zip(names, references, strict=True)]


def _column(value: object, name: str, encoding: str) -> Any:
    """Return the column of one metadata keyword: a Series, or a constant."""
    if isinstance(value, os.PathLike):
        return pd.Series(_lines(_path(value, name), name, encoding), dtype="str")
    if isinstance(value, pd.Series | pd.Index):
        return pd.Series(value.array)  # without its index: values in order
    if isinstance(value, list | tuple | pd.api.extensions.ExtensionArray):
        return pd.Series(value, dtype=None if len(value) else object)
    if isinstance(value, np.ndarray) and value.ndim == 1:
        return pd.Series(value)
    if pd.api.types.is_scalar(value):
        return value
    raise TypeError(
        f"metadata {name!r} is a pathlib.Path, a constant, or a list, tuple, one-dimensional array, Index or Series "
        f"with a value per line, not {short_repr(value)} ({type(value).__name__})"
    )


def _check_lengths(
    paths: dict[str, Path], texts: dict[str, list[str]], metadata: dict[str, Any], columns: dict[str, Any]
) -> None:
    """Raise ValueError unless every file and column has as many values as the hypothesis has lines."""
    lengths = [(f"{name} {os.fspath(paths[name])!r}", len(lines), "lines") for name, lines in texts.items()]
    for name, column in columns.items():
        if isinstance(metadata[name], os.PathLike):
            lengths.append((f"{name} {os.fspath(metadata[name])!r}", len(column), "lines"))
        elif isinstance(column, pd.Series):
            lengths.append((name, len(column), "values"))
    if len({length for _, length, _ in lengths}) > 1:
        found = ", ".join(f"{what} {length} {unit}" for what, length, unit in lengths)
        raise ValueError(
            f"files of different lengths: {found}; every file needs one line per segment, "
            "so look for a line that is missing or broken in two"
        )


# --- files


def _lines(path: Path, what: str, encoding: str) -> list[str]:
    r"""Return the lines of a file; only ``\n`` and ``\r\n`` end a line, unlike in str.splitlines."""
    data = _bytes(path, what)
    try:
        text = data.decode(encoding)
    except LookupError:
        raise ValueError(f"encoding {encoding!r} is none that Python knows; text files are mostly 'utf-8'") from None
    except UnicodeDecodeError as error:
        before, wrong = error.object[: error.start], error.object[error.start]
        line = before.decode(encoding, "replace").count("\n") + 1
        raise ValueError(
            f"{what} {os.fspath(path)!r}, line {line}: byte 0x{wrong:02x} is not valid in {encoding}; give the "
            f"encoding of the file, such as encoding={_likely(data, encoding)!r}, or save it as UTF-8"
        ) from None
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    if not lines[-1]:
        lines.pop()  # the last line ends in a line break: no line follows
    return lines


def _likely(data: bytes, tried: str) -> str:
    """Return the encoding to try next."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return "utf-16"
    return "cp1252" if tried.lower().startswith("utf") else "utf-8"


def _bytes(path: Path, what: str) -> bytes:
    """Return the bytes of a file, unpacked."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise FileNotFoundError(errno.ENOENT, f"no such file for {what}", os.fspath(path)) from None
    if path.suffix != ".gz":
        return data
    try:
        return gzip.decompress(data)
    except (EOFError, OSError, zlib.error) as error:
        raise ValueError(
            f"{what} {os.fspath(path)!r} is not a whole gzip file ({error}); fetch or pack it again, "
            "or drop the .gz from its name if it is plain text"
        ) from None
