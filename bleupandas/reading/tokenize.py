"""Text to token lists: sacreBLEU's tokenizers, or any function, over columns of texts."""

from collections.abc import Hashable, Mapping
from typing import Any, overload

import pandas as pd

from bleupandas.common import missing_column_error, progress_bar, public, short_repr
from bleupandas.reading.text_columns import TextColumn
from bleupandas.reading.tokenizers import Tokenizer, make_split


@overload
def tokenize(
    data: "pd.Series[Any]", tokenizer: Tokenizer = "13a", /, *, lowercase: bool = False, progress: bool | None = None
) -> "pd.Series[Any]": ...


@overload
def tokenize(
    data: "pd.Series[Any]", *, tokenizer: Tokenizer = "13a", lowercase: bool = False, progress: bool | None = None
) -> "pd.Series[Any]": ...


@overload
def tokenize(
    data: pd.DataFrame,
    columns: Mapping[Any, Hashable],
    tokenizer: Tokenizer = "13a",
    *,
    lowercase: bool = False,
    progress: bool | None = None,
) -> pd.DataFrame: ...


@public
def tokenize(
    data: "pd.Series[Any] | pd.DataFrame",
    columns: Mapping[Any, Hashable] | Tokenizer | None = None,
    tokenizer: Tokenizer = "13a",
    *,
    lowercase: bool = False,
    progress: bool | None = None,
) -> "pd.Series[Any] | pd.DataFrame":
    """Tokenize texts.

    Call it as ``tokenize(series)``, ``tokenize(series, "zh")`` or
    ``tokenize(frame, {"mt_text": "hypothesis", "ref_texts": "references"}, "13a")``.

    Parameters
    ----------
    data : Series or DataFrame
        A Series of texts (object, ``str``, Arrow strings, category), or of lists of texts (list, tuple, array or Arrow
        list per cell), which are read as references. A list is always read as texts, even if each is one word.
    columns : dict of text column to token column
        Which columns of a DataFrame to tokenize, and what to call the token columns. A token column that
        exists, or the text column itself, is replaced in its place; a new one is the last column. All texts are read
        from the unchanged `data`. For a Series the second argument is the tokenizer.
    tokenizer : str or callable, default "13a"
        A tokenizer of sacreBLEU by its name there ("13a", "intl", "zh", "char", "none", "ja-mecab", "ko-mecab",
        "flores101", "flores200", ...), "whitespace" (`str.split`), or a function from a text to a list of str.
        "ja-mecab" and "ko-mecab" need ``pip install "sacrebleu[ja]"`` and ``"sacrebleu[ko]"``; "spm", "flores101",
        "flores200" and "spBLEU-1K" need ``pip install sentencepiece``, and sacreBLEU downloads a model once.
    lowercase : bool, default False
        Lowercase the texts before they are tokenized, as sacreBLEU does.
    progress : bool, optional
        Show a progress bar. By default only after some seconds of work, in a notebook or a terminal.

    Returns
    -------
    Series or DataFrame
        For a Series a new one of shape (n_rows,) on the same index, with the same name and object dtype: a list of str
        per text, a list of such lists per list of texts. For a DataFrame a new one with the token columns.
        A missing cell is not changed; a missing text within a list becomes None; an empty text becomes ``[]``.

    Raises
    ------
    KeyError
        A text column is not there.
    TypeError
        `data` is neither a Series nor a DataFrame, `columns` is no dict, a cell is no text, a column mixes texts and
        lists of texts, or the function does not return a list of str.
    ValueError
        The name of the tokenizer is unknown, a column label stands for several columns, two texts would go into one
        column, or the function returns an empty token.
    ImportError
        The tokenizer needs a package that is not installed.
    RuntimeError
        The tokenizer needs a model that could not be downloaded or loaded.

    Notes
    -----
    The tokens are those that sacreBLEU counts. White space at the end of a text is removed, the tokenizer is applied,
    and its result is split at white space. A function receives the unchanged text. If it raises an error, a note on
    the error names the row.

    Examples
    --------
    >>> import pandas as pd
    >>> from bleupandas import tokenize
    >>> texts = pd.Series(["Hello, world!", None], name="mt", dtype=object)
    >>> tokenize(texts)
    0    [Hello, ,, world, !]
    1                    None
    Name: mt, dtype: object
    >>> frame = pd.DataFrame({"mt": ["A dog."], "refs": [["The dog.", "Dogs"]]})
    >>> tokenize(frame, {"mt": "hypothesis", "refs": "references"}, lowercase=True).loc[0, "references"]
    [['the', 'dog', '.'], ['dogs']]
    """
    if isinstance(data, pd.Series):
        split = make_split(_series_tokenizer(columns, tokenizer), lowercase)
        column = TextColumn(data, "series" if data.name is not None else "the series", data.name)
        with progress_bar(len(data), progress, " cells") as tick:
            return column.tokenize(split, tick)
    if isinstance(data, pd.DataFrame):
        targets = _targets(data, columns)
        split = make_split(tokenizer, lowercase)
        with progress_bar(len(data) * len(targets), progress, " cells") as tick:
            tokens = {
                target: TextColumn(data[source], "column", source).tokenize(split, tick)
                for source, target in targets.items()
            }
        result = data.assign()  # pandas' own copy: lazy where it can be, and never shared with the caller
        for target, found in tokens.items():
            result[target] = found
        return result
    raise TypeError(
        f"tokenize() works on a pandas Series or DataFrame, not on {short_repr(data)} ({type(data).__name__}); "
        "make a Series of the texts: pd.Series(texts)"
    )


def _series_tokenizer(second: object, tokenizer: object) -> object:
    """Return the tokenizer of a call with a Series, where it may be the second argument."""
    if second is None:
        return tokenizer
    if isinstance(second, Mapping):
        raise TypeError(
            "tokenize() was given columns, but a Series has none: write tokenize(series, '13a'), or give the DataFrame"
        )
    if tokenizer != "13a":
        raise TypeError(
            f"tokenize() was given two tokenizers for a Series, {short_repr(second)} and "
            f"{short_repr(tokenizer)}: give one"
        )
    return second


def _targets(data: pd.DataFrame, columns: object) -> dict[Hashable, Hashable]:
    """Check and return the dict of text column to token column."""
    if not isinstance(columns, Mapping):
        raise TypeError(
            "tokenize() of a DataFrame needs columns as a dict of text column to token column, such as "
            f"{{'mt_text': 'hypothesis'}}, not {short_repr(columns)}"
        )
    sources: dict[Hashable, Hashable] = {}
    for source, target in columns.items():
        if source not in data.columns:
            raise missing_column_error(source, data.columns, "tokenize()")
        if not pd.api.types.is_hashable(target):
            raise TypeError(f"columns[{source!r}] is the label of one token column, not {short_repr(target)}")
        for label in (source, target):
            if label in data.columns and not isinstance(data[label], pd.Series):
                raise ValueError(
                    f"column {label!r} stands for {data[label].shape[1]} columns of the frame: "
                    "give the full label of one, or rename them so that it is one"
                )
        if target in sources:
            raise ValueError(
                f"columns {sources[target]!r} and {source!r} would both become {target!r}: give each a token column"
            )
        sources[target] = source
    return {source: target for target, source in sources.items()}
