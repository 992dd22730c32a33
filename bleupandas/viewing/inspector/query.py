"""Queries: evaluate an expression on the columns of a frame, and say in one line why it fails."""

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bleupandas.common import did_you_mean
from bleupandas.viewing.inspector.notebook_cells import get_notebook_variables


class QueryError(ValueError):
    """A query that cannot be evaluated; the message is one line."""


def evaluate_query(frame: pd.DataFrame, query: str) -> NDArray[np.bool_]:
    """Return which rows ``frame.query(query)`` keeps, (n_rows,).

    ``@name`` is a variable of the notebook.

    Raises
    ------
    QueryError
        If pandas cannot evaluate the expression, or the result is not True or False for each row.

    Examples
    --------
    >>> evaluate_query(pd.DataFrame({"a": [1, 2]}), "a > 1").tolist()
    [False, True]
    """
    try:
        rows: Any = frame.eval(
            query.replace("\n", " ").strip(), engine="python", local_dict=get_notebook_variables(), global_dict={}
        )
    except Exception as error:  # an expression can raise anything; its author should see it
        raise QueryError(f"query: {format_query_error(error, frame)}") from None
    if isinstance(rows, bool | np.bool_):
        return np.full(len(frame), rows, np.bool_)
    fits = isinstance(rows, pd.Series) and len(rows) == len(frame) and pd.api.types.is_bool_dtype(rows.dtype)
    if not fits:
        raise QueryError("query: the result is not True or False for each row; add a comparison, as in score < 0.2")
    return np.asarray(rows.to_numpy(np.bool_, na_value=False))


def format_query_error(error: Exception, frame: pd.DataFrame) -> str:
    """Return an error of pandas in one line, with a similar column name if there is one."""
    text = " ".join(str(error).split()) or type(error).__name__
    if isinstance(error, SyntaxError):
        return f"{error.msg} (in {(error.text or '').strip()!r})" if error.text else text
    if isinstance(error, NameError):  # pandas' UndefinedVariableError
        name = text.split("'")[1] if text.count("'") >= 2 else ""
        return text + did_you_mean(name, [label for label in frame.columns if isinstance(label, str)])
    return text
