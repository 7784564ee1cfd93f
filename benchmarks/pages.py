"""Measure the pages of a large class: how large they are, and how long they take.

    python -m benchmarks.pages [--count N] [--seed N] [--into DIR]

The class is made of the truth table's submissions of self_attention, graded in this process: two
thirds of the students have one to three wrong steps, some have not finished. `report.html` of 1,000 students must
be smaller than 3 MB, made within 10 s and opened by a browser within 2 s; one `feedback.html` must be
smaller than 150 KB and made within 5 ms, once the templates are loaded. `--into` keeps the pages.
"""

from __future__ import annotations

import ast
import hashlib
import json
import random
import shutil
import statistics
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from autograder.assignment.source import load_source
from autograder.exam.draw import draw_exam
from autograder.records import to_json
from autograder.reports.graded_class import load_folders, merged
from autograder.reports.grades_csv import dump_grades
from autograder.reports.gradescope_json import dump_results
from autograder.reports.pages.feedback_page import feedback_page
from autograder.reports.pages.report_page import report_page
from autograder.reports.pages.write import write_pages
from autograder.results import CheckResult, Feedback, Outcome, Status
from autograder.submission.directory import NOBODY
from tests.graders import result_of
from tests.truth.variant import base_of, rows_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from autograder.exam.questions import Exam
    from autograder.results import Result
    from tests.truth.variant import Variant

ROOT = Path(__file__).parents[1]
ASSIGNMENT = "self_attention"
FIRST = (
    "Amara", "Bjorn", "Chen", "Dmitri", "Elif", "Farid", "Grace", "Hiro", "Ines", "Jonas", "Keiko", "Lena", "Mateo",
    "Noor", "Olga", "Priya", "Quentin", "Rosa", "Samir", "Tove", "Uma", "Viktor", "Wanjiru", "Ximena", "Yusuf", "Zoe",
)  # fmt: skip
LAST = (
    "Adeyemi", "Berg", "Castro", "Demir", "Eriksen", "Fontaine", "Garcia", "Haddad", "Ito", "Jansen", "Kowalski",
    "Lindqvist", "Mbeki", "Novak", "Okafor", "Petrov", "Quispe", "Rossi", "Schmidt", "Tanaka", "Ueda", "Varga", "Wang",
)  # fmt: skip
# So many different submissions: each is graded once.
SUBMISSIONS = 60
# The larger, the more often the first mistakes of the shuffled list are drawn.
STEEPNESS = 0.15
MOST_OPENINGS = 5
COPIED = 0.1


def make_class(folder: Path, count: int, seed: int) -> None:
    """Write the results of a class as `autograder grade` would, with a `class.jsonl`."""
    drawn = random.Random(seed)
    exam = draw_exam(load_source(ROOT / "solutions" / ASSIGNMENT), seed)
    sources = list(dict.fromkeys(_sources(base_of(ASSIGNMENT), drawn)))
    graded = [result_of(exam, source) for source in sources]
    students, results = {}, []
    for number, (name, place) in enumerate(_names(count, drawn)):
        work = int(len(sources) * drawn.random() ** 2)
        result = _finished(replace(graded[work], student=place), drawn)
        results.append(result)
        own = number // 2 if drawn.random() < COPIED else number
        students[place] = _student(name, number, sources[work], exam, own)
        (folder / place).mkdir(parents=True)
        (folder / place / "results.json").write_bytes(dump_results(result))
    steps = [check.name for check in exam.assignment.checks]
    (folder / "grades.csv").write_bytes(dump_grades(((one, NOBODY) for one in results), steps))
    run = {"assignment": ASSIGNMENT, "kit_version": "benchmark", "seed": str(seed), "run": "0" * 32}
    (folder / "run.json").write_text(json.dumps(run))
    about = {"assignment": ASSIGNMENT, "run": "0" * 32, "complete": True, "roster": None}
    about |= {"absent": [], "overrides": []}
    lines = [about, *({"student": name} | one for name, one in students.items())]
    (folder / "class.jsonl").write_bytes(b"".join(to_json(line, indent=None) for line in lines))


def _sources(base: str, drawn: random.Random) -> Iterator[str]:
    """Yield submissions with none to three wrong steps. Some mistakes are common, most are rare."""
    variants = rows_of("self_attention", "wrong")
    drawn.shuffle(variants)
    weights = [1 / (1 + STEEPNESS * number) ** 3 for number in range(len(variants))]
    for _ in range(SUBMISSIONS):
        chosen: dict[str, Variant] = {}
        for one in drawn.choices(variants, weights, k=drawn.choice((0, 0, 1, 1, 2, 3))):
            chosen.setdefault(one.step, one)
        yield "\n\n\n".join([base.rstrip(), *(one.source for one in chosen.values())])


