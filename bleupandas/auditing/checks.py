"""What audit() looks for: names, severities and advice, and the checks of single rows."""

import html
import html.entities
import itertools
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bleupandas.common import is_missing
from bleupandas.engine import as_list

Tokens = list[str]

SEVERITIES = ["info", "warning", "error"]
LENGTH_FACTOR = 2.0
LENGTH_DIFFERENCE = 5  # tokens
LEAST_TOKENS = 5  # shorter hypotheses are the same as something else by chance
MOST_EQUAL = 0.1  # of a system's rows of LEAST_TOKENS and more
SYSTEMATIC = 0.03  # of a system's hypothesis tokens


class Check(NamedTuple):
    """One thing to look for."""

    name: str
    severity: str
    what_to_do: str


CHECKS = [
    Check("missing hypothesis", "error", "Drop these rows, or give [] where the system put out nothing."),
    Check("no reference", "error", "Drop these rows, or find their references; [[]] is one empty reference."),
    Check("text instead of tokens", "error", "Tokenize first: df = bleupandas.tokenize(df, {columns})."),
    Check("unreadable cell", "error", "Mend the cells, or leave them out with errors='coerce'. The first: {first}"),
    Check("missing id", "error", "Give every row its id, or drop these rows: without one a row pairs with no other."),
    Check(
        "id stands twice",
        "error",
        "Drop or renumber what comes again: an id stands once in each system, or rows cannot be paired.",
    ),
    Check(
        "references shifted",
        "error",
        "The references of the row {side} match better: look for a line that is missing or doubled where this begins, "
        "and align hypotheses and references anew.",
    ),
    Check(
        "references transposed",
        "error",
        "The references match better when read by columns (judged by up to 5,000 rows of a system): transpose them, so "
        "that each row has the references of its own segment, list(zip(*streams)).",
    ),
    Check("id without partner", "warning", "Drop these rows, or add those of other systems: compare() needs pairs."),
    Check(
        "white space in tokens",
        "warning",
        "Texts that nobody tokenized count as one token: df = bleupandas.tokenize(df, {columns}).",
    ),
    Check(
        "single characters as tokens",
        "warning",
        "A text made a list falls into characters, list('a b'): tokenize it, bleupandas.tokenize(df, {columns}).",
    ),
    Check(
        "text of a script without spaces as one token",
        "warning",
        "Tokenize it by words or characters: bleupandas.tokenize(df, {columns}, 'zh'); 'ja-mecab', 'char'.",
    ),
    Check("empty hypothesis", "warning", "Look whether the system failed; it counts as a segment without a match."),
    Check("empty reference", "warning", "Put None where there is no such reference, or drop the row."),
    Check(
        "length off by a factor",
        "warning",
        f"The hypothesis is over {LENGTH_FACTOR:g} times as long as the closest reference, or less than half as long, "
        f"by {LENGTH_DIFFERENCE} tokens or more: look for cut, repeated or misaligned text.",
    ),
    Check(
        "hypothesis equals the source",
        "warning",
        "Untranslated: look whether columns were mixed up, or the system passed the text through.",
    ),
    Check(
        "duplicate hypothesis",
        "warning",
        "A system put out an earlier row's hypothesis again: drop rows that stand twice, and look for a join that "
        "multiplied rows or a system that repeats itself.",
    ),
    Check("unescaped entities", "warning", "Unescape the text before it is tokenized: html.unescape(text)."),
    Check(
        "tokens differ only by Unicode form",
        "warning",
        "Bring both sides into one form before tokenizing: unicodedata.normalize('NFKC', text), or 'NFC'.",
    ),
    Check(
        "hypothesis equals a reference",
        "info",
        f"Nothing, where it is chance; over {MOST_EQUAL:.0%} of a system's longer rows is a warning: look whether "
        "references leaked into the system or its column.",
    ),
    Check(
        "tokens differ only by case",
        "info",
        f"Nothing, where it is style; over {SYSTEMATIC:.0%} of a system's tokens is a warning: one side was "
        "lowercased, so treat both alike, tokenize(..., lowercase=True).",
    ),
    Check(
        "tokens differ only by punctuation",
        "info",
        f"Nothing, where it is style; over {SYSTEMATIC:.0%} of a system's tokens is a warning: tokenize both sides "
        "with the same tokenizer, and bring quotes and dashes into one form.",
    ),
    Check(
        "some references missing",
        "info",
        "Nothing, if intended: rows with fewer references score lower, so compare groups with care.",
    ),
]

# Rows that have one of these may be of a wrong length because of it.
EXPLAINS_LENGTH = (
    *("references shifted", "references transposed", "white space in tokens", "single characters as tokens"),
    "text of a script without spaces as one token",
)


