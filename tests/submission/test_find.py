"""Finding submissions in archives and in platforms' downloads. Plain folders are in test_submission.py."""

from __future__ import annotations

import io
import stat
import zipfile
from typing import TYPE_CHECKING, Any

import pytest

from autograder.submission.find import find_hand_ins
from autograder.submission.naming import identify
from autograder.submission.platform_names import read_label
from autograder.submission.roster import read_roster
from autograder.submission.unpack import MAX_FILE
from tests.submission.class_downloads import (
    PLATFORMS,
    Student,
    download,
    moodle,
    put,
    write_roster,
    zipped,
)

if TYPE_CHECKING:
    from pathlib import Path

    from autograder.submission.hand_in import HandIn

pytestmark = pytest.mark.unit

SOURCE = b"def double(x):\n    return 2 * x\n"
CLASS = [
    Student("Zoë", "van der Berg", 1, {"toy.py": SOURCE}),
    Student("Wei", "Wang", 2, {"work (final).ipynb": b"{}"}),
    Student("Wei", "Wang", 3, {"toy.ipynb": b"{}", "notes.pdf": b"%PDF"}, days=1),
    Student("Åse", "O'Brien-Smith", 4, {"one.py": SOURCE, "two.py": SOURCE}),
    Student("Li", "Na", 5, {"report.pdf": b"%PDF"}),
]


def archive_of(files: dict[str, bytes]) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in files.items():
            file.writestr(name, content)
    return data.getvalue()


def found_in(*paths: Path, scratch: Path) -> dict[str, HandIn]:
    scratch.mkdir(exist_ok=True)
    return {one.student: one for one in identify(find_hand_ins(paths, "toy", scratch)).hand_ins}


def names_of_files(one: HandIn) -> list[str]:
    return [path.name for path in one.files]


@pytest.mark.parametrize("packed", [False, True], ids=["folder", "zip"])
@pytest.mark.parametrize("platform", PLATFORMS)
def test_each_platforms_download_is_the_class(tmp_path: Path, platform: str, packed: bool) -> None:
    download(platform, CLASS, tmp_path / "class")
    write_roster([*CLASS, Student("Gone", "Girl", 6)], tmp_path / "roster.csv")
    path = zipped(tmp_path / "class", tmp_path / "class.zip") if packed else tmp_path / "class"
    if platform in ("gradescope", "github") and not packed:
        [path] = path.iterdir()
    (tmp_path / "scratch").mkdir()
    found = find_hand_ins([path], "toy", tmp_path / "scratch")
    done = identify(found, read_roster(tmp_path / "roster.csv"))
    class_ = {one.student: one for one in done.hand_ins}

    form = "{1:05}" if platform == "nbgrader" else "{0} ({1:05})"
    names = {one.number: form.format(one.name, one.number) for one in CLASS}
    files: tuple[list[str], ...] = (["toy.py"], ["work (final).ipynb"], ["toy.ipynb"], [], [])
    assert {name: names_of_files(one) for name, one in class_.items()} == {
        names[number]: files[number - 1] for number in sorted(names, key=lambda one: names[one])
    }
    assert [*class_] == sorted(names.values())
    assert [person.name for person in done.absent] == ["Gone Girl"]
    joined = done.hand_ins
    assert {one.person.email for one in joined} == {student.email for student in CLASS}
    assert {one.person.ids["id"] for one in joined} == {"00001", "00002", "00003", "00004", "00005"}
    if packed:
        assert all(one.where.startswith(str(path)) for one in joined)
        assert class_[names[3]].files[0].is_relative_to(tmp_path / "scratch")


def test_a_name_that_is_anothers_with_the_id_takes_nothing(tmp_path: Path) -> None:
    eve = Student("Wei", "Wang (204003)", 9, {"toy.py": SOURCE})
    moodle([*CLASS, eve], tmp_path / "class")
    found = found_in(tmp_path / "class", scratch=tmp_path)
    assert found["Wei Wang (204003)"].person.ids == {"moodle": "204003"}
    assert found["Wei Wang (204003) (204009)"].files
    assert not any(one.problem for one in found.values() if one.files)


