"""How a step is graded: checks, their criteria and points, and the probes that observe the step.

An assignment's `test_<name>.py` contains ordinary test functions with two arguments: `student`
(the module) and `case` (the inputs). Such a function is a *probe*: it calls the student's step and
returns the result. A probe never grades.

    @check(points=2, documented=0.5)
    def test_attention_scores(student, case):
        '''Expected in words; the student reads this line.

        shape: Where to look, if the shape is wrong. A paragraph that names no kind of fault is for OF_NUMBERS.
        '''
        return student.attention_scores(case.queries, case.keys)

`criterion` adds a further criterion for the same step, `fallback` the probe that it uses where the
step's value is wrong. `alternative` adds another probe for the step's value; one right probe is
enough. `remark` adds a probe that costs no points: its remark
tells the student something useful about a right answer.

    @criterion(test_token_indices, "unknown_word", points=0.25, raises=KeyError)
    def index_of_an_unknown_word(student, case):
        '''KeyError, for a word that is not in the vocabulary.'''
        return student.token_indices(case.unknown, case.vocabulary)

asks whether the step raises this exception: for its observation, `RaisingProbe` catches it.
"""

from __future__ import annotations

import builtins
import inspect
import types
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, get_args

from autograder.errors import AssignmentError
from autograder.reasons import Fault


@dataclass(frozen=True)
class ReleasedProbe:
    """A probe of a release, which only a worker runs: its test file is the student's.

    Attributes:
        name: the name of its function.
        inputs: names of the inputs that it uses.
    """

    name: str
    inputs: tuple[str, ...]

    def __call__(self, *_: object) -> object:
        """Raise AssignmentError: the source of this probe is not loaded in this process."""
        raise AssignmentError(f"The probe {self.name} of a release runs in a worker only.")


# Either: the record of a release is read from data.
Probe = ReleasedProbe | Callable[..., object]


@dataclass(frozen=True)
class RaisingProbe:
    """A probe in which the step must raise an exception: it returns the exception's name if the step does.

    Attributes:
        probe: the author's function.
        kind: the class of the exception; an exception of a subclass is as good.
    """

    probe: Probe
    kind: type[Exception]

    def __call__(self, student: object, case: object) -> object:
        """Run the probe. Any other exception is raised as in every probe."""
        from autograder.values.values import Raised  # noqa: PLC0415 - imports NumPy: see docs/authoring.md

        try:
            return self.probe(student, case)
        except self.kind as error:
            if _is_no_answer(error):
                raise
            return Raised((self.kind.__name__,))


def _is_no_answer(error: Exception) -> bool:
    """Return whether an exception means that there is no step yet, or comes from the kit itself."""
    return isinstance(error, NotImplementedError) or type(error).__module__.startswith(
        "autograder."
    )


# The kinds of fault for which a check may say where to look: those of `compare`, wrong sums of rows, and no answer.
KINDS = {*get_args(Fault), "sums", "raised", "unsuitable"}
# A paragraph that names no kind is for these.
OF_NUMBERS = ("shape", "values", "sums")
VALUE = "value"
DOCUMENTED = "documented"
# What a worker calls the module of the probes.
PROBES = "probes"
_PREFIX = "test_"


@dataclass(frozen=True)
class Criterion:
    """One criterion of a check.

    Attributes:
        name: `value`, `documented`, or a name that the assignment chooses.
        points: points for this criterion.
        probes: alternative probes; one right answer is enough.
        expects: the expected result, in words.
        alone: count this criterion even if the step's value is wrong.
        fallback: the probe to use where the step's value is wrong, if it is another one. Where the
            value is right, it explains a wrong answer, and earns nothing.
        slack: factor on the tolerance.
        looks: where to look, for each kind of fault; if there is none, the check's are used.
        remark: text shown with a right answer; a criterion with a remark costs no points.
        raises: the name of the exception that the step must raise here; empty if it must return.
    """

    name: str
    points: float
    probes: tuple[Probe, ...]
    expects: str
    alone: bool = False
    slack: float = 1.0
    looks: Mapping[str, str] = field(default_factory=dict, hash=False)
    remark: str = ""
    fallback: Probe | None = None
    raises: str = ""

    @property
    def all_probes(self) -> tuple[Probe, ...]:
        """Return the alternative probes, and last the fallback if there is one."""
        return self.probes if self.fallback is None else (*self.probes, self.fallback)


