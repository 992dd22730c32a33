"""The published tools: versioned contracts over JSON. One `execute` serves Python, the command line, HTTP and MCP.

``import bleupandas`` does not load this package; ``import bleupandas.contracts`` does.
"""

from bleupandas.contracts.errors import CODES, ContractError
from bleupandas.contracts.evaluator import Evaluator
from bleupandas.contracts.execute import contract, contracts, execute, execute_json

__all__ = ["CODES", "ContractError", "Evaluator", "contract", "contracts", "execute", "execute_json"]
