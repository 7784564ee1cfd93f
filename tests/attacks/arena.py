"""Grade attacks, and find what each gained: points, traces and leaked texts."""

from __future__ import annotations

import json
import re
import shutil
import tempfile
import time
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from autograder.errors import Rejected
from autograder.explain.feedback_text import check_markdown
from autograder.grading.grade import grade, without_checks
from autograder.reports.gradescope_json import dump_results
from autograder.results import Outcome, Result, Status
from autograder.sandbox.limits import Limits
from autograder.sandbox.warm import WarmSandbox
from autograder.submission.find import find_hand_ins
from autograder.submission.read import Submission, read_submission
from tests.attacks.world import ROOT, Own, User, World
from tests.trusted_cost import measured

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from autograder.exam.questions import Exam
    from tests.attacks.attack import Attack

NAME = "self_attention"
LIMITS = Limits(cpu=1.0, memory=1024)
PARTS = Path(__file__).parent / "parts"
STUB = ROOT / "assignments" / NAME / f"{NAME}.py"
# Who takes so long was not stopped: the limits for a whole submission add up to 28 s.
LONGEST = 600.0
LONGEST_TEXT = 20_000

_UNFIT = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    r"\ud800-\udfff\U000e0000-\U000e0fff]"
)


@dataclass(frozen=True)
class Attempt:
    result: Result
    gains: tuple[str, ...]

    @property
    def summary(self) -> str:
        """Return a short summary: the points, and the outcome of the first attacked step."""
        outcomes = [one.outcome for one in self.result.checks]
        tried = [one for one in outcomes if one not in (Outcome.NOT_STARTED, Outcome.PASSED)]
        names = (
            ", ".join(dict.fromkeys(one.value.replace("_", " ") for one in tried)) or "not started"
        )
        return f"{self.result.score:g} points ({names})"


class Arena:
    """A sandbox with some layers, which grades attacks in a world."""

    def __init__(self, exam: Exam, layers: Sequence[str] | None = None) -> None:
        self.exam = exam
        for (
            check
        ) in exam.assignment.checks:  # once for all submissions, so that no attack pays for it
            exam.make_wrong_answers(check.name)
        self._stack = ExitStack()
        self._folder = Path(tempfile.mkdtemp(prefix="akt-arena-"))
        self._folder.chmod(0o755)
        self._stack.callback(shutil.rmtree, self._folder, ignore_errors=True)
        self.sandbox = WarmSandbox(LIMITS, layers, probes=exam.assignment.probes)
        self._stack.callback(self.sandbox.close)
        try:
            self.student = self._user_of_workers()
        except BaseException:
            self._stack.close()
            raise

    def _user_of_workers(self) -> User:
        """Return their user as it is outside; in a namespace of its own, a worker sees another number."""
        worker = self.sandbox.start()
        worker._wait_until_ready()
        status = Path(f"/proc/{worker.pid}/status").read_text(encoding="ascii").splitlines()
        self.sandbox.stop(worker)
        ids = {
            name: numbers.split() for name, _, numbers in (line.partition(":") for line in status)
        }
        return User(int(ids["Uid"][0]), int(ids["Gid"][0]), files=int(ids["Uid"][3]))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    @property
    def layers(self) -> tuple[str, ...]:
        self.sandbox.status()
        return self.sandbox.layers

    def grade(
        self, student: str, source: str, beside: Sequence[str] = (), form: str = "script"
    ) -> Result:
        """Submit and grade a file, with the files `beside`, of the same text, in the same folder."""
        try:
            submission = self.hand_in(student, source, beside, form)
        except Rejected as rejected:
            return without_checks(self.exam, student, Status.REJECTED, str(rejected))
        bugs: list[str] = []
        result = grade(self.exam, submission, self.sandbox, bugs=bugs)
        assert bugs == []
        return result

    def hand_in(
        self, student: str, source: str, beside: Sequence[str] = (), form: str = "script"
    ) -> Submission:
        folder = self._folder / student
        folder.mkdir(exist_ok=True)
        suffix, written = FORMS[form]
        for name in (*beside, f"{NAME}{suffix}"):
            (folder / name).write_text(written(source), encoding="utf-8")
        [found] = find_hand_ins([folder], NAME)
        return read_submission(found, self.exam.assignment)

    def attempt(self, attack: Attack, world: World) -> Attempt:
        """Grade an attack, and find what it gained."""
        source = attack_source(attack, world)
        world.begin()
        own, warm = Own(but=world.dummy.pid), self._warm_process()
        started = time.monotonic()
        with measured() as cost:
            result = self.grade(attack.name, source, attack.beside, attack.handed_in)
            if attack.twice:
                result = self.grade(attack.name, source, attack.beside, attack.handed_in)
        seconds = time.monotonic() - started
        gains = [*world.told("\n".join(texts(result))), *world.changes(), *own.left()]
        gains += [f"took {seconds:.0f} seconds"] if seconds > LONGEST * (1 + attack.twice) else []
        gains += [f"stalled: {cost.excess}"] if cost.excess else []
        gains += ["ended the warm process"] if self._warm_process() != warm else []
        gains += list(unfit(result, attack.handed_in)) + self._too_much(attack, result)
        return Attempt(result, tuple(dict.fromkeys(gains)))

    def _too_much(self, attack: Attack, result: Result) -> list[str]:
        """Return the points for steps that the attack did not implement."""
        return [
            f"earned {check.score:g} points for {check.step}"
            for check in result.checks
            if check.score > attack.honest.get(check.step, 0)
        ]

    def _warm_process(self) -> int:
        assert self.sandbox._server is not None
        return self.sandbox._server.process.pid


