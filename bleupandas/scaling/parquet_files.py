"""The Parquet files of a path, a folder or a pattern, and their schemas."""

import glob
from pathlib import Path
from typing import Any

import pyarrow as pa


def find_files(path: str | Path) -> list[Path]:
    """Return the files of a path, folder or pattern, sorted by name; an existing file or folder is not a pattern."""
    if Path(path).is_dir():
        found = sorted(Path(path).glob("*.parquet"))
        if not found:
            raise FileNotFoundError(f"the folder {str(path)!r} holds no *.parquet; expected at least one")
        return found
    if Path(path).exists() or not glob.has_magic(str(path)):
        return [Path(path)]
    found = sorted(one for one in map(Path, glob.glob(str(path), recursive=True)) if one.is_file())
    if not found:
        raise FileNotFoundError(
            f"no file matches {str(path)!r}; expected at least one Parquet file (looked in {str(Path.cwd())!r})"
        )
    return found


def read_schema(path: Path) -> Any:
    """Return the schema of a file, or raise."""
    import pyarrow.parquet as pq  # here, so that importing the package does not load it

    if not path.exists():
        raise FileNotFoundError(f"no file {str(path)!r}; expected a Parquet file, or a folder of them")
    try:
        return pq.read_schema(path)
    except pa.ArrowInvalid as error:
        why = (str(error).splitlines() or [""])[0].rstrip(". ")
        raise ValueError(f"{str(path)!r} is not a Parquet file ({why}); expected one") from None
