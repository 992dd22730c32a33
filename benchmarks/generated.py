"""Generated text: words as frequent as in a language, noisy copies as references, tokens as tokenizers give them."""

import contextlib
import gc
import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

SEED = 20020707
WORDS = 50_000
MEAN_TOKENS = 25
CHUNK_TOKENS = 1 << 20

Tokens = list[str]
Ids = NDArray[np.int64]

LETTERS = "etaoinshrdlucmfwypvbgkqjxz"
OTHER_LETTERS = "éüñøčłßőжщяθ中語한"


class Text:
    """Segments of one language; the same seed gives the same text."""

    def __init__(self, seed: int = SEED) -> None:
        self.random = np.random.default_rng(seed)
        self.words = vocabulary(self.random)
        shares = 1 / (np.arange(WORDS) + 2.7)  # Zipf's law with Mandelbrot's correction
        self.cumulated = np.cumsum(shares / shares.sum())

    def drawn(self, n: int) -> Ids:
        """Draw n words, as numbers."""
        return np.searchsorted(self.cumulated[:-1], self.random.random(n))

    def lengths(self, n_rows: int) -> Ids:
        """Draw lengths of sentences: skewed, at least one token."""
        return np.maximum(self.random.gamma(2.5, MEAN_TOKENS / 2.5, n_rows).round(), 1).astype(np.int64)

    def noisy(self, ids: Ids, lengths: Ids) -> tuple[Ids, Ids]:
        """Copy segments with 10 to 50 % of the tokens replaced, left out or followed by another."""
        n_rows = len(lengths)
        row = np.repeat(np.arange(n_rows), lengths)
        chance = self.random.random(len(ids)) / self.random.uniform(0.1, 0.5, n_rows)[row]
        copies = np.ones(len(ids), np.int64)
        copies[(chance >= 0.7) & (chance < 0.85)] = 0
        copies[(chance >= 0.85) & (chance < 1)] = 2
        new = np.repeat(chance < 0.7, copies)
        copied = np.repeat(ids, copies)
        ends = np.cumsum(copies)
        new[ends[copies == 2] - 1] = True
        copied[new] = self.drawn(int(new.sum()))
        return copied, np.bincount(row, copies, n_rows).astype(np.int64)

    def token_lists(self, ids: Ids, lengths: Ids) -> list[Tokens]:
        """Return token lists; every token is a separate str, as after splitting text."""
        words = self.words[ids].tolist()
        ends = np.cumsum(lengths).tolist()
        return [" ".join(words[end - n : end]).split() for end, n in zip(ends, lengths.tolist(), strict=True)]

    def chunks(
        self, n_rows: int, n_references: int, n_tokens: int | None
    ) -> Iterator[tuple[list[Tokens], list[list[Tokens]]]]:
        """Yield hypotheses and reference lists in parts, so that little memory is needed besides them."""
        step = max(CHUNK_TOKENS // (n_tokens or MEAN_TOKENS), 1)
        for start in range(0, n_rows, step):
            rows = min(step, n_rows - start)
            lengths = self.lengths(rows) if n_tokens is None else np.full(rows, n_tokens)
            ids = self.drawn(int(lengths.sum()))
            hypotheses = self.token_lists(ids, lengths)
            columns = [self.token_lists(*self.noisy(ids, lengths)) for _ in range(n_references)]
            yield hypotheses, [list(references) for references in zip(*columns, strict=True)]

    def segments(
        self, n_rows: int, n_references: int = 1, n_tokens: int | None = None
    ) -> tuple[list[Tokens], list[list[Tokens]]]:
        """Return n_rows hypotheses and their references, of a mean of 25 tokens or exactly of n_tokens."""
        hypotheses: list[Tokens] = []
        references: list[list[Tokens]] = []
        with without_collections():
            for part, others in self.chunks(n_rows, n_references, n_tokens):
                hypotheses += part
                references += others
        return hypotheses, references

    def arrow_frame(self, n_rows: int, n_tokens: int | None = None) -> pd.DataFrame:
        """Return a frame of Arrow columns, one reference a row, without ever holding all tokens as objects."""
        frames = [arrow(frame(*part)) for part in self.chunks(n_rows, 1, n_tokens)]
        return pd.concat(frames, ignore_index=True)


@contextlib.contextmanager
def without_collections() -> Iterator[None]:
    """Keep the garbage collector from walking all the lists again and again while they are made."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def vocabulary(random: np.random.Generator) -> NDArray[np.object_]:
    """Make words, short ones first; about one in twenty has a letter outside of ASCII."""
    drawn = 2 * WORDS  # some are drawn twice
    lengths = np.maximum(random.poisson(1.2 + 0.62 * np.log1p(np.arange(drawn) / 2)), 1)
    shares = 1 / (np.arange(len(LETTERS)) + 3)
    letters = random.choice(list(LETTERS), lengths.sum(), p=shares / shares.sum())
    ends = np.cumsum(lengths)
    foreign = random.random(drawn) < 0.05
    letters[ends[foreign] - 1] = random.choice(list(OTHER_LETTERS), int(foreign.sum()))
    text = "".join(letters.tolist())
    words = (text[end - n : end] for end, n in zip(ends.tolist(), lengths.tolist(), strict=True))
    return np.array(list(dict.fromkeys(itertools.chain(".,", words)))[:WORDS], object)


def frame(hypotheses: list[Any], references: list[Any]) -> pd.DataFrame:
    """Make a frame of Python cells."""
    columns = {"hypothesis": hypotheses, "references": references}
    return pd.DataFrame({name: pd.Series(cells, dtype=object) for name, cells in columns.items()})


def arrow(df: pd.DataFrame) -> pd.DataFrame:
    """Make Arrow columns of Python cells: list<string>, and list<list<string>> for references."""
    tokens = pa.list_(pa.string())
    return pd.DataFrame(
        {
            "hypothesis": pd.Series(df["hypothesis"], dtype=pd.ArrowDtype(tokens)),
            "references": pd.Series(df["references"], dtype=pd.ArrowDtype(pa.list_(tokens))),
        }
    )


# ---- Tokens that a fixed hash function confuses ----


def hostile(n: int) -> dict[str, list[str]]:
    """Return n distinct tokens of each kind.

    A table of twice as many slots is addressed by some bits of a hash; tokens are chosen that agree in more of the
    lowest bits than such a table of 20,000 tokens has (16).
    """
    return {"FNV-1a": fnv_tokens(n), "polynomial": thue_morse_tokens(n), "prefix": middle_tokens(n)}


def fnv_tokens(n: int, bits: int = 16) -> list[str]:
    """Return tokens whose 64-bit FNV-1a hashes end in the same bits: the last three characters are solved for."""
    prime, mask, target = 0x100000001B3, (1 << bits) - 1, 0
    inverse = pow(prime, -1, 1 << bits)
    alphabet = [ord(c) for c in "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"]
    suffixes = {target: ""}  # of the state before it
    for _ in range(3):
        suffixes = {
            (state * inverse & mask) ^ byte: chr(byte) + suffix
            for state, suffix in suffixes.items()
            for byte in alphabet
        }
    tokens: list[str] = []
    number = 0
    while len(tokens) < n:
        start = f"w{number:06d}"
        number += 1
        state = 0xCBF29CE484222325
        for byte in start.encode():
            state = (state ^ byte) * prime & mask
        if state in suffixes:
            tokens.append(start + suffixes[state])
    return tokens


def thue_morse_tokens(n: int) -> list[str]:
    """Return tokens that agree under any polynomial hash modulo a power of two with an odd base.

    The Thue-Morse word of length 2**k and its complement differ by (B - 1) (B**2 - 1) (B**4 - 1) ..., in which 2 is
    contained 19 times for k = 5; 2**64 would take k = 10, and tokens so long that nothing but reading them is measured.
    """
    blocks = ["".join("ab"[(i.bit_count() + flip) % 2] for i in range(32)) for flip in (0, 1)]
    return ["".join(blocks[i >> bit & 1] for bit in range(n.bit_length())) for i in range(n)]


def middle_tokens(n: int) -> list[str]:
    """Return tokens of one length that differ only between a long common beginning and end."""
    return [f"{'beginning' * 3}{i:06d}{'ending' * 4}" for i in range(n)]


def ordinary(tokens: list[str], random: np.random.Generator) -> list[str]:
    """Return distinct tokens of the same lengths, of random letters."""
    letters = random.integers(97, 123, sum(map(len, tokens)), dtype=np.uint8).tobytes().decode()
    ends = np.cumsum([len(token) for token in tokens]).tolist()
    return [letters[end - len(token) : end] for end, token in zip(ends, tokens, strict=True)]


def shuffled_documents(tokens: list[str], n_rows: int, random: np.random.Generator) -> pd.DataFrame:
    """Make documents of all the tokens, in another order, with a shuffled half of them as reference."""
    hypotheses, references = [], []
    for _ in range(n_rows):
        order = random.permutation(len(tokens))
        hypotheses.append(" ".join(tokens[i] for i in order).split())
        half = order[: len(order) // 2]
        references.append([" ".join(tokens[i] for i in np.r_[half, random.permutation(half)]).split()])
    return frame(hypotheses, references)
