"""The methods of ``scan_parquet(...).bleu``."""

import functools
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa

from bleupandas.common import FrameAccessor, as_method, join_values, like, part_of_frame, typed_repr
from bleupandas.counting import components as components_of
from bleupandas.counting import id_columns
from bleupandas.counting import ngrams as ngrams_of
from bleupandas.engine import depth
from bleupandas.reading import as_label_list, format_columns, mapping
from bleupandas.scaling.corpus_parts import CorpusParts, find_text_labels, find_used_columns
from bleupandas.scaling.parquet_batches import BATCH_ROWS, Frames, read_frames
from bleupandas.scaling.parquet_dictionaries import open_parquet
from bleupandas.scaling.parquet_files import read_schema
from bleupandas.scoring import corpus as corpus_of
from bleupandas.scoring import score as score_of


class ParquetScan:
    """Parquet files as one frame that is never in memory as a whole; see `scan_parquet`.

    Attributes
    ----------
    paths : list of Path
    columns : list of str
        The columns of the first file.
    bleu : ScanMethods
        components(), ngrams() and score() yield frames, batch by batch; corpus() returns its result.
    """

    def __init__(self, paths: list[Path]) -> None:
        self.paths = paths
        self.schemas = [read_schema(path) for path in paths]
        self.columns: list[str] = self.schemas[0].names

    def __repr__(self) -> str:
        """Return a short description of the files."""
        what = str(self.paths[0]) if len(self.paths) == 1 else f"{len(self.paths)} files, {self.paths[0]} first"
        return f"<scan of {what}>"

    @property
    def bleu(self) -> "ScanMethods":
        """BLEU's statistics of the rows."""
        return ScanMethods(self)

    def get_types(self, labels: Iterable[str]) -> dict[str, Any]:
        """Return the Arrow types of token columns, from the first file with a list type; raise for two depths."""
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
                        "all files, or lists of token lists in all: rewrite one of the files"
                    )
                found.setdefault(label, kind)
                first = first or path
        return found

    def batches(
        self, labels: Sequence[str], carried: Collection[str]
    ) -> Iterator[tuple[pd.DataFrame, Callable[[], Any]]]:
        """Yield frames of some columns on an index of positions, each with a context that names its rows in errors.

        Columns that are not copied to a result are only counted, and need not keep their types.
        """
        kinds = self.get_types(labels)
        token_labels = [label for label in kinds if label not in carried]
        start = 0
        for path in self.paths:
            counted_in = path.name if len(self.paths) > 1 else ""
            with open_parquet(path, token_labels) as file:
                before = 0
                for frame in read_frames(file, labels, kinds, BATCH_ROWS):
                    frame.index = pd.RangeIndex(start + before, start + before + len(frame))
                    yield frame, functools.partial(part_of_frame, before, counted_in)
                    before += len(frame)
            start += before


def refuse_text(scan: ParquetScan, options: dict[str, Any]) -> None:
    """Raise TypeError if a token column is text."""

    def is_text(label: str) -> bool:
        kinds = [schema.field(label).type for schema in scan.schemas if label in schema.names]
        kinds = [kind.value_type if pa.types.is_dictionary(kind) else kind for kind in kinds]
        return any(map(is_string, kinds))

    texts = find_text_labels(scan.columns, options, is_text)
    if texts:
        raise TypeError(
            f"{format_columns(texts)}: text where token lists are expected; tokenize each file in pandas "
            f"and save it as another: bleupandas.tokenize(pd.read_parquet(path), {mapping(texts)})"
            ".to_parquet(new_path), or score files of text by the command bleupandas with --tokenize 13a"
        )


def is_string(kind: Any) -> bool:
    """Return whether an Arrow type is text."""
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind))


# ---- The methods ----


@like(components_of, id_vars=None)
def components(scan: ParquetScan, /, **options: Any) -> Frames:
    """Count the components of BLEU batch by batch, like `bleupandas.components`.

    Parameters
    ----------
    scan : ParquetScan
    hypothesis, references, max_order, errors, threads, components
        As in `bleupandas.components`.
    id_vars : str or list of str, optional
        Columns to copy to the result, in front of the others.

    Returns
    -------
    iterator of DataFrame
        Frames on an index of positions in all files.

    Raises
    ------
    KeyError, TypeError, ValueError
        As in `bleupandas.components`. Errors show the position in the file, and the file if there are several.

    Examples
    --------
    >>> import bleupandas
    >>> from pathlib import Path
    >>> scan = bleupandas.scan_parquet(Path(bleupandas.__file__).parent / "reading" / "data" / "apertium_es_en.parquet")
    >>> [len(frame) for frame in scan.bleu.components()]
    [480]
    """
    return map_batches(scan, components_of, options)


@like(score_of, id_vars=None)
def score(scan: ParquetScan, /, **options: Any) -> Frames:
    """Score every row as a sentence, batch by batch, like `bleupandas.score`.

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
        A column "score"; for a list of orders, score_1 and so on.

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
    return map_batches(scan, score_of, options)


@like(ngrams_of)
def ngrams(scan: ParquetScan, /, **options: Any) -> Frames:
    """List the distinct n-grams of every segment, batch by batch, like `bleupandas.ngrams`.

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
        As in `components`, and for a token that contains `sep`.

    Examples
    --------
    >>> import bleupandas
    >>> from pathlib import Path
    >>> scan = bleupandas.scan_parquet(Path(bleupandas.__file__).parent / "reading" / "data" / "apertium_es_en.parquet")
    >>> next(scan.bleu.ngrams(orders=2, id_vars="system"))["system"].unique().tolist()
    ['direct', 'pivot']
    """
    return map_batches(scan, ngrams_of, options)


@like(corpus_of)
def corpus(scan: ParquetScan, /, **options: Any) -> Any:
    """Score all rows as one corpus, or each group of rows, like `bleupandas.corpus`.

    Parameters
    ----------
    scan : ParquetScan
    by : str or list of str
        Return a row for each group of these columns.
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
    parts = CorpusParts.from_options(options)
    used = find_used_columns(columns, options, keys)

    def sums() -> Frames:
        for frame, place in scan.batches(used, keys):
            with place():
                found = parts.sum_part(frame, by)
            yield found

    return parts.score_total(sums(), by)


def map_batches(scan: ParquetScan, function: Callable[..., Any], options: dict[str, Any]) -> Frames:
    """Yield the results of a pandas function for every batch, after checking labels and options."""
    columns = pd.DataFrame(columns=scan.columns)
    kept = options.get("id_vars") if function is ngrams_of else options.pop("id_vars")
    carried = as_label_list(kept)
    shape = function(columns, **options)
    if function is not ngrams_of:  # which checks them itself
        results = [str(name) for name in (shape if isinstance(shape, pd.DataFrame) else ["score"])]
        id_columns(columns, carried, results, f"frame of {function.__name__}()")
    refuse_text(scan, options)
    used = find_used_columns(columns, options, carried)
    scan.get_types(used)

    def read_results() -> Frames:
        for frame, place in scan.batches(used, carried):
            with place():
                found = function(frame, **options)
            if function is ngrams_of:
                found["segment"] += int(frame.index[0]) if len(frame) else 0
                yield found
            else:
                yield pd.concat([frame[carried], found], axis=1)

    return read_results()


class ScanMethods(FrameAccessor):
    """The methods of ``scan.bleu``; calling it stores columns and options for them."""

    components = as_method(components)
    ngrams = as_method(ngrams)
    score = as_method(score)
    corpus = as_method(corpus)
