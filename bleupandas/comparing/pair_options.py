"""Pair options: which systems are compared, and how their rows pair."""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, Literal

from bleupandas.common import check_choice


@dataclass(frozen=True, kw_only=True)
class PairOptions:
    """Which systems are compared, and how their rows pair; `pair_options` checks the values.

    Attributes
    ----------
    system, id : label, one value per row, or None
        Long form. None for "system" and "id".
    baseline : system or None
        None for the first system in order of appearance.
    pairs : {"baseline", "all"}
        Every other system against the baseline, or every system against every other.
    on_unpaired : {"raise", "drop"}
        Whether ids that a system lacks raise, or are left out with a warning.
    """

    system: Any = None
    id: Any = None
    baseline: Hashable | None = None
    pairs: Literal["baseline", "all"] = "baseline"
    on_unpaired: Literal["raise", "drop"] = "raise"


def pair_options(
    *,
    system: Any = None,
    id: Any = None,
    baseline: Any = None,
    pairs: object = "baseline",
    on_unpaired: object = "raise",
) -> PairOptions:
    """Check the options of pairing.

    Examples
    --------
    >>> pair_options(system="mt", on_unpaired="drop")
    PairOptions(system='mt', id=None, baseline=None, pairs='baseline', on_unpaired='drop')
    """
    return PairOptions(
        system=system,
        id=id,
        baseline=baseline,
        pairs="all" if check_choice("pairs", pairs, ("baseline", "all")) == "all" else "baseline",
        on_unpaired="drop" if check_choice("on_unpaired", on_unpaired, ("raise", "drop")) == "drop" else "raise",
    )


def refuse_pair_keywords(function: str, **values: object) -> None:
    """Raise ValueError for the first keyword with a value that only makes sense with several systems."""
    for name, value in values.items():
        if value is not None:
            raise ValueError(
                f"{function}() has {name}=, which needs several systems; pass system= as well, or "
                f'hypothesis=["mt_a", "mt_b"], or leave {name} out'
            )
