"""bleu-sentence-components and bleu-ngrams-count: their inputs counted by the package's own engines."""

import itertools
import json
from collections.abc import Iterable, Sequence
from json.encoder import encode_basestring as as_json
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bleupandas.contracts.errors import ContractError
from bleupandas.contracts.limits import Strings, check_tokens, exceeded
from bleupandas.contracts.messages import amount
from bleupandas.engine import Block, Ngrams, get_engine

DEFAULT_ORDER = 4
COUNTS = ("count", "max_reference_count", "clipped_count")
POWERS = 10 ** np.arange(1, 19)

Limits = dict[str, int]
References = Sequence[Strings]


def sentence_components(input: dict[str, Any], limits: Limits) -> dict[str, Any]:
    """Answer bleu-sentence-components 1.0.0; `input` fits its schema.

    Examples
    --------
    >>> limits = {"max_total_tokens": 9, "max_token_bytes": 9, "max_total_token_bytes": 99, "max_output_bytes": 999}
    >>> sentence_components({"hypothesis": ["a", "b"], "references": [["a"]], "max_order": 2}, limits)
    {'candidate_length': 2, 'reference_length': 1, 'max_order': 2, 'matches': [1, 0], 'totals': [2, 1]}
    """
    hypothesis, references = input["hypothesis"], input["references"]
    order = int(input.get("max_order", DEFAULT_ORDER))

    def places() -> Iterable[tuple[tuple[str | int, ...], Strings]]:
        yield ("hypothesis",), hypothesis
        yield from ((("references", i), tokens) for i, tokens in enumerate(references))

    check_tokens([*hypothesis, *itertools.chain.from_iterable(references)], places, limits, input)
    block = counted([hypothesis], [references], limits)
    values = components(block, order, 1)
    c, r, *counts = values[:, 0].tolist()
    output = {"candidate_length": c, "reference_length": r, "max_order": order}
    output |= {"matches": counts[:order], "totals": counts[order:]}
    if input.get("include_ngrams", False):
        table = NgramRows(block, [hypothesis], order, numbered=False)
        size = table.output_bytes(output)
        if size > limits["max_output_bytes"]:
            do = "leave include_ngrams out, or lower max_order"
            raise too_large(size, limits, 'with "include_ngrams": true', do, "include_ngrams")
        output["ngrams"] = table.rows()
    return output


def ngrams_count(input: dict[str, Any], limits: Limits) -> dict[str, Any]:
    """Answer bleu-ngrams-count 1.0.0; `input` fits its schema.

    Examples
    --------
    >>> limits = {"max_total_tokens": 9, "max_token_bytes": 9, "max_total_token_bytes": 99, "max_output_bytes": 999}
    >>> ngrams_count({"hypotheses": [["a", "b"], []], "references": [[["a"]], [["b"]]], "max_order": 2}, limits)
    {'max_order': 2, 'matches': [1, 0], 'totals': [2, 1]}
    """
    hypotheses, references = input["hypotheses"], input["references"]
    if len(hypotheses) != len(references):
        raise ContractError(
            "invalid_input",
            f"/references: {amount(len(references), 'item')}, and hypotheses has {len(hypotheses)}; "
            "expected as many: give the references of every segment",
            "/references",
        )
    order = int(input.get("max_order", DEFAULT_ORDER))
    detail = input.get("detail", "totals")

    def places() -> Iterable[tuple[tuple[str | int, ...], Strings]]:
        yield from ((("hypotheses", i), tokens) for i, tokens in enumerate(hypotheses))
        for i, lists in enumerate(references):
            yield from ((("references", i, j), tokens) for j, tokens in enumerate(lists))

    lists = itertools.chain(hypotheses, itertools.chain.from_iterable(references))
    check_tokens(list(itertools.chain.from_iterable(lists)), places, limits, input)
    block = counted(hypotheses, references, limits)
    values = components(block, order, len(hypotheses))[2:]
    sums = values.sum(axis=1).tolist()
    output: dict[str, Any] = {"max_order": order, "matches": sums[:order], "totals": sums[order:]}
    if detail == "totals":
        return output
    # 1,000 rows of at most 16 small numbers: never near the limit of the output
    output["segments"] = [
        {"segment": i, "matches": counts[:order], "totals": counts[order:]}
        for i, counts in enumerate(values.T.tolist())
    ]
    if detail == "ngrams":
        table = NgramRows(block, hypotheses, order, numbered=True)
        size = table.output_bytes(output)
        if size > limits["max_output_bytes"]:
            do = 'ask for "detail": "segments", or send fewer segments at once'
            raise too_large(size, limits, 'with "detail": "ngrams"', do, "detail")
        output["ngrams"] = table.rows()
    return output


