"""The allow-list of system calls: what an honest program does works under it, what it refuses is refused.

One process builds the filter and forks the children in which things are tried, another one imports torch before; this
file is their program, too. What should be refused is asked for in a way that does no harm where it is let through.
"""

from __future__ import annotations

import asyncio
import ctypes
import errno
import importlib
import io
import json
import mmap
import os
import platform
import secrets
import select
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
import traceback
import uuid
import zoneinfo
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from autograder.sandbox.layers import filter_compiler, seccomp
from autograder.sandbox.layers.prctl import filter_system_calls

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.skipif(
    seccomp.unsupported() is not None, reason=f"seccomp: {seccomp.unsupported()}"
)

Outcomes = dict[str, dict[str, Any]]
USES: dict[str, Callable[[], object]] = {}
USES_OF_LIBRARIES: dict[str, Callable[[], object]] = {}


def use(function: Callable[[], object]) -> Callable[[], object]:
    """Something honest."""
    USES[function.__name__] = function
    return function


def use_of_libraries(function: Callable[[], object]) -> Callable[[], object]:
    """Something honest with torch, NumPy or Matplotlib."""
    USES_OF_LIBRARIES[function.__name__] = function
    return function


def torch() -> Any:
    return importlib.import_module("torch")


@use_of_libraries
def computing() -> None:
    nn, x = torch().nn, torch().randn(3, 2, 8)
    nn.LSTM(8, 5)(x)
    nn.Transformer(8, 2, 1, 1, 16)(x, x)
    nn.Conv2d(3, 8, 3)(torch().randn(2, 3, 32, 32)).sum().backward()
    model = torch().jit.script(nn.Sequential(nn.Linear(3, 3), nn.Sigmoid()))
    for _ in range(5):
        model(torch().randn(5, 3)).sum().backward()
    with torch().profiler.profile() as profile:
        torch().randn(9, 9) @ torch().randn(9, 9)
    profile.key_averages().table()
    torch().__config__.show()
    torch().cuda.is_available()


@use_of_libraries
def two_threads_in_one_operation() -> None:
    torch().set_num_threads(2)
    x = torch().randn(600, 600)
    torch().exp(x @ x)
    assert len(list(Path("/proc/self/task").iterdir())) > 1


@use_of_libraries
def drawing() -> None:
    importlib.import_module("matplotlib").use("Agg")
    plt = importlib.import_module("matplotlib.pyplot")
    plt.plot([1, 2])
    plt.savefig(io.BytesIO(), format="png")


@use
def threads() -> None:
    done = threading.Event()
    threading.Thread(target=done.set).start()
    assert done.wait(5)
    timer = threading.Timer(0.01, done.clear)
    timer.start()
    timer.join()
    assert not done.is_set()


@use
def threads_of_c() -> None:
    """The C library waits for the end of a thread in a way that is refused, and asks again."""
    libc = ctypes.CDLL(None)
    began = time.monotonic()
    for microseconds in (0, 50_000):
        thread, status = ctypes.c_ulong(), ctypes.c_void_p()
        argument = ctypes.c_void_p(microseconds)
        assert libc.pthread_create(ctypes.byref(thread), None, libc.usleep, argument) == 0
        assert libc.pthread_join(thread, ctypes.byref(status)) == 0
        assert status.value is None
    assert time.monotonic() - began > 0.05


@use
def asynchronous() -> None:
    async def main() -> int:
        await asyncio.sleep(0.01)
        return await asyncio.to_thread(lambda: 7)

    assert asyncio.run(main()) == 7


@use
def pipes_and_polls() -> None:
    reader, writer = os.pipe()
    os.write(writer, b"x")
    assert select.select([reader], [writer], [], 0.01)[0]
    poll = select.poll()
    poll.register(reader)
    assert poll.poll(10)
    epoll = select.epoll()
    epoll.register(reader)
    assert epoll.poll(0.01)
    os.dup2(reader, os.dup(writer))
    one, other = socket.socketpair()
    one.send(b"x")
    assert other.recv(1) == b"x"


