"""Measure what one more submission costs the process that coordinates a run: computing time and memory.

Nothing is graded: the example submissions are graded once, and their results stand for those of a whole
class. So this is the cost of finding, reading, storing and reporting alone. Then the same command runs
again, in a new process, and finds all results there. Run it in the project's folder:
`python -m benchmarks.coordinator [SIZE]...`.
"""

from __future__ import annotations

import pickle
import subprocess
import sys
import tempfile
import time
from concurrent.futures import Future
from dataclasses import replace
from itertools import cycle, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil

from autograder.cli import main as autograder
from autograder.commands import grade as grade_command
from autograder.grading.engines import Engine, Here
from autograder.grading.task import Graded, open_here
from autograder.reports.gradescope_json import RESULTS_FILE, load_results
from autograder.submission.read import parse_submission, read_files
from benchmarks.peers.environment import ROOT

if TYPE_CHECKING:
    from autograder.results import Result

NAME = "self_attention"
SIZES = (1_000, 5_000, 20_000)


class Prepared(Engine):
    """Returns results that were there before, as records that travelled from another process."""

    ahead = 4

    def __init__(self, results: dict[str, Result]) -> None:
        self._results = results
        self._here = Here()
        self._assignment: Any = None
        self.seconds = 0.0

    def submit(self, fn: Any, /, *args: Any, **_: Any) -> Future[Any]:
        """Open the run, or return a result for the submission's student.

        `seconds` counts the computing time that a grading process would need for this.
        """
        before = time.process_time()
        if fn is open_here:
            future: Future[Any] = self._here.submit(fn, *args)
            self._assignment = future.result().exam.assignment
            self.seconds += time.process_time() - before
            return future
        _, run, given = fn.args
        record = pickle.dumps(self._graded(run, given, fn.keywords["dump"]))
        self.seconds += time.process_time() - before
        done: Future[Any] = Future()
        done.set_result(pickle.loads(record))
        return done

    def _graded(self, run: str, given: Any, dump: Any) -> Graded:
        given = given if given.contents else read_files(given)
        kind = given.student.partition("-")[2]
        result = replace(
            self._results[kind], student=given.student, run=run, submission_sha256=given.sha256
        )
        source = parse_submission(given, self._assignment)
        source = replace(source, note="", path=None)
        return Graded(result, source, dump(result))

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Close the run."""
        self._here.shutdown(wait, cancel_futures=cancel_futures)


def grade_examples(out: Path) -> None:
    """Grade the example submissions."""
    command = [sys.executable, "-m", "autograder.cli", "grade", "examples/submissions"]
    command += ["--assignment", NAME, "--out", str(out), "--no-pages", "--quiet", "--seed", "1"]
    subprocess.run([*command, "--allow-degraded"], cwd=ROOT, check=True, capture_output=True)


def _examples(place: Path) -> dict[str, Result]:
    """Return the results of the example submissions that can be read, by student."""
    results = sorted(place.glob(f"examples/*/{RESULTS_FILE}"))
    found = {path.parent.name: load_results(path) for path in results}
    files = {name: ROOT / "examples/submissions" / name / f"{NAME}.py" for name in found}
    return {name: one for name, one in found.items() if one and files[name].is_file()}


def write_class(place: Path, size: int) -> None:
    """Write a class of so many submissions, copies of the graded ones, which are all different files."""
    for number, name in enumerate(islice(cycle(_examples(place)), size)):
        folder = place / "class" / f"{number:06}-{name}"
        folder.mkdir(parents=True)
        text = (ROOT / "examples/submissions" / name / f"{NAME}.py").read_text(encoding="utf-8")
        (folder / f"{NAME}.py").write_text(f"{text}\n# {number}\n", encoding="utf-8")


def run(place: Path, size: int, words: str) -> None:
    """Coordinate a run of so many submissions in this process; print its costs."""
    prepared = Prepared(_examples(place))

    def engine(jobs: int | None, submissions: int) -> Engine:  # noqa: ARG001
        return prepared

    grade_command.local_engine = engine  # type: ignore[attr-defined]
    options = ["--assignment", NAME, "--out", str(place / "out"), "--seed", "1", "--quiet"]
    options += ["--jobs", "2", "--allow-degraded", "--no-pages"]
    before, wall = time.process_time(), time.monotonic()
    try:
        autograder(["grade", str(place / "class"), *options], standalone_mode=False)
    except SystemExit as ended:
        if ended.code:
            raise
    used = time.process_time() - before - prepared.seconds
    print(
        f"{size:6} submissions, {words}: {1000 * used / size:6.2f} ms of computing time each, "
        f"{_peak():6.0f} MB at most, {time.monotonic() - wall:.0f} s",
        flush=True,
    )


def _peak() -> float:
    if sys.platform == "win32":
        return psutil.Process().memory_info().peak_wset / 2**20  # type: ignore[attr-defined]
    import resource  # noqa: PLC0415 - not on every system

    kilobytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return kilobytes / (2**20 if sys.platform == "darwin" else 2**10)


def main() -> None:
    """Measure each size and each run in a process of its own."""
    arguments = sys.argv[1:]
    if arguments[:1] == ["--one"]:
        run(Path(arguments[1]), int(arguments[2]), arguments[3])
        return
    for size in map(int, arguments or SIZES):
        with tempfile.TemporaryDirectory(prefix="coordinator-") as scratch:
            grade_examples(Path(scratch) / "examples")
            write_class(Path(scratch), size)
            for words in ("new", "again"):
                command = [sys.executable, "-m", "benchmarks.coordinator", "--one", scratch]
                subprocess.run([*command, str(size), words], cwd=ROOT, check=True)


if __name__ == "__main__":
    main()
