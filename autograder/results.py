"""What was seen and what it earned: the records that travel along the spine."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from autograder.reasons import Reason
    from autograder.values.values import Value


class Outcome(StrEnum):
    """How a check ended."""

    PASSED = "passed"
    WRONG = "wrong"
    NOT_STARTED = "not_started"
    MISSING = "missing"
    RAISED = "raised"
    TIMED_OUT = "timed_out"
    EXITED = "exited"
    CRASHED = "crashed"
    TOO_LARGE = "too_large"
    UNGRADED = "ungraded"


class Status(StrEnum):
    """How a whole submission ended."""

    GRADED = "graded"
    REJECTED = "rejected"
    UNGRADED = "ungraded"


@dataclass(frozen=True)
class Frame:
    """One line of the student's that an exception passed through."""

    file: str
    line: int
    function: str
    text: str


@dataclass(frozen=True)
class StudentError:
    """What a student's code raised, with the student's own lines, outermost first."""

    type: str
    message: str
    frames: tuple[Frame, ...] = ()


@dataclass(frozen=True)
class Obstacle:
    """Why an answer could not be looked at further.

    Attributes:
        name: of the attribute or class that is meant.
        seen: what is there: a type's name, a shape, or what is too large.
        wanted: the shape that was expected.
    """

    reason: Reason
    name: str = ""
    seen: str | tuple[int, ...] = ""
    wanted: tuple[int, ...] = ()


@dataclass(frozen=True)
class Observation:
    """What one probe saw.

    Attributes:
        outcome: PASSED if something came back; whether it is right is not said here. WRONG if the probe
            could not go on.
        value: what came back.
        changed: inputs that the student's code changed in place.
        error: what was raised.
        printed: what was printed meanwhile, capped.
        detail: the grader's own words for a process that ended.
        obstacle: why a probe could not go on, or its answer not be sent.
        slow: only the wall clock stopped it, not the CPU time that it used.
    """

    outcome: Outcome
    value: Value = None
    changed: tuple[str, ...] = ()
    error: StudentError | None = None
    printed: str = ""
    detail: str = ""
    obstacle: Obstacle | None = None
    slow: bool = False


@dataclass(frozen=True)
class Loaded:
    """What loading a student's file gave: the names it defined and what went wrong."""

    names: tuple[str, ...] = ()
    failures: tuple[StudentError, ...] = ()
    printed: str = ""


@dataclass(frozen=True)
class Numbers:
    """Some of the numbers that came back.

    Attributes:
        description: type, shape and dtype of what came back.
        rows: its first numbers; what is no finite real number is a text.
        decimals: how many are shown.
        more_rows, more_columns: there are more than these.
    """

    description: str
    rows: tuple[tuple[float | str, ...], ...]
    decimals: int
    more_rows: bool = False
    more_columns: bool = False


@dataclass(frozen=True)
class Repeats:
    """The earlier steps that paid for a mistake, and the share of its cost that it costs again."""

    steps: tuple[str, ...]
    cost: float


@dataclass(frozen=True)
class Feedback:
    """What is known of an answer that is not right; every text for the student is a view of it.

    Attributes:
        outcome: how the criterion ended that is explained.
        message: what it means.
        hint: where to look.
        seen: what came back, or what was raised.
        expected: what was expected.
        called_with: the inputs: the name of each, and its shape or value.
        lines: the student's lines that an exception passed through, the innermost last.
        other_step: another step of the student's that it stopped in.
        numbers: some of those that came back.
        repeats: what earlier steps paid for.
        also: further criteria of the same check that are not right.
        remarks: what is right but worth knowing, in words.
        mistakes: names of the mistakes that this criterion shows; `sure` says whether that is certain.
        reasons: codes for all of this.
    """

    outcome: Outcome
    message: str = ""
    hint: str = ""
    seen: str = ""
    expected: str = ""
    called_with: tuple[tuple[str, str], ...] = ()
    lines: tuple[Frame, ...] = ()
    other_step: str = ""
    numbers: Numbers | None = None
    repeats: Repeats | None = None
    also: tuple[Feedback, ...] = ()
    remarks: tuple[str, ...] = ()
    mistakes: tuple[str, ...] = ()
    sure: bool = False
    reasons: tuple[Reason, ...] = ()


@dataclass(frozen=True)
class CheckResult:
    """What one check earned, and why not more.

    Attributes:
        step: the check's name.
        feedback: what is known of what is not right; None where there is nothing to say.
        mistakes: names of the mistakes that were recognised; `sure` says whether that is certain.
        remarks: names of remarks that cost nothing.
        carried_forward: the step that already paid for this mistake.
        printed: what the student's code printed; shown to whoever ran it, kept out of results.
    """

    step: str
    score: float
    max_score: float
    outcome: Outcome
    feedback: Feedback | None = None
    mistakes: tuple[str, ...] = ()
    sure: bool = False
    remarks: tuple[str, ...] = ()
    carried_forward: str | None = None
    printed: str = ""


@dataclass(frozen=True)
class Result:
    """What one submission earned: the one record that every report is a view of."""

    assignment: str
    student: str
    status: Status
    checks: tuple[CheckResult, ...]
    output: str
    public: bool
    submission_sha256: str
    kit_version: str
    run: str
    sandbox: tuple[str, ...] = field(default=())
    execution_time: float = 0.0

    @property
    def score(self) -> float:
        """The sum of what its checks earned."""
        return sum(check.score for check in self.checks)

    @property
    def max_score(self) -> float:
        """What its checks are worth together."""
        return sum(check.max_score for check in self.checks)
