"""report(): an error analysis as one HTML file or as Markdown. The parts of a report are imported when it is called."""

import os
from collections.abc import Hashable
from pathlib import Path
from typing import Any

import pandas as pd

from bleupandas.common import check_whole_number, count_options, public, short_repr
from bleupandas.comparing import pair_options
from bleupandas.scoring import score_settings
from bleupandas.viewing.html import page_html


@public
def report(
    df: pd.DataFrame,
    path: str | os.PathLike[str],
    /,
    *,
    title: str = "BLEU report",
    system: Any = None,
    id: Any = None,  # the name in the published data
    baseline: Hashable | None = None,
    by: Hashable | list[Any] | None = None,
    hypothesis: Hashable | list[Any] | None = None,
    references: Hashable | list[Any] | None = None,
    max_order: int | None = None,
    convention: str = "paper",
    smoothing: str | None = None,
    weights: object = None,
    effective_order: bool | None = None,
    epsilon: float = 0.1,
    k: float = 5,
    alpha: float = 5,
    n_resamples: int = 1000,
    seed: int = 12345,
    level: float = 0.95,
    n_segments: int = 5,
    n_ngrams: int = 15,
    errors: str = "raise",
    threads: int | None = None,
) -> Path:
    """Write a report: which system is better, how certain that is, in which groups, and which n-grams and segments.

    Also a method: ``df.bleu.report("report.html")``. The file needs no network, no script and no other file.

    Parameters
    ----------
    df : DataFrame
        In long form with columns of systems and ids, in wide form with several hypothesis columns, or of one system.
        Token columns, or components columns; a report on components has no n-grams and no segments.
    path : str or path
        Ends in ".html", or in ".md" for the tables as Markdown.
    title : str
    system, id, baseline
        As in `compare`. Systems without `id` are scored, not compared.
    by : label or list of labels, optional
        Columns whose groups are scored and compared.
    hypothesis, references
        As in `compare`.
    max_order, errors, threads
        As in `components`. With ``errors="coerce"`` compared systems are scored on the segments that are readable for
        all of them.
    convention, smoothing, weights, effective_order, epsilon, k, alpha
        As in `corpus`.
    n_resamples, seed, level
        As in `compare`.
    n_segments, n_ngrams : int
        How many segments with the lowest scores, the highest scores and the largest differences the report has, and
        how many n-grams a list has.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    ImportError
        Without jinja2.
    KeyError, TypeError, ValueError
        As in `compare`; if the path has another ending, or if its folder does not exist.

    Examples
    --------
    >>> import bleupandas, tempfile
    >>> from pathlib import Path
    >>> df = bleupandas.load_example()
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     page = bleupandas.report(df, Path(folder) / "report.md", by="domain", n_resamples=200)
    ...     print(page.read_text(encoding="utf-8").splitlines()[4][:53])
    direct is better than pivot: BLEU 31.61 against 27.39
    """
    target = check_report_path(path)
    count = count_options(hypothesis=hypothesis, references=references, errors=errors, threads=threads)
    scoring: Any = {"max_order": max_order, "convention": convention, "smoothing": smoothing, "weights": weights}
    scoring |= {"effective_order": effective_order, "epsilon": epsilon, "k": k, "alpha": alpha}
    segments, ngrams = check_whole_number("n_segments", n_segments, 0), check_whole_number("n_ngrams", n_ngrams, 0)

    from bleupandas.reporting.blocks import Options
    from bleupandas.reporting.contents import report_contents
    from bleupandas.reporting.report_data import read_report_data
    from bleupandas.reporting.templates import read_templates

    template = read_templates().get_template(f"report{target.suffix}.jinja")
    pairing, settings = pair_options(system=system, id=id, baseline=baseline), score_settings("corpus", **scoring)
    data = read_report_data(df, pairing, count, settings, by=by, scoring=scoring)
    contents = report_contents(data, Options(baseline, n_resamples, seed, level, segments, ngrams))
    text = template.render(title=title, **contents)
    target.write_text(page_html(text, title) if target.suffix == ".html" else text, encoding="utf-8")
    return target


def check_report_path(path: object) -> Path:
    """Return the path, or raise if it has another ending or no folder."""
    if not isinstance(path, str | os.PathLike):
        raise TypeError(f"report() takes the path of a file, such as 'report.html', not {short_repr(path)}")
    target = Path(os.fspath(path))
    if target.suffix not in (".html", ".md"):
        raise ValueError(f"the path of a report ends in '.html' or '.md', and {target.name!r} does not")
    if not target.parent.is_dir():
        raise ValueError(
            f"the folder {str(target.parent)!r} of the report {target.name!r} does not exist: make it first"
        )
    return target
