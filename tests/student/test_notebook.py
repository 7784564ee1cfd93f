"""`check(...)`: in real kernels, and what it says where it cannot be used."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from autograder.assignment.script import read_cells
from autograder.results import WhySkipped
from autograder.sandbox.fresh import FreshSandbox
from autograder.sandbox.limits import Limits
from autograder.sandbox.session import SandboxSession
from autograder.student import notebook
from autograder.student.notebook import CannotCheck, CheckFailed, Notebook, check
from autograder.student.practice import kept_sandbox
from tests.forking import client
from tests.golden_files import assert_golden

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from autograder.exam.questions import Exam
    from autograder.sandbox.sandbox import Sandbox

SETUP = "from autograder.notebook import check"
GIVEN = "import torch\nfrom torch import nn"
TRANSPOSED = "def attention_scores(queries, keys):\n    return keys @ queries.T"
RIGHT = "def attention_scores(queries, keys):\n    return queries @ keys.T"
CHECK = 'check("attention_scores")'


@pytest.fixture(scope="module")
def folder(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the released folder."""
    folder = tmp_path_factory.mktemp("notebook") / "self_attention"
    shutil.copytree(root / "assignments" / "self_attention", folder)
    return folder


@pytest.fixture(scope="module")
def solved(solution: str) -> dict[str, str]:
    """The right source of each step."""
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


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    """One for all notebooks that have none of their own: only the first check waits for torch."""
    sandbox = kept_sandbox()
    yield sandbox
    sandbox.close()


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
    assert shown["text/html"].count("<table") == 2
    assert "What came back" not in shown["text/html"]


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
        following = [f'The next hint: `check("attention_scores", hint={level + 1})`.']
        assert more == (following if level < 3 else [])
    assert not shell.notebook.practice.is_loaded


@pytest.mark.parametrize("level", [0, 4, -1, "1", 1.0, True, [1]])
def test_a_hint_of_another_level_is_refused(shell: Shell, level: object) -> None:
    assert shell.check("project", level) == "hint= is a number from 1 to 3."
    assert "no step called" in shell.check("projekt", 1)
    assert shell.shown == []


def test_a_cell_that_was_not_run_is_asked_for(shell: Shell) -> None:
    assert shell.check("project").startswith("project: 0 of 1 points")
    assert "run the cell that defines `project` first" in shell.shown[0]["text/html"].replace(
        "<code>", "`"
    ).replace("</code>", "`")


def test_a_misspelt_name_is_recognised(shell: Shell) -> None:
    shell.run(RIGHT.replace("attention_scores", "atention_scores"))
    shell.check("attention_scores")
    assert "did you mean `attention_scores`" in shell.shown[0]["text/plain"].replace("\n", " ")


def test_a_cell_that_is_no_python_is_explained(shell: Shell) -> None:
    shell.run("def attention_scores(q, k:\n    return 1", "attention_scores", success=False)
    shell.check("attention_scores")
    text = shell.shown[0]["text/plain"]
    assert "its lines could not be read or run" in text
    assert "Python cannot read line 1 of cell [2]: a `(` has no `)`." in text


def test_the_latest_run_is_judged(shell: Shell) -> None:
    shell.run(TRANSPOSED, "attention_scores")
    assert shell.check("attention_scores")
    shell.run(RIGHT, "attention_scores")
    assert not shell.check("attention_scores")
    shell.run(TRANSPOSED, "another cell")
    assert shell.check("attention_scores")


def test_cells_of_before_the_import_count(folder: Path, shared: None) -> None:
    shell = Shell(folder, history=(RIGHT, SETUP))
    assert not shell.check("attention_scores")
    shell.notebook.practice.drop()


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


def test_time_between_checks_does_not_count(shell: Shell) -> None:
    shell.run(RIGHT)
    shell.check("attention_scores")
    session_of(shell)._clock.deadline -= 10_000
    shell.notebook.practice._idle -= 10_000
    assert not shell.check("attention_scores")


def session_of(shell: Shell) -> SandboxSession:
    """The session of the last check."""
    grader = shell.notebook.practice._grader
    assert grader is not None
    assert isinstance(grader.session, SandboxSession)
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


