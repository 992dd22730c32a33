"""Files in batches: the same numbers, rows and errors as on one frame, whatever the format and the size of a batch."""

import gzip
import io
import json
import re
import sys
import tracemalloc
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import frames
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import strategies
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import bleupandas
from bleupandas.common import RowPlace, get_problem
from bleupandas.contracts import row_reader
from bleupandas.contracts.errors import ContractError
from bleupandas.contracts.file_counter import FileCounter
from bleupandas.contracts.row_reader import RowReader
from bleupandas.contracts.row_writer import RowWriter, open_output

Frames = Iterator[pd.DataFrame]
SMALL = [["the", "cat"], ["a", "dog", "barks"], [], ["the", "the"], ["x"]]
REFERENCES = [[["the", "cat"]], [["a", "dog"], ["barks"]], [["y"]], [["the"]], [["x", "y"]]]

CUT_SHORT = gzip.compress(b"hypothesis,references\n" * 99, mtime=0)[:-20]


@pytest.fixture(params=[1, 2, 100])
def batch_rows(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(row_reader, "BATCH_ROWS", request.param)
    return int(request.param)


def small() -> pd.DataFrame:
    return pd.DataFrame({"id": ["p", "q", "r", "s", "t"], "hypothesis": SMALL, "references": REFERENCES})


def write_lines(path: Path, rows: Sequence[Mapping[Any, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def jsonl(path: Path, df: pd.DataFrame) -> Path:
    return write_lines(path / "rows.jsonl", df.to_dict("records"))


def parquet(path: Path, df: pd.DataFrame) -> Path:
    df.to_parquet(path / "rows.parquet", row_group_size=3)
    return path / "rows.parquet"


def all_of(path: Path, work: Callable[[FileCounter], Frames], **options: Any) -> pd.DataFrame:
    with RowReader(str(path)) as source:
        return pd.concat(list(work(FileCounter(source, **options))), ignore_index=True)


def refusal(path: Path, work: Callable[[FileCounter], Frames], **options: Any) -> str:
    with pytest.raises(ContractError) as error:
        all_of(path, work, **options)
    assert error.value.code == "invalid_input"
    assert len(error.value.message.splitlines()) == 1
    return error.value.message


def message_of_the_command(error: BaseException) -> str:
    """Return the message for an error of the pandas functions, with the command's options in its advice."""
    problem = get_problem(error)
    assert problem is not None
    offer = "pass --errors coerce" if problem.offer else ""
    tokenize = "pass --tokenize 13a" if problem.tokenize else ""
    return replace(problem, offer=offer, tokenize=tokenize).message()


def same(found: pd.DataFrame, expected: pd.DataFrame) -> None:
    pd.testing.assert_frame_equal(found, expected.reset_index(drop=True), check_dtype=False, check_exact=True)


# ---- The same as on one frame ----


@pytest.mark.parametrize("write", [jsonl, parquet])
@pytest.mark.usefixtures("batch_rows")
def test_every_job_is_that_of_one_frame(tmp_path: Path, write: Callable[[Path, pd.DataFrame], Path]) -> None:
    df = small()
    path = write(tmp_path, df)
    same(all_of(path, FileCounter.components, max_order=2), bleupandas.components(df, max_order=2))
    scores = bleupandas.score(df, smoothing="method5").to_frame()
    same(all_of(path, lambda job: job.scores(smoothing="method5")), scores)
    for options in ({}, {"orders": [2]}, {"side": "references"}, {"sep": "_"}):
        same(all_of(path, lambda job, o=options: job.ngrams(**o)), bleupandas.ngrams(df, **options))  # type: ignore[misc]
    same(all_of(path, lambda job: job.corpus([])), bleupandas.corpus(df).to_frame())
    same(all_of(path, lambda job: job.corpus(["id"])), bleupandas.corpus(df, by="id").reset_index())


@pytest.mark.usefixtures("batch_rows")
def test_columns_are_carried_along(tmp_path: Path) -> None:
    df = small()
    for path in (jsonl(tmp_path, df), parquet(tmp_path, df)):
        expected = bleupandas.components(df)
        expected.insert(0, "id", df["id"])
        same(all_of(path, FileCounter.components, keep=["id"]), expected)
        expected = bleupandas.ngrams(df, id_vars=["id"], side="references")
        same(all_of(path, lambda job: job.ngrams(side="references"), keep=["id"]), expected)


@settings(max_examples=strategies.examples(40))
@given(strategies.segment_lists(most=6, references=3), st.integers(1, 3), st.booleans())
def test_any_segments_in_any_batches(segments: list[Any], rows: int, is_flat: bool) -> None:
    if is_flat:
        segments = [(hypothesis, references[:1]) for hypothesis, references in segments]
    references = [r[0] if is_flat else r for _, r in segments]
    data = {
        "hypothesis": [list(h) for h, _ in segments],
        "references": references,
        "by": [i % 2 for i in range(len(segments))],
    }
    df = pd.DataFrame({name: frames.cells(values) if name != "by" else values for name, values in data.items()})
    lines = "".join(json.dumps(dict(zip(data, row, strict=True))) + "\n" for row in zip(*data.values(), strict=True))
    assume(any(any(r) for r in references))  # else nothing tells nested from flat
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(row_reader, "BATCH_ROWS", rows)

        def streamed(work: Callable[[FileCounter], Frames]) -> pd.DataFrame:
            patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines.encode())))
            with RowReader("-", "jsonl") as source:
                return pd.concat(list(work(FileCounter(source))), ignore_index=True)

        try:
            expected = bleupandas.components(df)
        except TypeError as error:  # a flat cell that looks like texts
            with pytest.raises(ContractError, match="^" + re.escape(message_of_the_command(error))):
                streamed(FileCounter.components)
            return
        same(streamed(FileCounter.components), expected)
        same(streamed(lambda job: job.corpus(["by"])), bleupandas.corpus(df, by="by").reset_index())


@pytest.mark.usefixtures("batch_rows")
def test_the_first_cell_of_the_file_tells_nested_from_flat(tmp_path: Path) -> None:
    flat = [{"hypothesis": ["a"], "references": cell} for cell in ([], None, [], ["a", "b"], [], ["c"], [])]
    path = write_lines(tmp_path / "flat.jsonl", flat)
    df = pd.DataFrame(
        {"hypothesis": frames.cells([["a"]] * 7), "references": frames.cells([r["references"] for r in flat])}
    )
    same(
        all_of(path, FileCounter.components, errors="coerce").astype("Float64"),
        bleupandas.components(df, errors="coerce").astype("Float64"),
    )
    df = df.drop(index=1)
    path = write_lines(tmp_path / "flat.jsonl", [row for i, row in enumerate(flat) if i != 1])
    same(all_of(path, FileCounter.components), bleupandas.components(df))
    same(all_of(path, FileCounter.ngrams), bleupandas.ngrams(df.reset_index(drop=True)))


ROWS: list[dict[str, Any]] = [
    {"hypothesis": ["a"], "references": []},
    {"hypothesis": ["a"], "references": ["a", "b"], "other": [["a"]]},
    {"hypothesis": ["a"], "references": ["a"], "other": [["b"]]},
    {"hypothesis": ["a"], "references": ["a"], "other": None},
]


@pytest.mark.parametrize(
    ("bad", "references"),
    [
        ({"hypothesis": ["a"], "references": [["a"]]}, ["references"]),
        ({"hypothesis": ["a"], "references": ["a"], "other": ["a"]}, ["references", "other"]),
        ({"hypothesis": None, "references": ["a"]}, ["references"]),
        ({"hypothesis": ["a", 3], "references": ["a"]}, ["references"]),
        ({"hypothesis": ["a", ""], "references": ["a"]}, ["references"]),
        ({"hypothesis": ["a"], "references": None}, ["references"]),
        ({"hypothesis": ["a"], "references": ["the cat"]}, ["references"]),
    ],
)
@pytest.mark.usefixtures("batch_rows")
def test_errors_are_those_of_one_frame(tmp_path: Path, bad: dict[str, Any], references: list[str]) -> None:
    rows = [*ROWS, bad, *ROWS]
    path = write_lines(tmp_path / "rows.jsonl", rows)
    names = ["hypothesis", "references", "other"]
    df = pd.DataFrame({name: frames.cells([row.get(name) for row in rows]) for name in names})
    columns: Any = references if len(references) > 1 else references[0]
    for work, function in ((FileCounter.components, bleupandas.components), (FileCounter.ngrams, bleupandas.ngrams)):
        with pytest.raises((TypeError, ValueError)) as error:
            function(df, references=columns)
        problem = get_problem(error.value)
        assert problem is not None
        assert problem.row == RowPlace(4, 4)
        assert refusal(path, work, references=references) == message_of_the_command(error.value)


@pytest.mark.usefixtures("batch_rows")
def test_a_row_that_cannot_be_read_is_missing_with_coerce(tmp_path: Path) -> None:
    rows = [*ROWS, {"hypothesis": None, "references": ["a"], "by": "x"}, *ROWS]
    path = write_lines(tmp_path / "rows.jsonl", [{"by": "y"} | row for row in rows])
    df = pd.DataFrame({name: frames.cells([row.get(name) for row in rows]) for name in ("hypothesis", "references")})
    df["by"] = [row.get("by", "y") for row in rows]
    found = all_of(path, FileCounter.scores, errors="coerce")
    assert found["score"].isna().tolist() == [i == 4 for i in range(9)]
    same(
        all_of(path, lambda job: job.corpus(["by"]), errors="coerce"),
        bleupandas.corpus(df, by="by", errors="coerce").reset_index(),
    )
    same(all_of(path, FileCounter.ngrams, errors="coerce"), bleupandas.ngrams(df, errors="coerce"))
    same(all_of(path, lambda job: job.corpus([]), errors="coerce"), bleupandas.corpus(df, errors="coerce").to_frame())


@pytest.mark.usefixtures("batch_rows")
def test_missing_group_keys_are_a_group(tmp_path: Path) -> None:
    df = small().assign(id=frames.cells(["p", None, "p", None, "q"]))
    expected = bleupandas.corpus(df, by="id").reset_index().astype({"id": "string"})  # one kind of missing
    for path in (jsonl(tmp_path, df), parquet(tmp_path, df)):
        same(all_of(path, lambda job: job.corpus(["id"])).astype({"id": "string"}), expected)


def test_group_sums_are_added_up_now_and_then(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(row_reader, "BATCH_ROWS", 1)
    monkeypatch.setattr("bleupandas.scaling.corpus_parts.MAX_GROUP_ROWS", 2)
    df = pd.concat([small()] * 3, ignore_index=True)
    same(all_of(jsonl(tmp_path, df), lambda job: job.corpus(["id"])), bleupandas.corpus(df, by="id").reset_index())
    found = all_of(jsonl(tmp_path, df), lambda job: job.corpus([])).drop(columns="signature")
    same(found, bleupandas.corpus(df).to_frame().drop(columns="signature"))


# ---- Texts ----


@pytest.mark.parametrize(("name", "separator"), [("rows.csv", ","), ("rows.tsv", "\t"), ("rows.csv.gz", ",")])
@pytest.mark.usefixtures("batch_rows")
def test_texts_of_csv_and_tsv(tmp_path: Path, name: str, separator: str) -> None:
    df = pd.DataFrame({
        "mt": ["A dog.", 'He said "no",\tthen\nleft.', "no", "NA"],
        "ref": ["A dog.", "He said no", "x", "NA"],
        "ref2": ["", "", "x y", ""],
        "id": ["007", "1e3", "", "null"],
    })  # fmt: skip
    df.to_csv(tmp_path / name, sep=separator, index=False)
    texts = df.assign(ref2=pd.Series([None, None, "x y", None], dtype=object))  # an empty cell is no reference
    tokens = bleupandas.tokenize(texts, {"mt": "hypothesis", "ref": "references", "ref2": "second"}, "13a")
    options = {"hypothesis": "mt", "references": ["ref", "ref2"], "tokenizer": "13a", "keep": ["id", "mt"]}
    expected = bleupandas.components(tokens, references=["references", "second"])
    expected.insert(0, "id", df["id"])
    expected.insert(1, "mt", df["mt"])
    same(all_of(tmp_path / name, FileCounter.components, **options), expected)
    scored = bleupandas.corpus(tokens, references=["references", "second"]).to_frame()
    scored["signature"] = scored["signature"].str.replace("|smooth", "|tok:13a|smooth")
    same(all_of(tmp_path / name, lambda job: job.corpus([]), **options), scored)
    assert scored["signature"][0].startswith("nrefs:var|eff:no|tok:13a|smooth:none|")


@pytest.mark.parametrize("empty", ["mt", "ref", "ref2"])
@pytest.mark.usefixtures("batch_rows")
def test_an_empty_cell_is_missing_as_pandas_reads_it(tmp_path: Path, empty: str) -> None:
    df = pd.DataFrame({"mt": ["a b c", "a b", "a d c"], "ref": ["a b", "a b c", "a c"], "ref2": ["c", "", "a d"]})
    df.loc[[0, 1], empty] = ""
    df.to_csv(tmp_path / "rows.csv", index=False)
    read = pd.read_csv(tmp_path / "rows.csv")
    for references in (["ref", "ref2"], ["ref"]):
        tokens = bleupandas.tokenize(read, {label: label for label in ("mt", *references)})
        binding: Any = {"hypothesis": "mt", "references": references}
        options: Any = binding | {"tokenizer": "13a"}
        found = all_of(tmp_path / "rows.csv", lambda job: job.corpus([]), errors="coerce", **options)
        expected = bleupandas.corpus(tokens, errors="coerce", **binding).to_frame()
        expected["signature"] = expected["signature"].str.replace("|smooth", "|tok:13a|smooth")
        same(found, expected)
        if expected["segments_missing"][0]:
            with pytest.raises(ValueError, match=r"the hypothesis is missing|no reference") as raised:
                bleupandas.corpus(tokens, **binding)
            message = refusal(tmp_path / "rows.csv", lambda job: job.corpus([]), **options)
            problem = get_problem(raised.value)
            assert problem is not None
            problem = replace(problem, offer="pass --errors coerce", empty_form='JSONL with ""')
            assert message.replace("None", "nan") == problem.message()


def test_quotation_marks_as_text(tmp_path: Path) -> None:
    path = tmp_path / "rows.tsv"
    path.write_text('hypothesis\treferences\n"no\t"no\n', encoding="utf-8-sig")
    with RowReader(str(path), quotes=False) as source:
        [frame] = list(FileCounter(source, tokenizer="whitespace").components())
    assert frame["matches_1"].tolist() == [1]
    assert refusal(path, FileCounter.components, tokenizer="whitespace").endswith(
        "; fix the line, or pass --no-quotes if quotation marks are text"
    )


@pytest.mark.usefixtures("batch_rows")
def test_texts_and_lists_of_texts_of_jsonl_and_parquet(tmp_path: Path) -> None:
    df = pd.DataFrame({"hypothesis": ["A dog.", "", "b"], "references": [["A dog.", "x"], ["y"], ["b b"]]})
    expected = bleupandas.components(bleupandas.tokenize(df, {name: name for name in df.columns}))
    for path in (jsonl(tmp_path, df), parquet(tmp_path, df)):
        same(all_of(path, FileCounter.components, tokenizer="13a"), expected)


def test_errors_of_tokenize_name_the_row_of_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(row_reader, "BATCH_ROWS", 2)
    rows = [{"hypothesis": "a", "references": "a"}] * 3 + [{"hypothesis": 5, "references": "a"}]
    message = refusal(write_lines(tmp_path / "rows.jsonl", rows), FileCounter.components, tokenizer="13a")
    assert message.startswith("column 'hypothesis', row 3 (position 3): got 5 (int), expected ")


# ---- Components ----


@pytest.mark.usefixtures("batch_rows")
def test_scores_come_from_components_files(tmp_path: Path) -> None:
    df = small()
    c = bleupandas.components(df).assign(id=df["id"])
    c.to_csv(tmp_path / "c.csv", index=False)
    c.to_parquet(tmp_path / "c.parquet")
    for name in ("c.csv", "c.parquet"):
        same(all_of(tmp_path / name, FileCounter.scores), bleupandas.score(df).to_frame())
        same(all_of(tmp_path / name, lambda job: job.corpus(["id"])), bleupandas.corpus(df, by="id").reset_index())
        same(all_of(tmp_path / name, FileCounter.components, max_order=2), bleupandas.components(df, max_order=2))
        assert refusal(tmp_path / name, FileCounter.ngrams).startswith(
            "no column 'hypothesis' for ngrams(), which needs token lists and not only components: "
        )
    groups = bleupandas.corpus(df, by="id").reset_index()
    groups.to_csv(tmp_path / "groups.csv", index=False)
    found = all_of(tmp_path / "groups.csv", lambda job: job.corpus([])).drop(columns="signature")
    same(found, bleupandas.corpus(df).to_frame().drop(columns="signature"))


def test_components_that_are_none(tmp_path: Path) -> None:
    c = bleupandas.components(small()).astype(object)
    c.loc[3, "matches_1"] = "many"
    c.to_csv(tmp_path / "c.csv", index=False)
    message = refusal(tmp_path / "c.csv", FileCounter.scores)
    assert message.startswith("components column 'matches_1', row 3 (position 3): ")
    c.loc[3] = None
    c.to_csv(tmp_path / "c.csv", index=False)
    assert all_of(tmp_path / "c.csv", FileCounter.scores)["score"].isna().tolist() == [False, False, False, True, False]


# ---- Files without rows, and files that are not what they should be ----


def test_files_without_rows_give_columns(tmp_path: Path) -> None:
    df = small().head(0)
    kind = pa.schema([("hypothesis", pa.list_(pa.string())), ("references", pa.list_(pa.list_(pa.string())))])
    pq.write_table(kind.empty_table(), tmp_path / "none.parquet")
    (tmp_path / "none.csv").write_text("hypothesis,references\n")
    for name, options in (("none.parquet", {}), ("none.csv", {"tokenizer": "13a"})):
        path = tmp_path / name
        for work in (FileCounter.components, FileCounter.ngrams, FileCounter.scores):
            found = all_of(path, work, **options)
            assert len(found) == 0
            assert len(found.columns)
        same(all_of(path, FileCounter.components, **options), bleupandas.components(df))
        found = all_of(path, lambda job: job.corpus([]), **options)
        assert found["segments"].tolist() == [0]
        assert found["score"].isna().all()


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.jsonl", b'{"hypothesis": []}\n{', "line 2: invalid JSON (Expecting property name enclosed in double "),
        ("a.jsonl", b"[]\n", "line 1: an empty array; expected one object per line"),
        ("a.jsonl", b"[" * 100_000, "line 1: invalid JSON (nested too deep); expected one object per line"),
        ("a.csv", b"", "is empty; expected a first line with the names of the columns"),
        (
            "a.csv",
            b"hypothesis,references\na\n",
            "line 2: 1 field, and the first line has 2; expected the same number",
        ),
        ("a.csv", b"hypothesis,references\na,\xff\n", "is not UTF-8: byte 2 of line 2 is 0xff; convert it to UTF-8"),
        ("a.parquet", b"no", "is not a Parquet file ("),
        ("a.csv.gz", b"no", "is not a complete gzip file ("),
        ("a.csv.gz", CUT_SHORT, "is not a complete gzip file ("),
        ("a.txt", b"", '" is unknown; expected a name in .parquet, .jsonl, .ndjson, .csv or .tsv, or '),
        ("a.parquet.gz", b"", 'Parquet needs an uncompressed file, not "'),
    ],
)
def test_files_that_are_not_what_they_should_be(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    (tmp_path / name).write_bytes(content)
    found = refusal(tmp_path / name, FileCounter.components, tokenizer="13a")
    assert message in found
    beginnings = {"a.parquet.gz": "Parquet needs ", "a.txt": 'the format of the file "'}
    assert found.startswith(beginnings.get(name, "the file "))


def test_a_column_of_the_result_cannot_be_carried_along(tmp_path: Path) -> None:
    path = jsonl(tmp_path, small().assign(score=1))
    message = 'the column "score" is also a column of the result; rename it, or leave it out'
    assert refusal(path, FileCounter.scores, keep=["score"]) == message


# ---- Memory ----


def test_memory_does_not_grow_with_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(row_reader, "BATCH_BYTES", 1 << 18)
    line = json.dumps({"hypothesis": ["the", "cat"] * 10, "references": [["the", "dog"] * 10], "id": 1}) + "\n"
    peaks = []
    for times in (1_000, 6_000):
        path = tmp_path / "rows.jsonl"
        path.write_text(line * times)
        tracemalloc.start()
        with RowReader(str(path)) as source, open_output(str(tmp_path / "out.csv")) as stream:
            sink = RowWriter(stream, "out.csv")
            for part in FileCounter(source, keep=["id"]).components():
                sink.write(part)
            sink.close()
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.5 * peaks[0]
