"""audit(): what is wrong with the input, before anyone believes a score."""

from collections.abc import Hashable
from typing import Any, Never

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bleupandas.auditing.alignment import (
    LEAST_ROWS,
    ORDERS,
    PAIRS,
    members,
    neighbours,
    objects,
    shift_references,
    transposed,
)
from bleupandas.auditing.checks import (
    CHECKS,
    EXPLAINS_LENGTH,
    LEAST_TOKENS,
    LENGTH_DIFFERENCE,
    LENGTH_FACTOR,
    MOST_EQUAL,
    SEVERITIES,
    SYSTEMATIC,
    Findings,
    Row,
    RowChecks,
    plain,
    reference_lists,
    unescaped,
)
from bleupandas.common import check_threads, is_missing, refuse_keywords
from bleupandas.counting import TEXT, count_rows
from bleupandas.engine import as_list
from bleupandas.reading import (
    TokenColumns,
    check_frame,
    factorize,
    find_column,
    first_white_space,
    is_saved_list,
    mapping,
    row_problem,
    row_values,
    text_advice,
    token_columns,
)

KEYWORDS = ("hypothesis", "references", "source", "system", "id", "threads")
WINDOW = 2048  # rows whose cells are Python objects at once
MOST_EXAMPLES = 5


def audit(
    df: pd.DataFrame,
    /,
    *,
    hypothesis: Hashable | list[Any] | None = None,
    references: Hashable | list[Any] | None = None,
    source: Hashable | None = None,
    system: Any = None,
    id: Any = None,
    threads: int | None = None,
    **unknown: Never,
) -> pd.DataFrame:
    """Look at the input before anyone believes a score.

    Also a method: ``df.bleu.audit()``. Cells that other functions refuse are findings here. Every row is looked at;
    only "references transposed" is judged by up to 5,000 rows of a system.

    Parameters
    ----------
    df : DataFrame
        A row per segment, with token columns.
    hypothesis : label or list of labels, default "hypothesis"
        A list names the hypothesis columns of several systems.
    references, threads
        As in `components`.
    source : label, default "source" if there is such a column
        Texts or token lists that were translated.
    system : label, Series or array of a value per row, default "system" if there is such a column
        Which rows are of one system: those are looked at together, in their order.
    id : label, Series or array of a value per row, optional
        What pairs the rows of several systems; looked at only if given.

    Returns
    -------
    DataFrame
        A row per check that found something, the worst first:

        - check (text),
        - severity (ordered category: "info" < "warning" < "error"): an error makes scores wrong or impossible, a
          warning is worth a look, an info is good to know,
        - rows (int64) in which it was found, and their share (float64, 0..1) of all rows,
        - examples (object): a list of the index labels of the first rows, at most five,
        - what_to_do (text).

        The same columns without a row where nothing is found.

    Raises
    ------
    KeyError
        No such column.
    TypeError, ValueError
        An argument of a wrong kind or length.

    Notes
    -----
    ============================= =====================================================================================
    error                         missing hypothesis; no reference; text instead of tokens; unreadable cell; missing
                                  id; id stands twice (in a system)
    references shifted            runs of 5 rows or more that match at least twice as many 2-grams of the next (or the
                                  previous) row's references as of their own, and 10 more
    references transposed         all rows, or those of a system, have as many references, and match at least twice as
                                  many 2-grams, and 5 more, when these are read by columns; or a row has 4 references or
                                  more of a token or two each, which by columns match better
    ----------------------------- -------------------------------------------------------------------------------------
    warning                       id without partner; white space in tokens; empty hypothesis; empty reference;
                                  unescaped entities (of HTML, be they tokens or cut in pieces)
    single characters as tokens   all tokens of a list are single characters, with 4 or more letters among them
    text of a script without      a token of 8 or more Chinese characters and Hiragana, of 20 or more Thai, Lao, Khmer
    spaces as one token           or Burmese letters, or with Chinese punctuation between
    length off by a factor        over 2 times, or under half, the length of the closest reference, by 5 tokens or more;
                                  rows in which another fault explains it are left out
    hypothesis equals the source  of 5 tokens or more; white space is not looked at; not where a reference is the same
    duplicate hypothesis          it stood in an earlier row of the system, with the same references, or has 5 tokens or
                                  more
    tokens differ only by Unicode an unmatched hypothesis token and an unmatched reference token are the same in form
    form                          NFKC
    ----------------------------- -------------------------------------------------------------------------------------
    info                          some references missing
    hypothesis equals a reference of 5 tokens or more; a warning over 10 % of a system's rows of such length
    tokens differ only by case;   as for Unicode form; a warning over 3 % of a system's hypothesis tokens
    ... by punctuation
    ============================= =====================================================================================

    Examples
    --------
    >>> import pandas as pd, bleupandas
    >>> df = pd.DataFrame({
    ...     "hypothesis": [["a", "dog"], "A cat sleeps .", None, ["Tom", "&amp;", "Ann"]],
    ...     "references": [[["a", "dog"]], [["A", "cat", "sleeps", "."]], [["a", "bird"]], [["Tom", "&", "Ann"]]],
    ... })
    >>> bleupandas.audit(df)[["check", "severity", "rows", "share", "examples"]]
                        check severity  rows  share examples
    0      missing hypothesis    error     1   0.25      [2]
    1  text instead of tokens    error     1   0.25      [1]
    2      unescaped entities  warning     1   0.25      [3]
    """
    refuse_keywords("audit", unknown, KEYWORDS)
    frame = check_frame(df, "audit")
    n_threads = check_threads(threads)
    labels = hypothesis if isinstance(hypothesis, list) else [hypothesis]
    if not labels:
        raise ValueError("hypothesis is an empty list; expected a column label or a list of column labels")
    columns = [token_columns(frame, label, references, "audit") for label in labels]
    systems = codes(frame, default_label(frame, "system") if system is None else system, "system")
    sources = source_texts(frame, default_label(frame, "source") if source is None else source)
    findings = Findings(len(frame))
    if id is not None:
        look_at_ids(findings, systems, codes(frame, id, "id"), wide=isinstance(hypothesis, list))
    for tokens in columns:
        look_at(findings, tokens, systems, sources, n_threads)
    return as_frame(findings, frame.index, columns)