@use
def questions_about_the_system() -> None:
    import resource  # noqa: PLC0415 - not on Windows

    assert uuid.uuid4() != uuid.uuid1()
    secrets.token_bytes()
    time.sleep(0.01)
    time.process_time()
    time.thread_time()
    datetime.now(UTC).astimezone(zoneinfo.ZoneInfo("Europe/Berlin"))
    platform.platform()
    os.cpu_count()
    os.sched_getaffinity(0)
    os.times()
    os.uname()
    resource.getrusage(resource.RUSAGE_SELF)
    assert resource.getrlimit(resource.RLIMIT_NOFILE) == resource.prlimit(0, resource.RLIMIT_NOFILE)


@use
def looking_at_files() -> None:
    folder = Path(__file__).parent
    assert Path(__file__) in folder.iterdir()
    assert Path(__file__).read_text(encoding="utf-8")
    assert os.access(__file__, os.R_OK)
    assert not (folder / "nothing").exists()
    assert not folder.is_symlink()
    os.chdir(folder)
    assert Path.cwd() == folder


@use
def alarm_clock() -> None:
    rung: list[int] = []
    signal.signal(signal.SIGALRM, lambda number, _: rung.append(number))
    signal.setitimer(signal.ITIMER_REAL, 0.01)
    time.sleep(0.1)
    assert rung


@use
def machine_code_made_at_run_time() -> None:
    code = {"x86_64": b"\x31\xc0\xc3", "aarch64": b"\0\0\x80\xd2\xc0\x03\x5f\xd6"}
    memory = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    memory.write(code[platform.machine()])
    address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    assert ctypes.CFUNCTYPE(ctypes.c_int)(address)() == 0


# A text is given as a pointer to it; PARENTS_CLOCK as what it is in the child.
PARENTS_CLOCK = "my parent's clock"
Argument = int | bytes | str
_NOWHERE = b"/nonexistent/file"
_HERE = -100  # AT_FDCWD
_NO_FILE = -1

# What any process may ask for on any system: each is refused by the filter alone.
REFUSED: dict[str, tuple[str, *tuple[Argument, ...]]] = {
    "fork": ("fork",),
    "a process by clone": ("clone", 17, 0, 0, 0, 0),
    "execve": ("execve", _NOWHERE, 0, 0),
    "an internet socket": ("socket", 2, 1, 0),
    "a pair of datagram sockets": ("socketpair", 1, 2, 0, bytes(8)),
    "sending to an address": ("sendto", _NO_FILE, b"x", 1, 0, bytes(16), 16),
    "a signal to a process group of its own": ("kill", 0, 0),
    "memfd_create": ("memfd_create", 0, 0),
    "chmod": ("chmod", _NOWHERE, 0),
    "emptying a file opened to read": ("openat", _HERE, _NOWHERE, 0o1000, 0),
    "setting a limit": ("prlimit64", 0, 7, 1, 0),
    "the clock of the parent": ("clock_getres", PARENTS_CLOCK, 0),
    "PR_SET_DUMPABLE": ("prctl", 4, 1, 0, 0, 0),
    "TIOCSTI with more bits": ("ioctl", _NO_FILE, 0x5412 | 1 << 32, 0),
    "F_SETOWN": ("fcntl", _NO_FILE, 8, 0),
}
# What would affect others, reach the network, change files or settings, or widen what a process may do.
NEVER = """
accept accept4 add_key bind bpf capset chmod chown chroot connect creat execve execveat fallocate fanotify_init fchmod
fchmodat fchmodat2 fchown fchownat fork fsopen ftruncate init_module inotify_init1 io_setup io_uring_enter
io_uring_setup kcmp keyctl kill landlock_create_ruleset landlock_restrict_self linkat listen memfd_create memfd_secret
mkdirat mknodat modify_ldt mount mq_open msgget open_by_handle_at openat2 perf_event_open personality pidfd_getfd
pidfd_open pidfd_send_signal process_madvise process_vm_readv process_vm_writev ptrace quotactl recvmmsg recvmsg
rename renameat2 request_key rt_sigqueueinfo sched_setaffinity sched_setscheduler seccomp semget sendmmsg sendmsg
setns setpgid setpriority setresuid setrlimit setsid setuid setxattr shmget socket symlinkat sysinfo syslog tgkill
tkill truncate umount2 unlinkat unshare userfaultfd utimensat vfork vmsplice
"""
_PRIVATE = 0x80
_X32_BIT = 0x4000_0000


