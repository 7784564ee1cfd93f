"""The records of observations and results that the modules pass to each other."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Literal

from autograder.reasons import Reason

if TYPE_CHECKING:
    from collections.abc import Iterable

    from autograder.values.values import Value


class Outcome(StrEnum):
    """The outcome of a check."""

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

    @property
    def words(self) -> str:
        """The outcome in words, such as `not started`."""
        return self.value.replace("_", " ")


class Status(StrEnum):
    """The status of a whole submission."""

    GRADED = "graded"
    REJECTED = "rejected"
    UNGRADED = "ungraded"


@dataclass(frozen=True)
class Frame:
    """One line of the student's code in a traceback. A worker tells no text (see `sandbox/own_lines.py`)."""

    file: str
    line: int
    function: str
    text: str = ""

    @property
    def outer(self) -> str:
        """The function or class at the left margin that the line stands in."""
        return self.function.split(".")[0]


LineMark = Literal[
    "", "right", "first", "unjudged", "not_finite", "crossed", "reordered", "unused", "rounds", "here", "stopped",
]  # fmt: skip


@dataclass(frozen=True)
class TracedLine:
    """A line of the student's code beside what it computed.

    Attributes:
        shape: the shape of the value, or its kind; empty if that is not known, or may not be shown.
        mark: the value is right, or the first that is not right or not finite, or it is not right and perhaps one
            before is not (`unjudged`); right numbers are crossed with those of another variable, in another order, or
            used by nothing; a loop leaves some of its rounds out; a change here makes the step right; or the line
            stopped. Empty if nothing is said.
        same_as: the line that computed the same numbers in another way; 0 if none did.
        right_until, wrong_from: of a line in a loop the last round that is right and the next one, such as `i = 0`.
        blamed: the part of the text that the mark is about; empty if it is about all of it.
        numbers: the sums of the rows or the range of a value that is not right, in public checks.
    """

    file: str
    line: int
    function: str
    text: str
    shape: str = ""
    mark: LineMark = ""
    same_as: int = 0
    right_until: str = ""
    wrong_from: str = ""
    blamed: str = ""
    numbers: str = ""


@dataclass(frozen=True)
class StudentError:
    """An exception in the student's code, with the student's own lines, outermost first.

    Attributes:
        existing: the names that exist where one is missing, the best first: an attribute of the object, the path of
            the same name in a module, or all arguments of the called function.
        place: first and last line, first and last column of what raised, in the innermost function; empty if unknown.
    """

    type: str
    message: str
    frames: tuple[Frame, ...] = ()
    existing: tuple[str, ...] = ()
    place: tuple[int, ...] = ()

    @property
    def span(self) -> tuple[int, int, int, int] | None:
        """First line and column, last line and column of what raised; None if one of them is unknown."""
        match self.place:
            case (first, last, left, right):
                return first, left, last, right
        return None

    @property
    def inner_function(self) -> str:
        """The function or class at the left margin whose line raised; empty if no line of the student's did."""
        return self.frames[-1].outer if self.frames else ""

    @property
    def is_of_a_stub(self) -> bool:
        """Whether the line of a stub raised.

        Torch raises NotImplementedError too, for example for an unsupported dtype.
        """
        line = self.frames[-1].text if self.frames else ""
        return self.type == "NotImplementedError" and line.startswith("raise NotImplementedError")


@dataclass(frozen=True)
class LoadFailure(StudentError):
    """A statement of the student's file that could not be read or run.

    Attributes:
        defines: the names that it should have defined.
    """

    defines: tuple[str, ...] = ()


@dataclass(frozen=True)
class Rebinding:
    """A name that the student's file binds to something else.

    Attributes:
        name: the name of a step, or a function of a library such as `torch.manual_seed`.
        type: the name of the type that it is bound to.
        frame: the line that binds it.
    """

    name: str
    type: str
    frame: Frame


@dataclass(frozen=True)
class Obstacle:
    """Why a probe could not use an answer.

    Attributes:
        name: the name of the attribute or class.
        seen: what was found: a type's name, a shape, or what is too large.
        wanted: the expected shape.
    """

    reason: Reason
    name: str = ""
    seen: str | tuple[int, ...] = ""
    wanted: tuple[int, ...] = ()


