"""Looking at segments: HTML, the inspector, plots."""
