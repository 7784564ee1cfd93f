"""The memory of a worker: its limits, and how the fork server lays memory out so that forks cost less.

The limit counts what a submission takes beyond what Python and torch have taken before it: torch's libraries alone take
from half a gigabyte to some gigabytes of address space, by how torch was built.

The kernel copies a page of memory when a child first writes to it, and copies the page tables at each fork.
"""

from __future__ import annotations

import ctypes
import mmap
import sys
from pathlib import Path

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

_HUGE = 2 * 1024 * 1024
_COLLAPSE = 25  # MADV_COLLAPSE, since Linux 6.1
# Python serves objects of up to this many bytes from pools of one size each.
_LARGEST_SMALL = 512
_STEP = 16
_EMPTY_BYTES = sys.getsizeof(b"")
_OBJECTS = 1_000
_kept: list[bytes] = []


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


def fill_gaps() -> None:
    """Fill the gaps between small objects for good, so that what a child creates lies together on few pages."""
    for size in range(_EMPTY_BYTES + _STEP, _LARGEST_SMALL + 1, _STEP):
        _kept.extend(bytes(size - _EMPTY_BYTES) for _ in range(_OBJECTS))


def use_huge_pages() -> None:
    """Put memory into huge pages, where the kernel offers them: there are fewer of them to copy at each fork."""
    advise = ctypes.CDLL(None).madvise
    advise.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
    for line in Path("/proc/self/maps").read_text(encoding="ascii").splitlines():
        place, access, *_, inode = line.split()[:5]
        start, end = (int(address, 16) // _HUGE * _HUGE for address in place.split("-"))
        start += _HUGE
        if access == "rw-p" and inode == "0" and start < end:
            advise(start, end - start, _COLLAPSE)  # if it fails, all works as before
