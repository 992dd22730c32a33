"""Evaluator: the calls of the published client, answered on this machine."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bleupandas.contracts.error_text import join_with_or, quote
from bleupandas.contracts.errors import ContractError
from bleupandas.contracts.execute import execute

TEMPLATES = {"bleu_score": "1.0.0"}


@dataclass(frozen=True)
class EvalResult:
    """The result of one template.

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
    """The results of a call of `Evaluator.evaluate`, one per template."""

    eval_results: list[EvalResult]


class Evaluator:
    """Evaluates texts with the calls of the published page of ``bleu_score``, on this machine and without a key.

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
        request = dict(inputs) if config is None else {**inputs, "config": dict(config)}
        names = [eval_templates] if isinstance(eval_templates, str) else list(eval_templates)
        for name in names:
            if name not in TEMPLATES:
                there = f"there is {join_with_or(map(quote, TEMPLATES))}"
                raise ContractError("unknown_tool", f"there is no template {quote(str(name))}; {there}")
        answers = [(name, execute(name, TEMPLATES[name], request)) for name in names]
        return Evaluation([EvalResult(name, answer["output"], answer["reason"]) for name, answer in answers])
