"""Eight submissions at once on two cores get what each gets alone."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import pytest

from tests.exams import ASSIGNMENTS
from tests.forking import client
from tests.truth.graded import text_of
from tests.truth.stored import SAMPLE, kept_of_json, rows_in, stored_of
from tests.truth.variant import Variant

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", ASSIGNMENTS)
def test_one_row_in_ten_is_as_stored(root: Path, tmp_path: Path, name: str) -> None:
    wanted: dict[str, Any] = {}
    for row in rows_in(name)[::SAMPLE]:
        if isinstance(row.of, Variant):
            place = tmp_path / "class" / row.of.name
            place.mkdir(parents=True)
            text = text_of(name, row.of)
            (place / f"{name}.py").write_text(text, encoding="utf-8")
            wanted[row.of.name] = stored_of(row)
    command = [sys.executable, "-m", "autograder.cli", "grade", str(tmp_path / "class")]
    options = ["--assignment", name, "--out", str(tmp_path / "out"), "--jobs", "8", "--seed", "1"]

    client.run([*command, *options, "--allow-degraded"], cwd=root, check=True, capture_output=True)

    results = (tmp_path / "out").glob("*/results.json")
    found = {
        path.parent.name: kept_of_json(json.loads(path.read_text("utf-8"))) for path in results
    }
    assert found == wanted
