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
from autograder.submission.step_source import fingerprint

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
    results_sha256="r" * 64,
).with_source(PIECES, "f" * 64, ["double", "shift", "other"])
BOB = Member("b\udcfcb", Person(), "/class/b\udcfcb", "/class")
RECORD = ClassRecord(
    "toy",
    "run",
    {ALICE.student: ALICE, BOB.student: BOB},
    (Person("Zoë", {"id": "s3"}, ""),),
    limits=GradedUnder(10.0, 4096),
    complete=False,
)


def test_what_is_written_is_loaded_with_the_text_and_the_fingerprint_of_each_step(
    tmp_path: Path,
) -> None:
    RECORD.write(tmp_path)
    record = load_class(tmp_path)
    assert record is not None
    assert record == RECORD
    alice = record.by_student["Alice Ærø"]
    assert {name: step.text for name, step in alice.sources.items()} == {
        "double": "def double(x):\n    return 2 * x",
        "shift": "shift = 1",
    }
    assert alice.steps["double"].fingerprint == fingerprint(
        "def double(number):\n\n  return 2*number"
    )


def test_the_same_source_is_not_looked_at_again() -> None:
    assert ALICE.with_source(PIECES, "f" * 64, ["double"]) is ALICE
    other = ALICE.with_source((("toy.py", ""),), "f" * 64, ["double"])
    assert other.steps == {}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"steps"', '"stops"'),
        ('"timeout"', '"time"'),
        ('"piece": "toy.py"', '"piece": "tay.py"'),
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
    assert alice["steps"]["shift"] == {
        "piece": "cell 2",
        "first": 1,
        "last": 1,
        "fingerprint": fingerprint("shift = 1"),
    }
