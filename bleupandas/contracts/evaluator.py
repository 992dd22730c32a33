"""Evaluator: the published client's way of asking, answered here."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bleupandas.contracts.errors import ContractError
from bleupandas.contracts.execute import execute
from bleupandas.contracts.messages import either, quoted

TEMPLATES = {"bleu_score": "1.0.0"}


@dataclass(frozen=True)
class EvalResult:
    """What one evaluation gave.

    Attributes
    ----------
    name : str
        The template.
    output : float
        0 to 1.
    reason : str
    """

    name: str
    output: float
    reason: str


@dataclass(frozen=True)
class Evaluation:
    """What a call of `Evaluator.evaluate` gave: a result per template."""

    eval_results: list[EvalResult]


class Evaluator:
    """Evaluates texts as the published page of ``bleu_score`` shows it, here and without a key.

    Examples
    --------
    >>> from bleupandas.contracts import Evaluator
    >>> evaluator = Evaluator()
    >>> result = evaluator.evaluate(
    ...     eval_templates="bleu_score",
    ...     inputs={"reference": "the cat sat on the mat", "hypothesis": "the cat sat on a mat"},
    ... )
    >>> round(result.eval_results[0].output, 4)
    0.5373
    """

    def evaluate(
        self, eval_templates: str | list[str], inputs: Mapping[str, Any], *, config: Mapping[str, Any] | None = None
    ) -> Evaluation:
        """Evaluate one input.

        Parameters
        ----------
        eval_templates : str or list of str
            "bleu_score".
        inputs : dict
            reference and hypothesis.
        config : dict, optional
            mode, max_n_gram, weights, smooth, tokenize, convention, generated; see the contract of bleu_score.

        Returns
        -------
        Evaluation
            ``result.eval_results[0].output`` and ``.reason``.

        Raises
        ------
        ContractError
            As `bleupandas.contracts.execute`.
        """
        asked = dict(inputs) if config is None else {**inputs, "config": dict(config)}
        names = [eval_templates] if isinstance(eval_templates, str) else list(eval_templates)
        for name in names:
            if name not in TEMPLATES:
                there = f"there is {either(map(quoted, TEMPLATES))}"
                raise ContractError("unknown_tool", f"there is no template {quoted(str(name))}; {there}")
        answers = [(name, execute(name, TEMPLATES[name], asked)) for name in names]
        return Evaluation([EvalResult(name, answer["output"], answer["reason"]) for name, answer in answers])
