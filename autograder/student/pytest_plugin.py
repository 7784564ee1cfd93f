"""pytest plugin for students: one test for each check, run in a worker, and a table of points.

In a run without an assignment, the plugin imports, starts and prints nothing.
"""

from __future__ import annotations

import sys
import types
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterable

    from _pytest._code import ExceptionInfo
    from _pytest._code.code import Traceback
    from _pytest.terminal import TerminalReporter

    from autograder.results import CheckResult
    from autograder.student.debugger import Call
    from autograder.student.practice import Practice

_OUTCOME = "outcome"
_NOT_STARTED = "not_started"
# The remark that a step calls a debugger, and the module of the debugger in VS Code and PyCharm.
_STOPS = "debugger"
_EDITORS = "pydevd"
MOST_PRINTED = 10

_RUNS = pytest.StashKey[dict[Path, "Practice"]]()
_SAID = pytest.StashKey[list[str]]()


class StepFailed(Exception):
    """The check of a step failed; pytest shows the student's feedback."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options `--submission` and `--time-limit`."""
    group = parser.getgroup("self-attention-kit", "exercises for self-attention")
    group.addoption(
        "--submission",
        metavar="FILE",
        help="check this .py or .ipynb instead of the file in the assignment's folder",
    )
    group.addoption(
        "--time-limit",
        metavar="SECONDS",
        type=_seconds,
        help="computing time for a check (5 seconds on a student's own machine, 10 in grading)",
    )


def _seconds(text: str) -> float:
    if not float(text) > 0:
        raise ValueError(text)
    return float(text)


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """Turn pytest-xdist off for a release: one process has the worker and the table."""
    if not getattr(config.option, "numprocesses", None):
        return
    from autograder.student.release_folder import holds_release  # noqa: PLC0415 - only then

    if any(map(holds_release, config.args)):
        config.option.numprocesses, config.option.dist, config.option.tx = 0, "no", []
        config.stash[_SAID] = ["The steps are checked in one process: -n is not used."]


def pytest_report_header(config: pytest.Config) -> list[str]:
    """Say which option is not used."""
    return config.stash.get(_SAID, [])


def pytest_configure(config: pytest.Config) -> None:
    """Create the table of this run's assignments."""
    config.stash[_RUNS] = {}


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> None:
    """Start the worker when an assignment's checks are found, while pytest still collects."""
    folder = module_path.parent
    if module_path.name != f"test_{folder.name}.py" and not (folder / "expected.json").is_file():
        return
    if not any((folder / marker).is_file() for marker in ("expected.json", "cases.py")):
        return
    config = parent.config
    config.option.continue_on_collection_errors = True  # of other files in the folder
    config.option.force_short_summary = True  # in CI too: a step's words stand above
    if folder not in config.stash[_RUNS]:
        from autograder.student.practice import Practice, sandbox_for_one_run  # noqa: PLC0415 - only there

        sandbox = sandbox_for_one_run(folder, config.getoption("time_limit"))
        config.stash[_RUNS][folder] = Practice(folder, sandbox, _submission(config))
    if not config.getoption("collectonly"):
        config.stash[_RUNS][folder].prepare()


def _submission(config: pytest.Config) -> Path | None:
    given = config.getoption("submission")
    return config.invocation_params.dir / given if given else None


