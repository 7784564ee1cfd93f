"""Arrange the fork server's memory so that forking and ending a child cost less.

The kernel copies a page of memory when a child first writes to it, and copies the page tables at each fork.
"""

from __future__ import annotations

import ctypes
import sys
from pathlib import Path

_HUGE = 2 * 1024 * 1024
_COLLAPSE = 25  # MADV_COLLAPSE, since Linux 6.1
# Python serves objects of up to this many bytes from pools of one size each.
_LARGEST_SMALL = 512
_STEP = 16
_EMPTY_BYTES = sys.getsizeof(b"")
_OBJECTS = 1_000
_kept: list[bytes] = []


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
