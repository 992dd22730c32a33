"""Text to token lists: sacreBLEU's tokenizers, or any function, over columns of texts."""

import functools
import sys
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias, cast, overload

import numpy as np
import pandas as pd

from bleupandas.common import missing_column_error, refuse_choice, refuse_keywords, short_repr

if TYPE_CHECKING:
    from numpy.typing import NDArray

Split: TypeAlias = Callable[[str], list[str]]
Tokenizer: TypeAlias = str | Split

KEYWORDS = ("columns", "tokenizer", "lowercase", "progress")
LONG = 20_000  # cells from which a bar is worth its place
REMEMBERED_TEXTS = 2**14  # references come again with every system
REMEMBERED_LENGTH = 500  # characters; longer texts are not kept, so that documents do not fill the memory
EXTRAS = {"ja-mecab": "sacrebleu[ja]", "ko-mecab": "sacrebleu[ko]"}


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


def tokenize(
    data: "pd.Series[Any] | pd.DataFrame",
    columns: Mapping[Any, Hashable] | Tokenizer | None = None,
    tokenizer: Tokenizer = "13a",
    *,
    lowercase: bool = False,
    progress: bool | None = None,
    **unknown: Any,
) -> "pd.Series[Any] | pd.DataFrame":
    """Give the token lists of texts.

    Call it as ``tokenize(series)``, ``tokenize(series, "zh")`` or
    ``tokenize(frame, {"mt_text": "hypothesis", "ref_texts": "references"}, "13a")``.

    Parameters
    ----------
    data : Series or DataFrame
        A Series of texts (object, ``str``, Arrow strings, category), or of lists of texts (list, tuple, array or Arrow
        list per cell), which are read as references. A list is always read as texts, also where each is one word.
    columns : dict of text column to token column
        Which columns of a DataFrame to tokenize, and what to call the token columns. A token column that is there
        already, the text column itself too, is replaced where it stands; a new one comes last. All texts are read from
        `data` as it was given. For a Series the second argument is the tokenizer.
    tokenizer : str or callable, default "13a"
        A tokenizer of sacreBLEU by its name there ("13a", "intl", "zh", "char", "none", "ja-mecab", "ko-mecab",
        "flores101", "flores200", ...), "whitespace" (`str.split`), or a function from a text to a list of str.
        "ja-mecab" and "ko-mecab" need ``pip install "sacrebleu[ja]"`` and ``"sacrebleu[ko]"``; "spm", "flores101",
        "flores200" and "spBLEU-1K" need ``pip install sentencepiece``, and sacreBLEU downloads a model once.
    lowercase : bool, default False
        Lowercase the texts before they are tokenized, as sacreBLEU does.
    progress : bool, optional
        Show a progress bar. By default only for 20,000 cells or more, in a notebook or a terminal.

    Returns
    -------
    Series or DataFrame
        For a Series a new one of shape (n_rows,) on the same index, with the same name and object dtype: a list of str
        per text, a list of such lists per list of texts. For a DataFrame a new one with the token columns.
        A missing cell stays as it is; a missing text within a list becomes None; an empty text becomes ``[]``.

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
    Tokens are those that sacreBLEU counts when it is given the text: white space at the end is cut off before the
    tokenizer sees the text, and the tokens are what stands between white space after it. A function is given the text
    as it is. An error that it raises carries a note which says at what row it was.

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
    refuse_keywords("tokenize", unknown, KEYWORDS)
    if isinstance(data, pd.Series):
        split = _splitter(_series_tokenizer(columns, tokenizer), lowercase)
        what = "the series" if data.name is None else f"series {data.name!r}"
        with _progress_bar(len(data), progress) as tick:
            return _tokenized(data, what, split, tick)
    if isinstance(data, pd.DataFrame):
        targets = _targets(data, columns)
        split = _splitter(tokenizer, lowercase)
        with _progress_bar(len(data) * len(targets), progress) as tick:
            tokens = {
                target: _tokenized(data[source], f"column {source!r}", split, tick)
                for source, target in targets.items()
            }
        result = data.assign()  # pandas' own copy: lazy where it can be, and never shared with the caller
        for target, column in tokens.items():
            result[target] = column
        return result
    raise TypeError(
        f"tokenize() works on a pandas Series or DataFrame, not on {short_repr(data)} ({type(data).__name__}); "
        "make a Series of the texts: pd.Series(texts)"
    )


def _series_tokenizer(second: object, tokenizer: object) -> object:
    """Give the tokenizer of a call with a Series, where it may be the second argument."""
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
    """Give the dict of text column to token column, after it was checked."""
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


def _splitter(tokenizer: object, lowercase: bool) -> Split:
    """Give the function from a text to its tokens."""
    if isinstance(tokenizer, str):
        split = _remembering(str.split if tokenizer == "whitespace" else _sacrebleu_split(tokenizer))
    elif callable(tokenizer):
        split = tokenizer
    else:
        raise TypeError(
            "tokenizer is a name, such as '13a', or a function from a text to a list of str, not "
            f"{short_repr(tokenizer)}"
        )
    return (lambda text: split(text.lower())) if lowercase else split


def _remembering(split: Split) -> Split:
    """Give `split` with a memory that ends with the call: of tokens, which are kept once, and of short texts."""
    kept: dict[str, str] = {}

    def shared(text: str) -> list[str]:
        tokens = split(text)
        return list(map(kept.setdefault, tokens, tokens))

    remembered = functools.lru_cache(maxsize=REMEMBERED_TEXTS)(shared)
    return lambda text: remembered(text) if len(text) <= REMEMBERED_LENGTH else shared(text)


def _sacrebleu_split(name: str) -> Split:
    """Give sacreBLEU's tokenizer of this name as a function from a text to a list."""
    from sacrebleu.metrics.bleu import BLEU
    from sacrebleu.tokenizers.tokenizer_base import BaseTokenizer

    if name not in BLEU.TOKENIZERS:
        refuse_choice("tokenizer, if not a function,", name, [*BLEU.TOKENIZERS, "whitespace"])
    try:
        # "spm" is an old name of "flores101" that sacreBLEU still knows, with a warning
        tokenizer = BLEU(tokenize="flores101" if name == "spm" else name).tokenizer
    except (Exception, SystemExit) as error:  # a failed download may end in sys.exit
        raise _unavailable(name, error) from None

    def uncached(part: Callable[[str], str]) -> Callable[[str], str]:
        # Each class keeps 65,536 texts of any length until the process ends: take the method under the cache.
        plain = getattr(type(part).__call__, "__wrapped__", None)
        return part if plain is None else functools.partial(plain, part)

    for attribute, part in list(vars(tokenizer).items()):
        if isinstance(part, BaseTokenizer):
            setattr(tokenizer, attribute, uncached(part))
    join = uncached(tokenizer)
    return lambda text: join(text.rstrip()).split()