# ---- Arguments ----


def default_label(df: pd.DataFrame, name: str) -> str | None:
    """Give a label if it stands for one column."""
    return name if df.columns.nlevels == 1 and int((df.columns == name).sum()) == 1 else None


def codes(df: pd.DataFrame, key: Any, what: str) -> NDArray[np.int64]:
    """Give the values of a key as numbers, -1 where missing, (n_rows,); all 0 without a key."""
    if key is None:
        return np.zeros(len(df), np.int64)
    return factorize(row_values(df, key, what, "audit"), what)[0]


def source_texts(df: pd.DataFrame, label: Hashable | None) -> NDArray[np.object_] | None:
    """Give the source without white space, empty where there is none, (n_rows,)."""
    if label is None:
        return None
    cells = find_column(df, label, "source").astype(object)
    return objects([text_of(cell) for cell in cells.tolist()])


def text_of(cell: object) -> str:
    """Give a text or token list as text without white space."""
    if isinstance(cell, str):
        return unescaped("".join(cell.split()))
    return unescaped("".join(item for item in as_list(cell) or () if isinstance(item, str)))


# ---- Looking ----


def look_at(
    findings: Findings,
    tokens: TokenColumns,
    systems: NDArray[np.int64],
    sources: NDArray[np.object_] | None,
    threads: int,
) -> None:
    """Look at one hypothesis column and its references."""
    values, missing, _ = count_rows(tokens, ORDERS, "coerce", threads)
    for position in np.flatnonzero(missing).tolist():
        look_at_unreadable(findings, tokens, position)
    checks = RowChecks(len(missing))
    for start in range(0, len(missing), WINDOW):
        checks.look(read_rows(findings, tokens, missing, sources, start))
    for name, found in checks.found.items():
        if found:
            findings.add(name, found)
    lengths = values[0]
    findings.add("empty hypothesis", (lengths == 0) & ~missing)
    findings.add("duplicate hypothesis", duplicates(checks.hashes, tokens, lengths, systems))
    look_at_alignment(findings, tokens, values[PAIRS], systems, threads)
    look_at_systems(findings, checks, lengths, systems)
    findings.add("length off by a factor", lengths_off(values) & ~explained(findings, systems))


