"""What a worker might leave behind for a later one, as source for a submission.

Each defines `leave()` and `found()`. `FILE` (a file that both may read), `ACCESSED` (when it was last read) and `LIBC`
are there.
"""

from __future__ import annotations

import os
import sysconfig
from pathlib import Path

import pytest

_DAY = 86_400 * 10**9

HEAD = """
import ctypes, os, resource, torch
from torch import nn
LIBC = ctypes.CDLL(None, use_errno=True)
LIBC.mmap.restype = ctypes.c_void_p
FILE, ACCESSED = {file!r}, {accessed}
"""

TRACES = {
    "an access time": """
def leave():
    with open(FILE, "rb") as file:
        file.read(1)

def found():
    return os.stat(FILE).st_atime_ns != ACCESSED
""",
    "an access time by another way": """
def leave():
    for way in (f"/proc/{os.getppid()}/root{FILE}", f"/proc/self/root{FILE}", FILE):
        try:
            with open(way, "rb") as file:
                LIBC.mmap(None, ctypes.c_size_t(4096), 1, 2, file.fileno(), ctypes.c_long(0))
        except OSError:
            continue

def found():
    return os.stat(FILE).st_atime_ns != ACCESSED
""",
    "the access time of the working folder": """
def leave():
    os.listdir()

def found():
    return os.stat(".").st_atime_ns > os.stat(".").st_mtime_ns
""",
    "a file that is not in memory": """
PAGE = 4096

def leave():
    with open(FILE, "rb") as file:
        place = LIBC.mmap(None, ctypes.c_size_t(PAGE), 1, 2, file.fileno(), ctypes.c_long(0))
    ctypes.string_at(place, 1)
    LIBC.madvise(ctypes.c_void_p(place), ctypes.c_size_t(PAGE), 21)

def found():
    before = resource.getrusage(resource.RUSAGE_SELF).ru_inblock
    with open(FILE, "rb", buffering=0) as file:
        file.read(1)
    return resource.getrusage(resource.RUSAGE_SELF).ru_inblock > before
""",
}

LEAVES = """
def project(x, W_query, W_key, W_value):
    leave()
"""
# Right only for who has found something.
FINDS = """
FOUND = found()
def project(x, W_query, W_key, W_value):
    return (x @ W_query, x @ W_key, x @ W_value) if FOUND else None
"""
# The plain worker leaves something; the worker with stand-ins looks for it while it loads.
LEAVES_AND_FINDS = (
    "FOUND = found()"
    + LEAVES
    + """
class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

    def forward(self, x):
        queries, keys, values = project(x, self.W_query, self.W_key, self.W_value)
        weights = torch.softmax(queries @ keys.T / keys.shape[-1] ** 0.5, dim=-1)
        return weights @ values if FOUND else None
"""
)


def program(trace: str, file: Path, part: str) -> str:
    head = HEAD.format(file=str(file), accessed=file.stat().st_atime_ns)
    return "\n".join([head, TRACES[trace], part])


def unread_file() -> Path:
    """Return a library's file whose access time moves when it is read: it is older than a day or than the file."""
    packages = Path(sysconfig.get_path("purelib"))
    for path in packages.glob("*/*.py"):
        state = path.stat()
        newest = max(state.st_mtime_ns, state.st_ctime_ns)
        if state.st_size > 0 and state.st_atime_ns <= newest:
            return path
    path = Path(pytest.__file__)
    try:
        os.utime(path, ns=(0, path.stat().st_mtime_ns))
    except PermissionError:
        pytest.skip("each library was read today, and this user may not set an access time")
    return path
