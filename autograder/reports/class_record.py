"""`class.jsonl`: a run's data on its students, besides their results. For the instructor only.

It holds names, ids, e-mail addresses and the students' code, so it is never handed to students. The
file is JSON Lines, so that a line can be read without the others. The first line is about the run:

    {"assignment": name, "run": the run's id, "limits": {"timeout": seconds, "memory": megabytes} or null,
     "absent": [{"name": str, "ids": {kind: id}, "email": str, "last": last name or "", "group": str,
                 "deadline": the own one in ISO 8601, or ""}, ...],
     "lateness": {"deadline": ISO 8601, "percent": number, "most": number, "grace": minutes; each may be null} or null,
     "questions": {a question that a person marks: its points}, "beside": {another assignment: its points},
     "round": the number of the last round, "ended": bool}

Each further line is about one student, sorted by `student`, the name of the folder in DIR:

    {"student": str, "person": as in `absent`,
     "path": where the submission was found, "given": the PATH that it was found through, both
     relative to DIR,
     "late": bool, "handed_in": when, in the platform's words, or "", "submission_sha256": str, "finished": bool,
     "answers": {question: text},
     "pieces": [[label, source], ...]}

`pieces` is the source that was graded, in the order in which it ran; `find_steps` of `submission/step_source.py` gives
the source of each step. `absent` lists those of the roster who handed in nothing.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.errors import UsageError
from autograder.files import write_whole
from autograder.grading.lateness import LatePolicy
from autograder.records import RecordError, from_json, plain, to_json
from autograder.submission.directory import Called, Person
from autograder.submission.notebook_work import Pieces  # noqa: TC001 - `records` reads the annotations
from autograder.text import nearest, one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from autograder.results import Late

CLASS_FILE = "class.jsonl"


@dataclass(frozen=True)
class GradedUnder:
    """The limits under which the class was graded: CPU seconds of a check, megabytes of memory."""

    timeout: float
    memory: int


@dataclass(frozen=True)
class Member:
    """One student of the run.

    Attributes:
        student: the name of the student's folder in DIR.
        person: name, ids and e-mail address.
        path: where the submission was found, relative to DIR. A file in an archive has the
            archive's path first.
        given: the PATH of the command line through which it was found, relative to DIR.
        late: the platform marked the submission as late.
        handed_in: when it was handed in, in the platform's words; empty if nobody knows.
        submission_sha256: the digest of the files; empty if nothing could be read.
        finished: the student had a result when the run ended.
        answers: the answers to open questions, if there are any.
        pieces: the source that was graded, as (label, text), in the order in which it ran.
    """

    student: str
    person: Person
    path: str
    given: str
    late: bool = False
    handed_in: str = ""
    submission_sha256: str = ""
    finished: bool = False
    answers: Mapping[str, str] = field(default_factory=dict)
    pieces: Pieces = ()


def relative(path: str, folder: Path) -> str:
    """Return a path relative to the folder of results, so that both may be moved together."""
    try:
        return Path(os.path.relpath(path, folder.absolute())).as_posix()
    except ValueError:  # on another drive
        return path


@dataclass(frozen=True)
class ClassRecord:
    """The content of `class.jsonl`.

    Attributes:
        run: the run's id; empty where `autograder report --out` merged folders.
        by_student: the students of the class, by the names of their folders.
        limits: the limits of the grading; None where folders are merged.
        round: the last round in which something was graded.
        ended: whether the run ended without an interrupt, so that the next one begins another round.
        absent: the people on the roster who handed in nothing.
        lateness: the rules of lateness; None if no run had any.
        questions: the points of each question that a person may mark.
        beside: the points of each other assignment in the same folder of assignments.
    """

    assignment: str
    run: str
    by_student: Mapping[str, Member] = field(default_factory=dict)
    absent: tuple[Person, ...] = ()
    questions: Mapping[str, float] = field(default_factory=dict)
    beside: Mapping[str, float] = field(default_factory=dict)
    limits: GradedUnder | None = None
    round: int = 0
    ended: bool = True
    lateness: LatePolicy | None = None

    @property
    def members(self) -> Collection[Member]:
        """Return the students of the class, sorted by name."""
        return [member for _, member in sorted(self.by_student.items())]

    def late(self, student: str) -> Late | None:
        """Return how late a student's submission is; None if it is in time."""
        member, rules = self.by_student[student], self.lateness or LatePolicy()
        return rules.late(member.handed_in, marked=member.late, own=member.person.deadline)

    def write(self, folder: Path) -> None:
        """Write `class.jsonl` in the folder."""
        write_whole(folder / CLASS_FILE, b"".join(self._lines()), secret=True)

    def _lines(self) -> Iterator[bytes]:
        about = plain(replace(self, by_student={}))
        del about["by_student"]
        yield to_json(about, indent=None)
        for member in self.members:
            yield to_json(member, indent=None)


def load_class(folder: Path) -> ClassRecord | None:
    """Load `class.jsonl` from a folder of results; None if the folder has none.

    Raises UsageError if the file cannot be read.
    """
    path = folder / CLASS_FILE
    try:
        with path.open("rb") as file:
            record = from_json(ClassRecord, file.readline())
            members = (from_json(Member, line) for line in file)
            return replace(record, by_student={one.student: one for one in members})
    except FileNotFoundError:
        return None
    except (OSError, RecordError) as error:
        raise UsageError(
            f"{path} cannot be read ({error!r}). Delete it and run `autograder grade` again: "
            "the command writes it anew and keeps the results."
        ) from None


def find_member(members: Collection[Member], name: str) -> Member:
    """Return the student with this name, id or e-mail address. Raises UsageError if there is not exactly one."""
    by_student = {one.student: one for one in members}
    found = Called((one.student, one.person) for one in members).find(name)
    if len(found) > 1:
        names = ", ".join(map(one_line, found))
        raise UsageError(f"{name!r} may be each of {names}. Give one of these names.")
    if not found:
        raise UsageError(f"There is no student {name!r}. {nearest(name, by_student)}")
    return by_student[found[0]]


def shown_names(members: Iterable[Member]) -> dict[str, str]:
    """Return the name to show for each student: with the id only where several have the name."""
    names = {one.student: one.person.name or one.student for one in members}
    times = Counter(names.values())
    return {student: name if times[name] == 1 else student for student, name in names.items()}
