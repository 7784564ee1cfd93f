"""Calls of `prctl` and `capset`, which Python does not offer."""

from __future__ import annotations

import ctypes
import errno
import os
import sys
from functools import cache

_PR_SET_PDEATHSIG = 1
_PR_GET_DUMPABLE = 3
_PR_SET_DUMPABLE = 4
_PR_SET_SECCOMP = 22
_PR_CAPBSET_DROP = 24
_PR_SET_SECUREBITS = 28
_PR_SET_CHILD_SUBREAPER = 36
_PR_SET_NO_NEW_PRIVS = 38
_PR_GET_NO_NEW_PRIVS = 39
_SECCOMP_MODE_FILTER = 2
_INSTRUCTION = 8  # bytes
_SIGKILL = 9
# Root gets no privileges, not even after exec, and these bits are locked.
_SECUREBITS_WITHOUT_ROOT = 0b101111
_CAPABILITY_VERSION_3 = 0x20080522


def adopt_orphans() -> None:
    """Become the parent of orphaned descendants, so that this process can end them."""
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)


def set_undumpable() -> None:
    """Keep other processes of the same user from reading this one's memory and environment. Does nothing off Linux."""
    if sys.platform == "linux":
        _prctl(_PR_SET_DUMPABLE, 0)


def is_dumpable() -> bool:
    """Return whether another process of the same user may read this one's memory."""
    return _prctl(_PR_GET_DUMPABLE) != 0


def gain_no_privileges() -> None:
    """Gain no privileges from any program that this process executes."""
    _prctl(_PR_SET_NO_NEW_PRIVS, 1)


def may_gain_privileges() -> bool:
    """Return whether executing a setuid program gives privileges."""
    return _prctl(_PR_GET_NO_NEW_PRIVS) != 1


def end_with_parent() -> None:
    """End this process when its parent ends."""
    _prctl(_PR_SET_PDEATHSIG, _SIGKILL)


def drop_capabilities() -> None:
    """Remain root without any capability, for good."""
    libc = _libc()
    _prctl(_PR_SET_SECUREBITS, _SECUREBITS_WITHOUT_ROOT)
    capability = 0
    while libc.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0) == 0:
        capability += 1
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)
    nothing = (ctypes.c_uint32 * 6)()
    if libc.capset(header, nothing) != 0:
        raise OSError(ctypes.get_errno(), "capset failed")


class _Program(ctypes.Structure):
    """The kernel's `struct sock_fprog`."""

    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def can_filter_system_calls() -> bool:
    """Return whether this kernel has seccomp filters. Raises OSError if it does not say."""
    try:
        _prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER)  # no program
    except OSError as error:
        if error.errno not in {errno.EFAULT, errno.EINVAL}:
            raise
        return error.errno == errno.EFAULT
    return False


def filter_system_calls(program: bytes) -> None:
    """Let the kernel run this program at each system call of this thread, for good. Raises OSError if it refuses."""
    whole = _Program(len(program) // _INSTRUCTION, program)
    _prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.addressof(whole))


@cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _prctl(option: int, value: int = 0, pointer: int = 0) -> int:
    result = _libc().prctl(option, ctypes.c_ulong(value), ctypes.c_ulong(pointer), 0, 0)
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"prctl({option}, {value}): {os.strerror(code)}")
    return int(result)
