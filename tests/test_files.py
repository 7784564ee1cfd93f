"""Writing whole files, and what a killed process leaves."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from autograder.files import (
    NewFile,
    appended,
    read_regular,
    remove_leftovers,
    write_beside,
    write_parts,
    write_together,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

KILLED = """\
import os, pathlib, sys
from autograder.files import write_together
os.replace = lambda *_: os._exit(9)
write_together({pathlib.Path(sys.argv[1]): b"new", pathlib.Path(sys.argv[2]): b"new"})
"""


def test_what_a_killed_process_began_is_removed_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "alice").mkdir()
    files = [tmp_path / "alice" / "results.json", tmp_path / "grades.csv"]
    write_together(dict.fromkeys(files, b"old"))
    done = subprocess.run([sys.executable, "-c", KILLED, *map(str, files)], check=False)
    assert done.returncode == 9
    own = tmp_path / f".{os.getpid()}-{'0' * 16}.part"
    others = [own, tmp_path / ".my.part", tmp_path / "notes.part"]
    for path in others:
        path.touch()
    assert len([*tmp_path.rglob(".*.part")]) == 4

    remove_leftovers(tmp_path)

    assert sorted(tmp_path.rglob("*.part")) == sorted(others)
    assert [path.read_bytes() for path in files] == [b"old", b"old"]


@pytest.mark.unit
def test_a_file_that_cannot_be_written_leaves_all_as_they_were(tmp_path: Path) -> None:
    first = tmp_path / "first"
    write_together({first: b"old"})
    with pytest.raises(FileNotFoundError):
        write_together({first: b"new", tmp_path / "missing" / "second": b"new"})
    assert first.read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["first"]


@pytest.mark.unit
def test_parts_make_a_whole_file_or_none(tmp_path: Path) -> None:
    def broken() -> Iterator[bytes]:
        yield b"new"
        raise KeyboardInterrupt

    path = tmp_path / "file"
    write_parts(path, [b"o", b"ld"])
    with pytest.raises(KeyboardInterrupt):
        write_parts(path, broken())
    assert path.read_bytes() == b"old"
    assert [*tmp_path.iterdir()] == [path]


@pytest.mark.unit
def test_the_same_parts_leave_a_file_untouched(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_parts(path, [b"old"])
    before = path.stat()
    write_parts(path, [b"o", b"ld"])
    assert (path.stat().st_ino, path.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    write_parts(path, [b"new"])
    assert path.read_bytes() == b"new"
    assert [*tmp_path.iterdir()] == [path]


@pytest.mark.unit
def test_content_beside_a_file_takes_its_place_later(tmp_path: Path) -> None:
    path = tmp_path / "alice" / "results.json"
    write_together({path: write_beside(path, b"old", 1)})
    new = write_beside(path, b"new", 1)
    assert path.read_bytes() == b"old"
    write_together({path: new})
    assert path.read_bytes() == b"new"
    assert write_beside(path, b"new", 1) == NewFile(new.sha256)
    assert [*path.parent.iterdir()] == [path]


@pytest.mark.unit
def test_what_a_killed_process_wrote_beside_a_file_is_replaced_or_removed(tmp_path: Path) -> None:
    path, owner = tmp_path / "alice" / "results.json", 2**22 + 1  # no process has this number
    write_beside(path, b"of the one that was killed", owner)
    new = write_beside(path, b"new", owner)
    assert [one.read_bytes() for one in path.parent.iterdir()] == [b"new"]
    remove_leftovers(tmp_path)
    assert [*path.parent.iterdir()] == []
    with pytest.raises(FileNotFoundError):
        write_together({path: new})
    assert not path.exists()


@pytest.mark.unit
def test_what_cannot_be_written_beside_a_file_comes_back(tmp_path: Path) -> None:
    path = tmp_path / "missing" / "alice" / "results.json"
    assert write_beside(path, b"new", 1) == NewFile.of(b"new")
    assert [*tmp_path.iterdir()] == []


@pytest.mark.unit
def test_what_fails_after_a_line_takes_it_back(tmp_path: Path) -> None:
    path = tmp_path / "file"
    with appended(path, b"one\n"):
        assert path.read_bytes() == b"one\n"
    with pytest.raises(KeyboardInterrupt), appended(path, b"two\n"):
        raise KeyboardInterrupt
    assert path.read_bytes() == b"one\n"


@pytest.mark.unit
def test_a_file_above_the_limit_is_refused_and_never_cut(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"1234")
    assert read_regular(path, 4) == b"1234"
    with pytest.raises(OSError, match="more than 3 bytes") as error:
        read_regular(path, 3)
    assert error.value.errno == errno.EFBIG
