"""A page of segments that loads nothing from elsewhere."""

from importlib import resources

from bleupandas.viewing.html.palette import colours_css
from bleupandas.viewing.html.text_html import escape_text

# The style of segments. It touches nothing but elements of the class "bleupandas" and pages of `page_html`.
STYLE = colours_css() + resources.files("bleupandas.viewing.html").joinpath("segment.css").read_text(encoding="utf-8")


def page_html(body: str, title: str) -> str:
    """Return a page that loads nothing from elsewhere.

    Parameters
    ----------
    body : str
        HTML, for example from `segment_html`.
    title : str
        Text; it is escaped.

    Returns
    -------
    str
    """
    name = escape_text(title)
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>{name}</title>\n'
        f"<style>\n{STYLE}</style>\n</head>\n"
        f'<body class="bleu-page">\n<main>\n<h1>{name}</h1>\n{body}</main>\n</body>\n</html>\n'
    )
