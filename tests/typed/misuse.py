"""Mistakes that mypy and pyright must both find: every line that ends with "# wrong", and no other.

tests/check_types.py runs both; nothing runs this file.
"""

import pandas as pd

import bleupandas
from bleupandas import CorpusScore

df = bleupandas.load_example()

bleupandas.components(df, max_ordre=2)  # wrong
bleupandas.components(df, 2)  # wrong
bleupandas.components(df, max_order="2")  # wrong
bleupandas.components(hypothesis="hypothesis")  # wrong
bleupandas.components(df.to_dict())  # wrong
bleupandas.compare(df, n_resamples="many")  # wrong
bleupandas.no_such_function(df)  # wrong

bleupandas.corpus(df).to_parquet("scores.parquet")  # wrong
print(bleupandas.corpus(df).bleu)  # wrong
groups: CorpusScore = bleupandas.corpus(df, by="system")  # wrong
number: float = bleupandas.score(df)  # wrong
column: "pd.Series[float]" = bleupandas.score(df, max_order=[1, 2])  # wrong
bleupandas.corpus(df, smooth_method="exp")  # wrong
df.pipe(bleupandas.components, max_ordre=2)  # wrong
