"""What the checks found, and the frame that audit() returns."""

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bleupandas.auditing.checks import CHECKS, SEVERITIES, Check
from bleupandas.counting import TEXT, object_array
from bleupandas.reading import TokenColumns, is_saved_list, mapping, text_advice

MAX_EXAMPLES = 5


class Findings:
    """The rows that each check found.

    Parameters
    ----------
    n_rows : int
    """

    def __init__(self, n_rows: int) -> None:
        self.n_rows = n_rows
        self._rows: dict[str, NDArray[np.bool_]] = {}
        self._severities: dict[str, str] = {}
        self._details: dict[str, str] = {}

    def mask(self, name: str) -> NDArray[np.bool_]:
        """Return the rows that a check found as a mask, (n_rows,)."""
        return self._rows.get(name, np.zeros(self.n_rows, np.bool_))

    def add(self, name: str, rows: NDArray[Any] | list[int]) -> None:
        """Add rows, a mask or positions, to those that a check found."""
        mask = self.mask(name).copy()
        mask[rows] = True
        self._rows[CHECKS[name].name] = mask

    def raise_severity(self, name: str, severity: str) -> None:
        """Replace the usual severity of a check."""
        self._severities[name] = severity

    def severity(self, name: str) -> str:
        """Return the severity of a check."""
        return self._severities.get(name, CHECKS[name].severity)

    def add_detail(self, name: str, detail: str) -> None:
        """Keep a text for the advice of a check; only the first one of each check counts."""
        self._details.setdefault(name, detail)

    def detail(self, name: str) -> str:
        """Return the text for the advice of a check, empty if there is none."""
        return self._details.get(name, "")


def findings_frame(findings: Findings, index: pd.Index, columns: list[TokenColumns]) -> pd.DataFrame:
    """Return a row per check that found something, the most serious first; `index` labels the rows."""
    rows: list[tuple[Any, ...]] = []
    for check in CHECKS.values():
        positions = np.flatnonzero(findings.mask(check.name))
        if len(positions):
            examples = index[positions[:MAX_EXAMPLES]].tolist()
            advice = format_advice(check, findings.detail(check.name), columns)
            share = len(positions) / len(index)
            rows.append((check.name, findings.severity(check.name), len(positions), share, examples, advice))
    rows.sort(key=lambda row: (-SEVERITIES.index(row[1]), -row[2]))
    names, severities, counts, shares, examples, advices = ([row[at] for row in rows] for at in range(6))
    data = {
        "check": pd.array(names, dtype=TEXT),
        "severity": pd.Categorical(severities, SEVERITIES, ordered=True),
        "rows": np.array(counts, np.int64),
        "share": np.array(shares, np.float64),
        "examples": object_array(examples),
        "what_to_do": pd.array(advices, dtype=TEXT),
    }
    return pd.DataFrame(data)


def format_advice(check: Check, detail: str, columns: list[TokenColumns]) -> str:
    """Return the advice of a check for these columns."""
    labels = dict.fromkeys(label for tokens in columns for label in tokens.labels)
    if check.name == "text instead of tokens":
        labels = dict.fromkeys(label for tokens in columns for label in tokens.texts()) or labels
        if is_saved_list(detail):
            return f"Here {text_advice(detail, list(labels)).other}."
    return check.advice.format(columns=mapping(list(labels)), detail=detail)