def _unavailable(name: str, error: BaseException) -> Exception:
    """Give the error for a tokenizer that sacreBLEU could not make."""
    if name in EXTRAS:
        return ImportError(
            f"tokenizer {name!r} needs MeCab and its dictionary, which are not installed, or not in the versions that "
            f'sacreBLEU wants; install them: pip install "{EXTRAS[name]}"'
        )
    if isinstance(error, ImportError):
        return ImportError(f"tokenizer {name!r} needs sentencepiece, which is not installed: pip install sentencepiece")
    from sacrebleu.utils import SACREBLEU_DIR

    return RuntimeError(
        f"tokenizer {name!r} needs a model that sacreBLEU downloads once into {SACREBLEU_DIR}/models, and that failed "
        f"({type(error).__name__}: {' '.join(str(error).split())}); delete a broken model there and try again with a "
        "network connection, or copy that folder from a computer where it works"
    )


@dataclass(frozen=True, slots=True)
class _Column:
    """What messages say of a column."""

    what: str
    index: "pd.Index[Any]"

    def at(self, position: int, item: int | None = None) -> str:
        place = f"{self.what}, {self.row(position)}"
        return place if item is None else f"{place}, text {item}"

    def row(self, position: int) -> str:
        label = self.index[position : position + 1].tolist()[0]  # a Python object: no "np.int64(3)"
        return f"row {label!r} (position {position})"


def _tokenized(series: "pd.Series[Any]", what: str, split: Split, tick: Callable[[], object]) -> "pd.Series[Any]":
    """Give the tokens of every cell, as a Series of object dtype on the same index."""
    column = _Column(what, series.index)
    tokens: NDArray[np.object_] = np.empty(len(series), dtype=object)
    first = -1  # the row that told whether the cells are texts or lists of them
    nested = False
    for position, cell in enumerate(series):
        if _is_missing(cell):
            tokens[position] = cell
        else:
            texts = _texts(cell)
            if texts is None and not isinstance(cell, str):
                raise _not_text(cell, column.at(position), "a text or a list of texts")
            if first < 0:
                first, nested = position, texts is not None
            if nested != (texts is not None):
                raise _mixed(column, position, first, nested)
            if texts is None:
                tokens[position] = _tokens(cast("str", cell), split, column, position)
            else:
                tokens[position] = _token_lists(texts, split, column, position)
        tick()
    return pd.Series(tokens, index=series.index, name=series.name, dtype=object, copy=False)


