"""What a person said of rows: a tag and a note each."""

from collections import Counter
from typing import Any

import pandas as pd

from bleupandas.common import is_missing, join_values, missing_column_error, typed_repr
from bleupandas.counting import TEXT

KINDS = ("tag", "note")


class Tags:
    """Tags and notes by the position of rows; empty text is none.

    Parameters
    ----------
    index : Index
        Of the frame.
    start : DataFrame, optional
        Tags and notes to begin with, a row for each of the frame, as `frame` gives.
    """

    def __init__(self, index: pd.Index, start: pd.DataFrame | None = None) -> None:
        self.index = index
        self._held: dict[str, dict[int, str]] = {kind: {} for kind in KINDS}
        if start is not None:
            self._read(start)

    def get(self, kind: str, position: int) -> str:
        """Give a row's tag or note, or ""."""
        return self._held[kind].get(position, "")

    def put(self, kind: str, position: int, text: str) -> None:
        """Set a row's tag or note; spaces around it are dropped."""
        text = text.strip()
        if text:
            self._held[kind][position] = text
        else:
            self._held[kind].pop(position, None)

    def change(self, position: int, texts: dict[str, str]) -> dict[str, str]:
        """Set tags or notes of a row, and return those that are new."""
        new = {kind: text.strip() for kind, text in texts.items() if text.strip() != self.get(kind, position)}
        for kind, text in new.items():
            self.put(kind, position, text)
        return new

    def used(self) -> list[str]:
        """Give the tags there are, the most frequent first."""
        return [tag for tag, _ in sorted(Counter(self._held["tag"].values()).items(), key=lambda t: (-t[1], t[0]))]

    def frame(self) -> pd.DataFrame:
        """Give columns tag and note on the frame's index, missing where nothing was said.

        Examples
        --------
        >>> tags = Tags(pd.Index(["a", "b"]))
        >>> tags.put("tag", 1, "wrong name")
        >>> tags.frame()["tag"].dropna().to_dict()
        {'b': 'wrong name'}
        """
        columns: dict[str, Any] = {}
        for kind in KINDS:
            cells: list[str | None] = [None] * len(self.index)
            for position, text in self._held[kind].items():
                cells[position] = text
            columns[kind] = pd.array(cells, dtype=TEXT)
        return pd.DataFrame(columns, index=self.index)

    def _read(self, start: pd.DataFrame) -> None:
        if not isinstance(start, pd.DataFrame):
            raise TypeError(f"tags is a frame with columns tag and note, as .tags gives, not {typed_repr(start)}")
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
                    self.put(kind, position, str(text))