def look_at_unreadable(findings: Findings, tokens: TokenColumns, position: int) -> None:
    """Find out what is wrong with a row that cannot be read."""
    hypothesis, *others = tokens.cells(position)
    names = []
    if is_missing(hypothesis):
        names.append("missing hypothesis")
    if holds_text(hypothesis, others, tokens.nested):
        names.append("text instead of tokens")
    elif not any(reference_items(cell, nested) for cell, nested in zip(others, tokens.nested, strict=True)):
        names.append("no reference")
    for name in names or ["unreadable cell"]:
        findings.add(name, [position])
    if not names:
        findings.told.setdefault("unreadable cell", row_problem(tokens, position).message())
    elif "text instead of tokens" in names:
        first = next((cell for cell in (hypothesis, *others) if isinstance(cell, str)), "")
        findings.told.setdefault("text instead of tokens", first)


def holds_text(hypothesis: object, others: list[Any], nested: list[bool]) -> bool:
    """Tell whether a text stands where a token list belongs."""
    if any(isinstance(cell, str) for cell in (hypothesis, *others)):
        return True
    for cell, is_nested in zip(others, nested, strict=True):
        if is_nested and any(isinstance(item, str) for item in as_list(cell) or ()):
            return True
        spaced = not is_nested and first_white_space(cell) is not None
        if spaced and first_white_space(hypothesis) is None:
            return True
    return False


def reference_items(cell: object, nested: bool) -> bool:
    """Tell whether there is anything where references belong, be it readable or not."""
    if is_missing(cell):
        return False
    items = as_list(cell)
    return not nested or items is None or any(not is_missing(item) for item in items)


def read_rows(
    findings: Findings,
    tokens: TokenColumns,
    missing: NDArray[np.bool_],
    sources: NDArray[np.object_] | None,
    start: int,
) -> list[Row]:
    """Read the rows of a window that can be read; those that lack some reference are findings."""
    cells = zip(*(form.pylist(start, start + WINDOW) for form in tokens.forms), strict=True)
    rows, gaps, nested = [], [], tokens.nested
    for position, (hypothesis, *others) in enumerate(cells, start):
        if missing[position]:
            continue
        references, has_gaps = reference_lists(others, nested)
        if has_gaps:
            gaps.append(position)
        source = "" if sources is None else sources[position]
        rows.append(Row(position, plain(hypothesis), references, set[str]().union(*references), source))
    if gaps:
        findings.add("some references missing", gaps)
    return rows


