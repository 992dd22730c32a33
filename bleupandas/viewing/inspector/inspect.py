"""inspect(): a frame in the sentence inspector. Imports the widgets when it is called, not before."""

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any, Never

import pandas as pd

from bleupandas.common import COUNT_KEYWORDS, SCORE_KEYWORDS, missing_column_error, refuse_keywords, short_repr
from bleupandas.viewing.inspector.subject import Subject, subject_of

if TYPE_CHECKING:
    from bleupandas.viewing.inspector.sentence_inspector import SentenceInspector

KEYWORDS = ("compare", "system", "id", "by", "tags", "page_size", *COUNT_KEYWORDS, *SCORE_KEYWORDS)


def inspect(
    df: pd.DataFrame,
    /,
    *,
    compare: Any = None,
    system: Any = None,
    id: Any = None,
    by: Hashable | None = None,
    tags: pd.DataFrame | None = None,
    page_size: int = 15,
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
    threads: int | None = None,
    components: bool = False,
    **unknown: Never,
) -> "SentenceInspector":
    """Look at sentences: sort and filter them, see which n-grams failed, tag them; a widget for notebooks.

    Also a method: ``df.bleu.inspect()``. What a person does there comes back as pandas objects on the index of `df`:
    ``.selected``, ``.mask``, ``.frame``, ``.tags``.

    Parameters
    ----------
    df : DataFrame
        With token columns. All rows are counted once, here; it is not changed, and not copied.
    compare : label or list of two systems, optional
        Another hypothesis column, shown beside the first; or with `system` which two, the listed one first.
    system, id : label, or one value per row, optional
        The systems, and the ids that pair their rows; both are needed. A label is a column or an index level; a Series
        is aligned by its index. The list has the rows of the first system, and so have the results.
    by : label, optional
        A column whose groups can be picked at once.
    tags : DataFrame, optional
        ``.tags`` of an earlier inspector of the same frame, to go on with.
    page_size : int, default 15
        Rows of the list that are shown at once.
    hypothesis, references, max_order, errors, threads
        As in `components`. With ``errors="coerce"`` rows that cannot be read are listed too, and show why.
    components : bool, default False
        Take the components from columns of `df`; tokens are then only read for what is shown.
    convention, smoothing, weights, effective_order, epsilon, k, alpha
        As in `score`.

    Returns
    -------
    SentenceInspector

    Raises
    ------
    KeyError, TypeError, ValueError
        As in `score`, or for systems whose rows do not pair: a missing id, one that stands twice or only once.

    Examples
    --------
    >>> import bleupandas
    >>> inspector = bleupandas.inspect(bleupandas.load_example(), by="domain")
    >>> inspector.group, inspector.sort_by = "news", "score"
    >>> inspector.query = "score < 0.05"
    >>> inspector
    <SentenceInspector: 6 of 480 segments>
    >>> inspector.frame["domain"].unique().tolist()
    ['news']
    >>> inspector.close()
    """
    refuse_keywords("inspect", unknown, KEYWORDS)
    subject = subject_of(
        df,
        hypothesis=hypothesis,
        references=references,
        max_order=max_order,
        smoothing=smoothing,
        errors=errors,
        threads=threads,
        components=components,
        compare=compare,
        system=system,
        key=id,
        convention=convention,
        weights=weights,
        effective_order=effective_order,
        epsilon=epsilon,
        k=k,
        alpha=alpha,
    )
    checked(subject, by, page_size)
    from bleupandas.viewing.inspector.sentence_inspector import SentenceInspector

    return SentenceInspector(subject, by=by, tags=tags, page_size=page_size)


def checked(subject: Subject, by: Hashable | None, page_size: object) -> None:
    """Raise for options that no inspector can be made with, before there are any widgets."""
    if by is not None and by not in subject.labels:
        raise missing_column_error(by, subject.labels, "by")
    if isinstance(page_size, bool) or not isinstance(page_size, int):
        raise TypeError(f"page_size is a whole number of at least 1, not {short_repr(page_size)}")
    if page_size < 1:
        raise ValueError(f"page_size is at least 1, not {page_size}")
