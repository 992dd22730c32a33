"""Counting: components, n-grams, coverage, and sums of them."""

from bleupandas.counting.components import components
from bleupandas.counting.coverage import coverage
from bleupandas.counting.ngram_rows import FORMS, TEXT, NgramLister, text_error
from bleupandas.counting.ngram_summary import check_min_count, ngram_summary, summarize_ngrams
from bleupandas.counting.ngrams import check_orders, check_sep, id_columns, ngrams
from bleupandas.counting.object_array import object_array
from bleupandas.counting.references import references
from bleupandas.counting.sums import (
    Sums,
    count_sums,
    float_column,
    nullable_integers,
    read_sums,
)
from bleupandas.counting.tallies import arrow_text, ngram_text_error, tally_rows

__all__ = [
    "FORMS",
    "TEXT",
    "NgramLister",
    "Sums",
    "arrow_text",
    "check_min_count",
    "check_orders",
    "check_sep",
    "components",
    "count_sums",
    "coverage",
    "float_column",
    "id_columns",
    "ngram_summary",
    "ngram_text_error",
    "ngrams",
    "nullable_integers",
    "object_array",
    "read_sums",
    "references",
    "summarize_ngrams",
    "tally_rows",
    "text_error",
]
