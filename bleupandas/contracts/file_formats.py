"""The formats of files of rows, and the errors about files."""

from pathlib import Path

from bleupandas.contracts.error_text import join_with_or, quote
from bleupandas.contracts.errors import ContractError

SUFFIXES = {
    ".parquet": "parquet", ".jsonl": "jsonl", ".ndjson": "jsonl", ".csv": "csv", ".tsv": "tsv",
}  # fmt: skip
FORMATS = ("parquet", "jsonl", "csv", "tsv")


def file_error(message: str) -> ContractError:
    """Return the error for a file that cannot be read or written."""
    return ContractError("invalid_input", message)


def find_format(path: str, chosen: str | None, option: str) -> tuple[str, bool]:
    """Return the format of a file and whether it is compressed; by default the suffix decides.

    Examples
    --------
    >>> find_format("mt.jsonl.gz", None, "--input-format")
    ('jsonl', True)
    """
    suffixes = [suffix.lower() for suffix in Path(path).suffixes]
    compressed = suffixes[-1:] == [".gz"]
    last = (suffixes[:-1] if compressed else suffixes)[-1:]
    found = chosen or (SUFFIXES.get(last[0]) if last else None)
    if found is None:
        what = "the standard input" if path == "-" else f"the file {quote(path)}"
        raise file_error(f"the format of {what} is unknown; expected a name in {join_with_or(SUFFIXES)}, or {option}")
    if found == "parquet" and (compressed or path == "-"):
        raise file_error(f"Parquet needs an uncompressed file, not {quote(path)}; give a path that ends in .parquet")
    return found, compressed


def get_first_line(error: BaseException) -> str:
    """Return the first line of an error's text."""
    return (str(error).splitlines() or [""])[0].rstrip(". ")