def call(number: int, *arguments: Argument) -> int:
    """The error number of a system call, 0 if it was done."""
    libc = ctypes.CDLL(None, use_errno=True)
    clock = ~os.getppid() << 3 | 2
    plain = [clock if isinstance(one, str) else one for one in arguments]
    passed = [
        ctypes.c_char_p(one) if isinstance(one, bytes) else ctypes.c_long(one) for one in plain
    ]
    me = os.getpid()
    libc.syscall.restype = ctypes.c_long
    result = libc.syscall(ctypes.c_long(number), *passed)
    if int(libc.syscall(ctypes.c_long(_number("getpid") or 0))) != me:
        os._exit(0)  # it was let through and is a process more
    return ctypes.get_errno() if result == -1 else 0


def _number(name: str) -> int | None:
    """The number of a system call on the machine that `platform` names; None if that has no such call."""
    library = filter_compiler.Libseccomp()._library
    library.seccomp_syscall_resolve_name_arch.argtypes = (ctypes.c_uint32, ctypes.c_char_p)
    architecture = filter_compiler.ARCHITECTURES[platform.machine()]
    number = int(library.seccomp_syscall_resolve_name_arch(architecture, name.encode()))
    return number if number >= 0 else None


def drive(what: str) -> None:
    """Try things under the filter, each in a child of its own, and print what came of them."""
    filters = program_for(platform.machine())
    print(json.dumps(use_libraries(filters) if what == "libraries" else make_calls(filters)))


def use_libraries(filters: bytes) -> Outcomes:
    """Return what came of the uses of libraries."""
    torch().set_num_threads(1)
    torch().optim.SGD([torch().zeros(1, requires_grad=True)], lr=1.0)
    return {"uses": {name: in_child(one, filters) for name, one in USES_OF_LIBRARIES.items()}}


def make_calls(filters: bytes) -> Outcomes:
    """Return what came of the other uses, and of system calls with the filter and without it."""
    numbers = {name: _number(what) for name, (what, *_) in REFUSED.items()}

    def refused() -> dict[str, int]:
        return {
            name: call(number, *arguments)
            for name, (_, *arguments) in REFUSED.items()
            if (number := numbers[name]) is not None
        }

    return {
        "uses": {name: in_child(one, filters) for name, one in USES.items()},
        "refused": in_child(refused, filters),
        "open": in_child(refused, None),
    }


