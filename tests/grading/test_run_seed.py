from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from autograder import __version__
from autograder.errors import UsageError
from autograder.files import write_whole
from autograder.grading import run_seed
from autograder.grading.run_seed import SEED_BITS, find_run
from autograder.reports.class_folder import OWN_FILES, reserved_names
from autograder.reports.gradescope_json import dump_results, is_graded, results_in
from autograder.results import CheckResult, Outcome, Result, Status
from autograder.submission.hand_in import HandIn

if TYPE_CHECKING:
    from autograder.grading.run_seed import Run


pytestmark = pytest.mark.unit


def opened(folder: Path, seed: int | None = None, digest: str = "d") -> Run:
    run = find_run(folder, "toy", seed=seed, fresh=False).of_source(digest)
    run.write(folder)
    return run


def fresh(folder: Path, seed: int | None = None) -> int:
    run = find_run(folder, "toy", seed=seed, fresh=True).of_source("d")
    run.write(folder)
    return run.seed


def test_a_run_is_written_for_the_instructor(tmp_path: Path) -> None:
    run = opened(tmp_path / "new" / "out", 7)
    assert run.seed == 7
    assert re.fullmatch("[0-9a-f]{32}", run.id)
    assert json.loads((tmp_path / "new" / "out" / "run.json").read_text()) == {
        "assignment": "toy",
        "kit_version": __version__,
        "seed": "7",
        "run": run.id,
    }


def test_the_seed_is_random_and_of_128_bits(tmp_path: Path) -> None:
    seeds = [opened(tmp_path / str(number)).seed for number in range(64)]
    assert len(set(seeds)) == 64
    assert max(seed.bit_length() for seed in seeds) in (SEED_BITS, SEED_BITS - 1)
    every = 0
    for seed in seeds:
        every |= seed
    assert every.bit_count() == SEED_BITS == 128


def test_a_run_goes_on_with_its_own_seed(tmp_path: Path) -> None:
    first = opened(tmp_path)
    file = tmp_path / "run.json"
    before = (file.read_bytes(), file.stat().st_mtime_ns)
    assert opened(tmp_path) == first
    assert opened(tmp_path, first.seed) == first
    assert (file.read_bytes(), file.stat().st_mtime_ns) == before


def test_the_id_tells_runs_apart_and_hides_the_seed(tmp_path: Path) -> None:
    ids = [
        opened(tmp_path / "1", 1).id,
        opened(tmp_path / "2", 2).id,
        opened(tmp_path / "3", 1, "another source").id,
    ]
    assert len(set(ids)) == 3
    assert opened(tmp_path / "4", 1).id == ids[0]
    assert "1" * 9 not in opened(tmp_path / "5", 111111111).id


def test_another_version_of_the_kit_goes_on_with_the_seed_under_another_id(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = opened(tmp_path)
    monkeypatch.setattr(run_seed, "__version__", f"{__version__}.1")
    again = opened(tmp_path)
    assert (again.seed, again.earlier_id) == (first.seed, first.id)
    assert again.id != first.id


def test_another_seed_or_assignment_is_refused(tmp_path: Path) -> None:
    opened(tmp_path, 1)
    with pytest.raises(UsageError) as error:
        opened(tmp_path, 2)
    assert "another seed. Leave --seed out to go on, or give --fresh" in str(error.value)
    assert opened(tmp_path).seed == 1
    file = tmp_path / "run.json"
    file.write_text(file.read_text().replace("toy", "another"))
    with pytest.raises(UsageError) as error:
        opened(tmp_path)
    assert "the assignment 'another'. Give another --out, or --fresh" in str(error.value)


def test_fresh_starts_anew(tmp_path: Path) -> None:
    first = opened(tmp_path)
    assert fresh(tmp_path) != first.seed
    assert (fresh(tmp_path, 5), opened(tmp_path).seed) == (5, 5)


@pytest.mark.parametrize("text", ["{", "[]", '{"seed": "x", "assignment": "toy"}'])
def test_a_damaged_run_says_what_to_do(tmp_path: Path, text: str) -> None:
    (tmp_path / "run.json").write_text(text)
    with pytest.raises(UsageError, match=r"cannot be read .* Give --fresh to start anew"):
        opened(tmp_path)
    assert fresh(tmp_path, 3) == 3


DOUBLE = (CheckResult("double", 1, 1, Outcome.PASSED),)
RESULT = Result("toy", "alice", Status.GRADED, DOUBLE, (), False, "abc", __version__, "r1")
ALICE = HandIn("alice", Path(), (), sha256="abc")


def test_only_a_result_of_the_same_is_kept() -> None:
    assert is_graded(RESULT, "r1", ALICE)
    for status in (Status.UNGRADED, Status.REJECTED):
        assert not is_graded(replace(RESULT, status=status), "r1", ALICE)
    assert not is_graded(RESULT, "r2", ALICE)
    assert not is_graded(replace(RESULT, submission_sha256="def"), "r1", ALICE)


def test_a_result_is_found_in_its_students_folder(tmp_path: Path) -> None:
    assert list(results_in(tmp_path)) == []
    path = tmp_path / "alice" / "results.json"
    write_whole(path, dump_results(RESULT))
    assert [(student, kept) for student, kept in results_in(tmp_path)] == [("alice", RESULT)]
    (tmp_path / "alice").rename(tmp_path / "bob")
    assert [(student, kept) for student, kept in results_in(tmp_path)] == [("bob", None)]


def test_the_files_among_the_results_are_no_students(tmp_path: Path) -> None:
    (tmp_path / "alice").mkdir()
    (tmp_path / "notes.txt").touch()
    assert reserved_names(tmp_path) == {*OWN_FILES, "notes.txt"}
    assert {"grades.csv", "report.html", "junit.xml"} < set(OWN_FILES)
    assert "run.json" in reserved_names(tmp_path / "new")
