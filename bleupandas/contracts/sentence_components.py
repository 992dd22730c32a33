"""bleu-sentence-components: the counts of one sentence."""

import itertools
from collections.abc import Iterable
from typing import Any

from bleupandas.common import DEFAULT_ORDER
from bleupandas.contracts.limits import Limits, Path, Strings, check_output_size, check_token_limits
from bleupandas.contracts.ngram_output import NgramRows
from bleupandas.contracts.token_counts import count_components, read_block


def sentence_components(input: dict[str, Any], limits: Limits) -> dict[str, Any]:
    """Return the output of bleu-sentence-components 1.0.0 for an `input` that fits its schema.

    Examples
    --------
    >>> limits = {"max_total_tokens": 9, "max_token_bytes": 9, "max_total_token_bytes": 99, "max_output_bytes": 999}
    >>> sentence_components({"hypothesis": ["a", "b"], "references": [["a"]], "max_order": 2}, limits)
    {'candidate_length': 2, 'reference_length': 1, 'max_order': 2, 'matches': [1, 0], 'totals': [2, 1]}
    """
    hypothesis, references = input["hypothesis"], input["references"]
    order = int(input.get("max_order", DEFAULT_ORDER))

    def token_lists() -> Iterable[tuple[Path, Strings]]:
        yield ("hypothesis",), hypothesis
        yield from ((("references", i), tokens) for i, tokens in enumerate(references))

    check_token_limits([*hypothesis, *itertools.chain.from_iterable(references)], token_lists, limits, input)
    block = read_block([hypothesis], [references], limits)
    values = count_components(block, order, 1)
    c, r, *counts = values[:, 0].tolist()
    output = {"candidate_length": c, "reference_length": r, "max_order": order}
    output |= {"matches": counts[:order], "totals": counts[order:]}
    if input.get("include_ngrams", False):
        rows = NgramRows(block, [hypothesis], order, with_segment=False)
        advice = "leave include_ngrams out, or lower max_order"
        size = rows.count_output_bytes(output)
        check_output_size(size, limits, 'with "include_ngrams": true', advice, "include_ngrams")
        output["ngrams"] = rows.to_list()
    return output