IMITATES = "x_9_assignsubmission_file_a.py"


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("Last First_204000_assignsubmission_file_", ("moodle", "Last First", "204000", "", False)),
        ("Last First_204000_assignsubmission_file", ("moodle", "Last First", "204000", "", False)),
        ("A_B_1_assignsubmission_file_x_1.py", ("moodle", "A B", "1", "x_1.py", False)),
        ("doejane_LATE_12345_67890_toy-12.py", ("canvas", "doejane", "12345", "toy.py", True)),
        ("weiß_1_2_3_4_x.py", ("canvas", "weiß", "1", "3_4_x.py", False)),
        ("Doe_LATE_12_text.html", ("canvas", "Doe", "12", "", True)),
        ("LATE_anon_a1B2c_67890_x.py", ("canvas", "anon", "a1B2c", "x.py", True)),
        ("anon_LATE_a1B2c_67890_x.py", ("canvas", "anon", "a1B2c", "x.py", True)),
        ("Default group_assignsubmission_file", ("moodle", "Default group", "", "", False)),
        # What a student chose imitates a platform's part behind the real one.
        (f"Default group_assignsubmission_file_{IMITATES}", ("moodle", "Default group", "", IMITATES, False)),
        (f"Eve_7_assignsubmission_file_{IMITATES}", ("moodle", "Eve", "7", IMITATES, False)),
        (f"eve_7_8_{IMITATES}", ("canvas", "eve", "7", IMITATES, False)),
        ("Eve_7_assignsubmission_file_1_2_a.py", ("moodle", "Eve", "7", "1_2_a.py", False)),
        ("eve_7_8_x_LATE_1_2_a.py", ("canvas", "eve", "7", "x_LATE_1_2_a.py", False)),
    ],
)  # fmt: skip
def test_a_label_tells_name_id_and_file(name: str, label: tuple[str, str, str, str, bool]) -> None:
    found = read_label(name)
    assert found is not None
    assert (found.platform, found.name, found.id, found.file, found.late) == label


@pytest.mark.parametrize("name", ["alice_2.py", "toy_v1_final.py", "submission_12", "_1_2_.py"])
def test_other_names_are_no_labels(name: str) -> None:
    assert read_label(name) is None


def test_the_latest_upload_counts(tmp_path: Path) -> None:
    for number, name in enumerate(("toy.py", "toy-1.py", "toy-10.py", "toy-9.py")):
        put(tmp_path / "class" / f"doejane_5_{100 + number}_{name}", name.encode())
    [one] = found_in(tmp_path / "class", scratch=tmp_path / "scratch").values()
    assert (one.student, one.late) == ("doejane (5)", False)
    assert [path.read_text() for path in one.files] == ["toy-10.py"]
    assert names_of_files(one) == ["toy.py"]


def test_an_online_text_is_rejected_and_said(tmp_path: Path) -> None:
    put(tmp_path / "class" / "A B_1_assignsubmission_onlinetext_" / "onlinetext.html", b"<p>")
    put(tmp_path / "class" / "doejane_12_text.html", b"<p>")
    put(tmp_path / "class" / "C D_2_assignsubmission_onlinetext_" / "onlinetext.html", b"<p>")
    put(tmp_path / "class" / "C D_2_assignsubmission_file_" / "toy.py", SOURCE)
    found = found_in(tmp_path / "class", scratch=tmp_path)
    assert names_of_files(found.pop("C D (2)")) == ["toy.py"]
    assert [*found] == ["A B (1)", "doejane (12)"]
    for one in found.values():
        assert one.problem.startswith("This submission is a text that was typed on the platform.")


def test_a_group_of_gradescope_has_a_submission_for_each_member(tmp_path: Path) -> None:
    text = (
        "submission_1:\n  :submitters:\n"
        '  - :name: Jane Doe\n    :sid: "0017"\n    :email: j@x.org\n'
        '  - :name: "O\'Brien: X"\n    :sid:\n    :email: o@x.org\n'
        "  :score: 3.0\n  :created_at: 2026-05-01 10:00:00 Z\n"
    )
    put(tmp_path / "submission_metadata.yml", text.encode())
    put(tmp_path / "submission_1" / "toy.py", SOURCE)
    put(tmp_path / "submission_2" / "toy.py", SOURCE)
    found = found_in(tmp_path, scratch=tmp_path)
    assert [*found] == ["Jane Doe (0017)", "O'Brien: X", "submission_2"]
    assert found["Jane Doe (0017)"].person.ids == {"gradescope": "0017"}
    assert found["O'Brien: X"].person.email == "o@x.org"
    assert found["Jane Doe (0017)"].files == found["O'Brien: X"].files
    assert found["O'Brien: X"].same_as == "Jane Doe (0017)"
    assert found["O'Brien: X"].handed_in == "2026-05-01 10:00:00 Z"


