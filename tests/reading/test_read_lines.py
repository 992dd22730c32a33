"""The example data against its source note, and parallel text files."""

import gzip
import hashlib
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import sacrebleu
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

from bleupandas.reading.load_example import load_example
from bleupandas.reading.read_lines import read_lines

TEXT = pd.Series(["a"]).dtype  # str from pandas 3, object before


def whole(message: str) -> str:
    return f"^{re.escape(message)}$"


# --- load_example


def test_example_columns_and_dtypes() -> None:
    df = load_example()
    assert df.shape == (480, 8)
    pd.testing.assert_index_equal(df.index, pd.RangeIndex(480), exact=True)
    assert df.dtypes.to_dict() == {
        "id": np.dtype("int64"),
        "system": TEXT,
        "domain": TEXT,
        "source": TEXT,
        "hypothesis_text": TEXT,
        "reference_texts": np.dtype(object),
        "hypothesis": np.dtype(object),
        "references": np.dtype(object),
    }
    assert df.notna().all(axis=None)


def test_example_lists_are_lists() -> None:
    df = load_example()
    for tokens in df["hypothesis"]:
        assert type(tokens) is list
        assert {type(token) for token in tokens} == {str}
    for texts, references in zip(df["reference_texts"], df["references"], strict=True):
        assert type(texts) is type(references) is list
        assert {type(text) for text in texts} == {str}
        assert {type(tokens) for tokens in references} == {list}
        assert {type(token) for tokens in references for token in tokens} == {str}


def test_example_is_what_the_note_says() -> None:
    df = load_example()
    assert df["id"].tolist() == [number for number in range(1, 241) for _ in range(2)]
    assert df["system"].tolist() == ["direct", "pivot"] * 240
    assert df["domain"].tolist() == [d for d in ("news", "travel", "cooking", "software") for _ in range(120)]
    one = df[df["system"] == "direct"]
    references = one["references"].map(len)
    assert references.value_counts().to_dict() == {1: 30, 2: 150, 4: 60}
    assert pd.crosstab(one["domain"], references).loc[["news", "travel", "cooking", "software"]].values.tolist() == [
        [8, 37, 15],
        [7, 38, 15],
        [8, 37, 15],
        [7, 38, 15],
    ]
    lengths = df["hypothesis"].map(len)
    assert lengths.groupby(df["system"]).agg(["sum", "min", "max"]).T.to_dict("list") == {
        "direct": [3496, 2, 48],
        "pivot": [3470, 2, 48],
    }
    assert sum(len(tokens) for row in one["references"] for tokens in row) == 7643
    assert one["source"].is_unique


def test_example_bytes_are_those_of_the_note() -> None:
    lines = [json.dumps(row, ensure_ascii=False) + "\n" for row in load_example().to_dict("records")]
    data = "".join(lines).encode("utf-8")
    assert len(data) == 380_197
    assert hashlib.sha256(data).hexdigest() == "a8cd0c1915e6e2f1b669df3c7eb24112118469e53cf8030cd267a30ef29b3309"


def test_example_tokens_are_sacrebleus() -> None:
    df = load_example()
    tokenizer: Any = Tokenizer13a  # untyped
    split = tokenizer()
    assert [split(text).split() for text in df["hypothesis_text"]] == df["hypothesis"].tolist()
    assert [[split(text).split() for text in row] for row in df["reference_texts"]] == df["references"].tolist()


@pytest.mark.parametrize(("system", "score"), [("direct", "31.61"), ("pivot", "27.39")])
def test_example_scores_of_the_note(system: str, score: str) -> None:
    df = load_example().query("system == @system")
    streams: Any = [[texts[k] if k < len(texts) else None for texts in df["reference_texts"]] for k in range(4)]
    assert f"{sacrebleu.corpus_bleu(df['hypothesis_text'].tolist(), streams).score:.2f}" == score


