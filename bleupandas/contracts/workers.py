"""Where servers count: in threads off the event loop, a few at a time, so that memory stays bounded."""

from collections.abc import Callable
from typing import TypeVar, TypeVarTuple

from anyio import CapacityLimiter, to_thread
from anyio.lowlevel import RunVar

from bleupandas.common import default_threads

Arguments = TypeVarTuple("Arguments")
Result = TypeVar("Result")

_limiter: RunVar[CapacityLimiter] = RunVar("bleupandas.contracts.limiter")


async def in_worker(function: Callable[[*Arguments], Result], *arguments: *Arguments) -> Result:
    """Call a function in a thread; at most as many at a time as count by default, HTTP and MCP together.

    One limiter belongs to one event loop, so that an application can run in several (as test clients do).
    """
    try:
        limiter = _limiter.get()
    except LookupError:
        limiter = CapacityLimiter(default_threads())
        _limiter.set(limiter)
    return await to_thread.run_sync(function, *arguments, limiter=limiter)
