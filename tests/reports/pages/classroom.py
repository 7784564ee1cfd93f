"""Results of a small class, written by hand, and what a page says."""

from __future__ import annotations

import json
from dataclasses import replace
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any

from autograder.records import to_json
from autograder.reports.class_record import CLASS_FILE
from autograder.reports.gradescope_json import dump_results
from autograder.results import (
    CheckResult,
    Feedback,
    Frame,
    Numbers,
    Outcome,
    Result,
    Status,
    TracedLine,
    paragraphs,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

STEPS = (("scores", 2.0), ("weights", 2.0), ("context", 4.0))
SCRIPT = "<script>alert(1)</script>"
# Not in HTML5's list of elements that end themselves.
INLINE = ("a", "abbr", "button", "code", "span", "strong")
VOID = ("meta", "br", "input", "link", "img", "rect", "path", "use")

TRANSPOSED = Feedback(
    Outcome.WRONG,
    message="The softmax ran over the queries: each column sums to 1, but each row should.",
    hint="The `dim` of the softmax.",
    seen="4 of 4 numbers are not right.",
    expected="The softmax of each row.",
    called_with=(("scaled_scores", "(2, 2)"),),
    numbers=Numbers(
        "a tensor of shape (2, 2), float32",
        ((0.25, 0.625), (0.75, 0.375)),
        3,
        axes=("queries", "keys"),
        row_sums=(0.875, 1.125),
        column_sums=(1.0, 1.0),
    ),
    mistakes=("softmax_over_the_queries",),
    sure=True,
)
# With the lines of the step beside what they computed, and one of a helper.
TRACED = replace(
    TRANSPOSED,
    traced=(
        TracedLine("work.py", 1, "weights", "for i in range(2):", "2 rounds"),
        TracedLine("work.py", 2, "weights", "    e = torch.exp(s)", "(2, 2)", "right"),
        TracedLine("work.py", 9, "helper", "return e / e.sum(0)", "(2, 2)", "first"),
    ),
)
# A batch with several heads, of which one matrix is shown.
BATCH = replace(
    TRANSPOSED,
    numbers=Numbers(
        "a tensor of shape (2, 4, 3, 6), float32",
        tuple((0.1, 0.2, 0.3, 0.15, 0.15, row / 10) for row in range(3)),
        3,
        axes=("sequences", "heads", "queries", "keys"),
        row_sums=(0.9, 1.0, 1.1),
        column_sums=(0.3, 0.6, 0.9, 0.45, 0.45, 0.3),
        place="sequence 1, head 2",
    ),
    mistakes=(),
)
RAISED = Feedback(
    Outcome.RAISED,
    message="torch.sqrt wants a tensor.",
    seen="`scores` raised TypeError: sqrt()",
    lines=(Frame("work.py", 3, "scores", "return a / torch.sqrt(d)"),),
    mistakes=("sqrt_of_an_int",),
    sure=True,
)
NOT_STARTED = Feedback(Outcome.NOT_STARTED, message="Not started yet.")


def check(step: str, score: float, feedback: Feedback | None = None, **others: Any) -> CheckResult:
    outcome = feedback.outcome if feedback else Outcome.PASSED
    values: dict[str, Any] = {"outcome": outcome, "feedback": feedback}
    if feedback is not None:
        values |= {"mistakes": feedback.mistakes, "sure": feedback.sure}
    return CheckResult(step, score, dict(STEPS)[step], **values | others)


def result(student: str, *checks: CheckResult, **others: Any) -> Result:
    given = {one.step: one for one in checks}
    values: dict[str, Any] = {
        "assignment": "attention",
        "student": student,
        "status": Status.GRADED,
        "checks": tuple(given.get(step) or check(step, points) for step, points in STEPS),
        "about": (),
        "public": False,
        "submission_sha256": "ab" * 32,
        "kit_version": "1.2.3",
        "run": "cd" * 16,
    }
    return Result(**values | others)


def rejected(student: str, why: str) -> Result:
    checks = tuple(CheckResult(step, 0, points, Outcome.MISSING) for step, points in STEPS)
    return result(student, status=Status.REJECTED, checks=checks, about=paragraphs(why))


def write_class(
    folder: Path,
    results: Iterable[Result],
    students: Mapping[str, dict[str, Any]] | None = None,
    **others: Any,
) -> Path:
    """Write a folder of results; with `students`, a `class.jsonl` too."""
    for one in results:
        (folder / one.student).mkdir(parents=True)
        (folder / one.student / "results.json").write_bytes(dump_results(one))
    run = {"assignment": "attention", "kit_version": "1.2.3", "seed": "424242", "run": "cd" * 16}
    (folder / "run.json").write_text(json.dumps(run), encoding="utf-8")
    if students is not None:
        content = {"assignment": "attention", "run": run["run"], "absent": []}
        lines = [content | others, *({"student": name} | one for name, one in students.items())]
        (folder / CLASS_FILE).write_bytes(b"".join(to_json(line, indent=None) for line in lines))
    return folder


def student(name: str = "", source: str = "", **others: Any) -> dict[str, Any]:
    """A student of `class.jsonl`, whose one step `weights` is the whole source."""
    person = {"name": name} | {
        part: others.pop(part) for part in ("ids", "email") if part in others
    }
    return {
        "person": person,
        "path": "",
        "given": "../../submissions",
        "late": False,
        "submission_sha256": "",
        "pieces": [["work.py", source]],
    } | others


def of_each_kind(code: str) -> tuple[list[Result], dict[str, dict[str, Any]]]:
    """Results of a small class in which everything happens once, and what is known of its students."""
    timed_out = replace(
        RAISED, outcome=Outcome.TIMED_OUT, mistakes=(), message="A loop?", sure=False
    )
    unnamed = replace(TRANSPOSED, mistakes=(), sure=False, message="")
    ungraded = tuple(CheckResult(step, 0, points, Outcome.UNGRADED) for step, points in STEPS)
    failed = paragraphs("The grader itself failed.")
    results = [
        result("alice", check("weights", 0, TRANSPOSED)),
        result("bob", check("context", 2, replace(TRANSPOSED, half_of=("weights",)))),
        result("carol", check("scores", 0, RAISED), check("weights", 0, timed_out)),
        result("dave", *(check(step, 0, NOT_STARTED) for step, _ in STEPS)),
        result("erin", check("weights", 0, unnamed)),
        rejected("frank 日本", "`frank.pdf` is not a Python file."),
        result("grace", status=Status.UNGRADED, checks=ungraded, about=failed),
    ]
    students = {one.student: student() for one in results} | {
        "alice": student("Alice Berg", code, ids={"moodle": "204001"}, email="alice@example.org"),
        "bob": student("Bob Ito", email="bob@example.org"),
    }
    return results, students


class Page(HTMLParser):
    """What a page consists of: its tags with their attributes, and its text, one space between words."""

    def __init__(self, html: bytes) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self._texts: list[str] = []
        self._open: list[str] = []
        self.feed(html.decode("utf-8"))
        self.close()
        assert not self._open, "a tag is not closed"
        self.text = " ".join("".join(self._texts).split())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._texts.append("" if tag in INLINE else " ")
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        self._texts.append("" if tag in INLINE else " ")
        if tag not in VOID:
            assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if not self._open or self._open[-1] not in ("style", "script"):
            self._texts.append(data)

    def all(self, tag: str, **attributes: str) -> list[dict[str, str | None]]:
        """The attributes of each tag of this name that has these attributes."""
        wanted = {name.rstrip("_"): value for name, value in attributes.items()}
        return [
            found for name, found in self.tags if name == tag and wanted.items() <= found.items()
        ]
