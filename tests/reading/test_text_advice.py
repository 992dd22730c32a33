"""Text where tokens belong: the advice of every engine is followed to the letter, and then the call succeeds."""

import ast
import json
import re
from pathlib import Path
from typing import Any

import dask.dataframe as dd
import frames
import numpy as np
import pandas as pd
import polars as pl
import pytest

import bleupandas
import bleupandas.dask
import bleupandas.polars

TEXTS: dict[str, tuple[Any, Any, Any]] = {
    "texts": (["the cat", "a dog"], ["the cat", "a bird"], [None, "dogs"]),
    "a text and lists of texts": (["the cat", "a dog"], [["the cat"], ["a bird", "dogs"]], ["cats", "dogs"]),
    "the references are token lists": (["the cat", "a dog"], [["the", "cat"], ["a", "bird"]], [None, ["dogs"]]),
    "the hypotheses are token lists": ([["the", "cat"], ["a", "dog"]], ["the cat", "a bird"], [None, "dogs"]),
    "lists of texts alone": ([["the", "cat"], ["a", "dog"]], [["the cat"], ["a bird"]], [["cats"], ["a dog", "dogs"]]),
}


@pytest.mark.parametrize("name", TEXTS)
def test_the_advice_on_texts_mends_the_whole_call(engine: str, name: str) -> None:
    df: Any = pd.DataFrame(dict(zip(("mt", 7, "b"), map(frames.cells, TEXTS[name]), strict=True)))
    bound = {"hypothesis": "mt", "references": [7, "b"]}
    with pytest.raises(TypeError) as raised:  # the advice is run below
        df.bleu(**bound).corpus()
    [advice] = re.findall(r"tokenize first: (df = bleupandas\.tokenize\(df, \{.*?\}\))", str(raised.value))
    scope = {"bleupandas": bleupandas, "df": df}
    exec(advice, scope)
    found = scope["df"].bleu(**bound).components(max_order=1)
    assert found["matches_1"].sum() == (4 if name == "lists of texts alone" else 3)


@pytest.mark.parametrize(
    ("save", "read"), [(str, "ast.literal_eval"), (json.dumps, "json.loads")], ids=["to_csv", "JSON"]
)
def test_lists_that_were_saved_as_text(engine: str, save: Any, read: str) -> None:
    lists: dict[str, list[Any]] = {"mt": [["The", "it's"], ["a"]], "ref": [[["The", "cat"], None], [["b"]]]}
    df: Any = pd.DataFrame({label: [save(cell) for cell in cells] for label, cells in lists.items()})
    with pytest.raises(
        TypeError, match=r"it looks like a list that was saved as text, as to_csv\(\) does: save "
    ) as told:
        df.bleu(hypothesis="mt", references="ref").components()
    [advice] = re.findall(r"read the lists: (.*)$", str(told.value))
    assert read in advice
    exec(advice, {"df": df, "ast": ast, "json": json})
    assert df.bleu(hypothesis="mt", references="ref").components(max_order=1)["matches_1"].tolist() == [1, 0]


def test_arrays_that_were_saved_as_text_cannot_be_read_again(engine: str) -> None:
    """literal_eval would join the tokens of "['a' 'b']" in silence."""
    df: Any = pd.DataFrame({"hypothesis": [str(np.array(["a", "b"]))], "references": [["a"]]})
    with pytest.raises(TypeError, match=r"saved as text, .*: save the frame as Parquet, which keeps lists$"):
        df.bleu.components()


def test_advice_of_audit() -> None:
    df = pd.DataFrame({"mt": ["the cat", "a dog"], "ref": ["the cat", "a bird"], "ref2": [None, "dogs"]})
    bound: Any = {"hypothesis": "mt", "references": ["ref", "ref2"]}
    table = bleupandas.audit(df, **bound)
    [advice] = table["what_to_do"]
    scope: dict[str, Any] = {"bleupandas": bleupandas, "df": df}
    exec(advice.removeprefix("Tokenize first: ").removesuffix("."), scope)
    assert bleupandas.corpus(scope["df"], max_order=1, **bound).matches == (3,)


def test_advice_of_dask() -> None:
    df = pd.DataFrame({"mt": ["the cat", "a dog"], "ref": ["the cat", "a bird"], "ref2": [None, "dogs"]})
    ddf: Any = dd.from_pandas(df, npartitions=2)
    bound: Any = {"hypothesis": "mt", "references": ["ref", "ref2"], "max_order": 1}
    with pytest.raises(TypeError, match=r"^columns 'mt', 'ref', 'ref2': text") as raised:
        ddf.bleu(**bound).corpus()
    scope: dict[str, Any] = {"ddf": ddf, "bleupandas": bleupandas}
    exec(str(raised.value).partition("tokenize first: ")[2], scope)
    assert scope["ddf"].bleu(**bound).corpus().compute(scheduler="sync").matches == (3,)


@pytest.mark.parametrize("lazy", [False, True])
def test_advice_of_polars(lazy: bool) -> None:
    df: Any = pl.DataFrame({"mt": ["the  cat ", ""], "ref": ["the cat", "x"], "ref2": ["cat", "y"]})
    df = df.with_columns(pl.col("ref2").cast(pl.Categorical))
    df = df.lazy() if lazy else df
    bound: Any = {"hypothesis": "mt", "references": ["ref", "ref2"], "max_order": 1}
    with pytest.raises(TypeError, match=r"^columns 'mt', 'ref', 'ref2': text") as raised:
        df.bleu(**bound).corpus()
    split, in_pandas = re.findall(r"white space: (df = .*?); or tokenize it in pandas: (.*)$", str(raised.value))[0]
    scope: dict[str, Any] = {"pl": pl, "df": df}
    exec(split, scope)
    assert scope["df"].bleu(**bound).corpus().matches == (2,)
    tokens = eval(in_pandas, {"bleupandas": bleupandas, "df": df})
    assert tokens.bleu(**bound).corpus().matches == (2,)


def test_advice_of_scan_parquet(tmp_path: Path) -> None:
    df = pd.DataFrame({"mt": ["the cat", "a dog"], "ref": ["the cat", "a bird"], "ref2": [None, "dogs"]})
    path = tmp_path / "mt.parquet"
    df.astype({"ref2": "category"}).to_parquet(path)
    bound: Any = {"hypothesis": "mt", "references": ["ref", "ref2"], "max_order": 1}
    for name in ("components", "corpus"):
        with pytest.raises(TypeError, match=r"^columns 'mt', 'ref', 'ref2': text where token lists are exp") as raised:
            getattr(bleupandas.scan_parquet(path).bleu(**bound), name)()
    [advice] = re.findall(r"save it as another: (.*?), or score", str(raised.value))
    exec(advice, {"bleupandas": bleupandas, "pd": pd, "path": path, "new_path": tmp_path / "new.parquet"})
    assert bleupandas.scan_parquet(tmp_path / "new.parquet").bleu(**bound).corpus().matches == (3,)
