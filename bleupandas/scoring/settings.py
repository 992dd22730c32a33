"""Score settings: everything that changes a score besides the counts, with defaults, checks and signature."""

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from bleupandas.common import DEFAULT_ORDER, MAX_ORDER, check_number, check_order, refuse_choice, short_repr
from bleupandas.scoring.smoothing import method_name, orders_read

Convention = Literal["paper", "sacrebleu", "nltk"]
Purpose = Literal["score", "corpus", "components"]

# (smoothing, effective_order) for sentences, for corpora, and for sums of either.
_PRESETS = {
    "paper": {"score": ("method1", True), "corpus": ("method0", False), "components": ("method0", False)},
    "sacrebleu": {"score": ("method3", True), "corpus": ("method3", False), "components": ("method3", False)},
    "nltk": {"score": ("method0", False), "components": ("method0", False)},
}
_SIGNATURE_NAMES = {"method0": "none", "method1": "floor", "method2": "add-k", "method3": "exp"}


@dataclass(frozen=True)
class ScoreSettings:
    """Everything that changes a score besides the counts; `score_settings` checks the values.

    Attributes
    ----------
    max_order : int
        N, 1 to 8.
    weights : tuple of float
        N weights, used unchanged; an order with weight 0 is left out.
    smoothing : str
        "method0" to "method7".
    effective_order : bool
        Leave out orders without n-grams and scale the other weights up to the same sum.
    epsilon, k, alpha : float
        Parameters of method 1, of methods 4 and 7, and of method 6.
    convention : {"paper", "sacrebleu", "nltk"}
        Which formulas.
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
        """The number of orders that have to be counted: N, or more for methods 5 and 7."""
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
    """Return the checked settings of a score: the defaults of a convention, replaced where the caller gave a value.

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
        The function whose defaults apply.
    convention : {"paper", "sacrebleu", "nltk"}
        The preset. "sacrebleu" uses the formulas of "paper", which agree with sacreBLEU on all counts that text can
        have. "nltk" uses NLTK's formulas, see `bleupandas.scoring.smoothing.smoothed_precisions`.
    max_order : int, optional
        N, 1 to 8. By default the number of weights, else 4.
    weights : sequence of float, optional
        1/N each by default.
    smoothing : str, optional
        "none" or "method0", "floor" or "method1", "add-k" or "method2", "exp" or "method3", "method4" to "method7".
    effective_order : bool, optional
        Leave out orders without n-grams.
    epsilon, k, alpha : float
        From 0 to 1; above 0; at least 0.

    Returns
    -------
    ScoreSettings

    Raises
    ------
    TypeError, ValueError
        If a value has a wrong type or is out of range; the message says what is expected.

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
    """Return N and N weights."""
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
    """Return every setting that changes a number, on one line in the style of sacreBLEU's signatures.

    Parameters
    ----------
    settings : ScoreSettings
        From `score_settings`.
    nrefs : int or str, optional
        Number of references of a segment, "var" if it varies; left out if not known.
    tokenizer : str, optional
        The tokenizer of the texts; left out if not known.

    Returns
    -------
    str
        Weights are included if they are not 1/N each, the convention if it is "nltk".

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
