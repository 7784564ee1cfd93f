"""Compile a list of system calls to the program that the kernel runs at each call.

By the system's `libseccomp.so.2`. The program fails a call that is not listed with EPERM, and ends the process at a
call by the numbers of another architecture or by an x32 number.
"""

from __future__ import annotations

import ctypes
import errno
import os
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

# One allowed form of a call: for each argument, by its position, a mask and the value that the masked bits must have.
Way = dict[int, tuple[int, int]]

LIBRARY = "libseccomp.so.2"
# Earlier versions compare arguments of 64 bits wrongly (CVE-2019-9893).
_FIRST_VERSION = (2, 4, 0)
_ALLOW, _KILL, _ERRNO = 0x7FFF_0000, 0x8000_0000, 0x0005_0000
_ARCHITECTURE = 2  # attribute of a filter: what another architecture's numbers do
_MASKED_EQUAL = 7
# The kernel's names for the architectures whose list there is.
ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}


class Rule(NamedTuple):
    """A system call in one of its ways. A process may make it, or it fails with an error of its own.

    Attributes:
        error: the error's number; 0 for a call that is allowed.
    """

    name: str
    error: int
    way: Way


class Libseccomp:
    """The system's own library. Loaded by its name: `find_library` would run other programs."""

    def __init__(self) -> None:
        """Load the library. Raises OSError if there is none, or only an old one."""
        self._library = ctypes.CDLL(LIBRARY, use_errno=True)
        self._library.seccomp_version.restype = ctypes.POINTER(ctypes.c_uint * 3)
        self._library.seccomp_init.restype = ctypes.c_void_p
        self._library.seccomp_arch_native.restype = ctypes.c_uint32
        version = tuple(self._library.seccomp_version().contents)
        if version < _FIRST_VERSION:
            raise OSError(errno.ENOSYS, f"{LIBRARY} {version} is too old")
        self.name = f"libseccomp {'.'.join(map(str, version))}"

    def compile(self, rules: Iterable[Rule], machine: str) -> bytes:
        """Return the program for a machine, 8 bytes an instruction. Raises OSError if that fails."""
        library = self._library
        filters = ctypes.c_void_p(library.seccomp_init(_ERRNO | errno.EPERM))
        if not filters:
            raise MemoryError
        try:
            _succeed(library.seccomp_attr_set(filters, _ARCHITECTURE, _KILL))
            if library.seccomp_arch_native() != ARCHITECTURES[machine]:
                _succeed(library.seccomp_arch_add(filters, ARCHITECTURES[machine]))
                _succeed(library.seccomp_arch_remove(filters, library.seccomp_arch_native()))
            for rule in rules:
                self._add(filters, rule)
            return self._exported(filters)
        finally:
            library.seccomp_release(filters)

    def _add(self, filters: ctypes.c_void_p, rule: Rule) -> None:
        action = _ERRNO | rule.error if rule.error else _ALLOW
        number = self._library.seccomp_syscall_resolve_name(rule.name.encode())
        if number < 0:
            raise OSError(errno.ENOSYS, f"{self.name} does not know the system call {rule.name}")
        conditions = [
            _Condition(position, _MASKED_EQUAL, *wanted) for position, wanted in rule.way.items()
        ]
        count = len(conditions)
        added = self._library.seccomp_rule_add_exact_array(
            filters, action, number, count, (_Condition * count)(*conditions)
        )
        _succeed(added)

    def _exported(self, filters: ctypes.c_void_p) -> bytes:
        descriptor = os.memfd_create("filter")
        with os.fdopen(descriptor, "w+b") as file:
            _succeed(self._library.seccomp_export_bpf(filters, descriptor))
            file.seek(0)
            return file.read()


class _Condition(ctypes.Structure):
    """libseccomp's `struct scmp_arg_cmp`."""

    _fields_ = (
        ("position", ctypes.c_uint),
        ("comparison", ctypes.c_int),
        ("mask", ctypes.c_uint64),
        ("value", ctypes.c_uint64),
    )


def _succeed(result: int) -> None:
    if result < 0:
        raise OSError(-result, os.strerror(-result))
