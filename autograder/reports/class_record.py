"""`class.json`: a run's data on its students, besides their results. For the instructor only.

It holds names, ids, e-mail addresses and the students' code, so it is never handed to students. The
file is JSON:

    {"assignment": name, "run": the run's id, "complete": bool,
     "roster": the path of the roster or null,
     "absent": [{"name": str, "last": last name or "", "ids": {kind: id}, "email": str}, ...],
     "overrides_sha256": the digest of `overrides.csv` as the run read it, or "",
     "overrides": [{"student": str, "step": str, "points": number, "reason": str, "who": str}, ...],
     "students": {student: {
         "name": str, "last": str, "ids": {kind: id}, "email": str,
         "path": where the submission was found, "given": the PATH that it was found through, both
         relative to DIR,
         "late": bool, "submission_sha256": str, "results_sha256": str,
         "limits": {"timeout": seconds, "memory": megabytes} or null,
         "pieces": [[label, source], ...],
         "steps": {step: {"piece": label, "first": line, "last": line, "fingerprint": str}}}}}

`student` is the name of the folder in DIR. `pieces` is the source that was graded, in the order in
which it ran; the lines of a step count from 1 in its piece. Equal fingerprints mean equal code after
formatting, comments, docstrings and chosen names are normalised; `fingerprint` of
`submission/step_source.py` gives that of any other text, such as a stub. `absent` lists those of the
roster who handed in nothing. `complete` is false while a run writes results.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

from autograder.errors import UsageError
from autograder.files import write_parts
from autograder.reports.json_parts import JsonParts
from autograder.results import Override
from autograder.spool import Spool
from autograder.submission.person import Person
from autograder.submission.step_source import StepSource, locate_steps

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping
    from pathlib import Path

    from autograder.submission.notebook import Pieces
    from autograder.submission.step_source import LocatedSteps

CLASS_FILE = "class.json"


@dataclass(frozen=True)
class GradedUnder:
    """The limits under which a submission was graded: CPU seconds of a check, megabytes of memory."""

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
        submission_sha256: the digest of the files; empty if nothing could be read.
        results_sha256: the digest of `results.json` as it was written; empty before that.
        limits: the limits of the grading; None before that.
        pieces: the source that was graded, as (label, text), in the order in which it ran.
        steps: where each step that the submission defines stands.
        fingerprints: the fingerprint of each of these steps.
    """

    student: str
    person: Person
    path: str
    given: str
    late: bool = False
    submission_sha256: str = ""
    results_sha256: str = ""
    limits: GradedUnder | None = None
    pieces: Pieces = ()
    steps: Mapping[str, StepSource] = field(default_factory=dict)
    fingerprints: Mapping[str, str] = field(default_factory=dict)

    def with_source(
        self,
        pieces: Pieces,
        sha256: str,
        steps: Iterable[str],
        located: LocatedSteps | None = None,
    ) -> Member:
        """Return the member with the source that was read.

        `steps` are the assignment's steps; `located` is where they stand, if the caller knows it.
        """
        if sha256 == self.submission_sha256 and pieces == self.pieces:
            return self
        located = located or locate_steps(pieces, steps)
        return replace(
            self,
            submission_sha256=sha256,
            pieces=pieces,
            steps=located.steps,
            fingerprints=located.fingerprints,
        )


@dataclass(frozen=True)
class ClassRecord:
    """The content of `class.json`.

    Attributes:
        by_student: the students of the class, by the names of their folders.
        complete: whether the run that wrote it ended by itself or by an interrupt that it noticed.
        roster: the path of the roster, or None.
        absent: the people on the roster who handed in nothing.
        overrides: the changes of marks that were applied, in the order of `overrides.csv`.
        overrides_sha256: the digest of that file; empty without it, None in the record of an older kit.
    """

    assignment: str
    run: str
    by_student: Mapping[str, Member] = field(default_factory=dict)
    roster: str | None = None
    absent: tuple[Person, ...] = ()
    overrides: tuple[Override, ...] = ()
    overrides_sha256: str | None = ""
    complete: bool = True

    @property
    def members(self) -> Collection[Member]:
        """Return the students of the class."""
        return self.by_student.values()

    def write(self, folder: Path) -> None:
        """Write `class.json` in the folder."""
        content = {
            "assignment": self.assignment,
            "run": self.run,
            "complete": self.complete,
            "roster": self.roster,
            "absent": [_dump_person(person) for person in self.absent],
            "overrides_sha256": self.overrides_sha256,
            "overrides": [asdict(override) for override in self.overrides],
        }
        write_parts(folder / CLASS_FILE, _dump(content, self.members))


