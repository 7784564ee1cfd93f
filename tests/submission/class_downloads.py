"""The same class as each platform's download, for tests."""

from __future__ import annotations

import zipfile
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path


@dataclass(frozen=True)
class Student:
    """One student, and what was handed in: names of files, with their bytes."""

    first: str
    last: str
    number: int
    files: dict[str, bytes] = field(default_factory=dict)
    late: bool = False

    @property
    def name(self) -> str:
        return f"{self.first} {self.last}"

    @property
    def email(self) -> str:
        return f"s{self.number}@example.org"

    @property
    def user(self) -> str:
        return f"user-{self.number}"


def put(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def moodle(students: Iterable[Student], folder: Path) -> None:
    """Moodle's "Download all submissions" in folders."""
    for one in students:
        place = folder / f"{one.name}_{204000 + one.number}_assignsubmission_file_"
        place.mkdir(parents=True)
        for name, data in one.files.items():
            put(place / name, data)


def moodle_flat(students: Iterable[Student], folder: Path) -> None:
    """Moodle's download without folders: the prefix is on each file. Who has no file is not there."""
    folder.mkdir(parents=True)
    for one in students:
        prefix = f"{one.name}_{204000 + one.number}_assignsubmission_file_"
        for name, data in one.files.items():
            put(folder / f"{prefix}{name}", data)


def canvas(students: Iterable[Student], folder: Path) -> None:
    """Canvas's "Download Submissions"."""
    folder.mkdir(parents=True)
    for one in students:
        who = "".join(filter(str.isalnum, f"{one.last}{one.first}")).lower()
        late = "_LATE" if one.late else ""
        for upload, (name, data) in enumerate(one.files.items()):
            put(folder / f"{who}{late}_{7000 + one.number}_{90000 + upload}_{name}", data)


def gradescope(students: Iterable[Student], folder: Path) -> None:
    """Gradescope's "Export Submissions"."""
    lines = ["---"]
    for one in students:
        name = f"submission_{550000 + one.number}"
        lines += [
            f"{name}:",
            "  :submitters:",
            f'  - :name: "{one.name}"',
            f"    :sid: '{one.number:05}'",
            f"    :email: {one.email}",
            "  :created_at: 2025-04-01 10:00:00.000000000 Z",
            "  :results: !ruby/hash:ActiveSupport::HashWithIndifferentAccess",
            "    output: |-",
            "      submission_1:",
            "        :submitters:",
        ]
        (folder / "assignment_1_export" / name).mkdir(parents=True)
        for file, data in one.files.items():
            put(folder / "assignment_1_export" / name / file, data)
    put(folder / "assignment_1_export" / "submission_metadata.yml", "\n".join(lines).encode())


def github(students: Iterable[Student], folder: Path) -> None:
    """`gh classroom clone student-repos`: a repository for each student."""
    for one in students:
        place = folder / "week-3-submissions" / f"week-3-{one.user}"
        put(place / ".git" / "HEAD", b"ref: refs/heads/main\n")
        put(place / "README.md", b"# Week 3\n")
        for name, data in one.files.items():
            put(place / name, data)


def nbgrader(students: Iterable[Student], folder: Path) -> None:
    """nbgrader's folder of collected submissions."""
    for one in students:
        place = folder / f"{one.number:05}" / "toy"
        put(place / "timestamp.txt", b"2025-04-01 10:00:00 UTC")
        for name, data in one.files.items():
            put(place / name, data)


PLATFORMS: dict[str, Callable[[Iterable[Student], Path], None]] = {
    "moodle": moodle,
    "moodle_flat": moodle_flat,
    "canvas": canvas,
    "gradescope": gradescope,
    "github": github,
    "nbgrader": nbgrader,
}


def write_roster(students: Iterable[Student], path: Path) -> None:
    lines = ["id,name,email,moodle id,canvas user id,github username"]
    lines += [
        f"{one.number:05},{one.name},{one.email},{204000 + one.number},{7000 + one.number},{one.user}"
        for one in students
    ]
    put(path, "\n".join(lines).encode())


def zipped(folder: Path, archive: Path) -> Path:
    """Pack what is in a folder, with entries for folders, as programs do."""
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        for path in sorted(folder.rglob("*")):
            file.write(path, path.relative_to(folder).as_posix())
    return archive
