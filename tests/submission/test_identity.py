"""Whose a hand-in is: ids before names, and groups by a list only."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from autograder.errors import UsageError
from autograder.submission.directory import Directory, Person
from autograder.submission.find import find_hand_ins
from autograder.submission.naming import Identified, identify
from autograder.submission.roster import read_groups, read_roster
from tests.submission.class_downloads import put

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.unit

SOURCE = b"def double(x):\n    return 2 * x\n"
MOODLE = "_assignsubmission_file"
WANGS = {
    2: Person("Wei Wang", {"id": "1004", "moodle": "204004"}),
    3: Person("Wei Wang", {"id": "1005", "moodle": "204005"}),
    4: Person("Jane Doe", {"id": "1006", "moodle": "204006"}, "jane@example.org"),
}
ROSTER = Directory(WANGS)


def identified(folder: Path, roster: Directory | None = None) -> Identified:
    return identify(find_hand_ins([folder], "toy", folder.parent), roster)


def names(done: Identified) -> list[str]:
    return [one.student for one in done.hand_ins]


@pytest.mark.parametrize(
    ("folder", "student"),
    [
        (f"Wei Wang_204004{MOODLE}", "Wei Wang (1004)"),
        ("Wei Wang (1004)", "Wei Wang (1004)"),
        ("1005", "Wei Wang (1005)"),
        ("204005", "Wei Wang (1005)"),
        ("jane@example.org", "Jane Doe (1006)"),
        ("Jane Doe", "Jane Doe (1006)"),
        ("Wei Wang", "Wei Wang"),  # nobody is guessed
        ("Wei Wang (1009)", "Wei Wang (1009)"),
        ("1009", "1009"),
    ],
)
def test_a_folder_is_the_student_whose_id_it_has(tmp_path: Path, folder: str, student: str) -> None:
    put(tmp_path / "class" / folder / "toy.py", SOURCE)
    done = identified(tmp_path / "class", ROSTER)
    assert names(done) == [student]
    assert done.strangers == ((student,) if "1009" in student else ())
    unclear = [one.student for one in done.hand_ins if one.by_name and not one.from_roster]
    assert unclear == [student] * (student == "Wei Wang")


# Groups.

WORKSHEET = (
    "Identifier,Full name,ID number,Group,Last modified (submission)\n"
    'Participant 204004,Wei Wang,1004,Team A,"Friday, 1 May 2026, 10:00 AM"\n'
    'Participant 204005,Wei Wang,1005,Team A,"Friday, 1 May 2026, 10:00 AM"\n'
    "Participant 204006,Jane Doe,1006,Default group,-\n"
    'Participant 204007,Ann Lee,1007,Team_B,"Friday, 1 May 2026, 10:00 AM"\n'
)


def test_moodles_group_is_known_by_the_worksheet(tmp_path: Path) -> None:
    put(tmp_path / "roster.csv", WORKSHEET.encode())
    put(tmp_path / "class" / f"Team A_55{MOODLE}" / "toy.py", SOURCE)
    done = identified(tmp_path / "class", read_roster(tmp_path / "roster.csv"))
    assert names(done) == ["Wei Wang (1004)", "Wei Wang (1005)"]
    assert [one.same_as for one in done.hand_ins] == ["", "Wei Wang (1004)"]
    assert {one.handed_in for one in done.hand_ins} == {"Friday, 1 May 2026, 10:00 AM"}
    assert [one.name for one in done.absent] == ["Jane Doe", "Ann Lee"]
    assert (done.idle, done.alone) == (("Team_B",), ("Jane Doe",))
    # Without a list a group's folder is one person.
    assert names(identified(tmp_path / "class")) == ["Team A (55)"]
    without = identified(tmp_path / "class", ROSTER)
    assert (without.strangers, without.idle, without.alone) == (("Team A (55)",), (), ())
    # An older Moodle has a folder for each member.
    for number in (204004, 204005):
        put(tmp_path / "older" / f"Team A-Wei Wang_{number}{MOODLE}_" / "toy.py", SOURCE)
    done = identified(tmp_path / "older", read_roster(tmp_path / "roster.csv"))
    assert names(done) == ["Wei Wang (1004)", "Wei Wang (1005)"]


def test_the_folder_of_all_without_a_group_is_nobodys(tmp_path: Path) -> None:
    put(tmp_path / "class" / f"Default group{MOODLE}" / "toy.py", SOURCE)
    put(tmp_path / "class" / f"Wei Wang_204004{MOODLE}" / "toy.py", SOURCE)
    wang, default = identified(tmp_path / "class", ROSTER).hand_ins[::-1]
    assert (wang.student, wang.problem) == ("Wei Wang (1004)", "")
    assert "so files are missing, and nobody can tell whose these are" in default.problem
    groups = ROSTER.with_groups({2: "Default group", 4: "Default group"})
    assert names(identified(tmp_path / "class", groups))[0] == "Jane Doe (1006)"


def test_canvas_writes_a_groups_name_and_a_members_id(tmp_path: Path) -> None:
    export = (
        "name,canvas_user_id,user_id,login_id,sections,group_name,canvas_group_id,group_id\n"
        "Wei Wang,7004,1004,u4,A,Team A,31,\nJane Doe,7006,1006,u6,A,Team A,31,\n"
        "Ann Lee,7007,1007,u7,A,,,\n"
    )
    put(tmp_path / "groups.csv", export.encode())
    put(tmp_path / "class" / "teama_7006_90000_toy.py", SOURCE)
    put(tmp_path / "class" / "leeann_7007_90001_toy.py", SOURCE)
    put(tmp_path / "other" / "teama_7007_90000_toy.py", SOURCE)  # not of that group
    groups, unknown = read_groups(tmp_path / "groups.csv", None)
    done = identified(tmp_path / "class", groups)
    assert (names(done), unknown) == (["Ann Lee (1007)", "Jane Doe (1006)", "Wei Wang (1004)"], ())
    assert names(identified(tmp_path / "other", groups)) == ["Ann Lee (1007)"]
    # Where each member is graded alone, Canvas writes the member's own name.
    put(tmp_path / "alone" / "doejane_7006_90000_toy.py", SOURCE)
    assert names(identified(tmp_path / "alone", groups)) == ["Jane Doe (1006)"]


def test_canvass_test_student_is_named_and_not_graded(tmp_path: Path) -> None:
    for name in ("doejane_7006_90000_toy.py", "studenttest_9_90001_toy.py"):
        put(tmp_path / "class" / name, SOURCE)
    done = identified(tmp_path / "class")
    assert names(done) == ["doejane (7006)"]
    assert done.teachers == ("studenttest_9_90001_toy.py",)


def test_groups_of_ones_own_name_people_by_name_or_id(tmp_path: Path) -> None:
    rows = b"group,student\nTeam A,1004\nTeam A,Jane Doe\nTeam B,Nobody\nTeam B,Wei Wang\n"
    put(tmp_path / "groups.csv", rows)
    put(tmp_path / "class" / "Team A" / "toy.py", SOURCE)
    groups, unknown = read_groups(tmp_path / "groups.csv", ROSTER)
    assert unknown == ("Nobody", "Wei Wang")
    done = identified(tmp_path / "class", groups)
    assert names(done) == ["Jane Doe (1006)", "Wei Wang (1004)"]
    assert {one.person.group for one in done.hand_ins} == {"Team A"}
    alone, _ = read_groups(tmp_path / "groups.csv", None)
    assert names(identified(tmp_path / "class", alone)) == ["1004", "Jane Doe"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("name,email\nJane Doe,j@x.org\n", "names no groups"),
        ("group,student\nA,1004\nB,1004\n", "lines 2 and 3: 1004 is in two groups, 'A' and 'B'"),
    ],
)
def test_a_list_of_groups_can_be_refused(tmp_path: Path, text: str, words: str) -> None:
    put(tmp_path / "groups.csv", text.encode())
    with pytest.raises(UsageError, match=words):
        read_groups(tmp_path / "groups.csv", ROSTER)


def test_a_member_who_hands_in_alone_too_is_not_guessed(tmp_path: Path) -> None:
    groups = ROSTER.with_groups({2: "Team A", 4: "Team A"})
    for name in ("Team A", "1006"):
        put(tmp_path / "class" / name / "toy.py", SOURCE)
    problems = {one.student: one.problem for one in identified(tmp_path / "class", groups).hand_ins}
    assert problems.pop("Wei Wang (1004)") == ""
    assert all("2 submissions have the same name" in words for words in problems.values())


def test_a_tutorial_on_a_roster_is_no_group_that_hands_in_together(tmp_path: Path) -> None:
    put(tmp_path / "roster.csv", b"id,name,group\n1004,Wei Wang,Team A\n1006,Jane Doe,Team A\n")
    put(tmp_path / "class" / "Team A" / "toy.py", SOURCE)
    done = identified(tmp_path / "class", read_roster(tmp_path / "roster.csv"))
    assert names(done) == ["Team A"]


# A mark never goes to another person because of a name or an id that a student chose.

JANE = Person("Jane Doe", {"id": "00001", "moodle": "999"})
EVE = Person("Evil Eve", {"id": "00002", "moodle": "204000", "github": "eve"})


def class_of(*people: Person) -> Directory:
    return Directory(dict(enumerate(people, start=2)))


JANE_AND_EVE = class_of(JANE, EVE)


def people(path: Path, roster: Directory) -> dict[str, str]:
    found = identify(find_hand_ins([path], "toy"), roster).hand_ins
    return {one.student: one.person.ids.get("id", "") for one in found}


def test_one_id_with_two_names_is_nobodys(tmp_path: Path) -> None:
    for name in ("Jane Doe_1", "Evil Eve_1", "Li Na_2"):
        put(tmp_path / f"{name}{MOODLE}_" / "toy.py", SOURCE)
    eve, jane, li = find_hand_ins([tmp_path], "toy")
    assert (eve.student, jane.student, li.files != ()) == ("Evil Eve", "Jane Doe", True)
    assert not eve.files
    assert eve.problem == jane.problem
    assert eve.problem.startswith(
        "The id 1 belongs to 2 people in this download: `Evil Eve`, `Jane Doe`. None of them is graded."
    )


WEI = Person("Wei Wang", {"id": "00003"})
# Files that were handed in, and who is graded, with the roster's id.
CLAIMED: dict[tuple[str, ...], dict[str, str]] = {
    # A file's name cannot be another person.
    (f"Evil Eve_204000{MOODLE}_x_999{MOODLE}_toy.py",): {"Evil Eve (00002)": "00002"},
    # A login is no id of another kind.
    ("toy-00001/toy.py", "toy-eve/toy.py"): {"00001": "", "Evil Eve (00002)": "00002"},
    # A folder is named by an id or a name, and one in it does not hide that.
    ("Jane Doe (999)/toy.py",): {"Jane Doe (00001)": "00001"},
    ("Jane Doe (2)/toy.py",): {"Jane Doe (2)": ""},  # this id is not hers
    ("Evil Eve (00001)/toy.py",): {"Evil Eve (00001)": ""},
    ("Somebody (00001)/toy.py",): {"Somebody (00001)": ""},
    ("Jane Doe/toy/toy.py",): {"Jane Doe": "00001"},
    # A name alone is nobody whom an id claims, and two of one name are not one person of the roster.
    (f"Jane Doe_999{MOODLE}_/toy.py", f"Jane Doe_1000{MOODLE}_/toy.py"): {
        "Jane Doe (00001)": "00001", "Jane Doe (1000)": "",
    },
    (f"Wei Wang_1{MOODLE}_/toy.py", f"Wei Wang_2{MOODLE}_/toy.py"): {"Wei Wang (1)": "", "Wei Wang (2)": ""},
}  # fmt: skip


@pytest.mark.parametrize(("files", "graded"), CLAIMED.items())
def test_nobody_is_taken_for_another_person(
    tmp_path: Path, files: tuple[str, ...], graded: dict[str, str]
) -> None:
    for name in files:
        put(tmp_path / "toy-submissions" / name, SOURCE)
    roster = class_of(JANE, EVE, WEI)
    assert people(tmp_path / "toy-submissions", roster) == graded
    absent = identify(find_hand_ins([tmp_path / "toy-submissions"], "toy"), roster).absent
    assert (WEI in absent) is not any("Wei" in name for name in files)  # it is one of the two


def test_a_platforms_id_is_no_id_of_another_kind_for_another_name() -> None:
    assert JANE_AND_EVE.find(Person("Evil Eve", {"canvas": "999"})) == ([3], True)
    roster = class_of(Person("Jane Doe", {"lms user id": "999"}))
    assert roster.find(Person("Evil Eve", {"moodle": "999"})) == ([], False)
    assert roster.find(Person("Doe, Jane", {"moodle": "999"})) == ([2], False)


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
    found = people(tmp_path, JANE_AND_EVE)
    twice = more.startswith("submission_1")
    assert found.get("submission_1" if twice else "Jane Doe (00001)") == ("" if twice else "00001")
    assert {"00001", ""} >= {found[name] for name in found if "Evil Eve" not in name}
    assert len(found) == 3 + twice  # the list itself, which names nobody then