# Files that lie in a folder (in archives, where a part ends in .zip), and whose files are found. Without any file: -.
LAID_OUT = {
    # A file of the right name beside other hand-ins is one more; what belongs to one hand-in is not.
    "toy.py, ann/toy.py, ben/hw.py, cas/": "ann: toy.py, ben: hw.py, cas: -, toy: toy.py",
    "toy/toy.py, ann/toy.py": "ann: toy.py, toy: toy.py",
    "toy.ipynb/toy.ipynb, ann/toy (1).py": "ann: toy (1).py, toy: toy.ipynb",
    "toy.py/, ann/toy.py, ben/toy.py": "ann: toy.py, ben: toy.py, toy: -",
    "toy.py, ann.zip/toy.py, ben.zip/week/toy.py": "ann: toy.py, ben: toy.py, toy: toy.py",
    "toy.py, doejane_5_7_hw.py": "doejane (5): hw.py, toy: toy.py",
    "toy.py, toy.ipynb, ann/toy.py": "ann: toy.py, toy-1: toy.ipynb, toy-2: toy.py",
    "toy.py, toy (1).py, toy (1)/toy.py, toy.zip/toy.py, toy/toy.py, test_toy.py": "work: toy (1).py toy.py",
    "toy.py, toy_helpers.py, src/helpers.py, data.zip/data.csv, toy-old/toy.py": "work: toy.py",
    "toy/toy.py, numpy/numpy.py, other/other.ipynb": "work: toy.py",
    # The only source of a child may have any name.
    "ann/My Work.ipynb, ann/plot.png, ann/test_toy.py, ben/toy/homework.py": "ann: My Work.ipynb, ben: homework.py",
    "ann/a.py, ann/b.ipynb, ben/a.py, ben/unknown, cas/toy.py": "ann: -, ben: -, cas: toy.py",
    # A checkout is named after its user.
    "toy-jane-doe/toy/toy.py, toy-jane-roe/toy/toy.py": "jane-doe: toy.py, jane-roe: toy.py",
    "cs-1-toy-jane/toy/toy.py, cs-1-toy-wei-w/toy/toy.py": "jane: toy.py, wei-w: toy.py",  # of Classroom 50
    "toy-jane-doe/toy/toy.py, other/toy.py": "other: toy.py, toy-jane-doe: toy.py",
    # Canvas's test student is no student.
    "doejane_5_7_toy.py, studenttest_9_8_toy.py, studenttest_LATE_9_9_x.py": "doejane (5): toy.py",
    # Folders and archives are searched alike: the outermost file of the right name, a copy, any source.
    "ann/a/b/toy.py, ben.zip/a/b/toy.py": "ann: toy.py, ben: toy.py",
    "ann/hw.py, ann/old/x/hw 2.py, ben.zip/hw.py, ben.zip/old/x/hw 2.py": "ann: hw.py, ben: hw.py",
    "ann/a.py, ann/src/toy (1).py, ben.zip/a.py, ben.zip/src/toy (1).py": "ann: toy (1).py, ben: toy (1).py",
    "ann/toy/toy.py, ann/old/toy.py, ben.zip/toy/toy.py, ben.zip/old/toy.py": "ann: toy.py, ben: toy.py",
    "ann/x/toy.py, ann/y/toy.py, ben.zip/x/toy.py, ben.zip/y/toy.py": "ann: -, ben: -",
    "cas/test_toy.py, cas/src/my.py": "cas: my.py",
    "ann/toy/toy/toy.py, ben/toy/toy.py": "ann: toy.py, ben: toy.py",
    # A student's archive is opened, and one in it.
    "ann/work.zip/mine/toy.py, ann/work.zip/__MACOSX/._toy.py, ann/work.zip/.DS_Store": "ann: toy.py",
    "ann.zip/a/b/anything.ipynb, ben/toy/work.zip/toy.py": "ann: anything.ipynb, ben: toy.py",
    "ann/Work.zip/inner.zip/mine/toy.py, cas/toy.py": "ann: toy.py, cas: toy.py",
    "D E_1_assignsubmission_file_/x.zip/toy.py, ann/toy.py": "D E (1): toy.py, ann: toy.py",
}  # fmt: skip


