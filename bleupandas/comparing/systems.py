"""Which rows belong to which system, and which rows are the same segment: the one reader of both forms.

Long form has a row per system and segment, with a system and an id for each; wide form has a row per segment and a
hypothesis column per system.
"""

from collections.abc import Hashable
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bleupandas.common import join_values, refuse_choice, short_repr, warn
from bleupandas.reading import FEW, check_frame, factorize, missing_text, row_values
from bleupandas.scoring import ScoreSettings, sums_of

WAYS_OUT = "expected a row for each id of each system: mend them, or pass on_unpaired='drop' to leave them out"


class Systems(NamedTuple):
    """Components of several systems on the same segments."""

    names: list[Hashable]  # systems in order of appearance; wide: the labels
    ids: pd.Index  # (n_pairs,), id of each paired segment in order of first appearance; wide: the index of the frame
    positions: NDArray[np.int64]  # (n_systems, n_pairs), row position in the frame of each system's row
    values: NDArray[np.int64]  # (n_systems, 2 + 2 * orders, n_pairs), by component_columns.names; 0 where missing
    missing: NDArray[np.bool_]  # (n_systems, n_pairs), rows that cannot be read
    nullable: bool
    dropped: int  # segments left out for on_unpaired="drop"
    labels: pd.Index  # (n_systems,), the names in the dtype of the column that they came from


class Rows(NamedTuple):
    """Which row of a frame is which system's for which segment."""

    labels: pd.Index  # (n_systems,)
    ids: pd.Index  # (n_pairs,)
    positions: NDArray[np.int64]  # (n_systems, n_pairs)
    dropped: int

    @property
    def names(self) -> list[Hashable]:
        """The systems as Python objects."""
        return self.labels.tolist()


def systems_of(
    df: pd.DataFrame,
    function: str,
    *,
    system: object,
    id: object,  # the word of the published data
    hypothesis: object,
    references: object,
    components: bool,
    settings: ScoreSettings,
    errors: str,
    threads: int | None,
    on_unpaired: str = "raise",
) -> Systems:
    """Read the systems of a frame in long or wide form.

    Parameters
    ----------
    df : DataFrame
        Token columns, or in long form components columns.
    function : str
        Who asks, for messages.
    system, id : label, or one value per row, or None
        Long form. A label is a column or an index level, by default "system" and "id"; a Series is aligned by its
        index, as in ``df.groupby``.
    hypothesis : label or list of labels
        A list is the wide form: its labels are the systems.
    references, components, settings, errors, threads
        As in `bleupandas.scoring.score.sums_of`.
    on_unpaired : {"raise", "drop"}
        What becomes of ids that some system lacks, and of rows without an id or system.

    Returns
    -------
    Systems
        Of any number of systems, also none or one.

    Raises
    ------
    KeyError, TypeError, ValueError
        Where the frame does not say what the systems are, or rows do not pair.
    """
    check_frame(df, function)
    if isinstance(hypothesis, list):
        rows = wide_rows(df, function, hypothesis, "hypothesis", system=system, id=id)
        if components:
            raise ValueError(
                f"{function}() has components=True and hypothesis={short_repr(hypothesis)}, a list of token "
                "columns: the "
                "wide form is counted from tokens; leave components out, or give system= and id= with a components "
                "frame"
            )
        refuse_drop(on_unpaired)
        parts = [sums_of(df, function, one, references, False, settings, errors, threads) for one in hypothesis]
        values, missing = np.stack([part.values for part in parts]), np.stack([part.missing for part in parts])
        return Systems(rows.names, rows.ids, rows.positions, values, missing, parts[0].nullable, 0, rows.labels)
    rows = long_rows(df, function, system=system, id=id, on_unpaired=on_unpaired)
    label: Any = hypothesis
    sums = sums_of(df, function, label, references, components, settings, errors, threads)
    values = np.empty((len(rows.labels), len(sums.values), len(rows.ids)), np.int64)
    for part, positions in zip(values, rows.positions, strict=True):
        np.take(sums.values, positions, axis=1, out=part)
    missing = sums.missing[rows.positions]
    return Systems(rows.names, rows.ids, rows.positions, values, missing, sums.nullable, rows.dropped, rows.labels)


def baseline_position(names: list[Hashable], baseline: object, function: str) -> int:
    """Give the position of the baseline, by default the first system; raise where there are fewer than two systems."""
    if len(names) < 2:
        one = f"the frame has one system, {short_repr(names[0])}" if names else "the frame has no system"
        raise ValueError(
            f"{function}() compares at least two systems, and {one}; give a frame with the rows of both, or "
            'hypothesis=["mt_a", "mt_b"]'
        )
    if baseline is None:
        return 0
    if not isinstance(baseline, Hashable) or baseline not in names:
        raise ValueError(f"baseline is one of the systems {join_values(names)}, not {short_repr(baseline)}")
    return names.index(baseline)


# ---- Which rows are whose ----


