"""The layers between a student's code and this machine: each put on by the child, each tested by what it stops.

A layer is looked for (`missing`), made ready in the warm process (`prepare`), and put on in each child (`apply`): it
raises if it cannot be put on, and then no student's code runs. `gaps` is its test: run in a child that wears it and no
other, it tries harmlessly what the layer is there to stop, and names what was not stopped.
"""

from __future__ import annotations

import ctypes
import errno
import mmap
import os
import socket
import sys
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from autograder.sandbox.places import devices, environment, readable
from autograder.sandbox.privileges import (
    drop_capabilities,
    end_with_parent,
    gain_no_privileges,
    keep_others_out,
    lets_others_in,
    may_gain_privileges,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from autograder.sandbox.seccomp import Filter

MAX_FILES = 64
MAX_FILE_SIZE = 16 * 1024 * 1024
# Above what this user already runs: a number that no honest program comes near, and a fork bomb soon reaches.
MORE_PROCESSES = 1024
NOBODY = 65534


@dataclass(frozen=True)
class Place:
    """What a child is given.

    Attributes:
        folder: its working folder, which is empty.
        memory: megabytes of address space.
        cpu: seconds of computing time for the whole submission.
        witness: a file that its user may read and the layers must not let it read.
    """

    folder: str
    memory: int
    cpu: int
    witness: str


class Layer:
    """One layer. `required` ones are never done without; `get` says how to have it where it is missing."""

    name: ClassVar[str]
    stops: ClassVar[str]
    get: ClassVar[str] = "It is part of Linux."

    def missing(self) -> str | None:
        """Why it cannot be had here, if so."""
        return None

    def prepare(self) -> None:
        """Do once, before any child is forked, what takes time."""

    def apply(self, place: Place) -> None:
        """Put it on, in the child. Raises OSError or RuntimeError if that fails."""

    def gaps(self, place: Place) -> list[str]:
        """What it does not stop although it should."""
        raise NotImplementedError


class Process(Layer):
    """What every child is given by the process that forks it."""

    name = "process"
    stops = (
        "reading the grader's memory, files and environment; outliving the check; endless output"
    )

    def gaps(self, place: Place) -> list[str]:
        extra = sorted(os.environ.keys() - environment("") - _SET_BY_OTHERS)
        open_files = [one for one in range(3, 256) if _succeeds(partial(os.fstat, one))]
        return [*extra, *(f"file descriptor {one}" for one in open_files)]


class ResourceLimits(Layer):
    """What the kernel counts for each process."""

    name = "limits"
    stops = "taking all memory, computing time, open files or disk space"

    def prepare(self) -> None:
        self._processes = _processes_of(os.getuid()) + MORE_PROCESSES

    def apply(self, place: Place) -> None:
        import resource  # noqa: PLC0415 - not on Windows

        limits = {
            resource.RLIMIT_AS: place.memory * 1024 * 1024,
            resource.RLIMIT_CPU: place.cpu,
            resource.RLIMIT_CORE: 0,
            resource.RLIMIT_FSIZE: MAX_FILE_SIZE,
            resource.RLIMIT_NOFILE: MAX_FILES,
            resource.RLIMIT_NPROC: self._processes,
        }
        for kind, limit in limits.items():
            _, hard = resource.getrlimit(kind)
            size = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
            resource.setrlimit(kind, (size, size))

    def gaps(self, place: Place) -> list[str]:
        def files() -> None:
            opened = []
            try:
                opened += [os.dup(0) for _ in range(MAX_FILES)]
            finally:
                for one in opened:
                    os.close(one)

        return _open(
            {
                "memory": lambda: mmap.mmap(-1, (place.memory + 1) * 1024 * 1024),
                "open files": files,
            }
        )


class Unprivileged(Layer):
    """A child of root becomes nobody or, where nobody could not read the interpreter, root without its powers."""

    name = "user"
    stops = "the powers of root, where grading was started as root"
    get = "Grade as an ordinary user."

    def missing(self) -> str | None:
        return None if os.geteuid() == 0 else f"{NOT_NEEDED}: you are not root"

    def prepare(self) -> None:
        self._nobody = all(_open_to_all(path) for path in readable())

    def apply(self, place: Place) -> None:
        if self._nobody:
            os.setgroups([])
            os.setresgid(NOBODY, NOBODY, NOBODY)
            os.setresuid(NOBODY, NOBODY, NOBODY)
        else:
            drop_capabilities()

    def gaps(self, place: Place) -> list[str]:
        return _open(
            {
                "chroot": lambda: os.chroot("/"),
                "changing groups": lambda: os.setgroups([0]),
                "becoming another user": lambda: os.setresuid(1, 1, 1),
            }
        )


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


class SystemCalls(Layer):
    """An allow-list of system calls, by seccomp."""

    name = "seccomp"
    stops = "starting processes, signals, sockets, debugging, and every system call that is not on a list"
    get = "Linux on x86-64 or 64-bit ARM, with seccomp in its kernel, and `pip install seccompy`."

    def __init__(self) -> None:
        self._filter: Filter | None = None

    def missing(self) -> str | None:
        try:
            from autograder.sandbox.seccomp import unsupported  # noqa: PLC0415
        except ImportError as error:
            return str(error)
        return unsupported()

    def prepare(self) -> None:
        from autograder.sandbox.seccomp import build  # noqa: PLC0415

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

        return _open(
            {
                "fork": fork,
                "sockets": socket.socket,
                "signals": lambda: os.kill(os.getppid(), 0),
                "new system calls": unknown,
            }
        )


class FileRules(Layer):
    """Rules about files, by Landlock: some may be read, none written."""

    name = "landlock"
    stops = "reading files but those of the interpreter and its libraries; writing any file"
    get = "Linux 5.13 or newer with Landlock among its security modules, and `pip install landlockpy`."

    def missing(self) -> str | None:
        if sys.platform != "linux":
            return "only on Linux"
        try:
            import landlockpy  # noqa: PLC0415
        except ImportError as error:
            return str(error)
        return None if landlockpy.supported() else "this kernel has no Landlock"

    def prepare(self) -> None:
        self._readable = readable()
        self._devices = devices()

    def apply(self, place: Place) -> None:
        from landlockpy import AccessFS, Ruleset, Scope  # noqa: PLC0415

        read = AccessFS.READ_FILE | AccessFS.READ_DIR
        scope = Scope.ABSTRACT_UNIX_SOCKET | Scope.SIGNAL
        # Made anew in each child: rules that one child added to a shared ruleset would hold for the next.
        with Ruleset(scoped=scope) as rules:
            for path in self._readable:
                rules.allow_path(path, read if Path(path).is_dir() else AccessFS.READ_FILE)
            for path in self._devices:
                rules.allow_path(path, AccessFS.READ_FILE)
            rules.allow_path("/dev/null", AccessFS.READ_FILE | AccessFS.WRITE_FILE)
            rules.allow_path(place.folder, AccessFS.READ_DIR)
            rules.restrict()

    def gaps(self, place: Place) -> list[str]:
        return _open(
            {
                "reading files": lambda: Path(place.witness).read_bytes(),
                "writing files": lambda: Path(place.folder, "written").write_bytes(b""),
                "listing folders": lambda: os.listdir("/"),  # noqa: PTH208
            }
        )


class Bubblewrap(Layer):
    """A world of its own around the warm process, by bubblewrap: other files, processes and networks are not there."""

    name = "bubblewrap"
    stops = "seeing other files, processes and networks"
    get = "Debian and Ubuntu: `apt install bubblewrap`."

    def gaps(self, place: Place) -> list[str]:
        others = [name for name in os.listdir("/proc") if name.isdigit()]  # noqa: PTH208
        networks = Path("/proc/net/dev").read_text(encoding="ascii").splitlines()[2:]
        gaps = _open(
            {
                "reading files": lambda: Path("/etc/passwd").read_bytes(),
                "writing files": lambda: Path("/written").write_bytes(b""),
            }
        )
        gaps += ["other processes"] if len(others) > _OF_OUR_OWN else []
        return gaps + [line.split(":")[0].strip() for line in networks if "lo:" not in line]


# By Python, for the locale, and by bubblewrap.
_SET_BY_OTHERS = {"LC_CTYPE", "PWD"}
# The warm process and its children: this one, and those that are tried or wait.
_OF_OUR_OWN = 2

# In the order in which a child puts them on: what a later one needs, an earlier one must not have taken away.
LAYERS: tuple[type[Layer], ...] = (
    Process,
    Bubblewrap,
    ResourceLimits,
    Unprivileged,
    NoNewPrivileges,
    FileRules,
    SystemCalls,
)
BY_NAME = {layer.name: layer for layer in LAYERS}

NOT_NEEDED = "not needed"


def lacking(survey: Mapping[str, str]) -> list[str]:
    """What is missing for strangers' code: names of layers, each with why it is not worn."""
    open_ = {
        name: survey.get(name, "not here: only on Linux")
        for name in BY_NAME
        if survey.get(name) != ""
    }
    open_ = {name: why for name, why in open_.items() if not why.startswith(NOT_NEEDED)}
    if not {FileRules.name, Bubblewrap.name} <= open_.keys():  # either will do
        open_ = {k: v for k, v in open_.items() if k not in (FileRules.name, Bubblewrap.name)}
    return [f"{name}: {why}" for name, why in open_.items()]


def _processes_of(user: int) -> int:
    """How many threads run under this user, about: the limit counts those of all its programs."""
    count = 0
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                if entry.stat().st_uid == user:
                    count += sum(1 for _ in (entry / "task").iterdir())
            except OSError:  # it has just ended, or is not to be looked at
                continue
    return count


def _open_to_all(path: str) -> bool:
    """Whether any user may pass through the folders above `path` and read it."""
    place = Path(path).resolve()
    needed = 0o5 if place.is_dir() else 0o4
    if place.stat().st_mode & needed != needed:
        return False
    return all(parent.stat().st_mode & 0o1 for parent in place.parents)


def _open(attempts: dict[str, Callable[[], object]]) -> list[str]:
    return [name for name, attempt in attempts.items() if _succeeds(attempt)]


def _succeeds(attempt: Callable[[], object]) -> bool:
    try:
        attempt()
    except (OSError, MemoryError, ValueError):
        return False
    return True
