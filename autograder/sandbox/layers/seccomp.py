"""The system calls that a student's code may make: an allow-list that a forked child puts on itself, by seccomp.

What is not listed fails with EPERM, and so does what a later kernel will add. Listed is what Python, NumPy and torch
need to compute, print, start threads and read files. Which files may be opened is not decided here: seccomp sees
numbers, not what a pointer points at. For Linux on x86-64 and on 64-bit ARM.

The library `seccompy` turns the list into a program for the kernel. A call by another machine's numbering (`int 0x80`)
ends the process; numbers of the x32 kind are on no list and fail like any other.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import socket
import sys
from typing import TYPE_CHECKING

from autograder.errors import GraderFault
from autograder.sandbox.layers.base import Layer, Place, not_stopped
from autograder.sandbox.layers.prctl import gain_no_privileges

if TYPE_CHECKING:
    import seccompy

# Not listed, because somebody else would feel it: all that sends signals (even to oneself), makes processes, writes to
# a file's name, mode or times, names an address to talk to, or asks about another process.
_ALLOWED = {
    "memory": "brk mmap mprotect mremap msync munmap",
    "streams": "close dup dup3 lseek pread64 read readv write writev",
    "what is there": "chdir faccessat faccessat2 fchdir fstat getcwd getdents64 newfstatat readlinkat statx",
    "waiting": "epoll_create1 epoll_ctl epoll_pwait eventfd2 pipe2 ppoll pselect6",
    "asyncio": "getsockname recvfrom",
    "threads": "exit exit_group futex getcpu rseq sched_getaffinity sched_yield set_robust_list",
    "signals to oneself": "getitimer restart_syscall rt_sigaction rt_sigpending rt_sigprocmask rt_sigreturn"
    " rt_sigsuspend rt_sigtimedwait setitimer sigaltstack",
    "time": "clock_getres clock_gettime clock_nanosleep gettimeofday nanosleep times",
    "identity": "getegid geteuid getgid getgroups getpid getppid getresgid getresuid gettid getuid",
    "machine": "getrandom getrlimit getrusage sysinfo uname",
}
# The older forms of some of these, which 64-bit ARM never had.
_ALLOWED_ON_X86 = "access alarm dup2 epoll_wait lstat pause pipe poll readlink select stat time"

# One way to make a call: for an argument, by its position, the bits that are looked at and what they have to be.
Way = dict[int, tuple[int, int]]

_ALL = 0xFFFF_FFFF_FFFF_FFFF


def _one_of(position: int, *values: int) -> tuple[Way, ...]:
    return tuple({position: (_ALL, value)} for value in values)


def _flags(position: int, needed: int, possible: int) -> tuple[Way, ...]:
    return ({position: (_ALL ^ possible, needed)},)


def _opening(position: int) -> tuple[Way, ...]:
    # Landlock before version 3 lets a file be emptied by whoever opens it to read, or for neither reading nor writing.
    access, write_only, read_and_write, truncate = 0o3, 0o1, 0o2, 0o1000
    return (
        {position: (truncate, 0)},
        {position: (access, write_only)},
        {position: (access, read_and_write)},
    )


_ALLOWED_WITH: dict[str, tuple[Way, ...]] = {
    # CLONE_VM, FS, FILES, SIGHAND and THREAD: a thread, no process. The rest says where its number is kept. The
    # flags of clone3 are behind a pointer; told that there is none (below), the C library uses this one.
    "clone": _flags(0, needed=0x0001_0F00, possible=0x017C_0000),
    # F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC: not who gets signals, locks, leases, pipe sizes.
    "fcntl": _one_of(1, 0, 1, 2, 3, 4, 1030),
    # TCGETS, TCGETS2, TIOCGWINSZ: is it a terminal, how wide? FIONBIO, FIONCLEX, FIOCLEX. Not TIOCSTI, which types.
    "ioctl": _one_of(1, 0x5401, 0x802C_542A, 0x5413, 0x5421, 0x5450, 0x5451),
    # Advice up to 63; what comes later breaks pages on purpose, for testing.
    "madvise": _flags(2, needed=0, possible=0x3F),
    # Only among the threads of one process.
    "membarrier": _flags(0, needed=0, possible=0x1F8),
    "openat": _opening(2),
    # PR_SET_NAME, PR_GET_NAME, PR_SVE_GET_VL, PR_SME_GET_VL, and PR_SET_VMA_ANON_NAME: names for threads and memory,
    # and how wide ARM's vectors are.
    "prctl": (*_one_of(0, 15, 16, 51, 64), {0: (_ALL, 0x5356_4D41), 1: (_ALL, 0)}),
    # To read one's own limits, not to set any.
    "prlimit64": ({0: (_ALL, 0), 2: (_ALL, 0)},),
    # Along a pair, not to an address.
    "sendto": ({4: (_ALL, 0)},),
    # AF_UNIX streams, with SOCK_CLOEXEC and SOCK_NONBLOCK; along a pair of datagram sockets one may name an address.
    "socketpair": ({0: (_ALL, 1), 1: (_ALL ^ 0o2004000, 1)},),
}
_ALLOWED_ON_X86_WITH: dict[str, tuple[Way, ...]] = {
    # May the matrix unit (AMX) be used? Without it sums are rounded differently.
    "arch_prctl": _one_of(0, 0x1021, 0x1022, 0x1023),
    "open": _opening(1),
}


class Filter:
    """The allow-list, compiled: made once, loaded by every child.

    Attributes:
        program: what the kernel runs at each system call, 8 bytes an instruction.
    """

    def __init__(self, rules: seccompy.Filter) -> None:
        self._rules = rules
        self.program: bytes = rules.program

    def load(self) -> None:
        """Put it on the calling thread, and all threads that this one starts later, for good.

        The process must have no other thread yet. Raises OSError if the kernel refuses.
        """
        self._rules.load()


def unsupported() -> str | None:
    """Why system calls cannot be filtered here, or None where they can."""
    if sys.platform != "linux":
        return "only on Linux"
    try:
        import seccompy  # noqa: PLC0415 - only installed on Linux
    except ImportError:
        return "the package seccompy is not installed"
    if platform.machine() not in {"x86_64", "aarch64"} or sys.maxsize < _ALL >> 1:
        return f"not for this machine ({platform.machine()}, {sys.maxsize.bit_length() + 1} bits)"
    try:
        return None if seccompy.supported() else "this kernel has no seccomp filters"
    except OSError as error:  # a container's own filter may say so
        return f"the kernel refuses it ({error})"


def build() -> Filter:
    """The filter for this machine, to be made before forking: finding the C library may run programs.

    Raises GraderFault where it is unsupported.
    """
    reason = unsupported()
    if reason is not None:
        raise GraderFault(
            f"System calls cannot be filtered: {reason}. `autograder doctor` says more."
        )
    return _compiled()


def _compiled() -> Filter:
    import seccompy  # noqa: PLC0415 - only installed on Linux

    plain = [name for names in _ALLOWED.values() for name in names.split()]
    with_arguments = _ALLOWED_WITH
    if seccompy.arch() == "x86_64":
        plain += _ALLOWED_ON_X86.split()
        with_arguments = with_arguments | _ALLOWED_ON_X86_WITH
    rules = seccompy.Filter(default=seccompy.Action.ERRNO | errno.EPERM)
    for name in plain:
        rules.allow(name)
    for name, ways in with_arguments.items():
        for way in ways:
            rules.allow(name, args=[_condition(*argument) for argument in way.items()])
    rules.errno("clone3", errno.ENOSYS)
    return Filter(rules)


def _condition(position: int, wanted: tuple[int, int]) -> seccompy.ArgCmp:
    import seccompy  # noqa: PLC0415 - only installed on Linux

    mask, value = wanted
    return seccompy.ArgCmp(position, seccompy.CmpOp.MASKED_EQ, value, mask)


class SystemCalls(Layer):
    """An allow-list of system calls, by seccomp."""

    name = "seccomp"
    stops = "starting processes, signals, sockets, debugging, and every system call that is not on a list"
    get = "Linux on x86-64 or 64-bit ARM, with seccomp in its kernel, and `pip install seccompy`."

    def __init__(self) -> None:
        self._filter: Filter | None = None

    def missing(self) -> str | None:
        return unsupported()

    def prepare(self) -> None:
        self._filter = build()

    def apply(self, place: Place) -> None:
        assert self._filter is not None
        gain_no_privileges()
        self._filter.load()

    def gaps(self, place: Place) -> list[str]:
        def fork() -> None:
            child = os.fork()
            if child == 0:
                os._exit(0)
            os.waitpid(child, 0)

        def unknown() -> None:
            ctypes.set_errno(0)
            ctypes.CDLL(None, use_errno=True).syscall(600)
            if ctypes.get_errno() == errno.EPERM:
                raise PermissionError

        return not_stopped(
            {
                "fork": fork,
                "sockets": socket.socket,
                "signals": lambda: os.kill(os.getppid(), 0),
                "new system calls": unknown,
            }
        )
