"""Eight submissions at once on two cores get the same results as one after the other."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import pytest

from tests.forking import client
from tests.truth.variant import ASSIGNMENTS, base_of, submission, table

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow

# One in so many of the variants: what is compared is how submissions share the machine.
SAMPLE = 3


def graded(root: Path, folder: Path, name: str, jobs: int) -> dict[str, object]:
    """Return each submission's results, without the fields that depend on the run."""
    out = folder.parent / f"jobs-{jobs}"
    command = [sys.executable, "-m", "autograder.cli", "grade", str(folder)]
    options = ["--assignment", name, "--out", str(out), "--jobs", str(jobs), "--seed", "1"]
    client.run([*command, *options, "--allow-degraded"], cwd=root, check=True, capture_output=True)
    found = {}
    for path in out.glob("*/results.json"):
        result = json.loads(path.read_text(encoding="utf-8"))
        del result["execution_time"], result["extra_data"]["run"]
        found[path.parent.name] = result
    return found


@pytest.mark.parametrize("name", ASSIGNMENTS)
def test_mistakes_and_accepted_variants(root: Path, tmp_path: Path, name: str) -> None:
    folder = tmp_path / "class"
    variants = [one for kind in ("wrong", "accepted") for of, one in table(kind) if of == name]
    variants = variants[::SAMPLE]
    for variant in variants:
        place = folder / variant.name
        place.mkdir(parents=True)
        text = submission(base_of(name), variant)
        (place / f"{name}.py").write_text(text, encoding="utf-8")

    alone = graded(root, folder, name, jobs=1)

    assert alone.keys() == {variant.name for variant in variants}
    assert graded(root, folder, name, jobs=8) == alone
