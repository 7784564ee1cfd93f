"""A student's source as a module, inside the worker.

The source arrives as bytes and is never written to disk; `linecache` receives its lines, so that tracebacks show them.
Each top-level statement is compiled and run alone; one that fails costs only what it would have defined.
"""

from __future__ import annotations
import __future__

import ast
import contextlib
import linecache
import sys
import types
from dataclasses import dataclass, field
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Any, Self

from autograder.assignment import libraries
from autograder.assignment.probes import reset_state
from autograder.assignment.recorder import MOST_TRACED, changed_names
from autograder.python_source import Statement, attributes_assigned, excerpt, statements_of
from autograder.sandbox.inside.bindings import Bindings
from autograder.sandbox.inside.existing import existing_names
from autograder.sandbox.inside.packages import Packages
from autograder.sandbox.inside.settings import Settings, default_device, modes
from autograder.values.wire import DEFINES, IMPORTS, MAX_TEXT, MOST_STATEMENTS

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

    from autograder.assignment.recorder import Recorder


MAX_FRAMES = 12
MAX_LINE = 10_000_000
MAX_MESSAGE = 2_000
MAX_DEFINED = 50
# Seconds between two announcements of imports: a library has hundreds of modules.
_SELDOM = 0.05


# The attributes of a loaded submission that the grader is told.
REPORTED = ("failures", "unfit", "replaced", "devices", "skipped")


@dataclass
class StudentModule:
    """A loaded submission: its module, and what went wrong while it was loaded.

    Attributes:
        failures: the exceptions of statements, in order, with the names that each should have defined.
        unfit: the steps whose name is bound to something that does not fit.
        replaced: the functions of libraries that the source replaced.
        devices: the default device, other than the CPU, that the source was the first to set.
        skipped: the statements that were left out.
    """

    module: types.ModuleType
    labels: set[str] = field(default_factory=set)
    failures: list[dict[str, object]] = field(default_factory=list)
    unfit: list[dict[str, object]] = field(default_factory=list)
    replaced: list[dict[str, object]] = field(default_factory=list)
    devices: list[dict[str, object]] = field(default_factory=list)
    skipped: list[dict[str, object]] = field(default_factory=list)


@dataclass(frozen=True)
class Skips:
    """Which statements to leave out: by number, by text, and from a number on all that do more than define."""

    numbers: Collection[int] = ()
    texts: Collection[str] = ()
    only_definitions_from: int = MOST_STATEMENTS

    def have(self, number: int, statement: Statement, text: Callable[[], str]) -> bool:
        """Return whether to leave out a statement."""
        late = number >= self.only_definitions_from and not _does(statement.tree) & DEFINES
        return late or number in self.numbers or (bool(self.texts) and text() in self.texts)


def load(
    name: str,
    pieces: list[tuple[str, str]],
    steps: Collection[str] = (),
    classes: Collection[str] = (),
    *,
    skips: Skips | None = None,
    announce: Callable[[int, int], None] = lambda _number, _does: None,
    stand_ins: Mapping[str, Any] | None = None,
    packages: Packages | None = None,
    recorder: Recorder | None = None,
) -> StudentModule:
    """Run `pieces` (label, source) in order in one module called `name`.

    Any exception is a failure of its statement, SystemExit and KeyboardInterrupt too. Afterwards the name of each of
    the `steps` is bound to the last object that fits: a class for the `classes` among them, else a callable.
    `announce` gets the number of each statement before it runs, and what it does, and both again while it imports; at
    last MOST_STATEMENTS. `stand_ins` take the places of some steps. The `packages` are put back, or those of now. A
    `recorder` gets the functions' values.
    """
    module = types.ModuleType(name)
    packages = packages or Packages()
    packages.add(name, module)
    student = StudentModule(module)
    reset_state()
    parsed = list(_read(student, pieces))
    if recorder is not None:
        recorder.prepare(module, _traced(parsed))
    assigned = list(_assigned(parsed))
    libraries.watch({attribute for _, _, attribute, _ in assigned})
    bindings = Bindings(module, steps, classes, stand_ins)
    _Runner(student, bindings, skips or Skips(), announce).run(parsed)
    packages.put_back()
    announce(MOST_STATEMENTS, 0)
    bindings.restore()
    unfit = bindings.unfit().items()
    student.unfit = [_rebound(step, (one.value,), (one.label, one.line)) for step, one in unfit]
    student.replaced = list(_replaced(module, assigned))
    return student


def _traced(parsed: list[tuple[str, Statement]]) -> list[ast.stmt]:
    """Return the statements whose values are recorded."""
    return [one.tree for _, one in parsed if one.tree is not None and one.read <= MOST_TRACED]


