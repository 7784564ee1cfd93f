"""This kit: grading in one process, a profile of its time, and the whole command."""

from __future__ import annotations

import subprocess
import sys
import time
from collections import defaultdict
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, cast

from autograder.files import write_whole
from autograder.grading.grade import grade
from autograder.reports.gradescope_json import RESULTS_FILE, dump_results
from autograder.submission.hand_in import HandIn
from autograder.submission.read import read_submission
from benchmarks.peers.environment import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from autograder.exam.questions import Exam
    from autograder.results import Result
    from autograder.sandbox.sandbox import Sandbox
    from benchmarks.peers.answers import Answer

ASSIGNMENT = "self_attention"


class Kit:
    """The work of a run for each submission: read, grade, write results."""

    def __init__(
        self, name: str, folder: Path, answers: list[Answer], exam: Exam, sandbox: Sandbox
    ) -> None:
        self.name = name
        self._exam = exam
        self._sandbox = sandbox
        self._results = folder / "results"
        self._found = {}
        for answer in answers:
            path = folder / answer.name / f"{ASSIGNMENT}.py"
            path.parent.mkdir(parents=True)
            path.write_text(answer.module)
            self._found[answer.name] = HandIn(answer.name, path.parent, (path,))

    def grade(self, answer: Answer) -> float:
        """Grade an answer, write its results, and return the mark."""
        submission = read_submission(self._found[answer.name], self._exam.assignment)
        result = grade(self._exam, submission, self._sandbox, run="benchmark")
        write_whole(self._results / result.student / RESULTS_FILE, dump_results(result))
        return result.score

    def profile(self, answer: Answer) -> dict[str, float]:
        """Return the seconds of each part of `grade`, timed from outside; `whole` is the total."""
        clock = _Clock()
        with clock.part("whole"):
            with clock.part("read the file"):
                submission = read_submission(self._found[answer.name], self._exam.assignment)
            watched = cast("Sandbox", _Watched(self._sandbox, clock))
            with clock.part("grade"):
                result: Result = grade(self._exam, submission, watched, run="benchmark")
            with clock.part("write the results"):
                write_whole(self._results / result.student / RESULTS_FILE, dump_results(result))
        parts = clock.seconds
        inside = sum(parts[name] for name in _INSIDE)
        parts["compare and explain"] = parts.pop("grade") - inside
        return dict(parts)


_START = "get a worker"
_LOAD = "wait for its layers, load the file"
_ASK = "requests"
_STOP = "end the worker"
_INSIDE = (_START, _LOAD, _ASK, _STOP)
PARTS = ("read the file", *_INSIDE, "compare and explain", "write the results")


class _Clock:
    """Clock that sums up seconds by part."""

    def __init__(self) -> None:
        self.seconds: defaultdict[str, float] = defaultdict(float)

    @contextmanager
    def part(self, name: str) -> Iterator[None]:
        started = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[name] += time.perf_counter() - started


class _Watched:
    """A sandbox or a worker with timed calls."""

    def __init__(self, thing: Any, clock: _Clock) -> None:
        self._thing = thing
        self._clock = clock
        self._asked = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._thing, name)

    def start(self) -> _Watched:
        with self._clock.part(_START):
            return _Watched(self._thing.start(), self._clock)

    def stop(self, worker: _Watched) -> None:
        with self._clock.part(_STOP):
            self._thing.stop(worker._thing)

    def ask(self, *request: Any) -> Any:
        part = _ASK if self._asked else _LOAD
        self._asked = True
        with self._clock.part(part):
            return self._thing.ask(*request)


def grade_command(paths: list[Path], out: Path) -> list[str]:
    """Return the command to grade these paths, run by this interpreter through `python -m`."""
    options = ["--assignment", ASSIGNMENT, "--out", str(out), "--fresh", "--allow-degraded"]
    words = ["-m", "autograder.cli", "grade", *map(str, paths), *options]
    return [sys.executable, *words]


def time_command(paths: list[Path], out: Path) -> tuple[float, float]:
    """Return the seconds until the command's first result and until its end.

    Raises SystemExit if the command fails.
    """
    started = time.perf_counter()
    first = 0.0
    with subprocess.Popen(
        grade_command(paths, out), cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if line.startswith("[1/"):
                first = time.perf_counter() - started
    if process.returncode or not first:
        raise SystemExit(f"autograder grade: exit code {process.returncode}")
    return first, time.perf_counter() - started
