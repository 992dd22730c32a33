"""Which BLEU: the settings that change a score besides the counts, their defaults, checks and signature."""

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from bleupandas.common import DEFAULT_ORDER, MAX_ORDER, check_number, check_order, refuse_choice, short_repr
from bleupandas.scoring.smoothing import method_name, orders_read

Convention = Literal["paper", "sacrebleu", "nltk"]
Purpose = Literal["score", "corpus", "components"]

# (smoothing, effective_order): of sentences, and of sums of unknown make.
_PRESETS = {
    "paper": {"score": ("method1", True), "corpus": ("method0", False), "components": ("method0", False)},
    "sacrebleu": {"score": ("method3", True), "corpus": ("method3", False), "components": ("method3", False)},
    "nltk": {"score": ("method0", False), "components": ("method0", False)},
}
_SIGNATURE_NAMES = {"method0": "none", "method1": "floor", "method2": "add-k", "method3": "exp"}


@dataclass(frozen=True)
class ScoreSettings:
    """Everything that changes a score besides the counts; `score_settings` makes and checks one.

    Attributes
    ----------
    max_order : int
        N, 1 to 8.
    weights : tuple of float
        N weights, used as given; an order of weight 0 is left out.
    smoothing : str
        "method0" to "method7".
    effective_order : bool
        Leave orders without n-grams out and scale the other weights up to the same sum.
    epsilon, k, alpha : float
        Parameters of methods 1, 4 and 7, and 6.
    convention : {"paper", "sacrebleu", "nltk"}
        Whose formulas.
    """

    max_order: int
    weights: tuple[float, ...]
    smoothing: str
    effective_order: bool
    epsilon: float = 0.1
    k: float = 5.0
    alpha: float = 5.0
    convention: Convention = "paper"

    @property
    def orders_read(self) -> int:
        """How many orders have to be counted: N, or more for methods 5 and 7."""
        return self.orders_for(self.max_order)

    def orders_for(self, max_order: int) -> int:
        """Return how many orders have to be counted for another max_order."""
        return orders_read(self.smoothing, max_order, self.convention)


def score_settings(
    purpose: Purpose,
    *,
    convention: str = "paper",
    max_order: int | None = None,
    weights: object = None,
    smoothing: str | None = None,
    effective_order: bool | None = None,
    epsilon: float = 0.1,
    k: float = 5,
    alpha: float = 5,
) -> ScoreSettings:
    """Give the checked settings of a score: a convention's defaults with what is given in their place.

    ========== ===================== ============================ =======================================
    convention score()               corpus()                     bleu_from_components()
    ========== ===================== ============================ =======================================
    paper      method1, effective    none, not effective          as corpus()
    sacrebleu  exp, effective        exp, not effective           as corpus()
    nltk       none, not effective   refused                      as score()
    ========== ===================== ============================ =======================================

    Parameters
    ----------
    purpose : {"score", "corpus", "components"}
        Which function's defaults.
    convention : {"paper", "sacrebleu", "nltk"}
        The preset. "sacrebleu" has the formulas of "paper": on counts that text can have, the two agree with
        sacreBLEU. "nltk" has formulas of its own, see `bleupandas.scoring.smoothing.smoothed_precisions`.
    max_order : int, optional
        N, 1 to 8. By default the number of weights, else 4.
    weights : sequence of float, optional
        1/N each by default.
    smoothing : str, optional
        "none" or "method0", "floor" or "method1", "add-k" or "method2", "exp" or "method3", "method4" to "method7".
    effective_order : bool, optional
        Leave out the orders of which there are no n-grams.
    epsilon, k, alpha : float
        From 0 to 1; above 0; at least 0.

    Returns
    -------
    ScoreSettings

    Raises
    ------
    TypeError, ValueError
        For a value of a wrong kind, or out of range; the message says what is expected.

    Examples
    --------
    >>> score_settings("score", weights=[0.5, 0.5]).max_order
    2
    >>> score_settings("corpus", convention="sacrebleu").smoothing
    'method3'
    """
    if not isinstance(convention, str) or convention not in _PRESETS:
        refuse_choice("convention", convention, _PRESETS)
    if purpose not in _PRESETS[convention]:
        raise ValueError(
            f"convention {convention!r} is for score() only, as NLTK's totals of at least 1 are a sentence's; "
            f"{purpose}() has 'paper' and 'sacrebleu'"
        )
    preset_smoothing, preset_effective = _PRESETS[convention][purpose]
    if effective_order is not None and not isinstance(effective_order, bool | np.bool_):
        raise TypeError(f"effective_order is True or False, not {short_repr(effective_order)}")
    order, checked = _order_and_weights(max_order, weights)
    return ScoreSettings(
        max_order=order,
        weights=checked,
        smoothing=method_name(preset_smoothing if smoothing is None else smoothing),
        effective_order=preset_effective if effective_order is None else bool(effective_order),
        epsilon=check_number("epsilon", epsilon, "a number from 0 to 1", highest=1.0),
        k=check_number("k", k, "a number above 0", lowest=math.ulp(0.0)),
        alpha=check_number("alpha", alpha, "a number of at least 0"),
        convention=convention,  # type: ignore[arg-type]  # one of _PRESETS
    )


