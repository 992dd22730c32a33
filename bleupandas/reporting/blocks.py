"""What a report consists of: sections of text, tables and HTML."""

from typing import Any, NamedTuple

from bleupandas.reporting.tables import Table


class HTML(str):
    """Safe HTML: charts and segments. Markdown leaves it out."""


Block = str | Table | HTML


class Section(NamedTuple):
    """A titled part of the report."""

    title: str
    blocks: list[Block]

    @property
    def is_html_only(self) -> bool:
        """Whether the section has nothing but text without its charts and segments."""
        kinds = [type(block) for block in self.blocks]
        return HTML in kinds and Table not in kinds


class Options(NamedTuple):
    """The options of a report."""

    baseline: Any
    n_resamples: int
    seed: int
    level: float
    n_segments: int
    n_ngrams: int


def block_kind(block: Block) -> str:
    """Return "html", "text" or "table"."""
    return "html" if isinstance(block, HTML) else "text" if isinstance(block, str) else "table"
