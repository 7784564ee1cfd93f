"""`check(...)` in a real kernel, and in `nbgrader validate`."""

from __future__ import annotations

import json
import os
import re
import sys
import time
from typing import TYPE_CHECKING

import pytest

from tests.commands.released_steps import copied_release
from tests.forking import client
from tests.student.kernel import CHECK, GIVEN, RIGHT, SETUP, TRANSPOSED, Kernel

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copied_release(tmp_path_factory.mktemp("notebook"))


@pytest.fixture(scope="class")
def kernel(folder: Path) -> Iterator[Kernel]:
    kernel = Kernel(folder)
    kernel.run(GIVEN, "given-1")
    kernel.run(SETUP, "setup")
    yield kernel
    kernel.close()


class TestRealKernel:
    def test_a_failure_is_one_line_and_a_display_and_a_pass_a_display_only(
        self, kernel: Kernel
    ) -> None:
        kernel.run(TRANSPOSED, "attention_scores")
        ran = kernel.run(CHECK, "check_attention_scores")
        assert ran.error == [
            "attention_scores: 0 of 2 points - the message in its check cell says why"
        ]
        assert [set(data) for data in ran.shown] == [{"text/html", "text/plain"}]
        assert (ran.streams, ran.values) == ([], 0)
        kernel.run(RIGHT, "attention_scores")
        ran = kernel.run(CHECK, "check_attention_scores")
        assert "passed" in ran.shown[0]["text/plain"]
        assert (ran.error, ran.streams, ran.values) == ([], [], 0)

    def test_a_run_has_the_number_that_stands_beside_it(self, kernel: Kernel) -> None:
        number = kernel.run(RIGHT, "attention_scores").number
        ran = kernel.run(CHECK, "check_attention_scores")
        assert f"Checked: In [{number}]." in ran.shown[0]["text/plain"]
        kernel.run("%reset -f in")
        ran = kernel.run(f"%%capture nothing\n{RIGHT}")  # counts, too
        kernel.run(SETUP, "setup")
        assert f"In [{ran.number}]" in kernel.run(CHECK).shown[0]["text/plain"]
        ran = kernel.run(f"{RIGHT}\n{CHECK}")
        assert f"In [{ran.number}]" in ran.shown[0]["text/plain"]

    def test_a_changed_working_directory_does_not_matter(self, kernel: Kernel) -> None:
        kernel.run(RIGHT, "attention_scores")
        kernel.run("import os\nos.chdir('/')")
        assert kernel.run(CHECK).error == []

    def test_a_check_can_be_interrupted(self, kernel: Kernel) -> None:
        kernel.run(RIGHT, "attention_scores")
        kernel.run("def project(*args):\n    while True: pass", "project")
        sent = kernel.send('check("project")', "check_project")
        time.sleep(1.0)
        kernel.manager.interrupt_kernel()
        assert kernel.wait(sent).error == ["The check was interrupted."]
        assert kernel.run(CHECK).error == []

    @pytest.mark.skipif(not os.path.exists("/proc"), reason="looks at /proc")  # noqa: PTH110
    def test_the_worker_ends_with_the_kernel(self, kernel: Kernel) -> None:
        kernel.run(RIGHT, "attention_scores")
        assert kernel.run(CHECK).error == []
        ran = kernel.run(
            "import psutil\nprint([one.pid for one in psutil.Process().children(recursive=True)])"
        )
        workers = json.loads(ran.streams[0][1])
        assert workers
        kernel.close()
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline and any(map(_alive, workers)):
            time.sleep(0.05)
        assert not any(map(_alive, workers))


def _alive(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as file:  # noqa: PTH123
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def test_validate_names_each_step_that_does_not_pass_in_one_line(folder: Path) -> None:
    """`nbgrader validate`, as a student sees it; the question that a person marks always fails there.

    `tests/nbgrader/test_browser.py` has a notebook that passes.
    """
    pytest.importorskip("nbgrader")
    content = json.loads((folder / "self_attention.ipynb").read_text(encoding="utf-8"))
    for cell in content["cells"]:
        if cell["id"] == "attention_scores":
            cell["source"] = TRANSPOSED
    (folder / "wrong.ipynb").write_text(json.dumps(content), encoding="utf-8")
    done = client.run(
        [sys.executable, "-m", "nbgrader", "validate", "wrong.ipynb"],
        cwd=folder,
        capture_output=True,
        text=True,
    )
    errors = re.findall(r"The error was:\n\n    (.*)\n", done.stdout)
    lines = [line for line in errors if line != "You did not provide a response."]
    wrong = "attention_scores: 0 of 2 points - the message in its check cell says why"
    assert [line for line in lines if "not started yet" not in line] == [wrong]
    assert len(lines) == 11
    assert len(errors) == 12
