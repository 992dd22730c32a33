"""Settings: what each convention sets, what is refused, and what the signature says."""

import dataclasses
import math
from typing import Any

import numpy as np
import pytest

from bleupandas.scoring.settings import Purpose, ScoreSettings, score_settings, signature

QUARTERS = (0.25, 0.25, 0.25, 0.25)


@pytest.mark.parametrize(
    ("purpose", "convention", "smoothing", "effective_order"),
    [
        ("score", "paper", "method1", True),
        ("corpus", "paper", "method0", False),
        ("components", "paper", "method0", False),
        ("score", "sacrebleu", "method3", True),
        ("corpus", "sacrebleu", "method3", False),
        ("components", "sacrebleu", "method3", False),
        ("score", "nltk", "method0", False),
        ("components", "nltk", "method0", False),
    ],
)
def test_presets(purpose: Purpose, convention: Any, smoothing: str, effective_order: bool) -> None:
    expected = ScoreSettings(4, QUARTERS, smoothing, effective_order, 0.1, 5.0, 5.0, convention)
    assert score_settings(purpose, convention=convention) == expected


def test_defaults_are_the_papers() -> None:
    assert score_settings("score") == score_settings("score", convention="paper")


def test_each_preset_is_overridable() -> None:
    settings = score_settings(
        "score", convention="nltk", smoothing="exp", effective_order=True, max_order=2, epsilon=0, k=1, alpha=0
    )
    assert settings == ScoreSettings(2, (0.5, 0.5), "method3", True, 0.0, 1.0, 0.0, "nltk")
    assert score_settings("score", effective_order=np.bool_(False)).effective_order is False  # type: ignore[arg-type]


def test_settings_are_frozen() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError, match=r"^cannot assign to field 'k'$"):
        score_settings("score").k = 3  # type: ignore[misc]


@pytest.mark.parametrize(
    "weights",
    [[0.7, 0.3], (0.7, 0.3), np.array([0.7, 0.3]), [np.float64(0.7), 0.3]],
    ids=["list", "tuple", "array", "np"],
)
def test_weights_set_max_order(weights: object) -> None:
    for max_order in (None, 2, np.int64(2)):
        settings = score_settings("score", weights=weights, max_order=max_order)  # type: ignore[arg-type]
        assert (settings.max_order, settings.weights) == (2, (0.7, 0.3))
        assert all(type(weight) is float for weight in settings.weights)


@pytest.mark.parametrize("max_order", range(1, 9))
def test_uniform_weights(max_order: int) -> None:
    settings = score_settings("score", max_order=max_order)
    assert settings.weights == (1 / max_order,) * max_order
    assert settings.orders_read == max_order
    assert score_settings("score", max_order=max_order, smoothing="method5").orders_read == max_order + 1
    nltk = score_settings("score", max_order=max_order, smoothing="method7", convention="nltk")
    assert nltk.orders_read == max(max_order, 5)


SMOOTHINGS = "'none', 'floor', 'add-k', 'exp', " + ", ".join(f"'method{n}'" for n in range(8))


