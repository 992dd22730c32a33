"""show(): rows as HTML."""

import os
from collections.abc import Hashable
from pathlib import Path
from typing import Any

import pandas as pd

from bleupandas.common import join_values, public
from bleupandas.reading import check_frame
from bleupandas.viewing.html.page import STYLE, page_html
from bleupandas.viewing.html.row_labels import label_positions
from bleupandas.viewing.html.segment_html import segment_html
from bleupandas.viewing.html.segment_view import SegmentView, segment_view

MOST_SEGMENTS = 20


class SegmentsHTML:
    """Segments as HTML: notebooks display them, and `to_html` writes them to a file.

    Attributes
    ----------
    views : list of SegmentView
    left_out : int
        The number of further rows, which are not part of the HTML.
    """

    def __init__(self, views: list[SegmentView], left_out: int = 0) -> None:
        self.views = views
        self.left_out = left_out

    def __repr__(self) -> str:
        """Return the labels of the rows."""
        rows = "row" if len(self.views) == 1 else "rows"
        return f"<{rows} {join_values((view.label for view in self.views), 3)} as HTML>" if self.views else "<no rows>"

    def _repr_html_(self) -> str:
        return f"<style>\n{STYLE}</style>\n{self._body()}"

    def _body(self) -> str:
        more = f'<p class="bleupandas">… and {self.left_out} more rows</p>\n' if self.left_out else ""
        return "".join(map(segment_html, self.views)) + more

    def to_html(self, path: str | os.PathLike[str], title: str = "Segments") -> None:
        """Write a page that loads nothing from elsewhere.

        Parameters
        ----------
        path : str or path
        title : str, default "Segments"
        """
        Path(path).write_text(page_html(self._body(), title), encoding="utf-8")


@public
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
) -> SegmentsHTML:
    """Show rows: their tokens, shaded by coverage, their numbers and their clipping tables.

    Also a method: ``df.bleu.show(label)``. For a position, ``df.iloc[[3]].bleu.show()``.

    Parameters
    ----------
    df : DataFrame
        With token columns.
    *labels : hashable
        Index labels of `df`. A label of several rows shows all of them. Without labels, the first 20 rows.
    hypothesis, references, max_order, errors
        As in `components`. With ``errors="coerce"`` an unreadable row shows the reason.
    convention, smoothing, weights, effective_order, epsilon, k, alpha
        As in `score`.
    extra : list of labels, optional
        Further columns to show; by default all.

    Returns
    -------
    SegmentsHTML
        HTML that needs no script and loads nothing from elsewhere. Notebooks display it;
        ``.to_html("segments.html")`` writes it to a file.

    Raises
    ------
    KeyError
        If a label or a column does not exist.
    TypeError, ValueError
        As in `score`.

    Examples
    --------
    >>> import bleupandas
    >>> bleupandas.show(bleupandas.load_example(), 3)
    <row 3 as HTML>
    """
    check_frame(df, "show")
    options = {"convention": convention, "smoothing": smoothing, "weights": weights, "effective_order": effective_order}
    options |= {"epsilon": epsilon, "k": k, "alpha": alpha, "max_order": max_order, "errors": errors, "extra": extra}
    options |= {"hypothesis": hypothesis, "references": references}
    positions = [at for label in labels for at in label_positions(df.index, label)] if labels else range(len(df))
    most = len(positions) if labels else MOST_SEGMENTS
    views = [segment_view(df, at, **options) for at in positions[:most]]  # type: ignore[arg-type]
    return SegmentsHTML(views, len(positions) - len(views))
