"""The same class as each platform's download, for tests."""

from __future__ import annotations

import zipfile
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


@dataclass(frozen=True)
class Student:
    """One student, and what was handed in: names of files, with their bytes."""

    first: str
    last: str
    number: int
    files: dict[str, bytes] = field(default_factory=dict)
    days: int = 0  # late
    group: str = ""

    @property
    def name(self) -> str:
        return f"{self.first} {self.last}"

    @property
    def id(self) -> str:
        return f"{self.number:05}"

    @property
    def email(self) -> str:
        return f"s{self.number}@example.org"

    @property
    def user(self) -> str:
        return self.group.lower().replace(" ", "-") or f"user-{self.number}"


def put(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


# Where a platform puts a student's files. Some write more beside them.
_PATHS = {
    "moodle": "{whose}_assignsubmission_file_/{file}",
    "moodle_flat": "{whose}_assignsubmission_file_{file}",
    "canvas": "{who}{late}_{canvas}_{upload}_{file}",
    "gradescope": "assignment_1_export/submission_{gradescope}/{file}",
    "github": "week-3-submissions/week-3-{one.user}/{file}",
    "nbgrader": "{one.id}/toy/{file}",
}
_MORE = {
    "github": {".git/HEAD": b"ref: refs/heads/main\n", "README.md": b"# Week 3\n"},
    "nbgrader": {"timestamp.txt": b"2025-04-01 10:00:00 UTC"},
}
PLATFORMS = tuple(_PATHS)
_ENTRY = """\
submission_{gradescope}:
  :submitters:
  - :name: "{one.name}"
    :sid: '{one.id}'
    :email: {one.email}
  :created_at: 2025-04-01 10:00:00.000000000 Z
  :results: !ruby/hash:ActiveSupport::HashWithIndifferentAccess
    output: |-
      submission_1:
        :submitters:
"""


def download(platform: str, students: Iterable[Student], folder: Path) -> None:
    listed = "---\n"
    for one in students:
        for upload, (file, data) in enumerate({**one.files, **_MORE.get(platform, {})}.items()):
            words = {
                "one": one,
                "file": file,
                "whose": f"{one.group}_55" if one.group else f"{one.name}_{204000 + one.number}",
                "who": "".join(filter(str.isalnum, one.group or one.last + one.first)).lower(),
                "late": "_LATE" if one.days else "",
                "canvas": 7000 + one.number,
                "upload": 90000 + upload,
                "gradescope": 550000 + one.number,
            }
            put(folder / _PATHS[platform].format(**words), data)
        listed += _ENTRY.format(one=one, gradescope=550000 + one.number)
    if platform == "gradescope":
        put(folder / "assignment_1_export" / "submission_metadata.yml", listed.encode())


moodle = partial(download, "moodle")


def write_roster(students: Iterable[Student], path: Path) -> None:
    lines = ["id,name,email,moodle id,canvas user id,github username"]
    lines += [
        f"{one.id},{one.name},{one.email},{204000 + one.number},{7000 + one.number},{one.user}"
        for one in students
    ]
    put(path, "\n".join(lines).encode())


def zipped(folder: Path, archive: Path) -> Path:
    """Pack what is in a folder, with entries for folders, as programs do."""
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        for path in sorted(folder.rglob("*")):
            file.write(path, path.relative_to(folder).as_posix())
    return archive