@dataclass(frozen=True)
class Check:
    """How one step is graded. The check has the step's name.

    Attributes:
        expects: the expected result, in words: the first paragraph of the probe's docstring.
        looks: where to look, for each kind of fault (one of KINDS): the rest of the docstring.
        returns: names for the parts of the returned sequence.
        differentiable: add a remark if no gradient flows from the result to the inputs.
        axes: what each dimension of the returned numbers stands for, by the part's name in
            `returns`; the name of the whole answer is empty.
        builds_on: the steps that a student may call here although the reference does not.
        hints: the step's hints, by part (see `hints.py`).
    """

    name: str
    criteria: tuple[Criterion, ...]
    expects: str
    looks: Mapping[str, str] = field(hash=False)
    returns: tuple[str, ...] = ()
    differentiable: bool = True
    axes: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False)
    builds_on: tuple[str, ...] = ()
    hints: Mapping[str, str] = field(default_factory=dict, compare=False)

    @property
    def points(self) -> float:
        """Return the points for the whole step."""
        return sum(criterion.points for criterion in self.criteria)

    def look(self, criterion: Criterion, *kinds: str) -> str:
        """Return where to look for the first of these kinds of fault that has such words; else an empty text."""
        looks = criterion.looks or self.looks
        return next((looks[kind] for kind in kinds if kind in looks), "")

    def has(self, name: str) -> bool:
        """Return whether the check has a criterion called `name`."""
        return any(criterion.name == name for criterion in self.criteria)

    def criterion(self, name: str) -> Criterion:
        """Return the criterion called `name`."""
        return next(criterion for criterion in self.criteria if criterion.name == name)


def check(
    *,
    points: float,
    documented: float = 0.0,
    returns: tuple[str, ...] = (),
    slack: float = 1.0,
    differentiable: bool = True,
    axes: tuple[str, ...] | Mapping[str, tuple[str, ...]] | None = None,
    builds_on: tuple[str, ...] = (),
) -> Callable[[Probe], Probe]:
    """Declare a test function as a check. The function's name gives the step's name.

    Args:
        points: points for the whole step, all criteria together.
        documented: the part of `points` for the same probe on the documents' inputs.
        returns: names for the parts, if the step returns a sequence.
        slack: factor on the tolerance.
        differentiable: whether to add a remark if no gradient flows from the result to the inputs.
        axes: what each dimension of the returned numbers stands for, such as
            `("queries", "keys")`; for a step with several parts a dict by the part's name.
        builds_on: the steps that a student may call here although the reference does not.
    """
    named = {"": axes} if isinstance(axes, tuple) else axes or {}

    def declare(probe: Probe) -> Probe:
        expects, looks = _docstring(probe)
        criteria = [Criterion(VALUE, points - documented, (probe,), expects, slack=slack)]
        criteria += [Criterion(DOCUMENTED, documented, (probe,), expects)] if documented else []
        about = returns, differentiable, named, builds_on
        _attach(probe, Check(_step_of(probe), tuple(criteria), expects, looks, *about))
        return probe

    return declare


def criterion(
    test: Probe,
    name: str,
    *,
    points: float,
    alone: bool = False,
    slack: float = 1.0,
    raises: type[Exception] | None = None,
) -> Callable[[Probe], Probe]:
    """Declare a function as a further criterion of `test`'s check.

    The points are taken from the points of the check's value. A criterion called `documented` uses
    the documents' inputs, every other criterion uses drawn inputs.

    Args:
        test: the test function that declares the check.
        name: the name of the criterion.
        points: its part of the check's points.
        alone: count it even if the step's value is wrong.
        slack: factor on the tolerance.
        raises: the exception of Python that the step must raise here, or one of a subclass.
    """

    def declare(probe: Probe) -> Probe:
        expects, looks = _docstring(probe)
        asked, kind = probe, ""
        if raises is not None:
            _refuse_exception(raises, name, alone=alone)
            asked, kind = RaisingProbe(probe, raises), raises.__name__
        added = Criterion(name, points, (asked,), expects, alone, slack, looks, raises=kind)
        _extend(test, added, points=declared(test).criteria[0].points - points)
        return probe

    return declare


def _step_of(probe: Any) -> str:
    name: str = probe.__name__
    if not name.startswith(_PREFIX):
        raise AssignmentError(
            f"`{name}` must be called `test_` and its step: pytest runs no other."
        )
    return name.removeprefix(_PREFIX)


def _refuse_exception(raises: object, name: str, *, alone: bool) -> None:
    """Raise AssignmentError if a step cannot be asked for this exception.

    What a process says of an exception is only its word, so it counts only where the step's value is right.
    """
    words = ""
    general = (Exception, NotImplementedError)
    if not (isinstance(raises, type) and issubclass(raises, Exception)) or raises in general:
        words = "raises= must be one kind of exception, such as KeyError."
    elif getattr(builtins, raises.__name__, None) is not raises:
        words = f"raises={raises.__name__}: it must be an exception of Python itself."
    elif alone or name == DOCUMENTED:
        words = "raises= goes with a criterion on drawn inputs that counts only where the step's value is right."
    if words:
        raise AssignmentError(f"The criterion {name!r}: {words}")