class Findings:
    """What was found: rows by check, and what became worse or is to be told besides."""

    def __init__(self, n_rows: int) -> None:
        self.n_rows = n_rows
        self.rows: dict[str, NDArray[np.bool_]] = {}
        self.severity: dict[str, str] = {}
        self.told: dict[str, str] = {}

    def of(self, name: str) -> NDArray[np.bool_]:
        """Give the rows in which a check found something, (n_rows,)."""
        return self.rows.get(name, np.zeros(self.n_rows, np.bool_))

    def add(self, name: str, rows: NDArray[np.bool_] | list[int]) -> None:
        """Add rows, a mask or positions, to what a check found."""
        found = self.of(name).copy()
        found[rows if isinstance(rows, list) else np.flatnonzero(rows)] = True
        self.rows[name] = found

    def raise_to(self, name: str, severity: str) -> None:
        """Make what a check found worse than it is by itself."""
        self.severity[name] = severity


# ---- Tokens ----

ENTITY = re.compile(r"&(#[0-9]+;|#[xX][0-9a-fA-F]+;|[A-Za-z][A-Za-z0-9]*;)")
INNER_SPACE = re.compile(r"\S\s+\S")
CHINESE = r"\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
JAPANESE = r"\u3040-\u309f"  # Hiragana; words in Katakana are long by themselves
SPACELESS = r"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Burmese, Khmer
LETTER = f"[{CHINESE}{JAPANESE}]"
RUN_ON = re.compile(f"(?:{LETTER}.*){{8}}|{LETTER}[，。、！？；：]+{LETTER}|[{SPACELESS}]{{20}}", re.DOTALL)
WITHOUT_SPACES = re.compile(f"[{CHINESE}{JAPANESE}{SPACELESS}\u30a0-\u30ff\uac00-\ud7af]")
MARKS = {'"': "“”„‟«»", "'": "‘’‚‛", "-": "‐‑‒–—−"}
TYPOGRAPHIC = str.maketrans({mark: plain for plain, marks in MARKS.items() for mark in marks})


def without_punctuation(token: str) -> str:
    """Give a token without its punctuation, or, where it is nothing else, with quotes and dashes as ASCII has them.

    Examples
    --------
    >>> [without_punctuation(token) for token in ["«word,", "1.200", "“", "."]]
    ['word', '1200', '"', '.']
    """
    kept = "".join(letter for letter in token if unicodedata.category(letter)[0] != "P")
    return kept or token.translate(TYPOGRAPHIC)


class Vocabulary:
    """What is odd about each distinct token; looked at once, however often the token comes."""

    def __init__(self) -> None:
        self.known: set[str] = set()
        self.ampersand: set[str] = set()
        self.spaced: set[str] = set()
        self.run_on: set[str] = set()
        # By token, where it is another: the forms in which it would be the same as others.
        self.normal: dict[str, str] = {}
        self.lower: dict[str, str] = {}
        self.bare: dict[str, str] = {}

    def learn(self, tokens: set[str]) -> None:
        """Look at the tokens that are new."""
        for token in tokens.difference(self.known):
            lower = token.casefold()
            if lower != token:
                self.lower[token] = lower
            if not token.isalnum():
                self.look_at_marks(token)
            if not token.isascii():
                normal = unicodedata.normalize("NFKC", token)
                if normal != token:
                    self.normal[token] = normal
                if RUN_ON.search(token):
                    self.run_on.add(token)
        self.known |= tokens

    def look_at_marks(self, token: str) -> None:
        """Look at a token that is not all letters and digits."""
        bare = without_punctuation(token)
        if bare != token:
            self.bare[token] = bare
        if "&" in token:
            self.ampersand.add(token)
        if INNER_SPACE.search(token):
            self.spaced.add(token)


def only_by(own: set[str], other: set[str], form: Mapping[str, str]) -> set[str]:
    """Give the tokens of `own` that are the same as one of `other` in another form, but not as they are."""
    if form.keys().isdisjoint(own) and form.keys().isdisjoint(other):  # the other way round would walk the forms
        return set()
    formed = {form.get(token, token) for token in other}
    return {token for token in own if form.get(token, token) in formed}


# ---- Rows ----


class Row(NamedTuple):
    """The token lists of a row that an engine could read."""

    position: int
    hypothesis: Tokens
    references: Sequence[Tokens]
    in_references: set[str]  # the distinct tokens of all references
    source: str  # without white space; empty where there is none


def reference_lists(cells: Sequence[Any], nested: Sequence[bool]) -> tuple[list[Tokens], bool]:
    """Give the references of such a row, and whether some are missing."""
    if len(cells) == 1 and type(cells[0]) is list and set(map(type, cells[0])) == {list}:
        return cells[0], False
    references: list[Tokens] = []
    gaps = False
    for cell, is_nested in zip(cells, nested, strict=True):
        items = plain(cell) if is_nested and not missing_one(cell) else [cell]
        there = [plain(item) for item in items if not missing_one(item)]
        gaps = gaps or len(there) < len(items)
        references += there
    return references, gaps


def missing_one(cell: Any) -> bool:
    """Tell whether a cell or one of its items is missing."""
    return type(cell) is not list and is_missing(cell)


def plain(cell: Any) -> list[Any]:
    """Give a list, tuple or array as a list."""
    return cell if type(cell) is list else list(as_list(cell) or ())