def test_a_line_that_does_not_end_is_told_once_where_a_step_needs_it(shell: Shell) -> None:
    shell.run("table = []\nwhile True: table.append(1)")
    shell.run("def attention_scores(queries, keys):\n    return table[3] * queries @ keys.T")
    for _ in range(2):
        assert shell.check("attention_scores")
        text = " ".join(shell.shown[-1]["text/plain"].split())
        assert (
            "`attention_scores` needs `table`, and line 2 of cell [2], which makes it, "
            "did not end within 1 second of computing time and was left out."
        ) in text
        assert text.count("Your steps were checked without it.") == 1


def test_a_line_that_was_left_out_and_now_ends_is_run_again(shell: Shell) -> None:
    shell.run(f"{GIVEN}\n{RIGHT}\ndef slow():\n    while True: pass", "defines")
    shell.run("table = slow()", "calls", success=False)
    assert not shell.check("attention_scores")
    assert left_out(shell) == ([WhySkipped.ENDLESS], [8])
    shell.run(f"{GIVEN}\n{RIGHT}\ndef slow():\n    return 1", "defines")
    shell.run("table = slow()", "calls")
    assert not shell.check("attention_scores")
    assert left_out(shell) == ([], [])


def test_show_and_check_cells_are_left_out(shell: Shell) -> None:
    shell.run(RIGHT, "attention_scores")
    shell.run("del attention_scores", "show-1")
    shell.run("del attention_scores", "check_project")
    assert not shell.check("attention_scores")


def test_show_cells_without_ids_are_known_by_their_text(shell: Shell, folder: Path) -> None:
    cells = json.loads((folder / "self_attention.ipynb").read_text(encoding="utf-8"))["cells"]
    shows = ["".join(cell["source"]) for cell in cells if cell["id"].startswith("show-")]
    assert shows
    shell.run(RIGHT)
    for text in shows:
        shell.run(text)
    _, work = shell.notebook.work()
    assert work.pieces[-1] == ("cell [2]", RIGHT)
    assert [label for label, _ in work.pieces] == ["cell given-1", "cell given-2", "cell [2]"]
    assert "W_query" in work.aside


def test_a_cell_may_define_and_check(shell: Shell) -> None:
    shell.run(f"{RIGHT}\n{CHECK}\nlater = 1")
    assert not shell.check("attention_scores")


def test_a_crash_and_an_exit_cost_the_step_only(shell: Shell) -> None:
    shell.run("import os\ndef scale_scores(scores, d_k):\n    os._exit(3)")
    shell.run("import os\ndef project(*args):\n    os.abort()")
    shell.run(RIGHT)
    assert shell.check("scale_scores")
    assert "exit code 3" in shell.shown[-1]["text/plain"]
    assert shell.check("project")
    assert "SIGABRT" in shell.shown[-1]["text/plain"]
    assert not shell.check("attention_scores")


def test_prints_and_warnings_are_shown_below(shell: Shell) -> None:
    body = (
        "    print('<i>', queries.shape)\n    warnings.warn('careful')\n    return queries @ keys.T"
    )
    shell.run(f"import warnings\ndef attention_scores(queries, keys):\n{body}")
    assert not shell.check("attention_scores")
    text, html = shell.shown[0]["text/plain"], shell.shown[0]["text/html"]
    assert "printed:\n    <i> torch.Size" in text
    assert "UserWarning: careful" in text
    assert "&lt;i&gt; torch.Size" in html


def test_a_hidden_case_is_never_shown(shell: Shell, exam: Exam) -> None:
    shell.notebook.practice.exam = exam
    assert not exam.public
    shell.run(TRANSPOSED)
    shell.check("attention_scores")
    assert "<table" not in shell.shown[0]["text/html"]
    assert "Expected, " not in shell.shown[0]["text/plain"]


@pytest.mark.parametrize(
    ("step", "words"),
    [
        ("attention_score_s", "There is no step called 'attention_score_s'. Did you mean 'attention_scores'?"),
        ("zzz", "There is no step called 'zzz'. check() shows all steps."),
        (read_cells, 'check(...) takes the name of a step as text: check("init_weights")'),
        (SimpleNamespace(__name__="project"), 'check(...) takes the name of a step as text: check("project")'),
        (3, 'check(...) takes the name of a step as text: check("init_weights")'),
    ],
)  # fmt: skip
def test_a_wrong_call_says_what_is_right(shell: Shell, step: object, words: str) -> None:
    assert shell.check(step) == words
    assert shell.shown == []


