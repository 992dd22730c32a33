"""Threads in which servers count, off the event loop. Only a few run at a time, which bounds the memory."""

from collections.abc import Callable
from typing import TypeVar, TypeVarTuple

from anyio import CapacityLimiter, to_thread
from anyio.lowlevel import RunVar

from bleupandas.common import default_threads

Arguments = TypeVarTuple("Arguments")
Result = TypeVar("Result")

_limiter: RunVar[CapacityLimiter] = RunVar("bleupandas.contracts.limiter")


async def run_in_worker(function: Callable[[*Arguments], Result], *arguments: *Arguments) -> Result:
    """Call a function in a thread and return its result.

    HTTP and MCP together run at most as many threads as counting uses by default.

    Each event loop has its limiter, because test clients run an application in several loops.
    """
    try:
        limiter = _limiter.get()
    except LookupError:
        limiter = CapacityLimiter(default_threads())
        _limiter.set(limiter)
    return await to_thread.run_sync(function, *arguments, limiter=limiter)
