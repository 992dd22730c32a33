"""Whether the rows of a frame are sums of segments."""

import pandas as pd

from bleupandas.common import CountOptions
from bleupandas.reading import SEGMENTS, check_frame, reads_components


def has_segment_sums(df: object, function: str, count: CountOptions) -> bool:
    """Return whether a call reads components columns with a column "segments", so that rows are sums of segments."""
    if isinstance(df, pd.Series):
        return SEGMENTS in df.index
    frame = check_frame(df, function)
    return reads_components(frame, count) and SEGMENTS in frame.columns
