"""Counting: components, n-grams, coverage, and sums of them."""

from bleupandas.counting.components import components
from bleupandas.counting.coverage import coverage
from bleupandas.counting.ngram_rows import TEXT, NgramLister, text_error
from bleupandas.counting.ngram_summary import check_min_count, ngram_summary, summarize_ngrams
from bleupandas.counting.ngrams import check_listed_orders, check_sep, id_columns, ngrams
from bleupandas.counting.object_array import object_array
from bleupandas.counting.references import references
from bleupandas.counting.sums import count_rows, nullable_integers
from bleupandas.counting.tallies import arrow_text, ngram_text_error, tally_rows

__all__ = [
    "TEXT",
    "NgramLister",
    "arrow_text",
    "check_listed_orders",
    "check_min_count",
    "check_sep",
    "components",
    "count_rows",
    "coverage",
    "id_columns",
    "ngram_summary",
    "ngram_text_error",
    "ngrams",
    "nullable_integers",
    "object_array",
    "references",
    "summarize_ngrams",
    "tally_rows",
    "text_error",
]
