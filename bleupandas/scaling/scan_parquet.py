"""Parquet files larger than memory, without an engine: batch by batch, in the memory of one batch.

The command line reads its files by the same functions.
"""

import functools
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa

from bleupandas.common import Binding, join_values, like, method_of, part_of_frame, typed_repr
from bleupandas.counting import components as components_of
from bleupandas.counting import id_columns
from bleupandas.counting import ngrams as ngrams_of
from bleupandas.engine import depth, is_list
from bleupandas.reading import as_label_list, columns_named, mapping
from bleupandas.scaling.dictionaries import opened
from bleupandas.scaling.parquet_files import files_of, schema_of
from bleupandas.scaling.partial_sums import Corpus, text_labels, used_columns
from bleupandas.scoring import corpus as corpus_of
from bleupandas.scoring import score as score_of

# What a batch holds at most, more or less: bounds the memory whatever the size of a file.
BATCH_BYTES = 16 << 20
BATCH_ROWS = 1 << 15

Frames = Iterator[pd.DataFrame]


class ParquetScan:
    """Parquet files as one frame that is never in memory as a whole; `scan_parquet` makes one.

    Attributes
    ----------
    paths : list of Path
    columns : list of str
        Of the first file.
    bleu : ScanMethods
        components(), ngrams() and score() give frames, batch by batch; corpus() gives its result.
    """

    def __init__(self, paths: list[Path]) -> None:
        self.paths = paths
        self.schemas = [schema_of(path) for path in paths]
        self.columns: list[str] = self.schemas[0].names

    def __repr__(self) -> str:
        """Say what it reads."""
        what = str(self.paths[0]) if len(self.paths) == 1 else f"{len(self.paths)} files, {self.paths[0]} first"
        return f"<scan of {what}>"

    @property
    def bleu(self) -> "ScanMethods":
        """BLEU's statistics of the rows."""
        return ScanMethods(self)

    def kinds(self, labels: Iterable[str]) -> dict[str, Any]:
        """Give the Arrow types of token columns, by the first file whose type tells; refuse lists of two depths."""
        found: dict[str, Any] = {}
        for label in labels:
            first: Path | None = None
            for path, schema in zip(self.paths, self.schemas, strict=True):
                if label not in schema.names:
                    raise KeyError(f"no column {label!r} in {path}: the columns are {join_values(schema.names)}")
                kind = schema.field(label).type
                if not depth(kind):
                    continue
                if first is not None and depth(found[label]) != depth(kind):
                    raise TypeError(
                        f"column {label!r} is {found[label]} in {first} and {kind} in {path}; expected token lists in "
                        "all files, or lists of token lists in all: write one of them anew"
                    )
                found.setdefault(label, kind)
                first = first or path
        return found

    def batches(
        self, labels: Sequence[str], carried: Collection[str]
    ) -> Iterator[tuple[pd.DataFrame, Callable[[], Any]]]:
        """Walk the rows of some columns, on an index of positions, each with a context that places errors in its file.

        Columns that are not carried into a result are only counted, and need not keep their types.
        """
        kinds = self.kinds(labels)
        counted = [label for label in kinds if label not in carried]
        start = 0
        for path in self.paths:
            counted_in = path.name if len(self.paths) > 1 else ""
            with opened(path, counted) as file:
                before = 0
                for frame in frames_of(file, labels, kinds, BATCH_ROWS):
                    frame.index = pd.RangeIndex(start + before, start + before + len(frame))
                    yield frame, functools.partial(part_of_frame, before, counted_in)
                    before += len(frame)
            start += before


