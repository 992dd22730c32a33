"""The example data with faults that audit() finds: frame, options, and what is found in which rows."""

import html
import itertools
import unicodedata
from collections.abc import Callable
from typing import Any

import frames
import naive
import numpy as np
import pandas as pd

import bleupandas

EXAMPLE: Any = bleupandas.load_example()
LONG = [i for i, tokens in enumerate(EXAMPLE["hypothesis"]) if len(tokens) >= 8]
FEW = LONG[3:90:20]  # five rows

Planted = tuple[pd.DataFrame, dict[str, Any], str, str, list[int]]  # no rows: those that tokens tell


def changed(name: str, rows: list[int], change: Callable[[Any], Any]) -> pd.DataFrame:
    """The example data with some cells of a column changed."""
    frame = bleupandas.load_example()
    cells = frame[name].tolist()
    for row in rows:
        cells[row] = change(cells[row])
    frame[name] = frames.cells(cells)
    return frame


def both(frame: pd.DataFrame, change: Callable[[str], str]) -> pd.DataFrame:
    """A frame with the texts of hypotheses changed, tokenized again."""
    texts = frame.assign(hypothesis_text=frame["hypothesis_text"].map(change))
    return bleupandas.tokenize(texts, {"hypothesis_text": "hypothesis"})


def missing_hypothesis() -> Planted:
    return changed("hypothesis", FEW, lambda _: None), {}, "missing hypothesis", "error", FEW


def no_reference() -> Planted:
    return changed("references", FEW, lambda _: []), {}, "no reference", "error", FEW


def empty_hypothesis() -> Planted:
    return changed("hypothesis", FEW, lambda _: []), {}, "empty hypothesis", "warning", FEW


def empty_reference() -> Planted:
    return changed("references", FEW, lambda cell: [*cell, []]), {}, "empty reference", "warning", FEW


def text_for_tokens() -> Planted:
    return changed("hypothesis", FEW, " ".join), {}, "text instead of tokens", "error", FEW


def texts_for_references() -> Planted:
    frame = changed("references", FEW, lambda cell: [" ".join(tokens) for tokens in cell])
    return frame, {}, "text instead of tokens", "error", FEW


def untokenized() -> Planted:
    frame = changed("hypothesis", FEW, lambda cell: [" ".join(cell)])
    return frame, {}, "white space in tokens", "warning", FEW


def characters() -> Planted:
    frame = changed("hypothesis", FEW, lambda cell: list(" ".join(cell)))
    return frame, {}, "single characters as tokens", "warning", FEW


def characters_of_references() -> Planted:
    frame = changed("references", FEW, lambda cell: [list("".join(tokens)) for tokens in cell])
    return frame, {}, "single characters as tokens", "warning", FEW


def cut() -> Planted:
    rows = [i for i in LONG if len(EXAMPLE["hypothesis"][i]) >= 16][:4]
    return changed("hypothesis", rows, lambda cell: cell[:4]), {}, "length off by a factor", "warning", rows


def repeating() -> Planted:
    return changed("hypothesis", FEW, lambda cell: cell * 4), {}, "length off by a factor", "warning", FEW


def untranslated() -> Planted:
    frame = changed("hypothesis", [], lambda cell: cell)
    sources = bleupandas.tokenize(frame["source"])
    frame["hypothesis"] = frames.cells(
        [sources[i] if i in FEW else tokens for i, tokens in enumerate(frame["hypothesis"])]
    )
    return frame, {}, "hypothesis equals the source", "warning", FEW


def leaked() -> Planted:
    rows = [i for i in range(0, 480, 4) if len(EXAMPLE["references"][i][0]) >= 5]
    frame = bleupandas.load_example()
    frame["hypothesis"] = frames.cells(
        [EXAMPLE["references"][i][0] if i in rows else tokens for i, tokens in enumerate(EXAMPLE["hypothesis"])]
    )
    told = [i for i in range(480) if len(frame["hypothesis"][i]) >= 5]
    return frame, {}, "hypothesis equals a reference", "warning", [
        i for i in told if frame["hypothesis"][i] in frame["references"][i]
    ]  # fmt: skip


def doubled() -> Planted:
    frame = pd.concat([EXAMPLE, EXAMPLE.iloc[FEW]], ignore_index=True)
    return frame, {}, "duplicate hypothesis", "warning", list(range(480, 480 + len(FEW)))


def stuck() -> Planted:
    rows = [i for i in LONG if len(EXAMPLE["references"][i][0]) in (7, 8)][:6]
    frame = changed("hypothesis", rows, lambda _: ["I", "do", "not", "know", "what", "to", "say", "."])
    systems = frame["system"][rows].tolist()
    again = [row for at, row in enumerate(rows) if systems[at] in systems[:at]]
    return frame, {}, "duplicate hypothesis", "warning", again


def shifted(by: int, stop: int = 200) -> Planted:
    """References of one system stand beside hypotheses of the row before or after, from the 40th row on."""
    frame = bleupandas.load_example()
    rows = np.flatnonzero(frame["system"] == "pivot")[40:stop].tolist()
    assert rows == list(range(rows[0], rows[-1] + 1, 2))
    cells = frame["references"].tolist()
    for row in rows[1:-1]:
        cells[row] = EXAMPLE["references"][row - 2 * by]
    frame["references"] = frames.cells(cells)

    def gain(row: int) -> int:
        return pairs_shared(row, cells[row + 2 * by]) - pairs_shared(row, cells[row])

    while gain(rows[0]) <= 0:  # nothing tells of such a row at an end
        rows.pop(0)
    while gain(rows[-1]) <= 0:
        rows.pop()
    return frame, {}, "references shifted", "error", rows


