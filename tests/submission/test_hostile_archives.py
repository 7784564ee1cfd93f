"""What is wrong with one archive, or too much of it, costs its own submission, and little space and work."""

from __future__ import annotations

import random
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from autograder.errors import Rejected, UsageError
from autograder.submission import archive
from autograder.submission.archive import Place, SizeBudget, open_archive
from autograder.submission.find import find_hand_ins
from autograder.submission.read import read_files
from autograder.submission.unpack import MAX_FILE, Unpacker
from tests.submission.class_downloads import put
from tests.submission.test_find import SOURCE, archive_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from autograder.submission.hand_in import HandIn

pytestmark = pytest.mark.unit

JANE = "Jane Doe_1_assignsubmission_file_/toy.py"
EVE = "Evil Eve_2_assignsubmission_file_/"
WORK = archive_of({"toy.py": SOURCE, "data.csv": random.Random(1).randbytes(1000)})
ZEROS = b"\0" * 5_000_000
TOO_LARGE = "What was handed in has more than 50 MB when unpacked."
TOO_MANY = "What was handed in has more than 2,000 files."


@pytest.fixture
def scratch(tmp_path: Path) -> Path:
    (tmp_path / "scratch").mkdir()
    return tmp_path / "scratch"


def download(folder: Path, files: dict[str, bytes]) -> Path:
    put(folder / "class.zip", archive_of({JANE: SOURCE, **files}))
    return folder / "class.zip"


def hers(path: Path, scratch: Path) -> HandIn:
    """Eve's submission, after a look at Jane's, and at what was written."""
    eve, jane = find_hand_ins([path], "toy", scratch)
    assert (jane.student, jane.problem) == ("Jane Doe", "")
    assert [file.read_bytes() for file in jane.files] == [SOURCE]
    assert (eve.student, eve.person.ids) == ("Evil Eve", {"moodle": "2"})
    unpacked = {*eve.files, *jane.files} if path.is_file() else set(eve.files)
    assert {*written(scratch)} == unpacked
    return eve


def written(folder: Path) -> Iterator[Path]:
    return (path for path in folder.rglob("*") if path.is_file())


@pytest.mark.parametrize("packed", [True, False], ids=["zip", "folder"])
@pytest.mark.parametrize(
    ("cut", "words"),
    [
        (slice(100, 300), "`toy.py` is damaged in its archive"),
        (slice(-200, None), "the `.py` file or the notebook itself."),
        (slice(200), "`toy.py` is damaged in its archive"),
        (slice(-1, None), "the `.py` file or the notebook itself."),
    ],
)
def test_a_damaged_archive_is_its_students_problem(
    tmp_path: Path, scratch: Path, cut: slice, words: str, packed: bool
) -> None:
    path, data = tmp_path / "class", bytearray(WORK)
    del data[cut]
    if packed:
        path = download(tmp_path, {f"{EVE}work.zip": bytes(data)})
    else:
        put(path / JANE, SOURCE)
        put(path / EVE / "work.zip", bytes(data))
    eve = hers(path, scratch)
    assert eve.files == ()
    assert words in eve.problem
    assert str(eve.where).endswith(EVE.rstrip("/"))


def test_a_path_that_no_system_has_is_no_problem(tmp_path: Path, scratch: Path) -> None:
    deep = "/".join(["x" * 200] * 15)
    work = archive_of({f"{deep}/{deep[:500]}/toy.py": b"", f"{deep}/notes.txt": b""})
    assert (
        "is in too many folders" in hers(download(tmp_path, {f"{EVE}w.zip": work}), scratch).problem
    )
    long = download(tmp_path, {f"{EVE}w.zip": archive_of({f"{deep}/toy.py": SOURCE})})
    assert [file.read_bytes() for file in hers(long, scratch).files] == [SOURCE]


@pytest.mark.parametrize("name", ["class.zip", "alice.zip"])
def test_a_damaged_download_is_said_to_be_one(tmp_path: Path, scratch: Path, name: str) -> None:
    put(tmp_path / name, download(tmp_path, {}).read_bytes()[:-30])
    [one] = find_hand_ins([tmp_path / name], "toy", scratch)
    assert one.student == Path(name).stem
    assert one.problem.endswith(
        f"If `{name}` is the download of a class, nobody in it is graded: download it again."
    )


