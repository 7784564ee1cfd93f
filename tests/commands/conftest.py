"""What several commands of a student are tried in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.commands.released_steps import copied_release

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the release, which is the current folder."""
    folder = copied_release(tmp_path)
    monkeypatch.chdir(folder)
    return folder
