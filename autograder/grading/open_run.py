"""The set-up that all graders share: the assignment, its exam, the run's seed and a safe sandbox."""

from __future__ import annotations

import hashlib
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from autograder.assignment.catalogue import EXPECTED, is_release, names, unknown_assignment
from autograder.assignment.source import load_source
from autograder.exam.draw import draw_exam
from autograder.exam.public import load_release, released_names
from autograder.grading.gc_pause import made_to_stay
from autograder.grading.run_id import Run, find_run
from autograder.sandbox.policy import refuse_if_open
from autograder.sandbox.warm import best_sandbox

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from autograder.exam.questions import Exam
    from autograder.sandbox.limits import Limits
    from autograder.sandbox.sandbox import Sandbox


@dataclass(frozen=True)
class Setting:
    """The settings of a run.

    Attributes:
        assignment: the assignment's name.
        place: the folder of all assignments: the solutions or, with `public`, the releases.
        home: the folder that keeps the run's seed.
        limits: the limits of each check.
        private: folders and files that student code must not read.
        allow_degraded: grade even if sandbox layers are missing.
        switch: the name of the option that sets `allow_degraded`, for the error message.
        public: ask the released questions.
        seed: the seed of a new run. None means the seed kept in `home`, or a random one.
        fresh: start a new run even if `home` holds another one.
    """

    assignment: str
    place: Path
    home: Path
    limits: Limits
    private: tuple[Path, ...]
    allow_degraded: bool
    switch: str
    public: bool = False
    seed: int | None = None
    fresh: bool = False


@dataclass(frozen=True)
class OpenRun:
    """An open run, ready to grade submissions."""

    exam: Exam
    run: Run
    sandbox: Sandbox


@contextmanager
def open_run(setting: Setting) -> Iterator[OpenRun]:
    """Open a run, and close its sandbox at the end.

    The sandbox starts first, and imports torch while the exam is drawn.

    Raises UsageError if there is no such assignment, if `home` holds another run, or if sandbox layers
    are missing on this machine without `allow_degraded`.
    """
    folder = find_assignment(setting)
    with ExitStack() as stack:
        sandbox = best_sandbox(setting.limits, probes=_probes(folder))
        stack.callback(sandbox.close)
        sandbox.prepare()
        with made_to_stay():
            exam, run = _draw(setting, folder)
        places = (setting.home, *setting.private)
        refuse_if_open(sandbox, places, allowed=setting.allow_degraded, switch=setting.switch)
        run.write(setting.home)
        yield OpenRun(exam, run, sandbox)


def find_assignment(setting: Setting) -> Path:
    """Return the assignment's folder. Raises UsageError, which lists the known ones, if it is missing."""
    folder = setting.place / setting.assignment
    if is_release(folder) if setting.public else folder.is_dir():
        return folder
    known = released_names(setting.place) if setting.public else names(setting.place)
    raise unknown_assignment(setting.assignment, setting.place, known)


def _probes(folder: Path) -> bytes:
    """Return the checks' source, which the fork server loads first; empty if there is none."""
    path = folder / f"test_{folder.name}.py"
    return path.read_text(encoding="utf-8").encode() if path.exists() else b""


def _draw(setting: Setting, folder: Path) -> tuple[Exam, Run]:
    """Draw the exam from the run's seed, or load the released questions. Return exam and run."""
    home, seed, fresh = setting.home, setting.seed, setting.fresh
    if setting.public:
        exam = load_release(folder)
        digest = hashlib.sha256((folder / EXPECTED).read_bytes() + exam.assignment.probes)
        return exam, find_run(home, exam.assignment, digest.hexdigest(), seed=seed, fresh=fresh)
    source = load_source(folder)
    run = find_run(home, source.assignment, source.digest, seed=seed, fresh=fresh)
    return draw_exam(source, run.seed), run