def _dump(content: dict[str, Any], members: Iterable[Member]) -> Iterator[bytes]:
    """Yield the parts of the file. A large class is never in memory as a whole."""
    yield _encoded(_json(content).removesuffix("\n}") + ',\n "students": {')
    separator = ""
    for member in members:
        entry = _json(_dump_member(member)).replace("\n", "\n  ")
        yield _encoded(f"{separator}\n  {_json(member.student)}: {entry}")
        separator = ","
    yield _encoded("\n }\n}\n" if separator else "}\n}\n")


def _json(content: object) -> str:
    return json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False)


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "backslashreplace")


def load_class(folder: Path) -> ClassRecord | None:
    """Load `class.json` from a folder of results; None if the folder has none.

    Raises UsageError if the file cannot be read.
    """
    path = folder / CLASS_FILE
    try:
        file = path.open(encoding="utf-8")
    except FileNotFoundError:
        return None
    except OSError as error:
        raise _unreadable(path, error) from None
    with file:
        try:
            return _load_record(JsonParts(file))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise _unreadable(path, error) from None


def _unreadable(path: Path, error: Exception) -> UsageError:
    return UsageError(
        f"{path} cannot be read ({error!r}). Delete it and run `autograder grade` again: "
        "the command writes it anew and keeps the results."
    )


def _load_record(parts: JsonParts) -> ClassRecord:
    """Return the content of the file. The students wait in a temporary file."""
    content: dict[str, Any] = {}
    for key in parts.entries():
        if key == "students":
            content[key] = Spool(
                (name, _load_member(name, parts.value())) for name in parts.entries()
            )
        else:
            content[key] = parts.value()
    parts.end()
    return ClassRecord(
        assignment=content["assignment"],
        run=content["run"],
        by_student=content["students"],
        roster=content["roster"],
        absent=tuple(map(_load_person, content["absent"])),
        overrides=tuple(Override(**entry) for entry in content["overrides"]),
        overrides_sha256=content.get("overrides_sha256"),
        complete=content["complete"],
    )


def _dump_person(person: Person) -> dict[str, Any]:
    return {
        "name": person.name,
        "last": person.last,
        "ids": dict(person.ids),
        "email": person.email,
    }


def _load_person(content: dict[str, Any]) -> Person:
    return Person(content["name"], dict(content["ids"]), content["email"], content.get("last", ""))


def _dump_member(member: Member) -> dict[str, Any]:
    steps = {
        name: {
            "piece": step.piece,
            "first": step.first,
            "last": step.last,
            "fingerprint": member.fingerprints[name],
        }
        for name, step in member.steps.items()
    }
    return {
        **_dump_person(member.person),
        "path": member.path,
        "given": member.given,
        "late": member.late,
        "submission_sha256": member.submission_sha256,
        "results_sha256": member.results_sha256,
        "limits": asdict(member.limits) if member.limits else None,
        "pieces": [list(piece) for piece in member.pieces],
        "steps": steps,
    }


def _load_member(student: str, content: dict[str, Any]) -> Member:
    pieces = tuple((label, source) for label, source in content["pieces"])
    lines = {label: source.split("\n") for label, source in pieces}
    steps = {
        name: StepSource(
            entry["piece"],
            entry["first"],
            entry["last"],
            "\n".join(lines[entry["piece"]][entry["first"] - 1 : entry["last"]]),
        )
        for name, entry in content["steps"].items()
    }
    return Member(
        student=student,
        person=_load_person(content),
        path=content["path"],
        given=content["given"],
        late=content["late"],
        submission_sha256=content["submission_sha256"],
        results_sha256=content["results_sha256"],
        limits=GradedUnder(**content["limits"]) if content["limits"] else None,
        pieces=pieces,
        steps=steps,
        fingerprints={name: entry["fingerprint"] for name, entry in content["steps"].items()},
    )
