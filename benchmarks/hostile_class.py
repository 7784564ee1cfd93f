"""Grade a class with and without hostile submissions: the marks of the others, the cost, the scratch folder.

A class of 180 is graded alone, then with hand-ins that are made to stop or to stall the grader
(`tests/attacks/hostile_class.py`). Both take turns, so that changes in machine load affect both. The
cost is the computing time of the command and its grading processes, without the students' workers.
Run it in the project's folder: `python -m benchmarks.hostile_class [--rounds N] [--honest N]`.
"""

from __future__ import annotations

import argparse
import contextlib
import csv
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import psutil

from benchmarks.peers.environment import ROOT
from tests.attacks.hostile_class import NAME, write_honest, write_hostile

EXAMPLES = ROOT / "examples" / "submissions"
# These do not end by themselves, or take seconds.
WITHOUT = {"hiro-t"}


def sources() -> list[str]:
    """Return the example submissions that end by themselves."""
    files = [EXAMPLES / name / f"{NAME}.py" for name in sorted(os.listdir(EXAMPLES))]  # noqa: PTH208
    return [
        file.read_text(encoding="utf-8")
        for file in files
        if file.is_file() and file.parent.name not in WITHOUT
    ]


@dataclass(frozen=True)
class Run:
    """Seconds on the clock and of computing time, the most bytes in the scratch folder, rows by student."""

    seconds: float
    trusted: float
    scratch: int
    rows: dict[str, list[str]]


def grade(folder: Path, out: Path, jobs: int) -> Run:
    """Grade a class."""
    shutil.rmtree(out, ignore_errors=True)
    command = [sys.executable, "-m", "autograder.cli", "grade", str(folder), "--assignment", NAME]
    scratch = out.with_name("scratch")
    scratch.mkdir(exist_ok=True)
    most, trusted = 0, {}
    started = time.perf_counter()
    with (out.with_name("said")).open("w+b") as said:
        running = psutil.Popen(
            [*command, "--out", str(out), "--seed", "1", "--jobs", str(jobs), "--quiet"],
            cwd=ROOT,
            env={**os.environ, "TMPDIR": str(scratch)},
            stdout=said,
            stderr=subprocess.STDOUT,
        )
        while running.poll() is None:
            with contextlib.suppress(psutil.Error):
                for process in (running, *running.children()):
                    times = process.cpu_times()
                    trusted[process.pid] = times.user + times.system
            most = max(most, _bytes_below(scratch))
            time.sleep(0.05)
        seconds = time.perf_counter() - started
        said.seek(0)
        if running.returncode:
            words = said.read()[-4000:].decode("utf-8", "replace")
            raise SystemExit(f"exit code {running.returncode}\n{words}")
    with (out / "grades.csv").open(encoding="utf-8", newline="") as file:
        rows = {row[0]: row[1:] for row in csv.reader(file)}
    return Run(seconds, sum(trusted.values()), most, rows)


def _bytes_below(folder: Path) -> int:
    size = 0
    for path in folder.rglob("*"):
        with contextlib.suppress(OSError):
            size += path.lstat().st_size
    return size


def main() -> None:
    """Grade both classes in turns, and print the ratio of their times."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--honest", type=int, default=180)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    print(f"{os.cpu_count()} cores, {psutil.cpu_percent(interval=1):.0f} % busy with other work")
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        known = sources()
        write_honest(folder / "without", known, options.honest)
        write_honest(folder / "with", known, options.honest)
        count = write_hostile(folder / "with", known[0])
        runs: dict[str, list[Run]] = {"without": [], "with": []}
        for _ in range(options.rounds):
            for name, found in runs.items():
                found.append(grade(folder / name, folder / "out", options.jobs))
        (folder / "with" / "unreadable").chmod(0o700)
    alone, together = runs["without"], runs["with"]
    rows = together[-1].rows
    changed = [one for one, row in alone[-1].rows.items() if rows.get(one) != row]
    print(
        f"{options.honest} submissions, and the same with {count} hostile ones; medians of {options.rounds}"
    )
    for what in ("seconds", "trusted"):
        before, after = (
            statistics.median(getattr(one, what) for one in ones) for ones in (alone, together)
        )
        print(f"{what:8} {before:7.1f} s {after:7.1f} s   {after / before:.2f} times")
    print(f"scratch folder at most {max(one.scratch for one in together) / 1e6:.0f} MB")
    print(f"marks that changed: {', '.join(changed) or 'none'}")


if __name__ == "__main__":
    main()
