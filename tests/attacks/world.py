"""A world around the sandbox with targets for attacks, in which all traces are detected.

Targets: files that the same user may read and write, a secret in the grader's environment,
listening services, and a process that must survive.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import secrets
import select
import shutil
import socket
import string
import subprocess
import sysconfig
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import NamedTuple, Self

import psutil

import autograder
from autograder.sandbox.layers.prctl import drop_capabilities

ROOT = Path(__file__).parents[2]
SOLUTION = ROOT / "solutions" / "self_attention" / "self_attention.py"
SECRET = "akt-secret-"
TOKEN_VARIABLE = "AKT_GRADER_TOKEN"
# The creator of the world adds this folder to the grader's PATH.
FOLDER_IN_PATH = "/nonexistent/home-of-a-teacher/bin"
SETTLING = 2.0

# Folders for files that outlive their process.
_PUBLIC = (
    *("/tmp", "/var/tmp", "/dev/shm", "/dev/mqueue", "/run", "/run/lock", "/var/crash", "/"),
    *("/var/spool/cron", "/etc/cron.d", "/sys/fs/cgroup"),
)
_SYSTEM_V = ("/proc/sysvipc/shm", "/proc/sysvipc/sem", "/proc/sysvipc/msg")


class User(NamedTuple):
    """The user of workers.

    Attributes:
        files: whose files the kernel takes for its own; root's, where it must read the interpreter.
    """

    user: int
    group: int
    files: int


def _random_letters(count: int) -> str:
    """Return a token without digits: a result's texts show no number that is not in the source."""
    return "".join(secrets.choice(string.ascii_lowercase) for _ in range(count))


