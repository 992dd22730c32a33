"""The templates of a report, in Jinja."""

import re
from importlib import resources
from typing import Any

from bleupandas.reporting.blocks import block_kind


def read_templates() -> Any:
    """Return the environment of the templates. It escapes all values except `HTML`.

    Raises
    ------
    ImportError
        Without jinja2.
    """
    try:
        import jinja2
    except ModuleNotFoundError:
        raise ImportError('report() needs jinja2: pip install "bleupandas[report]"') from None
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("bleupandas", "reporting"),
        autoescape=lambda name: name is not None and ".html" in name,
        trim_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters["md"] = escape_markdown
    environment.globals["kind"] = block_kind
    environment.globals["style"] = resources.files("bleupandas.reporting").joinpath("report.css").read_text("utf-8")
    return environment


def escape_markdown(text: str) -> str:
    r"""Return text in which all characters with a meaning in Markdown or HTML are escaped.

    Examples
    --------
    >>> escape_markdown("a|b <s> *x*")
    'a\\|b \\<s\\> \\*x\\*'
    """
    return re.sub(r"([\\`*_{}\[\]<>|#&$~])", r"\\\1", text)
