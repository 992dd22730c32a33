"""scan_parquet(): Parquet files larger than memory as one frame."""

from pathlib import Path
from typing import Any

from bleupandas.common import typed_repr
from bleupandas.scaling.parquet_files import find_files
from bleupandas.scaling.parquet_scan import ParquetScan


def scan_parquet(path: str | Path | list[Any]) -> ParquetScan:
    r"""Open Parquet files that may be larger than memory, as one frame with the methods of ``df.bleu``.

    Parameters
    ----------
    path : str, Path, or list of these
        A file, a folder of files (\*.parquet), or a pattern like "data/part-\*.parquet" ("\*\*" matches folders of any
        depth). Files of folders and patterns are sorted by name. A list of these keeps its order.

    Returns
    -------
    ParquetScan
        ``scan.bleu.components()``, ``.ngrams()`` and ``.score()`` return iterators of frames on an index of positions;
        ``scan.bleu.corpus()`` returns the same as `bleupandas.corpus`.

    Raises
    ------
    FileNotFoundError, TypeError, ValueError
        If there is no such file, a folder or pattern has none, or a file is not Parquet.

    Examples
    --------
    >>> import tempfile, bleupandas
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     bleupandas.load_example().to_parquet(folder + "/mt.parquet")
    ...     scan = bleupandas.scan_parquet(folder)
    ...     print(scan.bleu.corpus())
    ...     print(sum(len(frame) for frame in scan.bleu.components()))
    BLEU = 29.52 65.3/36.7/22.4/14.1 (BP = 1.000 ratio = 1.028 hyp_len = 6966 ref_len = 6778)
    480
    """
    items = path if isinstance(path, list) else [path]
    paths: list[Path] = []
    for item in items:
        if not isinstance(item, str | Path):
            raise TypeError(f"path is a path, or a list of them, not {typed_repr(item)}")
        paths += find_files(item)
    if not paths:
        raise ValueError("path is an empty list; expected at least one file")
    return ParquetScan(paths)
