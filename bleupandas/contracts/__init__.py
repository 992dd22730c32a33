"""The published tools: versioned contracts over JSON, one `execute` under Python, command line, HTTP and MCP.

Nothing of this is imported with ``import bleupandas``; ``import bleupandas.contracts`` asks for it.
"""

from bleupandas.contracts.errors import CODES, ContractError
from bleupandas.contracts.evaluator import Evaluator
from bleupandas.contracts.execute import contract, contracts, execute, execute_json

__all__ = ["CODES", "ContractError", "Evaluator", "contract", "contracts", "execute", "execute_json"]
