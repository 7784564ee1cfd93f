"""`check(...)`: what it says to a front end without a kernel, and where it cannot be used."""

from __future__ import annotations

import json
import re
import shutil
import sys
import time
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from autograder.assignment.script import read_cells
from autograder.results import WhySkipped
from autograder.sandbox.fresh import FreshSandbox
from autograder.sandbox.limits import Limits
from autograder.sandbox.session import Session
from autograder.student import notebook_check as notebook
from autograder.student.notebook_check import CannotCheck, CheckFailed, Notebook, check
from tests.commands.released_steps import copied_release
from tests.golden_files import assert_golden
from tests.student.kernel import CHECK, GIVEN, RIGHT, SETUP, TRANSPOSED

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from autograder.exam.questions import Exam
    from autograder.sandbox.sandbox import Sandbox


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copied_release(tmp_path_factory.mktemp("notebook"))


@pytest.fixture(scope="module")
def solved(solution: str) -> dict[str, str]:
    return {cell.id: cell.source for cell in read_cells(solution) if cell.kind == "step"}


class Events:
    """IPython's events, as far as the kit uses them."""

    def __init__(self) -> None:
        self.callbacks: dict[str, list[Any]] = {}

    def register(self, name: str, callback: Any) -> None:
        self.callbacks.setdefault(name, []).append(callback)


class Shell:
    """A front end without a kernel: cells are told of, not run."""

    def __init__(self, folder: Path, history: tuple[str, ...] = ()) -> None:
        self.events = Events()
        self.execution_count = len(history)
        self.history_manager = SimpleNamespace(input_hist_raw=["", *history])
        self.shown: list[dict[str, str]] = []
        self.display_pub = SimpleNamespace(publish=self.shown.append)
        self.user_ns: dict[str, object] = {}
        self.notebook = Notebook(self, folder)

    def run(self, text: str, cell: str | None = None, *, success: bool = True) -> None:
        self.execution_count += 1
        info = SimpleNamespace(raw_cell=text, cell_id=cell)
        number = self.execution_count
        for callback in self.events.callbacks["pre_run_cell"]:
            callback(info)
        self.history_manager.input_hist_raw.append(text)
        for callback in self.events.callbacks["post_run_cell"]:
            callback(SimpleNamespace(success=success, execution_count=number))

    def check(self, step: object, hint: object = None) -> str:
        """The one line of error, empty for a pass."""
        try:
            self.notebook.check(step, hint)
        except (CheckFailed, CannotCheck) as error:
            [line] = error._render_traceback_()
            return line
        return ""


@pytest.fixture
def shared(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notebook, "kept_sandbox", lambda: sandbox)


@pytest.fixture
def shell(folder: Path, shared: None) -> Iterator[Shell]:
    shell = Shell(folder, history=(SETUP,))
    yield shell
    shell.notebook.practice.drop()


def test_what_is_wrong_is_said_and_shown(shell: Shell) -> None:
    shell.run(GIVEN, "given-1")
    shell.run(TRANSPOSED, "attention_scores")
    line = shell.check("attention_scores")
    assert line == "attention_scores: 0 of 2 points - the message in its check cell says why"
    [shown] = shell.shown
    assert_golden("notebook_wrong", shown["text/plain"] + "\n\n" + line)
    assert "What came back" in shown["text/html"]
    assert "Expected, a tensor" in shown["text/html"]


def test_what_is_not_started_is_not_scolded(shell: Shell) -> None:
    shell.run("def attention_scores(queries, keys):\n    raise NotImplementedError()")
    line = shell.check("attention_scores")
    assert_golden("notebook_not_started", shell.shown[0]["text/plain"] + "\n\n" + line)


def test_an_exception_names_the_cell_and_its_line(shell: Shell) -> None:
    shell.run("%matplotlib inline\ndef attention_scores(queries, keys):\n    return '<b>' @ keys")
    line = shell.check("attention_scores")
    assert_golden("notebook_raised", shell.shown[0]["text/plain"] + "\n\n" + line)


def test_what_is_right_raises_nothing(shell: Shell) -> None:
    shell.run(RIGHT)
    assert shell.check("attention_scores") == ""
    first, checked, why, further, following = shell.shown[0]["text/plain"].split("\n\n")
    assert first == "✓ passed: attention_scores, 2 of 2 points"
    assert checked == "Checked: In [2]."
    hints = shell.notebook.practice.exam.assignment.checks[3].hints
    assert " ".join(why.split()) == hints["why"]
    assert " ".join(further.split()) == hints["further"]
    assert following == "Next: `scale_scores`."


