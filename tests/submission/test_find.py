"""Finding submissions in archives and in platforms' downloads. Plain folders are in test_submission.py."""

from __future__ import annotations

import io
import stat
import zipfile
from typing import TYPE_CHECKING

import pytest

from autograder.submission.find import find_hand_ins
from autograder.submission.naming import identify
from autograder.submission.platform_names import read_label, without_count
from autograder.submission.roster import read_roster
from autograder.submission.unpack import MAX_FILE
from tests.submission.class_downloads import PLATFORMS, Student, put, write_roster, zipped

if TYPE_CHECKING:
    from pathlib import Path

    from autograder.submission.hand_in import HandIn

pytestmark = pytest.mark.unit

SOURCE = b"def double(x):\n    return 2 * x\n"
CLASS = [
    Student("Zoë", "van der Berg", 1, {"toy.py": SOURCE}),
    Student("Wei", "Wang", 2, {"work (final).ipynb": b"{}"}),
    Student("Wei", "Wang", 3, {"toy.ipynb": b"{}", "notes.pdf": b"%PDF"}, late=True),
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
def test_each_platforms_download_gives_the_same_class_with_a_roster(
    tmp_path: Path, platform: str, packed: bool
) -> None:
    PLATFORMS[platform](CLASS, tmp_path / "class")
    write_roster([*CLASS, Student("Gone", "Girl", 6)], tmp_path / "roster.csv")
    path = zipped(tmp_path / "class", tmp_path / "class.zip") if packed else tmp_path / "class"
    if platform in ("gradescope", "github") and not packed:
        [path] = path.iterdir()
    (tmp_path / "scratch").mkdir()
    found = find_hand_ins([path], "toy", tmp_path / "scratch")
    done = identify(found, read_roster(tmp_path / "roster.csv"))
    class_ = {one.student: one for one in done.hand_ins}

    names = {
        student.number: f"{student.number:05}"
        if platform == "nbgrader"
        else f"{student.name} ({student.number:05})"
        for student in CLASS
    }
    one, two = names[2], names[3]
    assert [*class_] == sorted(names.values())
    assert names_of_files(class_[names[1]]) == ["toy.py"]
    assert names_of_files(class_[one]) == ["work (final).ipynb"]
    assert names_of_files(class_[two]) == ["toy.ipynb"]
    for number in (4, 5):
        assert not class_[names[number]].files
    assert [person.name for person in done.absent] == ["Gone Girl"]
    joined = done.hand_ins
    assert {one.person.email for one in joined} == {student.email for student in CLASS}
    assert {one.person.ids["id"] for one in joined} == {"00001", "00002", "00003", "00004", "00005"}
    if packed:
        assert all(one.where.startswith(str(path)) for one in joined)
        assert class_[two].files[0].is_relative_to(tmp_path / "scratch")


def test_a_name_that_is_anothers_with_the_id_takes_nothing(tmp_path: Path) -> None:
    eve = Student("Wei", "Wang (204003)", 9, {"toy.py": SOURCE})
    PLATFORMS["moodle"]([*CLASS, eve], tmp_path / "class")
    found = found_in(tmp_path / "class", scratch=tmp_path)
    assert found["Wei Wang (204003)"].person.ids == {"moodle": "204003"}
    assert found["Wei Wang (204003) (204009)"].files
    assert not any(one.problem for one in found.values() if one.files)


def test_equal_names_of_one_id_are_nobodys(tmp_path: Path) -> None:
    for download in ("monday", "tuesday"):
        PLATFORMS["moodle"](CLASS[:1], tmp_path / download)
    found = found_in(tmp_path / "monday", tmp_path / "tuesday", scratch=tmp_path)
    assert all("2 submissions have the same name" in one.problem for one in found.values())
    assert len(found) == 2


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
        (
            "Default group_assignsubmission_file_x_9_assignsubmission_file_a.py",
            ("moodle", "Default group", "", "x_9_assignsubmission_file_a.py", False),
        ),
        # What a student chose imitates a platform's part behind the real one.
        (
            "Eve_7_assignsubmission_file_x_9_assignsubmission_file_a.py",
            ("moodle", "Eve", "7", "x_9_assignsubmission_file_a.py", False),
        ),
        (
            "eve_7_8_Doe_9_assignsubmission_file_a.py",
            ("canvas", "eve", "7", "Doe_9_assignsubmission_file_a.py", False),
        ),
        ("Eve_7_assignsubmission_file_1_2_a.py", ("moodle", "Eve", "7", "1_2_a.py", False)),
        ("eve_7_8_x_LATE_1_2_a.py", ("canvas", "eve", "7", "x_LATE_1_2_a.py", False)),
    ],
)
def test_a_label_tells_name_id_and_file(name: str, label: tuple[str, str, str, str, bool]) -> None:
    found = read_label(name)
    assert found is not None
    assert (found.platform, found.name, found.id, found.file, found.late) == label