def scan_parquet(path: str | Path | list[Any]) -> ParquetScan:
    r"""Open Parquet files that may be larger than memory, as one frame with the methods of ``df.bleu``.

    Parameters
    ----------
    path : str, Path, or list of these
        A file, a folder of files (\*.parquet), a pattern such as "data/part-\*.parquet" ("\*\*" stands for any
        folders), each by name; or a list of these in their order.

    Returns
    -------
    ParquetScan
        ``scan.bleu.components()``, ``.ngrams()`` and ``.score()`` are iterators of frames on an index of positions;
        ``scan.bleu.corpus()`` gives what `bleupandas.corpus` gives.

    Raises
    ------
    FileNotFoundError, TypeError, ValueError
        No such file, a folder or pattern without one, or a file that is no Parquet.

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
    given = path if isinstance(path, list) else [path]
    paths: list[Path] = []
    for one in given:
        if not isinstance(one, str | Path):
            raise TypeError(f"path is a path, or a list of them, not {typed_repr(one)}")
        paths += files_of(one)
    if not paths:
        raise ValueError("path is an empty list; expected at least one file")
    return ParquetScan(paths)


def refuse_text(scan: ParquetScan, options: dict[str, Any]) -> None:
    """Raise TypeError where a token column is text."""

    def is_text(label: str) -> bool:
        kinds = [schema.field(label).type for schema in scan.schemas if label in schema.names]
        kinds = [kind.value_type if pa.types.is_dictionary(kind) else kind for kind in kinds]
        return any(map(is_string, kinds))

    texts = text_labels(scan.columns, options, is_text)
    if texts:
        raise TypeError(
            f"{columns_named(texts)}: text where token lists are expected; tokenize each file in pandas "
            f"and save it as another: bleupandas.tokenize(pd.read_parquet(path), {mapping(texts)})"
            ".to_parquet(new_path), or score files of text by the command bleupandas with --tokenize 13a"
        )


def is_string(kind: Any) -> bool:
    """Tell whether an Arrow type is text."""
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind))


def frames_of(file: Any, columns: Sequence[str], kinds: dict[str, Any] | None = None, rows: int = BATCH_ROWS) -> Frames:
    """Read a file in batches, as frames of Arrow columns; at least one, which may have no rows.

    Parameters
    ----------
    file : pyarrow.parquet.ParquetFile
    columns : list of str
    kinds : dict, optional
        Of columns whose own type is a list of nothing, or nothing: the type to give them.
    rows : int
        The most rows of a batch.
    """
    metadata = file.metadata
    size = sum(metadata.row_group(i).total_byte_size for i in range(metadata.num_row_groups))
    most = max(1, min(rows, BATCH_BYTES * metadata.num_rows // max(size, 1)))
    schema = pa.schema([file.schema_arrow.field(name) for name in columns])
    # A batch of lists of dictionaries lies within a row group: Arrow does not join dictionaries there.
    every = range(metadata.num_row_groups)
    parts = [[group] for group in every] if any(map(has_dictionary, schema.types)) else [list(every)]
    batches = (batch for groups in parts for batch in file.iter_batches(most, row_groups=groups, columns=list(columns)))
    for batch in batches if metadata.num_rows else iter([schema.empty_table()]):
        data = {name: simple(batch.column(name), (kinds or {}).get(name)) for name in columns}
        series = {name: pd.Series(pd.arrays.ArrowExtensionArray(column)) for name, column in data.items()}
        yield pd.DataFrame(series, columns=list(columns), index=pd.RangeIndex(batch.num_rows))


def simple(column: Any, kind: Any = None) -> Any:
    """Give an Arrow column as a chunked array, texts as plain strings, which pandas can group."""
    chunks = column if isinstance(column, pa.ChunkedArray) else pa.chunked_array([column])
    if kind is not None:
        return chunks if depth(column.type) or not is_nothing(column.type) else chunks.cast(kind)
    kind = column.type
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    if pa.types.is_string_view(kind):
        kind = pa.large_string()
    return chunks if kind == column.type else chunks.cast(kind)


def has_dictionary(kind: Any) -> bool:
    """Tell whether a type is lists of dictionaries."""
    return is_list(kind) and (pa.types.is_dictionary(kind.value_type) or has_dictionary(kind.value_type))


def is_nothing(kind: Any) -> bool:
    """Tell whether a type is null, or lists of null."""
    while hasattr(kind, "value_type"):
        kind = kind.value_type
    return bool(pa.types.is_null(kind))


# ---- The methods ----


@like(components_of, id_vars=None)
def components(scan: ParquetScan, /, **options: Any) -> Frames:
    """Count what BLEU is made of, batch by batch; as `bleupandas.components`.

    Parameters
    ----------
    scan : ParquetScan
    hypothesis, references, max_order, errors, threads, components
        As in `bleupandas.components`.
    id_vars : str or list of str, optional
        Columns to carry along, before the others.

    Returns
    -------
    iterator of DataFrame
        On an index of positions in all files.

    Raises
    ------
    KeyError, TypeError, ValueError
        As in `bleupandas.components`; the position is that in the file, which is named where there are several.

    Examples
    --------
    >>> import bleupandas
    >>> from pathlib import Path
    >>> scan = bleupandas.scan_parquet(Path(bleupandas.__file__).parent / "reading" / "data" / "apertium_es_en.parquet")
    >>> [len(frame) for frame in scan.bleu.components()]
    [480]
    """
    return mapped(scan, components_of, options)


@like(score_of, id_vars=None)
def score(scan: ParquetScan, /, **options: Any) -> Frames:
    """Score every row as a sentence, batch by batch; as `bleupandas.score`.

    Parameters
    ----------
    scan : ParquetScan
    hypothesis, references, errors, threads, components, id_vars
        As in `components`.
    max_order, convention, smoothing, weights, effective_order, epsilon, k, alpha
        As in `bleupandas.score`.

    Returns
    -------
    iterator of DataFrame
        A column "score", for a list of orders score_1 and so on.

    Raises
    ------
    KeyError, TypeError, ValueError
        As in `components`.

    Examples
    --------
    >>> import bleupandas
    >>> from pathlib import Path
    >>> scan = bleupandas.scan_parquet(Path(bleupandas.__file__).parent / "reading" / "data" / "apertium_es_en.parquet")
    >>> [frame["score"].between(0, 1).all() for frame in scan.bleu.score()]
    [np.True_]
    """
    return mapped(scan, score_of, options)


@like(ngrams_of)
def ngrams(scan: ParquetScan, /, **options: Any) -> Frames:
    """List the distinct n-grams of every segment, batch by batch; as `bleupandas.ngrams`.

    Parameters
    ----------
    scan : ParquetScan
    hypothesis, references, max_order, errors, threads, id_vars
        As in `components`.
    orders, side, ngram, sep, ignore_index
        As in `bleupandas.ngrams`; `ignore_index` numbers the rows of each frame.

    Returns
    -------
    iterator of DataFrame
        `segment` is the position of the row in all files.

    Raises
    ------
    KeyError, TypeError, ValueError
        As in `components`; for a token that holds `sep`.

    Examples
    --------
    >>> import bleupandas
    >>> from pathlib import Path
    >>> scan = bleupandas.scan_parquet(Path(bleupandas.__file__).parent / "reading" / "data" / "apertium_es_en.parquet")
    >>> next(scan.bleu.ngrams(orders=2, id_vars="system"))["system"].unique().tolist()
    ['direct', 'pivot']
    """
    return mapped(scan, ngrams_of, options)


@like(corpus_of)
def corpus(scan: ParquetScan, /, **options: Any) -> Any:
    """Score all rows as one corpus, or each group of them; as `bleupandas.corpus`.

    Parameters
    ----------
    scan : ParquetScan
    by : str or list of str
        A row per group of these columns.
    sort, observed, dropna, margins
        As in `bleupandas.corpus`.
    hypothesis, references, errors, threads, components
        As in `components`.
    max_order, convention, smoothing, weights, effective_order, epsilon, k, alpha
        As in `bleupandas.corpus`.

    Returns
    -------
    CorpusScore, or with `by` a DataFrame
        Keys have Arrow dtypes.

    Raises
    ------
    KeyError, TypeError, ValueError
        As in `score`.

    Examples
    --------
    >>> import bleupandas
    >>> from pathlib import Path
    >>> scan = bleupandas.scan_parquet(Path(bleupandas.__file__).parent / "reading" / "data" / "apertium_es_en.parquet")
    >>> scan.bleu.corpus(by="system")["score"].round(4).to_dict()
    {'direct': 0.3161, 'pivot': 0.2739}
    """
    by = options.pop("by")
    keys = as_label_list(by)
    for key in keys:
        if not isinstance(key, str):
            raise TypeError(f"by has {typed_repr(key)}; of Parquet files it is a column name, or a list of these")
    columns = pd.DataFrame(columns=scan.columns)
    corpus_of(columns, by=by, **options)  # refuses what is not right
    refuse_text(scan, options)
    job = Corpus.of(options)
    used = used_columns(columns, options, keys)

    def sums() -> Frames:
        for frame, place in scan.batches(used, keys):
            with place():
                found = job.sums(frame, by)
            yield found

    return job.total(sums(), by)


def mapped(scan: ParquetScan, function: Callable[..., Any], options: dict[str, Any]) -> Frames:
    """Apply a function of a pandas frame to every batch, after labels and options were checked."""
    columns = pd.DataFrame(columns=scan.columns)
    kept = options.get("id_vars") if function is ngrams_of else options.pop("id_vars")
    carried = as_label_list(kept)
    shape = function(columns, **options)
    if function is not ngrams_of:  # which checks them itself
        results = [str(name) for name in (shape if isinstance(shape, pd.DataFrame) else ["score"])]
        id_columns(columns, carried, results, f"frame of {function.__name__}()")
    refuse_text(scan, options)
    used = used_columns(columns, options, carried)
    scan.kinds(used)

    def results_of() -> Frames:
        for frame, place in scan.batches(used, carried):
            with place():
                found = function(frame, **options)
            if function is ngrams_of:
                found["segment"] += int(frame.index[0]) if len(frame) else 0
                yield found
            else:
                yield pd.concat([frame[carried], found], axis=1)

    return results_of()


class ScanMethods(Binding):
    """BLEU's statistics of Parquet files: ``scan.bleu``; calling it binds columns and options."""

    components = method_of(components)
    ngrams = method_of(ngrams)
    score = method_of(score)
    corpus = method_of(corpus)
