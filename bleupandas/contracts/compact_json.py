"""The form in which outputs are measured and sent: JSON without spaces and without needless escapes."""

import json


def compact_json(value: object) -> str:
    """Return a value as compact JSON text.

    Examples
    --------
    >>> print(compact_json({"ngram": ["né"], "count": 1}))
    {"ngram":["né"],"count":1}
    """
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def count_json_bytes(value: object) -> int:
    """Return the size of a value as compact JSON in UTF-8."""
    return len(compact_json(value).encode())
