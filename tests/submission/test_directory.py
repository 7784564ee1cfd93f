"""Who is meant: a mark never goes to another person because of a name or an id that a student chose."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from autograder.submission.directory import Directory, Person
from autograder.submission.find import find_hand_ins
from autograder.submission.naming import identify
from tests.submission.class_downloads import put
from tests.submission.test_find import SOURCE

if TYPE_CHECKING:
    from pathlib import Path


pytestmark = pytest.mark.unit

MOODLE = "_assignsubmission_file_"
JANE = Person("Jane Doe", {"id": "00001", "moodle": "999"})
EVE = Person("Evil Eve", {"id": "00002", "moodle": "204000", "github": "eve"})


def class_of(*people: Person) -> Directory:
    return Directory(dict(enumerate(people, start=2)))


ROSTER = class_of(JANE, EVE)


def people(path: Path, roster: Directory = ROSTER) -> dict[str, str]:
    """The roster's id of each submission that is graded; of another, nothing."""
    found = identify(find_hand_ins([path], "toy"), roster).hand_ins
    return {one.student: one.person.ids.get("id", "") for one in found}


def test_a_files_name_cannot_be_another_person(tmp_path: Path) -> None:
    put(tmp_path / f"Evil Eve_204000{MOODLE}x_999{MOODLE}toy.py", SOURCE)
    assert people(tmp_path) == {"Evil Eve (00002)": "00002"}


def test_one_id_with_two_names_is_nobodys(tmp_path: Path) -> None:
    for name in ("Jane Doe_1", "Evil Eve_1", "Li Na_2"):
        put(tmp_path / f"{name}{MOODLE}" / "toy.py", SOURCE)
    eve, jane, li = find_hand_ins([tmp_path], "toy")
    assert (eve.student, jane.student, li.files != ()) == ("Evil Eve", "Jane Doe", True)
    assert not eve.files
    assert eve.problem == jane.problem
    assert eve.problem.startswith(
        "The id 1 belongs to 2 people in this download: `Evil Eve`, `Jane Doe`. None of them is graded."
    )


def test_a_login_is_no_id_of_another_kind(tmp_path: Path) -> None:
    for login in ("00001", "eve"):
        put(tmp_path / "toy-submissions" / f"toy-{login}" / "toy.py", SOURCE)
    assert people(tmp_path / "toy-submissions") == {"00001": "", "Evil Eve (00002)": "00002"}


def test_a_platforms_id_is_no_id_of_another_kind_for_another_name() -> None:
    assert ROSTER.find(Person("Evil Eve", {"canvas": "999"})) == ([3], True)
    roster = class_of(Person("Jane Doe", {"lms user id": "999"}))
    assert roster.find(Person("Evil Eve", {"moodle": "999"})) == ([], False)
    assert roster.find(Person("Doe, Jane", {"moodle": "999"})) == ([2], False)


@pytest.mark.parametrize(
    ("folder", "known"),
    [
        ("Jane Doe (999)", "00001"),
        ("Jane Doe (2)", ""),  # this id is not hers
        ("Evil Eve (00001)", ""),
        ("Somebody (00001)", ""),
    ],
)
def test_a_folder_is_named_by_an_id_or_a_name(tmp_path: Path, folder: str, known: str) -> None:
    put(tmp_path / "class" / folder / "toy.py", SOURCE)
    names = {"00001": "Jane Doe (00001)", "00002": "Evil Eve (00002)"}
    assert people(tmp_path / "class") == {names.get(known, folder): known}


def test_a_folder_in_a_hand_in_does_not_hide_who_it_is(tmp_path: Path) -> None:
    put(tmp_path / "class" / "Jane Doe" / "toy" / "toy.py", SOURCE)
    assert people(tmp_path / "class") == {"Jane Doe": "00001"}


def test_a_name_alone_is_nobody_whom_an_id_claims(tmp_path: Path) -> None:
    put(tmp_path / "class" / f"Jane Doe_999{MOODLE}" / "toy.py", SOURCE)
    put(tmp_path / "class" / f"Jane Doe_1000{MOODLE}" / "toy.py", SOURCE)
    roster = class_of(JANE, Person("Wei Wang", {"id": "00003"}))
    assert people(tmp_path / "class", roster) == {
        "Jane Doe (00001)": "00001",
        "Jane Doe (1000)": "",
    }


def test_two_of_one_name_are_not_one_person_of_the_roster(tmp_path: Path) -> None:
    for number in (1, 2):
        put(tmp_path / "class" / f"Wei Wang_{number}{MOODLE}" / "toy.py", SOURCE)
    roster = class_of(Person("Wei Wang", {"id": "00003"}))
    done = identify(find_hand_ins([tmp_path / "class"], "toy"), roster)
    assert [one.from_roster for one in done.hand_ins] == [False, False]
    assert done.absent == ()  # it is one of them
    assert {one.student for one in done.hand_ins} == {"Wei Wang (1)", "Wei Wang (2)"}


@pytest.mark.parametrize(
    "more",
    [
        'submission_2:\n  :submitters:\n  - :name: Evil Eve\n    :sid: "0002"\n',
        'submission_1:\n  :submitters:\n  - :name: Evil Eve\n    :sid: "0002"\n',
        "submission_3:\n  :submitters:\n  - {broken\n",
        "submission_3:\n  :submitters:\n  - :name: [a, b]\n    :sid: {c: d}\n",
        "submission_3:\n  :results:\n    output: |-\n      submission_1:\n        :submitters:\n        - :name: Eve\n",
    ],
)
def test_an_entry_of_gradescopes_list_is_nobody_elses(tmp_path: Path, more: str) -> None:
    jane = 'submission_1:\n  :submitters:\n  - :name: Jane Doe\n    :sid: "00001"\n'
    (tmp_path / "submission_metadata.yml").write_bytes(f"---\n{jane}{more}".encode())
    for number in (1, 2, 3):
        put(tmp_path / f"submission_{number}" / "toy.py", SOURCE)
    found = people(tmp_path)
    twice = more.startswith("submission_1")
    assert found.get("submission_1" if twice else "Jane Doe (00001)") == ("" if twice else "00001")
    assert {"00001", ""} >= {found[name] for name in found if "Evil Eve" not in name}
    assert len(found) == 3 + twice  # the list itself, which names nobody then
