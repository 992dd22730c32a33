"""The inspector on many rows, in seconds: what a person waits for, against the second in which a wait is noticed."""

from collections.abc import Callable
from typing import Any

import generated
from measuring import Group, Job

import bleupandas

ROWS = {"inspector-open", "inspector-step", "inspector-filter", "inspector-ngram"}


class Second(Job):
    """A side that always takes a second, so that the ratio is a time."""

    def run(self) -> None:
        """Take note of a second, without waiting for it."""
        self.wall.append(1.0)
        self.user.append(0.0)


def group(n_rows: int) -> Group:
    """Return the rows of the inspector, on one frame with components columns."""
    text = generated.Text()
    df = generated.frame(*text.segments(n_rows))
    df = df.join(bleupandas.components(df))
    common = [word for word, _ in zip(text.words, range(2), strict=False)]
    inspector: Any = bleupandas.inspect(df, components=True)
    inspector.sort_by = "score"
    jobs: dict[str, Job] = {
        "inspect(components=True)": Job(lambda: bleupandas.inspect(df, components=True).close(), 1, 1),
        "one step": Job(inspector.step, 1, 1),
        "another query": Job(again(inspector, "query", ["score < 0.2", "score < 0.3 and candidate_length > 20"]), 1, 1),
        "another n-gram": Job(again(inspector, "search", [common[0], " ".join(common)]), 1, 1),
        "a second": Second(lambda: None, 1, 1),
    }
    inspector.search_in = "missing"
    names = ("inspector-open", "inspector-step", "inspector-filter", "inspector-ngram")
    ratios = {(row, 0): [(job, "a second")] for row, job in zip(names, jobs, strict=False)}
    return Group(jobs, ratios)


def again(inspector: Any, trait: str, values: list[str]) -> Callable[[], None]:
    """Return a job that sets a trait to one value, then to the other, and so on."""

    def change() -> None:
        values.reverse()
        setattr(inspector, trait, values[0])

    return change
