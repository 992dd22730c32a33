"""How a user with a type checker calls the package: mypy --strict and pyright find nothing here.

tests/check_types.py runs both; nothing runs this file.
"""

from typing import Any, assert_type

import pandas as pd

import bleupandas
from bleupandas import CorpusScore

df = bleupandas.load_example()
assert_type(df, pd.DataFrame)

# ---- Functions ----

components = bleupandas.components(df, max_order=2, errors="coerce")
assert_type(components, pd.DataFrame)

whole = bleupandas.corpus(df, convention="sacrebleu")
assert_type(whole, CorpusScore)
print(f"{100 * whole.score:.2f}", whole.precisions, whole.to_series(), str(whole))

groups = bleupandas.corpus(df, by=["system", "domain"])
assert_type(groups, pd.DataFrame)
print(groups["score"].max())

sentences: "pd.Series[Any]" = bleupandas.score(df, smoothing="exp")
print(sentences.idxmin())

orders = bleupandas.score(df, max_order=[1, 2, 3, 4])
assert_type(orders, pd.DataFrame)
print(orders["score_1"])

difference = bleupandas.compare(df, system="system", id="id", n_resamples=100)
assert_type(difference, pd.DataFrame)

ngrams = bleupandas.ngrams(df, orders=2, id_vars=["system"])
assert_type(ngrams, pd.DataFrame)

# ---- In a chain ----

assert_type(df[df["domain"] == "news"].pipe(bleupandas.components), pd.DataFrame)
assert_type(df.pipe(bleupandas.corpus), CorpusScore)

# ---- The accessor: type checkers do not know what is registered, so the result is annotated ----

from_accessor: CorpusScore = df.bleu.corpus()
table: pd.DataFrame = df.bleu.components(max_order=2)
