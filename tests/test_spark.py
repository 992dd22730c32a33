"""bleupandas.spark: the numbers, types and errors of pandas, counted inside of Spark's tasks."""

import os
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import larger
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import strategies
from larger import CALLS, MORE, SEGMENTS, arrow_frame, same_score, with_bad_rows
from pyspark import TaskContext
from pyspark.errors import PythonException
from pyspark.sql import SparkSession, types

import bleupandas
import bleupandas.spark

if shutil.which("java") is None and not os.environ.get("CI"):
    pytest.skip("Spark needs Java", allow_module_level=True)

# PySpark's own, of mapInArrow with pandas 3 and of its sockets
pytestmark = [
    pytest.mark.filterwarnings("ignore:.*pandas:FutureWarning:pyspark"),
    pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning"),
    pytest.mark.filterwarnings("ignore:Exception ignored in:pytest.PytestUnraisableExceptionWarning"),
]


@pytest.fixture(scope="session")
def spark() -> Iterator[Any]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYSPARK_PYTHON", sys.executable)
        patch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
        builder: Any = SparkSession.builder
        settings = {
            "spark.ui.enabled": "false",
            "spark.sql.shuffle.partitions": "2",
            "spark.log.level": "OFF",
            "spark.ui.showConsoleProgress": "false",
            "spark.sql.session.timeZone": "UTC",
            "spark.sql.execution.arrow.maxRecordsPerBatch": "4",  # several batches in a partition
        }
        for name, value in settings.items():
            builder = builder.config(name, value)
        session = builder.master("local[2,3]").getOrCreate()  # a task may fail twice
        yield session
        session.stop()


FIELDS = {
    "hypothesis": types.ArrayType(types.StringType()),
    "references": types.ArrayType(types.ArrayType(types.StringType())),
    "system": types.StringType(),
    "domain": types.StringType(),
    "number": types.LongType(),
    "row": types.LongType(),
}


def spark_frame(spark: Any, frame: pd.DataFrame, partitions: int = 2) -> Any:
    """The same rows in order, with their position as a column."""
    columns = [
        [None if larger.is_missing(cell) else cell for cell in frame[name].tolist()] for name in list(FIELDS)[:5]
    ]
    rows = list(zip(*columns, range(len(frame)), strict=True))
    schema = types.StructType([types.StructField(name, kind) for name, kind in FIELDS.items()])
    return spark.createDataFrame(spark.sparkContext.parallelize(rows, partitions), schema)


def rows_of(found: Any, order: list[str]) -> pa.Table:
    """What Spark gives, in an order that pandas has too."""
    return found.orderBy(*order).toArrow()


def expected_table(found: pd.DataFrame) -> pa.Table:
    columns = {name: pa.array(found[name], from_pandas=bool(found[name].dtype == object)) for name in found}
    return pa.table({n: c.cast(pa.string()) if pa.types.is_large_string(c.type) else c for n, c in columns.items()})


def same(found: pa.Table, expected: pa.Table) -> None:
    kinds = [str(field.type).replace("item", "element") for field in expected.schema]
    assert [(field.name, str(field.type)) for field in found.schema] == list(
        zip(expected.column_names, kinds, strict=True)
    )
    rows, wanted = (table.to_pandas(types_mapper=pd.ArrowDtype) for table in (found, expected.cast(found.schema)))
    pd.testing.assert_frame_equal(rows, wanted, check_exact=True)


SPARK_CALLS = [
    (name, options)
    for name, options in [*CALLS.items(), *MORE]
    if name != "explain" and options.get("ngram") != "tuple"
]


@pytest.mark.parametrize(
    ("name", "options", "errors"),
    [*((*call, "raise") for call in SPARK_CALLS), *((*call, "coerce") for call in SPARK_CALLS[:3])],
    ids=str,
)
def test_equal_to_pandas(spark: Any, name: str, options: dict[str, Any], errors: str) -> None:
    frame = (with_bad_rows(arrow_frame()) if errors == "coerce" else arrow_frame()).reset_index(drop=True)
    frame["row"] = range(len(frame))
    options = {**options, "errors": errors}
    given = {**options, "id_vars": ["row", "system"]}
    found = getattr(bleupandas.spark, name)(spark_frame(spark, frame), **given)
    if name == "ngrams":
        found = found.drop("segment")
        expected = frame.bleu.ngrams(**given).drop(columns="segment")
        order = ["row", "order", "first_position", *(["reference"] if "reference" in expected else [])]
        expected = expected.sort_values(order, kind="stable")
    else:
        result = getattr(frame.bleu, name)(**options)
        result = result.to_frame() if isinstance(result, pd.Series) else result
        expected, order = pd.concat([frame[["row", "system"]], result], axis=1), ["row"]
    same(rows_of(found, order), expected_table(expected))
    assert found.schema["row"].dataType == types.LongType()


