"""Options of more than one function that compares: given as they are, or refused in one line."""

from numbers import Real

import numpy as np

from bleupandas.common.messages import refuse_choice, shown


def choice(what: str, value: object, allowed: tuple[str, ...]) -> str:
    """Give one of the allowed values, or raise."""
    if isinstance(value, str) and value in allowed:
        return value
    refuse_choice(what, value, allowed)


def whole_number(what: str, value: object, lowest: int) -> int:
    """Give a whole number of at least `lowest`, or raise."""
    message = f"{what} is a whole number of at least {lowest}, not {shown(value)}"
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise TypeError(message)
    if value < lowest:
        raise ValueError(message)
    return int(value)


def proportion(what: str, value: object, example: str) -> float:
    """Give a number between 0 and 1, both left out, or raise."""
    message = f"{what} is a number between 0 and 1, such as {example}, not {shown(value)}"
    if isinstance(value, bool | np.bool_) or not isinstance(value, Real):
        raise TypeError(message)
    number = float(value)
    if not 0 < number < 1:
        raise ValueError(message)
    return number