def _assigned(parsed: list[tuple[str, Statement]]) -> Iterator[tuple[str, str, str, int]]:
    """Yield the attributes that the statements assign to, each with its label before it."""
    for label, statement in parsed:
        if statement.tree is not None:
            yield from ((label, *found) for found in attributes_assigned(statement.tree))


def _does(tree: ast.stmt | None) -> int:
    """Return IMPORTS if a statement imports, DEFINES if it only imports or defines, 0 for anything else."""
    blocks = (ast.Try, ast.If, ast.With)
    parts = list(ast.iter_child_nodes(tree)) if isinstance(tree, blocks) else [tree]
    if any(isinstance(part, ast.Import | ast.ImportFrom) for part in parts):
        return IMPORTS | (DEFINES if tree in parts else 0)
    definitions = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return DEFINES if isinstance(tree, definitions) or _is_plain(tree) else 0


def _is_plain(tree: ast.stmt | None) -> bool:
    """Return whether a statement gives a name a value that takes no time, such as `scale = 0.5`."""
    calls = (ast.Call, ast.ListComp, ast.SetComp, ast.DictComp, ast.BinOp)
    return isinstance(tree, ast.Assign | ast.AnnAssign) and not any(
        isinstance(part, calls) for part in ast.walk(tree)
    )


def _replaced(
    module: types.ModuleType, assigned: list[tuple[str, str, str, int]]
) -> Iterator[dict[str, object]]:
    """Yield the functions of libraries that the source replaced, or that its functions replace when they run."""
    for label, owner, attribute, line in assigned:
        for path, now in libraries.replaced(_reached(module, owner), attribute):
            yield _rebound(path, now, (label, line))


def _reached(module: types.ModuleType, path: str) -> object:
    """Return the object with a path such as `torch.nn`; None if there is none."""
    first, *others = path.split(".")
    found = vars(module).get(first)
    for name in others:
        found = vars(found).get(name) if isinstance(found, types.ModuleType) else None
    return found


def _rebound(name: str, now: tuple[object, ...], place: tuple[str, int]) -> dict[str, object]:
    """Describe the present value of a name; `now` is empty if only a function of the student will bind it."""
    kind = type(now[0]).__name__[:200] if now else ""
    return {"name": name, "type": kind, "frame": _frame(*place, "<module>")}


def _read(student: StudentModule, pieces: list[tuple[str, str]]) -> Iterator[tuple[str, Statement]]:
    """Yield the statements of all pieces, each with its label."""
    for label, source in pieces:
        student.labels.add(label)
        linecache.cache[label] = (len(source), None, source.splitlines(keepends=True), label)
    yield from ((label, statement) for label, _, statement in statements_of(pieces))


class _Imports:
    """Calls `begins` before modules are imported. Libraries import too: torch.optim, when it is used first, for 1 s."""

    def __init__(self) -> None:
        self.begins: Callable[[], None] | None = None
        self._finders = sys.meta_path
        self._last = 0.0

    def __enter__(self) -> Self:
        self._finders.insert(0, self)
        return self

    def __exit__(self, *_error: object) -> None:
        self.begins = None  # a student may have copied the list
        with contextlib.suppress(ValueError):
            self._finders.remove(self)

    def find_spec(self, *_arguments: object) -> None:
        """Leave the module to the other finders."""
        if self.begins is not None and monotonic() - self._last > _SELDOM:
            self.begins()
            self._last = monotonic()


