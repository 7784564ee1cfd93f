"""The project's assignments and their exams: each exam is drawn once, and kept on disk for all processes and runs.

To draw the four exams with all their known wrong answers takes 10 to 15 seconds of computing time; to read them, 0.2.
A kept exam bears the digest of all that it is made from.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import pickle
import platform
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from filelock import FileLock

from autograder.assignment.source import Source, load_source

if TYPE_CHECKING:
    from autograder.exam.questions import Exam

ROOT = Path(__file__).parents[1]
KEPT = ROOT / "results" / "exams"
ASSIGNMENTS = ("self_attention", "numpy_attention", "scaled_dot_product", "causal_multihead")
# What an exam is drawn by: nothing in other packages can be imported there.
DRAWN_BY = ("*.py", "assignment/**/*.py", "exam/**/*.py", "values/**/*.py")
# What chooses how numbers are rounded.
ROUNDING = ("MKL_ENABLE_INSTRUCTIONS", "ATEN_CPU_CAPABILITY", "OPENBLAS_CORETYPE")


@functools.cache
def source_of(assignment: str) -> Source:
    return load_source(ROOT / "solutions" / assignment)


@functools.cache
def exam_of(assignment: str, seed: int = 1) -> Exam:
    """Return the exam of an assignment of the project for a seed, with all known wrong answers made."""
    import torch  # noqa: PLC0415 - who only reads sources needs none of these

    from autograder.assignment.probes import skip_absent_devices  # noqa: PLC0415
    from autograder.exam.right_values import RightTracer  # noqa: PLC0415
    from autograder.exam.substitution import Substitution  # noqa: PLC0415

    torch.set_num_threads(1)
    skip_absent_devices()  # both as `draw_exam` does
    source = source_of(assignment)
    return replace(
        _kept_exam(source, seed),
        assignment=source.assignment,
        substitution=Substitution(source),
        right_values=RightTracer(source),
    )


def _kept_exam(source: Source, seed: int) -> Exam:
    """Return an exam without what knows its source."""
    path = KEPT / f"{source.assignment.name}-{seed}-{_digest(source)}.pickle"
    with contextlib.suppress(FileNotFoundError):
        return _read(path)
    if not _is_writable():
        return _drawn(source, seed)
    with FileLock(path.with_suffix(".lock")):
        if not path.exists():
            for old in KEPT.glob(f"{source.assignment.name}-{seed}-*"):
                if old.stem != path.stem:
                    old.unlink()
            unfinished = path.with_suffix(".unfinished")
            unfinished.write_bytes(pickle.dumps(_drawn(source, seed)))
            unfinished.replace(path)
    return _read(path)


def _is_writable() -> bool:
    """Whether exams can be kept: another user may run the tests in a folder that is not theirs."""
    try:
        KEPT.mkdir(parents=True, exist_ok=True)
    except PermissionError:
        return False
    return os.access(KEPT, os.W_OK)


def _read(path: Path) -> Exam:
    exam: Exam = pickle.loads(path.read_bytes())
    return exam


def _drawn(source: Source, seed: int) -> Exam:
    """Return the exam without what knows its source; known wrong answers stand in place of what makes them."""
    from autograder.exam.draw import draw_exam  # noqa: PLC0415 - it runs the reference
    from autograder.exam.questions import unknown  # noqa: PLC0415

    exam = draw_exam(source, seed)
    questions = (
        replace(
            question,
            answers=tuple(
                replace(answers, make_wrong=functools.partial(tuple, answers.wrong))
                for answers in question.answers
            ),
        )
        for question in exam.questions
    )
    nowhere = replace(source.assignment, checks=(), cells=())
    exam = replace(exam, substitution=None, right_values=unknown)
    return replace(exam, questions=tuple(questions), assignment=nowhere)


@functools.cache
def _digest_of_the_kit() -> str:
    """Return the digest of the code by which exams are drawn, and of what computes."""
    import numpy as np  # noqa: PLC0415 - for their versions
    import torch  # noqa: PLC0415

    digest = hashlib.sha256()
    for path in sorted(path for part in DRAWN_BY for path in (ROOT / "autograder").glob(part)):
        digest.update(path.read_bytes())
    computing = [platform.python_version(), platform.machine(), torch.__version__, np.__version__]
    computing += [os.environ.get(name, "") for name in ROUNDING]
    digest.update(repr(computing).encode())
    return digest.hexdigest()


def _digest(source: Source) -> str:
    return hashlib.sha256(f"{_digest_of_the_kit()}{source.digest}".encode()).hexdigest()[:24]
