"""Wall time and user CPU of jobs, in rounds, and the ratios between them."""

import gc
import os
import statistics
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rivals import UnavailableError

ROUNDS = 9


@dataclass
class Job:
    """One side of a ratio.

    Attributes
    ----------
    call : callable
        Without arguments; its result is freed after the clock has stopped.
    items : int
        Segments (or tokens) that a call works on.
    scaled_to : int
        For what number of items its times are shown; more than `items` where only a sample is measured.
    """

    call: Callable[[], Any]
    items: int
    scaled_to: int
    wall: list[float] = field(default_factory=list)
    user: list[float] = field(default_factory=list)

    @property
    def scale(self) -> float:
        """How often a call would have to be made for all items."""
        return self.scaled_to / self.items

    def run(self) -> None:
        """Measure one call."""
        gc.collect(0)
        user, start = user_seconds(), time.perf_counter()
        result = self.call()
        self.wall.append(time.perf_counter() - start)
        self.user.append(user_seconds() - user)
        del result


@dataclass
class Group:
    """Jobs on the same data.

    Attributes
    ----------
    jobs : dict
        By name.
    ratios : dict
        By (row, column): the jobs of the numerator and the denominator, in seconds per item; of several pairs the
        worst counts.
    checks : dict
        By row: raises AssertionError if the two sides do not give the same numbers.
    """

    jobs: dict[str, Job]
    ratios: dict[tuple[str, int], list[tuple[str, str]]]
    checks: Mapping[str, Callable[[], None]] = field(default_factory=dict)


@dataclass
class Outcome:
    """What was found for one row.

    Attributes
    ----------
    values, best : list of two float or None
        For one and for two threads: ratio of medians (or MB), ratio of minima.
    reason : str
        Why nothing was found, if so; `excused` says whether `--check` lets that pass.
    note : str
        Which pair was the worst, or a size that differs.
    """

    values: list[float | None] = field(default_factory=lambda: [None, None])
    best: list[float | None] = field(default_factory=lambda: [None, None])
    reason: str = ""
    excused: bool = False
    note: str = ""


def user_seconds() -> float:
    """Return the user CPU time of this process, all threads."""
    try:
        import resource
    except ImportError:  # Windows
        return os.times().user
    return resource.getrusage(resource.RUSAGE_SELF).ru_utime


def say(text: str) -> None:
    """Report progress."""
    print(text, file=sys.stderr, flush=True)


def measure(group: Group, rows: Sequence[str], rounds: int) -> tuple[dict[str, Outcome], dict[str, Job]]:
    """Run the jobs that the rows need: a warm-up, then rounds that begin with the next job each."""
    pairs = {key: pairs for key, pairs in group.ratios.items() if key[0] in rows}
    names = list(dict.fromkeys(name for pair in pairs.values() for two in pair for name in two))
    lacking: dict[str, UnavailableError] = {}
    for name in names:
        start = time.perf_counter()
        try:
            group.jobs[name].call()
        except UnavailableError as error:
            lacking[name] = error
        say(f"  warm-up {time.perf_counter() - start:7.2f} s  {name}")
    names = [name for name in names if name not in lacking]
    for row, check in group.checks.items():
        if row in rows and not any(name in lacking for two in pairs[row, 0] for name in two):
            check()
    gc.collect()
    gc.freeze()  # nobody's collections walk the input
    for i in range(rounds):
        start = time.perf_counter()
        at = i % max(len(names), 1)
        for name in names[at:] + names[:at]:
            group.jobs[name].run()
        say(f"  round {i + 1} of {rounds}: {time.perf_counter() - start:.1f} s")
    gc.unfreeze()
    outcomes: dict[str, Outcome] = {}
    for (row, column), two in pairs.items():
        outcome = outcomes.setdefault(row, Outcome())
        errors = [lacking[name] for pair in two for name in pair if name in lacking]
        if errors:
            outcome.reason, outcome.excused = str(errors[0]), errors[0].excused
            continue
        ratios = [(ratio(group, above, below, statistics.median), above, below) for above, below in two]
        value, above, below = max(ratios)
        outcome.values[column] = value
        outcome.best[column] = ratio(group, above, below, min)
        if len(two) > 1:
            outcome.note = f"the worst of {len(two)} kinds"
    return outcomes, {name: group.jobs[name] for name in names}


def ratio(group: Group, above: str, below: str, summary: Callable[[list[float]], float]) -> float:
    """Return the ratio of two jobs' seconds per item."""
    a, b = group.jobs[above], group.jobs[below]
    return (summary(a.wall) / a.items) / (summary(b.wall) / b.items)
