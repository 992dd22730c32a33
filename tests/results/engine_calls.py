"""Calls on the frames of Dask, Polars and Spark, on Parquet files and on files of lines."""

import contextlib
import importlib
import io
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
from frame_calls import SMALL, Calls, shown, signature_of
from frozen import Prose, Tree, freeze, outcome

import bleupandas

LISTS = pa.list_(pa.string())
TRIED: dict[str, list[dict[str, Any]]] = {
    "components": [{}, {"max_order": 2}],
    "ngrams": [
        {}, {"orders": [1, 3]}, {"side": "references"}, {"ngram": "list", "max_order": 2}, {"sep": "_"},
        {"id_vars": ["id", "system"]}, {"ignore_index": True}, {"ngram": "tuple"},
    ],
    "score": [
        {}, {"max_order": 2}, {"convention": "sacrebleu"}, {"convention": "nltk"}, {"smoothing": "method4", "k": 2},
        {"weights": [0.5, 0.5]}, {"effective_order": False}, {"max_order": [1, 3]},
        {"smoothing": "floor", "epsilon": 0.5},
        {"smoothing": "method6", "alpha": 2},
    ],
    "corpus": [
        {}, {"by": "system"}, {"by": ["system", "domain"]}, {"by": "domain", "sort": False}, {"convention": "nltk"},
        {"by": "missing", "dropna": True}, {"by": "missing", "dropna": False}, {"by": "system", "margins": True},
        {"by": "system", "observed": False}, {"split_every": 2}, {"smoothing": "exp"}, {"max_order": 2},
    ],
    "explain": [{}, {"max_order": 2}, {"convention": "nltk"}],
}  # fmt: skip
EVERY: list[dict[str, Any]] = [
    {"threads": 1}, {"threads": 2}, {"hypothesis": "nowhere"}, {"references": ["flat"]}, {"max_order": 9},
    {"errors": "x"}, {"nothing": 1},
]  # fmt: skip


def table(rows: int = 40, holes: bool = False) -> Any:
    """Return an Arrow table of the example."""
    frame = SMALL.head(rows)
    hypotheses: list[Any] = frame["hypothesis"].map(list).tolist()
    if holes:
        hypotheses[17] = None
        hypotheses[21] = ["a", ""]
    references = [[list(tokens) for tokens in lists] for lists in frame["references"]]
    return pa.table(
        {
            "id": frame["id"].tolist(),
            "system": frame["system"].tolist(),
            "domain": frame["domain"].tolist(),
            "missing": [None if i % 4 == 0 else "xy"[i % 2] for i in range(rows)],
            "hypothesis": pa.array(hypotheses, LISTS),
            "references": pa.array(references, pa.list_(LISTS)),
            "flat": pa.array([lists[0] for lists in references], LISTS),
        }
    )


def pandas_frame(holes: bool = False) -> pd.DataFrame:
    frame: pd.DataFrame = table(holes=holes).to_pandas(types_mapper=pd.ArrowDtype)
    return frame


def each_call(title: str, frames: dict[str, Any], names: list[str], form: Callable[[Any], Tree]) -> Calls:
    for name in names:
        for what, frame in frames.items():
            for options in [*TRIED[name], *EVERY]:
                more = {"errors": "coerce"} if what == "holes" and "errors" not in options else {}

                def call(frame: Any = frame, name: str = name, options: Any = options | more) -> Any:
                    return form(getattr(frame.bleu, name)(**options))

                yield f"{title} {what} {name}({shown(options)})", lambda call=call: outcome(call, lambda tree: tree)  # type: ignore[misc]
        yield (
            f"{title} holes {name}, raise",
            lambda name=name: outcome(  # type: ignore[misc]
                lambda: form(getattr(frames["holes"].bleu, name)()), lambda tree: tree
            ),
        )


def function_calls(module: str, names: list[str], frame: Any, form: Callable[[Any], Tree]) -> Calls:
    """The functions of a module by their names, and their signatures."""
    found = importlib.import_module(f"bleupandas.{module}")
    yield f"{module} names", lambda: freeze(sorted(found.__all__))
    for name in names:
        yield (
            f"{module}.{name}",
            lambda name=name: outcome(lambda: form(getattr(found, name)(frame)), lambda tree: tree),  # type: ignore[misc]
        )
        yield f"signature {module}.{name}", lambda name=name: outcome(lambda: getattr(found, name), signature_of)  # type: ignore[misc]
        yield (
            f"signature {module} method {name}",
            lambda name=name: outcome(  # type: ignore[misc]
                lambda: getattr(frame.bleu, name), signature_of
            ),
        )
    yield f"{module} bound", lambda: outcome(lambda: form(frame.bleu(max_order=2).components()), lambda tree: tree)
    yield f"{module} of a list", lambda: outcome(lambda: found.components([]))


# ---- Dask ----


def dask_calls() -> Calls:
    import dask
    import dask.dataframe as dd

    importlib.import_module("bleupandas.dask")

    def form(found: Any) -> Tree:
        if not hasattr(found, "compute"):
            return freeze(found)
        meta = freeze(found._meta) if hasattr(found, "_meta") else ""
        return {"computed": freeze(found.compute(scheduler="sync")), "meta": meta}

    with dask.config.set({"dataframe.convert-string": False}):
        frames = {
            what: dd.from_pandas(pandas_frame(holes), npartitions=3) for what, holes in (("", False), ("holes", True))
        }
    names = ["components", "corpus", "explain", "ngrams", "score"]
    yield from each_call("dask", frames, names, form)
    yield from function_calls("dask", names, frames[""], form)


# ---- Polars ----