@pytest.mark.parametrize(
    ("keywords", "error", "message"),
    [
        (
            {"smoothing": "mehtod1"},
            ValueError,
            f"smoothing is one of {SMOOTHINGS}, not 'mehtod1'; did you mean 'method1'?",
        ),
        ({"smoothing": 1}, ValueError, f"smoothing is one of {SMOOTHINGS}, not 1"),
        ({"convention": "nist"}, ValueError, "convention is one of 'paper', 'sacrebleu', 'nltk', not 'nist'"),
        (
            {"convention": "sacreblue"},
            ValueError,
            "convention is one of 'paper', 'sacrebleu', 'nltk', not 'sacreblue'; did you mean 'sacrebleu'?",
        ),
        ({"convention": None}, ValueError, "convention is one of 'paper', 'sacrebleu', 'nltk', not None"),
        ({"convention": ["nltk"]}, ValueError, "convention is one of 'paper', 'sacrebleu', 'nltk', not ['nltk']"),
        ({"effective_order": "yes"}, TypeError, "effective_order is True or False, not 'yes'"),
        ({"effective_order": 1}, TypeError, "effective_order is True or False, not 1"),
        ({"max_order": 0}, ValueError, "max_order is a whole number from 1 to 8, not 0"),
        ({"max_order": 9}, ValueError, "max_order is a whole number from 1 to 8, not 9"),
        ({"max_order": 4.0}, TypeError, "max_order is a whole number from 1 to 8, not 4.0"),
        ({"max_order": True}, TypeError, "max_order is a whole number from 1 to 8, not True"),
        ({"max_order": "4"}, TypeError, "max_order is a whole number from 1 to 8, not '4'"),
        ({"epsilon": -0.1}, ValueError, "epsilon is a number from 0 to 1, not -0.1"),
        ({"epsilon": 1.5}, ValueError, "epsilon is a number from 0 to 1, not 1.5"),
        ({"epsilon": math.nan}, ValueError, "epsilon is a number from 0 to 1, not nan"),
        ({"epsilon": "0.1"}, TypeError, "epsilon is a number from 0 to 1, not '0.1'"),
        ({"epsilon": None}, TypeError, "epsilon is a number from 0 to 1, not None"),
        ({"k": 0}, ValueError, "k is a number above 0, not 0"),
        ({"k": -1}, ValueError, "k is a number above 0, not -1"),
        ({"k": math.inf}, ValueError, "k is a number above 0, not inf"),
        ({"k": 10**400}, ValueError, f"k is a number above 0, not 1{'0' * 36}..."),
        ({"k": True}, TypeError, "k is a number above 0, not True"),
        ({"alpha": -5}, ValueError, "alpha is a number of at least 0, not -5"),
        ({"alpha": math.nan}, ValueError, "alpha is a number of at least 0, not nan"),
        ({"weights": 0.5}, TypeError, "weights is a list of numbers, one for each order, not 0.5"),
        ({"weights": "0.5"}, TypeError, "weights is a list of numbers, one for each order, not '0.5'"),
        ({"weights": {1: 1.0}}, TypeError, "weights is a list of numbers, one for each order, not {1: 1.0}"),
        ({"weights": []}, ValueError, "weights is a list of 1 to 8 numbers, one for each order, not of 0"),
        ({"weights": [1] * 9}, ValueError, "weights is a list of 1 to 8 numbers, one for each order, not of 9"),
        ({"weights": [0.5, -0.5]}, ValueError, "weights[1] is a number of at least 0, not -0.5"),
        ({"weights": [math.nan, 1]}, ValueError, "weights[0] is a number of at least 0, not nan"),
        ({"weights": [1, math.inf]}, ValueError, "weights[1] is a number of at least 0, not inf"),
        ({"weights": [1, None]}, TypeError, "weights[1] is a number of at least 0, not None"),
        ({"weights": [[0.5, 0.5]]}, TypeError, "weights[0] is a number of at least 0, not [0.5, 0.5]"),
        ({"weights": [0, 0.0]}, ValueError, "weights add up to a finite number above 0, not to 0.0"),
        ({"weights": [1e308] * 2}, ValueError, "weights add up to a finite number above 0, not to inf"),
        (
            {"weights": [0.5, 0.5], "max_order": 4},
            ValueError,
            "2 weights do not fit max_order=4: leave out max_order, or give one weight for each order",
        ),
    ],
)
def test_refused(keywords: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=r".") as caught:
        score_settings("score", **keywords)
    assert str(caught.value) == message


def test_nltk_is_for_sentences() -> None:
    with pytest.raises(ValueError, match=r".") as caught:
        score_settings("corpus", convention="nltk")
    assert str(caught.value) == (
        "convention 'nltk' is for score() only, as NLTK's totals of at least 1 are a sentence's; "
        "corpus() has 'paper' and 'sacrebleu'"
    )


@pytest.mark.parametrize(
    ("keywords", "expected"),
    [
        ({}, "eff:no|smooth:none|order:4"),
        ({"convention": "sacrebleu"}, "eff:no|smooth:exp|order:4"),
        ({"smoothing": "floor", "epsilon": 0.001}, "eff:no|smooth:floor[0.001]|order:4"),
        ({"smoothing": "add-k"}, "eff:no|smooth:add-k[1]|order:4"),
        ({"smoothing": "method4", "k": 5.5}, "eff:no|smooth:method4[5.5]|order:4"),
        ({"smoothing": "method5"}, "eff:no|smooth:method5|order:4"),
        ({"smoothing": "method6", "alpha": 7}, "eff:no|smooth:method6[7]|order:4"),
        ({"smoothing": "method7"}, "eff:no|smooth:method7[5]|order:4"),
        ({"effective_order": True, "max_order": 2}, "eff:yes|smooth:none|order:2"),
        ({"weights": QUARTERS}, "eff:no|smooth:none|order:4"),
        ({"weights": [1, 0.5]}, "eff:no|smooth:none|order:2|weights:1.0,0.5"),
        ({"weights": [1, 1]}, "eff:no|smooth:none|order:2|weights:1.0,1.0"),
        ({"convention": "nltk"}, "eff:no|smooth:none|order:4|convention:nltk"),
    ],
)
@pytest.mark.parametrize(("nrefs", "start"), [(None, ""), (3, "nrefs:3|"), ("var", "nrefs:var|")])
def test_signature(keywords: dict[str, Any], expected: str, nrefs: int | str | None, start: str) -> None:
    settings = score_settings("components", **keywords)
    text, _, version = signature(settings, nrefs).rpartition("|version:")
    assert text == start + expected
    assert version


def test_signature_without_installed_package(monkeypatch: pytest.MonkeyPatch) -> None:
    import importlib.metadata

    def missing(name: str) -> str:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "version", missing)
    assert signature(score_settings("corpus"), 1) == "nrefs:1|eff:no|smooth:none|order:4|version:unknown"
    monkeypatch.setattr(importlib.metadata, "version", lambda name: f"1.2 of {name}")
    assert signature(score_settings("corpus")) == "eff:no|smooth:none|order:4|version:1.2 of bleupandas"