def test_a_hint_is_shown_in_place_of_a_result(shell: Shell) -> None:
    for level, part in enumerate(("nudge", "where", "example"), start=1):
        assert shell.check("attention_scores", level) == ""
        head, text, *more = shell.shown[-1]["text/plain"].split("\n\n")
        hints = shell.notebook.practice.exam.assignment.checks[3].hints
        assert head == f"Hint {level} of 3 for `attention_scores`:"
        assert " ".join(text.split()) == hints[part]
        following = f'The next hint: `check("attention_scores", hint={level + 1})`.'
        assert more == [following if level < 3 else "This is the last hint."]
    assert not shell.notebook.practice.is_loaded


def test_a_worker_is_kept_until_a_cell_is_run(shell: Shell) -> None:
    shell.run(RIGHT)
    shell.check("attention_scores")
    grader = shell.notebook.practice._grader
    shell.run(CHECK, "check_attention_scores")
    shell.run(CHECK)
    shell.check("attention_scores")
    assert shell.notebook.practice._grader is grader
    shell.run("x = 1")
    assert not shell.notebook.practice.is_loaded


def test_time_between_checks_does_not_count(
    shell: Shell, solved: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shell.run(f"{GIVEN}\n{RIGHT}\n{solved['project']}")
    assert not shell.check("attention_scores")
    clock, monotonic = session_of(shell)._clock, time.monotonic
    left = clock._left
    monkeypatch.setattr(time, "monotonic", lambda: monotonic() + 10_000)
    assert not shell.check("project")
    assert session_of(shell)._clock is clock
    assert clock._left > left - 60


def session_of(shell: Shell) -> Session:
    grader = shell.notebook.practice._grader
    assert grader is not None
    assert isinstance(grader.session, Session)
    return grader.session


def left_out(shell: Shell) -> tuple[list[WhySkipped], list[object]]:
    """Why statements were left out in the last check, and the numbers of those that ended a worker in it."""
    session = session_of(shell)
    assert session.loaded is not None
    numbers = session._skips.fields()["numbers"]
    assert isinstance(numbers, list)
    return [one.why for one in session.loaded.skipped], numbers


def test_a_line_that_does_not_end_is_waited_for_once(shell: Shell) -> None:
    """A kernel has no such limit: the line may have ended there, after an hour."""
    shell.run(f"{GIVEN}\n{RIGHT}")
    shell.run(
        "n = 0xDEADBEEF\nwhile n + 0xDEADBEEF: '\x0c\u200b'\nwhile n:\n" + "    n += 1\n" * 300
    )
    assert not shell.check("attention_scores")
    assert left_out(shell) == ([WhySkipped.ENDLESS] * 2, [8, 9])
    shell.run("import math\ndef project(x, W_query, W_key, W_value):\n    return math.nan")
    assert shell.check("project")
    assert not shell.check("attention_scores")
    assert left_out(shell) == ([WhySkipped.ENDLESS] * 2, [])
    shell.run("def attention_scores(queries, keys):\n    return n * queries @ keys.T")
    for _ in range(2):
        assert shell.check("attention_scores")
        text = " ".join(shell.shown[-1]["text/plain"].split())
        assert "`attention_scores` needs `n`, and line" in text
        assert "did not end within 0.4 seconds of computing time and was left out." in text


def test_a_line_that_was_left_out_and_now_ends_is_run_again(shell: Shell) -> None:
    shell.run(f"{GIVEN}\n{RIGHT}\ndef slow():\n    while True: pass", "defines")
    shell.run("table = slow()", "calls", success=False)
    assert not shell.check("attention_scores")
    assert left_out(shell) == ([WhySkipped.ENDLESS], [8])
    shell.run(f"{GIVEN}\n{RIGHT}\ndef slow():\n    return 1", "defines")
    shell.run("table = slow()", "calls")
    assert not shell.check("attention_scores")
    assert left_out(shell) == ([], [])


def test_show_cells_without_ids_are_known_by_their_text(shell: Shell, folder: Path) -> None:
    cells = json.loads((folder / "self_attention.ipynb").read_text(encoding="utf-8"))["cells"]
    shows = ["".join(cell["source"]) for cell in cells if cell["id"].startswith("show-")]
    assert shows
    shell.run(RIGHT)
    for text in shows:
        shell.run(text)
    _, work = shell.notebook.work()
    assert work.pieces[-1] == ("cell [2]", RIGHT)
    assert [label for label, _ in work.pieces] == [
        "cell that begins with `import torch`",
        "cell that begins with `# Five scores for an experiment with the...`",
        "cell [2]",
    ]
    assert "W_query" in work.aside


def test_prints_and_warnings_are_shown_below(shell: Shell) -> None:
    body = (
        "    print('<i>', queries.shape)\n    warnings.warn('careful')\n    return queries @ keys.T"
    )
    shell.run(f"import warnings\ndef attention_scores(queries, keys):\n{body}")
    assert not shell.check("attention_scores")
    text, html = shell.shown[0]["text/plain"], shell.shown[0]["text/html"]
    assert "printed:\n\n    <i> torch.Size" in text
    assert "UserWarning: careful" in text
    assert "&lt;i&gt; torch.Size" in html


def test_a_hidden_case_is_never_shown(shell: Shell, exam: Exam) -> None:
    shell.notebook.practice.exam = exam
    assert not exam.public
    shell.run(TRANSPOSED)
    shell.check("attention_scores")
    assert "<table" not in shell.shown[0]["text/html"]
    assert "Expected, " not in shell.shown[0]["text/plain"]


WRONG_CALLS = (
    ("attention_score_s", "There is no step called 'attention_score_s'. Did you mean 'attention_scores'?"),
    ("zzz", "There is no step called 'zzz'. check() shows all steps."),
    (read_cells, 'check(...) takes the name of a step as text: check("init_weights")'),
    (SimpleNamespace(__name__="project"), 'check(...) takes the name of a step as text: check("project")'),
    (3, 'check(...) takes the name of a step as text: check("init_weights")'),
)  # fmt: skip


def test_a_wrong_call_says_what_is_right(shell: Shell) -> None:
    for step, words in WRONG_CALLS:
        assert shell.check(step) == words
    for level in (0, 4, -1, "1", 1.0, True, [1]):
        assert shell.check("project", level) == "hint= is a number from 1 to 3.", level
    assert "no step called" in shell.check("projekt", 1)
    assert shell.shown == []


def test_a_call_without_a_name_shows_all_steps(shell: Shell) -> None:
    shell.run(RIGHT, "attention_scores")
    shell.run("def scale_scores(scores, d_k):\n    return scores / d_k", "scale_scores")
    assert shell.check(None) == ""
    [shown] = shell.shown
    assert_golden("notebook_progress", shown["text/plain"])


def test_what_is_next_is_said_after_a_green_check(shell: Shell, solved: dict[str, str]) -> None:
    for step, source in solved.items():
        shell.run(source, step)
    assert shell.check("project") == ""
    assert shell.shown[-1]["text/plain"].endswith("Next: `attention_score`.")
    assert shell.check("transfer_weights") == ""
    assert shell.shown[-1]["text/plain"].endswith("Next: `init_weights`.")
    assert shell.check(None) == ""
    assert "Next" not in shell.shown[-1]["text/plain"]
    assert shell.check("project") == ""
    assert_golden("notebook_all_right", shell.shown[-1]["text/plain"])


def test_a_notebook_in_another_folder_is_told_where_to_go_and_finds_it(
    folder: Path, tmp_path: Path, shared: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in Colab, after the zip file was unpacked beside the notebook."""
    monkeypatch.chdir(tmp_path)
    shell = Shell(tmp_path, history=(RIGHT, SETUP))  # cells of before the import count
    words = shell.check("attention_scores")
    assert f"There is no expected.json in {tmp_path}." in words
    assert "upload the zip file" in words
    shutil.copytree(folder, tmp_path / "self_attention-0" / "self_attention")
    words = shell.check("attention_scores")
    assert f"run `%cd {tmp_path.as_posix()}/self_attention-0/self_attention` in a cell" in words
    monkeypatch.chdir(tmp_path / "self_attention-0" / "self_attention")
    assert shell.check("attention_scores") == ""
    shell.notebook.practice.drop()


def test_a_release_of_another_version_is_named(folder: Path, tmp_path: Path, shared: None) -> None:
    other = tmp_path / "other"
    shutil.copytree(folder, other)
    expected = (other / "expected.json").read_text(encoding="utf-8")
    (other / "expected.json").write_text(re.sub(r'"format": \d+', '"format": 99', expected))
    assert "made by another version of the kit" in Shell(other).check("project")


@pytest.mark.slow  # a plain worker imports torch
def test_where_nothing_can_be_forked_a_plain_worker_does_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("autograder.sandbox.warm.COMMAND", (sys.executable, "-c", "1 / 0"))
    shell = Shell(folder)
    try:
        shell.run(RIGHT)
        assert not shell.check("attention_scores")
        assert isinstance(shell.notebook.practice._sandbox, FreshSandbox)
    finally:
        shell.notebook.practice.close()


def test_a_worker_that_cannot_start_is_the_kits_fault(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = (sys.executable, "-c", "raise SystemExit('no torch here')")
    monkeypatch.setattr(notebook, "kept_sandbox", lambda: FreshSandbox(Limits()))
    monkeypatch.setattr("autograder.sandbox.interpreter.COMMAND", command)
    shell = Shell(folder)
    try:
        shell.run(RIGHT)
        words = shell.check("attention_scores")
    finally:
        shell.notebook.practice.close()
    assert words.startswith("The kit itself failed, not your code: The worker could not start: no")


def test_outside_of_a_notebook_pytest_is_named() -> None:
    with pytest.raises(CannotCheck, match="run `pytest`"):
        check("attention_scores")