@pytest.mark.parametrize(
    ("by", "options"),
    [("system", {}), (["number", "system"], {}), ("domain", {}), ("domain", {"dropna": True}),
     (["system"], {"errors": "coerce"})],
    ids=str,
)  # fmt: skip
def test_groups_equal_those_of_pandas(spark: Any, by: Any, options: dict[str, Any]) -> None:
    frame = with_bad_rows(arrow_frame()) if "errors" in options else arrow_frame()
    found = bleupandas.spark.corpus(spark_frame(spark, frame), by=by, **options)
    same(found.toArrow(), expected_table(frame.bleu.corpus(by=by, **options).reset_index()))


@pytest.mark.parametrize("options", [{}, {"convention": "sacrebleu", "max_order": 2}, {"errors": "coerce"}], ids=str)
def test_corpus_equals_that_of_pandas(spark: Any, options: dict[str, Any]) -> None:
    frame = with_bad_rows(arrow_frame()) if "errors" in options else arrow_frame()
    same_score(bleupandas.spark.corpus(spark_frame(spark, frame), **options), frame.bleu.corpus(**options))
    nothing = spark_frame(spark, frame).limit(0)
    assert bleupandas.spark.corpus(nothing).segments == 0


def test_components_columns(spark: Any) -> None:
    frame = arrow_frame()
    counted = bleupandas.spark.components(spark_frame(spark, frame), id_vars=["row", "system"])
    scores = rows_of(bleupandas.spark.score(counted, id_vars="row"), ["row"])["score"]
    assert scores.to_pylist() == frame.bleu.score().tolist()
    groups = bleupandas.spark.corpus(counted, by="system")
    same(groups.toArrow(), expected_table(frame.bleu.corpus(by="system").reset_index()))
    whole = bleupandas.spark.corpus(groups)
    assert (whole.score, whole.segments) == (frame.bleu.corpus().score, 23)


