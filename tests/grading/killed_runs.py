"""Kill processes of a run at random moments, and give the same command again until nothing is missing.

Run it in the project's folder: `python -m tests.grading.killed_runs --kills 50 --submissions 300`.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil

from tests.command_line import class_file
from tests.commands.test_grade import CLASS, arguments, hand_in
from tests.forking import client
from tests.toy import write_toy

if TYPE_CHECKING:
    from collections.abc import Sequence

# The results are counted every so many seconds: 300 are written within a few seconds.
_LOOK = 0.001
# A kill that waits for no result happens within so many seconds: while processes start, too.
_STARTING = 4.0
# A run that never ends is a failure.
_LIMIT = 600.0


@dataclass
class KilledRuns:
    """What was killed, and how often the command was given.

    Attributes:
        killed: the kinds of the killed processes, each with its number.
        commands: how often the command was given until all was graded.
        lost: results that had been written and were no longer there, or different.
    """

    killed: Counter[str] = field(default_factory=Counter)
    commands: int = 0
    lost: list[str] = field(default_factory=list)


def write_project(folder: Path, submissions: int) -> None:
    """Write the toy's solutions and a class: right, wrong, raising, rejected."""
    write_toy(folder)
    kinds = [(Path(name).suffix, text) for name, text in CLASS.items() if "/notes" not in name]
    for number in range(submissions):
        suffix, text = kinds[number % len(kinds)]
        hand_in(folder / "class", {f"s{number:04}/toy{suffix}": text})


def kill_runs(
    project: Path, out: Path, kills: int, chance: random.Random, options: Sequence[str] = ()
) -> KilledRuns:
    """Grade the class of the project into `out`. Kill a random process at each of `kills` random moments."""
    submissions = len(list((project / "class").iterdir()))
    command = [sys.executable, "-m", "autograder.cli"]
    command += arguments(project, project / "class", out=out, seed=1, jobs=2, quiet=True)
    command += ["--no-pages", "--allow-degraded", *options]
    seen: dict[str, bytes] = {}
    done = KilledRuns()
    while True:
        done.commands += 1
        child = client.Forked(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, alone=True)
        try:
            while done.killed.total() < kills:
                share = chance.randint(0, submissions // (2 * kills))
                if not _wait(child, out, share, chance):
                    break
                if victim := _kill(child, chance):
                    done.killed[victim] += 1
                if victim == "coordinator":
                    break
            output, _ = child.communicate(timeout=_LIMIT)
        finally:
            child.kill()
            child.communicate()
        _compare_kept(out, seen, done)
        if child.returncode == 0:
            return done
        killed = child.returncode == -9
        if not killed and b"ungraded" not in output and b"grader failed" not in output:
            raise AssertionError(output.decode(errors="replace"))


def _wait(child: subprocess.Popen[bytes], out: Path, share: int, chance: random.Random) -> bool:
    """Wait for so many more results, or for a moment before the next one. Return whether the command still runs."""
    before = len(_written(out))
    end = time.monotonic() + (_LIMIT if share else _STARTING * chance.random())
    while child.poll() is None and time.monotonic() < end:
        if len(_written(out)) >= before + max(share, 1):
            break
        time.sleep(_LOOK)
    return child.poll() is None


def _written(out: Path) -> list[Path]:
    return list(out.glob("*/results.json"))


def _kill(child: subprocess.Popen[bytes], chance: random.Random) -> str:
    """Kill the command, or a process that it started; return what that was."""
    victims = {"coordinator": [child.pid]}
    with suppress(psutil.Error):
        for process in psutil.Process(child.pid).children(recursive=True):
            line = " ".join(process.cmdline())
            kind = "grading process" if "spawn_main" in line else "sandbox"
            if "resource_tracker" not in line:
                victims.setdefault(kind, []).append(process.pid)
    kind = chance.choice(sorted(victims))
    try:
        os.kill(chance.choice(victims[kind]), 9)
    except ProcessLookupError:
        return ""
    return kind


def _compare_kept(out: Path, seen: dict[str, bytes], done: KilledRuns) -> None:
    """Note every graded result that a run changed which another one had written."""
    now = {path.parent.name: path.read_bytes() for path in _written(out)}
    graded = {name: one for name, one in now.items() if b'"status": "graded"' in one}
    done.lost += [
        f"{name}: {one!r} was {now.get(name)!r}"
        for name, one in seen.items()
        if now.get(name) != one
    ]
    seen.update(graded)


def timeless(out: Path) -> dict[str, Any]:
    """Return the results, the table and the class of a folder, without what depends on time."""
    found: dict[str, Any] = {}
    for path in _written(out):
        content = json.loads(path.read_text(encoding="utf-8"))
        del content["execution_time"]
        found[path.parent.name] = json.dumps(content)
    content = class_file(out)
    for student in content["students"].values():
        del student["results_sha256"]
    return found | {"class": content, "grades": (out / "grades.csv").read_bytes()}


def main() -> None:
    """Kill as often as the options say, and compare with an undisturbed run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--submissions", type=int, default=300)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    with tempfile.TemporaryDirectory(prefix="killed-") as scratch:
        project = Path(scratch)
        write_project(project, options.submissions)
        kill_runs(project, project / "undisturbed", 0, random.Random(0))
        done = kill_runs(project, project / "killed", options.kills, random.Random(options.seed))
        found, right = (timeless(project / name) for name in ("killed", "undisturbed"))
        same = found == right
        for name in sorted(found.keys() | right.keys()):
            if found.get(name) != right.get(name) and name not in ("class", "grades"):
                print(f"{name}\n  killed: {found.get(name)}\n  right:  {right.get(name)}")
        results = len(_written(project / "killed"))
    print(f"{dict(done.killed)} in {done.commands} commands; {results} results; lost: {done.lost}")
    print("equal to the undisturbed run" if same else "NOT equal to the undisturbed run")
    if not same or done.lost or results != options.submissions:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
