"""scan_parquet(): files in batches give what one frame of all rows gives, and errors name the row and the file."""

from pathlib import Path
from typing import Any

import frames
import larger
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from larger import BAD, CALLS, MORE, SEGMENTS, arrow_frame, same_score, with_bad_rows

import bleupandas
from bleupandas.scaling import parquet_scan

TOKENS = pa.list_(pa.string())


@pytest.fixture(params=[1, 5, 1000])
def batch_rows(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(parquet_scan, "BATCH_ROWS", request.param)
    return int(request.param)


def table_of(frame: pd.DataFrame, first: Any = TOKENS, second: Any = None) -> pa.Table:
    cells = {name: [None if larger.is_missing(cell) else cell for cell in frame[name].tolist()] for name in frame}
    columns = {name: pa.array(cells[name]) for name in ("system", "domain", "number")}
    columns["hypothesis"] = frames.converted(cells["hypothesis"], first)
    columns["references"] = frames.converted(cells["references"], second or pa.list_(TOKENS))
    return pa.table(columns)


def write(folder: Path, frame: pd.DataFrame, cuts: tuple[int, ...] = (9, 9, 15)) -> Any:
    """The rows in several files, one of them without rows; each of several row groups."""
    for i, (start, stop) in enumerate(zip((0, *cuts), (*cuts, len(frame)), strict=True)):
        pq.write_table(table_of(frame[start:stop]), folder / f"{i}.parquet", row_group_size=4)
    return bleupandas.scan_parquet(folder)


def find_dictionary_paths(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.reset_index(drop=True)


def test_patterns_stand_for_files_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    part = bleupandas.load_example()[["hypothesis", "references"]]
    names = [
        "a/part-2.parquet",
        "a/part-10.parquet",
        "a/b/part-3.parquet",
        "a/other.parquet",
        "a/[x].parquet",
        "x.parquet",
    ]
    for i, name in enumerate(names):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        part[: i + 1].to_parquet(tmp_path / name)
    (tmp_path / "a" / "part-folder.parquet").mkdir()
    monkeypatch.chdir(tmp_path)
    expected = {
        "*.parquet": ["x.parquet"],
        "a/part-*.parquet": ["a/part-10.parquet", "a/part-2.parquet"],
        "**/part-?.parquet": ["a/b/part-3.parquet", "a/part-2.parquet"],
        "a/[x].parquet": ["a/[x].parquet"],  # it is there under the very name
        "[xy].parquet": ["x.parquet"],
    }
    for pattern, paths in expected.items():
        for given in (pattern, Path(pattern), [pattern], str(tmp_path / pattern)):
            scan = bleupandas.scan_parquet(given)
            found = [str(path.relative_to(tmp_path) if path.is_absolute() else path) for path in scan.paths]
            assert found == paths
            assert scan.bleu.corpus().segments == sum(names.index(path) + 1 for path in paths)
    with pytest.raises(FileNotFoundError, match=r"^no file matches 'a/q\*\.parquet'; expected at least one P"):
        bleupandas.scan_parquet("a/q*.parquet")
    with pytest.raises(FileNotFoundError, match=r"^no file 'q\.parquet'; expected a Parquet file, or a folder of them"):
        bleupandas.scan_parquet("q.parquet")


@pytest.mark.usefixtures("batch_rows")
@pytest.mark.parametrize("errors", ["raise", "coerce"])
@pytest.mark.parametrize(("name", "options"), [c for c in [*CALLS.items(), *MORE] if c[0] != "explain"], ids=str)
def test_equal_to_one_frame(tmp_path: Path, errors: str, name: str, options: dict[str, Any]) -> None:
    frame = find_dictionary_paths(with_bad_rows(arrow_frame()) if errors == "coerce" else arrow_frame())
    options = {**options, "errors": errors}
    found = pd.concat(list(getattr(write(tmp_path, frame).bleu, name)(**options)))
    expected = getattr(frame.bleu, name)(**options)
    expected = expected.to_frame() if isinstance(expected, pd.Series) else expected
    carried = [label for label in ("system", "number") if label in found]
    found = found.astype({label: expected[label].dtype for label in carried})  # they keep their Arrow types
    pd.testing.assert_frame_equal(found, expected)


@pytest.mark.usefixtures("batch_rows")
@pytest.mark.parametrize("by", ["system", ["system"], ["number", "system"], "domain"], ids=str)
@pytest.mark.parametrize(
    "options", [{}, {"sort": False}, {"dropna": True}, {"margins": True}, {"errors": "coerce"}], ids=str
)
def test_groups_equal_those_of_one_frame(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, by: Any, options: dict[str, Any]
) -> None:
    monkeypatch.setattr("bleupandas.scaling.corpus_parts.MAX_GROUP_ROWS", 3)
    frame = find_dictionary_paths(with_bad_rows(arrow_frame()) if "errors" in options else arrow_frame())
    expected = frame.bleu.corpus(by=by, **options).reset_index()
    found = write(tmp_path, frame).bleu.corpus(by=by, **options)
    assert list(found.index.names) == (by if isinstance(by, list) else [by])
    keys = list(found.index.names)
    found = found.reset_index().astype(expected.dtypes)
    pd.testing.assert_frame_equal(found.drop(columns=keys), expected.drop(columns=keys))
    for key in keys:  # Arrow's missing values are not those of objects
        assert found[key].astype(object).where(found[key].notna(), None).tolist() == (
            expected[key].astype(object).where(expected[key].notna(), None).tolist()
        )


@pytest.mark.usefixtures("batch_rows")
@pytest.mark.parametrize("options", [{}, {"convention": "sacrebleu", "max_order": 2}, {"errors": "coerce"}], ids=str)
def test_corpus_equals_that_of_one_frame(tmp_path: Path, options: dict[str, Any]) -> None:
    frame = with_bad_rows(arrow_frame()) if "errors" in options else arrow_frame()
    same_score(write(tmp_path, frame).bleu.corpus(**options), frame.bleu.corpus(**options))


def test_columns_are_carried_along(tmp_path: Path) -> None:
    frame = find_dictionary_paths(arrow_frame())
    found = pd.concat(list(write(tmp_path, frame).bleu.components(id_vars=["number"])))
    assert found["number"].tolist() == (np.arange(23) // 6).tolist()
    pd.testing.assert_frame_equal(found.drop(columns="number"), frame.bleu.components())


def test_components_columns(tmp_path: Path) -> None:
    frame = find_dictionary_paths(arrow_frame())
    counted: Any = frame.bleu.components().assign(system=frame["system"])
    counted.to_parquet(tmp_path / "c.parquet")
    scan = bleupandas.scan_parquet(tmp_path / "c.parquet")
    pd.testing.assert_frame_equal(
        scan.bleu.corpus(by="system").reset_index(), counted.bleu.corpus(by="system").reset_index(), check_dtype=False
    )
    assert scan.bleu.corpus().score == counted.bleu.corpus().score
    assert next(scan.bleu.score())["score"].tolist() == frame.bleu.score().tolist()


def test_files_whose_list_columns_differ_in_type(tmp_path: Path) -> None:
    frame = find_dictionary_paths(arrow_frame())
    large = pa.large_list(pa.large_string())
    pq.write_table(table_of(frame[:8].assign(references=None), second=pa.null()), tmp_path / "0.parquet")
    pq.write_table(table_of(frame[8:16], large, pa.large_list(large)), tmp_path / "1.parquet")
    pq.write_table(table_of(frame[16:], pa.list_(pa.dictionary(pa.int32(), pa.string()))), tmp_path / "2.parquet")
    found = bleupandas.scan_parquet(tmp_path).bleu.corpus(errors="coerce")
    assert (found.segments, found.segments_missing) == (15, 8)
    assert found.matches == frame[8:].bleu.corpus().matches
    flat = pd.DataFrame({"hypothesis": [["a"]], "references": [["a"]]})
    flat.to_parquet(tmp_path / "3.parquet")
    with pytest.raises(TypeError, match=r"column 'references' is .* in .*1.parquet and .* in .*3.parquet; expected"):
        bleupandas.scan_parquet(tmp_path).bleu.corpus(errors="coerce")


@pytest.mark.parametrize("kind", [pa.list_(pa.null()), pa.null()], ids=str)
def test_another_file_tells_what_empty_lists_mean(tmp_path: Path, kind: Any) -> None:
    cells: list[Any] = [[], []] if kind == pa.list_(pa.null()) else [None, None]
    empty = pa.table({"hypothesis": pa.array([["a"], ["b"]]), "references": pa.array(cells, kind)})
    pq.write_table(empty, tmp_path / "0.parquet")
    pq.write_table(pa.table({"hypothesis": [["a"]], "references": [["b"]]}), tmp_path / "1.parquet")
    found = pd.concat(list(bleupandas.scan_parquet(tmp_path).bleu.components(max_order=1, errors="coerce")))
    frame = pd.DataFrame({"hypothesis": [["a"], ["b"], ["a"]], "references": frames.cells([*cells, ["b"]])})
    pd.testing.assert_frame_equal(found, frame.bleu.components(max_order=1, errors="coerce"))


# ---- What can be wrong ----


@pytest.mark.usefixtures("batch_rows")
def test_a_bad_row_is_named_with_its_file(tmp_path: Path) -> None:
    frame = find_dictionary_paths(with_bad_rows(arrow_frame()))[BAD[0] + 1 :]
    scan = write(tmp_path, frame, cuts=(7,))
    for call in (scan.bleu.components, scan.bleu.ngrams, scan.bleu.score):
        with pytest.raises(
            ValueError, match=r"^column 'references', row 18 \(position 11 of 1.parquet\): no reference"
        ):
            list(call())
    with pytest.raises(ValueError, match=r"row 18 \(position 11 of 1.parquet\)"):
        scan.bleu.corpus(by="system")
    one = bleupandas.scan_parquet(tmp_path / "1.parquet")
    with pytest.raises(ValueError, match=r"row 11 \(position 11\): no reference"):
        one.bleu.corpus()
    frame.iloc[:1].bleu.components()  # no name of a file is left behind
    with pytest.raises(ValueError, match=r"row 22 \(position 18\): no reference"):
        frame.bleu.components()


def test_labels_options_and_files_are_checked_at_once(tmp_path: Path) -> None:
    scan = write(tmp_path, arrow_frame())
    with pytest.raises(KeyError, match="no column 'mt' for the hypothesis"):
        scan.bleu.components(hypothesis="mt")
    with pytest.raises(KeyError, match=r"no column 'sytem' for by: .* did you mean 'system'"):
        scan.bleu.corpus(by="sytem")
    with pytest.raises(KeyError, match="no column 'x' for id_vars"):
        scan.bleu.score(id_vars="x")
    with pytest.raises(ValueError, match="max_order is a whole number from 1 to 8, not 9"):
        scan.bleu.score(max_order=9)
    with pytest.raises(TypeError, match=r"components\(\) has no keyword 'n_gram'; did you mean 'max_order'\?"):
        scan.bleu.components(n_gram=2)
    with pytest.raises(TypeError, match="by has int 3; of Parquet files it is a column name"):
        scan.bleu.corpus(by=3)
    with pytest.raises(FileNotFoundError, match=r"no file .*nothing\.parquet'; expected a Parquet file"):
        bleupandas.scan_parquet(tmp_path / "nothing.parquet")
    (tmp_path / "empty").mkdir()
    with pytest.raises(FileNotFoundError, match=r"empty' holds no \*.parquet"):
        bleupandas.scan_parquet(tmp_path / "empty")
    with pytest.raises(TypeError, match="path is a path, or a list of them, not int 3"):
        bleupandas.scan_parquet(3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="path is an empty list"):
        bleupandas.scan_parquet([])
    (tmp_path / "text.parquet").write_text("a\n" * 99)
    with pytest.raises(ValueError, match=r"text.parquet' is not a Parquet file \(Parquet magic bytes not found"):
        bleupandas.scan_parquet(str(tmp_path / "text.parquet"))
    pq.write_table(pa.table({"hypothesis": [["a"]]}), tmp_path / "9.parquet")
    with pytest.raises(KeyError, match=r"no column 'references' in .*9.parquet: the columns are 'hypothesis'"):
        bleupandas.scan_parquet([tmp_path / "0.parquet", tmp_path / "9.parquet"]).bleu.components()


def test_bound_columns(tmp_path: Path) -> None:
    frame = find_dictionary_paths(arrow_frame())
    bound = write(tmp_path, frame).bleu(max_order=2, references=["references"])
    pd.testing.assert_frame_equal(pd.concat(list(bound.components())), frame.bleu.components(max_order=2))
    assert len(SEGMENTS) == 23