@pytest.mark.parametrize("name", ["alice_2.py", "toy_v1_final.py", "submission_12", "_1_2_.py"])
def test_other_names_are_no_labels(name: str) -> None:
    assert read_label(name) is None


def test_a_count_stands_before_the_ending() -> None:
    assert without_count("toy-2.py") == ("toy.py", 2)
    assert without_count("a-1-2.tar.gz") == ("a-1-2.tar.gz", 0)
    assert without_count("toy.py") == ("toy.py", 0)
    assert without_count("toy-3") == ("toy", 3)


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


def test_a_checkout_is_named_after_its_user(tmp_path: Path) -> None:
    for name in ("toy-jane-doe", "toy-jane-roe"):
        put(tmp_path / "class" / name / "toy" / "toy.py", SOURCE)
    assert [*found_in(tmp_path / "class", scratch=tmp_path)] == ["jane-doe", "jane-roe"]
    put(tmp_path / "class" / "other" / "toy.py", SOURCE)
    assert "toy-jane-doe" in found_in(tmp_path / "class", scratch=tmp_path)


# One file of any name.


def test_the_only_source_of_a_child_may_have_any_name(tmp_path: Path) -> None:
    put(tmp_path / "alice" / "My Work.ipynb", b"{}")
    put(tmp_path / "alice" / "plot.png", b"")
    put(tmp_path / "alice" / "test_toy.py", b"")
    put(tmp_path / "bob" / "toy" / "homework.py", SOURCE)
    put(tmp_path / "carol" / "a.py", SOURCE)
    put(tmp_path / "carol" / "b.ipynb", b"{}")
    put(tmp_path / "dave" / "a.py", SOURCE)
    put(tmp_path / "dave" / "unknown", SOURCE)
    found = {one.student: names_of_files(one) for one in find_hand_ins([tmp_path], "toy")}
    assert found == {"alice": ["My Work.ipynb"], "bob": ["homework.py"], "carol": [], "dave": []}


# One submission, or a class.


@pytest.mark.parametrize(
    ("files", "students"),
    [
        ("toy.py, ann/toy.py, ben/hw.py, cas/", "ann, ben, cas, toy"),
        ("toy/toy.py, ann/toy.py", "ann, toy"),
        ("toy.ipynb/toy.ipynb, ann/toy (1).py", "ann, toy"),
        ("toy.py/, ann/toy.py, ben/toy.py", "ann, ben, toy"),
        ("toy.py, ann.zip/toy.py, ben.zip/week/toy.py", "ann, ben, toy"),
        ("toy.py, doejane_5_7_hw.py", "doejane (5), toy"),
        ("class.zip/week/toy.py, class.zip/week/ann/toy.py", "ann, toy"),
        ("toy.py, toy.ipynb, ann/toy.py", "ann, toy-1, toy-2"),
        ("toy.py, toy (1).py, toy (1)/toy.py, toy.zip/toy.py, toy/toy.py, test_toy.py", "work"),
        ("toy.py, src/helpers.py, data.zip/data.csv, toy-old/toy.py", "work"),
        ("toy/toy.py, numpy/numpy.py, other/other.ipynb", "work"),
    ],
)
def test_a_file_of_the_right_name_beside_other_hand_ins_is_one_more(
    tmp_path: Path, files: str, students: str
) -> None:
    place, archives = tmp_path / "work", dict[str, dict[str, bytes]]()
    for name in files.split(", "):
        outer, packed, inner = name.partition(".zip/")
        if packed:
            archives.setdefault(f"{outer}.zip", {})[inner] = SOURCE
        elif name.endswith("/"):
            (place / name).mkdir(parents=True)
        else:
            put(place / name, SOURCE)
    for name, content in archives.items():
        put(place / name, archive_of(content))
    path = place / "class.zip" if "class.zip" in archives else place
    found = found_in(path, scratch=tmp_path / "scratch")
    assert ", ".join(found) == students
    assert all(one.files or one.problem for one in found.values())


def test_in_a_students_folder_its_own_file_counts_and_nested_ones_are_named(tmp_path: Path) -> None:
    for name in ("ann/toy.py", "ann/ben/toy.py", "ann/toy/toy.py", "cas/dan/toy.py", "cas/toy/"):
        put(tmp_path / name / "x" if name.endswith("/") else tmp_path / name, SOURCE)
    found = found_in(tmp_path, scratch=tmp_path)
    assert found["ann"].files == (tmp_path / "ann" / "toy.py",)
    assert {name: one.nested for name, one in found.items()} == {
        "ann": ("ann/ben",),
        "cas": ("cas/dan",),
    }


