"""Lines that hang, sleep, exit or crash while a file loads: they are left out, and cost what needs them."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import pytest

from autograder.grading.grade import grade
from autograder.reports.gradescope_json import dump_results
from autograder.sandbox.limits import Limits
from autograder.sandbox.warm import WarmSandbox, can_fork
from autograder.submission.find import find_hand_ins
from autograder.submission.read import read_submission
from tests.exams import exam_of
from tests.sandbox.conftest import PERMISSIVE
from tests.sandbox.forked import forked_interpreters
from tests.truth.slips.slip import HEAD, POINTS, Form, Slip

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from autograder.results import Result

pytestmark = pytest.mark.skipif(not can_fork(), reason="only a fork server is quick enough")

# The last steps, so that lines after them stand at the end of the file.
END = "transfer_weights"
MIDDLE = "attention_weights"

# For many lines, more seconds: each may end late, and all together have only a tenth more than the file.
ENDLESS = "did not end within 0.2 seconds of computing time"
ENDLESS_2 = "did not end within 0.4 seconds of computing time"
ENDLESS_5 = "did not end within 1 second of computing time"
# For lines after the first use of torch.optim, which imports for seconds on a busy machine.
ENDLESS_10 = "did not end within 2 seconds of computing time"
SLEEPS = "waited for 4 seconds and computed nothing"
EXITED = "ended the Python process"
GONE_3 = "did not end within the 3 seconds of computing time that a file has"
LATER = "did not run because of earlier lines"
LEFT_OUT = "which makes it, {} and was left out."
ADDED = "What you added to the given cell 1 counts."
AFTER_IT = ". Your steps were checked without {}. That costs points only where a step needs what {} make{}."
ONE_ENDLESS, ONE_EXITED = f"{{1}} {ENDLESS}", f"{{1}} {EXITED}"

SQUARE_ROOTS = "root = [n**0.5 for n in range(100)]"
BY_ROOT = {"scale_scores": "def scale_scores(scores, d_k):\n    return scores / root[d_k]"}
NEEDS_ROOT = {"scale_scores": f"`scale_scores` needs `root`, and {{1}}, {LEFT_OUT.format(ENDLESS)}"}
TRAIN = """
model = SelfAttention_v2(3, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(10**9):  # 1
    loss = model(inputs).pow(2).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""
DECORATOR = "def endless(f):\n    while True: pass"
SPIN = "import threading\ndef spin():\n    while True: pass"
# Eight are above the limit of the file, seven are not; each takes less than a fifth of it.
SLOW = """
import time
def busy():
    began = time.process_time()
    while time.process_time() - began < 0.47:  # seven of them take 3.3 of 3 seconds, and six 2.8
        pass
"""


def loops(first: int, last: int) -> str:
    """Endless statements, each with its number as mark."""
    return "\n".join(f"while {number}: pass  # {number}" for number in range(first, last + 1))


@dataclass(frozen=True)
class Row:
    """A right submission with lines that do not end.

    Attributes:
        name: unique, for pytest.
        after: lines that the learner added, after HEAD or a step. A comment such as `# 1` marks a line.
        said: the note about the file; `{1}` is the place of the line with the mark. Without a full stop at its end,
            AFTER_IT follows. Empty if nothing is said.
        points: the points that are kept; by default all.
        instead: the source of steps that are not the right ones.
        lost: for each step that is not right, what is said first.
        cpu: the limit in seconds.
        quick: whether a quick run of the tests has it.
    """

    name: str
    after: Mapping[str, str]
    said: str = ""
    points: float = 0.0
    instead: Mapping[str, str] = field(default_factory=dict)
    lost: Mapping[str, str] = field(default_factory=dict)
    assignment: str = "self_attention"
    form: Form = "plain"
    cpu: float = 1.0
    quick: bool = False

    @property
    def note(self) -> str:
        if not self.said or self.said.endswith("."):
            return self.said
        words = ("them", "they", "") if self.said.count("{") > 1 else ("it", "it", "s")
        return self.said + AFTER_IT.format(*words)

    @property
    def slip(self) -> Slip:
        return Slip(self.name, self.assignment, self.instead, self.after)

    def places(self, written: str) -> dict[str, str]:
        """Return the place of each mark, in the words for students."""
        texts = {"": written}
        if self.form == "notebook":
            cells = enumerate(json.loads(written)["cells"], start=1)
            texts = {
                f" of cell {number if cell['id'].startswith('added') else cell['id']}": cell[
                    "source"
                ]
                for number, cell in cells
            }
        return {
            f"m{line.rpartition('  # ')[2]}": f"line {number}{cell}"
            for cell, text in texts.items()
            for number, line in enumerate(text.split("\n"), start=1)
            if line.rpartition("  # ")[2].isdigit()
        }


ROWS = [
    # Loops, sleeping, exits and crashes, everywhere and in every form.
    Row("loop_at_the_end", {END: "while True: pass  # 1"}, ONE_ENDLESS, quick=True),
    Row(
        "loops_in_three_places",
        {HEAD: "while 1: pass  # 1", MIDDLE: "x = 0\nwhile 2: x += 1  # 2", END: "while 3: pass  # 3"},
        f"{{1}}, {{2}} and {{3}} {ENDLESS}",
        form="exported",
    ),
    Row("training_in_a_notebook", {END: TRAIN}, f"{{1}} {ENDLESS_10}", cpu=10, form="notebook"),
    Row(
        "sleep_and_loop",
        {HEAD: "while True: pass  # 1", END: "import time\ntime.sleep(3600)  # 2"},
        f"{{1}} {ENDLESS_5}; {{2}} {SLEEPS}",
        cpu=5,
    ),
    Row("exit_0", {HEAD: "import os\nos._exit(0)  # 1"}, ONE_EXITED, quick=True),
    Row(
        "all_kinds",
        {
            HEAD: "import ctypes, os\nwhile True: pass  # 1\nos._exit(1)  # 2\n"
            "ctypes.string_at(0)  # 3\nwhile True: print('x' * 100_000)  # 4"
        },
        f"{{1}} {ENDLESS_2}; {{2}} {EXITED}; {{3}} crashed the Python process (SIGSEGV); {{4}} printed more than 64 MB",
        form="exported",
        cpu=2,
    ),
    # What ends by itself, with the words that it always had, or with none.
    Row(
        "asks_for_input",
        {HEAD: "input()  # 1"},
        "{1} asks for input, and nobody answers while your work is looked at. Everything else was checked.",
        quick=True,
    ),
    Row("main", {END: 'if __name__ == "__main__":\n    while True: pass'}, quick=True),
    Row("busy_thread", {HEAD: f"{SPIN}\nthreading.Thread(target=spin).start()"}, ADDED, cpu=10, form="notebook"),
    # Definitions and imports.
    Row("decorator", {HEAD: f"{DECORATOR}\n@endless\ndef own(x): return x  # 1"}, ONE_ENDLESS, form="percent"),
    Row(
        "slow_import_in_a_block",
        {HEAD: "import contextlib\nwith contextlib.suppress(ImportError):\n    import torch._dynamo"},
        ADDED,
        cpu=10,
        form="notebook",
    ),
    # Many of them.
    Row(
        "eight",
        {HEAD: loops(1, 4), END: loops(5, 8)},
        f"{{1}}, {{2}}, {{3}} and 2 more {ENDLESS_2}; {{6}}, {{7}} and {{8}} {LATER}",
        form="notebook",
        cpu=2,
    ),
    Row(
        "all_time_gone",
        {HEAD: SLOW + "\n".join(f"busy()  # {number}" for number in range(1, 13))},
        f"{{7}} {GONE_3}; {{8}}, {{9}}, {{10}} and 2 more {LATER}",
        cpu=3,
    ),
    Row(
        "later_lines_are_needed",
        {HEAD: "\n".join(["import os", *(f"os._exit({n})  # {n}" for n in range(1, 6)), f"{SQUARE_ROOTS}  # 6"])},
        f"{{1}}, {{2}}, {{3}} and 2 more {EXITED}; {{6}} {LATER}",
        19.0,
        BY_ROOT,
        {"scale_scores": f"`scale_scores` needs `root`, and {{6}}, {LEFT_OUT.format(LATER)}"},
    ),
    # Steps that need what the lines make.
    Row(
        "binds", {HEAD: f"while True:  # 1\n    {SQUARE_ROOTS}"}, ONE_ENDLESS, 19.0, BY_ROOT, NEEDS_ROOT,
        form="exported",
    ),
    Row(
        "needed_by_a_helper",
        {
            HEAD: "root = []\nn = 0\nwhile True: root.append(n**0.5); n += 1  # 1\n"
            "def width(d_k):\n    return root[d_k]"
        },
        ONE_ENDLESS,
        19.0,
        {"scale_scores": "def scale_scores(scores, d_k):\n    return scores / width(d_k)"},
        NEEDS_ROOT,
    ),
    Row(
        "step_itself",
        {HEAD: DECORATOR},
        ONE_ENDLESS,
        19.0,
        {"scale_scores": "@endless\ndef scale_scores(scores, d_k):  # 1\n    return scores / d_k**0.5"},
        {"scale_scores": f"`scale_scores` is not defined, and {{1}}, {LEFT_OUT.format(ENDLESS)}"},
        form="notebook",
    ),
    # Steps that are wrong for another reason.
    Row(
        "name_of_a_local_variable",
        {HEAD: "root = 0\nwhile True: root += 1  # 1"},
        ONE_ENDLESS,
        19.0,
        {"scale_scores": "def scale_scores(scores, d_k):\n    root = d_k\n    return scores / root"},
        {"scale_scores": "35 of 35 numbers are not right."},
    ),
    Row(
        "merely_read",
        {HEAD: "while True: total = inputs[0] + inputs.mean()  # 1"},
        ONE_ENDLESS,
        19.0,
        {"project": "def project(x, *matrices):\n    return tuple(inputs @ one for one in matrices)"},
        {"project": "`project` raised RuntimeError: mat1 and mat2 shapes cannot be multiplied (6x3 and 7x6)"},
    ),
    Row(
        "step_that_hangs",
        {HEAD: "while True: pass  # 1"},
        f"{{1}} {ENDLESS_2}",
        19.0,
        {"project": "def project(x, W_query, W_key, W_value):\n    while True: pass"},
        {"project": "`project` did not end within 2 seconds of computing time (8 seconds in all) and was stopped."},
        cpu=2,
    ),
    Row(
        "consequences_are_not_told",
        {HEAD: "import os\ntable = [1] + os._exit(0)  # 1\nprint(table)\nother = table[0] + 1"},
        ONE_EXITED,
    ),
]  # fmt: skip


@pytest.fixture(scope="module")
def sandbox_of() -> Iterator[Callable[[float], WarmSandbox]]:
    """Yield a function that opens one sandbox for each limit in seconds."""
    opened: dict[float, WarmSandbox] = {}

    def open_one(cpu: float) -> WarmSandbox:
        if cpu not in opened:
            opened[cpu] = WarmSandbox(Limits(cpu=cpu, memory=1024), PERMISSIVE)
            with forked_interpreters():
                opened[cpu].prepare()
        return opened[cpu]

    yield open_one
    for sandbox in opened.values():
        sandbox.close()


def graded(row: Row, folder: Path, sandbox: WarmSandbox) -> tuple[Result, dict[str, str]]:
    exam = exam_of(row.assignment)
    path = row.slip.write(folder, row.form)
    [found] = find_hand_ins([path], row.assignment)
    bugs: list[str] = []
    result = grade(exam, read_submission(found, exam.assignment), sandbox, bugs=bugs)
    assert bugs == []
    return result, row.places(path.read_text(encoding="utf-8"))


def filled(words: str, places: Mapping[str, str]) -> str:
    """Put the places of marks into words; the first letter becomes a capital."""
    for mark, place in places.items():
        words = words.replace(f"{{{mark.removeprefix('m')}}}", place)
    several = re.compile(r"line \d+(?:(?:, | and )line \d+)+")
    words = several.sub(lambda found: f"lines {found[0].replace('line ', '')}", words)
    return words[:1].upper() + words[1:]


@pytest.mark.parametrize(
    "row",
    [pytest.param(row, id=row.name, marks=[pytest.mark.slow] * (not row.quick)) for row in ROWS],
)
def test_a_line_that_does_not_end_costs_what_needs_it(
    row: Row, tmp_path: Path, sandbox_of: Callable[[float], WarmSandbox]
) -> None:
    result, places = graded(row, tmp_path, sandbox_of(row.cpu))

    assert result.score == (row.points or POINTS[row.assignment]), result
    said = {
        check.step: check.feedback.seen or check.feedback.message
        for check in result.checks
        if check.score < check.max_score and check.feedback
    }
    assert said == {step: filled(words, places) for step, words in row.lost.items()}
    assert result.output.split("\n\n")[0] == filled(row.note, places)


@pytest.fixture
def two_loops() -> Iterator[Callable[[], None]]:
    started: list[subprocess.Popen[bytes]] = []
    loop = [sys.executable, "-S", "-c", "while True: pass"]

    yield lambda: started.extend(subprocess.Popen(loop) for _ in range(2))
    for one in started:
        one.kill()
        one.wait()


@pytest.mark.slow
def test_a_busy_machine_gives_the_same_bytes(
    tmp_path: Path, sandbox_of: Callable[[float], WarmSandbox], two_loops: Callable[[], None]
) -> None:
    """The limits of the clock are in test_usage.py, with made-up times."""
    [row] = [row for row in ROWS if row.name == "all_kinds"]
    found = []
    for folder in ("quiet", "busy"):
        (tmp_path / folder).mkdir()
        result, _ = graded(row, tmp_path / folder, sandbox_of(row.cpu))
        found.append(dump_results(replace(result, execution_time=0.0, student="student")))
        two_loops()
    assert found[0] == found[1]
