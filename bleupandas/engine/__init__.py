"""Counting: clipped n-gram matches of blocks of rows, by a compiled engine or a plain Python one."""
