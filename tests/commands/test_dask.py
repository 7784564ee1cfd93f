"""Grading on a Dask cluster: what is said where there is none. `test_dask_cluster` starts some."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import pytest

from tests.commands.test_grade import CLASS, grade, hand_in
from tests.toy import write_toy

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.unit

DASK: dict[str, Any] = {"engine": "dask", "seed": 1, "no-pages": True}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("project")
    write_toy(folder)
    hand_in(folder / "class", CLASS)
    return folder


def test_without_dask_the_message_says_how_to_install_it(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "autograder.grading.cluster", raising=False)
    monkeypatch.setitem(sys.modules, "distributed", None)
    options = {"out": tmp_path / "out", "scheduler": "tcp://127.0.0.1:9", **DASK}
    ran = grade(project, project / "class", **options)
    assert ran.exit_code == 2
    assert "--engine dask needs the module 'distributed'" in ran.stderr


@pytest.mark.parametrize("options", [{"engine": "dask"}, {"scheduler": "tcp://127.0.0.1:9"}])
def test_engine_and_scheduler_go_together(
    project: Path, tmp_path: Path, options: dict[str, str]
) -> None:
    ran = grade(project, project / "class", out=tmp_path / "out", **options)
    assert (ran.exit_code, ran.stderr) == (
        2,
        "autograder: --engine dask and --scheduler ADDRESS go together.\n",
    )
