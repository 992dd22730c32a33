"""What people read is plain English: no banned word, no docstring that begins oddly, no odd name.

The tables below are the rules. A docstring says what a function does, in the imperative. A name is a noun or a common
verb of the field.
"""

import ast
import io
import json
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "bleupandas"
pytestmark = pytest.mark.skipif(not (ROOT / "README.md").exists(), reason="tests of an installed package")

# Rooms and files that are still to be rewritten: none is left.
NOT_YET: set[str] = set()

# First word of a docstring -> what to write.
FIRST_WORDS = {
    "Give": "Return",
    "Gives": "Return",
    "Hold": "Keep",
    "Holds": "Keep",
    "Name": "Return the name of",
    "Names": "Return the names of",
    "Say": "Return, Print, Format",
    "Says": "Return, Print, Format",
    "Tell": "Return whether, Raise, Check",
    "Tells": "Return whether, Raise, Check",
    "Walk": "Yield, Visit",
}

# Pattern, in any case, whole words -> what to write.
WORDS = {
    "told": "reported, printed, passed",
    r"tells?(?! (?:\w+ ){0,2}apart\b)": "shows, says, returns",
    "untold": "unknown, not stated",
    "nought": "zero, 0",
    r"stands?(?! (?:for|out)\b)": "is, occurs",
    r"of (?:its|their|his|her|your|our) own(?=\W*$|[.,;:)]| (?:and|or|in|for|with|to|is|has|that)\b)": "separate, own",
    "what (?:there is|is there)": "the content, the values",
    "such as (?:it )?is": "name it",
    "(?:is|are) (?:in|none) of which": "split the sentence",
    "of which": "split the sentence",
    "as (?:it is|they are) (?:there|here)": "unchanged",
    "(?:implementations|they|libraries|scores) part": "differ",
    "where (?:the|a) score went": "why the score is what it is",
    "mends?|mended": "fix, correct",
    "reckon(?:s|ed)?": "estimate, compute",
    "by way of": "through, via",
    "but for": "except",
}

# Parts of a name, or patterns of a whole name -> what to write.
NAME_PARTS = {
    "told", "tells", "untold", "listed", "shown", "given", "counted", "scored", "named", "wanted", "written", "binding",
    "finding", "wording", "decoding", "untokenized", "nought",
}  # fmt: skip
NAME_PATTERNS = {
    r"checked_.+": "check_x raises or returns the value",
    r"drawn_.+": "draw_x, or a noun",
    r".+_of": "get_x, read_x, compute_x, format_x, find_x, or a noun",
}
# Names that others decide, or that are common in the field.
NAMES_ALLOWED: set[str] = set()

# Published contracts, whose texts stay the same byte for byte, and the texts of their answers in our code.
PUBLISHED = ("bleupandas/contracts/published/", "bleupandas/contracts/published_reasons.py")
PUBLISHED_TEXTS = {
    'Judged is what stands in "reference". ',
    " tells (",
    " stands twice in one object; give it once",
    " holds a lone surrogate, which is no character; mend the text",
}


class Fault(NamedTuple):
    """One place that breaks a rule."""

    path: str
    line: int
    text: str
    rule: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.rule}: {self.text}"


def is_done(path: str) -> bool:
    """Return whether a file is checked: its room is not in NOT_YET."""
    return not any(path == room or path.startswith(f"{room}/") for room in NOT_YET)


def files(pattern: str) -> list[str]:
    found = (path.relative_to(ROOT).as_posix() for path in ROOT.glob(pattern))
    return sorted(path for path in found if not path.startswith((".", "build/", *PUBLISHED)))


MODULES = [path for path in [*files("bleupandas/**/*.py"), *files("bleupandas/**/*.pyx")] if is_done(path)]
PAGES = [path for path in [*files("*.md"), *files("docs/*.md"), *files("notebooks/*.ipynb")] if is_done(path)]
SCRIPTS = [path for path in files("benchmarks/*.py") if is_done(path)]


def wrong_words(path: str, line: int, text: str) -> Iterator[Fault]:
    """Yield a fault for each banned word of a text."""
    joined = " ".join(text.split())
    for pattern, instead in WORDS.items():
        for match in re.finditer(rf"\b(?:{pattern})(?!\w)", joined, re.IGNORECASE):
            start = max(0, match.start() - 30)
            yield Fault(path, line, joined[start : match.end() + 30], f"{match[0]!r} -> {instead}")


def wrong_first_word(path: str, line: int, docstring: str) -> Iterator[Fault]:
    """Yield a fault if a docstring begins with a banned word."""
    first = re.match(r"\W*(\w+)", docstring)
    if first and first[1] in FIRST_WORDS:
        yield Fault(path, line, docstring.splitlines()[0], f"begins with {first[1]!r} -> {FIRST_WORDS[first[1]]}")


