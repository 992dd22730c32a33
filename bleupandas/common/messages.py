"""Parts of error messages. A message is one line: where, what came, what is expected, what to do."""

import difflib
import re
import sys
import warnings
from collections.abc import Iterable, Mapping
from typing import Any, NoReturn

import numpy as np

# Keywords of NLTK, sacreBLEU, Hugging Face evaluate and torchmetrics, with our names for them.
NEIGHBOURS = {
    "smooth": "smoothing",
    "smooth_method": "smoothing",
    "smoothing_function": "smoothing",
    "smooth_value": "epsilon",
    "max_n_gram": "max_order",
    "max_ngram_order": "max_order",
    "n_gram": "max_order",
    "ngram_order": "max_order",
    "n": "max_order",
    "order": "max_order",
    "auto_reweigh": "effective_order",
    "use_effective_order": "effective_order",
    "candidate": "hypothesis",
    "hypotheses": "hypothesis",
    "hyp": "hypothesis",
    "predictions": "hypothesis",
    "preds": "hypothesis",
    "reference": "references",
    "refs": "references",
    "target": "references",
    "n_jobs": "threads",
    "num_threads": "threads",
    "groupby": "by",
    "separator": "sep",
}


def short_repr(value: object, length: int = 40) -> str:
    """Return the first `length` characters of a value's repr, on one line."""
    try:
        text = re.sub(r" at 0x[0-9a-fA-F]+", "", repr(value.item() if isinstance(value, np.generic) else value))
    except Exception:  # a broken __repr__ must not hide the error to report
        text = f"<{type(value).__name__}>"
    text = " ".join(line.strip() for line in text.splitlines())
    return text if len(text) <= length else text[: length - 3] + "..."


def typed_repr(value: object) -> str:
    """Return a value's repr with its type in front, unless it begins with the type: "int 5", "set {'a'}"."""
    text, kind = short_repr(value), type(value).__name__
    return text if text.lstrip("<").startswith(kind) else f"{kind} {text}"


def join_values(values: Iterable[object], most: int = 12) -> str:
    """Return values as "a, b, c", with at most `most` of them."""
    items = list(values)
    text = ", ".join(short_repr(item) for item in items[:most])
    return text + (f" and {len(items) - most} more" if len(items) > most else "")


def format_tokens(count: int) -> str:
    """Return "1 token" or "2 tokens"."""
    return "1 token" if count == 1 else f"{count} tokens"


def did_you_mean(name: str, allowed: Iterable[str]) -> str:
    """Return "; did you mean 'x'?" with the name most similar to `name`, or an empty text."""
    names = list(allowed)
    meant = NEIGHBOURS.get(name)
    if meant not in names:
        meant = next((other for other in names if other.casefold() == name.casefold()), None)
    if meant is None:
        near = difflib.get_close_matches(name, names, 1, 0.6)
        meant = near[0] if near else None
    return f"; did you mean {meant!r}?" if meant else ""


def refuse_keywords(function: str, unknown: Mapping[str, Any], allowed: Iterable[str]) -> None:
    """Raise TypeError for the first keyword that `function` does not have."""
    names = list(allowed)
    for name in unknown:
        hint = did_you_mean(name, names) or ";"
        raise TypeError(f"{function}() has no keyword {name!r}{hint} its keywords are {', '.join(names)}")


def refuse_positional(function: str, value: object, keywords: Iterable[str]) -> NoReturn:
    """Raise TypeError for a value by position that `function` accepts by keyword only."""
    names = list(keywords)
    raise TypeError(
        f"{function}() takes {names[0]}= and the like by keyword, and {short_repr(value)} has none: write "
        f"{function}({names[0]}={short_repr(value)}) or another of its keywords {', '.join(names)}"
    )


def refuse_choice(what: str, value: object, allowed: Iterable[object]) -> NoReturn:
    """Raise ValueError for a value that is not one of the allowed ones."""
    choices = list(allowed)
    hint = did_you_mean(value, [c for c in choices if isinstance(c, str)]) if isinstance(value, str) else ""
    raise ValueError(f"{what} is one of {', '.join(map(repr, choices))}, not {short_repr(value)}{hint}")


def missing_column_error(label: object, columns: Iterable[object], what: str) -> KeyError:
    """Return the KeyError for a missing column; `what` is what the column is needed for."""
    names = list(columns)
    hint = did_you_mean(label, [c for c in names if isinstance(c, str)]) if isinstance(label, str) else ""
    there = f"the columns are {join_values(names)}" if names else "the frame has no columns"
    return ColumnMissingError(f"no column {label!r} for {what}: {there}{hint}")


def warn(message: str) -> None:
    """Warn at the line outside of the package that called the function."""
    warnings.warn(message, RuntimeWarning, stacklevel=caller_depth())


def caller_depth() -> int:
    """Return the stack level of the first frame outside of the package, for warnings.warn in the caller."""
    frame, depth = sys._getframe(1), 1
    while frame.f_back is not None and frame.f_globals.get("__name__", "").split(".")[0] == "bleupandas":
        frame, depth = frame.f_back, depth + 1
    return depth


class ColumnMissingError(KeyError):
    """A KeyError whose message has no quotes around it."""

    def __str__(self) -> str:
        """Return the message."""
        return str(self.args[0])
