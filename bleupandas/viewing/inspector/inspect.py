"""inspect(): opens a frame in the sentence inspector. Widgets are imported when it is called, not before."""

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

import pandas as pd

from bleupandas.common import check_whole_number, count_options, missing_column_error, public
from bleupandas.scoring import score_settings
from bleupandas.viewing.inspector.inspected_data import read_data

if TYPE_CHECKING:
    from bleupandas.viewing.inspector.sentence_inspector import SentenceInspector


@public
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
) -> "SentenceInspector":
    """Look at sentences in a notebook: sort and filter them, see which n-grams do not match, and tag them.

    Also a method: ``df.bleu.inspect()``. The result of the work are pandas objects on the index of `df`:
    ``.selected``, ``.mask``, ``.frame``, ``.tags``.

    Parameters
    ----------
    df : DataFrame
        A frame with token columns. All rows are counted once. The frame is neither changed nor copied, except Arrow
        columns of string_view, which are converted to large_string.
    compare : label or list of two systems, optional
        Another hypothesis column, shown beside the first. With `system`, the two systems to compare; the list shows
        the rows of the first.
    system, id : label, or one value per row, optional
        The systems, and the ids that pair their rows; both are needed. A label is a column or an index level; a Series
        is aligned by its index. The list and the results have the rows of the first system.
    by : label, optional
        A column whose groups can be selected.
    tags : DataFrame, optional
        ``.tags`` of an earlier inspector of the same frame, to continue with.
    page_size : int, default 15
        Rows on a page of the list.
    hypothesis, references, max_order, errors, threads
        As in `components`. With ``errors="coerce"`` the list also has the rows that cannot be read, with the reason.
    components : bool, default False
        Read the components from columns of `df`. Tokens are then read only for the rows on the page.
    convention, smoothing, weights, effective_order, epsilon, k, alpha
        As in `score`.

    Returns
    -------
    SentenceInspector

    Raises
    ------
    KeyError, TypeError, ValueError
        As in `score`. Also if the rows of two systems do not pair: an id is missing, occurs twice, or occurs for one
        system only.

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
    count = count_options(
        hypothesis=hypothesis,
        references=references,
        max_order=max_order,
        errors=errors,
        threads=threads,
        components=components,
    )
    settings = score_settings(
        "score",
        convention=convention,
        max_order=max_order,
        smoothing=smoothing,
        weights=weights,
        effective_order=effective_order,
        epsilon=epsilon,
        k=k,
        alpha=alpha,
    )
    fixed_order = weights is not None
    data = read_data(df, count, settings, compare=compare, system=system, id=id, fixed_order=fixed_order)
    if by is not None and by not in data.labels:
        raise missing_column_error(by, data.labels, "by")
    size = check_whole_number("page_size", page_size, 1)
    from bleupandas.viewing.inspector.sentence_inspector import SentenceInspector

    return SentenceInspector(data, by=by, tags=tags, page_size=size)