@dataclass(frozen=True)
class Observation:
    """The observation of one probe.

    Attributes:
        outcome: PASSED if the probe returned a value, right or not; WRONG if it could not go on.
        value: the returned value.
        changed: the inputs that the student's code changed in place.
        error: the exception.
        printed: the printed text, up to a limit.
        detail: the grader's message about a process that ended.
        obstacle: why the probe could not go on, or why its answer could not be sent.
        slow: only the wall-clock limit stopped the probe, not the limit on CPU time.
        records: what the worker says that expressions computed, if that was asked for. It may say anything.
    """

    outcome: Outcome
    value: Value = None
    changed: tuple[str, ...] = ()
    error: StudentError | None = None
    printed: str = ""
    detail: str = ""
    obstacle: Obstacle | None = None
    slow: bool = False
    records: Value = None


class WhySkipped(StrEnum):
    """Why a statement of a file was left out."""

    ENDLESS = "endless"
    SLEEPS = "sleeps"
    EXITED = "exited"
    CRASHED = "crashed"
    PRINTED = "printed"
    FILE_TOO_SLOW = "file_too_slow"
    AFTER_OTHERS = "after_others"


@dataclass(frozen=True)
class Skipped:
    """A statement of a student's file that was left out while the file was loaded.

    Attributes:
        number: its number in the file, from 0.
        frame: its first line.
        text: its source, cut if it is long.
        defines: the names that it would bind.
        makes: these, and the names of the objects that it would change.
        why: what it did; AFTER_OTHERS if it did not run.
        seconds: the computing time that it had; 0 if that is not why.
        exit_code: how it ended the process; negative for a signal.
    """

    number: int
    frame: Frame
    text: str
    defines: tuple[str, ...] = ()
    makes: tuple[str, ...] = ()
    why: WhySkipped = WhySkipped.AFTER_OTHERS
    seconds: float = 0.0
    exit_code: int | None = None