def test_a_call_without_a_name_shows_all_steps(shell: Shell) -> None:
    shell.run(RIGHT, "attention_scores")
    shell.run("def scale_scores(scores, d_k):\n    return scores / d_k", "scale_scores")
    assert shell.check(None) == ""
    [shown] = shell.shown
    assert_golden("notebook_progress", shown["text/plain"])
    assert shown["text/html"].count('<th scope="row"') == 11


def test_what_is_next_is_said_after_a_green_check(shell: Shell, solved: dict[str, str]) -> None:
    for step, source in solved.items():
        shell.run(source, step)
    assert shell.check("project") == ""
    assert shell.shown[-1]["text/plain"].endswith("Next: `attention_score`.")
    assert shell.check("transfer_weights") == ""
    assert shell.shown[-1]["text/plain"].endswith("Next: `init_weights`.")
    assert shell.check(None) == ""
    assert "Next" not in shell.shown[-2]["text/plain"]
    assert shell.check("project") == ""
    *_, shown, learned = shell.shown
    assert_golden("notebook_all_right", shown["text/plain"] + "\n\n" + learned["text/markdown"])


def test_a_folder_without_the_release_is_named(tmp_path: Path, shared: None) -> None:
    assert f"There is no expected.json in {tmp_path}." in Shell(tmp_path).check("project")


