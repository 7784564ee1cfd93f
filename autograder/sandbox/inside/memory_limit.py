"""The memory limit of a worker without a fork server, which its own threads may exceed."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

if TYPE_CHECKING:
    from collections.abc import Iterator

OWN = 32 << 20  # bytes beside a submission's, for the stacks of the worker's own threads


def limit_memory(megabytes: int) -> bool:
    """Limit this process's address space; False if the system has no such limit."""
    if resource is None:
        return False
    size = megabytes * 1024 * 1024
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    most = size + OWN if hard == resource.RLIM_INFINITY else min(size + OWN, hard)
    try:
        resource.setrlimit(resource.RLIMIT_AS, (min(size, most), most))
    except (OSError, ValueError):  # macOS has the limit but does not set it
        return False
    return True


@contextlib.contextmanager
def own_memory() -> Iterator[None]:
    """Let the worker itself have memory when a submission has used up its own."""
    if resource is None:
        yield
        return
    before = resource.getrlimit(resource.RLIMIT_AS)
    if before[0] != before[1]:
        resource.setrlimit(resource.RLIMIT_AS, (before[1], before[1]))
    yield
    if before[0] != before[1]:
        resource.setrlimit(resource.RLIMIT_AS, before)