def too_large(size: int, limits: Limits, because: str, do: str, name: str) -> ContractError:
    """Word an output that is over the limit."""
    came = f"the output would have {size} bytes {because}"
    return exceeded("max_output_bytes", limits["max_output_bytes"], came, do, (name,))


def counted(hypotheses: Sequence[Strings], references: Sequence[References], limits: Limits) -> Block:
    """Read all segments as one block: the limit of tokens bounds it."""
    budget = 1 + limits["max_total_tokens"]
    return get_engine().read(list(hypotheses), [list(references)], [True], 0, len(hypotheses), budget)


def components(block: Block, max_order: int, n_rows: int) -> NDArray[np.int64]:
    """Count a block, (2 + 2 * max_order, n_rows)."""
    values = np.zeros((2 + 2 * max_order, n_rows), np.int64)
    if block.stop != n_rows or block.faults.any():
        raise RuntimeError("an input that was checked cannot be counted")
    block.components(max_order, values)
    return values


class NgramRows:
    """The rows of a block's n-grams, whose size is known before they are made.

    Parameters
    ----------
    block : Block
    hypotheses : sequence of token lists
        Those of the block.
    max_order : int
    numbered : bool
        Whether a row tells its segment.
    """

    def __init__(self, block: Block, hypotheses: Sequence[Strings], max_order: int, numbered: bool) -> None:
        self.found: Ngrams = block.ngrams(range(1, max_order + 1), None, False)
        self.hypotheses = [list(tokens) for tokens in hypotheses]  # they may be tuples
        self.numbered = numbered
        self.columns = [self.found.own, self.found.other, np.minimum(self.found.own, self.found.other)]

    def output_bytes(self, output: dict[str, Any]) -> int:
        """Give the size of `output` with these rows, as compact JSON in UTF-8."""
        n_rows = len(self.found.row)
        empty: dict[str, Any] = {"segment": 0} if self.numbered else {}
        empty |= {"order": 0, "ngram": []} | dict.fromkeys(COUNTS, 0)
        numbers = [*self.columns, self.found.row] if self.numbered else self.columns
        # orders have one digit, as the 0 in their place
        size = n_rows * (json_bytes(empty) - len(numbers)) + sum(int(digits(values).sum()) for values in numbers)
        size += int(self.ngram_bytes().sum()) + max(n_rows - 1, 0)
        return size + json_bytes(output | {"ngrams": []})

    def ngram_bytes(self) -> NDArray[np.int64]:
        """Give the size of each n-gram's tokens as JSON strings with commas between them, (n_ngrams,)."""
        tokens = [token for tokens in self.hypotheses for token in tokens]
        ends = np.zeros(len(tokens) + 1, np.int64)
        np.cumsum([len(as_json(token).encode()) for token in tokens], out=ends[1:])
        starts = np.cumsum([0, *map(len, self.hypotheses)])
        first = starts[self.found.row] + self.found.first
        sizes: NDArray[np.int64] = ends[first + self.found.order] - ends[first] + self.found.order - 1
        return sizes

    def rows(self) -> list[dict[str, Any]]:
        """Make the rows."""
        found, hypotheses = self.found, self.hypotheses
        facts = zip(*(a.tolist() for a in (found.row, found.order, found.first, *self.columns)), strict=True)
        # written out: a large answer has ten thousand of them
        if not self.numbered:
            return [
                {
                    "order": order,
                    "ngram": hypotheses[segment][first : first + order],
                    "count": count,
                    "max_reference_count": most,
                    "clipped_count": clipped,
                }
                for segment, order, first, count, most, clipped in facts
            ]
        return [
            {
                "segment": segment,
                "order": order,
                "ngram": hypotheses[segment][first : first + order],
                "count": count,
                "max_reference_count": most,
                "clipped_count": clipped,
            }
            for segment, order, first, count, most, clipped in facts
        ]


def digits(values: NDArray[Any]) -> NDArray[np.int64]:
    """Give how many digits numbers from 0 have.

    Examples
    --------
    >>> digits(np.array([0, 9, 10, 12345])).tolist()
    [1, 1, 2, 5]
    """
    return np.searchsorted(POWERS, values, side="right") + 1


def json_bytes(value: object) -> int:
    """Give the size of a value as compact JSON in UTF-8, without needless escapes."""
    return len(json_text(value).encode())


def json_text(value: object) -> str:
    """Give a value as compact JSON, without needless escapes: the form in which outputs are measured and sent."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
