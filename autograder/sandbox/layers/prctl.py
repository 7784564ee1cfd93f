"""System calls that Python does not offer: `prctl`, capabilities, namespaces, the flags of mounts."""

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
_CLONE_NEWNS = 0x0002_0000
_CLONE_NEWUSER = 0x1000_0000
_MS_BIND = 0x1000
_MOUNT_SETATTR = 442  # on every architecture
_AT_FDCWD = -100
_AT_RECURSIVE = 0x8000
_MOUNT_ATTR_RDONLY = 1


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


def own_mounts(empty: str) -> None:
    """Give this process its own list of mounts, all of them read-only: the kernel moves no access time there.

    It gets a user namespace for that, in which it has all capabilities.

    Args:
        empty: a folder to show in place of /proc, where `stat` tells about other processes.
    """
    libc = _libc()
    read_only = (ctypes.c_uint64 * 4)(_MOUNT_ATTR_RDONLY)
    _succeed("unshare", libc.unshare(_CLONE_NEWNS | _CLONE_NEWUSER))
    _succeed("mount", libc.mount(empty.encode(), b"/proc", None, _MS_BIND, None))
    where, size = (_AT_FDCWD, b"/", _AT_RECURSIVE), ctypes.c_size_t(ctypes.sizeof(read_only))
    _succeed("mount_setattr", libc.syscall(_MOUNT_SETATTR, *where, read_only, size))


def drop_capabilities(user: int | None = None) -> None:
    """Give up all capabilities for good.

    Args:
        user: become this user in all but the right to read root's own files.
    """
    libc = _libc()
    _prctl(_PR_SET_SECUREBITS, _SECUREBITS_WITHOUT_ROOT)
    if user is not None:
        os.setresuid(user, user, user)
        libc.setfsuid(0)
    capability = 0
    while libc.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0) == 0:
        capability += 1
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)
    nothing = (ctypes.c_uint32 * 6)()
    _succeed("capset", libc.capset(header, nothing))


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
    return _succeed(f"prctl({option}, {value})", int(result))


def _succeed(call: str, result: int) -> int:
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{call}: {os.strerror(code)}")
    return result