def test_example_is_new_each_time() -> None:
    df = load_example()
    df.loc[0, "system"] = "changed"
    df["hypothesis"].iloc[0].append("changed")
    assert load_example()["system"].iloc[0] == "direct"
    assert load_example()["hypothesis"].iloc[0][-1] == "."


# --- read_lines


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "mt").write_bytes("One.\nTwo.\nDrei é.\n".encode())
    (tmp_path / "ref0").write_bytes(b"1.\n2.\n3.\n")
    (tmp_path / "ref1").write_bytes(b"uno\n\ntres")
    (tmp_path / "short").write_bytes(b"a\nb\n")
    (tmp_path / "empty").write_bytes(b"")
    return tmp_path


def test_one_hypothesis_and_two_references(folder: Path) -> None:
    df = read_lines(folder / "mt", [folder / "ref0", str(folder / "ref1")])
    assert df.to_dict("list") == {
        "hypothesis_text": ["One.", "Two.", "Drei é."],
        "reference_texts": [["1.", "uno"], ["2.", ""], ["3.", "tres"]],
    }
    assert df.dtypes.to_dict() == {"hypothesis_text": TEXT, "reference_texts": np.dtype(object)}
    pd.testing.assert_index_equal(df.index, pd.RangeIndex(3), exact=True)


@pytest.mark.parametrize("as_list", [False, True])
def test_one_reference_is_a_list_of_one(folder: Path, as_list: bool) -> None:
    path = str(folder / "ref0")
    df = read_lines(str(folder / "mt"), [path] if as_list else path)
    assert df["reference_texts"].tolist() == [["1."], ["2."], ["3."]]


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"", []),
        (b"\n", [""]),
        (b"a", ["a"]),
        (b"a\n", ["a"]),
        (b"a\n\n", ["a", ""]),
        (b"\na", ["", "a"]),
        (b"a\r\nb\r\n", ["a", "b"]),
        (b"a\r\nb\n\r\n", ["a", "b", ""]),
        (b"a\rb\nc\r", ["a\rb", "c\r"]),
        (b"a\r\r\nb", ["a\r", "b"]),
        ("a\u2028b\u2029c\x0bd\x0ce\x85f\x1cg\x1dh\x1ei\n".encode(), ["a\u2028b\u2029c\x0bd\x0ce\x85f\x1cg\x1dh\x1ei"]),
        (b"\xef\xbb\xbfa\nb", ["a", "b"]),
        (b"\xef\xbb\xbf", []),
        (b" a \n\t\n", [" a ", "\t"]),
        ("a\n\ufeffb\n".encode(), ["a", "\ufeffb"]),
    ],
)
@pytest.mark.parametrize("suffix", ["", ".gz"])
def test_what_is_a_line(data: bytes, lines: list[str], suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"text{suffix}"
    path.write_bytes(gzip.compress(data) if suffix else data)
    df = read_lines(path, path, copy=path)
    assert df["hypothesis_text"].tolist() == lines
    assert df["reference_texts"].tolist() == [[line] for line in lines]
    assert df["copy"].tolist() == lines
    assert df.dtypes.to_dict() == {"hypothesis_text": TEXT, "reference_texts": np.dtype(object), "copy": TEXT}
    pd.testing.assert_index_equal(df.index, pd.RangeIndex(len(lines)), exact=True)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "cp1252", "utf-8-sig"])
