"""Tags: a tag and a note for each row that the user has labelled."""

from collections import Counter
from typing import Any

import pandas as pd

from bleupandas.common import is_missing, join_values, missing_column_error, typed_repr
from bleupandas.counting import TEXT

KINDS = ("tag", "note")


class Tags:
    """Tags and notes by row position. An empty text means none.

    Parameters
    ----------
    index : Index
        The index of the frame.
    start : DataFrame, optional
        Tags and notes to begin with, as `to_frame` returns them: one row for each row of the frame.
    """

    def __init__(self, index: pd.Index, start: pd.DataFrame | None = None) -> None:
        self.index = index
        self._texts: dict[str, dict[int, str]] = {kind: {} for kind in KINDS}
        if start is not None:
            self._read(start)

    def get(self, kind: str, position: int) -> str:
        """Return the tag or note of a row, "" if it has none."""
        return self._texts[kind].get(position, "")

    def set(self, kind: str, position: int, text: str) -> None:
        """Set the tag or note of a row; spaces around it are removed."""
        text = text.strip()
        if text:
            self._texts[kind][position] = text
        else:
            self._texts[kind].pop(position, None)

    def change(self, position: int, texts: dict[str, str]) -> dict[str, str]:
        """Set texts of a row, and return those that are new."""
        new = {kind: text.strip() for kind, text in texts.items() if text.strip() != self.get(kind, position)}
        for kind, text in new.items():
            self.set(kind, position, text)
        return new

    def used(self) -> list[str]:
        """Return all tags, the most frequent first."""
        return [tag for tag, _ in sorted(Counter(self._texts["tag"].values()).items(), key=lambda t: (-t[1], t[0]))]

    def to_frame(self) -> pd.DataFrame:
        """Return columns tag and note on the frame's index, missing where there is none.

        Examples
        --------
        >>> tags = Tags(pd.Index(["a", "b"]))
        >>> tags.set("tag", 1, "wrong name")
        >>> tags.to_frame()["tag"].dropna().to_dict()
        {'b': 'wrong name'}
        """
        columns: dict[str, Any] = {}
        for kind in KINDS:
            cells: list[str | None] = [None] * len(self.index)
            for position, text in self._texts[kind].items():
                cells[position] = text
            columns[kind] = pd.array(cells, dtype=TEXT)
        return pd.DataFrame(columns, index=self.index)

    def _read(self, start: pd.DataFrame) -> None:
        """Set the texts of a frame; raise if it does not fit."""
        if not isinstance(start, pd.DataFrame):
            raise TypeError(f"tags is a frame with columns tag and note, like .tags, not {typed_repr(start)}")
        for kind in KINDS:
            if kind not in start.columns:
                raise missing_column_error(kind, start.columns, "tags")
        if len(start) != len(self.index) or not start.index.equals(self.index):
            raise ValueError(
                f"tags has {len(start)} rows ({join_values(start.index, 3)}) and the frame {len(self.index)} "
                f"({join_values(self.index, 3)}); expected the same index: tags.reindex(df.index)"
            )
        for kind in KINDS:
            for position, text in enumerate(start[kind].tolist()):
                if not is_missing(text):
                    self.set(kind, position, str(text))