def in_child(function: Callable[[], object], filters: bytes | None) -> dict[str, object]:
    """What `function` returned or raised in a child, or how the child ended."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nowhere, stream)
        signal.alarm(30)
        answer: dict[str, object]
        try:
            assert len(list(Path("/proc/self/task").iterdir())) == 1
            ctypes.CDLL(None).prctl(38, 1, 0, 0, 0)  # PR_SET_NO_NEW_PRIVS
            if filters is not None:
                filter_system_calls(filters)
            answer = {"returned": function()}
        except ModuleNotFoundError as error:
            answer = {"missing": str(error)}
        except BaseException as error:  # noqa: BLE001 - whatever it is, it is told
            answer = {"raised": f"{type(error).__name__}: {error}\n{traceback.format_exc()}"[:4000]}
        os.write(writer, json.dumps(answer).encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as stream_of_child:
        told = stream_of_child.read()
    _, status = os.waitpid(child, 0)
    return dict(json.loads(told)) if told else {"ended": os.waitstatus_to_exitcode(status)}


@pytest.fixture(scope="module")
def outcomes(once: Callable[[str, Callable[[Path], object]], Path]) -> Outcomes:
    return recorded(once, "calls")


def recorded(once: Callable[[str, Callable[[Path], object]], Path], what: str) -> Outcomes:
    folder = once(f"system {what}", lambda folder: record(folder, what))
    return dict(json.loads((folder / "outcomes.json").read_text(encoding="utf-8")))


def record(folder: Path, what: str) -> None:
    """Run this file as a program; what it prints goes to a file in the folder."""
    one_thread = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    (folder / "cache").mkdir()
    cache = str(folder / "cache")
    caches = {"USER": "student", "TORCHINDUCTOR_CACHE_DIR": cache, "MPLCONFIGDIR": cache}
    done = subprocess.run(
        [sys.executable, __file__, what],
        env={**os.environ, **one_thread, **caches, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    (folder / "outcomes.json").write_bytes(done.stdout)


def failed(outcomes: Outcomes, uses: dict[str, Callable[[], object]]) -> dict[str, object]:
    """Return the uses that did not work. A package may be missing."""
    assert outcomes["uses"].keys() == uses.keys()
    return {
        name: outcome.get("raised", outcome)
        for name, outcome in outcomes["uses"].items()
        if not {"returned", "missing"} & outcome.keys()
    }


def test_honest_use_works(outcomes: Outcomes) -> None:
    assert failed(outcomes, USES) == {}


@pytest.mark.slow
def test_honest_use_of_libraries_works(
    once: Callable[[str, Callable[[Path], object]], Path],
) -> None:
    """Slow: torch.optim and Matplotlib are imported."""
    assert failed(recorded(once, "libraries"), USES_OF_LIBRARIES) == {}


def test_what_the_list_does_not_have_is_refused(outcomes: Outcomes) -> None:
    with_filter, without = (_returned(outcomes, kind) for kind in ("refused", "open"))
    assert len(with_filter) > 10
    assert {name: error for name, error in with_filter.items() if error != errno.EPERM} == {}
    assert [name for name in with_filter if without.get(name) == errno.EPERM] == []


def _returned(outcomes: Outcomes, kind: str) -> dict[str, int]:
    """Return the error number of each call that this machine has."""
    outcome = outcomes[kind]
    assert "returned" in outcome, outcome
    return dict(outcome["returned"])


ALLOW, REFUSE, ABSENT, KILL = 0x7FFF0000, 0x50000 | errno.EPERM, 0x50000 | errno.ENOSYS, 0x80000000
AGAIN = 0x50000 | errno.EAGAIN
MACHINES = filter_compiler.ARCHITECTURES


def program_for(machine: str) -> bytes:
    return filter_compiler.Libseccomp().compile(seccomp.allow_list(machine), machine)


def decide(program: bytes, machine: int, number: int, *arguments: int) -> int:
    """What the kernel would do: the instructions of classic BPF that the programs are made of."""
    data = struct.pack("<IIQ6Q", number, machine, 0, *arguments, *(0,) * (6 - len(arguments)))
    at, word = 0, 0
    while True:
        code, if_true, if_false, value = struct.unpack_from("<HBBI", program, 8 * at)
        at += 1
        match code:
            case 0x20:
                (word,) = struct.unpack_from("<I", data, value)
            case 0x54:
                word &= value
            case 0x15:
                at += if_true if word == value else if_false
            case 0x25:
                at += if_true if word > value else if_false
            case 0x35:
                at += if_true if word >= value else if_false
            case 0x05:
                at += value
            case 0x06:
                return int(value)
            case _:
                raise AssertionError(f"unknown instruction {code:#x}")


# libseccomp knows the numbers of ARM on x86, and not those that only x86 has on ARM.
@pytest.fixture(params=[one for one in MACHINES if platform.machine() in {one, "x86_64"}])
def machine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(platform, "machine", lambda: request.param)
    return str(request.param)


@pytest.fixture
def program(machine: str) -> bytes:
    return program_for(machine)


def test_on_either_machine_nothing_is_allowed_but_the_list(machine: str, program: bytes) -> None:
    names = " ".join(seccomp._ALLOWED.values()).split()
    names += seccomp._ALLOWED_ON_X86.split() if machine == "x86_64" else []
    allowed, clone3 = {_number(name) for name in names}, _number("clone3")
    sometimes = {_number(name) for name in seccomp._ALLOWED_WITH | seccomp._ALLOWED_ON_X86_WITH}
    for number in {*range(600), *range(0x4000_0000, 0x4000_0100), 0x7FFF_FFFF, 0xFFFF_FFFF}:
        decision = decide(program, MACHINES[machine], number)
        expected = REFUSE
        if number in allowed:
            expected = ALLOW
        elif number == clone3:
            expected = ABSENT
        if machine == "x86_64" and _X32_BIT <= number < 0xFFFF_FFFF:
            expected = KILL
        assert decision == expected or number in sometimes, number


def test_what_harms_others_is_on_no_list() -> None:
    for machine in MACHINES:
        names = {rule.name for rule in seccomp.allow_list(machine)}
        assert names.isdisjoint(NEVER.split())


def test_another_machine_s_numbering_ends_the_process(machine: str, program: bytes) -> None:
    for other in (0x40000003, 0x40000028, *(set(MACHINES.values()) - {MACHINES[machine]})):
        assert decide(program, other, _number("read") or 0) == KILL


LOOKED_AT = [
    ("clock_gettime", (1, 0), ALLOW),
    ("clock_gettime", (11, 0), ALLOW),
    ("clock_gettime", (-6 & 0xFFFFFFFFFFFFFFFF, 0), REFUSE),
    ("clock_gettime", (-6 & 0xFFFFFFFF, 0), REFUSE),
    ("clock_nanosleep", (16, 0), REFUSE),
    ("clock_getres", (1 << 32, 0), REFUSE),
    ("clone", (0x3D0F00,), ALLOW),
    ("clone", (0x3D0F00 | 1 << 32,), REFUSE),
    ("clone", (0x3D0F00 ^ 0x10000,), REFUSE),
    ("fcntl", (3, 1030), ALLOW),
    ("fcntl", (3, 1 << 32), REFUSE),
    *[("fcntl", (3, setting), REFUSE) for setting in (6, 8, 10, 15, 1024, 1026, 1031)],
    *[("futex", (0, _PRIVATE | operation), ALLOW) for operation in range(14)],
    ("futex", (0, _PRIVATE | 0x100 | 9), ALLOW),
    *[("futex", (0, wait), AGAIN) for wait in (0, 9, 0x100, 0x100 | 9)],
    *[("futex", (0, operation), REFUSE) for operation in range(14) if operation not in {0, 9}],
    ("futex", (0, 0x100 | 11), REFUSE),
    ("futex", (0, 0x40), REFUSE),
    ("futex", (0, 1 << 32 | 1), REFUSE),
    ("ioctl", (0, 0x5401), ALLOW),
    *[("ioctl", (0, request), REFUSE) for request in (0x540E, 0x5412, 0x541C, 0x5412 | 1 << 32)],
    ("madvise", (0, 0, 4), ALLOW),
    ("madvise", (0, 0, 100), REFUSE),
    ("membarrier", (1 << 20, 0, 0), REFUSE),
    ("openat", (0, 0, 0o2000000), ALLOW),
    ("openat", (0, 0, 0o1001), ALLOW),
    ("openat", (0, 0, 0o1003), REFUSE),
    *[("prctl", (change, 1), REFUSE) for change in (1, 4, 22, 35, 36, 0x59616D61)],
    ("prctl", (0x53564D41, 0), ALLOW),
    ("prctl", (0x53564D41, 1), REFUSE),
    ("prlimit64", (0, 7, 0, 1), ALLOW),
    ("prlimit64", (0, 7, 1 << 32, 0), REFUSE),
    ("prlimit64", (1 << 32, 7, 0, 0), REFUSE),
    ("sendto", (3, 1, 1, 0, 0, 0), ALLOW),
    ("sendto", (3, 1, 1, 0, 1 << 32, 0), REFUSE),
    ("socketpair", (1, 1 | 0o2004000), ALLOW),
    ("socketpair", (1, 2), REFUSE),
    ("socketpair", (1, 5), REFUSE),
    ("socketpair", (2, 1), REFUSE),
]


def test_arguments_are_looked_at_whole(machine: str, program: bytes) -> None:
    wrong = []
    for name, arguments, decision in LOOKED_AT:
        number = _number(name)
        assert number is not None
        if (seen := decide(program, MACHINES[machine], number, *arguments)) != decision:
            wrong.append((name, arguments, seen, decision))
    assert wrong == []


def test_a_call_that_the_library_does_not_know_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(seccomp._ALLOWED, "of later kernels", "no_such_call")
    with pytest.raises(OSError, match="does not know the system call no_such_call"):
        program_for(platform.machine())


def test_without_the_library_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(filter_compiler, "LIBRARY", "libseccomp.so.0")
    found = seccomp.SystemCalls().missing()
    assert found is not None
    assert str(found).startswith(
        "not here: the library libseccomp.so.2 cannot be used (libseccomp.so.0: cannot"
    )


def test_a_machine_without_a_list_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "machine", lambda: "riscv64")
    assert "riscv64" in str(seccomp.unsupported())


if __name__ == "__main__":
    drive(sys.argv[1])
