"""The checks of single rows that can be read."""

from collections.abc import Sequence

import numpy as np

from bleupandas.auditing.characters import has_split_entity, is_characters, unescape
from bleupandas.auditing.checks import CHECKS, MIN_TOKENS
from bleupandas.auditing.findings import Findings
from bleupandas.auditing.readable_rows import Row
from bleupandas.auditing.token_variants import find_variants
from bleupandas.auditing.transposed_references import has_transposed_references
from bleupandas.auditing.vocabulary import Vocabulary


class RowChecks:
    """The checks of single rows: call `check_rows` for each window of rows, then read the attributes.

    Attributes
    ----------
    hashes : ndarray of shape (n_rows,)
        Of each hypothesis.
    case_variants, punctuation_variants : ndarray of shape (n_rows,)
        How many distinct hypothesis tokens differ from a reference token by nothing else.
    """

    def __init__(self, n_rows: int) -> None:
        self.hashes = np.zeros(n_rows, np.int64)
        self.case_variants = np.zeros(n_rows, np.int64)
        self.punctuation_variants = np.zeros(n_rows, np.int64)
        self._vocabulary = Vocabulary()
        self._positions: dict[str, list[int]] = {name: [] for name in CHECKS}

    def report(self, findings: Findings) -> None:
        """Add the rows that the checks found."""
        for name, positions in self._positions.items():
            if positions:
                findings.add(name, positions)

    def check_rows(self, rows: Sequence[Row]) -> None:
        """Check the rows of a window."""
        tokens = set[str]().union(*(row.hypothesis for row in rows), *(row.reference_tokens for row in rows))
        self._vocabulary.update(tokens)
        ampersands = tokens & self._vocabulary.ampersands
        odd_tokens = {
            "white space in tokens": tokens & self._vocabulary.spaced,
            "text of a script without spaces as one token": tokens & self._vocabulary.sentences,
        }
        odd_tokens = {name: odd for name, odd in odd_tokens.items() if odd}
        for row in rows:
            self.hashes[row.position] = hash(tuple(row.hypothesis))
            for name, odd in odd_tokens.items():
                if not odd.isdisjoint(row.hypothesis) or not odd.isdisjoint(row.reference_tokens):
                    self._add(name, row)
            if ampersands and has_split_entity(ampersands, (row.hypothesis, *row.references)):
                self._add("unescaped entities", row)
            self._check_lists(row)
            self._check_variants(row)

    def _add(self, name: str, row: Row) -> None:
        self._positions[name].append(row.position)

    def _check_lists(self, row: Row) -> None:
        """Check the lists of a row as a whole."""
        if row.lacks_reference:
            self._add("some references missing", row)
        if [] in row.references:
            self._add("empty reference", row)
        if is_characters(row.hypothesis) or any(map(is_characters, row.references)):
            self._add("single characters as tokens", row)
        if has_transposed_references(row.hypothesis, row.references):
            self._add("references transposed", row)
        if len(row.hypothesis) < MIN_TOKENS:
            return
        if row.hypothesis in row.references:
            self._add("hypothesis equals a reference", row)
        elif row.source and row.source == unescape("".join(row.hypothesis)):
            self._add("hypothesis equals the source", row)

    def _check_variants(self, row: Row) -> None:
        """Count the unmatched tokens of a row that are variants of an unmatched reference token."""
        tokens = set(row.hypothesis).difference(row.reference_tokens)
        if not tokens:
            return
        others = row.reference_tokens.difference(row.hypothesis)
        by_unicode = find_variants(tokens, others, self._vocabulary.unicode_forms)
        if by_unicode:
            self._add("tokens differ only by Unicode form", row)
        tokens -= by_unicode
        by_case = find_variants(tokens, others, self._vocabulary.lowercase)
        tokens -= by_case
        self.case_variants[row.position] = len(by_case)
        self.punctuation_variants[row.position] = len(find_variants(tokens, others, self._vocabulary.unpunctuated))