def lay_out(place: Path, files: dict[str, bytes]) -> None:
    """Write files, packed where a part of the path ends in .zip."""
    archives: dict[str, dict[str, bytes]] = {}
    for name, data in files.items():
        outer, packed, inner = name.rpartition(".zip/")
        if packed:
            archives.setdefault(f"{outer}.zip", {})[inner] = data
        elif name.endswith("/"):
            (place / name).mkdir(parents=True)
        else:
            put(place / name, data)
    if archives:
        lay_out(place, {name: archive_of(content) for name, content in archives.items()})


@pytest.mark.parametrize(("files", "wanted"), LAID_OUT.items())
def test_what_lies_in_a_folder(tmp_path: Path, files: str, wanted: str) -> None:
    lay_out(tmp_path / "work", dict.fromkeys(files.split(", "), SOURCE))
    found = found_in(tmp_path / "work", scratch=tmp_path / "scratch")
    shown = {name: " ".join(sorted(names_of_files(one))) or "-" for name, one in found.items()}
    assert ", ".join(f"{name}: {files}" for name, files in shown.items()) == wanted
    assert all(one.files or one.problem or name in "ann ben cas" for name, one in found.items())


def test_in_a_students_folder_its_own_file_counts_and_nested_ones_are_named(tmp_path: Path) -> None:
    files = (
        "ann/toy.py",
        "ann/ben/toy.py",
        "ann/toy/toy.py",
        "cas/dan/toy.py",
        "cas/toy/",
        "eve/x/toy.py",
    )
    for name in (*files, "cas/eve/toy.py"):
        put(tmp_path / name / "x" if name.endswith("/") else tmp_path / name, SOURCE)
    found = found_in(tmp_path, scratch=tmp_path)
    assert found["ann"].files == (tmp_path / "ann" / "toy.py",)
    assert {name: one.nested for name, one in found.items()} == {
        "ann": ("ann/ben",),
        "cas": ("cas/dan", "cas/eve"),
        "eve": (),
    }


STEP = b"def double(x):\n    return 2 * x\n"
CELL = b'{"cells": [{"cell_type": "code", "source": ["import x\\n", "def double(x):\\n"]}]}'


@pytest.mark.parametrize(
    ("files", "students"),
    [
        ({"ann.py": STEP, "ben.ipynb": CELL}, "ann, ben, toy"),
        ({"ann.py": STEP, "ben.ipynb": CELL, "cas.txt": b"", "toy (1).py": STEP}, None),
        ({"ann.py": STEP, "helpers.py": b"def helper():\n    double(1)\n"}, "work"),
        ({"toy (1).py": STEP, "toy_old.py": STEP, "toy.ipynb": CELL}, "work"),
        ({"test_toy.py": b"def test_double(): ...", "plot.py": b"class Double: ..."}, "work"),
    ],
)
@pytest.mark.parametrize("packed", [False, True])
def test_files_of_several_students_beside_each_other_are_a_class(
    tmp_path: Path, files: dict[str, bytes], students: str | None, packed: bool
) -> None:
    path = tmp_path / "work"
    place = "work.zip" if packed else "work"
    lay_out(tmp_path, {f"{place}/{name}": data for name, data in {"toy.py": STEP, **files}.items()})
    options: dict[str, Any] = {"steps": ["double", "shift"]}
    found = find_hand_ins([tmp_path / place], "toy", tmp_path, **options)
    named = sorted(one.student for one in found)
    assert named == (
        ["ann", "ben", "cas", "toy", "toy (1)"] if students is None else students.split(", ")
    )
    (one,) = find_hand_ins([tmp_path / place], "toy", tmp_path, is_one=True, **options)
    assert (one.student, one.path, one.files[0].name) == ("work", path.with_name(place), "toy.py")


def test_many_files_beside_or_below_the_work_do_not_matter(tmp_path: Path) -> None:
    """More than may be looked at: beside Ann's file, below Ben's, and nothing but such files of Cas."""
    for student, file, folder in (
        ("ann", "toy.py", ""),
        ("ben", "hw.py", "data"),
        ("cas", "", "a"),
    ):
        place = tmp_path / "class" / student / folder
        place.mkdir(parents=True)
        for number in range(2_100):
            (place / f"{number}.txt").touch()
        if file:
            put(tmp_path / "class" / student / file, SOURCE)
    found = found_in(tmp_path / "class", scratch=tmp_path)
    assert [names_of_files(found[name]) for name in ("ann", "ben", "cas")] == [
        ["toy.py"],
        ["hw.py"],
        [],
    ]
    assert "has more than 2,000 files" in found["cas"].problem