def _is_missing(cell: object) -> bool:
    # pd.isna answers element by element for a list, and pd.NA refuses to say whether it equals itself
    return cell is None or cell is pd.NA or cell is pd.NaT or (isinstance(cell, float | np.floating) and cell != cell)


def _texts(cell: object) -> list[object] | None:
    """Give the elements of a list-like cell, None for any other."""
    if isinstance(cell, list | tuple):
        return list(cell)
    elements = cell.tolist() if hasattr(cell, "tolist") else None  # arrays of any library; a scalar's gives no list
    return elements if isinstance(elements, list) else None


def _token_lists(texts: list[object], split: Split, column: _Column, position: int) -> list[list[str] | None]:
    """Give the tokens of each text of one cell."""
    lists: list[list[str] | None] = []
    for item, text in enumerate(texts):
        if _is_missing(text):
            lists.append(None)
        elif isinstance(text, str):
            lists.append(_tokens(text, split, column, position, item))
        else:
            raise _not_text(text, column.at(position, item), "a text")
    return lists


def _tokens(text: str, split: Split, column: _Column, position: int, item: int | None = None) -> list[str]:
    """Give the tokens of one text, as a list of its own."""
    if not text:
        return []
    try:
        tokens = split(text)
    except Exception as error:
        error.add_note(f"The tokenizer was at {column.at(position, item)}: {short_repr(text)}.")
        raise
    if isinstance(tokens, list) and all(isinstance(token, str) and token for token in tokens):
        return list(tokens)
    raise _bad_tokens(tokens, column.at(position, item))


def _not_text(value: object, place: str, expected: str) -> TypeError:
    if isinstance(value, bytes):
        mend = "decode it, as .str.decode('utf-8') does"
    elif _texts(value) is not None:
        mend = "this looks like token lists, which need no tokenize()"
    else:
        mend = "turn it into a str, or make it missing (None)"
    return TypeError(f"{place}: got {short_repr(value)} ({type(value).__name__}), expected {expected}; {mend}")


def _mixed(column: _Column, position: int, first: int, nested: bool) -> TypeError:
    kinds = ["a text", "a list of texts"]
    return TypeError(
        f"{column.at(position)}: got {kinds[not nested]}, expected {kinds[nested]} as in {column.row(first)}; "
        "a column holds one kind: put single texts into lists, or keep the two in columns of their own"
    )


def _bad_tokens(tokens: object, place: str) -> Exception:
    """Give the error for what a function returned instead of a list of tokens."""
    if isinstance(tokens, str):
        return TypeError(
            f"{place}: the tokenizer returned the text {short_repr(tokens)}, expected a list of str; "
            "split it: lambda text: tokenizer(text).split()"
        )
    if not isinstance(tokens, list):
        return TypeError(
            f"{place}: the tokenizer returned {short_repr(tokens)} ({type(tokens).__name__}), expected a list of str; "
            "make a list of it: lambda text: list(tokenizer(text))"
        )
    at = next(i for i, token in enumerate(tokens) if not (isinstance(token, str) and token))
    if isinstance(tokens[at], str):
        return ValueError(
            f"{place}: the tokenizer returned an empty token at position {at}, expected none; drop empty tokens"
        )
    return TypeError(
        f"{place}: the tokenizer returned {short_repr(tokens[at])} ({type(tokens[at]).__name__}) as token {at}, "
        "expected a str; return the tokens' text"
    )


@contextmanager
def _progress_bar(cells: int, progress: bool | None) -> Iterator[Callable[[], object]]:
    """Give the function to call after every cell."""
    if not (cells >= LONG and _is_watched() if progress is None else progress):
        yield lambda: None
        return
    from tqdm.auto import tqdm  # a widget in a notebook, characters in a terminal

    with tqdm(total=cells, desc="tokenize", unit=" cells") as bar:
        yield bar.update


def _is_watched() -> bool:
    """Say whether someone may be looking: at a notebook or a terminal, not at a log file."""
    ipython = sys.modules.get("IPython")  # not imported: then this is no notebook
    shell = ipython.get_ipython() if ipython is not None else None
    return getattr(shell, "kernel", None) is not None or (sys.stderr is not None and sys.stderr.isatty())
