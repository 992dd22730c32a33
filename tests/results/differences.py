"""Compare two stored trees, a line for each difference."""

from collections.abc import Iterator
from typing import Any

from frozen import Prose

MOST = 3  # lines of one list or of the values of one column


def short(tree: Any) -> str:
    text = str(tree)
    return text if len(text) <= 300 else text[:299] + "…"


def differences(old: Any, new: Any, path: str = "", *, prose: bool = False) -> Iterator[str]:
    """Yield a line for each difference of two trees."""
    if isinstance(old, Prose) and isinstance(new, Prose):
        if prose and old != new:
            yield f"{path}: {short(old)!r} -> {short(new)!r}"
    elif isinstance(old, dict) and isinstance(new, dict):
        for key in [*old, *(key for key in new if key not in old)]:
            inner = f"{path} / {key}"
            if key not in old:
                yield f"{inner}: new {short(new[key])!r}"
            elif key not in new:
                yield f"{inner}: gone {short(old[key])!r}"
            else:
                yield from differences(old[key], new[key], inner, prose=prose)
    elif isinstance(old, list) and isinstance(new, list):
        yield from in_lists(old, new, path, prose)
    elif type(old) is not type(new) or old != new:
        yield f"{path}: {short(old)!r} -> {short(new)!r}"


def in_lists(old: list[Any], new: list[Any], path: str, prose: bool) -> Iterator[str]:
    is_prose = all(isinstance(item, Prose) for item in (*old, *new))
    if len(old) != len(new):
        if prose or not is_prose:
            gone, come = ([x for x in a if x not in b][:5] for a, b in ((old, new), (new, old)))
            yield f"{path}: {len(old)} -> {len(new)} items; gone {short(gone)}, new {short(come)}"
        return
    lines = [
        line
        for i, (one, other) in enumerate(zip(old, new, strict=True))
        for line in differences(one, other, f"{path} [{i}]", prose=prose)
    ]
    yield from lines[:MOST]
    if len(lines) > MOST:
        yield f"{path}: and {len(lines) - MOST} more differences"