# Archives.


def test_an_archive_given_alone_is_one_submission_or_a_class(tmp_path: Path) -> None:
    put(tmp_path / "alice.zip", archive_of({"toy.py": SOURCE, "data.csv": b"1"}))
    names = ("week/bob/toy.py", "week/carol.py", "week/toy.py")
    put(tmp_path / "class.zip", archive_of(dict.fromkeys(names, SOURCE)))
    found = found_in(tmp_path / "alice.zip", tmp_path / "class.zip", scratch=tmp_path / "scratch")
    assert [*found] == ["alice", "bob", "carol", "toy"]
    assert found["bob"].where == f"{tmp_path / 'class.zip'}/week/bob"


def link_in_archive(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    return info


def hostile(tmp_path: Path) -> Path:
    """A download in which some students are dangerous."""
    path = tmp_path / "class.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("Good One_1_assignsubmission_file_/toy.py", SOURCE)
        file.writestr("Bo Mb_2_assignsubmission_file_/toy.py", b"\0" * 60_000_000)
        file.writestr("Out Side_3_assignsubmission_file_/../../../evil.py", SOURCE)
        file.writestr(link_in_archive("Li Nk_4_assignsubmission_file_/toy.py"), "/etc/passwd")
        file.writestr("Lo Ng_8_assignsubmission_file_/" + "x" * 300 + ".py", SOURCE)
        file.writestr("/etc/cron.d/evil.py", SOURCE)
        file.writestr("C:\\evil.py", SOURCE)
        file.writestr("Back Slash_9_assignsubmission_file_\\toy.py", SOURCE)
    return path


@pytest.mark.large
def test_a_dangerous_entry_costs_its_own_submission(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    path = hostile(tmp_path / "in")
    found = found_in(path, scratch=tmp_path / "scratch")

    good = {name for name, one in found.items() if one.files and not one.problem}
    assert good == {"Good One (1)", "Back Slash (9)", "Bo Mb (2)"}
    assert found["Bo Mb (2)"].files[0].stat().st_size == MAX_FILE + 1  # which the reader refuses
    words = {name: one.problem for name, one in found.items() if one.problem}
    assert "leads out of its archive" in words.pop("Out Side (3)")
    assert "is a link" in words.pop("Li Nk (4)")
    assert "has a name that is too long" in words.pop("Lo Ng (8)")
    assert all("leads out of its archive" in one for one in words.values())
    evil = tmp_path.rglob("*evil*")
    assert [one for one in evil if not one.is_relative_to(tmp_path / "scratch")] == []
    assert not any(one.is_symlink() for one in (tmp_path / "scratch").rglob("*"))
    unpacked = {one for one in (tmp_path / "scratch").rglob("*") if one.is_file()}
    assert unpacked == {path for one in found.values() for path in one.files}


def test_a_password_is_said(tmp_path: Path) -> None:
    data = bytearray(archive_of({"toy.py": SOURCE}))
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(signature) + offset] |= 1
    put(tmp_path / "class" / "alice" / "work.zip", bytes(data))
    [one] = found_in(tmp_path / "class", scratch=tmp_path / "scratch").values()
    assert "is protected by a password" in one.problem


def test_names_of_programs_that_do_not_say_utf8_are_read(tmp_path: Path) -> None:
    data = bytearray(archive_of({"Zoë_1_assignsubmission_file_/toy.py": SOURCE}))
    for signature, offset in ((b"PK\x03\x04", 7), (b"PK\x01\x02", 9)):
        data[data.index(signature) + offset] &= ~0x08
    put(tmp_path / "class.zip", bytes(data))
    assert [*found_in(tmp_path / "class.zip", scratch=tmp_path / "scratch")] == ["Zoë (1)"]


def test_a_link_to_an_archive_is_not_followed(tmp_path: Path) -> None:
    put(tmp_path / "secret.zip", archive_of({"toy.py": SOURCE}))
    (tmp_path / "class" / "alice").mkdir(parents=True)
    for place in ("alice/work.zip", "bob.zip"):
        (tmp_path / "class" / place).symlink_to(tmp_path / "secret.zip")
    found = found_in(tmp_path / "class", scratch=tmp_path / "scratch")
    assert {name: one.files for name, one in found.items()} == {"alice": (), "bob": ()}