def test_a_task_that_fails_once_changes_nothing(spark: Any, tmp_path: Path) -> None:
    frame, flag = arrow_frame(), str(tmp_path / "failed")
    given = spark_frame(spark, frame)

    def fail_once(batches: Iterator[Any]) -> Iterator[Any]:
        if TaskContext.get().partitionId() == 1:
            try:
                os.close(os.open(flag, os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                pass
            else:
                os._exit(1)
        yield from batches

    given = given.mapInArrow(fail_once, given.schema)
    found = rows_of(bleupandas.spark.components(given, id_vars="row"), ["row"])
    assert Path(flag).exists()
    same(found.drop_columns("row"), expected_table(frame.bleu.components()))


# ---- What can be wrong ----


def test_a_bad_row_in_the_last_partition(spark: Any) -> None:
    frame = arrow_frame()
    given = spark_frame(spark, with_bad_rows(frame)[4:], 2)
    counts = given.rdd.glom().map(len).collect()
    place = f"row {counts[1] - 1} (position {counts[1] - 1} of partition 1): no reference (None)"
    for call in (bleupandas.spark.components, bleupandas.spark.ngrams, bleupandas.spark.score):
        with pytest.raises(PythonException) as error:
            call(given).collect()
        assert f"ValueError: column 'references', {place}" in str(error.value)
    with pytest.raises(PythonException, match="no reference"):
        bleupandas.spark.corpus(given)


def test_labels_and_options_are_checked_at_once(spark: Any) -> None:
    given = spark_frame(spark, arrow_frame())
    with pytest.raises(KeyError, match="no column 'mt' for the hypothesis"):
        bleupandas.spark.components(given, hypothesis="mt")
    with pytest.raises(KeyError, match=r"no column 'sytem' for by: .* did you mean 'system'"):
        bleupandas.spark.corpus(given, by="sytem")
    with pytest.raises(KeyError, match="no column 'x' for id_vars"):
        bleupandas.spark.components(given, id_vars=["x"])
    with pytest.raises(ValueError, match=r"id_vars has 'matches_1', which is a column of the frame of components\(\)"):
        bleupandas.spark.components(given.withColumnRenamed("row", "matches_1"), id_vars=["matches_1"])
    with pytest.raises(ValueError, match="max_order is a whole number from 1 to 8, not 9"):
        bleupandas.spark.score(given, max_order=9)
    with pytest.raises(TypeError, match=r"components\(\) has no keyword 'n_gram'; did you mean 'max_order'\?"):
        bleupandas.spark.components(given, n_gram=2)
    with pytest.raises(ValueError, match="ngram is one of 'text', 'list', not 'tuple'"):
        bleupandas.spark.ngrams(given, ngram="tuple")
    with pytest.raises(TypeError, match="by has int 3; on a Spark frame it is a column name"):
        bleupandas.spark.corpus(given, by=3)
    with pytest.raises(TypeError, match="takes a Spark DataFrame here, not DataFrame"):
        bleupandas.spark.score(arrow_frame())


def test_empty_partitions_and_references_that_are_all_missing(spark: Any) -> None:
    frame = arrow_frame()
    given = spark_frame(spark, frame, 6).where("number = 2")
    assert 0 in given.rdd.glom().map(len).collect()
    same_score(bleupandas.spark.corpus(given), frame[frame["number"] == 2].bleu.corpus())
    holes = spark_frame(spark, frame).selectExpr(
        "hypothesis", "if(row < 8, null, references) references", "references second"
    )
    found = bleupandas.spark.corpus(holes, errors="coerce")
    assert (found.segments, found.segments_missing) == (15, 8)
    assert bleupandas.spark.corpus(holes, references=["references", "second"]).segments == 23


def test_files_whose_list_columns_differ_in_type(spark: Any, tmp_path: Path) -> None:
    large = pa.large_list(pa.large_string())
    for i, kind in enumerate((pa.list_(pa.string()), large)):
        half = SEGMENTS[i * 12 : (i + 1) * 12]
        columns = {"hypothesis": pa.array([h for h, _ in half], kind)}
        columns["references"] = pa.array([r for _, r in half], pa.list_(kind) if i == 0 else pa.large_list(kind))
        pq.write_table(pa.table(columns), tmp_path / f"{i}.parquet")
    found = bleupandas.spark.corpus(spark.read.parquet(str(tmp_path)))
    same_score(found, strategies.frame_of(SEGMENTS).bleu.corpus())


def test_the_block_of_the_docs_runs_as_written(spark: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = Path(__file__).parents[1] / "docs" / "scale_out.md"
    if not page.exists():
        pytest.skip("tests of an installed package, without the docs")
    blocks = re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    [block] = [block for block in blocks if "pyspark" in block]
    (tmp_path / "translations").mkdir()
    table = pa.Table.from_pandas(bleupandas.load_example(), preserve_index=False).replace_schema_metadata()
    pq.write_table(table, tmp_path / "translations" / "mt.parquet")
    exec(block.replace('"translations/"', repr(str(tmp_path / "translations"))), {})
    shown = capsys.readouterr().out
    assert re.search(r"\|\s*direct\|\s*0\.316", shown)
    assert re.search(r"\|\s*pivot\|\s*0\.273", shown)


@pytest.mark.slow
def test_sums_that_do_not_fit_are_refused(spark: Any) -> None:
    def frame(numbers: list[int], **more: list[Any]) -> Any:
        names = ["candidate_length", "reference_length", "matches_1", "totals_1"]
        rows = pd.DataFrame(dict.fromkeys(names, numbers) | {"system": "x"} | more)
        return spark.createDataFrame(rows.to_numpy().tolist(), rows.columns.tolist())

    message = r"components column '{}': the rows add up to more than 2\*\*63 - 1"
    for name, given in {
        "candidate_length": frame([2**62] * 5),
        "segments": frame([3] * 2, segments=[2**62] * 2),
        "segments_missing": frame([3] * 2, segments_missing=[2**62] * 2),
    }.items():
        for rows in (given.coalesce(1), given.repartition(2)):
            with pytest.raises((ValueError, PythonException), match=message.format(name)):
                bleupandas.spark.corpus(rows, max_order=1)
            with pytest.raises(PythonException, match=message.format(name)):
                bleupandas.spark.corpus(rows, by="system", max_order=1).collect()
    largest = frame([2**62, 2**62 - 1])
    assert bleupandas.spark.corpus(largest, max_order=1).candidate_length == 2**63 - 1
    [row] = bleupandas.spark.corpus(largest, by="system", max_order=1).collect()
    assert (row["candidate_length"], row["score"]) == (2**63 - 1, 1.0)
