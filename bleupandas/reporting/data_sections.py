"""The sections on the data: checks of the input, and the settings."""

import importlib.metadata
import platform
from typing import Any

import numpy as np
import pandas as pd

from bleupandas.auditing import audit
from bleupandas.reporting.blocks import Block, Section
from bleupandas.reporting.report_data import ReportData
from bleupandas.reporting.tables import Table, format_table_cell, frame_table
from bleupandas.scoring import signature

MANY_ROWS = 20_000  # larger reports leave out what would take much longer than counting, and say so
CHECKED_ROWS = 10_000  # of a report of many rows


def check_section(data: ReportData) -> Section | None:
    """Return the result of `audit`; None without tokens."""
    if not data.tokens:
        return None
    blocks: list[Block] = []
    n_rows = len(data.rows)
    if n_rows > MANY_ROWS:
        systems = data.systems
        number = np.arange(n_rows) if systems is None else systems.groupby(systems).cumcount().to_numpy()
        data = data.take(np.flatnonzero(number < CHECKED_ROWS // max(len(data.names), 1)))
        blocks.append(f"Only the first {len(data.rows):,} of {n_rows:,} rows were checked; `audit` checks all.")
    pairs = (("system", data.systems), ("id", data.ids))
    keys: Any = {name: None if key is None else key.array for name, key in pairs}
    problems = audit(data.rows, threads=data.count.threads, **keys, **data.tokens)
    if problems.empty:
        return Section("Data checks", [*blocks, "No problem was found that makes the scores doubtful."])
    problems = problems.assign(
        severity=problems["severity"].astype(object),
        share=[f"{100 * share:.1f} %" for share in problems["share"]],
        examples=[", ".join(format_table_cell(data.labels[at]) for at in rows) for rows in problems["examples"]],
    )
    columns, headers = ["check", "severity", "what_to_do"], {"what_to_do": "what to do", "examples": "example rows"}
    return Section("Data checks", [*blocks, frame_table(problems, columns, headers)])


def settings_section(data: ReportData) -> Section:
    """Return what was scored, and with which settings and versions."""
    numbers = data.reference_counts
    nrefs = None if not numbers else min(numbers) if len(numbers) == 1 else "var"
    facts = {
        "rows": format_table_cell(len(data.rows)),
        "systems": ", ".join(map(format_table_cell, data.names)) or "one",
        "references per row": "unknown: the frame has components only" if numbers is None else number_range(numbers),
        "unreadable rows, left out": format_table_cell(data.missing),
        **({"readable rows of the same segments, left out": format_table_cell(data.unpaired)} if data.unpaired else {}),
        "signature": signature(data.settings, nrefs),
        "versions": f"bleupandas {importlib.metadata.version('bleupandas')}, pandas {pd.__version__}, "
        f"Python {platform.python_version()}",
    }
    return Section("Data and settings", [Table(["", ""], [list(fact) for fact in facts.items()], 2)])


def number_range(numbers: frozenset[int]) -> str:
    """Return numbers as text: "2", "1 to 3", "none"."""
    if not numbers:
        return "none"
    low, high = min(numbers), max(numbers)
    return f"{low}" if low == high else f"{low} to {high}"
