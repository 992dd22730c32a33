"""The contents of a report for its templates: the sections in order, and the blocks of the first screen."""

from typing import Any

from bleupandas.reporting.ngram_tables import ngram_section
from bleupandas.reporting.report_data import ReportData
from bleupandas.reporting.sections import (
    Block,
    Graphic,
    Options,
    Section,
    audit_section,
    bucket_section,
    compare_groups,
    comparison_section,
    factor_section,
    score_section,
    settings_section,
)
from bleupandas.reporting.segments import segment_section
from bleupandas.reporting.verdicts import summarize


def contents(data: ReportData, options: Options) -> dict[str, Any]:
    """Return the variables of the templates."""
    whole = None if data.ids is None else compare_groups(data, options)
    groups = [] if whole is None else [compare_groups(data, options, key) for key in data.by]
    parts = [score_section(data)]
    if whole is not None:
        parts.append(comparison_section(data, whole, groups, options))
    parts += [factor_section(data, options), bucket_section(data, options)]
    optional = [ngram_section(data, options), segment_section(data, options), audit_section(data)]
    parts += [part for part in optional if part is not None]
    if not data.tokens:
        parts.append(Section("N-grams and segments", ["The frame has components only: these need the tokens."]))
    parts.append(settings_section(data))
    first: list[Block] = parts[0].blocks[:1]
    if whole is not None:
        first = parts[1].blocks[1:2] + first
    tables = [part for part in parts if not part.is_graphic]
    return {
        "verdict": summarize(data, whole, groups, options),
        "first": first,
        "sections": parts,
        "tables": tables,
        "kind": block_kind,
    }


def block_kind(block: Block) -> str:
    """Return the kind of a block: "html", "text" or "table"."""
    return "html" if isinstance(block, Graphic) else "text" if isinstance(block, str) else "table"
