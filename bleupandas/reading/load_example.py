"""load_example(): real machine translation output to start with."""

from importlib import resources

import pandas as pd

EXAMPLE = "apertium_es_en.parquet"


def load_example() -> pd.DataFrame:
    """Return real machine translation output with one to four references per segment.

    240 Spanish sentences of four domains, translated to English by two Apertium systems. ``docs/example_data.md``
    describes how the data was made and what is odd about it.

    Returns
    -------
    DataFrame of shape (480, 8)
        One row per segment and system, ordered by both, on a RangeIndex, with the columns

        - ``id`` (int64): 1 to 240, the segment,
        - ``system`` (text): "direct" or "pivot",
        - ``domain`` (text): "news", "travel", "cooking" or "software",
        - ``source`` and ``hypothesis_text`` (text): the Spanish sentence and its translation,
        - ``reference_texts`` (object): list of 1, 2 or 4 texts,
        - ``hypothesis`` (object): list of tokens (sacreBLEU's "13a"),
        - ``references`` (object): list of 1, 2 or 4 lists of tokens.

        Text columns have pandas' default dtype for text: ``str`` from pandas 3, object before. Every call returns a new
        frame, which you may change.

    Examples
    --------
    >>> from bleupandas import load_example
    >>> df = load_example()
    >>> df.loc[2, "hypothesis"]
    ['The', 'rain', 'obliged', 'to', 'suspend', 'the', 'party', '.']
    >>> df.groupby("system").size().to_dict()
    {'direct': 240, 'pivot': 240}
    """
    import pyarrow.parquet as pq  # here, so that importing the package does not load it

    with (resources.files("bleupandas.reading") / "data" / EXAMPLE).open("rb") as file:
        table = pq.read_table(file)
    # Through Python objects: to_pandas() would make NumPy arrays where a user expects lists.
    return pd.DataFrame(table.to_pydict())
