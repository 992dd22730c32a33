"""audit(): check the input before you trust a score."""

from collections.abc import Hashable
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bleupandas.auditing.alignment import check_alignment
from bleupandas.auditing.characters import unescape
from bleupandas.auditing.duplicates import find_duplicates
from bleupandas.auditing.findings import Findings, findings_frame
from bleupandas.auditing.ids import check_ids
from bleupandas.auditing.lengths import check_lengths
from bleupandas.auditing.other_references import PAIR_ORDER, get_matched_pairs
from bleupandas.auditing.readable_checks import RowChecks
from bleupandas.auditing.readable_rows import read_windows
from bleupandas.auditing.system_rows import check_equal_references, check_variants
from bleupandas.auditing.unreadable_rows import check_unreadable_rows
from bleupandas.common import count_options, public
from bleupandas.counting import count_sums, object_array
from bleupandas.engine import as_list
from bleupandas.reading import TokenColumns, check_frame, factorize, find_column, row_values, token_columns


@public
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
) -> pd.DataFrame:
    """Check the input for problems before you trust a score.

    Also a method: ``df.bleu.audit()``. Cells for which other functions raise an error are reported here instead. Every
    row is checked, except that "references transposed" uses at most 5,000 rows of a system.

    Parameters
    ----------
    df : DataFrame
        A row per segment, with token columns.
    hypothesis : label or list of labels, default "hypothesis"
        The hypothesis column, or a list of the hypothesis columns of several systems.
    references, threads
        As in `components`.
    source : label, default "source" if there is such a column
        The texts or token lists that were translated.
    system : label, Series or array of a value per row, default "system" if there is such a column
        The system of each row. The rows of a system are checked together, in their order.
    id : label, Series or array of a value per row, optional
        The ids that pair the rows of several systems. Without it, ids are not checked.

    Returns
    -------
    DataFrame
        A row per check that found a problem, the most serious first:

        - check (text): its name,
        - severity (ordered category, "info" < "warning" < "error"): an error makes scores wrong or impossible, a
          warning needs a look, an info is good to know,
        - rows (int64): the number of rows with the problem; and share (float64, 0..1): their share of all rows,
        - examples (object): a list of the index labels of the first five of these rows,
        - what_to_do (text): advice.

        Without a problem the frame has these columns and no rows.

    Raises
    ------
    KeyError
        If a column does not exist.
    TypeError, ValueError
        If an argument has the wrong type or length.

    Notes
    -----
    ============================= =====================================================================================
    error                         missing hypothesis; no reference; text instead of tokens; unreadable cell; missing
                                  id; duplicate id (in a system)
    references shifted            runs of at least 5 rows that match at least twice as many 2-grams, and 10 more, of the
                                  references of the next (or the previous) row than of their own
    references transposed         the table of references, with the same number in each row of the frame or of a system,
                                  matches at least twice as many 2-grams, and 5 more, when it is read by columns; or a
                                  row has at least 4 references of a few tokens each, which match better by columns
    ----------------------------- -------------------------------------------------------------------------------------
    warning                       id without partner; white space in tokens; empty hypothesis; empty reference;
                                  unescaped entities (of HTML, whole or split into tokens)
    single characters as tokens   all tokens of a list are single characters, at least 4 of them letters
    text of a script without      a token with at least 8 Chinese characters or Hiragana, or 20 Thai, Lao, Khmer or
    spaces as one token           Burmese letters, or with Chinese punctuation between letters
    length off by a factor        more than twice, or less than half, the length of the closest reference, and at least
                                  5 tokens different; not in rows in which another problem explains it
    hypothesis equals the source  at least 5 tokens, white space aside; not if it also equals a reference
    duplicate hypothesis          occurs in an earlier row of the system, with the same references or with at least 5
                                  tokens
    tokens differ only by Unicode an unmatched hypothesis token and an unmatched reference token are equal in form NFKC
    form
    ----------------------------- -------------------------------------------------------------------------------------
    info                          some references missing
    hypothesis equals a reference at least 5 tokens; a warning above 10 % of the rows of a system with that length
    tokens differ only by case;   as for the Unicode form; a warning above 3 % of the hypothesis tokens of a system
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
    count = count_options(hypothesis=hypothesis, references=references, errors="coerce", threads=threads)
    frame = check_frame(df, "audit")
    labels = hypothesis if isinstance(hypothesis, list) else [hypothesis]
    if not labels:
        raise ValueError("hypothesis is an empty list; expected a column label or a list of column labels")
    columns = [token_columns(frame, label, count.references, "audit") for label in labels]
    systems = number_values(frame, find_default(frame, "system") if system is None else system, "system")
    sources = read_sources(frame, find_default(frame, "source") if source is None else source)
    findings = Findings(len(frame))
    if id is not None:
        check_ids(findings, number_values(frame, id, "id"), systems, wide=isinstance(hypothesis, list))
    for tokens in columns:
        check_columns(findings, tokens, systems, sources, count.threads)
    return findings_frame(findings, frame.index, columns)


def check_columns(
    findings: Findings,
    tokens: TokenColumns,
    systems: NDArray[np.int64],
    sources: NDArray[np.object_] | None,
    threads: int,
) -> None:
    """Check one hypothesis column and its references."""
    sums = count_sums(tokens, PAIR_ORDER, "coerce", threads)
    unreadable, lengths = sums.missing, sums.candidate_length
    check_unreadable_rows(findings, tokens, unreadable)
    checks = RowChecks(len(unreadable))
    for rows in read_windows(tokens, unreadable, sources):
        checks.check_rows(rows)
    checks.report(findings)
    findings.add("empty hypothesis", (lengths == 0) & ~unreadable)
    findings.add("duplicate hypothesis", find_duplicates(checks.hashes, tokens, lengths, systems))
    check_alignment(findings, tokens, get_matched_pairs(sums), systems, threads)
    check_equal_references(findings, lengths, systems)
    check_variants(findings, "case", checks.case_variants, lengths, systems)
    check_variants(findings, "punctuation", checks.punctuation_variants, lengths, systems)
    check_lengths(findings, sums, systems)


# ---- Arguments ----


def find_default(df: pd.DataFrame, name: str) -> str | None:
    """Return the name if exactly one column has it, else None."""
    return name if df.columns.nlevels == 1 and int((df.columns == name).sum()) == 1 else None


def number_values(df: pd.DataFrame, key: Any, keyword: str) -> NDArray[np.int64]:
    """Return a number for each distinct value of a key, -1 for missing ones, (n_rows,); all 0 without a key."""
    if key is None:
        return np.zeros(len(df), np.int64)
    return factorize(row_values(df, key, keyword, "audit"), keyword)[0]


def read_sources(df: pd.DataFrame, label: Hashable | None) -> NDArray[np.object_] | None:
    """Return the source of each row without white space, empty where there is none, (n_rows,)."""
    if label is None:
        return None
    cells = find_column(df, label, "source").astype(object)
    return object_array([join_source(cell) for cell in cells.tolist()])


def join_source(cell: object) -> str:
    """Return a text or token list as text without white space."""
    words = cell.split() if isinstance(cell, str) else as_list(cell) or ()
    return unescape("".join(word for word in words if isinstance(word, str)))
