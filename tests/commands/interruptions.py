"""Interrupt `autograder grade` at random moments: what it leaves is complete, and the next run finishes the class."""

from __future__ import annotations

import csv
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING

import psutil

from autograder.reports.class_record import load_class
from tests.command_line import SCRIPT
from tests.forking import client
from tests.toy import DOUBLE, RIGHT, UNCHANGED, write_toy

if TYPE_CHECKING:
    from collections.abc import Iterator

WAYS = ("Ctrl-C", "SIGTERM", "kill -9", "kill -9 of a child", "closed pipe", "full disk")
RUNS = ("first", "repeated")
HALF = f"START = 0.5\n\n\n{DOUBLE}\n\ndef shift(x):\n    return x\n"
SOURCES = (RIGHT, UNCHANGED, HALF, None)
SCORES = ("3", "2", "1", "0")
STUDENTS = 24
DISK = 4 * 1024**2
_LIMIT = 300.0


def can_mount() -> bool:
    return shutil.which("mount") is not None and hasattr(os, "geteuid") and os.geteuid() == 0


@dataclass(frozen=True)
class Interruption:
    """One way to stop one kind of run, at a moment that is drawn from `seed`."""

    run: str
    way: str
    seed: int


class Falls(Exception):
    """What an interrupted run should have left and did not."""


