"""What a process on Linux gives up, and what it asks for itself: Python has no words for `prctl` and capabilities."""

from __future__ import annotations

import ctypes
import os
import sys
from functools import cache

from autograder.sandbox.layers.base import Layer, Place

_PR_SET_PDEATHSIG = 1
_PR_GET_DUMPABLE = 3
_PR_SET_DUMPABLE = 4
_PR_CAPBSET_DROP = 24
_PR_SET_SECUREBITS = 28
_PR_SET_CHILD_SUBREAPER = 36
_PR_SET_NO_NEW_PRIVS = 38
_PR_GET_NO_NEW_PRIVS = 39
_SIGKILL = 9
# Root is nobody special, not even after running another program; and all that cannot be taken back.
_SECUREBITS_WITHOUT_ROOT = 0b101111
_CAPABILITY_VERSION_3 = 0x20080522


def adopt_orphans() -> None:
    """Let processes that lost their parent become this one's children, so that it can end them."""
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)


def keep_others_out() -> None:
    """Let no process of the same user read this one's memory or environment; elsewhere than on Linux nothing."""
    if sys.platform == "linux":
        _prctl(_PR_SET_DUMPABLE, 0)


def lets_others_in() -> bool:
    """Whether another process of the same user may look in."""
    return _prctl(_PR_GET_DUMPABLE) != 0


def gain_no_privileges() -> None:
    """No program that this process becomes gives it any power."""
    _prctl(_PR_SET_NO_NEW_PRIVS, 1)


def may_gain_privileges() -> bool:
    """Whether a setuid program would."""
    return _prctl(_PR_GET_NO_NEW_PRIVS) != 1


def end_with_parent() -> None:
    """When the process that forked this one ends, so does this one."""
    _prctl(_PR_SET_PDEATHSIG, _SIGKILL)


def drop_capabilities() -> None:
    """Stay root, without any of its powers, for good."""
    libc = _libc()
    _prctl(_PR_SET_SECUREBITS, _SECUREBITS_WITHOUT_ROOT)
    capability = 0
    while libc.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0) == 0:
        capability += 1
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)
    nothing = (ctypes.c_uint32 * 6)()
    if libc.capset(header, nothing) != 0:
        raise OSError(ctypes.get_errno(), "capset failed")


@cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _prctl(option: int, value: int = 0) -> int:
    result = _libc().prctl(option, ctypes.c_ulong(value), 0, 0, 0)
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"prctl({option}, {value}): {os.strerror(code)}")
    return int(result)


class NoNewPrivileges(Layer):
    """No program can give powers, no process of the same user may look in, and the child dies with its parent."""

    name = "no_new_privileges"
    stops = (
        "setuid programs; debugging by other processes of the same user; outliving the warm process"
    )

    def apply(self, place: Place) -> None:
        gain_no_privileges()
        keep_others_out()
        end_with_parent()

    def gaps(self, place: Place) -> list[str]:
        states = {
            "gaining privileges": may_gain_privileges(),
            "being debugged": lets_others_in(),
        }
        return [name for name, is_open in states.items() if is_open]
