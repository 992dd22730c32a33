"""df.bleu and series.bleu: every method is a function of the package with the frame filled in."""

from typing import Any, Never

import pandas as pd

from bleupandas.auditing import audit as auditing
from bleupandas.common.accessors import Absent, method_of
from bleupandas.common.messages import refuse_keywords, refuse_positional
from bleupandas.comparing import assert_no_regression as regressing
from bleupandas.comparing import buckets as bucketing
from bleupandas.comparing import compare as significance
from bleupandas.comparing import influence as influencing
from bleupandas.comparing import ngram_differences as differing
from bleupandas.comparing import waterfall as splitting
from bleupandas.counting import components as statistics
from bleupandas.counting import coverage as covering
from bleupandas.counting import ngram_summary as summarising
from bleupandas.counting import ngrams as clipping
from bleupandas.counting import references as contributing
from bleupandas.explaining import explain as diagnosing
from bleupandas.explaining import suggest_smoothing as advising
from bleupandas.reporting import report as writing
from bleupandas.scoring import score as scoring
from bleupandas.viewing.html import show as showing
from bleupandas.viewing.inspector import inspect as inspecting
from bleupandas.viewing.plots import scores as plots

BINDABLE = ("hypothesis", "references", "max_order", "errors", "threads", "components")


class BleuPlot:
    """Plots of a frame, drawn with matplotlib: each gives its Axes.

    ``df.bleu.plot``; columns bound by ``df.bleu(...)`` are bound here too.
    """

    def __init__(self, frame: pd.DataFrame, bound: dict[str, Any]) -> None:
        self._frame = frame
        self._bound = bound

    def __repr__(self) -> str:
        """Say which plots there are."""
        return "<df.bleu.plot: scores, precisions, lengths, ngrams, waterfall>"

    scores = method_of(plots.scores)
    precisions = method_of(plots.precisions)
    lengths = method_of(plots.lengths)
    ngrams = method_of(plots.ngrams)
    waterfall = method_of(plots.waterfall)


@pd.api.extensions.register_dataframe_accessor("bleu")
class BleuFrame:
    """BLEU's statistics of a frame with a row per segment.

    ``df.bleu`` looks at columns "hypothesis" and "references"; calling it binds others once:
    ``mt = df.bleu(hypothesis="mt", references=["ref_a", "ref_b"])``. Nothing is checked before a method is called, and
    nothing but the frame is kept.

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
        """Bind column labels, max_order, errors, threads or components; methods may still be given others."""
        if args:
            refuse_positional("df.bleu", args[0], BINDABLE)
        refuse_keywords("df.bleu", {k: v for k, v in options.items() if k not in BINDABLE}, BINDABLE)
        bound = BleuFrame(self._frame)
        bound._bound = {**self._bound, **options}
        return bound

    def __repr__(self) -> str:
        """Say what is bound."""
        bound = ", ".join(f"{name}={value!r}" for name, value in self._bound.items())
        return f"<df.bleu({bound}) of {len(self._frame)} rows>" if bound else f"<df.bleu of {len(self._frame)} rows>"

    @property
    def plot(self) -> BleuPlot:
        """Plots of the frame; needs matplotlib."""
        return BleuPlot(self._frame, self._bound)

    components = method_of(statistics.components)
    ngrams = method_of(clipping.ngrams)
    coverage = method_of(covering.coverage)
    score = method_of(scoring.score)
    corpus = method_of(scoring.corpus)
    explain = method_of(diagnosing.explain)
    show = method_of(showing.show)
    inspect = method_of(inspecting.inspect)
    compare = method_of(significance.compare)
    assert_no_regression = method_of(regressing.assert_no_regression)
    suggest_smoothing = method_of(advising.suggest_smoothing)
    audit = method_of(auditing.audit)
    buckets = method_of(bucketing.buckets)
    influence = method_of(influencing.influence)
    waterfall = method_of(splitting.waterfall)
    references = method_of(contributing.references)
    ngram_summary = method_of(summarising.ngram_summary)
    ngram_differences = method_of(differing.ngram_differences)
    report = method_of(writing.report)


@pd.api.extensions.register_series_accessor("bleu")
class BleuSeries(Absent):
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
        """Say what it is."""
        return "<series.bleu: BLEU of one row of components>"

    score = method_of(scoring.score)
    corpus = method_of(scoring.corpus)
    explain = method_of(diagnosing.explain)