def pytest_pycollect_makeitem(
    collector: pytest.Module | pytest.Class, name: str, obj: object
) -> pytest.Item | None:
    """Return a CheckItem for a test function that is declared as a check, otherwise None."""
    if not isinstance(obj, types.FunctionType) or not name.startswith("test_"):
        return None
    if collector.path.parent not in collector.config.stash[_RUNS]:
        return None
    from autograder.assignment.checks import is_check  # noqa: PLC0415 - only where there is an assignment

    if not is_check(obj):
        return None
    item: CheckItem = CheckItem.from_parent(collector, name=name, function=obj)
    return item


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Of the steps that `-k NAME` fits keep the one with exactly this name, if there is one."""
    name = config.getoption("keyword")
    others = [one for one in items if isinstance(one, CheckItem) and one.step != name]
    if any(isinstance(one, CheckItem) and one.step == name for one in items):
        config.hook.pytest_deselected(items=others)
        items[:] = [one for one in items if one not in others]


class CheckItem(pytest.Item):
    """One check as a test."""

    def __init__(self, *, function: types.FunctionType, **options: Any) -> None:
        super().__init__(**options)
        self.function = function
        self.obj = function
        self.step = self.name.removeprefix("test_")
        self.result: CheckResult | None = None
        self.call: Call | None = None

    @property
    def practice(self) -> Practice:
        """The checks of this check's assignment."""
        return self.config.stash[_RUNS][self.path.parent]

    def runtest(self) -> None:
        """Check the step. In a debugger, repeat the call that decided about it in this process."""
        result = self.result = self.practice.check(self.step)
        self.user_properties += [
            (_OUTCOME, result.outcome.value),
            ("score", result.score),
            ("max_score", result.max_score),
        ]
        failed = not result.is_full
        if result.outcome.value == _NOT_STARTED:
            self._skip()
        if _EDITORS in sys.modules or (
            self.config.getoption("usepdb") and (failed or _STOPS in result.remarks)
        ):
            self._repeat(result)
        if result.printed.strip():
            from autograder.text import without_commands  # noqa: PLC0415

            self._show_printed(without_commands(result.printed))
        if failed:
            raise StepFailed(self.step)

    def _skip(self) -> NoReturn:
        """Skip a step that is not started. The run is not green, and `-x` stops here."""
        self.session.testsfailed += 1
        most = self.config.getoption("maxfail")
        if most and self.session.testsfailed >= most:
            self.session.shouldfail = f"{self.step} is not started"
        raise pytest.skip.Exception("not started", _use_item_location=True)

    def _repeat(self, result: CheckResult) -> None:
        """Run the call here, where a debugger stops in the step's lines; if the step is not right, also after it."""
        from autograder.student.debugger import call_again  # noqa: PLC0415

        request = self.practice.deciding_request(result)
        self.call = call_again(self.practice, request) if request else None
        if self.call is not None and not result.is_full:
            self.call.stop(StepFailed(self.step))

    def _show_printed(self, printed: str) -> None:
        if self.config.getoption("capture") == "no":
            encoding = sys.stdout.encoding or "utf-8"
            sys.stdout.write("\n" + printed.encode(encoding, "backslashreplace").decode(encoding))
        else:
            self.add_report_section("call", "printed", printed)

    def repr_failure(self, excinfo: ExceptionInfo[BaseException]) -> str:  # type: ignore[override]
        """Return the feedback for the student, never a traceback of the kit."""
        from autograder.errors import KitError  # noqa: PLC0415

        error = excinfo.value
        if isinstance(error, KitError):
            return f"{error}"
        if self.result is None:
            return f"The kit itself failed, not your code: {type(error).__name__}: {error}"
        if isinstance(error, StepFailed):
            return f"{self._feedback(self.result)}\n"
        traceback = str(excinfo.getrepr(style="short", tbfilter=self._own_frames))
        return f"{self._feedback(self.result)}\n\n{traceback}"

    def _feedback(self, result: CheckResult) -> str:
        """Return the feedback on a step: in full for the first failure and in the debugger."""
        from autograder.reports.blocks import as_text, wrapped  # noqa: PLC0415
        from autograder.reports.pytest_text import full_text, short_text  # noqa: PLC0415
        from autograder.student.hint_levels import way_to_a_hint  # noqa: PLC0415

        width = _width(self.config)
        first = next(filter(_is_wrong, self.practice.results), result)
        if result is not first and not self.config.getoption("usepdb"):
            return short_text(result, width)
        at_hand = wrapped(self.call.words, width) if self.call else ""
        check = self.practice.exam.assignment.by_step[self.step]
        hint = as_text(way_to_a_hint(check, f"`python -m autograder hint {self.step}`"), width)
        public = self.practice.exam.public
        return "\n\n".join(
            filter(None, [full_text(result, width), at_hand, hint if public else ""])
        )

    def _own_frames(self, excinfo: ExceptionInfo[BaseException]) -> Traceback:
        """Return the traceback from the check's own file on, without earlier frames."""
        start = next(
            (number for number, entry in enumerate(excinfo.traceback) if entry.path == self.path), 0
        )
        return type(excinfo.traceback)(excinfo.traceback[start:])

    def reportinfo(self) -> tuple[Path, int, str]:
        """Return the check's file and line, and its name."""
        return self.path, self.function.__code__.co_firstlineno - 1, self.name


