"""The memory limit of a worker: what a submission may take beyond what Python and torch have taken before it.

torch's libraries alone take from half a gigabyte to some gigabytes of address space, by how torch was built.
"""

from __future__ import annotations

import contextlib
import mmap
from typing import TYPE_CHECKING

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

if TYPE_CHECKING:
    from collections.abc import Iterator

OWN = 32 << 20  # bytes beside a submission's, for the stacks of a worker's own threads


def address_space() -> int:
    """Return the bytes of address space that this process takes. Raises FileNotFoundError where there is no /proc."""
    with open("/proc/self/statm", "rb") as file:  # noqa: PTH123 - once for each step
        return int(file.read().split()[0]) * mmap.PAGESIZE


def limit_memory(megabytes: int) -> bool:
    """Limit what this process may take from now on; False if the system has no such limit.

    A worker without a fork server may exceed it for the stacks of its own threads (see `own_memory`).
    """
    if resource is None:
        return False
    try:
        size = address_space() + megabytes * 2**20
    except FileNotFoundError:  # macOS has the limit but does not set it
        return False
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    most = size + OWN if hard == resource.RLIM_INFINITY else min(size + OWN, hard)
    resource.setrlimit(resource.RLIMIT_AS, (min(size, most), most))
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
