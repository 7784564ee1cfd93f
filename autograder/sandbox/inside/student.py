"""A student's source as a module, inside the worker.

The source arrives as bytes and is never written to disk; `linecache` receives its lines, so that tracebacks show them.
Each piece is compiled and run alone; one that fails costs only what it would have defined.
"""

from __future__ import annotations

import linecache
import sys
import types
from dataclasses import dataclass, field

from autograder.assignment.probes import reset_state

MAX_FRAMES = 12
MAX_LINE = 10_000_000
MAX_MESSAGE = 2_000


@dataclass
class StudentModule:
    """A loaded submission: its module, and the errors of loading it."""

    module: types.ModuleType
    labels: set[str] = field(default_factory=set)
    failures: list[dict[str, object]] = field(default_factory=list)


def load(name: str, pieces: list[tuple[str, str]]) -> StudentModule:
    """Run `pieces` (label, source) in order in one module called `name`.

    Any exception is a failure of its piece, SystemExit and KeyboardInterrupt too.
    """
    module = types.ModuleType(name)
    sys.modules[name] = module
    student = StudentModule(module)
    reset_state()
    for label, source in pieces:
        student.labels.add(label)
        module.__file__ = label
        linecache.cache[label] = (len(source), None, source.splitlines(keepends=True), label)
        try:
            code = compile(source, label, "exec", dont_inherit=True)
            exec(code, module.__dict__)
        except BaseException as error:  # noqa: BLE001 - whatever a student's code raises is an observation
            student.failures.append(describe(error, student.labels))
    return student


def describe(error: BaseException, labels: set[str]) -> dict[str, object]:
    """An exception's type, message and frames; of the frames only those in the student's own code."""
    frames = []
    trace = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        if code.co_filename in labels:
            frames.append(_frame(code.co_filename, trace.tb_lineno, code.co_qualname))
        trace = trace.tb_next
    if isinstance(error, SyntaxError) and type(error.filename) is str and error.filename in labels:
        line = error.lineno if type(error.lineno) is int else 0
        frames.append(_frame(str(error.filename), max(0, min(line, MAX_LINE)), "<module>"))
    return {
        "type": type(error).__name__[:200],
        "message": _message(error),
        "frames": frames[-MAX_FRAMES:],
    }


def _frame(label: str, line: int, function: str) -> dict[str, object]:
    text = linecache.getline(label, line).strip()
    return {"file": label, "line": line, "function": function[:200], "text": text[:300]}


def _message(error: BaseException) -> str:
    try:
        text = str.__str__(str(error.msg) if isinstance(error, SyntaxError) else str(error))
    except BaseException as failure:  # noqa: BLE001 - a student's own __str__ may do anything
        text = f"(its text could not be made: {type(failure).__name__})"
    return text[:MAX_MESSAGE]
