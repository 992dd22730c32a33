"""The report: what was measured, which system is better, where and by which n-grams, as one page."""
