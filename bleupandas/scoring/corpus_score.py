"""CorpusScore: BLEU of a set of segments and the numbers that it is computed from."""

import html
import math
from dataclasses import dataclass, fields
from typing import Any

import pandas as pd


@dataclass(frozen=True, repr=False)
class CorpusScore:
    """BLEU of a set of segments.

    ``str()`` returns sacreBLEU's line, with score and precisions on the scale 0..100. The fields are on 0..1.

    Attributes
    ----------
    score : float
        BLEU, 0..1; NaN if there is no segment.
    precisions : tuple of float
        matches / totals of each order, without smoothing; NaN for an order without n-grams.
    smoothed_precisions : tuple of float
        The precisions that the score is computed from.
    brevity_penalty : float
    candidate_length, reference_length : int
        In tokens.
    length_ratio : float
        candidate_length / reference_length.
    segments : int or None
        Number of segments that were counted; None if only sums are known.
    segments_missing : int
        Number of segments left out because they could not be read.
    matches, totals : tuple of int
    signature : str
        Every setting that changes a number.
    """

    score: float
    precisions: tuple[float, ...]
    smoothed_precisions: tuple[float, ...]
    brevity_penalty: float
    candidate_length: int
    reference_length: int
    length_ratio: float
    segments: int | None
    segments_missing: int
    matches: tuple[int, ...]
    totals: tuple[int, ...]
    signature: str

    def __str__(self) -> str:
        """Return sacreBLEU's line: score and precisions on 0..100."""
        numbers = [0.0 if math.isnan(p) else p for p in self.smoothed_precisions]
        precisions = "/".join(f"{100 * p:.1f}" for p in numbers)
        ratio = 0.0 if math.isnan(self.length_ratio) else self.length_ratio
        return (
            f"BLEU = {100 * self.score:.2f} {precisions} (BP = {self.brevity_penalty:.3f} ratio = {ratio:.3f} "
            f"hyp_len = {self.candidate_length} ref_len = {self.reference_length})"
        )

    __repr__ = __str__

    def _facts(self) -> dict[str, Any]:
        facts: dict[str, Any] = {}
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, tuple):
                single = field.name.removesuffix("s") if field.name.endswith("precisions") else field.name
                facts |= {f"{single}_{order}": item for order, item in enumerate(value, 1)}
            else:
                facts[field.name] = value
        return facts

    def to_series(self) -> "pd.Series[Any]":
        """Return the fields as a Series of dtype object, with an entry for each order: precision_1, matches_1, ..."""
        return pd.Series(self._facts(), dtype=object)

    def to_frame(self) -> pd.DataFrame:
        """Return the fields as a frame of one row."""
        return pd.DataFrame([self._facts()])

    def _repr_html_(self) -> str:
        orders = range(len(self.matches))
        head = "".join(f"<th>{order + 1}</th>" for order in orders)
        rows = {
            "matched": [str(m) for m in self.matches],
            "of total": [str(t) for t in self.totals],
            "precision": ["" if math.isnan(p) else f"{p:.3f}" for p in self.precisions],
        }
        body = "".join(
            f"<tr><th>{name}</th>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>" for name, cells in rows.items()
        )
        return (
            f"<div><p>{html.escape(str(self))}</p><table><thead><tr><th>order</th>{head}</tr></thead>"
            f"<tbody>{body}</tbody></table><p><small>{html.escape(self.signature)}</small></p></div>"
        )