def _old_notebook(_: str) -> str:
    """Return a notebook of format 3 with 60,000 cells."""
    cell = {"cell_type": "code", "input": "", "language": "python", "metadata": {}}
    sheet = {"cells": [cell] * 60_000, "metadata": {}}
    return json.dumps({"nbformat": 3, "nbformat_minor": 0, "metadata": {}, "worksheets": [sheet]})


# The forms of a submission: its suffix, and its text made from an attack's source. All but scripts are rejected.
FORMS: dict[str, tuple[str, Callable[[str], str]]] = {
    "script": (".py", lambda source: source),
    "old_notebook": (".ipynb", _old_notebook),
}


def attack_source(attack: Attack, world: World) -> str:
    """Return the released stub, followed by the parts that the attack uses, and by the attack."""
    parts = [(PARTS / f"{part}.py").read_text(encoding="utf-8") for part in attack.uses]
    return "\n\n".join([STUB.read_text(encoding="utf-8"), *parts, world.filled(attack.text)])


def texts(result: Result) -> Iterator[str]:
    yield result.output
    for check in result.checks:
        yield check_markdown(check)
        yield check.printed


def unfit(result: Result, form: str = "script") -> Iterator[str]:
    """Yield faults of the result itself: not graded, not writable, or not fit to show."""
    if result.status is not (Status.GRADED if form == "script" else Status.REJECTED):
        yield f"the result is {result.status.value}"
    if any(check.outcome is Outcome.UNGRADED for check in result.checks):
        yield "a check is ungraded"
    if result.score > result.max_score:
        yield "more points than there are"
    content = json.loads(dump_results(result))
    shown = [*_strings(content), *(check.printed for check in result.checks)]
    strange = {found for text in shown for found in _UNFIT.findall(text)}
    if strange:
        yield f"control characters: {sorted(strange)!r}"
    lines = [line for check in result.checks if check.feedback for line in check.feedback.lines]
    if any("\n" in part for line in lines for part in (line.file, line.function, line.text)):
        yield "a name of several lines"
    longest = max(map(len, _strings(content)))
    if longest > LONGEST_TEXT:
        yield f"a text of {longest:,} characters"


def _strings(content: Any) -> Iterator[str]:
    if isinstance(content, str):
        yield content
    elif isinstance(content, dict | list):
        parts = chain(content, content.values()) if isinstance(content, dict) else content
        yield from chain.from_iterable(map(_strings, parts))