def wide_rows(
    df: pd.DataFrame,
    function: str,
    labels: list[Any],
    keyword: str,
    *,
    system: object,
    id: object,
) -> Rows:
    """Give the rows of the wide form, a system for each column label: every system's are those of the frame."""
    if not labels:
        raise ValueError(f"{keyword} is an empty list; expected a column label for each system")
    for name, given in (("system", system), ("id", id)):
        if given is not None:
            raise ValueError(
                f"{function}() has {name}= and a list of {keyword} columns: with a column for each system a row is a "
                f"segment; leave {name} out, or give one {keyword} column"
            )
    unhashable = [one for one in labels if not isinstance(one, Hashable)]
    if unhashable:
        raise TypeError(f"{keyword} is a list of column labels, and {short_repr(unhashable[0])} is none")
    twice = [one for at, one in enumerate(labels) if one in labels[:at]]
    if twice:
        raise ValueError(f"{keyword} names {join_values(twice)} more than once; expected each system's column once")
    positions = np.broadcast_to(np.arange(len(df)), (len(labels), len(df)))
    tuples = any(isinstance(one, tuple) for one in labels)
    names = pd.Index(labels, dtype=object, tupleize_cols=False) if tuples else pd.Index(labels)
    return Rows(names, df.index, positions, 0)


def long_rows(df: pd.DataFrame, function: str, *, system: object, id: object, on_unpaired: str) -> Rows:
    """Give the rows of the long form."""
    refuse_drop(on_unpaired)
    systems = row_values(df, system, "system", function)
    return paired_rows(systems, row_values(df, id, "id", function), df.index, on_unpaired, told(system), told(id))


def refuse_drop(on_unpaired: object) -> None:
    """Raise for an on_unpaired that there is not."""
    if not isinstance(on_unpaired, str) or on_unpaired not in ("raise", "drop"):
        refuse_choice("on_unpaired", on_unpaired, ["raise", "drop"])


def told(given: object) -> str:
    """Give " (column 'x')" for a label, and nothing for values."""
    return f" (column {short_repr(given)})" if isinstance(given, Hashable) and given is not None else ""


def paired_rows(
    systems: pd.Index, ids: pd.Index, index: pd.Index, on_unpaired: str, system_told: str = "", id_told: str = ""
) -> Rows:
    """Pair rows by their ids: a row for each id of each system, or an error that counts and names what is not so.

    Parameters
    ----------
    systems, ids : Index of shape (n_rows,)
    index : Index of shape (n_rows,)
        What the rows are called in messages.
    on_unpaired : {"raise", "drop"}
    system_told, id_told : str
        Which columns they are, for messages.
    """
    system_codes, labels = factorize(systems, "system")
    id_codes, names = factorize(ids, "id")
    wrong = [
        missing_text(what, codes < 0, index)
        for what, codes in ((f"system{system_told}", system_codes), (f"id{id_told}", id_codes))
        if (codes < 0).any()
    ]
    if wrong and on_unpaired == "raise":
        raise ValueError(f"{'; '.join(wrong)}; {WAYS_OUT}")
    there = np.flatnonzero((system_codes >= 0) & (id_codes >= 0))
    cells = system_codes[there] * len(names) + id_codes[there]
    order = np.argsort(cells, kind="stable")
    refuse_duplicates(cells[order], labels, names)
    numbers = np.bincount(id_codes[there], minlength=len(names))
    whole = numbers == len(labels)
    lacking = np.flatnonzero(~whole & (numbers > 0))
    if len(lacking):
        wrong.append(unpaired_text(lacking, int((numbers > 0).sum()), cells, labels, names))
        if on_unpaired == "raise":
            raise ValueError(f"{wrong[-1]}; {WAYS_OUT}")
    dropped = int((~whole).sum())
    if wrong:
        noun = "segment" if len(names) == 1 else "segments"
        warn(f"on_unpaired='drop' left out {dropped} of {len(names)} {noun}: {'; '.join(wrong)}")
    # Sorted by system and id, and every system has every id that is kept.
    kept = there[order][whole[id_codes[there[order]]]]
    return Rows(labels, names[whole], kept.reshape(len(labels), len(names) - dropped), dropped)


def refuse_duplicates(cells: NDArray[np.int64], labels: pd.Index, names: pd.Index) -> None:
    """Raise where an id stands more than once within a system; `cells` are sorted."""
    twice = np.unique(cells[1:][cells[1:] == cells[:-1]])
    if not len(twice):
        return
    systems, ids = np.divmod(twice, len(names))
    few = zip(names[ids[:FEW]].tolist(), labels[systems[:FEW]].tolist(), strict=True)
    text = ", ".join(f"{short_repr(name)} of {short_repr(system)}" for name, system in few)
    more = f" and {len(twice) - FEW} more" if len(twice) > FEW else ""
    noun = "id stands" if len(twice) == 1 else "ids stand"
    raise ValueError(
        f"{len(twice)} {noun} more than once within a system: {text}{more}; expected each id once in each system: "
        "drop the duplicates, or give ids that tell the segments apart"
    )


def unpaired_text(
    lacking: NDArray[np.int64], n_ids: int, cells: NDArray[np.int64], labels: pd.Index, names: pd.Index
) -> str:
    """Say how many ids some system lacks, and which."""
    few = []
    for code in lacking[:FEW].tolist():
        without = ~np.isin(np.arange(len(labels)) * len(names) + code, cells)
        [name] = names[code : code + 1].tolist()
        few.append(f"{short_repr(name)} (not in {join_values(labels[without].tolist(), FEW)})")
    more = f" and {len(lacking) - FEW} more" if len(lacking) > FEW else ""
    verb = "is" if len(lacking) == 1 else "are"
    return f"{len(lacking)} of {n_ids} ids {verb} not in every system: {', '.join(few)}{more}"