def _order_and_weights(max_order: object, weights: object) -> tuple[int, tuple[float, ...]]:
    """Give N and N weights."""
    order = DEFAULT_ORDER if max_order is None else check_order(max_order)
    if weights is None:
        return order, (1 / order,) * order
    items = weights.tolist() if hasattr(weights, "tolist") else weights
    if not isinstance(items, list | tuple):
        raise TypeError(f"weights is a list of numbers, one for each order, not {short_repr(weights)}")
    if not 1 <= len(items) <= MAX_ORDER:
        raise ValueError(f"weights is a list of 1 to {MAX_ORDER} numbers, one for each order, not of {len(items)}")
    if max_order is not None and order != len(items):
        raise ValueError(
            f"{len(items)} weights do not fit max_order={order}: leave out max_order, or give one weight for each order"
        )
    checked = tuple(
        check_number(f"weights[{position}]", item, "a number of at least 0") for position, item in enumerate(items)
    )
    if not 0 < sum(checked) < math.inf:
        raise ValueError(f"weights add up to a finite number above 0, not to {short_repr(sum(checked))}")
    return len(checked), checked


def signature(settings: ScoreSettings, nrefs: int | str | None = None, tokenizer: str | None = None) -> str:
    """Give one line of every setting that changes a number, in the manner of sacreBLEU's signatures.

    Parameters
    ----------
    settings : ScoreSettings
        From `score_settings`.
    nrefs : int or str, optional
        References per segment, "var" if it varies; left out if not known.
    tokenizer : str, optional
        What made tokens of the texts; left out if not known, as where tokens were given.

    Returns
    -------
    str
        Weights are told if they are not 1/N each, the convention if it has formulas of its own.

    Examples
    --------
    >>> signature(score_settings("corpus", smoothing="floor"), nrefs="var").rpartition("|")[0]
    'nrefs:var|eff:no|smooth:floor[0.1]|order:4'
    """
    import importlib.metadata

    parameter = {"method1": settings.epsilon, "method2": 1, "method4": settings.k, "method6": settings.alpha}
    parameter["method7"] = settings.k
    value = parameter.get(settings.smoothing)
    smooth = _SIGNATURE_NAMES.get(settings.smoothing, settings.smoothing)
    if value is not None:
        smooth += f"[{repr(value).removesuffix('.0')}]"
    parts = [] if nrefs is None else [f"nrefs:{nrefs}"]
    parts.append(f"eff:{'yes' if settings.effective_order else 'no'}")
    parts += [] if tokenizer is None else [f"tok:{tokenizer}"]
    parts += [f"smooth:{smooth}", f"order:{settings.max_order}"]
    if len(set(settings.weights)) > 1 or settings.weights[0] != 1 / settings.max_order:
        parts.append(f"weights:{','.join(map(repr, settings.weights))}")
    if settings.convention == "nltk":
        parts.append("convention:nltk")
    try:
        parts.append(f"version:{importlib.metadata.version('bleupandas')}")
    except importlib.metadata.PackageNotFoundError:
        parts.append("version:unknown")
    return "|".join(parts)
