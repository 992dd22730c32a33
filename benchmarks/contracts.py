"""The row of the published tools: full-size requests against reading their JSON.

python benchmarks/run.py --only request prints it alone.
"""

import functools
import json

import generated
from measuring import Group, Job

from bleupandas.contracts.errors import ContractError
from bleupandas.contracts.execute import execute_json

TOOL = "bleu-ngrams-count", "1.0.0"
SEGMENTS, TOKENS = 1_000, 50_000
REFUSED = "n-grams, over the limit of the output"
# References of every segment, and what is asked for: n-grams are as many as just go out, and more.
REQUESTS: dict[str, tuple[int, dict[str, object]]] = {
    "totals": (3, {"detail": "totals"}),
    "segments": (3, {"detail": "segments"}),
    "n-grams": (8, {"detail": "ngrams", "max_order": 2}),
    REFUSED: (3, {"detail": "ngrams", "max_order": 8}),
}


def body(n_references: int, asked: dict[str, object], divisor: int) -> bytes:
    """Return a body whose tokens add up to exactly the limit, or to a part of it."""
    n_segments, n_tokens = SEGMENTS // divisor, TOKENS // divisor
    length = n_tokens // n_segments // (1 + n_references) - 1  # references are of about that length
    hypotheses, references = generated.Text().segments(n_segments, n_references, length)
    used = sum(map(len, hypotheses)) + sum(len(tokens) for lists in references for tokens in lists)
    references[0][0] = references[0][0] + ["the"] * (n_tokens - used)
    request = {"hypotheses": hypotheses, "references": references, **asked}
    return json.dumps(request, ensure_ascii=False).encode()


def answered(asked: bytes) -> str:
    """Answer a request, as a server does."""
    try:
        return execute_json(*TOOL, asked)
    except ContractError as error:
        return json.dumps(error.body)


def group(divisor: int = 1) -> Group:
    """Return the row's jobs; with a divisor for that part of a full-size request."""
    jobs: dict[str, Job] = {}
    bodies = {name: body(*request, divisor) for name, request in REQUESTS.items()}
    for name, text in bodies.items():
        jobs[f"request, {name}"] = Job(functools.partial(answered, text), 1, 1)
        jobs[f"json.loads, {name}"] = Job(functools.partial(json.loads, text), 1, 1)
    pairs = [(f"request, {name}", f"json.loads, {name}") for name in bodies]
    return Group(jobs, {("request", 0): pairs}, {"request": functools.partial(check, bodies, divisor)})


def check(bodies: dict[str, bytes], divisor: int) -> None:
    """See that requests get the answers that they should."""
    for name, text in bodies.items():
        answer = answered(text)
        if ("error" in json.loads(answer)) != (name == REFUSED and divisor == 1):
            raise AssertionError(f"{name}: {answer[:200]}")