class _Runner:
    """Runs statements one after the other."""

    def __init__(
        self,
        student: StudentModule,
        bindings: Bindings,
        skips: Skips,
        announce: Callable[[int, int], None],
    ) -> None:
        self._student = student
        self._bindings = bindings
        self._skips = skips
        self._announce = announce
        self._flags = 0
        self._lost: set[str] = set()
        self._modes = Settings(modes())

    def run(self, parsed: list[tuple[str, Statement]]) -> None:
        """Run the statements."""
        with _Imports() as imports:
            for number, (label, statement) in enumerate(parsed):
                if self._skips.have(number, statement, partial(_text, label, statement)):
                    self._skip(number, label, statement)
                    continue
                imports.begins = partial(self._announce, number, _does(statement.tree))
                imports.begins()
                self._run(label, statement)

    def _skip(self, number: int, label: str, statement: Statement) -> None:
        parts = ast.walk(statement.tree) if statement.tree else ()
        changed = [name.id for part in parts for name in changed_names(part)]
        self._student.skipped.append(
            {
                "number": number,
                "frame": _frame(label, statement.first, "<module>"),
                "text": _text(label, statement),
                "defines": _names(statement.names),
                "makes": _names([*statement.names, *changed]),
            }
        )

    def _run(self, label: str, statement: Statement) -> None:
        """Compile and run one statement; note its exception."""
        module = self._student.module
        module.__file__ = label
        self._bindings.place = (label, statement.first)
        try:
            code = self._compiled(label, statement)
            waits = eval(code, module.__dict__, self._bindings)  # a coroutine, or None
            if waits is not None:
                import asyncio  # noqa: PLC0415 - rarely needed

                asyncio.run(waits)
        except BaseException as error:  # noqa: BLE001 - whatever a student's code raises is an observation
            self._fail(label, statement, error)
        self._bindings.look()
        self._return_to_cpu(label, statement)

    def _return_to_cpu(self, label: str, statement: Statement) -> None:
        """Undo `torch.set_default_device`: where this machine has no such device, the next lines would fail."""
        device = default_device()
        if not (device.startswith("cpu") or self._student.devices):
            self._student.devices.append(_rebound(device[:200], (), (label, statement.first)))
        self._modes.put_back()

    def _compiled(self, label: str, statement: Statement) -> types.CodeType:
        if statement.tree is None:
            assert statement.error is not None
            raise statement.error
        self._flags |= _future(statement.tree)
        tree = ast.Module([statement.tree], type_ignores=[])
        flags = self._flags | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT  # as a notebook allows it
        lost = self._lost - vars(self._student.module).keys()
        if lost and any(getattr(part, "id", "") in lost for part in ast.walk(tree)):
            flags |= __future__.annotations.compiler_flag  # what only annotates must not fail
        code: types.CodeType = compile(tree, label, "exec", flags=flags, dont_inherit=True)
        return code

    def _fail(self, label: str, statement: Statement, error: BaseException) -> None:
        if statement.tree is None and isinstance(error, SyntaxError):
            error.filename = label
        described = describe(error, self._student.labels)
        if not described["frames"]:
            described["frames"] = [_frame(label, statement.first, "<module>")]
        described["defines"] = _names(statement.names)
        self._lost.update(statement.names)
        self._student.failures.append(described)


def _names(names: Iterable[str]) -> list[str]:
    return [name[:200] for name in dict.fromkeys(names)][:MAX_DEFINED]


def _text(label: str, statement: Statement) -> str:
    """Return the source of a statement, cut if it is long."""
    node = statement.tree
    rows = linecache.getlines(label)[statement.first - 1 : statement.last]
    if node is None or not rows:
        return "".join(rows)[:MAX_TEXT]
    return excerpt(rows, node.col_offset, node.end_col_offset)[:MAX_TEXT]


def _future(statement: ast.stmt) -> int:
    """Return the compiler's flags of a `from __future__ import ...`; they hold for all later statements."""
    if not isinstance(statement, ast.ImportFrom) or statement.module != "__future__":
        return 0
    features = [getattr(__future__, alias.name, None) for alias in statement.names]
    return sum(getattr(feature, "compiler_flag", 0) for feature in features)


def describe(error: BaseException, labels: set[str]) -> dict[str, object]:
    """Return an exception's type, message and place, its frames in the student's own code, and names that exist."""
    frames = []
    inner, trace = None, error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        if code.co_filename in labels:
            inner = trace
            frames.append(_frame(code.co_filename, trace.tb_lineno, code.co_qualname))
        trace = trace.tb_next
    if isinstance(error, SyntaxError) and type(error.filename) is str and error.filename in labels:
        line = error.lineno if type(error.lineno) is int else 0
        frames.append(_frame(str(error.filename), max(0, min(line, MAX_LINE)), "<module>"))
    return {
        "type": type(error).__name__[:200],
        "message": _message(error),
        "frames": frames[-MAX_FRAMES:],
        "existing": existing_names(error),
        "place": _instruction(inner) if inner else [],
    }


def bare(error: BaseException) -> dict[str, object]:
    """Return the name of an exception, without the parts that may have failed."""
    return {
        "type": type(error).__name__[:200],
        "message": "",
        "frames": [],
        "existing": [],
        "place": [],
    }


def _instruction(trace: types.TracebackType) -> list[int]:
    """Return the place of the instruction that raised: first and last line, first and last column, as far as known."""
    place = list(trace.tb_frame.f_code.co_positions())[trace.tb_lasti // 2]
    return [part for part in place if part is not None]


def _frame(label: str, line: int, function: str) -> dict[str, object]:
    return {"file": label, "line": line, "function": function[:200]}


def _message(error: BaseException) -> str:
    try:
        text = str.__str__(str(error.msg) if isinstance(error, SyntaxError) else str(error))
    except BaseException as failure:  # noqa: BLE001 - a student's own __str__ may do anything
        text = f"(its text could not be made: {type(failure).__name__})"
    return text[:MAX_MESSAGE]
