"""What the templates of a report show: its sections in their order, and what stands on the first screen."""

from typing import Any

from bleupandas.reporting.material import Material
from bleupandas.reporting.ngram_lists import ngram_lists
from bleupandas.reporting.sections import (
    Block,
    Drawn,
    Options,
    Section,
    audited,
    bucketed,
    comparison,
    comparison_of,
    factors,
    measured,
    scores,
)
from bleupandas.reporting.segments import exhibits
from bleupandas.reporting.verdicts import verdict


def contents(material: Material, options: Options) -> dict[str, Any]:
    """Give what the templates show."""
    whole = None if material.ids is None else comparison_of(material, options)
    groups = [] if whole is None else [comparison_of(material, options, key) for key in material.by]
    parts = [scores(material)]
    if whole is not None:
        parts.append(comparison(material, whole, groups, options))
    parts += [factors(material, options), bucketed(material, options)]
    optional = [ngram_lists(material, options), exhibits(material, options), audited(material)]
    parts += [part for part in optional if part is not None]
    if not material.tokens:
        parts.append(Section("N-grams and segments", ["The frame has components only: these need the tokens."]))
    parts.append(measured(material))
    first: list[Block] = parts[0].blocks[:1]
    if whole is not None:
        first = parts[1].blocks[1:2] + first
    tables = [part for part in parts if not part.drawn_only]
    return {
        "verdict": verdict(material, whole, groups, options),
        "first": first,
        "sections": parts,
        "tables": tables,
        "kind": kind,
    }


def kind(block: Block) -> str:
    """Tell what a block is."""
    return "html" if isinstance(block, Drawn) else "text" if isinstance(block, str) else "table"
