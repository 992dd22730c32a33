"""How Sphinx makes the pages: python -m sphinx -W docs build/docs."""

import bleupandas

project = "bleupandas"
author = copyright = "The bleupandas developers"  # noqa: A001
version = release = bleupandas.__version__

extensions = ["myst_parser", "numpydoc", "sphinx.ext.autodoc"]
exclude_patterns = ["_build"]
html_theme = "furo"
html_title = f"bleupandas {version}"
html_copy_source = False
myst_heading_anchors = 3
autodoc_typehints = "none"  # the docstrings say more
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False
default_role = "code"
