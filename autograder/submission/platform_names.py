"""Names of submissions in the downloads of Moodle, Canvas, Gradescope and GitHub.

Moodle      Jane Doe_204000_assignsubmission_file_/work.ipynb, or the same in front of the file's name; a group has
            its name and its own id, and all without a group share a folder without an id
Canvas      doejane_12345_67890_work.ipynb, doejane_LATE_12345_67890_work-2.ipynb, LATE_anon_a1B2c_67890_work.ipynb
Gradescope  submission_117428323/, with names and ids in submission_metadata.yml
GitHub      homework-janedoe/ in the folder homework-submissions/, course-homework-janedoe/ of Classroom 50
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from autograder.errors import Rejected, UsageError
from autograder.submission.directory import Person
from autograder.text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from autograder.submission.archive import Place

METADATA = "submission_metadata.yml"
MAX_METADATA = 128 * 1024 * 1024

# Read from the left: a platform writes its part first, and what a student chose follows.
_LABEL = re.compile(
    r"(?P<late>LATE_(?=anon_))?(?P<name>(?:(?!_assignsubmission_).)+?)(?:"
    r"(?:_(?P<moodle>\d+))?_assignsubmission_(?P<kind>file|onlinetext)(?:_(?P<moodle_file>.*))?"
    r"|(?P<late_after>_LATE)?_(?P<canvas>\d+|(?<=anon_)[A-Za-z0-9]{5}|(?<=anon_LATE_)[A-Za-z0-9]{5})_"
    r"(?:(?P<upload>\d{1,18})_(?P<canvas_file>.+)|(?:text|link)\.html)"
    r")",
    re.DOTALL | re.ASCII,
)
# Canvas counts uploads of one file name: work.py, work-1.py, work-2.py.
_COUNTED = re.compile(r"(?P<base>.+?)(?:-(?P<number>\d{1,4}))?(?P<suffix>\.[^.]*)?", re.DOTALL)
_SUBMISSION = re.compile(r"^(?:\"|')?(submission_\d+)(?:\"|')?:[ \t]*\r?$", re.MULTILINE)
_CREATED = re.compile(r"^  :created_at: ([^\r\n]*)", re.MULTILINE)
_SUBMITTERS = re.compile(r"^  :submitters:[ \t]*\r?\n((?:  (?:-|[ \t]).*\n?)*)", re.MULTILINE)


@dataclass(frozen=True)
class Label:
    """The information in the name of a folder or file in a platform's download.

    Attributes:
        platform: `moodle` or `canvas`.
        name: the student's name as the platform writes it.
        id: the platform's id of the student; empty for Moodle's folder of all who are in no group.
        file: the name of the file as the student chose it; empty for a folder.
        late: the platform marks the submission as late.
        is_text: the student typed a text on the platform; there is no file.
        upload: the number of the upload: the latest one counts.
    """

    platform: str
    name: str
    id: str
    file: str = ""
    late: bool = False
    is_text: bool = False
    upload: tuple[int, int] = (0, 0)

    @property
    def person(self) -> Person:
        """Return the student. Canvas's names are no names of people: "doejane"."""
        return Person(self.name, {self.platform: self.id} if self.id else {})


def read_label(name: str) -> Label | None:
    """Return the information in a name of a platform's download; None for any other name."""
    name = unicodedata.normalize("NFC", name)
    found = _LABEL.fullmatch(name)
    if found is None:
        return None
    who, late = found["name"], bool(found["late"] or found["late_after"])
    if found["kind"]:
        file, is_text = found["moodle_file"] or "", found["kind"] == "onlinetext"
        return Label("moodle", _spaced(who), found["moodle"] or "", file, is_text=is_text)
    if found["upload"]:
        file, number = without_count(found["canvas_file"])
        upload = (number, int(found["upload"]))
        return Label("canvas", who, found["canvas"], file, late, upload=upload)
    return Label("canvas", who, found["canvas"], late=late, is_text=True)


def without_count(file: str) -> tuple[str, int]:
    """Return a file's name without Canvas's count of uploads, and the count: 0 if there is none."""
    found = _COUNTED.fullmatch(file)
    if found is None:
        return file, 0
    return found["base"] + (found["suffix"] or ""), int(found["number"] or 0)


def _spaced(name: str) -> str:
    return " ".join(name.replace("_", " ").split())


def read_submitters(place: Place) -> dict[str, tuple[tuple[Person, ...], str]]:
    """Return the submitters of each folder of a Gradescope export, and when they handed in. A group has several.

    Only lines of the platform begin with fewer than four spaces: what students chose or saw is further in. A folder
    that is listed twice, or whose submitters cannot be read, has none.

    Raises UsageError if the file cannot be read, or if PyYAML is missing.
    """
    path, text = place.path, _metadata(place)
    heads = list(_SUBMISSION.finditer(text))
    ends = [head.start() for head in heads[1:]] + [len(text)]
    count = Counter(head[1] for head in heads)
    found = {}
    for head, end in zip(heads, ends, strict=True):
        block = _SUBMITTERS.search(text, head.end(), end)
        if block is not None and count[head[1]] == 1:
            created = _CREATED.search(text, head.end(), end)
            people = tuple(_submitters(path, block[1]))
            if len(people) > 1:  # ids of groups are a kind of their own
                people = tuple(replace(person, group=head[1]) for person in people)
            found[head[1]] = people, created[1].strip() if created else ""
    return found


def _metadata(place: Place) -> str:
    path = place.path
    try:
        return place.read_bytes(MAX_METADATA).decode(errors="replace")
    except OSError as error:
        raise UsageError(
            f"{path} cannot be read: {error.strerror}. Leave it out to grade the folders by their names."
        ) from None
    except Rejected as rejected:
        raise UsageError(f"{path} cannot be read: {rejected}") from None


def _submitters(path: Path, block: str) -> list[Person]:
    try:
        import yaml  # noqa: PLC0415 - only a Gradescope export needs it
    except ModuleNotFoundError:
        raise UsageError(
            f'{path} needs PyYAML: pip install "pyyaml". Or leave the file out to grade the folders by their names.'
        ) from None
    try:
        entries = yaml.load(block, Loader=yaml.BaseLoader)  # every scalar stays a text
        return [_submitter(entry) for entry in entries or ()]
    except (yaml.YAMLError, TypeError, ValueError, RecursionError):
        return []  # the folder has its own name


def _submitter(entry: Any) -> Person:
    fields = {str(key).lstrip(":"): value for key, value in dict(entry).items()}
    name, sid, email = (
        one_line(value) if isinstance(value := fields.get(key), str) else ""
        for key in ("name", "sid", "email")
    )
    return Person(name, {"gradescope": sid} if sid else {}, email)


def github_prefix(folder: str, children: Iterable[str], assignment: str) -> str:
    """Return the prefix before the user names of these folders of repositories; empty if there is none.

    The folder of a classroom's clones is named after the homework. Otherwise the homework must have
    the assignment's name, with that of the classroom before it in Classroom 50.
    """
    children = list(children)
    slug = folder.removesuffix("-submissions") if folder.endswith("-submissions") else ""
    homework = assignment.replace("_", "-").lower()
    before, found, _ = children[0].partition(f"-{homework}-") if children else ("", "", "")
    for name in (slug, homework, f"{before}-{homework}" if found else ""):
        prefix = f"{name}-"
        if (
            name
            and children
            and all(child.startswith(prefix) and child != prefix for child in children)
        ):
            return prefix
    return ""
