"""Paired rows: which row of a frame belongs to which system and which segment, in long and in wide form.

In long form a frame has a row for each system and segment, with a system and an id. In wide form it has a row for each
segment and a hypothesis column for each system.
"""

from collections.abc import Hashable
from typing import Any, Literal, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bleupandas.common import join_values, short_repr, warn
from bleupandas.comparing.pair_options import PairOptions
from bleupandas.reading import FEW, factorize, missing_text, row_values

WAYS_OUT = "expected a row for each id of each system: correct them, or pass on_unpaired='drop' to leave them out"


class PairedRows(NamedTuple):
    """The row of each system for each paired segment."""

    labels: pd.Index  # (n_systems,), in order of appearance; in wide form the column labels
    ids: pd.Index  # (n_pairs,), in order of first appearance; in wide form the index of the frame
    positions: NDArray[np.int64]  # (n_systems, n_pairs), row positions in the frame
    dropped: int  # segments left out by on_unpaired="drop"

    @property
    def names(self) -> list[Hashable]:
        """The systems as Python objects."""
        return self.labels.tolist()


def read_paired_rows(df: pd.DataFrame, function: str, hypothesis: object, pairing: PairOptions) -> PairedRows:
    """Read the paired rows of a frame: in wide form if `hypothesis` is a list, else in long form.

    Raises
    ------
    KeyError, TypeError, ValueError
        If the frame does not say what the systems are, or rows do not pair.
    """
    if isinstance(hypothesis, list):
        return wide_rows(df, function, hypothesis, pairing)
    systems = row_values(df, pairing.system, "system", function)
    ids = row_values(df, pairing.id, "id", function)
    return pair_rows(
        systems,
        ids,
        df.index,
        on_unpaired=pairing.on_unpaired,
        system_name=f"system{format_source(pairing.system)}",
        id_name=f"id{format_source(pairing.id)}",
    )


def format_source(key: object) -> str:
    """Return " (column 'x')" for a label, and an empty text for values."""
    return f" (column {short_repr(key)})" if isinstance(key, Hashable) and key is not None else ""


# ---- Wide form ----


def wide_rows(
    df: pd.DataFrame, function: str, columns: list[Any], pairing: PairOptions, keyword: str = "hypothesis"
) -> PairedRows:
    """Return the paired rows of the wide form: every row of the frame, for each system.

    Parameters
    ----------
    df : DataFrame
    function, keyword : str
        The public function and its keyword, for errors.
    columns : list of labels
        A column for each system.
    pairing : PairOptions
    """
    if not columns:
        raise ValueError(f"{keyword} is an empty list; expected a column label for each system")
    for name, value in (("system", pairing.system), ("id", pairing.id)):
        if value is not None:
            raise ValueError(
                f"{function}() has {name}= and a list of {keyword} columns: with a column for each system a row is a "
                f"segment; leave {name} out, or pass one {keyword} column"
            )
    unhashable = [column for column in columns if not isinstance(column, Hashable)]
    if unhashable:
        raise TypeError(f"{keyword} is a list of column labels, and {short_repr(unhashable[0])} is not a label")
    repeated = [column for at, column in enumerate(columns) if column in columns[:at]]
    if repeated:
        raise ValueError(f"{keyword} has {join_values(repeated)} more than once; expected each system's column once")
    positions = np.broadcast_to(np.arange(len(df)), (len(columns), len(df)))
    has_tuples = any(isinstance(column, tuple) for column in columns)
    labels = pd.Index(columns, dtype=object, tupleize_cols=False) if has_tuples else pd.Index(columns)
    return PairedRows(labels, df.index, positions, 0)


# ---- Long form ----


def pair_rows(
    systems: pd.Index,
    ids: pd.Index,
    index: pd.Index,
    *,
    on_unpaired: Literal["raise", "drop"] = "raise",
    system_name: str = "system",
    id_name: str = "id",
    advice: str = WAYS_OUT,
) -> PairedRows:
    """Pair rows by their ids.

    Parameters
    ----------
    systems, ids : Index of shape (n_rows,)
    index : Index of shape (n_rows,)
        The row labels, for errors.
    on_unpaired : {"raise", "drop"}
        What happens to ids that a system lacks, and to rows without an id or system.
    system_name, id_name : str
        What systems and ids are called in errors.
    advice : str
        The end of errors: what is expected, and what to do.

    Raises
    ------
    ValueError
        If an id appears twice in a system; with on_unpaired="raise" also if it is missing from one.
    """
    system_codes, labels = factorize(systems, "system")
    id_codes, names = factorize(ids, "id")
    problems = [
        missing_text(name, codes < 0, index)
        for name, codes in ((system_name, system_codes), (id_name, id_codes))
        if (codes < 0).any()
    ]
    if problems and on_unpaired == "raise":
        raise ValueError(f"{'; '.join(problems)}; {advice}")
    known = np.flatnonzero((system_codes >= 0) & (id_codes >= 0))
    cells = system_codes[known] * len(names) + id_codes[known]
    order = np.argsort(cells, kind="stable")
    refuse_duplicates(cells[order], labels, names)
    numbers = np.bincount(id_codes[known], minlength=len(names))
    complete = numbers == len(labels)
    incomplete = np.flatnonzero(~complete & (numbers > 0))
    if len(incomplete):
        problems.append(format_unpaired(incomplete, int((numbers > 0).sum()), cells, labels, names))
        if on_unpaired == "raise":
            raise ValueError(f"{problems[-1]}; {advice}")
    dropped = int((~complete).sum())
    if problems:
        noun = "segment" if len(names) == 1 else "segments"
        warn(f"on_unpaired='drop' left out {dropped} of {len(names)} {noun}: {'; '.join(problems)}")
    # Sorted by system and id, and every system has every id that is kept.
    kept = known[order][complete[id_codes[known[order]]]]
    return PairedRows(labels, names[complete], kept.reshape(len(labels), len(names) - dropped), dropped)


def refuse_duplicates(cells: NDArray[np.int64], labels: pd.Index, names: pd.Index) -> None:
    """Raise ValueError if an id appears more than once in a system; `cells` are sorted."""
    repeated = np.unique(cells[1:][cells[1:] == cells[:-1]])
    if not len(repeated):
        return
    systems, ids = np.divmod(repeated, len(names))
    few = zip(names[ids[:FEW]].tolist(), labels[systems[:FEW]].tolist(), strict=True)
    text = ", ".join(f"{short_repr(name)} of {short_repr(system)}" for name, system in few)
    more = f" and {len(repeated) - FEW} more" if len(repeated) > FEW else ""
    noun = "id appears" if len(repeated) == 1 else "ids appear"
    raise ValueError(
        f"{len(repeated)} {noun} more than once in a system: {text}{more}; expected each id once in each system: "
        "drop the duplicates, or pass ids that are different for each segment"
    )


def format_unpaired(
    incomplete: NDArray[np.int64], n_ids: int, cells: NDArray[np.int64], labels: pd.Index, names: pd.Index
) -> str:
    """Return how many ids a system lacks, and the first of them."""
    few = []
    for code in incomplete[:FEW].tolist():
        without = ~np.isin(np.arange(len(labels)) * len(names) + code, cells)
        [name] = names[code : code + 1].tolist()
        few.append(f"{short_repr(name)} (not in {join_values(labels[without].tolist(), FEW)})")
    more = f" and {len(incomplete) - FEW} more" if len(incomplete) > FEW else ""
    verb = "is" if len(incomplete) == 1 else "are"
    return f"{len(incomplete)} of {n_ids} ids {verb} not in every system: {', '.join(few)}{more}"