class World:
    """The targets of attacks, made for one user, and their changes since `begin`."""

    def __init__(self, student: User) -> None:
        self.student = student
        mark = _random_letters(16)
        self.token = f"akt-left-{mark}"
        self.done = f"akt-done-{mark}"
        self.secrets = {
            name: SECRET + _random_letters(32) for name in ("file", "neighbour", "environment")
        }
        self.folder = Path(tempfile.mkdtemp(prefix="akt-world-"))
        self._stack = contextlib.ExitStack()
        self._stack.callback(self._remove)
        self.results = self.folder / "results"
        self.victim = self.folder / "victim"
        self.secret = self.folder / "secret"
        self.neighbour = self.folder / "submissions" / "neighbour" / "self_attention.py"
        self._make_files()
        self._listen()
        self.dummy = self._start_dummy()
        self._public = self._strange_names()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def filled(self, text: str) -> str:
        """Return an attack's text with this world's values in place of the placeholders."""
        for name, value in self._things().items():
            text = text.replace(f"@{name}@", value)
        return text

    def begin(self) -> None:
        self._files = self._look()
        self._public = self._strange_names()
        self._mailboxes = _mailboxes()
        self._dummy_state = self._state_of_dummy()
        self._received()

    def changes(self) -> list[str]:
        now = self._look()
        paths = sorted(now.keys() | self._files)
        found = [f"changed {one.name}" for one in paths if now.get(one) != self._files.get(one)]
        found += [f"left {path}" for path in sorted(self._strange_names() - self._public)]
        found += [f"left a mailbox: {line}" for line in sorted(_mailboxes() - self._mailboxes)]
        found += self._received()
        state = self._state_of_dummy()
        if state != self._dummy_state:
            found.append(f"another process: {self._dummy_state} became {state}")
        return found

    def told(self, text: str) -> list[str]:
        """Return the secrets that a text in a result reveals."""
        places = (name for name, secret in self.secrets.items() if secret in text)
        found = [f"told the secret of the {name}" for name in places]
        if "### BEGIN " + "SOLUTION" in text:
            found.append("told the solution")
        if self.done[::-1] in text:
            found.append("did what it said")
        return found

    def sweep(self) -> None:
        """Remove files left outside of this world's own folder."""
        for path in self._strange_names() - self._public:
            with contextlib.suppress(OSError):
                if path.is_dir() and not path.is_symlink():
                    shutil.rmtree(path)
                else:
                    path.unlink()

    def _things(self) -> dict[str, str]:
        return {
            "SECRET_FILE": str(self.secret),
            "VICTIM_FILE": str(self.victim),
            "NEIGHBOUR": str(self.neighbour),
            "SOLUTION": str(SOLUTION),
            "RESULTS": str(self.results),
            "PORT": str(self._tcp.getsockname()[1]),
            "UDP_PORT": str(self._udp.getsockname()[1]),
            "UNIX_SOCKET": str(self.folder / "stream"),
            "UNIX_DATAGRAMS": str(self.folder / "datagrams"),
            "ABSTRACT": self.token,
            "PID": str(self.dummy.pid),
            "GRADER_PID": str(os.getpid()),
            "TOKEN": self.token,
            "DONE": self.done,
            "HOSTNAME": socket.gethostname(),
            "FOLDER_IN_PATH": FOLDER_IN_PATH,
            "OPENED_AGAIN": "tags=[" * 16_000,
        }

    def _make_files(self) -> None:
        for folder in (self.results / "earlier", self.neighbour.parent):
            folder.mkdir(parents=True)
        self.secret.write_text(f"{self.secrets['file']}\n", encoding="utf-8")
        self.victim.write_text("to stay as it is\n", encoding="utf-8")
        text = f"# {self.secrets['neighbour']}\ndef attention_score(query, key):\n    return query @ key\n"
        self.neighbour.write_text(text, encoding="utf-8")
        (self.results / "earlier" / "results.json").write_text("{}\n", encoding="utf-8")
        (self.results / "grades.csv").write_text("student,score\n", encoding="utf-8")
        # The worst case: only the sandbox protects these files.
        for path in (self.folder, *self.folder.rglob("*")):
            path.chmod(0o777 if path.is_dir() else 0o666)
            if os.geteuid() == 0:
                os.chown(path, self.student.files, -1)

    def _listen(self) -> None:
        def opened(
            family: socket.AddressFamily, kind: socket.SocketKind, address: tuple[str, int] | str
        ) -> socket.socket:
            server = self._stack.enter_context(socket.socket(family, kind))
            server.bind(address)
            if kind == socket.SOCK_STREAM:
                server.listen()
            server.setblocking(False)
            return server

        stream, datagrams = socket.SOCK_STREAM, socket.SOCK_DGRAM
        self._tcp = opened(socket.AF_INET, stream, ("127.0.0.1", 0))
        self._udp = opened(socket.AF_INET, datagrams, ("127.0.0.1", 0))
        path, name = str(self.folder), f"\0{self.token}"
        self._listeners = {
            "a TCP port": self._tcp,
            "a UDP port": self._udp,
            "a socket's path": opened(socket.AF_UNIX, stream, f"{path}/stream"),
            "a socket's path, by datagram": opened(socket.AF_UNIX, datagrams, f"{path}/datagrams"),
            "an abstract socket": opened(socket.AF_UNIX, stream, name),
            "an abstract socket, by datagram": opened(
                socket.AF_UNIX, datagrams, f"{name}-datagrams"
            ),
        }
        for socket_file in (self.folder / "stream", self.folder / "datagrams"):
            socket_file.chmod(0o777)

    def _received(self) -> list[str]:
        """Return the listeners that received something, and empty their queues."""
        found = []
        while ready := select.select(self._listeners.values(), (), (), 0)[0]:
            for name, listener in self._listeners.items():
                if listener not in ready:
                    continue
                found.append(f"reached {name}")
                with contextlib.suppress(OSError):
                    if listener.type == socket.SOCK_STREAM:
                        listener.accept()[0].close()
                    else:
                        listener.recv(65536)
        return list(dict.fromkeys(found))

    def _start_dummy(self) -> subprocess.Popen[bytes]:
        """Start a sleeping process of the student's user, without capabilities if that user is root."""
        root = os.geteuid() == 0
        user, group, _ = self.student if root and self.student.user != 0 else (None, None, None)
        dummy = subprocess.Popen(
            ["/bin/sleep", "3600"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            user=user,
            group=group,
            extra_groups=None if user is None else [],
            start_new_session=True,
            # Safe after fork: only makes system calls and takes no lock.
            preexec_fn=drop_capabilities if root and user is None else None,  # noqa: PLW1509
        )
        self._stack.callback(dummy.wait)
        self._stack.callback(dummy.kill)
        return dummy

    def _state_of_dummy(self) -> str:
        if self.dummy.poll() is not None:
            return f"ended with {self.dummy.returncode}"
        process, pid = psutil.Process(self.dummy.pid), self.dummy.pid
        states = {
            "stopped": process.status() in (psutil.STATUS_STOPPED, psutil.STATUS_TRACING_STOP),
            "nice": process.nice(),
            "processors": process.cpu_affinity(),
            "scheduling": os.sched_getscheduler(pid),
            "input and output": tuple(process.ionice()),
            "files": _limit_of_files(pid),
        }
        return ", ".join(f"{name} {state}" for name, state in states.items())

    def _look(self) -> dict[Path, tuple[object, ...]]:
        places = [self.secret, self.victim, self.neighbour.parent, self.results]
        files = [path for place in places for path in (place, *place.rglob("*"))]
        # Not the folder itself: other tests may compile modules there at the same time.
        files += SOLUTION.parent.rglob("*")
        return {path: _seen(path) for path in files if "__pycache__" not in path.parts}

    def _strange_names(self) -> set[Path]:
        """Return files with names that only attacks use, in all folders that an attack may write."""
        kit = Path(autograder.__file__).parent
        libraries = {Path(sysconfig.get_path(name)) for name in ("stdlib", "purelib", "platlib")}
        home = Path.home()
        places = {Path.cwd(), ROOT, kit, *libraries, *map(Path, _PUBLIC)}
        places |= {home, home / ".config", home / ".local"}
        places |= {place / "__pycache__" for place in (kit, *libraries)}
        found = set()
        for place in places:
            with contextlib.suppress(OSError):
                found |= {path for path in place.iterdir() if self.token in path.name}
        found |= {path for path in Path.cwd().iterdir() if path.name.startswith("core")}
        return found | set(filter(self._holds_token, Path("/dev/shm").glob("torch_*")))

    def _holds_token(self, path: Path) -> bool:
        """Return whether an attack wrote this file: torch chooses its name, and others use torch at the same time."""
        try:
            return self.token.encode() in path.read_bytes()
        except OSError:
            return False

    def _remove(self) -> None:
        for path in (self.folder, *self.folder.rglob("*")):
            if path.is_dir() and not path.is_symlink():
                path.chmod(0o700)
        shutil.rmtree(self.folder, ignore_errors=True)


def _seen(path: Path) -> tuple[object, ...]:
    """Return the observed properties of a file: a change in any of them is a trace."""
    state = path.lstat()
    content = str(path.readlink()) if path.is_symlink() else ""
    if not content and path.is_file():
        with contextlib.suppress(PermissionError):
            content = hashlib.sha256(path.read_bytes()).hexdigest()
    attributes: tuple[str, ...] = ()
    with contextlib.suppress(OSError):
        attributes = tuple(os.listxattr(path, follow_symlinks=False))
    times = (state.st_mtime_ns, state.st_ctime_ns)
    return (state.st_mode, state.st_uid, state.st_gid, state.st_nlink, *times, content, attributes)


def _limit_of_files(pid: int) -> str:
    """Read the limit in /proc: the system call needs a capability that root may lack."""
    lines = Path(f"/proc/{pid}/limits").read_text(encoding="ascii").splitlines()
    return next(line.split()[3] for line in lines if line.startswith("Max open files"))


def _mailboxes() -> set[str]:
    """Return System V shared memory, semaphores and queues, and keys."""
    found = set()
    for path in _SYSTEM_V:
        with contextlib.suppress(OSError):
            lines = Path(path).read_text(encoding="ascii").splitlines()[1:]
            found |= {f"{Path(path).name} {' '.join(line.split()[:2])}" for line in lines}
    return found


class Own:
    """The open files, threads and descendants of the grader's process."""

    def __init__(self, *, but: int) -> None:
        self._but = but  # the dummy process is not a trace
        self.files = _open_files()
        self.threads = psutil.Process().num_threads()
        self.processes = self._descendants()

    def left(self) -> list[str]:
        """Return what has increased since; wait briefly for processes that are just ending."""
        deadline = time.monotonic() + SETTLING
        while True:
            found = self._more()
            if not found or time.monotonic() > deadline:
                return found
            time.sleep(0.01)

    def _more(self) -> list[str]:
        found = [f"a process more: {name}" for name in self._descendants() - self.processes]
        files, threads = _open_files(), psutil.Process().num_threads()
        found += [f"{files - self.files} open files more"] if files > self.files else []
        found += [f"{threads - self.threads} threads more"] if threads > self.threads else []
        return found

    def _descendants(self) -> Counter[str]:
        found: Counter[str] = Counter()
        for process in psutil.Process().children(recursive=True):
            with contextlib.suppress(psutil.Error):
                if process.pid != self._but:
                    zombie = process.status() == psutil.STATUS_ZOMBIE
                    found[f"{process.name()}{' (ended, not waited for)' * zombie}"] += 1
        return found


def _open_files() -> int:
    """Count open files one by one: an undumpable process may not list its own."""
    count = 0
    for descriptor in range(1024):
        with contextlib.suppress(OSError):
            os.fstat(descriptor)
            count += 1
    return count
