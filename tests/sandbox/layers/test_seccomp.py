"""The allow-list of system calls: what an honest program does works under it, what it refuses is refused.

Honest uses are tried in a process that puts the filter on; this file is its program, too. What is refused is read from
the filter's instructions; the attacks try it for real.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import errno
import importlib
import io
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
import uuid
import zoneinfo
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from autograder.sandbox.layers import filter_compiler, seccomp
from autograder.sandbox.layers.prctl import filter_system_calls

pytestmark = pytest.mark.skipif(
    seccomp.unsupported() is not None, reason=f"seccomp: {seccomp.unsupported()}"
)


def torch() -> Any:
    return importlib.import_module("torch")


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


def two_threads_in_one_operation() -> None:
    torch().set_num_threads(2)
    x = torch().randn(600, 600)
    torch().exp(x @ x)
    assert len(list(Path("/proc/self/task").iterdir())) > 1


def drawing() -> None:
    importlib.import_module("matplotlib").use("Agg")
    plt = importlib.import_module("matplotlib.pyplot")
    plt.plot([1, 2])
    plt.savefig(io.BytesIO(), format="png")


def threads() -> None:
    done = threading.Event()
    threading.Thread(target=done.set).start()
    assert done.wait(5)
    timer = threading.Timer(0.01, done.clear)
    timer.start()
    timer.join()
    assert not done.is_set()


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


def asynchronous() -> None:
    async def main() -> int:
        await asyncio.sleep(0.01)
        return await asyncio.to_thread(lambda: 7)

    assert asyncio.run(main()) == 7


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


def questions_about_the_system() -> None:
    import resource  # noqa: PLC0415 - not on Windows

    assert uuid.uuid4() != uuid.uuid1()
    clocks = (time.process_time, time.thread_time, os.times)
    for ask in (*clocks, platform.platform, os.cpu_count, os.uname):
        ask()
    secrets.token_bytes()
    time.sleep(0.01)
    datetime.now(UTC).astimezone(zoneinfo.ZoneInfo("Europe/Berlin"))
    os.sched_getaffinity(0)
    resource.getrusage(resource.RUSAGE_SELF)
    assert resource.getrlimit(resource.RLIMIT_NOFILE) == resource.prlimit(0, resource.RLIMIT_NOFILE)


def looking_at_files() -> None:
    folder = Path(__file__).parent
    assert Path(__file__) in folder.iterdir()
    assert Path(__file__).read_text(encoding="utf-8")
    assert os.access(__file__, os.R_OK)
    assert not (folder / "nothing").exists()
    assert not folder.is_symlink()
    os.chdir(folder)
    assert Path.cwd() == folder


def alarm_clock() -> None:
    rung: list[int] = []
    signal.signal(signal.SIGALRM, lambda number, _: rung.append(number))
    signal.setitimer(signal.ITIMER_REAL, 0.01)
    time.sleep(0.1)
    assert rung


def machine_code_made_at_run_time() -> None:
    code = {"x86_64": b"\x31\xc0\xc3", "aarch64": b"\0\0\x80\xd2\xc0\x03\x5f\xd6"}
    memory = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    memory.write(code[platform.machine()])
    address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    assert ctypes.CFUNCTYPE(ctypes.c_int)(address)() == 0


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
USES_OF_LIBRARIES = (computing, two_threads_in_one_operation, drawing)
USES = (
    threads, threads_of_c, asynchronous, pipes_and_polls, questions_about_the_system, looking_at_files, alarm_clock,
    machine_code_made_at_run_time,
)  # fmt: skip
_PRIVATE = 0x80
_X32_BIT = 0x4000_0000


def _number(name: str) -> int | None:
    """The number of a system call on the machine that `platform` names; None if that has no such call."""
    library = filter_compiler.Libseccomp()._library
    library.seccomp_syscall_resolve_name_arch.argtypes = (ctypes.c_uint32, ctypes.c_char_p)
    architecture = filter_compiler.ARCHITECTURES[platform.machine()]
    number = int(library.seccomp_syscall_resolve_name_arch(architecture, name.encode()))
    return number if number >= 0 else None


def drive(libraries: bool) -> None:
    """Try the uses under the filter, which stays. A package may be missing."""
    filters = program_for(platform.machine())
    if libraries:
        torch().set_num_threads(1)
        torch().optim.SGD([torch().zeros(1, requires_grad=True)], lr=1.0)
    assert len(list(Path("/proc/self/task").iterdir())) == 1
    ctypes.CDLL(None).prctl(38, 1, 0, 0, 0)  # PR_SET_NO_NEW_PRIVS
    filter_system_calls(filters)
    for one in USES_OF_LIBRARIES if libraries else USES:
        with contextlib.suppress(ModuleNotFoundError):
            one()


@pytest.mark.parametrize("libraries", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_honest_use_works(libraries: bool, tmp_path: Path) -> None:
    one_thread = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    folders = dict.fromkeys(("TORCHINDUCTOR_CACHE_DIR", "MPLCONFIGDIR"), str(tmp_path))
    path = {"USER": "student", "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, __file__, *["libraries"] * libraries],
        env={**os.environ, **one_thread, **folders, **path},
        capture_output=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()


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


# For each call the arguments with which it is allowed, and those with which it is refused.
LOOKED_AT: dict[str, tuple[list[tuple[int, ...]], list[tuple[int, ...]]]] = {
    "clock_getres": ([], [(1 << 32, 0)]),
    "clock_gettime": ([(1, 0), (11, 0)], [(-6 & 0xFFFFFFFFFFFFFFFF, 0), (-6 & 0xFFFFFFFF, 0)]),
    "clock_nanosleep": ([], [(16, 0)]),
    "clone": ([(0x3D0F00,)], [(0x3D0F00 | 1 << 32,), (0x3D0F00 ^ 0x10000,)]),
    "fcntl": ([(3, 1030)], [(3, one) for one in (6, 8, 10, 15, 1024, 1026, 1031, 1 << 32)]),
    "futex": (
        [(0, _PRIVATE | one) for one in (*range(14), 0x100 | 9)],
        [(0, one) for one in (*range(1, 9), *range(10, 14), 0x40, 0x100 | 11, 1 << 32 | 1)],
    ),
    "ioctl": ([(0, 0x5401)], [(0, one) for one in (0x540E, 0x5412, 0x541C, 0x5412 | 1 << 32)]),
    "madvise": ([(0, 0, 4)], [(0, 0, 100)]),
    "membarrier": ([], [(1 << 20, 0, 0)]),
    "openat": ([(0, 0, 0o2000000), (0, 0, 0o1001)], [(0, 0, 0o1000), (0, 0, 0o1003)]),
    "prctl": (
        [(0x53564D41, 0)],
        [(0x53564D41, 1), *((one, 1) for one in (1, 4, 22, 35, 36, 0x59616D61))],
    ),
    "prlimit64": ([(0, 7, 0, 1)], [(0, 7, 1 << 32, 0), (1 << 32, 7, 0, 0)]),
    "sendto": ([(3, 1, 1, 0, 0, 0)], [(3, 1, 1, 0, 1 << 32, 0)]),
    "socketpair": ([(1, 1 | 0o2004000)], [(1, 2), (1, 5), (2, 1)]),
}


def test_arguments_are_looked_at_whole(machine: str, program: bytes) -> None:
    def decisions(name: str, every: list[tuple[int, ...]]) -> set[int]:
        number = _number(name)
        assert number is not None
        return {decide(program, MACHINES[machine], number, *arguments) for arguments in every}

    for name, (allowed, refused) in LOOKED_AT.items():
        assert decisions(name, allowed) <= {ALLOW}, name
        assert decisions(name, refused) == {REFUSE}, name
    assert decisions("futex", [(0, wait) for wait in (0, 9, 0x100, 0x100 | 9)]) == {AGAIN}


def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setitem(seccomp._ALLOWED, "of later kernels", "no_such_call")
        with pytest.raises(OSError, match="does not know the system call no_such_call"):
            program_for(platform.machine())
    with monkeypatch.context() as patch:
        patch.setattr(filter_compiler, "LIBRARY", "libseccomp.so.0")
        found = "not here: the library libseccomp.so.2 cannot be used (libseccomp.so.0: cannot"
        assert str(seccomp.SystemCalls().missing()).startswith(found)
    monkeypatch.setattr(platform, "machine", lambda: "riscv64")
    assert "riscv64" in str(seccomp.unsupported())


if __name__ == "__main__":
    drive(len(sys.argv) > 1)
