"""df.bleu and series.bleu: every method calls the function of the same name with the frame as first argument."""

from typing import Any, Never

import pandas as pd

from bleupandas.auditing.audit import audit
from bleupandas.common import PartialAccessor, as_method, refuse_keywords, refuse_positional
from bleupandas.comparing.assert_no_regression import assert_no_regression
from bleupandas.comparing.buckets import buckets
from bleupandas.comparing.compare import compare
from bleupandas.comparing.influence import influence
from bleupandas.comparing.ngram_differences import ngram_differences
from bleupandas.comparing.waterfall import waterfall
from bleupandas.counting.components import components
from bleupandas.counting.coverage import coverage
from bleupandas.counting.ngram_summary import ngram_summary
from bleupandas.counting.ngrams import ngrams
from bleupandas.counting.references import references
from bleupandas.explaining.explain import explain
from bleupandas.explaining.suggest_smoothing import suggest_smoothing
from bleupandas.reporting.report import report
from bleupandas.scoring.corpus import corpus
from bleupandas.scoring.score import score
from bleupandas.viewing import plots
from bleupandas.viewing.html.show import show
from bleupandas.viewing.inspector.inspect import inspect

BINDABLE = ("hypothesis", "references", "max_order", "errors", "threads", "components")


class BleuPlot:
    """Plots of a frame, drawn with matplotlib. Each method returns its Axes.

    ``df.bleu.plot`` keeps the options that were bound by ``df.bleu(...)``.
    """

    def __init__(self, frame: pd.DataFrame, bound: dict[str, Any]) -> None:
        self._frame = frame
        self._bound = bound

    def __repr__(self) -> str:
        """Return the names of the plots."""
        names = (name for name in vars(type(self)) if not name.startswith("_"))
        return f"<df.bleu.plot: {', '.join(names)}>"

    scores = as_method(plots.scores)
    precisions = as_method(plots.precisions)
    lengths = as_method(plots.lengths)
    ngrams = as_method(plots.ngrams)
    waterfall = as_method(plots.waterfall)


@pd.api.extensions.register_dataframe_accessor("bleu")
class BleuFrame:
    """BLEU's statistics of a frame with a row per segment.

    ``df.bleu`` reads the columns "hypothesis" and "references". Call it to bind others once:
    ``mt = df.bleu(hypothesis="mt", references=["ref_a", "ref_b"])``. Options are checked when a method is called.
    Nothing but the frame is kept.

    Examples
    --------
    >>> import pandas as pd, bleupandas
    >>> df = pd.DataFrame({"mt": [["a", "b"]], "ref": [["a", "c"]]})
    >>> df.bleu(hypothesis="mt", references="ref").components(max_order=1)
       candidate_length  reference_length  matches_1  totals_1
    0                 2                 2          1         2
    """

    def __init__(self, frame: pd.DataFrame) -> None:
        self._frame = frame
        self._bound: dict[str, Any] = {}

    def __call__(self, *args: Never, **options: Any) -> "BleuFrame":
        """Bind column labels, max_order, errors, threads or components; a method can still override them."""
        if args:
            refuse_positional("df.bleu", args[0], BINDABLE)
        refuse_keywords("df.bleu", {k: v for k, v in options.items() if k not in BINDABLE}, BINDABLE)
        bound = BleuFrame(self._frame)
        bound._bound = {**self._bound, **options}
        return bound

    def __repr__(self) -> str:
        """Return the bound options and the number of rows."""
        bound = ", ".join(f"{name}={value!r}" for name, value in self._bound.items())
        return f"<df.bleu({bound}) of {len(self._frame)} rows>" if bound else f"<df.bleu of {len(self._frame)} rows>"

    @property
    def plot(self) -> BleuPlot:
        """Plots of the frame; they need matplotlib."""
        return BleuPlot(self._frame, self._bound)

    components = as_method(components)
    ngrams = as_method(ngrams)
    coverage = as_method(coverage)
    score = as_method(score)
    corpus = as_method(corpus)
    explain = as_method(explain)
    show = as_method(show)
    inspect = as_method(inspect)
    compare = as_method(compare)
    assert_no_regression = as_method(assert_no_regression)
    suggest_smoothing = as_method(suggest_smoothing)
    audit = as_method(audit)
    buckets = as_method(buckets)
    influence = as_method(influence)
    waterfall = as_method(waterfall)
    references = as_method(references)
    ngram_summary = as_method(ngram_summary)
    ngram_differences = as_method(ngram_differences)
    report = as_method(report)


@pd.api.extensions.register_series_accessor("bleu")
class BleuSeries(PartialAccessor):
    """BLEU of a Series that is one row of components, such as ``df.bleu.components().sum()``.

    Examples
    --------
    >>> import pandas as pd, bleupandas
    >>> df = pd.DataFrame({"hypothesis": [["a", "b"]], "references": [["a", "b"]]})
    >>> df.bleu.components().sum().bleu.score(max_order=2)
    1.0
    """

    def __init__(self, series: "pd.Series[Any]") -> None:
        self._frame = series
        self._bound: dict[str, Any] = {}

    def __repr__(self) -> str:
        """Return a short description."""
        return "<series.bleu: BLEU of one row of components>"

    score = as_method(score)
    corpus = as_method(corpus)
    explain = as_method(explain)
