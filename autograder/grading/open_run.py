"""Open a run: its folder for it alone, the assignment, its exam, the run's seed and a safe sandbox."""

from __future__ import annotations

import atexit
import gc
import hashlib
import os
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING

from filelock import FileLock, Timeout

from autograder.assignment.assignment import is_release
from autograder.assignment.source import load_source, source_names, unknown_assignment
from autograder.errors import UsageError
from autograder.exam.draw import draw_exam
from autograder.exam.expected_json import load_release, release_digest, released_names
from autograder.exam.questions import Exam
from autograder.grading.run_seed import Run, earlier_run
from autograder.sandbox.policy import refuse_if_open
from autograder.sandbox.warm import best_sandbox

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

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
        public: use the released questions. Then nothing from `place` runs outside a worker.
        run: the run with its seed; None until it is looked up in `home`.
        release_digest: the expected digest of the release; empty if it is unknown.
        seed: the seed of a new run. None means the seed kept in `home`, or a random one.
        fresh: start a new run even if `home` holds another one.
        round: the round of the run whose exam is drawn (see `Run`).
    """

    assignment: str
    place: Path
    home: Path
    limits: Limits
    private: tuple[Path, ...]
    allow_degraded: bool = False
    switch: str = "--allow-degraded"
    public: bool = False
    seed: int | None = None
    fresh: bool = False
    round: int = 0
    run: Run | None = None
    release_digest: str = ""


@dataclass(frozen=True)
class RunOutline:
    """A run's data for a process that does not grade itself. It can be sent between processes.

    Attributes:
        exam: the exam without its questions, answers and probes.
        questions: the points of each question that a person marks; a public run has none.
    """

    exam: Exam
    run: Run
    questions: Mapping[str, float]


@dataclass(frozen=True)
class OpenRun(RunOutline):
    """An open run, ready to grade submissions, with the whole exam."""

    sandbox: Sandbox

    @property
    def outline(self) -> RunOutline:
        """The run without the questions, the probes and the sandbox."""
        exam = self.exam
        checks = tuple(
            replace(
                check,
                criteria=tuple(
                    replace(criterion, probes=(), fallback=None) for criterion in check.criteria
                ),
            )
            for check in exam.assignment.checks
        )
        outline = Exam(
            assignment=replace(exam.assignment, checks=checks),
            questions=(),
            public=exam.public,
            mistakes=exam.mistakes,
            remarks={},
            changed=exam.changed,
        )
        return RunOutline(outline, self.run, self.questions)


@contextmanager
def reopen_run(setting: Setting) -> Iterator[OpenRun]:
    """Open the run that `home` holds once more. Nothing is written.

    Raises UsageError like `prepare_run`, and if the assignment has changed since the run.
    """
    with prepare_run(replace(setting, run=earlier_run(setting.home))) as opened:
        if opened.run.id != opened.run.earlier_id:
            raise UsageError(
                f"{setting.place / setting.assignment} has changed since the results in {setting.home} were made. "
                "Give the --solutions of that run, or run `autograder grade` again."
            )
        yield opened


@contextmanager
def prepare_run(setting: Setting) -> Iterator[OpenRun]:
    """Open a run, and close its sandbox at the end. The sandbox imports torch while the exam is drawn.

    Nothing is written. Raises UsageError if there is no such assignment, if `home` holds another run, or if sandbox
    layers are missing on this machine without `allow_degraded`.
    """
    folder = find_assignment(setting)
    with ExitStack() as stack:
        probes = b"" if setting.public else _probes(folder)
        sandbox = best_sandbox(setting.limits, probes=probes)
        stack.callback(sandbox.close)
        sandbox.prepare()
        with frozen_gc():
            exam, run, questions = _draw(setting, folder)
        places = (setting.home, *setting.private)
        refuse_if_open(sandbox, places, allowed=setting.allow_degraded, switch=setting.switch)
        yield OpenRun(exam, run, questions, sandbox)


def in_round(opened: OpenRun, setting: Setting) -> OpenRun:
    """Return an open run with the exam of another round."""
    return OpenRun(*_draw(setting, find_assignment(setting)), opened.sandbox)


def find_assignment(setting: Setting) -> Path:
    """Return the assignment's folder. Raises UsageError, which lists the known ones, if it is missing."""
    folder = setting.place / setting.assignment
    if is_release(folder) if setting.public else folder.is_dir():
        return folder
    known = released_names(setting.place) if setting.public else source_names(setting.place)
    raise unknown_assignment(setting.assignment, setting.place, known)


def _probes(folder: Path) -> bytes:
    """Return the checks' source, which the fork server loads first; empty if there is none."""
    path = folder / f"test_{folder.name}.py"
    return path.read_text(encoding="utf-8").encode() if path.exists() else b""


def _draw(setting: Setting, folder: Path) -> tuple[Exam, Run, dict[str, float]]:
    """Draw the exam from the run's seed, or load the released questions.

    Return exam, run, and the points of the questions that a person marks.
    """
    assert setting.run is not None
    run = replace(setting.run, round=setting.round)
    if setting.public:
        exam = load_release(folder, setting.release_digest)
        parts = [
            release_digest(folder).encode(),
            exam.assignment.probes,
            *map(str.encode, exam.changed),
        ]
        digest = hashlib.sha256(b"\0".join(parts))
        return exam, run.of_source(digest.hexdigest()), {}
    source = load_source(folder)
    questions = {cell.id: cell.points for cell in source.script if cell.kind == "question"}
    exam = draw_exam(source, run.exam_seed)
    return exam, run.of_source(source.digest), questions


@contextmanager
def held_lock(path: Path, problem: str) -> Iterator[None]:
    """Hold a lock, which also ends with its process. Raises UsageError if another process holds it."""
    lock = FileLock(path)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise UsageError(f"{problem} Wait until that has ended; {path} is held by it.") from None
    try:
        yield
    finally:
        lock.release()


def refuse_links(folder: Path) -> None:
    """Raise UsageError if a folder of results, which a repository may bring, is a link or holds one."""
    for path in chain([folder], folder.rglob("*")):
        if path.is_symlink():
            raise UsageError(
                f"{path} is a link, and results would be written where it leads. Remove it, or give another --out."
            )


@contextmanager
def only_run(folder: Path) -> Iterator[None]:
    """Keep other runs out of a folder of results, which is made if it is missing and removed if it stays empty.

    Raises UsageError if another run is writing into it, or if it cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(
            f"The folder {folder} cannot be made: {error.strerror}. Give another --out."
        ) from None
    path = folder / ".lock"
    try:
        with held_lock(path, f"Another run is writing into {folder}."):
            try:
                yield
            finally:
                if os.name == "posix":  # elsewhere nobody can remove an open file
                    path.unlink(missing_ok=True)
    finally:
        with suppress(OSError):  # it holds something
            folder.rmdir()


@contextmanager
def frozen_gc() -> Iterator[None]:
    """Create long-lived objects without garbage collection, and keep them out of later collections.

    With torch loaded, one collection takes 0.2 s, more than grading some submissions. A process that
    continues after the run calls `gc.unfreeze`. At exit, all objects are frozen: no last collection.
    """
    atexit.register(gc.freeze)
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
    gc.freeze()
