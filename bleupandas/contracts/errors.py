"""The one exception of the contracts, and what it says."""

from typing import Final, Literal, get_args

Code = Literal["invalid_json", "invalid_input", "limit_exceeded", "unknown_tool", "unknown_version", "internal"]

# invalid_json       the body is no JSON text, or none that has one meaning
# invalid_input      JSON, but not what the contract's input_schema and semantics ask for
# limit_exceeded     right in form, but over one of the contract's limits
# unknown_tool       no tool of this id
# unknown_version    no such version of this tool
# internal           ours; nothing of it is told
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
        """Give the error as the JSON object that every way answers with."""
        return {"error": {"code": self.code, "message": self.message, "path": self.path}}

    def __reduce__(self) -> tuple[type["ContractError"], tuple[str, str, str]]:
        """Pickle with all three arguments: servers may count in other processes."""
        return type(self), (self.code, self.message, self.path)
