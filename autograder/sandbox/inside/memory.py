"""The limits of a worker's memory and computing time.

The limit of memory counts what a submission takes beyond what Python and torch have taken before it: torch's libraries
alone take from half a gigabyte to some gigabytes of address space, by how torch was built.
"""

from __future__ import annotations

import mmap

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]


def address_space() -> int:
    """Return the bytes of address space that this process takes. Raises FileNotFoundError where there is no /proc."""
    with open("/proc/self/statm", "rb") as file:  # noqa: PTH123 - once for each step
        return int(file.read().split()[0]) * mmap.PAGESIZE


def limit_memory(megabytes: int) -> bool:
    """Limit what this process may take from now on; False if the system has no such limit."""
    if resource is None:
        return False
    try:
        size = address_space() + megabytes * 2**20
    except FileNotFoundError:  # macOS has the limit but does not set it
        return False
    _limit(resource.RLIMIT_AS, size)
    return True


def limit_computing(seconds: int) -> None:
    """Let the system end this process after so much computing: a sum over a huge range lets no other thread end it."""
    if resource is not None:
        _limit(resource.RLIMIT_CPU, seconds)


def _limit(kind: int, most: int) -> None:
    _, hard = resource.getrlimit(kind)
    size = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(kind, (size, size))
