"""The layer of system calls: an allow-list, which each forked child applies to itself by seccomp.

The list holds what Python, NumPy and torch need to compute, print, start threads and read files. Every other call fails
with EPERM, also one that a later kernel adds. Which files may be opened is not decided here: seccomp sees numbers, not
what a pointer points at. For Linux on x86-64 and on 64-bit ARM.

`filter_compiler` makes the kernel's program of the list. A call by the numbers of another architecture (`int 0x80`) or
by an x32 number ends the process.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import socket
import sys
from typing import TYPE_CHECKING

from autograder.sandbox.layers.base import Layer, WorkerLimits
from autograder.sandbox.layers.filter_compiler import (
    ARCHITECTURES,
    LIBRARY,
    Libseccomp,
    Rule,
    Way,
)
from autograder.sandbox.layers.prctl import (
    can_filter_system_calls,
    filter_system_calls,
    gain_no_privileges,
)
from autograder.sandbox.layers.status import LayerStatus, not_here

if TYPE_CHECKING:
    from autograder.sandbox.layers.base import Attempts


# Not on the list, because it would affect others: sending signals (even to oneself), starting processes, changing a
# file's name, mode or times, naming an address to send to, reading about another process or what all of them use.
_ALLOWED = {
    "memory": "brk mmap mprotect mremap msync munmap",
    "streams": "close dup dup3 lseek pread64 read readv write writev",
    "files and folders": "chdir faccessat faccessat2 fchdir fstat getcwd getdents64 newfstatat readlinkat statx",
    "waiting": "epoll_create1 epoll_ctl epoll_pwait eventfd2 pipe2 ppoll pselect6",
    "asyncio": "getsockname recvfrom",
    "threads": "exit exit_group getcpu rseq sched_getaffinity sched_yield set_robust_list",
    "signals to oneself": "getitimer restart_syscall rt_sigaction rt_sigpending rt_sigprocmask rt_sigreturn"
    " rt_sigsuspend rt_sigtimedwait setitimer sigaltstack",
    "time": "gettimeofday nanosleep times",
    "identity": "getegid geteuid getgid getgroups getpid getppid getresgid getresuid gettid getuid",
    "machine": "getrandom getrlimit getrusage uname",
}
# Older forms of some of these, which 64-bit ARM does not have.
_ALLOWED_ON_X86 = "access alarm dup2 epoll_wait lstat pause pipe poll readlink select stat time"

_ALL = 0xFFFF_FFFF_FFFF_FFFF


def _one_of(position: int, *values: int) -> tuple[Way, ...]:
    return tuple({position: (_ALL, value)} for value in values)


def _flags(position: int, needed: int, possible: int) -> tuple[Way, ...]:
    return ({position: (_ALL ^ possible, needed)},)


def _opening(position: int) -> tuple[Way, ...]:
    # Landlock before version 3 allows O_TRUNC on a file that is opened for reading, or for neither reading nor writing.
    access, write_only, read_and_write, truncate = 0o3, 0o1, 0o2, 0o1000
    return (
        {position: (truncate, 0)},
        {position: (access, write_only)},
        {position: (access, read_and_write)},
    )


# The clocks of the machine, of this process and this thread. The clocks of other processes have negative numbers.
_CLOCKS = _flags(0, needed=0, possible=0xF)

_ALLOWED_WITH: dict[str, tuple[Way, ...]] = {
    "clock_getres": _CLOCKS,
    "clock_gettime": _CLOCKS,
    "clock_nanosleep": _CLOCKS,
    # CLONE_VM, FS, FILES, SIGHAND and THREAD: a thread, no process. The other flags say where its number is kept. The
    # flags of clone3 are behind a pointer; as it fails with ENOSYS (below), the C library uses this one.
    "clone": _flags(0, needed=0x0001_0F00, possible=0x017C_0000),
    # FUTEX_PRIVATE_FLAG: between the threads of one process. Others could signal through a file that both may map.
    "futex": ({1: (0x80, 0x80)},),
    # F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC: no signal owners, locks, leases or pipe sizes.
    "fcntl": _one_of(1, 0, 1, 2, 3, 4, 1030),
    # TCGETS, TCGETS2, TIOCGWINSZ: is it a terminal, how wide? FIONBIO, FIONCLEX, FIOCLEX. Not TIOCSTI: it types input.
    "ioctl": _one_of(1, 0x5401, 0x802C_542A, 0x5413, 0x5421, 0x5450, 0x5451),
    # Not MADV_COLD and MADV_PAGEOUT: the owner of a file would take it out of memory, which others can see. Not
    # MADV_MERGEABLE, which shares pages with others, nor what damages pages for tests.
    "madvise": _one_of(2, 0, 1, 2, 3, 4, 8, 9, 10, 11, 14, 15, 16, 17, 18, 19),
    # Only among the threads of one process.
    "membarrier": _flags(0, needed=0, possible=0x1F8),
    "openat": _opening(2),
    # PR_SET_NAME, PR_GET_NAME, PR_SVE_GET_VL, PR_SME_GET_VL, and PR_SET_VMA_ANON_NAME: names of threads and memory, and
    # the width of ARM's vectors.
    "prctl": (*_one_of(0, 15, 16, 51, 64), {0: (_ALL, 0x5356_4D41), 1: (_ALL, 0)}),
    # To read the process's own limits, not to set any.
    "prlimit64": ({0: (_ALL, 0), 2: (_ALL, 0)},),
    # Through a connected pair, not to an address.
    "sendto": ({4: (_ALL, 0)},),
    # AF_UNIX streams, with SOCK_CLOEXEC and SOCK_NONBLOCK. Not datagram sockets: they can send to an address.
    "socketpair": ({0: (_ALL, 1), 1: (_ALL ^ 0o2004000, 1)},),
}
_FAILING: dict[str, tuple[int, tuple[Way, ...]]] = {
    "clone3": (errno.ENOSYS, ({},)),
    # FUTEX_WAIT and FUTEX_WAIT_BITSET without the flag: the C library joins threads by them, and looks again at once.
    # No wake of another process reaches this one, nor that of the kernel when a thread of another one ends.
    "futex": (errno.EAGAIN, tuple({1: (_ALL ^ 0x100, wait)} for wait in (0, 9))),
}
_ALLOWED_ON_X86_WITH: dict[str, tuple[Way, ...]] = {
    # Permission for the matrix unit (AMX). Without it sums are rounded differently.
    "arch_prctl": _one_of(0, 0x1021, 0x1022, 0x1023),
    "open": _opening(1),
}


def unsupported() -> str | None:
    """Why system calls cannot be filtered on this machine; None if they can."""
    if sys.platform != "linux":
        return "only on Linux"
    if platform.machine() not in ARCHITECTURES or sys.maxsize < _ALL >> 1:
        return f"not for this machine ({platform.machine()}, {sys.maxsize.bit_length() + 1} bits)"
    try:
        Libseccomp()
    except OSError as error:
        return f"the library {LIBRARY} cannot be used ({error})"
    try:
        return None if can_filter_system_calls() else "this kernel has no seccomp filters"
    except OSError as error:  # a container's own filter may say so
        return f"the kernel refuses it ({error})"


def allow_list(machine: str) -> list[Rule]:
    """Return the system calls that a process on this machine may make."""
    on_x86 = machine == "x86_64"
    plain = [name for names in _ALLOWED.values() for name in names.split()]
    plain += _ALLOWED_ON_X86.split() if on_x86 else []
    allowed = _ALLOWED_WITH | (_ALLOWED_ON_X86_WITH if on_x86 else {})
    return [
        *(Rule(name, 0, {}) for name in plain),
        *(Rule(name, 0, way) for name, ways in allowed.items() for way in ways),
        *(Rule(name, error, way) for name, (error, ways) in _FAILING.items() for way in ways),
    ]


class SystemCalls(Layer):
    """An allow-list of system calls, by seccomp."""

    name = "seccomp"
    stops = "starting processes, signals, sockets, debugging, and every system call that is not on a list"
    get = "Linux on x86-64 or 64-bit ARM, with seccomp in its kernel. Debian and Ubuntu: `apt install libseccomp2`."

    def missing(self) -> LayerStatus | None:
        reason = unsupported()
        return None if reason is None else not_here(reason)

    def prepare(self, limits: WorkerLimits) -> None:
        machine = platform.machine()
        compiler = Libseccomp()
        self._program = compiler.compile(allow_list(machine), machine)
        self.by = compiler.name

    def apply(self, limits: WorkerLimits) -> None:
        gain_no_privileges()
        filter_system_calls(self._program)

    def attempts(self, limits: WorkerLimits) -> Attempts:
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

        return {
            "fork": fork,
            "sockets": socket.socket,
            "signals": lambda: os.kill(os.getppid(), 0),
            "new system calls": unknown,
        }