def wrong_name(path: str, line: int, name: str) -> Iterator[Fault]:
    """Yield a fault if a function, class, parameter or file has a banned name."""
    plain = name.strip("_").lower()
    if plain in NAMES_ALLOWED:
        return
    for part in sorted(NAME_PARTS.intersection(plain.split("_"))):
        yield Fault(path, line, name, f"{part!r} in a name")
    for pattern, instead in NAME_PATTERNS.items():
        if re.fullmatch(pattern, plain):
            yield Fault(path, line, name, f"name like {pattern} -> {instead}")


# ---- Python ----


def is_published(path: str, text: str) -> bool:
    """Return whether a string belongs to a published contract's answers, which must not change."""
    return path.startswith("bleupandas/contracts/") and text in PUBLISHED_TEXTS


def prose_of_code(path: str, source: str) -> Iterator[Fault]:
    """Yield the faults of docstrings, strings, comments and names of a Python file."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Module):
            docstring = ast.get_docstring(node)
            if docstring:
                yield from wrong_first_word(path, getattr(node, "lineno", 1), docstring)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield from wrong_name(path, node.lineno, node.name)
        elif isinstance(node, ast.arg):
            yield from wrong_name(path, node.lineno, node.arg)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and not is_published(path, node.value):
            yield from wrong_words(path, node.lineno, node.value)
    yield from wrong_comments(path, source)


def wrong_comments(path: str, source: str) -> Iterator[Fault]:
    """Yield the faults of comments, neighbouring lines joined."""
    lines: list[str] = []
    last = 0
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            if token.start[0] != last + 1:
                yield from wrong_words(path, last, " ".join(lines))
                lines = []
            lines.append(token.string.lstrip("#: "))
            last = token.start[0]
    yield from wrong_words(path, last, " ".join(lines))


def cython_prose(path: str, source: str) -> Iterator[Fault]:
    """Yield the faults of a Cython file, which Python cannot parse: docstrings, comments and names by patterns."""
    for match in re.finditer(r'"""(.*?)"""', source, re.DOTALL):
        line = source.count("\n", 0, match.start()) + 1
        yield from wrong_words(path, line, match[1])
        yield from wrong_first_word(path, line, match[1])
    for number, text in enumerate(source.splitlines(), 1):
        if comment := re.search(r"(?:^|\s)#(.*)", text):
            yield from wrong_words(path, number, comment[1])
        if name := re.match(r"\s*(?:cdef|cpdef|def|class)\b[^=(]*?(\w+)\s*\(", text):
            yield from wrong_name(path, number, name[1])


@pytest.mark.parametrize("path", MODULES)
def test_code_is_plain_english(path: str) -> None:
    source = (ROOT / path).read_text(encoding="utf-8")
    faults = list((cython_prose if path.endswith(".pyx") else prose_of_code)(path, source))
    faults += wrong_name(path, 1, Path(path).stem)
    assert not faults, "\n".join(map(str, faults))


@pytest.mark.parametrize("path", SCRIPTS)
def test_what_scripts_print_is_plain_english(path: str) -> None:
    faults = list(prose_of_code(path, (ROOT / path).read_text(encoding="utf-8")))
    assert not faults, "\n".join(map(str, faults))


# ---- Pages ----


def paragraphs(path: str) -> Iterator[tuple[int, str]]:
    """Yield line number and text of each paragraph of a page, without code; of a notebook, of its Markdown."""
    text = (ROOT / path).read_text(encoding="utf-8")
    if path.endswith(".ipynb"):
        cells = json.loads(text)["cells"]
        texts = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"]
        text = "\n\n".join(texts)
    text = re.sub(r"```.*?```", lambda block: "\n" * block[0].count("\n"), text, flags=re.DOTALL)
    line = 1
    for paragraph in text.split("\n\n"):
        yield line, re.sub(r"`[^`]*`", "`code`", paragraph)
        line += paragraph.count("\n") + 2


@pytest.mark.parametrize("path", PAGES)
def test_pages_are_plain_english(path: str) -> None:
    faults = [fault for line, text in paragraphs(path) for fault in wrong_words(path, line, text)]
    assert not faults, "\n".join(map(str, faults))


# ---- The rules themselves ----


def test_rooms_that_are_not_checked_yet_exist() -> None:
    assert not [path for path in NOT_YET if not (ROOT / path).exists()]


@pytest.mark.parametrize(
    "source",
    [
        'def f():\n    """Give the sum."""',
        'def f():\n    raise ValueError("the row is told")',
        "# It is\n# told here.",
        "def sum_of(): ...",
        "def f(checked_value): ...",
        "class Shown: ...",
        'def f():\n    """Return a list of its\n    own."""',
    ],
)
def test_a_planted_fault_is_found(source: str) -> None:
    assert len(list(prose_of_code("planted.py", source))) == 1


def test_a_published_text_is_a_fault_elsewhere() -> None:
    source = 'TEXT = " tells ("'
    assert list(prose_of_code("bleupandas/contracts/planted.py", source)) == []
    assert len(list(prose_of_code("bleupandas/reading/planted.py", source))) == 1


def test_plain_code_has_no_fault() -> None:
    source = (
        'def count_tokens(cell: object) -> int:\n    """Return the number of tokens."""\n    # An empty cell has 0.\n'
    )
    assert list(prose_of_code("plain.py", source)) == []
