"""Grade a class with and without hostile submissions, and compare the marks and the times of the others.

A class of 180 is graded alone, then with 20 files that are made to stop or to stall the grader
(`tests/attacks/hostile_class.py`). Both take turns, so that changes in machine load affect both.
Run it in the project's folder: `python -m benchmarks.hostile_class [--rounds N] [--honest N]`.
"""

from __future__ import annotations

import argparse
import csv
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
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


def grade(folder: Path, out: Path, jobs: int) -> tuple[float, dict[str, list[str]]]:
    """Grade a class; return the seconds and the rows of `grades.csv` by student."""
    shutil.rmtree(out, ignore_errors=True)
    command = [sys.executable, "-m", "autograder.cli", "grade", str(folder), "--assignment", NAME]
    started = time.perf_counter()
    done = subprocess.run(
        [*command, "--out", str(out), "--seed", "1", "--jobs", str(jobs), "--quiet"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    seconds = time.perf_counter() - started
    if done.returncode:
        raise SystemExit(f"exit code {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-4000:]}")
    with (out / "grades.csv").open(encoding="utf-8", newline="") as file:
        return seconds, {row[0]: row[1:] for row in csv.reader(file)}


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
        times: dict[str, list[float]] = {"without": [], "with": []}
        marks = {}
        for _ in range(options.rounds):
            for name, found in times.items():
                seconds, marks[name] = grade(folder / name, folder / "out", options.jobs)
                found.append(seconds)
        (folder / "with" / "unreadable").chmod(0o700)
    honest = marks["without"]
    changed = [one for one, row in honest.items() if marks["with"].get(one) != row]
    before, after = (statistics.median(times[name]) for name in ("without", "with"))
    print(f"{options.honest} submissions alone             {before:7.1f} s")
    print(f"the same with {count} hostile ones      {after:7.1f} s   {after / before:.2f} times")
    print(f"marks that changed: {', '.join(changed) or 'none'}")


if __name__ == "__main__":
    main()
