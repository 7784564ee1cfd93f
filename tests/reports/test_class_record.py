from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from autograder.errors import UsageError
from autograder.reports import class_record
from autograder.reports.class_record import CLASS_FILE, ClassRecord, GradedUnder, Member, load_class
from autograder.submission.directory import Person

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.unit

PIECES = (("toy.py", "import x\n\ndef double(x):\n    return 2 * x\n"), ("cell 2", "shift = 1"))
ALICE = Member(
    "Alice Ærø",
    Person("Alice Ærø", {"moodle": "204000", "id": "s1"}, "alice@example.org"),
    "/class.zip/Alice Ærø_204000_assignsubmission_file_",
    "/class.zip",
    late=True,
    submission_sha256="f" * 64,
    finished=True,
    pieces=PIECES,
)
BOB = Member("b\udcfcb", Person(), "/class/b\udcfcb", "/class")
RECORD = ClassRecord(
    "toy",
    "run",
    {ALICE.student: ALICE, BOB.student: BOB},
    (Person("Zoë", {"id": "s3"}, ""),),
    limits=GradedUnder(10.0, 4096),
    ended=False,
)


def test_what_is_written_is_loaded(tmp_path: Path) -> None:
    RECORD.write(tmp_path)
    record = load_class(tmp_path)
    assert record == RECORD


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"pieces"', '"places"'),
        ('"timeout"', '"time"'),
        ('"ids": {}', '"ids": 3'),
        ('"shift = 1"', '"shift'),
    ],
)
def test_a_damaged_file_is_said_with_what_to_do(tmp_path: Path, old: str, new: str) -> None:
    RECORD.write(tmp_path)
    path = tmp_path / CLASS_FILE
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(UsageError, match="Delete it and run `autograder grade` again"):
        load_class(tmp_path)


def test_the_lines_have_the_documented_keys(tmp_path: Path) -> None:
    replace(RECORD, by_student={ALICE.student: ALICE}).write(tmp_path)
    about, alice = map(json.loads, (tmp_path / CLASS_FILE).read_text(encoding="utf-8").splitlines())
    assert set(about) | set(alice) <= set(re.findall(r'"(\w+)": ', class_record.__doc__ or ""))
    assert alice["person"]["ids"] == {"moodle": "204000", "id": "s1"}
    assert alice["pieces"][1] == ["cell 2", "shift = 1"]
