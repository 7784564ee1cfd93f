from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from autograder import __version__
from autograder.assignment.source import load_source
from autograder.errors import UsageError
from autograder.grading import run_seed
from autograder.grading.run_seed import SEED_BITS, find_run
from autograder.reports.class_folder import OWN_FILES, reserved_names
from autograder.reports.gradescope_json import is_graded, results_in, write_result
from autograder.results import CheckResult, Outcome, Result, Status, paragraphs
from autograder.submission.hand_in import HandIn
from tests.toy import write_toy

if TYPE_CHECKING:
    from autograder.assignment.source import Assignment
    from autograder.grading.run_seed import Run


pytestmark = pytest.mark.unit


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Assignment:
    return load_source(write_toy(tmp_path_factory.mktemp("toy")) / "toy").assignment


def opened(
    folder: Path,
    toy: Assignment,
    seed: int | None = None,
    *,
    fresh: bool = False,
    digest: str = "d",
) -> Run:
    run = find_run(folder, toy.name, seed=seed, fresh=fresh).of_source(digest)
    run.write(folder)
    return run


def test_a_run_is_written_for_the_instructor(tmp_path: Path, toy: Assignment) -> None:
    run = opened(tmp_path / "new" / "out", toy, 7)
    assert run.seed == 7
    assert re.fullmatch("[0-9a-f]{32}", run.id)
    assert json.loads((tmp_path / "new" / "out" / "run.json").read_text()) == {
        "assignment": "toy",
        "kit_version": __version__,
        "seed": "7",
        "run": run.id,
    }


def test_the_seed_is_random_and_of_128_bits(tmp_path: Path, toy: Assignment) -> None:
    seeds = [opened(tmp_path / str(number), toy).seed for number in range(64)]
    assert len(set(seeds)) == 64
    assert max(seed.bit_length() for seed in seeds) in (SEED_BITS, SEED_BITS - 1)
    every = 0
    for seed in seeds:
        every |= seed
    assert every.bit_count() == SEED_BITS == 128


def test_a_run_goes_on_with_its_own_seed(tmp_path: Path, toy: Assignment) -> None:
    first = opened(tmp_path, toy)
    file = tmp_path / "run.json"
    before = (file.read_bytes(), file.stat().st_mtime_ns)
    assert opened(tmp_path, toy) == first
    assert opened(tmp_path, toy, first.seed) == first
    assert (file.read_bytes(), file.stat().st_mtime_ns) == before


def test_the_id_tells_runs_apart_and_is_the_same_for_the_same(
    tmp_path: Path, toy: Assignment
) -> None:
    ids = [
        opened(tmp_path / "1", toy, 1).id,
        opened(tmp_path / "2", toy, 2).id,
        opened(tmp_path / "3", toy, 1, digest="another source").id,
    ]
    assert len(set(ids)) == 3
    assert opened(tmp_path / "4", toy, 1).id == ids[0]
    assert "1" * 9 not in opened(tmp_path / "5", toy, 111111111).id


def test_another_version_of_the_kit_goes_on_with_the_seed_under_another_id(
    tmp_path: Path, toy: Assignment, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = opened(tmp_path, toy)
    monkeypatch.setattr(run_seed, "__version__", f"{__version__}.1")
    again = opened(tmp_path, toy)
    assert (again.seed, again.earlier_id) == (first.seed, first.id)
    assert again.id != first.id


def test_another_seed_is_refused(tmp_path: Path, toy: Assignment) -> None:
    opened(tmp_path, toy, 1)
    with pytest.raises(UsageError) as error:
        opened(tmp_path, toy, 2)
    assert str(error.value) == (
        f"{tmp_path} holds results of another seed. Leave --seed out to go on, "
        "or give --fresh to start anew."
    )
    assert opened(tmp_path, toy).seed == 1


def test_another_assignment_is_refused(tmp_path: Path, toy: Assignment) -> None:
    opened(tmp_path, toy, 1)
    file = tmp_path / "run.json"
    file.write_text(file.read_text().replace("toy", "another"))
    with pytest.raises(UsageError) as error:
        opened(tmp_path, toy)
    assert str(error.value) == (
        f"{tmp_path} holds results of the assignment 'another'. Give another --out, "
        "or --fresh to start anew."
    )


def test_fresh_starts_anew(tmp_path: Path, toy: Assignment) -> None:
    first = opened(tmp_path, toy)
    assert opened(tmp_path, toy, fresh=True).seed != first.seed
    assert opened(tmp_path, toy, 5, fresh=True).seed == 5
    assert opened(tmp_path, toy).seed == 5


@pytest.mark.parametrize("text", ["{", "[]", '{"seed": "x", "assignment": "toy"}'])
def test_a_damaged_run_says_what_to_do(tmp_path: Path, toy: Assignment, text: str) -> None:
    (tmp_path / "run.json").write_text(text)
    with pytest.raises(UsageError, match=r"cannot be read .* Give --fresh to start anew"):
        opened(tmp_path, toy)
    assert opened(tmp_path, toy, 3, fresh=True).seed == 3


def result(**changes: object) -> Result:
    fields = {
        "assignment": "toy",
        "student": "alice",
        "status": Status.GRADED,
        "checks": (CheckResult("double", 1, 1, Outcome.PASSED),),
        "about": (),
        "public": False,
        "submission_sha256": "abc",
        "kit_version": __version__,
        "run": "r1",
    }
    return Result(**(fields | changes))  # type: ignore[arg-type]


ALICE = HandIn("alice", Path(), (), sha256="abc")


def test_a_kept_result_is_found_again(tmp_path: Path) -> None:
    assert list(results_in(tmp_path)) == []
    assert write_result(tmp_path, result()) == tmp_path / "alice" / "results.json"
    [(student, _, kept)] = results_in(tmp_path)
    assert (student, kept) == ("alice", result())
    assert is_graded(result(), "r1", ALICE)


@pytest.mark.parametrize(
    "changes",
    [
        {"status": Status.UNGRADED},
        {"status": Status.REJECTED},
        {"run": "r2"},
        {"submission_sha256": "def"},
    ],
)
def test_a_result_of_something_else_is_not(changes: dict[str, object]) -> None:
    assert not is_graded(result(**changes), "r1", ALICE)


def test_a_result_in_another_students_folder_is_not(tmp_path: Path) -> None:
    write_result(tmp_path, result())
    (tmp_path / "alice").rename(tmp_path / "bob")
    assert [(student, kept) for student, _, kept in results_in(tmp_path)] == [("bob", None)]


def test_a_result_that_did_not_change_is_not_written(tmp_path: Path) -> None:
    path = write_result(tmp_path, result())
    before = path.stat().st_mtime_ns
    write_result(tmp_path, result())
    assert path.stat().st_mtime_ns == before
    write_result(tmp_path, result(about=paragraphs("More.")))
    assert path.stat().st_mtime_ns != before


def test_the_files_among_the_results_are_no_students(tmp_path: Path) -> None:
    (tmp_path / "alice").mkdir()
    (tmp_path / "notes.txt").touch()
    assert reserved_names(tmp_path) == {*OWN_FILES, "notes.txt"}
    assert {"grades.csv", "report.html", "junit.xml"} < set(OWN_FILES)
    assert "run.json" in reserved_names(tmp_path / "new")
