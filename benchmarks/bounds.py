"""The rows of the table and the bounds that `run.py --check` holds them to."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One line of the table.

    Attributes
    ----------
    name : str
        For ``--only`` and for what ``--check`` prints.
    work, against : str
        What is measured, and the other side of the ratio.
    sense : str
        "at least" or "at most".
    bounds : tuple of two float or None
        For one and for two threads; None where a column does not apply.
    unit : str
        "x" for a ratio, "MB" for memory (2**20 bytes), "s" for seconds.
    """

    name: str
    work: str
    against: str
    sense: str
    bounds: tuple[float | None, float | None]
    unit: str = "x"

    def holds(self, value: float, column: int) -> bool:
        """Return whether a measured value is within the bound of column 0 (one thread) or 1 (two)."""
        bound = self.bounds[column]
        return bound is None or (value >= bound if self.sense == "at least" else value <= bound)


SACREBLEU = "sacreBLEU's statistics of the same tokens"
MOJO = "sacrebleu-mojo's corpus sums"
PEAK = "peak beyond input and result"
COMPONENTS = "components of the same"
CHAIN = "list(chain.from_iterable(cells))"

ROWS = [
    Row("list-1", "components, list column, 1 reference", SACREBLEU, "at least", (35, 55)),
    Row("list-4", "components, list column, 4 references", SACREBLEU, "at least", (55, 80)),
    Row("arrow-1", "components, Arrow column, 1 reference", SACREBLEU, "at least", (50, 80)),
    Row("arrow-4", "components, Arrow column, 4 references", SACREBLEU, "at least", (80, 120)),
    Row("mojo-1", "components, list column, 1 reference", MOJO, "at least", (5, 7)),
    Row("mojo-4", "components, list column, 4 references", MOJO, "at least", (5, 7)),
    Row("chain-list", "components, list column, 1 reference", CHAIN, "at most", (2.3, 1.7)),
    Row("chain-ndarray", "components, ndarray cells, 1 reference", CHAIN, "at most", (4, 3.5)),
    Row("score", "score, method1, 1 reference", "NLTK sentence_bleu over the rows", "at least", (50, 80)),
    Row("ngrams", "ngrams, text, 1 reference", "Counter per row and one DataFrame", "at least", (20, 60)),
    Row("summary", "ngram_summary, list column, 1 reference", COMPONENTS, "at most", (3, 3)),
    Row("summary-2", "ngram_summary(min_count=2), list column, 1 reference", COMPONENTS, "at most", (3, 3)),
    Row("corpus-by", "corpus(by=), 1,000 groups of components rows", "groupby().sum()", "at most", (1.5, None)),
    Row(
        "compare",
        "compare: paired bootstrap, 100,000 segments, 1,000 resamples",
        "sacreBLEU's paired bootstrap of the same statistics",
        "at least",
        (5, None),
    ),
    Row(
        "differences",
        "ngram_differences(min_count=2), 100,000 segments of two systems",
        COMPONENTS,
        "at most",
        (12, 12),
    ),
    Row("report", "report(by=), 100,000 segments of two systems", COMPONENTS, "at most", (20, 20)),
    Row("million", "components, per segment at 1,000,000 segments", "at 10,000 segments", "at most", (1.3, 1.3)),
    Row("documents", "components, per token in documents of 100,000", "in segments of 100", "at most", (2, 2)),
    Row("collisions", "components, 20,000 tokens that fixed hashes confuse", "ordinary tokens", "at most", (3, 3)),
    Row(
        "memory-components",
        "components, 1,000,000 segments",
        PEAK,
        "at most",
        (None, 64),
        "MB",
    ),
    Row("memory-components-arrow", "components, 1,000,000 segments, Arrow column", PEAK, "at most", (None, 64), "MB"),
    Row(
        "memory-components-documents", "components, 400 documents of 100,000 tokens", PEAK, "at most", (None, 64), "MB"
    ),
    Row("memory-ngrams", "ngrams, 1,000,000 segments", PEAK, "at most", (None, 200), "MB"),
    Row("memory-ngrams-documents", "ngrams, 400 documents of 100,000 tokens", PEAK, "at most", (None, 200), "MB"),
    Row("request", "a tool's request, 1,000 segments, 50,000 tokens", "json.loads of its body", "at most", (10, None)),
    Row("inspector-open", "inspect(components=True), 1,000,000 rows", "a second", "at most", (2, None), "s"),
    Row("inspector-step", "the inspector's next segment, 1,000,000 rows", "a second", "at most", (0.1, None), "s"),
    Row("inspector-filter", "the inspector's query, 1,000,000 rows", "a second", "at most", (0.5, None), "s"),
    Row("inspector-ngram", "segments that lack an n-gram, 1,000,000 rows", "a second", "at most", (5, None), "s"),
    Row("import", "import bleupandas", "import pandas, pyarrow", "at most", (1.2, None)),
    Row("first-call", "components, 1,000 segments, first call of a process", "the second call", "at most", (2, None)),
]