@dataclass(frozen=True)
class LoadReport:
    """The result of loading a student's file.

    Attributes:
        names: the functions and classes that it defines.
        failures: the statements that could not be read or run.
        printed: the printed text, up to a limit.
        unfit: the steps whose name is bound to something that can be no step.
        replaced: the functions of libraries that the file replaced.
        skipped: the statements that were left out.
        devices: the default device that the file sets first, by its name, if it is not the CPU.
    """

    names: tuple[str, ...] = ()
    failures: tuple[LoadFailure, ...] = ()
    printed: str = ""
    unfit: tuple[Rebinding, ...] = ()
    replaced: tuple[Rebinding, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    devices: tuple[Rebinding, ...] = ()


@dataclass(frozen=True)
class Block:
    """A paragraph, in which text between backticks is code, or lines of code or numbers."""

    text: str
    is_code: bool = False


def paragraphs(*texts: str) -> tuple[Block, ...]:
    """Return a paragraph for each text that is not empty."""
    return tuple(Block(text) for text in texts if text.strip())


def as_markdown(blocks: Iterable[Block]) -> str:
    """Return the blocks as Markdown. Text from a student is not escaped in it."""
    return "\n\n".join(
        "\n".join(f"    {line}" for line in block.text.splitlines())
        if block.is_code
        else block.text
        for block in blocks
    )


@dataclass(frozen=True)
class Numbers:
    """Some numbers of the student's answer.

    Attributes:
        description: type, shape and dtype of the answer.
        rows: the first numbers, or bools. A number that is not finite and real is a text.
        decimals: the number of decimals to show.
        more_rows, more_columns: the answer has more rows or columns than these.
        part: the name of this part of the answer; empty for the whole answer.
        axes: what the axes stand for, such as queries and keys; empty if unknown.
        row_sums, column_sums: the sums of all rows and columns, if each row should sum to 1; else
            empty.
        place: where in a batch the shown matrix is, such as "sequence 1, head 2"; empty if the answer is one matrix.
    """

    description: str
    rows: tuple[tuple[float | bool | str, ...], ...]
    decimals: int
    more_rows: bool = False
    more_columns: bool = False
    part: str = ""
    axes: tuple[str, ...] = ()
    row_sums: tuple[float | str, ...] = ()
    column_sums: tuple[float | str, ...] = ()
    place: str = ""


@dataclass(frozen=True)
class Repeats:
    """The earlier steps to fix first.

    `called` holds the outcome of each step that is called; it is empty if the step repeats their mistake.
    """

    steps: tuple[str, ...]
    called: tuple[Outcome, ...] = ()


@dataclass(frozen=True)
class Feedback:
    """Why an answer is wrong. Every text for the student is a view of this record.

    Attributes:
        outcome: the outcome of the explained criterion.
        message: what the answer means.
        hint: where to look.
        seen: the returned value or the exception.
        expected: what was expected.
        called_with: the inputs: the name of each, and its shape or value.
        lines: the student's lines in the traceback, the innermost last.
        traced: the lines around the first value that is not right, or up to the line that raised.
        other_step: the student's other step in which the call stopped.
        numbers: some numbers of the student's answer.
        repeats: the earlier steps to fix first.
        half_of: the called steps whose known mistake this step makes again in its own lines: it keeps half of its
            points.
        also: the feedback of the check's other failed criteria.
        remarks: notes on a right answer, in words.
        mistakes: names of the mistakes that this criterion shows; `sure` says whether that is certain.
        reasons: the codes of the facts above.
    """

    outcome: Outcome
    message: str = ""
    hint: str = ""
    seen: str = ""
    expected: str = ""
    called_with: tuple[tuple[str, str], ...] = ()
    lines: tuple[Frame, ...] = ()
    traced: tuple[TracedLine, ...] = ()
    other_step: str = ""
    numbers: Numbers | None = None
    repeats: Repeats | None = None
    half_of: tuple[str, ...] = ()
    also: tuple[Feedback, ...] = ()
    remarks: tuple[str, ...] = ()
    mistakes: tuple[str, ...] = ()
    sure: bool = False
    reasons: tuple[Reason, ...] = ()

    @property
    def is_of_the_file(self) -> bool:
        """Whether the step fails because of something that is wrong with the file as a whole."""
        return not {Reason.FILE_STOPPED, Reason.FROM_THE_FILE}.isdisjoint(self.reasons)


@dataclass(frozen=True)
class Override:
    """Points that a person gives in place of the grader's.

    Attributes:
        student: the student's name in the results.
        step: the step, or the question that a person marks.
        points: the points that the student gets.
        reason: why, in words for the student.
        who: who decided.
    """

    student: str
    step: str
    points: float
    reason: str
    who: str

    @property
    def ending(self) -> str:
        """Who gave them, and why, as the end of a sentence."""
        who = f" ({self.who})" if self.who else ""
        return f"{who}: {self.reason}" if self.reason else f"{who}."


@dataclass(frozen=True)
class CheckResult:
    """The points of one check, and why points were lost.

    Attributes:
        step: the check's name.
        feedback: what is wrong; None if there is nothing to say.
        mistakes: names of the mistakes that were recognised; `sure` says whether that is certain.
        remarks: names of remarks, which cost no points.
        carried_forward: the earlier step that already lost points for this mistake.
        printed: the text that the student's code printed. Shown to the person who ran the check; not
            written to results.
        override: the points that a person gave, which are the `score` then.
        earned: the grader's points, if there is an override.
        is_question: a person marks it. Until then, its outcome is UNGRADED.
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
    override: Override | None = None
    earned: float | None = None
    is_question: bool = False

    @property
    def judged_score(self) -> float:
        """The grader's own points, whatever a person gave."""
        return self.score if self.earned is None else self.earned

    @property
    def is_unmarked(self) -> bool:
        """Whether it waits for a person's mark."""
        return self.is_question and self.override is None

    @property
    def words(self) -> Feedback:
        """The feedback; without any text if there is nothing to say."""
        return self.feedback or Feedback(self.outcome)

    @property
    def explained(self) -> tuple[Feedback, ...]:
        """The feedback of each criterion that is explained."""
        return (self.feedback, *self.feedback.also) if self.feedback else ()

    @property
    def is_ungraded(self) -> bool:
        """Whether the grader failed, and no person gave points."""
        return self.outcome is Outcome.UNGRADED and self.override is None

    @property
    def is_full(self) -> bool:
        """Whether the check earned all its points, or more. One that could not be graded earned none."""
        return self.score >= self.max_score and not self.is_ungraded


@dataclass(frozen=True)
class Late:
    """A hand-in after the deadline.

    Attributes:
        days: the days that had begun when it came; 0 if no time is known.
        handed_in: when it came, in the platform's words; empty if nobody knows.
        deadline: the deadline; empty without one.
        percent: the percentage of the earned points that it costs.
        points: what it changes the score by, 0 or less.
        override: the points that a person gave, which are the `points` then.
    """

    days: int = 0
    handed_in: str = ""
    deadline: str = ""
    percent: float = 0.0
    points: float = 0.0
    override: Override | None = None

    @property
    def is_known(self) -> bool:
        """Whether it came late. Without that, a person gave points all the same."""
        return bool(self.days or self.handed_in or not self.override)

    @property
    def is_vague(self) -> bool:
        """Whether it came late, and nobody knows how late."""
        return self.is_known and not self.days

    @property
    def amount(self) -> str:
        """How many days it is late, in words; empty if nobody knows."""
        return f"{self.days} {'day' if self.days == 1 else 'days'}" if self.days else ""

    @property
    def words(self) -> str:
        """How late it is, such as `2 days late`."""
        return f"{self.amount} late".strip() if self.is_known else "in time"

    @property
    def text(self) -> str:
        """The whole record in words, for the student."""
        when = (
            f": handed in {self.handed_in}, the deadline was {self.deadline}" if self.days else ""
        )
        first = f"This submission is {self.words}{when}."
        if self.override:
            given = f"{self.points:g} points for this{self.override.ending}"
            return f"{first} A person gave {given}"
        cost = f"{self.percent:g} % of the earned points, {-self.points:g} points"
        return f"{first} It costs {cost}." if self.points else first


@dataclass(frozen=True)
class Result:
    """The result of one submission. Every report is a view of this record.

    Attributes:
        about: what is said about the submission as a whole.
        late: how late it is; None if it is in time.
        round: the round of the run whose questions were asked.
    """

    assignment: str
    student: str
    status: Status
    checks: tuple[CheckResult, ...]
    about: tuple[Block, ...]
    public: bool
    submission_sha256: str
    kit_version: str
    run: str
    sandbox: tuple[str, ...] = field(default=())
    execution_time: float = 0.0
    late: Late | None = None
    round: int = 0

    @property
    def earned(self) -> float:
        """The sum of the points of all checks."""
        return sum(check.score for check in self.checks)

    @property
    def score(self) -> float:
        """The same, less what it costs to be late."""
        return self.earned + self.late.points if self.late else self.earned

    @property
    def is_untouched(self) -> bool:
        """Whether no step was started, as in a template that was just copied."""
        return {check.outcome for check in self.checks} == {Outcome.NOT_STARTED}

    @property
    def judged(self) -> float:
        """The maximum points of all checks but those that wait for a person's mark."""
        return sum(check.max_score for check in self.checks if not check.is_unmarked)

    @property
    def unmarked(self) -> list[str]:
        """The questions that nobody has marked yet."""
        return [check.step for check in self.checks if check.is_unmarked]

    @property
    def max_score(self) -> float:
        """The sum of the maximum points of all checks."""
        return sum(check.max_score for check in self.checks)

    @property
    def mistakes(self) -> set[str]:
        """The names of the mistakes that were recognised in its checks."""
        return {name for check in self.checks for name in check.mistakes}

    @property
    def output(self) -> str:
        """What is said about the submission as a whole, as Markdown."""
        return as_markdown(self.about)

    @property
    def headline(self) -> str:
        """The first line of that; empty if nothing is said."""
        return self.about[0].text.strip().partition("\n")[0] if self.about else ""


def points_words(marked: CheckResult | Result) -> str:
    """Return the points in words, such as `13 of 20 points`."""
    return f"{marked.score:g} of {marked.max_score:g} points"


def points_short(marked: CheckResult | Result) -> str:
    """Return the points for a table, such as `13/20`."""
    return f"{marked.score:g}/{marked.max_score:g}"


def points_number(points: float) -> float | int:
    """Return points for a file: an int where they are whole, else with at most 4 decimals."""
    return int(points) if points == int(points) else round(points, 4)


def steps_of(results: Iterable[Result]) -> list[str]:
    """Return all steps, and the questions for which a person gave points to somebody, each once."""
    return list(dict.fromkeys(check.step for result in results for check in result.checks))