class RowChecks:
    """The checks of rows that can be read: `look` at run after run of rows, then read what they found."""

    def __init__(self, n_rows: int) -> None:
        self.vocabulary = Vocabulary()
        self.found: dict[str, list[int]] = {check.name: [] for check in CHECKS}
        self.hashes = np.zeros(n_rows, np.int64)  # of the hypothesis
        self.by_case = np.zeros(n_rows, np.int64)  # tokens that differ only by it
        self.by_punctuation = np.zeros(n_rows, np.int64)

    def look(self, rows: Sequence[Row]) -> None:
        """Look at some rows."""
        tokens = set[str]().union(*(row.hypothesis for row in rows), *(row.in_references for row in rows))
        self.vocabulary.learn(tokens)
        odd = {
            "white space in tokens": tokens & self.vocabulary.spaced,
            "text of a script without spaces as one token": tokens & self.vocabulary.run_on,
            "unescaped entities": tokens & self.vocabulary.ampersand,
        }
        odd = {name: some for name, some in odd.items() if some}
        for row in rows:
            self.hashes[row.position] = hash(tuple(row.hypothesis))
            for name, some in odd.items():
                if has_odd(some, (row.hypothesis, *row.references), name == "unescaped entities"):
                    self.found[name].append(row.position)
            self.look_at_lists(row)
            self.look_at_differences(row)

    def look_at_lists(self, row: Row) -> None:
        """Look at the lists of one row as wholes."""
        if [] in row.references:
            self.found["empty reference"].append(row.position)
        if is_spelled(row.hypothesis) or any(map(is_spelled, row.references)):
            self.found["single characters as tokens"].append(row.position)
        if is_transposed(row.hypothesis, row.references):
            self.found["references transposed"].append(row.position)
        if len(row.hypothesis) < LEAST_TOKENS:
            return
        if row.hypothesis in row.references:
            self.found["hypothesis equals a reference"].append(row.position)
        elif row.source and row.source == unescaped("".join(row.hypothesis)):
            self.found["hypothesis equals the source"].append(row.position)

    def look_at_differences(self, row: Row) -> None:
        """Look at the tokens of one row that did not match."""
        own = set(row.hypothesis).difference(row.in_references)
        if not own:
            return
        other = row.in_references.difference(row.hypothesis)
        by_form = only_by(own, other, self.vocabulary.normal)
        own -= by_form
        by_case = only_by(own, other, self.vocabulary.lower)
        own -= by_case
        by_punctuation = only_by(own, other, self.vocabulary.bare)
        if by_form:
            self.found["tokens differ only by Unicode form"].append(row.position)
        self.by_case[row.position] = len(by_case)
        self.by_punctuation[row.position] = len(by_punctuation)


def has_odd(odd: set[str], lists: Iterable[Tokens], entities: bool) -> bool:
    """Tell whether a list has an odd token; an ampersand is one where an entity begins, be it in pieces or not."""
    with_one = [tokens for tokens in lists if not odd.isdisjoint(tokens)]
    return any(has_entity("".join(tokens)) for tokens in with_one) if entities else bool(with_one)


def has_entity(text: str) -> bool:
    """Tell whether a text holds a character reference of HTML.

    Examples
    --------
    >>> [has_entity(text) for text in ["Tom&amp;Jerry", "don&#39;t", "R&D;", "AT&T"]]
    [True, True, False, False]
    """
    return any(name[0] == "#" or name in html.entities.html5 for name in ENTITY.findall(text))


def unescaped(text: str) -> str:
    """Give a text without character references: tokenizers resolve some."""
    return html.unescape(text) if "&" in text else text


def is_spelled(tokens: Tokens) -> bool:
    """Tell whether tokens are all single characters, of a script whose words are longer."""
    if len(tokens) < LEAST_TOKENS or len(tokens[0]) > 1 or len(tokens[-1]) > 1 or any(map(is_long, tokens)):
        return False
    letters = "".join(token for token in tokens if token.isalpha())
    return len(letters) >= LEAST_TOKENS - 1 and not WITHOUT_SPACES.search(letters)


def is_long(token: str) -> bool:
    """Tell whether a token is more than one character."""
    return len(token) > 1


def is_transposed(hypothesis: Tokens, references: Sequence[Tokens]) -> bool:
    """Tell whether the first tokens of all references look like one reference, the second ones like another."""
    if len(references) < 4 or len(hypothesis) < LEAST_TOKENS or len(set(map(len, references))) > 1:
        return False
    length = len(references[0])
    if length == 1:
        return True
    if not 1 < length <= len(references) / 2:
        return False
    pairs = set(itertools.pairwise(hypothesis))
    return shared_pairs(pairs, zip(*references, strict=True)) > shared_pairs(pairs, references)


def shared_pairs(pairs: set[tuple[str, str]], lists: Iterable[Sequence[str]]) -> int:
    """Count the pairs of neighbouring tokens that stand in some list too."""
    return len(pairs.intersection(pair for tokens in lists for pair in itertools.pairwise(tokens)))