def fallback(test: Probe, name: str) -> Callable[[Probe], Probe]:
    """Declare a function as the probe that a criterion uses where the step's value is wrong."""

    def declare(probe: Probe) -> Probe:
        current = declared(test)
        criteria = tuple(
            replace(criterion, fallback=probe) if criterion.name == name else criterion
            for criterion in current.criteria
        )
        if criteria == current.criteria:
            names = ", ".join(criterion.name for criterion in current.criteria)
            raise AssignmentError(
                f"`{current.name}` has no criterion called {name!r}. There is: {names}."
            )
        _attach(test, replace(current, criteria=criteria))
        return probe

    return declare


def remark(test: Probe, name: str, *, says: str) -> Callable[[Probe], Probe]:
    """Declare a function as the probe of a remark, which costs no points.

    The student sees `says` if the probe's result differs from the reference's, with a text as result in place of
    {seen}. The probe runs only if the step's value is right.
    """

    def declare(probe: Probe) -> Probe:
        _extend(test, Criterion(name, 0.0, (probe,), says, remark=says))
        return probe

    return declare


def alternative(test: Probe) -> Callable[[Probe], Probe]:
    """Declare a function as another probe for `test`'s value; one right probe is enough."""

    def declare(probe: Probe) -> Probe:
        _extend(test, probes=(*declared(test).criteria[0].probes, probe))
        return probe

    return declare


def declared(test: object) -> Check:
    """Return the check that a test function declares. Raises AssignmentError if it declares none."""
    if not is_check(test):
        name = getattr(test, "__name__", repr(test))
        raise AssignmentError(f"`{name}` is no check: put `@check(points=...)` above it.")
    declaration: Check = vars(test)["check"]
    return declaration


def is_check(thing: object) -> bool:
    """Return whether `thing` is a test function that declares a check."""
    return isinstance(thing, types.FunctionType) and isinstance(vars(thing).get("check"), Check)


def checks_of(module: types.ModuleType) -> tuple[Check, ...]:
    """Return the checks of a module, in order."""
    return tuple(declared(thing) for thing in vars(module).values() if is_check(thing))


def probe_name(probe: Probe) -> str:
    """Return the name of a probe's function, which no other probe of the assignment has."""
    return probe.name if isinstance(probe, ReleasedProbe) else function_of(probe).__name__


def function_of(probe: Probe) -> Any:
    """Return the function that the author of a probe wrote."""
    return probe.probe if isinstance(probe, RaisingProbe) else probe


def inputs_used(probe: Probe, inputs: Iterable[str]) -> tuple[str, ...]:
    """Return those names of inputs that a probe uses, in their order."""
    if isinstance(probe, ReleasedProbe):
        return probe.inputs
    function = function_of(probe)
    used = _names_in(function.__code__) if isinstance(function, types.FunctionType) else set()
    return tuple(name for name in inputs if name in used)


def _names_in(code: types.CodeType) -> set[str]:
    inner = (_names_in(part) for part in code.co_consts if isinstance(part, types.CodeType))
    return set(code.co_names).union(*inner)


def run_source(source: bytes | str, name: str, path: str = "") -> types.ModuleType:
    """Run an assignment's own source, of a file with a path or of none, as a module that cannot be imported by name."""
    module = types.ModuleType(name)
    module.__file__ = path or f"<{name}>"
    exec(compile(source, module.__file__, "exec", dont_inherit=True), module.__dict__)
    return module


def _attach(probe: Any, declaration: Check) -> None:
    probe.check = declaration


def _extend(test: Probe, *added: Criterion, **of_value: Any) -> None:
    """Add criteria to the check of a test function, and change that of its value."""
    current = declared(test)
    value, *others = current.criteria
    criteria = (replace(value, **of_value), *others, *added)
    _attach(test, replace(current, criteria=criteria))


def _docstring(probe: Any) -> tuple[str, Mapping[str, str]]:
    """Return the first paragraph, and where to look, for each kind of fault that a further one is for."""
    docstring = inspect.getdoc(probe)
    if not docstring:
        raise AssignmentError(
            f"`{probe.__name__}` has no docstring; its first paragraph says to the student what is right."
        )
    first, *others = (" ".join(part.split()) for part in docstring.split("\n\n"))
    looks: dict[str, str] = {}
    for paragraph in others:
        head, colon, rest = paragraph.partition(": ")
        named = tuple(head.split(", ")) if colon else ()
        kinds = named if named and KINDS.issuperset(named) else OF_NUMBERS
        for kind in kinds:
            words = rest if kinds is named else paragraph
            looks[kind] = " ".join(filter(None, (looks.get(kind), words)))
    return first, looks
