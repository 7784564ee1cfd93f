"""One set-up for all who grade: the assignment, its exam, the run's seed, and a sandbox that is closed enough."""

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
    """What is graded, and how.

    Attributes:
        assignment: its name.
        place: the folder of all assignments: with their solutions or, for `public`, released.
        home: the folder that keeps the run's seed.
        limits: for each check.
        private: folders and files that student code must not read.
        allow_degraded: grade even where sandbox layers are missing.
        switch: how one allows that, for the message.
        public: ask the released questions.
        seed: of a new run; None: that of `home`, or a random one.
        fresh: begin a new run even where `home` holds another one.
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
    """A run that submissions can be graded in."""

    exam: Exam
    run: Run
    sandbox: Sandbox


@contextmanager
def open_run(setting: Setting) -> Iterator[OpenRun]:
    """Open a run, and close its sandbox at the end. The sandbox starts first: it imports torch meanwhile.

    Raises UsageError if there is no such assignment, if `home` holds another run, or if this machine is too open.
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
    """The assignment's folder. Raises UsageError, with what is there, if there is none."""
    folder = setting.place / setting.assignment
    if is_release(folder) if setting.public else folder.is_dir():
        return folder
    known = released_names(setting.place) if setting.public else names(setting.place)
    raise unknown_assignment(setting.assignment, setting.place, known)


def _probes(folder: Path) -> bytes:
    """The checks' source, which the fork server loads before the rest is ready; empty if there is none."""
    path = folder / f"test_{folder.name}.py"
    return path.read_text(encoding="utf-8").encode() if path.exists() else b""


def _draw(setting: Setting, folder: Path) -> tuple[Exam, Run]:
    """The exam and its run: drawn from the run's seed, or the released questions."""
    home, seed, fresh = setting.home, setting.seed, setting.fresh
    if setting.public:
        exam = load_release(folder)
        digest = hashlib.sha256((folder / EXPECTED).read_bytes() + exam.assignment.probes)
        return exam, find_run(home, exam.assignment, digest.hexdigest(), seed=seed, fresh=fresh)
    source = load_source(folder)
    run = find_run(home, source.assignment, source.digest, seed=seed, fresh=fresh)
    return draw_exam(source, run.seed), run