def test_other_encodings(encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_bytes("é\nà\r\n".encode(encoding))
    assert read_lines(path, [path], encoding=encoding)["hypothesis_text"].tolist() == ["é", "à"]


def test_metadata_of_every_kind(folder: Path) -> None:
    df = read_lines(
        folder / "mt",
        folder / "ref0",
        source=folder / "ref1",
        system="ref1",
        number=3,
        nothing=None,
        letters=["a", "b", "c"],
        pair=("x", "y", "z"),
        array=np.array([1.5, 2.5, 3.5]),
        series=pd.Series([3, 2, 1], index=[7, 8, 9], dtype="int8"),
        index=pd.Index([True, False, True]),
        extension=pd.array([1, None, 3], dtype="Int64"),
        category=pd.Categorical(["p", "q", "p"]),
    )
    assert list(df.columns)[:3] == ["hypothesis_text", "reference_texts", "source"]
    assert df["source"].tolist() == ["uno", "", "tres"]
    assert df["system"].tolist() == ["ref1"] * 3
    assert df["number"].tolist() == [3, 3, 3]
    assert df["nothing"].tolist() == [None] * 3
    assert df["letters"].tolist() == ["a", "b", "c"]
    assert df["pair"].tolist() == ["x", "y", "z"]
    assert df["array"].tolist() == [1.5, 2.5, 3.5]
    assert df["series"].tolist() == [3, 2, 1]
    assert df["index"].tolist() == [True, False, True]
    assert df["extension"].tolist() == [1, pd.NA, 3]
    assert df["category"].tolist() == ["p", "q", "p"]
    assert {name: str(df[name].dtype) for name in ("number", "array", "series", "index", "extension", "category")} == {
        "number": "int64",
        "array": "float64",
        "series": "int8",
        "index": "bool",
        "extension": "Int64",
        "category": "category",
    }
    assert df["source"].dtype == df["system"].dtype == df["letters"].dtype == TEXT
    pd.testing.assert_index_equal(df.index, pd.RangeIndex(3), exact=True)


def test_metadata_is_not_shared_with_the_caller(folder: Path) -> None:
    series, array = pd.Series([1, 2, 3]), np.array([1, 2, 3])
    df = read_lines(folder / "mt", folder / "ref0", series=series, array=array)
    df.loc[0, ["series", "array"]] = 9
    assert series.tolist() == array.tolist() == [1, 2, 3]


def test_empty_files(folder: Path) -> None:
    df = read_lines(folder / "empty", [folder / "empty"], system="A", number=3, values=[])
    assert df.shape == (0, 5)
    assert df.dtypes.to_dict() == {
        "hypothesis_text": TEXT,
        "reference_texts": np.dtype(object),
        "system": TEXT,
        "number": np.dtype("int64"),
        "values": np.dtype(object),
    }


def test_a_path_in_the_home_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("USERPROFILE", str(folder))
    assert len(read_lines("~/mt", Path("~/ref0"), source=Path("~/ref1"))) == 3


# --- messages


def test_files_of_different_lengths(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    message = (
        "files of different lengths: hypothesis 'mt' 3 lines, references[0] 'ref0' 3 lines, references[1] 'short' "
        "2 lines, source 'empty' 0 lines, ids 4 values; every file needs one line per segment, "
        "so look for a line that is missing or broken in two"
    )
    with pytest.raises(ValueError, match=whole(message)):
        read_lines("mt", ["ref0", "short"], source=Path("empty"), ids=[1, 2, 3, 4], system="A")
    message = (
        "files of different lengths: hypothesis 'mt' 3 lines, references 'short' 2 lines; every file needs one line "
        "per segment, so look for a line that is missing or broken in two"
    )
    with pytest.raises(ValueError, match=whole(message)):
        read_lines("mt", "short")


def test_a_file_that_is_not_there(folder: Path) -> None:
    missing = str(folder / "no such")
    for arguments, what in (
        ((missing, folder / "ref0"), "hypothesis"),
        ((folder / "mt", [folder / "ref0", missing]), "references[1]"),
        ((folder / "mt", missing), "references"),
    ):
        with pytest.raises(FileNotFoundError, match=whole(f"[Errno 2] no such file for {what}: {missing!r}")) as caught:
            read_lines(*arguments)
        assert caught.value.filename == missing
    with pytest.raises(FileNotFoundError, match=whole(f"[Errno 2] no such file for source: {missing!r}")):
        read_lines(folder / "mt", folder / "ref0", source=Path(missing))


@pytest.mark.parametrize(
    ("data", "encoding", "problem", "hint"),
    [
        (b"a\nb\ncaf\xe9\n", "utf-8", "line 3: byte 0xe9 is not valid in utf-8", "cp1252"),
        (b"\xef\xbb\xbfa\n\xe9", "utf-8-sig", "line 2: byte 0xe9 is not valid in utf-8-sig", "cp1252"),
        ("a\n".encode("utf-16"), "utf-8", "line 1: byte 0xff is not valid in utf-8", "utf-16"),
        ("é\nb\n".encode(), "ascii", "line 1: byte 0xc3 is not valid in ascii", "utf-8"),
        ("a\nb\n".encode("utf-16-le") + b"c", "utf-16-le", "line 3: byte 0x63 is not valid in utf-16-le", "cp1252"),
    ],
)
def test_a_file_in_another_encoding(data: bytes, encoding: str, problem: str, hint: str, folder: Path) -> None:
    path = folder / "wrong"
    path.write_bytes(data)
    message = (
        f"hypothesis {str(path)!r}, {problem}; give the encoding of the file, such as encoding={hint!r}, "
        "or save it as UTF-8"
    )
    with pytest.raises(ValueError, match=whole(message)):
        read_lines(path, folder / "ref0", encoding=encoding)


@pytest.mark.parametrize("encoding", ["utf-99", "hex"])
def test_an_unknown_encoding(encoding: str, folder: Path) -> None:
    message = f"encoding {encoding!r} is none that Python knows; text files are mostly 'utf-8'"
    with pytest.raises(ValueError, match=whole(message)):
        read_lines(folder / "mt", folder / "ref0", encoding=encoding)


@pytest.mark.parametrize(
    "data",
    [b"plain text\n", gzip.compress(b"a\n" * 1000, mtime=0)[:-12], gzip.compress(b"a", mtime=0)[:12] + b"!"],
    ids=["plain", "cut", "broken"],
)
def test_a_broken_gzip_file(data: bytes, folder: Path) -> None:
    path = folder / "text.gz"
    path.write_bytes(data)
    before = re.escape(f"references[0] {str(path)!r} is not a whole gzip file (")
    after = re.escape("); fetch or pack it again, or drop the .gz from its name if it is plain text")
    with pytest.raises(ValueError, match=f"^{before}[^\n]+{after}$"):
        read_lines(folder / "mt", [path])


@pytest.mark.parametrize(
    ("arguments", "metadata", "error", "message"),
    [
        (("mt", []), {}, ValueError, "references is empty: give the path of at least one reference file"),
        (("mt", ()), {}, ValueError, "references is empty: give the path of at least one reference file"),
        ((["mt"], "ref0"), {}, TypeError, "hypothesis is the path of a text file (str or pathlib.Path), not ['mt']"),
        (("mt", None), {}, TypeError, "references is the path of a text file (str or pathlib.Path), not None"),
        (("mt", ["ref0", 3]), {}, TypeError, "references[1] is the path of a text file (str or pathlib.Path), not 3"),
        (
            ("mt", "ref0"),
            {"reference_texts": "x"},
            ValueError,
            "metadata 'reference_texts' has the name of a column that read_lines() makes: choose another name",
        ),
        (
            ("mt", "ref0"),
            {"ids": {1, 2}},
            TypeError,
            "metadata 'ids' is a pathlib.Path, a constant, or a list, tuple, one-dimensional array, Index or Series "
            "with a value per line, not {1, 2} (set)",
        ),
        (
            ("mt", "ref0"),
            {"ids": np.zeros((3, 1))},
            TypeError,
            "metadata 'ids' is a pathlib.Path, a constant, or a list, tuple, one-dimensional array, Index or Series "
            "with a value per line, not array([[0.], [0.], [0.]]) (ndarray)",
        ),
    ],
)
def test_arguments_that_are_wrong(
    arguments: tuple[Any, Any],
    metadata: dict[str, Any],
    error: type[Exception],
    message: str,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(folder)
    with pytest.raises(error, match=whole(message)):
        read_lines(*arguments, **metadata)