def _is_wrong(result: CheckResult) -> bool:
    """Return whether a step was started and has not all its points."""
    return not result.is_full and result.outcome.value != _NOT_STARTED


def pytest_report_teststatus(report: pytest.TestReport) -> tuple[str, str, str] | None:
    """Count a step that is not started as "not started", not as a failure."""
    if (
        report.when == "call"
        and (_OUTCOME, _NOT_STARTED) in report.user_properties
        and report.skipped
    ):
        return "not started", "-", "NOT STARTED"
    return None


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Say what is wrong with the file as a whole, before pytest shows the steps that fail."""
    reporter: Any = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is None:
        return
    for run in session.config.stash[_RUNS].values():
        from autograder.results import paragraphs  # noqa: PLC0415

        about = (*paragraphs(run.note), *run.problems())
        if run.results and about:
            from autograder.reports.blocks import as_text  # noqa: PLC0415

            reporter.line("")
            reporter.section("your file", bold=True)
            _lines(reporter, [*as_text(about, _width(session.config)).splitlines(), ""])


def pytest_terminal_summary(terminalreporter: TerminalReporter, config: pytest.Config) -> None:
    """Print the table of steps and points for each assignment of the run."""
    for run in config.stash[_RUNS].values():
        if run.results:
            _summarise(terminalreporter, run)


def _summarise(reporter: TerminalReporter, run: Practice) -> None:
    from autograder.explain.feedback_text import total_words  # noqa: PLC0415
    from autograder.reports.blocks import wrapped  # noqa: PLC0415
    from autograder.reports.pytest_text import (  # noqa: PLC0415
        TOTAL,
        remarks,
        table,
        what_next,
    )

    width = _width(reporter.config)
    steps = run.exam.assignment.points
    kind = TOTAL if run.exam.public else "fresh inputs"
    reporter.section(f"{run.exam.assignment.name}: {kind}")
    _lines(reporter, _printed(run))
    _lines(reporter, table(run.results, steps, kind))
    texts = [remarks(run.results, width)]
    if run.exam.public:
        following = what_next(run.results, steps, run.left_to_do(), width)
        texts.append(following or wrapped(total_words(run.results), width))
    for text in filter(None, texts):
        _lines(reporter, ["", *text.splitlines()])


def _printed(run: Practice) -> list[str]:
    """Return what the file printed while it was loaded, at most 10 lines."""
    printed = run.loaded.printed.strip("\n").splitlines()
    if not any(map(str.strip, printed)):
        return []
    return ["Printed while your file was loaded:", *printed[:MOST_PRINTED], ""]


def _lines(reporter: TerminalReporter, lines: Iterable[str]) -> None:
    for line in lines:
        reporter.line(line)


def _width(config: pytest.Config) -> int:
    """Return the number of columns of the terminal."""
    return config.get_terminal_writer().fullwidth


def pytest_unconfigure(config: pytest.Config) -> None:
    """Stop the workers."""
    for run in config.stash.get(_RUNS, {}).values():
        run.close()