def test_no_space_to_unpack_is_nobodys_problem(tmp_path: Path, scratch: Path) -> None:
    resource = pytest.importorskip("resource")
    path = download(tmp_path, {f"{EVE}toy.py": b"#" * 10_000})
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (5_000, limit[1]))
    try:
        with pytest.raises(UsageError, match=r"No file can be unpacked into .*\. Make space there"):
            find_hand_ins([path], "toy", scratch)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limit)


# Budgets.


def nested(times: int, inner: bytes) -> bytes:
    return archive_of({f"{number}.zip": inner for number in range(times)})


@pytest.mark.large
@pytest.mark.parametrize(
    ("files", "why"),
    [
        ({"w.zip": nested(12, archive_of({"a.py": ZEROS}))}, "It is not clear"),
        ({"w.zip": nested(12, ZEROS)}, TOO_LARGE),
        ({f"{n}.zip": nested(1, archive_of({"x": ZEROS})) for n in range(30)}, "There is no"),
        ({"w.zip": nested(20, archive_of({f"d/{n}.py": b"" for n in range(2000)}))}, TOO_MANY),
        ({f"{n}.zip": archive_of({f"{n}.py": b"" for n in range(1500)}) for n in "ab"}, TOO_MANY),
        ({"w.zip": archive_of({f"../{n}.py": b"" for n in range(3000)})}, TOO_MANY),
        (
            {f"toy ({n}).py": random.Random(n).randbytes(3_000_000) for n in range(4)},
            "has more than 8 MB when unpacked",
        ),
    ],
)
def test_too_much_costs_itself(
    tmp_path: Path, scratch: Path, files: dict[str, bytes], why: str
) -> None:
    eve = hers(download(tmp_path, {f"{EVE}{name}": data for name, data in files.items()}), scratch)
    assert eve.files == ()
    assert why in eve.problem


def test_a_fitting_file_above_a_large_folder_is_enough(tmp_path: Path, scratch: Path) -> None:
    files = {f"{EVE}work/env/{number}.py": b"" for number in range(3000)}
    eve = hers(download(tmp_path, {**files, f"{EVE}work/toy.py": SOURCE}), scratch)
    assert [file.read_bytes() for file in eve.files] == [SOURCE]


def test_a_file_that_is_too_large_takes_no_space(tmp_path: Path, scratch: Path) -> None:
    eve = hers(download(tmp_path, {f"{EVE}toy.py": ZEROS * 3, f"{EVE}toy.ipynb": b"{}"}), scratch)
    assert [file.stat().st_size for file in eve.files] == [MAX_FILE + 1, 2]
    large, right = read_files(eve).contents
    assert "`toy.py` is larger than 5 MB" in str(large)
    assert right == b"{}"
    if sys.platform == "linux":
        assert eve.files[0].stat().st_blocks == 0


def test_an_archives_list_of_files_is_not_read_without_end(tmp_path: Path) -> None:
    path = tmp_path / "x.zip"
    put(path, archive_of({f"{number}": b"" for number in range(8_000)}))
    with Unpacker(tmp_path, "toy") as unpacker, pytest.raises(Rejected, match="more than 2,000"):
        open_archive(unpacker, Place(path), unpacker.budget)


def test_a_budget_counts_what_is_packed_too(tmp_path: Path) -> None:
    data = bytearray(archive_of({"a.zip": WORK}))
    path = tmp_path / "x.zip"
    at = data.rindex(b"PK\x01\x02")
    data[at + 20 : at + 24] = (60 * 1024**2).to_bytes(4, "little")  # the packed size
    put(path, bytes(data))
    with Unpacker(tmp_path, "toy") as unpacker:
        [inner] = open_archive(unpacker, Place(path), SizeBudget()).iterdir()
        with pytest.raises(archive.TooMuch, match="more than 50 MB"):
            open_archive(unpacker, inner, unpacker.budget)
