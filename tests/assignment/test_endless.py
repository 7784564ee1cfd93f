"""Code of an author that never ends is stopped and named, whoever calls it. No test here looks at a clock."""

from __future__ import annotations

import os
import signal
import sys
from typing import TYPE_CHECKING

import pytest

from autograder.assignment import endless
from autograder.commands import mutants
from autograder.release import build
from tests.command_line import Invoked, invoke
from tests.release.test_authoring_mistakes import Slip, change, file, mistake, write

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.skipif(not endless.HAS_TIMER, reason="needs timers of computing time")
FOREVER = "while True:\n        x = x + 1"
ONE_MORE = '"shift", says="a", look="b")\ndef other(x):\n    '

# What does not end, its place, and what the words call it.
ENDLESS = {
    "a mistake": (mistake(f"{ONE_MORE}{FOREVER}\n", ""), "mistakes.py, line 11|12", "`other`, called by `test_shift`,"),
    "a function that a mistake calls": (
        mistake(f"{ONE_MORE}return helper(x)\n\n\ndef helper(x):\n    {FOREVER}\n", ""),
        "mistakes.py, line 15|16",
        "`helper`, called by `other`, `test_shift`,",
    ),
    "a mistake that catches everything": (
        mistake(
            f"{ONE_MORE}while True:\n        try:\n            x = 1\n        except Exception:\n            pass\n",
            "",
        ),
        "mistakes.py, line 11|12|13",
        "`other`, called by `test_shift`,",
    ),
    "a probe": (
        change("return student.shift(case.x)", "x = 0\n    while True: x = x + 1", ""),
        "test_toy.py, line 20",
        "`test_shift`",
    ),
    "a probe of a stub": (
        change(
            "return student.shift(case.x)",
            "while True:\n        try:\n            return student.shift(case.x)\n        except NotImplementedError:\n"
            "            pass",
            "",
        ),
        "test_toy.py, line 19|20|21|22|23",
        "`test_shift`",
    ),
    "a case function": (
        change('return {"x": draw.normal(draw.d_in)}', "while True: pass", ""),
        "cases.py, line 14",
        "`other_numbers`",
    ),
    "documented cases": (
        change("    yield DocumentedCase({", "    while True: pass\n    yield DocumentedCase({", ""),
        "cases.py, line 19",
        "`one_and_two`",
    ),
    "the reference": (
        change("return moved  # as it is", "while True: moved = moved + 1", ""),
        "toy.py, line 28",
        "`shift`, called by `test_shift`,",
    ),
    "a given cell": (
        change("START = 0.5", "START = 0.5\nwhile True: START = -START", ""),
        "toy.py, line 10",
        "the file",
    ),
    "the file of the mistakes": (file("mistakes.py", b"while True: pass\n", ""), "mistakes.py, line 1", "the file"),
}  # fmt: skip


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endless, "SECONDS", 0.25)
    monkeypatch.setattr(endless, "TICK", 0.025)
    for module in (build, mutants):
        monkeypatch.setattr(module, "search_mutants", lambda _: {})


def run(folder: Path, *command: str) -> Invoked:
    places = ["--solutions", str(folder / "solutions")]
    if command[0] == "build":
        places += ["--assignments", str(folder / "assignments"), "--course", str(folder / "course")]
    return invoke([*command, *places], alone=True)


@pytest.mark.parametrize(("slip", "places", "name"), ENDLESS.values(), ids=ENDLESS)
def test_what_does_not_end_is_stopped_and_named(
    tmp_path: Path, slip: Slip, places: str, name: str
) -> None:
    write(tmp_path, slip)
    done = run(tmp_path, "build", "toy")
    place, first, *lines = places.replace("line ", "|").split("|")
    said = [
        f"autograder: toy/{place}line {line}: {name} does not end: stopped after 0.25 seconds of computing time. "
        "Make it end sooner.\n"
        for line in (first, *lines)
    ]
    assert done.stderr in said
    assert (done.exit_code, done.stdout) == (2, "")
    assert not (tmp_path / "assignments").exists()


@pytest.mark.parametrize("command", [("build", "toy", "--check"), ("mutants", "toy")])
def test_other_commands_for_authors_stop_it_too(tmp_path: Path, command: tuple[str, ...]) -> None:
    write(tmp_path, ENDLESS["a mistake"][0])
    done = run(tmp_path, *command)
    assert done.exit_code == 2
    assert "`other`, called by `test_shift`, does not end" in done.stderr


def test_a_call_that_ends_is_not_stopped_however_often_it_comes(tmp_path: Path) -> None:
    """Many calls, each short, take longer than one call may."""
    slow = "sum(range(100_000)) and np.add(x, START)"
    write(tmp_path, change("np.add(x, START)", slow, ""))
    assert run(tmp_path, "build", "toy").exit_code == 0


def test_the_timer_is_as_it_was_afterwards(tmp_path: Path) -> None:
    before = signal.getsignal(signal.SIGPROF)
    with endless.stopped_if_endless(tmp_path, print):
        assert signal.getitimer(signal.ITIMER_PROF)[1] > 0
    assert signal.getitimer(signal.ITIMER_PROF) == (0, 0)
    assert signal.getsignal(signal.SIGPROF) is before


def test_a_system_without_timers_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endless, "HAS_TIMER", False)
    write(tmp_path, Slip(""))
    done = run(tmp_path, "build", "toy")
    assert done.exit_code == 0
    assert done.stdout.startswith(f"{endless.NO_TIMER}\n")


def test_ctrl_c_says_what_was_running(tmp_path: Path) -> None:
    handled = (
        "signal.signal(signal.SIGINT, signal.default_int_handler)"  # ignored in the background
    )
    interrupted = f"import signal; {handled}; signal.raise_signal(signal.SIGINT)"
    write(tmp_path, file("mistakes.py", f"\n{interrupted}\n".encode(), ""))
    done = run(tmp_path, "build", "toy")
    assert done.stdout == "toy/mistakes.py, line 2: this was running.\n"
    assert done.stderr == "autograder: Stopped.\n"


@pytest.mark.parametrize("where", ["START = 0.5", "    moved = np.add(x, START)"])
def test_code_that_ends_the_process_does_not_end_the_build(tmp_path: Path, where: str) -> None:
    """Without a word, and with the exit code of a success."""
    space = where[: len(where) - len(where.lstrip())]
    write(tmp_path, change(where, f"{where}\n{space}import os; os._exit(0)", ""))
    leave = os._exit
    done = run(tmp_path, "build", "toy")
    line = 28 if space else 10
    assert done.stderr == (
        f"autograder: toy/toy.py, line {line}: this ends the process. Leave it out.\n"
    )
    assert done.exit_code == 2
    assert os._exit is leave


def test_code_that_catches_every_exception_ends_the_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    ended: list[int] = []

    def end(code: int) -> None:
        ended.append(code)
        raise SystemExit(code)

    monkeypatch.setattr("os._exit", end)
    watch = endless._Watch(tmp_path / "toy")
    loop = "while True:\n    try:\n        look(0, frame())\n    except BaseException:\n        if ended: raise\n"
    names = {"look": watch.look, "frame": sys._getframe, "ended": ended}
    with pytest.raises(SystemExit):
        exec(compile(loop, str(tmp_path / "toy" / "mistakes.py"), "exec"), names)
    assert ended == [2]
    assert capfd.readouterr().err.startswith(
        "autograder: toy/mistakes.py, line 3: the file does not end"
    )
