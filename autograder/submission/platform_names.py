"""Names of submissions in the downloads of Moodle, Canvas, Gradescope and GitHub Classroom.

Moodle      Jane Doe_204000_assignsubmission_file_/work.ipynb, or the same in front of the file's name
Canvas      doejane_12345_67890_work.ipynb, doejane_LATE_12345_67890_work-2.ipynb
Gradescope  submission_117428323/, with names and ids in submission_metadata.yml
GitHub      homework-janedoe/ in the folder homework-submissions/
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from autograder.errors import UsageError
from autograder.submission.person import Person

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

METADATA = "submission_metadata.yml"
MAX_METADATA = 128 * 1024 * 1024

_MOODLE = re.compile(
    r"(?P<name>.*)_(?P<id>\d+)_assignsubmission_(?P<kind>file|onlinetext)(?:_(?P<file>.*))?",
    re.DOTALL,
)
_CANVAS = re.compile(
    r"(?P<name>.+?)(?P<late>_LATE)?_(?P<id>\d+|(?<=anon_)[A-Za-z0-9]{5})_(?P<upload>\d+)_(?P<file>.+)",
    re.DOTALL,
)
_CANVAS_TEXT = re.compile(
    r"(?P<name>.+?)(?P<late>_LATE)?_(?P<id>\d+)_(?:text|link)\.html", re.DOTALL
)
# Canvas counts uploads of one file name: work.py, work-1.py, work-2.py.
_COUNTED = re.compile(r"(?P<base>.+?)(?:-(?P<number>\d{1,4}))?(?P<suffix>\.[^.]*)?", re.DOTALL)
_SUBMISSION = re.compile(r"^(?:\"|')?(submission_\d+)(?:\"|')?:[ \t]*$", re.MULTILINE)
_SUBMITTERS = re.compile(r"^  :submitters:[ \t]*\n((?:  (?:-|[ \t]).*\n?)*)", re.MULTILINE)


@dataclass(frozen=True)
class Label:
    """The information in the name of a folder or file in a platform's download.

    Attributes:
        platform: `moodle` or `canvas`.
        name: the student's name as the platform writes it.
        id: the platform's id of the student.
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
        return Person(self.name, {self.platform: self.id})


def read_label(name: str) -> Label | None:
    """Return the information in a name of a platform's download; None for any other name."""
    name = unicodedata.normalize("NFC", name)
    if found := _MOODLE.fullmatch(name):
        is_text = found["kind"] == "onlinetext"
        return Label(
            "moodle", _spaced(found["name"]), found["id"], found["file"] or "", is_text=is_text
        )
    if found := _CANVAS.fullmatch(name):
        file, number = without_count(found["file"])
        upload = (number, int(found["upload"]))
        return Label("canvas", found["name"], found["id"], file, bool(found["late"]), upload=upload)
    if found := _CANVAS_TEXT.fullmatch(name):
        late = bool(found["late"])
        return Label("canvas", found["name"], found["id"], late=late, is_text=True)
    return None


def without_count(file: str) -> tuple[str, int]:
    """Return a file's name without Canvas's count of uploads, and the count: 0 if there is none."""
    found = _COUNTED.fullmatch(file)
    if found is None:
        return file, 0
    return found["base"] + (found["suffix"] or ""), int(found["number"] or 0)


def _spaced(name: str) -> str:
    return " ".join(name.replace("_", " ").split())


def read_submitters(path: Path) -> dict[str, tuple[Person, ...]]:
    """Return the submitters of each folder of a Gradescope export. A group has several.

    Raises UsageError if the file cannot be read.
    """
    try:
        if path.stat().st_size > MAX_METADATA:
            raise UsageError(
                f"{path} is too large. Leave it out to grade the folders by their names."
            )
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.") from None
    heads = list(_SUBMISSION.finditer(text))
    ends = [head.start() for head in heads[1:]] + [len(text)]
    found = {}
    for head, end in zip(heads, ends, strict=True):
        # The rest of an entry holds the results that students saw, which may be anything.
        block = _SUBMITTERS.search(text, head.end(), end)
        if block is not None:
            found[head[1]] = tuple(_submitters(path, block[1]))
    return found


def _submitters(path: Path, block: str) -> Iterable[Person]:
    try:
        import yaml  # noqa: PLC0415 - only a Gradescope export needs it
    except ModuleNotFoundError:
        raise UsageError(
            f'{path} needs PyYAML: pip install "pyyaml". Or leave the file out to grade the folders by their names.'
        ) from None
    try:
        entries = yaml.load(block, Loader=yaml.BaseLoader)  # every scalar stays a text
    except yaml.YAMLError as error:
        raise UsageError(f"{path} cannot be read: {error}") from None
    for entry in entries if isinstance(entries, list) else ():
        yield _submitter(entry)


def _submitter(entry: Any) -> Person:
    fields = {str(key).lstrip(":"): value for key, value in dict(entry).items()}
    ids = {"gradescope": str(fields["sid"])} if fields.get("sid") else {}
    return Person(" ".join(str(fields.get("name", "")).split()), ids, str(fields.get("email", "")))


def github_prefix(folder: str, children: Iterable[str], assignment: str) -> str:
    """Return GitHub Classroom's prefix before the user names of these folders; empty if there is none.

    The folder of a classroom's clones is named after the homework. Otherwise the homework must have
    the assignment's name.
    """
    children = list(children)
    slug = folder.removesuffix("-submissions") if folder.endswith("-submissions") else ""
    for name in (slug, assignment.replace("_", "-").lower()):
        prefix = f"{name}-"
        if (
            name
            and children
            and all(child.startswith(prefix) and child != prefix for child in children)
        ):
            return prefix
    return ""
