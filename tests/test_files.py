"""Writing whole files, and reading those of others."""

from __future__ import annotations

import errno
import os
import pathlib
from typing import TYPE_CHECKING
from unittest.mock import Mock

import pytest

from autograder.files import read_regular, write_whole

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.unit
def test_a_file_that_cannot_be_written_leaves_all_as_they_were(tmp_path: Path) -> None:
    first = tmp_path / "first"
    write_whole(first, b"old")
    with pytest.raises(FileExistsError, match="first"):  # a file, and no folder
        write_whole(first / "third", b"new")
    assert first.read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["first"]


def test_a_file_is_written_with_its_folders(tmp_path: Path) -> None:
    write_whole(tmp_path / "a" / "b" / "file", b"new")
    assert [path.name for path in (tmp_path / "a" / "b").iterdir()] == ["file"]


@pytest.mark.unit
def test_an_interrupt_before_the_end_leaves_the_file_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "file"
    write_whole(path, b"old")
    monkeypatch.setattr(pathlib.Path, "replace", Mock(side_effect=KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        write_whole(path, b"new")
    assert path.read_bytes() == b"old"
    assert [*tmp_path.iterdir()] == [path]


@pytest.mark.unit
def test_the_same_content_leaves_a_file_untouched(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_whole(path, b"old")
    before = path.stat()
    write_whole(path, b"old")
    assert (path.stat().st_ino, path.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    write_whole(path, b"new")
    assert path.read_bytes() == b"new"
    assert [*tmp_path.iterdir()] == [path]


@pytest.mark.unit
def test_a_file_above_the_limit_is_refused_and_never_cut(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"1234")
    assert read_regular(path, 4) == b"1234"
    with pytest.raises(OSError, match="more than 3 bytes") as error:
        read_regular(path, 3)
    assert error.value.errno == errno.EFBIG


@pytest.mark.skipif(os.name != "posix", reason="this system has no such rights")
def test_a_secret_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    for secret in (True, False):
        write_whole(tmp_path / str(secret), b"x", secret=secret)
    modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()}
    assert modes["True"] == 0o600
    assert modes["False"] & 0o600 == 0o600
