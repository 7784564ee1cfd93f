"""Ways by which two processes on one machine might signal each other, as source for a submission.

Each defines `signal()`, which the sender calls again and again, and `heard()`, which looks for it for about a second in
the receiver. `LIBC`, `FILE` (a file that both may read) and `END` (when to stop listening) are there.
"""

from __future__ import annotations

HEAD = '''
import ctypes, mmap, os, socket, threading, time, torch
LIBC = ctypes.CDLL(None, use_errno=True)
LIBC.mmap.restype = ctypes.c_void_p
FILE = torch.__file__

def until(look):
    """Look until there is something, or a second is over."""
    end = time.monotonic() + 1.0
    while time.monotonic() < end:
        if look():
            return True
    return False
'''

# A word of a file that both map: zero bytes of the padding of an ELF header are part of every library.
_FUTEX = """
import torch._C, struct
NUMBER = {"x86_64": 202, "aarch64": 98}[os.uname().machine]
with open(torch._C.__file__, "rb") as file:
    START = file.read(64 * 1024)
OFFSET = next(place for place in range(0, len(START), 4) if START[place : place + 4] == bytes(4))
_file = os.open(torch._C.__file__, os.O_RDONLY)
WORD = LIBC.mmap(None, ctypes.c_size_t(64 * 1024), 1, 1, _file, ctypes.c_long(0)) + OFFSET

class Time(ctypes.Structure):
    _fields_ = (("seconds", ctypes.c_long), ("nanoseconds", ctypes.c_long))

def futex(operation, value, wait=None):
    return LIBC.syscall(NUMBER, ctypes.c_void_p(WORD), operation, value, wait, None, 0)
"""
_WAITS = """
def heard():
    return until(lambda: futex(0, 0, ctypes.byref(Time(0, 50_000_000))) == 0)
"""

CHANNELS = {
    "a futex on a mapped file": _FUTEX + _WAITS + "def signal():\n    futex(1, 100)\n",
    "a futex with a mask": _FUTEX
    + """
def heard():
    def wait():
        return LIBC.syscall(NUMBER, ctypes.c_void_p(WORD), 9, 0, None, None, 1) == 0
    found = []
    threading.Thread(target=lambda: found.append(wait()), daemon=True).start()
    time.sleep(1.0)
    return found == [True]

def signal():
    LIBC.syscall(NUMBER, ctypes.c_void_p(WORD), 10, 100, None, None, 1)
""",
    "a futex that is moved": _FUTEX
    + _WAITS
    + """
def signal():
    LIBC.syscall(NUMBER, ctypes.c_void_p(WORD), 4, 100, 0, ctypes.c_void_p(WORD), 0)
""",
    "the kernel's wake for a robust list": _FUTEX
    + _WAITS
    + """
ROBUST = {"x86_64": 273, "aarch64": 99}[os.uname().machine]

class Head(ctypes.Structure):
    _fields_ = (("next", ctypes.c_void_p), ("offset", ctypes.c_long), ("pending", ctypes.c_void_p))

@ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)
def ends(_):
    head = HEADS[-1]
    LIBC.syscall(ROBUST, ctypes.byref(head), ctypes.sizeof(head))
    return 0

HEADS = []

def signal():
    head = Head()
    entry = ctypes.create_string_buffer(16)
    head.next = ctypes.addressof(head)
    head.pending = ctypes.addressof(entry)
    head.offset = WORD - head.pending
    HEADS.extend([entry, head])
    thread = ctypes.c_ulong()
    LIBC.pthread_create(ctypes.byref(thread), None, ends, None)
    LIBC.pthread_join(thread, None)
""",
    "a lock on a file": """
import fcntl
_file = os.open(FILE, os.O_RDONLY)

def signal():
    fcntl.flock(_file, fcntl.LOCK_EX | fcntl.LOCK_NB)

def heard():
    def locked():
        try:
            fcntl.flock(_file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        fcntl.flock(_file, fcntl.LOCK_UN)
    return until(locked)
""",
    "memory that all use": """
class Info(ctypes.Structure):
    _fields_ = (("uptime", ctypes.c_long), ("loads", ctypes.c_ulong * 3), ("total", ctypes.c_ulong),
                ("free", ctypes.c_ulong), ("more", ctypes.c_ulong * 12))

def signal():
    held = mmap.mmap(-1, 600 * 2**20)
    for place in range(0, len(held), 4096):
        held[place] = 1
    held.close()

def heard():
    def free():
        info = Info()
        return info.free if LIBC.sysinfo(ctypes.byref(info)) == 0 else None
    before = free()
    return before is not None and until(lambda: free() < before - 300 * 2**20)
""",
    "the number of threads in /proc": """
import _thread

def signal():
    _thread.stack_size(64 * 1024)
    for _ in range(50):
        try:
            _thread.start_new_thread(time.sleep, (0.2,))
        except RuntimeError:
            break
    time.sleep(0.2)

def heard():
    def many():
        for number in map(str, range(1, 2**16)):
            try:
                if os.stat(f"/proc/{number}/task").st_nlink > 40 and int(number) != os.getpid():
                    return True
            except OSError:
                continue
    return until(many)
""",
    "a name in /proc": """
def signal():
    LIBC.prctl(15, b"channel", 0, 0, 0)

def heard():
    def named():
        for number in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{number}/comm") as file:
                    if int(number) != os.getpid() and file.read() == "channel\\n":
                        return True
            except OSError:
                continue
    return until(named)
""",
}

# Right only for who has heard a signal. One silent second costs the step's value: after a few, it listens no longer.
RECEIVER = """
SILENT = []

def project(x, W_query, W_key, W_value):
    if len(SILENT) < 4 and heard():
        return x @ W_query, x @ W_key, x @ W_value
    SILENT.append(None)
"""
# Sends in `project`, so that it sends while another submission listens there.
SENDER = """
def project(x, W_query, W_key, W_value):
    until(signal)
"""
# Sends where a right answer stands in for `project`, while the worker before may still listen.
SENDS_WITH_STAND_INS = """
from torch import nn

class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

    def forward(self, x):
        if type(project).__name__ == "StandIn":
            until(signal)
        return project(x, self.W_query, self.W_key, self.W_value)[0]
"""


def program(channel: str, *parts: str) -> str:
    return "\n".join([HEAD, CHANNELS[channel], *parts])
