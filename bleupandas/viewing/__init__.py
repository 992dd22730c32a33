"""Looking: one segment as HTML, the sentence inspector, plots."""
