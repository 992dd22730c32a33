"""bleu-ngrams-count: the counts of many segments."""

import itertools
from collections.abc import Iterable
from typing import Any

from bleupandas.common import DEFAULT_ORDER
from bleupandas.contracts.error_text import format_count
from bleupandas.contracts.errors import input_error
from bleupandas.contracts.limits import Limits, Path, Strings, check_output_size, check_token_limits
from bleupandas.contracts.ngram_output import NgramRows
from bleupandas.contracts.token_counts import count_components, read_block


def ngrams_count(input: dict[str, Any], limits: Limits) -> dict[str, Any]:
    """Return the output of bleu-ngrams-count 1.0.0 for an `input` that fits its schema.

    Examples
    --------
    >>> limits = {"max_total_tokens": 9, "max_token_bytes": 9, "max_total_token_bytes": 99, "max_output_bytes": 999}
    >>> ngrams_count({"hypotheses": [["a", "b"], []], "references": [[["a"]], [["b"]]], "max_order": 2}, limits)
    {'max_order': 2, 'matches': [1, 0], 'totals': [2, 1]}
    """
    hypotheses, references = input["hypotheses"], input["references"]
    if len(hypotheses) != len(references):
        came = f"{format_count(len(references), 'item')}, and hypotheses has {len(hypotheses)}"
        raise input_error(("references",), f"{came}; expected as many: give the references of every segment")
    order = int(input.get("max_order", DEFAULT_ORDER))
    detail = input.get("detail", "totals")

    def token_lists() -> Iterable[tuple[Path, Strings]]:
        yield from ((("hypotheses", i), tokens) for i, tokens in enumerate(hypotheses))
        for i, lists in enumerate(references):
            yield from ((("references", i, j), tokens) for j, tokens in enumerate(lists))

    lists = itertools.chain(hypotheses, itertools.chain.from_iterable(references))
    check_token_limits(list(itertools.chain.from_iterable(lists)), token_lists, limits, input)
    block = read_block(hypotheses, references, limits)
    values = count_components(block, order, len(hypotheses))[2:]
    sums = values.sum(axis=1).tolist()
    output: dict[str, Any] = {"max_order": order, "matches": sums[:order], "totals": sums[order:]}
    if detail == "totals":
        return output
    # 1,000 rows of at most 16 small numbers never come near the limit of the output.
    output["segments"] = [
        {"segment": i, "matches": counts[:order], "totals": counts[order:]}
        for i, counts in enumerate(values.T.tolist())
    ]
    if detail == "ngrams":
        rows = NgramRows(block, hypotheses, order, with_segment=True)
        advice = 'ask for "detail": "segments", or send fewer segments at once'
        check_output_size(rows.count_output_bytes(output), limits, 'with "detail": "ngrams"', advice, "detail")
        output["ngrams"] = rows.to_list()
    return output