def pairs_shared(row: int, references: list[list[str]]) -> int:
    """2-grams of a hypothesis that match some references."""
    return naive.components(EXAMPLE["hypothesis"][row], references, 2)[2][1]


def shifted_down() -> Planted:
    return shifted(1)


def shifted_up() -> Planted:
    return shifted(-1)


def transposed_table() -> Planted:
    """Two references a row, written stream by stream and cut into rows of two."""
    frame = EXAMPLE[(EXAMPLE["references"].map(len) == 2) & (EXAMPLE["system"] == "direct")].reset_index(drop=True)
    streams = list(itertools.chain(*zip(*frame["references"], strict=True)))
    frame["references"] = frames.cells([streams[i : i + 2] for i in range(0, len(streams), 2)])
    return frame, {}, "references transposed", "error", list(range(len(frame)))


def transposed_square() -> Planted:
    """As many rows as references, each row holding one stream."""
    rows = EXAMPLE[(EXAMPLE["references"].map(len) == 4) & (EXAMPLE["system"] == "direct")].head(4)
    frame = rows.assign(references=frames.cells([list(s) for s in zip(*rows["references"], strict=True)], rows.index))
    return frame.reset_index(drop=True), {}, "references transposed", "error", [0, 1, 2, 3]


def transposed_rows() -> Planted:
    frame = changed("references", FEW, lambda cell: [[token] for token in cell[0]])
    return frame, {}, "references transposed", "error", FEW


def escaped() -> Planted:
    frame = changed("hypothesis", FEW, lambda cell: [*cell[:-1], html.escape('"'), cell[-1]])
    return frame, {}, "unescaped entities", "warning", FEW


def escaped_in_pieces() -> Planted:
    frame = both(EXAMPLE, lambda text: text.replace("'", "&#39;"))
    rows = [i for i, text in enumerate(EXAMPLE["hypothesis_text"]) if "'" in text]
    return frame, {}, "unescaped entities", "warning", rows


def decomposed() -> Planted:
    words = {"city": "cité", "the": "thé", "of": "öf"}

    def spelled(tokens: list[str], form: Any) -> list[str]:
        return [unicodedata.normalize(form, words.get(token, token)) for token in tokens]

    hypotheses = [spelled(tokens, "NFD") for tokens in EXAMPLE["hypothesis"]]
    references = [[spelled(tokens, "NFC") for tokens in cell] for cell in EXAMPLE["references"]]
    frame = EXAMPLE.assign(hypothesis=frames.cells(hypotheses), references=frames.cells(references))
    rows = [
        i
        for i, (h, refs) in enumerate(zip(EXAMPLE["hypothesis"], EXAMPLE["references"], strict=True))
        if any(word in h and any(word in tokens for tokens in refs) for word in words)
    ]
    return frame, {}, "tokens differ only by Unicode form", "warning", rows


def lowercased() -> Planted:
    rows = [i for i in range(480) if EXAMPLE["system"][i] == "direct"]
    frame = changed("hypothesis", rows, lambda cell: [token.lower() for token in cell])
    return frame, {}, "tokens differ only by case", "warning", []


def split_at_spaces() -> Planted:
    """The mark at the end of a sentence stays on its last word."""
    frame = EXAMPLE.assign(
        hypothesis=frames.cells(
            [
                [*tokens[:-2], tokens[-2] + tokens[-1]] if len(tokens) > 3 and tokens[-1] in ".?!" else tokens
                for tokens in EXAMPLE["hypothesis"]
            ]
        )
    )
    return frame, {}, "tokens differ only by punctuation", "warning", []


def chinese() -> Planted:
    frame = changed("hypothesis", FEW, lambda _: ["市议会昨天批准了明年的预算", "。"])
    cells = frame["references"].tolist()
    for row in FEW:
        cells[row] = [["市议会批准了明年的预算。"]]
    frame["references"] = frames.cells(cells)
    frame["hypothesis"] = frames.cells(
        [[*tokens, str(i)] if i in FEW else tokens for i, tokens in enumerate(frame["hypothesis"])]
    )
    return frame, {}, "text of a script without spaces as one token", "warning", FEW


def id_twice() -> Planted:
    frame = pd.concat([EXAMPLE, EXAMPLE.iloc[[7]]], ignore_index=True)
    frame.at[480, "hypothesis"] = [*frame.at[7, "hypothesis"], "again"]
    return frame, {"id": "id"}, "duplicate id", "error", [480]


def id_alone() -> Planted:
    frame = EXAMPLE.drop(index=[9, 20]).reset_index(drop=True)
    rows = [i for i in range(478) if frame.loc[i, "id"] in (EXAMPLE.loc[9, "id"], EXAMPLE.loc[20, "id"])]
    return frame, {"id": "id"}, "id without partner", "warning", rows


def id_missing() -> Planted:
    frame = EXAMPLE.assign(id=EXAMPLE["id"].astype("Int64"))
    frame.loc[[8, 9], "id"] = pd.NA
    assert EXAMPLE.loc[8, "id"] == EXAMPLE.loc[9, "id"]
    return frame, {"id": "id"}, "missing id", "error", [8, 9]


def unreadable() -> Planted:
    return changed("hypothesis", FEW, lambda _: 3.5), {}, "unreadable cell", "error", FEW


FAULTS: list[Callable[[], Planted]] = [
    missing_hypothesis, no_reference, empty_hypothesis, empty_reference, text_for_tokens, texts_for_references,
    untokenized, characters, characters_of_references, cut, repeating, untranslated, leaked, doubled, stuck,
    shifted_down, shifted_up, transposed_table, transposed_square, transposed_rows, escaped,
    escaped_in_pieces, decomposed, lowercased, split_at_spaces, chinese, id_twice, id_alone, id_missing, unreadable,
]  # fmt: skip
