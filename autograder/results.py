"""What was seen and what it earned: the records that travel along the spine."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
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
class Observation:
    """What one probe saw.

    Attributes:
        outcome: PASSED if something came back; whether it is right is not said here. WRONG if the probe
            could not go on.
        value: what came back.
        changed: inputs that the student's code changed in place.
        error: what was raised.
        printed: what was printed meanwhile, capped.
        detail: the grader's own words for an outcome that has no value.
        slow: only the wall clock stopped it, not the CPU time that it used.
    """

    outcome: Outcome
    value: Value = None
    changed: tuple[str, ...] = ()
    error: StudentError | None = None
    printed: str = ""
    detail: str = ""
    slow: bool = False


@dataclass(frozen=True)
class Loaded:
    """What loading a student's file gave: the names it defined and what went wrong."""

    names: tuple[str, ...] = ()
    failures: tuple[StudentError, ...] = ()
    printed: str = ""


@dataclass(frozen=True)
class CheckResult:
    """What one check earned, and the words for it.

    Attributes:
        step: the check's name.
        text: Markdown for the student; empty where there is nothing to say.
        mistakes: names of the mistakes that were recognised; `sure` says whether that is certain.
        remarks: names of remarks that cost nothing.
        carried_forward: the step that already paid for this mistake.
        printed: what the student's code printed; shown to whoever ran it, kept out of results.
    """

    step: str
    score: float
    max_score: float
    outcome: Outcome
    text: str = ""
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