def duplicates(
    hashes: NDArray[np.int64], tokens: TokenColumns, lengths: NDArray[np.int64], systems: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Tell the rows whose hypothesis stood in an earlier row of the system, (n_rows,)."""
    keys = pd.DataFrame({"system": systems, "hypothesis": hashes})[lengths > 0]  # not counted, or empty
    again = keys.duplicated(keep=False)
    positions = keys.index[again.to_numpy()].tolist()
    seen: set[Hashable] = set()
    found = np.zeros(len(lengths), np.bool_)
    for position in positions:
        own, *references = map(tuple, tokens.lists(position))
        system = int(systems[position])
        whole, alone = (system, own, *references), (system, own)
        found[position] = whole in seen or (len(own) >= LEAST_TOKENS and alone in seen)
        seen.update((whole, alone))
    return found


def look_at_alignment(
    findings: Findings, tokens: TokenColumns, own: NDArray[np.int64], systems: NDArray[np.int64], threads: int
) -> None:
    """Look for references that belong to other rows."""
    for groups in (np.zeros_like(systems), systems)[: 2 if len(set(systems.tolist())) > 1 else 1]:
        positions = transposed(tokens, own, groups, threads)
        if len(positions):
            findings.add("references transposed", positions.tolist())
    elsewhere = findings.of("references transposed")  # there the neighbours' references are near as well
    for side, step in (("below", 1), ("above", -1)):
        positions = shift_references(tokens, own, systems, step, threads)
        positions = positions[~elsewhere[positions]]
        if len(positions):
            findings.add("references shifted", positions.tolist())
            findings.told.setdefault("references shifted", side)


def look_at_systems(
    findings: Findings, checks: RowChecks, lengths: NDArray[np.int64], systems: NDArray[np.int64]
) -> None:
    """Judge what is a matter of degree, system by system."""
    equal = findings.of("hypothesis equals a reference")
    for positions in members(systems):
        long = lengths[positions] >= LEAST_TOKENS
        equals = int((equal[positions] & long).sum())
        if equals >= LEAST_ROWS and equals > MOST_EQUAL * int(long.sum()):
            findings.raise_to("hypothesis equals a reference", "warning")
        for what, differing in (("case", checks.by_case), ("punctuation", checks.by_punctuation)):
            with_one = differing[positions] > 0
            if with_one.sum() >= LEAST_ROWS and differing[positions].sum() > SYSTEMATIC * lengths[positions].sum():
                findings.raise_to(f"tokens differ only by {what}", "warning")
    findings.add("tokens differ only by case", checks.by_case > 0)
    findings.add("tokens differ only by punctuation", checks.by_punctuation > 0)


def lengths_off(values: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Tell the rows in which hypothesis and closest reference differ in length by far, (n_rows,)."""
    shorter, longer = np.minimum(values[0], values[1]), np.maximum(values[0], values[1])
    off: NDArray[np.bool_] = (longer > LENGTH_FACTOR * shorter) & (longer - shorter >= LENGTH_DIFFERENCE)
    off &= shorter > 0
    return off


def explained(findings: Findings, systems: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Tell the rows in which something else explains a wrong length, (n_rows,)."""
    found = np.zeros(findings.n_rows, np.bool_)
    for name in EXPLAINS_LENGTH:
        found |= findings.of(name)
    shifted = findings.of("references shifted")  # where it begins and ends nothing tells of a row
    for step in (-1, 1):
        found |= shifted[neighbours(systems, step)]
    return found


def look_at_ids(findings: Findings, systems: NDArray[np.int64], ids: NDArray[np.int64], wide: bool) -> None:
    """Look whether ids pair the rows of all systems."""
    there = ids >= 0
    findings.add("missing id", ~there)
    keys = pd.DataFrame({"id": ids, "system": systems})[there]
    twice = np.zeros(len(ids), np.bool_)
    twice[there] = keys.duplicated("id" if wide else ["id", "system"])
    findings.add("id stands twice", twice)
    if not wide:
        partners = keys.groupby("id")["system"].nunique()
        alone = np.zeros(len(ids), np.bool_)
        alone[there] = keys["id"].map(partners).to_numpy() < keys["system"].nunique()
        findings.add("id without partner", alone)


# ---- The frame ----


def as_frame(findings: Findings, index: pd.Index, columns: list[TokenColumns]) -> pd.DataFrame:
    """Lay it out, the worst first."""
    every = dict.fromkeys(label for tokens in columns for label in tokens.labels)
    texts = dict.fromkeys(label for tokens in columns for label in tokens.texts())
    rows: list[tuple[Any, ...]] = []
    for check in CHECKS:
        positions = np.flatnonzero(findings.of(check.name))
        if len(positions):
            severity = findings.severity.get(check.name, check.severity)
            told = findings.told.get(check.name, "")
            labels = texts if texts and check.name == "text instead of tokens" else every
            advice = check.what_to_do.format(columns=mapping(list(labels)), first=told, side=told)
            if check.name == "text instead of tokens" and is_saved_list(told):
                advice = f"Here {text_advice(told, list(labels)).other}."
            examples = index[positions[:MOST_EXAMPLES]].tolist()
            rows.append((check.name, severity, len(positions), len(positions) / len(index), examples, advice))
    rows.sort(key=lambda row: (-SEVERITIES.index(row[1]), -row[2]))
    names, severities, numbers, shares, examples, advices = ([row[at] for row in rows] for at in range(6))
    data = {
        "check": pd.array(names, dtype=TEXT),
        "severity": pd.Categorical(severities, SEVERITIES, ordered=True),
        "rows": np.array(numbers, np.int64),
        "share": np.array(shares, np.float64),
        "examples": objects(examples),
        "what_to_do": pd.array(advices, dtype=TEXT),
    }
    return pd.DataFrame(data)
