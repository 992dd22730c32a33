"""Problems of input rows as data: what is wrong, where, and what to do. One place puts them into words."""

import contextlib
import dataclasses
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bleupandas.common.messages import short_repr

if TYPE_CHECKING:
    import pandas as pd

COERCE = "pass errors='coerce'"  # the offer of problems with a row that may as well be missing


@dataclass(frozen=True)
class RowPlace:
    """A row: its label and its position.

    Attributes
    ----------
    label : object
        The index label, of Python's types.
    position : int
        From 0, in the frame or in the part that `part` names.
    part : str
        What the position counts in, where that is not the whole frame: "partition 2".
    """

    label: object
    position: int
    part: str = ""

    def __str__(self) -> str:
        """Return "row 'label' (position 3 of partition 2)"."""
        of_part = f" of {self.part}" if self.part else ""
        return f"row {short_repr(self.label)} (position {self.position}{of_part})"


def row_place(index: "pd.Index", position: int) -> RowPlace:
    """Return the place of a row of a frame."""
    [label] = index[position : position + 1].tolist()  # of Python's types, whose repr is plain
    return RowPlace(label, position)


@dataclass(frozen=True)
class Problem:
    """What is wrong with an input row.

    Callers that know more than the function that found the problem change fields by `dataclasses.replace`: a command
    has other options to offer, and a part of a larger frame has other positions.

    Attributes
    ----------
    error_type : type
        The exception that `error` makes.
    came : str
        What the input holds: "got int 3", "the hypothesis is missing (None)".
    expected : str
        What belongs there.
    noun : str
        What holds the row: "column", "components column", "series".
    columns : tuple of labels
        Usually one.
    row : RowPlace, optional
    reference, token, text : int, optional
        Which reference of the cell, which token of the list, which text of the cell; from 0.
    as_in : RowPlace, optional
        The row that shows what is expected.
    tokenize : str
        How to tokenize the columns, where they hold text.
    advice : str
        What to do.
    empty, empty_form : str
        What may be meant by an empty cell, and how to write it: "an empty hypothesis", "[]".
    offer : str
        Which option helps: "pass errors='coerce'".

    Examples
    --------
    >>> row = RowPlace("s1", 0)
    >>> problem = Problem(TypeError, "got int 3", "str", columns=("hypothesis",), row=row, token=1, advice="drop it")
    >>> print(problem.message())
    column 'hypothesis', row 's1' (position 0), token 1: got int 3, expected str; drop it
    >>> print(problem.in_part(100).row)
    row 's1' (position 100)
    """

    error_type: type[Exception]
    came: str
    expected: str = ""
    noun: str = "column"
    columns: tuple[Hashable, ...] = ()
    row: RowPlace | None = None
    reference: int | None = None
    token: int | None = None
    text: int | None = None
    as_in: RowPlace | None = None
    tokenize: str = ""
    advice: str = ""
    empty: str = ""
    empty_form: str = "[]"
    offer: str = ""

    @property
    def column(self) -> Hashable:
        """The first of the columns; None without one."""
        return self.columns[0] if self.columns else None

    @property
    def place(self) -> str:
        """Where it is: "column 'references', row 'x' (position 3), reference 0, token 2"."""
        noun = f"{self.noun}s" if len(self.columns) > 1 else self.noun
        steps = [" ".join(filter(None, [noun, ", ".join(map(repr, self.columns))]))]
        steps.append("" if self.row is None else str(self.row))
        for name in ("reference", "token", "text"):
            number = getattr(self, name)
            steps.append("" if number is None else f"{name} {number}")
        return ", ".join(filter(None, steps))

    def message(self) -> str:
        """Return one line: where, what came, what is expected, what to do."""
        expected = f", expected {self.expected}" if self.expected else ""
        as_in = f", as in {self.as_in}" if self.as_in is not None else ""
        write_empty = f"write {self.empty_form} for {self.empty}" if self.empty else ""
        *most, last = [way for way in (self.tokenize, self.advice, write_empty, self.offer) if way] or [""]
        ways_out = f"{', '.join(most)}, or {last}" if most else last
        return f"{self.place}: {self.came}{expected}{as_in}" + (f"; {ways_out}" if ways_out else "")

    def error(self) -> Exception:
        """Return the exception to raise; its attribute `problem` is this object, also after pickling."""
        error = self.error_type(self.message())
        error.problem = self  # type: ignore[attr-defined]
        return error

    def in_part(self, before: int = 0, part: str = "") -> "Problem":
        """Return the problem of a row of a part of a larger frame.

        Parameters
        ----------
        before : int
            How many rows to add to positions.
        part : str
            What the positions count in.
        """

        def moved(row: RowPlace | None) -> RowPlace | None:
            return None if row is None else RowPlace(row.label, before + row.position, part)

        return dataclasses.replace(self, row=moved(self.row), as_in=moved(self.as_in))


def get_problem(error: BaseException) -> Problem | None:
    """Return the problem that an exception carries, or None."""
    problem = getattr(error, "problem", None)
    return problem if isinstance(problem, Problem) else None


@contextlib.contextmanager
def part_of_frame(before: int = 0, part: str = "") -> Iterator[None]:
    """Raise problems of the with block with the positions that their rows have in the larger frame."""
    try:
        yield
    except Exception as error:
        problem = get_problem(error)
        if problem is None:
            raise
        raise problem.in_part(before, part).error() from None
