"""Measure submissions a second for one and two grading processes and for a Dask cluster of two.

All grade the same synthetic class: right, wrong, hanging and hostile submissions in set shares. The
rates are those of the middle of each run, without the start and the end. The command's own memory is
measured while it grades. Run it in the project's folder: `python -m benchmarks.scale [--count N]`.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import psutil

from autograder.assignment.source import load_source
from benchmarks.hostile_class import sources
from benchmarks.peers.answers import reference_answer
from benchmarks.peers.environment import ROOT
from tests.attacks.hostile_class import NAME, write_hostile

if TYPE_CHECKING:
    from collections.abc import Iterator

# The part of the results, in the order in which they were written, that a rate is taken from.
FROM, TO = 0.25, 0.95
TIMEOUT = 1
MANY = 1_000_000
CORES = (2, 8, 32, 512)
# Milliseconds of the coordinator for each submission, however many cores grade.
COORDINATOR = 1.5
HANGS = "\n\ndef attention_weights(scaled_scores):\n    while True:\n        pass\n"


@dataclass(frozen=True)
class Measured:
    """One run: submissions a second, and megabytes of the command at a quarter and at the end of it."""

    name: str
    rate: float
    early: float
    late: float


def write_class(folder: Path, count: int, shares: dict[str, float]) -> None:
    """Write the submissions; each kind is spread evenly over the class."""
    right = reference_answer(load_source(ROOT / "solutions" / NAME)).module
    kinds = {
        "right": [right],
        "wrong": sources(),
        "hanging": [right + HANGS],
        "hostile": hostile_sources(right),
    }
    owed = dict.fromkeys(shares, 0.0)
    for number in range(count):
        for kind, share in shares.items():
            owed[kind] += share
        kind = max(owed, key=lambda one: owed[one])
        owed[kind] -= 1.0
        place = folder / f"{number:07}-{kind}"
        place.mkdir(parents=True)
        text = kinds[kind][number % len(kinds[kind])]
        (place / f"{NAME}.py").write_text(f"{text}\n# {number}\n", encoding="utf-8")


def hostile_sources(right: str) -> list[str]:
    """Return the hostile submissions that are files."""
    with tempfile.TemporaryDirectory() as scratch:
        write_hostile(Path(scratch) / "class", right)
        files = [path for path in Path(scratch).glob(f"class/*/{NAME}.py") if path.is_file()]
        files = [path for path in sorted(files) if not path.is_symlink()]
        return [path.read_text(encoding="utf-8", errors="replace") for path in files]


def measure(name: str, folder: Path, out: Path, *options: str) -> Measured:
    """Grade the class with the command."""
    command = [sys.executable, "-m", "autograder.cli", "grade", str(folder), "--assignment", NAME]
    command += ["--out", str(out), "--seed", "1", "--timeout", str(TIMEOUT), "--quiet"]
    sizes: list[float] = []
    with tempfile.TemporaryFile() as output:
        child = subprocess.Popen(
            [*command, "--no-pages", "--allow-degraded", *options],
            cwd=ROOT,
            stdout=output,
            stderr=output,
        )
        process = psutil.Process(child.pid)
        while child.poll() is None:
            with suppress(psutil.Error):  # it may have just ended
                sizes.append(process.memory_info().rss / 2**20)
            time.sleep(0.5)
        if child.returncode:
            output.seek(0)
            raise SystemExit(output.read().decode(errors="replace")[-4000:])
    times = sorted(path.stat().st_mtime for path in out.glob("*/results.json"))
    first, last = int(FROM * len(times)), int(TO * len(times)) - 1
    rate = (last - first) / (times[last] - times[first])
    return Measured(name, rate, sizes[int(FROM * len(sizes))], max(sizes))


@contextmanager
def cluster(processes: int) -> Iterator[str]:
    """Start a Dask scheduler and workers as processes of their own; yield the scheduler's address."""
    from tests.commands.dask_cluster import dask_cluster  # noqa: PLC0415 - it needs `cluster`

    with dask_cluster(processes) as address:
        yield address


def measure_engine(name: str, folder: Path, out: Path) -> Measured:
    """Grade the class with one of the engines."""
    if name == "dask":
        with cluster(2) as address:
            return measure(name, folder, out, "--engine", "dask", "--scheduler", address)
    return measure(name, folder, out, "--jobs", "2" if name == "two" else "1")


def main() -> None:
    """Print a line for each engine, with its median rate, and what a million submissions take."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=2000, help="submissions")
    parser.add_argument("--rounds", type=int, default=1, help="turns of all engines")
    for kind, share in (("wrong", 0.5), ("hanging", 0.0), ("hostile", 0.0)):
        parser.add_argument(f"--{kind}", type=float, default=share, help="share of the class")
    parser.add_argument(
        "--coordinator",
        type=float,
        default=COORDINATOR,
        help="milliseconds that a submission costs the coordinator (benchmarks.coordinator)",
    )
    parser.add_argument(
        "--engines",
        default="one,two,dask",
        help="which of one, two and dask",
    )
    options = parser.parse_args()
    shares = {kind: getattr(options, kind) for kind in ("wrong", "hanging", "hostile")}
    shares = {"right": 1.0 - sum(shares.values()), **shares}
    names = options.engines.split(",")
    found: dict[str, list[Measured]] = {name: [] for name in names}
    with tempfile.TemporaryDirectory(prefix="scale-") as scratch:
        folder = Path(scratch) / "class"
        write_class(folder, options.count, shares)
        for number in range(options.rounds):
            for name in names:
                found[name].append(measure_engine(name, folder, Path(scratch) / f"{name}-{number}"))
    rates = {name: statistics.median(one.rate for one in runs) for name, runs in found.items()}
    for name, runs in found.items():
        print(
            f"{name:>8}: {rates[name]:6.1f} a second; the command {runs[0].early:.0f} MB, "
            f"at most {max(one.late for one in runs):.0f} MB"
        )
    print(f"{os.cpu_count()} cores, {options.count} submissions, {shares}")
    for first, second in (("two", "one"), ("dask", "two")):
        if {first, second} <= rates.keys():
            print(f"{first} / {second}: {rates[first] / rates[second]:.2f}")
    best = max(rates.values())
    for cores in CORES:
        seconds = MANY * max(2 / (best * cores), options.coordinator / 1000)
        print(f"{MANY:,} submissions on {cores:3} cores: {seconds / 3600:7.2f} hours")


if __name__ == "__main__":
    main()
