"""pytest's own options do what its users expect, in real runs in a released folder."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING

import pytest

from tests.commands.released_steps import copied_release
from tests.student.test_pytest_plugin import FILLED, STEPS, Ran, fill, run_pytest

if TYPE_CHECKING:
    from pathlib import Path

BODIES = {step: FILLED[step] for step in ("init_weights", "project", "attention_scores")}
NOT_STARTED = STEPS - len(BODIES)


@pytest.fixture
def worked(tmp_path: Path) -> Path:
    """The first step is right, the second and the fourth are wrong, and the third and the others are not started."""
    folder = copied_release(tmp_path)
    (folder / "self_attention.py").write_text(fill(BODIES), encoding="utf-8")
    return folder


def checked(ran: Ran) -> list[str]:
    """The steps in the table."""
    return re.findall(r"^  (\w+) +[\d.]+ / \d+", ran.text, re.MULTILINE)


def test_a_step_that_is_not_started_is_skipped_and_the_run_fails(worked: Path) -> None:
    (worked / "self_attention.py").write_text(fill({"init_weights": FILLED["init_weights"]}))
    ran = run_pytest(worked, "--junitxml=junit.xml")
    assert ran.code == pytest.ExitCode.TESTS_FAILED
    assert f"1 passed, {STEPS - 1} not started" in ran.text
    [suite] = ET.parse(worked / "junit.xml").iter("testsuite")
    assert (suite.get("failures"), suite.get("skipped")) == ("0", str(STEPS - 1))
    skipped = [case.find("skipped") for case in suite.iter("testcase")]
    assert skipped[0] is None
    for one in skipped[1:]:
        assert one is not None
        assert one.get("message") == "not started"
        assert (one.text or "").startswith(str(worked / "test_self_attention.py"))


def test_x_stops_at_the_first_step_that_is_not_right_or_not_started(worked: Path) -> None:
    ran = run_pytest(worked, "-x")
    assert checked(ran) == ["init_weights", "project"]
    assert "stopping after 1 failures" in ran.text
    ran = run_pytest(worked, "-x", "test_self_attention.py::test_attention_score")
    assert "attention_score is not started" in ran.text
    assert ran.code == pytest.ExitCode.TESTS_FAILED
    ran = run_pytest(worked, "--maxfail=2")
    assert checked(ran) == ["init_weights", "project", "attention_score"]


@pytest.mark.parametrize("variable", ["", "CI"])
def test_processes_of_xdist_are_not_used_and_the_run_says_so(
    worked: Path, variable: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("xdist")
    monkeypatch.delenv("CI", raising=False)
    if variable:
        monkeypatch.setenv(variable, "true")
    for place, arguments in ((worked, ()), (worked.parent, ()), (worked.parent, (worked.name,))):
        ran = run_pytest(place, "-n", "2", *arguments)
        assert "The steps are checked in one process: -n is not used." in ran.text
        assert len(checked(ran)) == STEPS
        assert ran.text.count("Where to look: ") == 1


def test_without_a_release_processes_of_xdist_are_used(tmp_path: Path) -> None:
    pytest.importorskip("xdist")
    (tmp_path / "test_other.py").write_text(
        "def test_it(worker_id):\n    assert worker_id == 'gw0'\n"
    )
    ran = run_pytest(tmp_path, "-n", "1", "-p", "no:cacheprovider")
    assert ran.code == pytest.ExitCode.OK
    assert "is not used" not in ran.text


def test_the_last_failures_are_checked_again(worked: Path) -> None:
    run_pytest(worked)
    assert checked(run_pytest(worked, "--lf")) == ["project", "attention_scores"]
    assert checked(run_pytest(worked, "--sw")) == ["init_weights", "project"]
    ran = run_pytest(worked, "--sw", "--sw-skip")
    assert checked(ran)[:2] == ["project", "attention_score"]


def test_k_with_the_name_of_a_step_means_this_step(worked: Path) -> None:
    assert checked(run_pytest(worked, "-k", "attention_score")) == ["attention_score"]
    assert checked(run_pytest(worked, "-k", "attention_s")) == [
        "attention_score",
        "attention_scores",
    ]
    names = [f"test_self_attention.py::test_{step}" for step in ("project", "scale_scores")]
    assert checked(run_pytest(worked, *names)) == ["project", "scale_scores"]


def test_another_file_that_cannot_be_imported_is_reported_and_the_steps_are_checked(
    worked: Path,
) -> None:
    (worked / "test_mine.py").write_text("import nothing_there\n")
    ran = run_pytest(worked)
    assert "No module named 'nothing_there'" in ran.text
    assert len(checked(ran)) == STEPS
    assert f"2 failed, 1 passed, 1 error, {NOT_STARTED} not started" in ran.text
