"""The one exception of the contracts."""

from collections.abc import Sequence
from typing import Final, Literal, get_args

from bleupandas.contracts.error_text import format_path, json_pointer

Code = Literal["invalid_json", "invalid_input", "limit_exceeded", "unknown_tool", "unknown_version", "internal"]

# invalid_json       the body is not JSON, or has no single meaning
# invalid_input      JSON that breaks the contract's input_schema or semantics
# limit_exceeded     a valid input over one of the contract's limits
# unknown_tool       no tool has this id
# unknown_version    the tool has no such version
# internal           our error, without details
CODES: Final[tuple[str, ...]] = get_args(Code)


class ContractError(Exception):
    """A request that is not answered.

    Parameters
    ----------
    code : str
        One of `CODES`.
    message : str
        One line: where, what came, what is expected, what to do.
    path : str, default ""
        JSON Pointer (RFC 6901) into the input; "" is the whole input.

    Examples
    --------
    >>> error = ContractError("invalid_input", "/max_order: 9 is above 8", "/max_order")
    >>> error.body
    {'error': {'code': 'invalid_input', 'message': '/max_order: 9 is above 8', 'path': '/max_order'}}
    """

    def __init__(self, code: Code, message: str, path: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.path = path

    @property
    def body(self) -> dict[str, dict[str, str]]:
        """The error as the JSON object that every door answers with."""
        return {"error": {"code": self.code, "message": self.message, "path": self.path}}

    def __reduce__(self) -> tuple[type["ContractError"], tuple[str, str, str]]:
        """Pickle all three arguments: servers may count in other processes."""
        return type(self), (self.code, self.message, self.path)


def input_error(path: Sequence[str | int], message: str) -> ContractError:
    """Return an invalid_input error at a path of the input.

    Examples
    --------
    >>> print(input_error(("references", 0), "an empty array; expected at least one reference"))
    /references/0: an empty array; expected at least one reference
    """
    return ContractError("invalid_input", f"{format_path(path)}: {message}", json_pointer(path))