def _names(count: int, drawn: random.Random) -> list[tuple[str, str]]:
    """Return names, each with the name of its folder, which differs from all others."""
    pairs = [(first, last) for last in LAST for first in FIRST]
    drawn.shuffle(pairs)
    found = []
    for number in range(count):
        first, last = pairs[number % len(pairs)]
        again = number // len(pairs)
        name = f"{first} {last}{f' {again + 1}' if again else ''}"
        found.append((name, name.lower().replace(" ", "-")))
    return sorted(found, key=lambda pair: pair[1])


def _finished(result: Result, drawn: random.Random) -> Result:
    """Return the result, of which one in eight has its last steps not started."""
    if drawn.random() > 1 / 8:
        return result
    kept = len(result.checks) - drawn.randint(1, MOST_OPENINGS)
    note = Feedback(Outcome.NOT_STARTED, message="Not started yet.")
    empty = [
        CheckResult(check.step, 0, check.max_score, Outcome.NOT_STARTED, note)
        for check in result.checks[kept:]
    ]
    return replace(result, status=Status.GRADED, checks=(*result.checks[:kept], *empty))


def _student(name: str, number: int, source: str, exam: Exam, own: int) -> dict[str, Any]:
    wanted = {check.name for check in exam.assignment.checks}
    steps = {
        node.name: {
            "piece": f"{ASSIGNMENT}.py",
            "first": node.lineno,
            "last": node.end_lineno,
            "fingerprint": hashlib.sha256(f"{own} {ast.unparse(node)}".encode()).hexdigest()[:32],
        }
        for node in ast.parse(source).body
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name in wanted
    }
    return {
        "person": {
            "name": name,
            "ids": {"moodle": str(204000 + number)},
            "email": f"{name.lower().replace(' ', '.')}@example.org",
        },
        "path": f"submissions/{name}",
        "given": "submissions",
        "late": False,
        "submission_sha256": "",
        "results_sha256": "",
        "limits": None,
        "pieces": [[f"{ASSIGNMENT}.py", source]],
        "steps": steps,
    }


def _opened(page: Path) -> float | None:
    """Return the seconds until a browser has opened the page; None if there is no browser."""
    program = shutil.which("chromium")
    try:
        from playwright.sync_api import sync_playwright  # noqa: PLC0415
    except ModuleNotFoundError:
        return None
    if program is None:
        return None
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        view = browser.new_page()
        started = time.perf_counter()
        view.goto(page.as_uri(), wait_until="load")
        view.evaluate("() => new Promise(done => requestAnimationFrame(() => done()))")
        seconds = time.perf_counter() - started
        browser.close()
    return seconds


def measure(folder: Path) -> None:
    """Print a line for each figure."""
    (loaded,) = load_folders([folder])
    entries = merged([loaded])
    started = time.perf_counter()
    report = report_page([loaded], merged([loaded]), out="results")
    print(
        f"report.html   {len(report) / 1e6:8.2f} MB   {time.perf_counter() - started:8.2f} s to make"
    )
    opened = _opened(write_pages([folder], folder, []))
    print(
        f"              {'':11}   {'no browser' if opened is None else f'{opened:8.2f} s to open'}"
    )
    seconds, sizes = [], []
    for entry in entries:
        started = time.perf_counter()
        sizes.append(len(feedback_page(entry)))
        seconds.append(time.perf_counter() - started)
    median, slowest = (
        statistics.median(seconds) * 1e3,
        sorted(seconds)[len(seconds) * 99 // 100] * 1e3,
    )
    print(
        f"feedback.html {max(sizes) / 1e3:8.0f} KB   {median:8.2f} ms, 99 % within {slowest:.2f} ms"
    )
    started = time.perf_counter()
    write_pages([folder], folder, [])
    print(
        f"all pages     {len(entries):8} students {time.perf_counter() - started:5.2f} s from the folder"
    )


@click.command()
@click.option("--count", default=1000, show_default=True)
@click.option("--seed", default=1, show_default=True)
@click.option("--into", type=click.Path(path_type=Path), help="A new folder that is kept.")
def main(count: int, seed: int, into: Path | None) -> None:
    """Measure the pages of a class."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = into or Path(scratch) / "class"
        make_class(folder, count, seed)
        measure(folder)


if __name__ == "__main__":
    main()