def test_a_notebook_in_another_folder_is_told_where_to_go_and_finds_it(
    folder: Path, tmp_path: Path, shared: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in Colab, after the zip file was unpacked beside the notebook."""
    monkeypatch.chdir(tmp_path)
    shell = Shell(tmp_path, history=(SETUP,))
    shell.run(RIGHT)
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
    monkeypatch.setattr("autograder.sandbox.fresh.COMMAND", command)
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


def test_importing_costs_no_torch_and_no_ipython() -> None:
    program = (
        "import sys, autograder.notebook\n"
        "print(*({'torch', 'IPython', 'nbformat', 'matplotlib', 'pytest'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == done.stderr == ""


@dataclass
class Ran:
    """What a real kernel answered to one cell."""

    status: str = ""
    shown: list[dict[str, Any]] = field(default_factory=list)
    error: list[str] = field(default_factory=list)
    streams: list[tuple[str, str]] = field(default_factory=list)
    values: int = 0
    number: int = 0


class Kernel:
    """A real kernel, spoken to as a front end does."""

    def __init__(self, folder: Path, **variables: str) -> None:
        manager = pytest.importorskip("jupyter_client.manager")
        pytest.importorskip("ipykernel")
        self.manager = manager.KernelManager(kernel_name="python3")
        self.manager.start_kernel(cwd=str(folder), env=os.environ | variables)
        self.client = self.manager.blocking_client()
        self.client.start_channels()
        self.client.wait_for_ready(timeout=60)

    def send(self, text: str, cell: str | None = None) -> str:
        metadata = {"cellId": cell} if cell else {}
        content = {"code": text, "silent": False, "store_history": True, "stop_on_error": False}
        message = self.client.session.msg("execute_request", content, metadata=metadata)
        self.client.shell_channel.send(message)
        return str(message["header"]["msg_id"])

    def run(self, text: str, cell: str | None = None) -> Ran:
        return self.wait(self.send(text, cell))

    def wait(self, sent: str) -> Ran:
        ran = Ran()
        while True:
            message = self.client.get_iopub_msg(timeout=60)
            if message["parent_header"].get("msg_id") != sent:
                continue
            content = message["content"]
            match message["msg_type"]:
                case "display_data":
                    ran.shown.append(content["data"])
                case "error":
                    ran.error += content["traceback"]
                case "stream":
                    ran.streams.append((content["name"], content["text"]))
                case "execute_input":
                    ran.number = content["execution_count"]
                case "execute_result":
                    ran.values += 1
                case "status" if content["execution_state"] == "idle":
                    return ran

    def close(self) -> None:
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)


@pytest.fixture(scope="class")
def kernel(folder: Path) -> Iterator[Kernel]:
    kernel = Kernel(folder)
    kernel.run(GIVEN, "given-1")
    kernel.run(SETUP, "setup")
    yield kernel
    kernel.close()


class TestRealKernel:
    """The same in ipykernel."""

    def test_a_failure_is_one_line_and_a_display(self, kernel: Kernel) -> None:
        kernel.run(TRANSPOSED, "attention_scores")
        ran = kernel.run(CHECK, "check_attention_scores")
        assert ran.error == [
            "attention_scores: 0 of 2 points - the message in its check cell says why"
        ]
        assert [set(data) for data in ran.shown] == [{"text/html", "text/plain"}]
        assert ran.streams == []
        assert ran.values == 0

    def test_a_pass_is_a_display_only(self, kernel: Kernel) -> None:
        kernel.run(RIGHT, "attention_scores")
        ran = kernel.run(CHECK, "check_attention_scores")
        assert "passed" in ran.shown[0]["text/plain"]
        assert (ran.error, ran.streams, ran.values) == ([], [], 0)

    def test_a_run_has_the_number_that_stands_beside_it(self, kernel: Kernel) -> None:
        number = kernel.run(RIGHT, "attention_scores").number
        ran = kernel.run(CHECK, "check_attention_scores")
        assert f"Checked: In [{number}], cell" in ran.shown[0]["text/plain"]
        kernel.run("%reset -f in")
        ran = kernel.run(f"%%capture nothing\n{RIGHT}")
        kernel.run(SETUP, "setup")
        assert f"In [{ran.number}]" in kernel.run(CHECK).shown[0]["text/plain"]
        ran = kernel.run(f"{RIGHT}\n{CHECK}")
        assert f"In [{ran.number}]" in ran.shown[0]["text/plain"]

    def test_a_changed_working_directory_does_not_matter(self, kernel: Kernel) -> None:
        kernel.run(RIGHT, "attention_scores")
        kernel.run("import os\nos.chdir('/')")
        assert kernel.run(CHECK).error == []

    def test_a_capture_magic_counts(self, kernel: Kernel) -> None:
        kernel.run("%%capture\n" + TRANSPOSED, "attention_scores")
        assert kernel.run(CHECK).error
        kernel.run(RIGHT, "attention_scores")
        assert not kernel.run(CHECK).error

    def test_a_check_can_be_interrupted(self, kernel: Kernel) -> None:
        kernel.run(RIGHT, "attention_scores")
        kernel.run("def project(*args):\n    while True: pass", "project")
        sent = kernel.send('check("project")', "check_project")
        time.sleep(1.0)
        kernel.manager.interrupt_kernel()
        assert kernel.wait(sent).error == ["The check was interrupted."]
        assert kernel.run(CHECK).error == []

    def test_after_a_restart_cells_have_to_be_run_again(self, kernel: Kernel) -> None:
        kernel.manager.restart_kernel(now=True)
        kernel.client.wait_for_ready(timeout=60)
        kernel.run(SETUP, "setup")
        ran = kernel.run(CHECK)
        assert "has not run a cell that defines" in ran.shown[0]["text/plain"]

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


def fill(folder: Path, name: str, solved: dict[str, str]) -> Path:
    """The released notebook with these steps written."""
    content = json.loads((folder / "self_attention.ipynb").read_text(encoding="utf-8"))
    for cell in content["cells"]:
        cell["source"] = solved.get(cell["id"], cell["source"])
    path = folder / name
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


@pytest.mark.slow
class TestValidate:
    """`nbgrader validate`, as a student sees it."""

    def validate(self, path: Path) -> str:
        pytest.importorskip("nbgrader")
        done = client.run(
            [sys.executable, "-m", "nbgrader", "validate", path.name],
            cwd=path.parent,
            capture_output=True,
            text=True,
        )
        return str(done.stdout)

    def failed(self, text: str) -> list[str]:
        """What is said of each check that failed; the question that a person marks always does."""
        errors = re.findall(r"The error was:\n\n    (.*)\n", text)
        return [line for line in errors if line != "You did not provide a response."]

    def test_the_solution_passes_every_check(self, folder: Path, solved: dict[str, str]) -> None:
        text = self.validate(fill(folder, "right.ipynb", solved))
        assert "VALIDATION FAILED ON 1 CELL(S)" in text
        assert self.failed(text) == []

    def test_a_wrong_step_is_one_line(self, folder: Path, solved: dict[str, str]) -> None:
        wrong = solved | {"attention_scores": TRANSPOSED}
        text = self.validate(fill(folder, "wrong.ipynb", wrong))
        assert self.failed(text)[0] == (
            "attention_scores: 0 of 2 points - the message in its check cell says why"
        )

    def test_every_step_of_the_release_is_not_started(self, folder: Path) -> None:
        text = self.validate(folder / "self_attention.ipynb")
        lines = self.failed(text)
        assert len(lines) == 11
        assert all("not started yet" in line for line in lines)
