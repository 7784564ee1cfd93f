"""What several commands of a student are tried in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.commands.released_steps import copied_release

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the release, which is the current folder. The user's cache folder is another one."""
    folder = copied_release(tmp_path)
    monkeypatch.setattr("platformdirs.user_cache_path", lambda name: tmp_path / "cache" / name)
    monkeypatch.chdir(folder)
    return folder