def test_canvas_test_student_is_no_student(tmp_path: Path) -> None:
    for name in ("doejane_5_7_toy.py", "studenttest_9_8_toy.py", "studenttest_LATE_9_9_x.py"):
        put(tmp_path / name, SOURCE)
    assert [*found_in(tmp_path, scratch=tmp_path)] == ["doejane (5)"]


# Archives of students.


def test_a_students_archive_is_opened(tmp_path: Path) -> None:
    work = archive_of({"work/toy.py": SOURCE, "__MACOSX/._toy.py": b"\0", ".DS_Store": b""})
    put(tmp_path / "class" / "alice" / "work.zip", work)
    put(tmp_path / "class" / "bob.zip", archive_of({"a/b/anything.ipynb": b"{}"}))
    put(tmp_path / "class" / "carol" / "Work.ZIP", archive_of({"inner.zip": work}))
    put(tmp_path / "class" / "dan" / "toy" / "work.zip", work)
    put(tmp_path / "class" / "D E_1_assignsubmission_file_" / "x.zip", work)
    found = found_in(tmp_path / "class", scratch=tmp_path / "scratch")
    files = {name: names_of_files(one) for name, one in found.items()}
    assert files == {
        "D E (1)": ["toy.py"],
        "alice": ["toy.py"],
        "bob": ["anything.ipynb"],
        "carol": ["toy.py"],
        "dan": ["toy.py"],
    }


def test_an_archive_given_alone_is_one_submission_or_a_class(tmp_path: Path) -> None:
    put(tmp_path / "alice.zip", archive_of({"toy.py": SOURCE, "data.csv": b"1"}))
    put(tmp_path / "class.zip", archive_of({"week/bob/toy.py": SOURCE, "week/carol.py": SOURCE}))
    found = found_in(tmp_path / "alice.zip", tmp_path / "class.zip", scratch=tmp_path / "scratch")
    assert [*found] == ["alice", "bob", "carol"]
    assert found["bob"].where == f"{tmp_path / 'class.zip'}/week/bob"


def link_in_archive(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    return info


def hostile(tmp_path: Path) -> Path:
    """A download in which five students are dangerous, and one is not."""
    path = tmp_path / "class.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("Good One_1_assignsubmission_file_/toy.py", SOURCE)
        file.writestr("Bo Mb_2_assignsubmission_file_/toy.py", b"\0" * 60_000_000)
        file.writestr("Out Side_3_assignsubmission_file_/../../../evil.py", SOURCE)
        file.writestr(link_in_archive("Li Nk_4_assignsubmission_file_/toy.py"), "/etc/passwd")
        many = archive_of({f"{number}.py": b"" for number in range(3000)})
        file.writestr("Ma Ny_5_assignsubmission_file_/x.zip", many)
        bomb = archive_of({f"toy{number}.py": b"\0" * 5_000_000 for number in range(40)})
        file.writestr("Ne Sted_6_assignsubmission_file_/x.zip", bomb)
        file.writestr("De Ep_7_assignsubmission_file_/" + "d/" * 40 + "toy.py", SOURCE)
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
    assert "has more than 2,000 files" in words.pop("Ma Ny (5)")
    assert "has more than 8 MB when unpacked" in words.pop("Ne Sted (6)")
    assert "is in too many folders" in words.pop("De Ep (7)")
    assert "has a name that is too long" in words.pop("Lo Ng (8)")
    assert all("leads out of its archive" in one for one in words.values())
    outside = [
        one for one in tmp_path.rglob("*evil*") if not one.is_relative_to(tmp_path / "scratch")
    ]
    assert outside == []
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


def test_without_a_place_to_unpack_an_archive_is_no_file(tmp_path: Path) -> None:
    put(tmp_path / "alice.zip", archive_of({"toy.py": SOURCE}))
    [one] = find_hand_ins([tmp_path], "toy")
    assert (one.student, one.files) == ("alice", ())


def test_a_link_to_an_archive_is_not_followed(tmp_path: Path) -> None:
    put(tmp_path / "secret.zip", archive_of({"toy.py": SOURCE}))
    (tmp_path / "class" / "alice").mkdir(parents=True)
    for place in ("alice/work.zip", "bob.zip"):
        (tmp_path / "class" / place).symlink_to(tmp_path / "secret.zip")
    found = found_in(tmp_path / "class", scratch=tmp_path / "scratch")
    assert {name: one.files for name, one in found.items()} == {"alice": (), "bob": ()}