def polars_calls() -> Calls:
    import polars as pl

    importlib.import_module("bleupandas.polars")

    def form(found: Any) -> Tree:
        lazy = isinstance(found, pl.LazyFrame)
        found = found.collect() if lazy else found
        if isinstance(found, pl.Series):
            return {"series": found.name, "dtype": str(found.dtype), "values": freeze(found.to_list())}
        if not isinstance(found, pl.DataFrame):
            return freeze(found)
        schema = {name: str(kind) for name, kind in found.schema.items()}
        return {"lazy": str(lazy), "schema": schema, "values": freeze(found.to_dict(as_series=False))}

    eager = {what: pl.from_arrow(table(holes=holes)) for what, holes in (("", False), ("holes", True))}
    lazy = {what: frame.lazy() for what, frame in eager.items()}  # type: ignore[union-attr]
    names = ["components", "corpus", "ngrams", "score"]
    yield from each_call("polars", eager, names, form)
    yield from each_call("polars lazy", lazy, names, form)
    yield from function_calls("polars", names, eager[""], form)


# ---- Spark ----


def spark_calls() -> Calls:
    from pyspark.sql import SparkSession

    importlib.import_module("bleupandas.spark")
    session = (
        SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", 2)
    ).getOrCreate()  # fmt: skip
    names = ["components", "corpus", "ngrams", "score"]

    def form(found: Any) -> Tree:
        if not hasattr(found, "toPandas"):
            return freeze(found)
        rows = sorted(str(row) for row in found.collect())
        return {"schema": found.schema.simpleString(), "rows": rows}

    frames = {what: session.createDataFrame(table(holes=what == "holes").to_pandas()) for what in ("", "holes")}
    yield from each_call("spark", frames, names, form)
    yield from function_calls("spark", names, frames[""], form)


# ---- Files ----


def in_files(make: Callable[[Path], Any]) -> Callable[[], Tree]:
    """Return a call that is given a folder, whose path is left out of what comes back."""

    def call() -> Tree:
        with tempfile.TemporaryDirectory() as folder:
            return outcome(lambda: make(Path(folder)), lambda tree: tree)

    return call


def scanned(found: Any) -> Tree:
    return freeze(found if isinstance(found, (pd.DataFrame, bleupandas.CorpusScore)) else list(found))


def written(folder: Path, holes: bool, row_group_size: int) -> Any:
    whole = table(holes=holes)
    pq.write_table(whole.slice(0, 15), folder / "1.parquet", row_group_size=row_group_size)
    pq.write_table(whole.slice(15), folder / "2.parquet", row_group_size=row_group_size)
    return bleupandas.scan_parquet(folder)


def scan_calls() -> Calls:
    for name in ("components", "corpus", "ngrams", "score"):
        for options in [*TRIED[name], *EVERY]:
            for holes in (False, True):
                given = options | ({"errors": "coerce"} if holes and "errors" not in options else {})
                yield (
                    f"scan {holes} {name}({shown(given)})",
                    in_files(
                        lambda folder, name=name, given=given, holes=holes: scanned(  # type: ignore[misc]
                            getattr(written(folder, holes, 4).bleu, name)(**given)
                        )
                    ),
                )
        yield (
            f"scan holes {name}, raise",
            in_files(
                lambda folder, name=name: scanned(getattr(written(folder, True, 100).bleu, name)())  # type: ignore[misc]
            ),
        )
        yield (
            f"signature scan {name}",
            in_files(
                lambda folder, name=name: signature_of(getattr(written(folder, False, 100).bleu, name))  # type: ignore[misc]
            ),
        )
    yield "scan columns", in_files(lambda folder: freeze(written(folder, False, 9).columns))
    yield "scan nowhere", in_files(lambda folder: bleupandas.scan_parquet(folder / "nowhere.parquet"))
    yield (
        "scan pattern",
        in_files(
            lambda folder: [
                written(folder, False, 9) and freeze(bleupandas.scan_parquet(folder / "*.parquet").bleu.corpus())
            ]
        ),
    )


def read_calls() -> Calls:
    def read(folder: Path, *texts: str, **options: Any) -> Tree:
        for i, text in enumerate(texts):
            (folder / f"{i}.txt").write_bytes(text.encode(options.get("encoding", "utf-8")))
        rest = [folder / f"{i}.txt" for i in range(1, len(texts))]
        return freeze(bleupandas.read_lines(folder / "0.txt", rest if len(rest) != 1 else rest[0], **options))

    tried: list[tuple[tuple[str, ...], dict[str, Any]]] = [
        (("a b\nc\n", "a\nb\n"), {}), (("a b\nc", "a\nb", "\nc\n"), {"system": "A", "year": 3}),
        (("a\n", "a\nb\n"), {}), (("é\r\nb\r\n", "a\nb\n"), {"encoding": "latin-1"}), (("", ""), {}),
        (("a\u2028b\nc\n", "a\nb\n"), {}), (("a\n",), {}), (("a\n", "b\n"), {"hypothesis_text": 1}),
    ]  # fmt: skip
    for texts, options in tried:
        yield (
            f"read_lines {texts!r} {options}",
            in_files(
                lambda folder, texts=texts, options=options: read(folder, *texts, **options)  # type: ignore[misc]
            ),
        )

    def versions(as_json: bool) -> Tree:
        with contextlib.redirect_stdout(io.StringIO()) as out:
            bleupandas.show_versions(as_json=as_json)
        return [Prose(line) for line in out.getvalue().splitlines()]

    for as_json in (False, True):
        yield f"show_versions({as_json})", lambda as_json=as_json: outcome(lambda: versions(as_json), lambda tree: tree)  # type: ignore[misc]
