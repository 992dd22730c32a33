"""show(): rows as HTML, also where nothing runs."""

import os
from collections.abc import Hashable, Iterable
from pathlib import Path
from typing import Any, Never

import numpy as np
import pandas as pd

from bleupandas.common import SCORE_KEYWORDS, ColumnMissingError, join_values, refuse_keywords, short_repr, typed_repr
from bleupandas.reading import check_frame
from bleupandas.viewing.html.segment_html import STYLE, page_html, segment_html
from bleupandas.viewing.html.segment_view import SegmentView, segment_view

MOST_SEGMENTS = 20
KEYWORDS = ("hypothesis", "references", "max_order", "errors", "extra", *SCORE_KEYWORDS)


class Shown:
    """Segments as HTML: what notebooks show, and what `to_html` writes.

    Attributes
    ----------
    views : list of SegmentView
    left_out : int
        How many further rows are not shown.
    """

    def __init__(self, views: list[SegmentView], left_out: int = 0) -> None:
        self.views = views
        self.left_out = left_out

    def __repr__(self) -> str:
        """Say which rows."""
        rows = "row" if len(self.views) == 1 else "rows"
        return f"<{rows} {join_values((view.label for view in self.views), 3)} as HTML>" if self.views else "<no rows>"

    def _repr_html_(self) -> str:
        return f"<style>\n{STYLE}</style>\n{self._body()}"

    def _body(self) -> str:
        more = f'<p class="bleupandas">… and {self.left_out} more rows</p>\n' if self.left_out else ""
        return "".join(map(segment_html, self.views)) + more

    def to_html(self, path: str | os.PathLike[str], title: str = "Segments") -> None:
        """Write a page that needs nothing else.

        Parameters
        ----------
        path : str or path
        title : str, default "Segments"
        """
        Path(path).write_text(page_html(self._body(), title), encoding="utf-8")


def show(
    df: pd.DataFrame,
    /,
    *labels: Hashable,
    hypothesis: Hashable | None = None,
    references: Hashable | list[Any] | None = None,
    max_order: int | None = None,
    convention: str = "paper",
    smoothing: str | None = None,
    weights: object = None,
    effective_order: bool | None = None,
    epsilon: float = 0.1,
    k: float = 5,
    alpha: float = 5,
    errors: str = "raise",
    extra: list[Any] | None = None,
    **unknown: Never,
) -> Shown:
    """Show rows: tokens coloured by what covers them, the numbers, the clipping table.

    Also a method: ``df.bleu.show(label)``; ``df.iloc[[3]].bleu.show()`` for a position.

    Parameters
    ----------
    df : DataFrame
        With token columns.
    *labels : hashable
        Labels of the index of `df`; of one that stands on several rows, all are shown. Without a label the first 20
        rows.
    hypothesis, references, max_order, errors
        As in `components`. With ``errors="coerce"`` a row that cannot be read shows why.
    convention, smoothing, weights, effective_order, epsilon, k, alpha
        As in `score`.
    extra : list of labels, optional
        Further columns to show; all unless given.

    Returns
    -------
    Shown
        HTML that needs no script, and nothing from anywhere else.

    Raises
    ------
    KeyError
        No such label, no such column.
    TypeError, ValueError
        As in `score`.

    Examples
    --------
    >>> import bleupandas
    >>> bleupandas.show(bleupandas.load_example(), 3)
    <row 3 as HTML>
    """
    refuse_keywords("show", unknown, KEYWORDS)
    check_frame(df, "show")
    options = {"convention": convention, "smoothing": smoothing, "weights": weights, "effective_order": effective_order}
    options |= {"epsilon": epsilon, "k": k, "alpha": alpha, "max_order": max_order, "errors": errors, "extra": extra}
    options |= {"hypothesis": hypothesis, "references": references}
    positions = [at for label in labels for at in positions_of(df.index, label)] if labels else range(len(df))
    most = len(positions) if labels else MOST_SEGMENTS
    views = [segment_view(df, at, **options) for at in positions[:most]]  # type: ignore[arg-type]
    return Shown(views, len(positions) - len(views))


def positions_of(index: pd.Index, label: Hashable) -> Iterable[int]:
    """Give the positions of a label, or raise KeyError."""
    try:
        where = index.get_loc(label)
    except KeyError:
        raise ColumnMissingError(
            f"no row {short_repr(label)}: the index has {join_values(index, 3)}; for a position, "
            "df.iloc[[3]].bleu.show()"
        ) from None
    except (TypeError, pd.errors.InvalidIndexError):
        raise TypeError(
            f"show() takes labels of the index, one by one, not {typed_repr(label)}; for several, show('a', 'b')"
        ) from None
    found: list[int] = np.arange(len(index))[where].reshape(-1).tolist()
    return found
