"""The contents of a report: an introduction, a summary, and sections."""

from typing import Any

from bleupandas.reporting.blocks import Block, Options, Section
from bleupandas.reporting.comparison_section import comparison_section, read_comparison
from bleupandas.reporting.data_sections import check_section, settings_section
from bleupandas.reporting.factor_section import factor_section
from bleupandas.reporting.length_section import length_section
from bleupandas.reporting.ngram_section import ngram_section
from bleupandas.reporting.report_data import ReportData
from bleupandas.reporting.score_section import score_section
from bleupandas.reporting.segment_section import segment_section
from bleupandas.reporting.tables import format_table_cell
from bleupandas.reporting.verdicts import verdict


def report_contents(data: ReportData, options: Options) -> dict[str, Any]:
    """Return the values of the templates."""
    whole = None if data.ids is None else read_comparison(data, options)
    groups = [] if whole is None else [read_comparison(data, options, key) for key in data.by]
    sections: list[Section | None] = [score_section(data)]
    if whole is not None:
        sections.append(comparison_section(data, whole, groups, options))
    sections += [factor_section(data, options), length_section(data, options)]
    sections += [ngram_section(data, options), segment_section(data, options), check_section(data)]
    if not data.tokens:
        sections.append(Section("N-grams and segments", ["They need tokens, and the frame has components only."]))
    sections.append(settings_section(data))
    found = [section for section in sections if section is not None]
    summary: list[Block] = found[0].blocks[:1]
    if whole is not None:
        summary = found[1].blocks[1:2] + summary
    return {
        "introduction": introduction(data, options),
        "verdict": verdict(data, whole, groups, options),
        "summary": summary,
        "sections": found,
        "tables": [section for section in found if not section.is_html_only],
    }


def introduction(data: ReportData, options: Options) -> str:
    """Return a sentence on what the report is."""
    names = data.names
    baseline = None if data.ids is None else names[0] if options.baseline is None else options.baseline
    texts = [
        f"{format_table_cell(name)} (the baseline)" if name == baseline else format_table_cell(name) for name in names
    ]
    systems = f"{', '.join(texts[:-1])} and {texts[-1]}" if texts else "one system"
    rows = f"{len(data.rows):,} {'row' if len(data.rows) == 1 else 'rows'}"
    return (
        f"This is a BLEU error analysis of {systems}, computed by bleupandas on {rows}. BLEU measures, from 0 to 100, "
        "how many n-grams a translation shares with its references. A summary comes first, the details follow."
    )