class Place:
    def __init__(self, home: Path) -> None:
        self.home = home
        self.out = home / "out"
        write_toy(home)
        for number in range(STUDENTS):
            self.hand_in(number, number % len(SOURCES))

    def hand_in(self, number: int, kind: int) -> None:
        folder = self.home / "class" / f"student {number:02}"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        source = SOURCES[kind]
        name = "notes.txt" if source is None else "toy.py"
        (folder / name).write_text(source or "", encoding="utf-8")

    def start(self, *options: str, alone: bool) -> subprocess.Popen[str]:
        """Start the command; `alone` as in `tests.forking`."""
        places = ["--out", str(self.out), "--solutions", str(self.home / "solutions")]
        command = ["grade", str(self.home / "class"), "--assignment", "toy", *places]
        return client.Forked(
            [sys.executable, "-u", "-c", SCRIPT, *command, "--allow-degraded", *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            start_new_session=True,
            alone=alone,
        )

    def complete(self, *options: str) -> str:
        child = self.start(*options, alone=False)
        output, _ = child.communicate(timeout=_LIMIT)
        if child.returncode:
            raise Falls(f"the next run ended with {child.returncode}:\n{output}")
        return output

    def results(self) -> dict[str, bytes]:
        return {
            path.parent.name: path.read_bytes() for path in sorted(self.out.glob("*/results.json"))
        }

    def grades(self) -> dict[str, str]:
        path = self.out / "grades.csv"
        if not path.is_file():
            return {}
        with path.open(encoding="utf-8", newline="") as file:
            return {row["student"]: row["score"] for row in csv.DictReader(file)}


def verify_folder(place: Place, before: dict[str, bytes]) -> None:
    """Raise Falls unless the folders agree with `grades.csv`, if there is one, and all that was there still is."""
    results = place.results()
    scores = {name: f"{json.loads(data)['score']:g}" for name, data in results.items()}
    if (place.out / "grades.csv").is_file() and place.grades() != scores:
        differing = sorted(scores.items() ^ place.grades().items())
        raise Falls(f"grades.csv and the folders differ: {differing}")
    if lost := sorted(before.keys() - results.keys()):
        raise Falls(f"results are gone: {lost}")
    for path in [*place.out.glob("*.json"), *place.out.glob("*/*.json")]:
        json.loads(path.read_bytes())
    for path in [*place.out.glob("*.html"), *place.out.glob("*/*.html")]:
        if not path.read_bytes().rstrip().endswith(b"</html>"):
            raise Falls(f"{path.name} of {path.parent.name} is cut short")


def verify_end(place: Place, expected: dict[str, str]) -> None:
    if place.grades() != expected:
        raise Falls(f"the marks differ: {sorted(place.grades().items() ^ expected.items())}")
    verify_folder(place, {})


@contextmanager
def small_disk(folder: Path) -> Iterator[None]:
    folder.mkdir(exist_ok=True)
    size = f"size={DISK}"
    subprocess.run(["mount", "-t", "tmpfs", "-o", size, "none", str(folder)], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def fill_disk(folder: Path, left: int) -> None:
    free = shutil.disk_usage(folder).free
    (folder / ".filler").write_bytes(b"x" * max(0, free - left))


def stop(place: Place, child: subprocess.Popen[str], way: str, moment: random.Random) -> str:
    """Let a run print some lines, and stop it in this way; return how it ended."""
    assert child.stdout is not None
    family = psutil.Process(child.pid).children(recursive=True)
    lines = moment.randrange(-6, STUDENTS + 6)
    _read(child.stdout, lines)
    time.sleep(moment.random() * (4.0 if lines <= 0 else 0.1))
    with suppress(psutil.NoSuchProcess):  # it has ended
        family = psutil.Process(child.pid).children(recursive=True)
    if way == "Ctrl-C":
        _send(child, signal.SIGINT, group=True)
    elif way == "SIGTERM":
        _send(child, signal.SIGTERM)
    elif way == "kill -9":
        _send(child, signal.SIGKILL)
    elif way == "kill -9 of a child" and family:
        with suppress(psutil.NoSuchProcess):
            moment.choice(family).kill()
    output = ""
    if way in ("closed pipe", "kill -9"):
        child.stdout.close()
        child.wait(timeout=_LIMIT)
    else:
        output, _ = child.communicate(timeout=_LIMIT)
    if alive := psutil.wait_procs(family, timeout=60)[1]:
        raise Falls(f"processes go on: {alive}")
    # Before a run begins, and once it has ended, the signal alone ends the process.
    record = load_class(place.out)
    runs = record is not None and not record.ended
    ends = (0, 130) if runs else (0, 130, -signal.SIGINT, -signal.SIGTERM)
    if way in ("Ctrl-C", "SIGTERM") and child.returncode not in ends:
        raise Falls(f"a stopped run ended with {child.returncode}:\n{output}")
    return f"exit code {child.returncode}"


def _read(stream: IO[str], lines: int) -> None:
    for _ in range(lines):
        if not stream.readline():
            break


def _send(child: subprocess.Popen[str], number: int, *, group: bool = False) -> None:
    if child.poll() is None:
        (os.killpg if group else os.kill)(child.pid, number)


def interrupt(place: Place, one: Interruption) -> str:
    """Stop one run in a fresh folder, and complete it; return how it ended. Raises Falls."""
    moment = random.Random(one.seed)
    kinds = {number: number % len(SOURCES) for number in range(STUDENTS)}
    expected = {f"student {number:02}": SCORES[kind] for number, kind in kinds.items()}
    options = ["--jobs", moment.choice("12"), *(["--quiet"] if moment.random() < 0.1 else [])]
    if one.run == "repeated":
        place.complete("--jobs", "1")
        for number in moment.sample(range(STUDENTS), moment.choice([0, 1, 5])):
            kind = (kinds[number] + 1) % len(SOURCES)
            place.hand_in(number, kind)
            expected[f"student {number:02}"] = SCORES[kind]
        if moment.random() < 0.5:
            options += ["--regrade", f"student {moment.randrange(STUDENTS):02}"]
    before = place.results()
    # A first run starts all its processes itself: none of them may be left.
    alone = one.run == "first"
    if one.way == "full disk":
        most = moment.choice([5_000, 50_000, 500_000])
        fill_disk(place.out, moment.randrange(most))
        child = place.start(*options, alone=alone)
        child.communicate(timeout=_LIMIT)
        ended = f"exit code {child.returncode}"
        verify_folder(place, before)
        (place.out / ".filler").unlink()
    else:
        ended = stop(place, place.start(*options, alone=alone), one.way, moment)
        verify_folder(place, before)
    place.complete("--jobs", "1")
    verify_end(place, expected)
    return ended


def interrupt_anew(one: Interruption, home: Path) -> str:
    """Stop one run of a new project below `home`; return how it ended. Raises Falls."""
    with tempfile.TemporaryDirectory(dir=home) as folder:
        place = Place(Path(folder))
        if one.way != "full disk":
            return interrupt(place, one)
        with small_disk(place.out):
            return interrupt(place, one)


def interruptions(count: int, seed: int) -> list[Interruption]:
    """Return so many interruptions: each way and each kind of run in turn."""
    ways = WAYS if can_mount() else WAYS[:-1]
    kinds = [(run, way) for way in ways for run in RUNS]
    return [Interruption(*kinds[number % len(kinds)], seed + number) for number in range(count)]
