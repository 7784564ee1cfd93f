"""What a large class hands in. To make the feedback page of a `page-...` takes as long as to grade four students."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from tests.nbgrader.course import NAME, ROOT, Course, cell_of, code_cell, filled
from tests.nbgrader.loading import ELSEWHERE, LOADS, STYLES

if TYPE_CHECKING:
    from collections.abc import Callable


Notebook = dict[str, Any]

FULL = 20
QUESTION = "question-1"
STUB = (ROOT / "assignments" / NAME / f"{NAME}.py").read_text(encoding="utf-8")
ANSWER = "Because the variance of a dot product grows with d_k."
# The limit of computing time. A statement that does not end gets a fifth of it.
SECONDS = 2
DUE = "2030-01-01 12:00:00 UTC"
IN_TIME, LATE = "2030-01-01 11:59:00 UTC", "2030-01-01 12:01:00 UTC"
SETTINGS = f"""\
c.GradingExporter.timeout = {SECONDS}
c.LateSubmissionPlugin.penalty_method = 'zero'
import jupyter_client.manager as manager
def start(*a, **k): raise SystemExit('a kernel was started')
manager.KernelManager.start_kernel = manager.AsyncKernelManager.start_kernel = start
"""


def hand_in_all(course: Course, right: str) -> None:
    hand_in_tampered(course, right)
    hand_in_modules(course, right)
    hand_in_late(course, right)
    hand_in_odd_files(course, right)
    hand_in_pages(course, right)
    hand_in_examples(course)


# Notebooks that were damaged or changed.


def without(*names: str) -> Callable[[Notebook], None]:
    def change(notebook: Notebook) -> None:
        notebook["cells"] = [cell for cell in notebook["cells"] if cell["id"] not in names]

    return change


def turn_into_text(notebook: Notebook) -> None:
    cell = cell_of(notebook, "project")
    cell["cell_type"] = "markdown"
    del cell["outputs"], cell["execution_count"]


def rename(notebook: Notebook) -> None:
    cell = cell_of(notebook, "project")
    cell["id"] = cell["metadata"]["nbgrader"]["grade_id"] = "my-own-name"


def replace(name: str, text: str) -> Callable[[Notebook], None]:
    def change(notebook: Notebook) -> None:
        cell_of(notebook, name)["source"] = text

    return change


def add_cell(notebook: Notebook) -> None:
    place = notebook["cells"].index(cell_of(notebook, "project"))
    notebook["cells"].insert(place, code_cell("mine", "HELP = 1"))


def duplicate(notebook: Notebook) -> None:
    """As JupyterLab copies a cell: another id, the same metadata."""
    place = notebook["cells"].index(cell_of(notebook, "project"))
    copy = json.loads(json.dumps(notebook["cells"][place]))
    notebook["cells"].insert(place + 1, copy | {"id": "copied"})


def swap_kernel(notebook: Notebook) -> None:
    notebook["metadata"]["kernelspec"] = {"name": "evil", "display_name": "Evil", "language": "no"}


def more_points(notebook: Notebook) -> None:
    cell_of(notebook, "check_project")["metadata"]["nbgrader"]["points"] = 1000


def older_schema(notebook: Notebook) -> None:
    for cell in notebook["cells"]:
        if "nbgrader" in cell["metadata"]:
            cell["metadata"]["nbgrader"]["schema_version"] = 1


def strip_cells(notebook: Notebook) -> None:
    for cell in notebook["cells"]:
        cell["metadata"] = {}


def never_ends(notebook: Notebook) -> None:
    own = code_cell("training", "import os\nwhile True: pass\nos._exit(0)")
    notebook["cells"] += [code_cell("endless", "while True: pass"), own]


def nothing(_: Notebook) -> None:
    """The notebook as it is."""


def everything_deleted(notebook: Notebook) -> None:
    notebook["cells"] = []


LOOP = "def dot_product_variance(queries, keys):\n    while True:\n        pass\n"

# What is done to a right notebook, what it earns then, and what is said of it. Its classes call its steps.
TAMPERED: dict[str, tuple[Callable[[Notebook], None], float, str]] = {
    "untouched": (nothing, FULL, "The steps earned 20 of 20"),
    "check-deleted": (without("check_project", "given-1"), FULL, ""),
    "step-deleted": (without("scale_scores"), 19, ""),
    "step-duplicated": (duplicate, FULL, ""),
    "step-turned-into-text": (turn_into_text, FULL, ""),
    "step-renamed": (rename, FULL, ""),
    "check-edited": (replace("check_project", "pass"), FULL, ""),
    "given-edited": (
        replace("given-1", "import numpy as torch"),
        FULL,
        "your change of `inputs`, `nn`, `torch` does not count",
    ),
    "cell-added": (add_cell, FULL, ""),
    "kernel": (swap_kernel, FULL, ""),
    "points": (more_points, FULL, ""),
    "old-schema": (older_schema, FULL, ""),
    "no-cell-metadata": (strip_cells, FULL, ""),
    "loop": (replace("dot_product_variance", LOOP), 19, ""),
    "never-ends": (never_ends, FULL, "did not end within 0.4 seconds of computing time"),
    "no-cells": (everything_deleted, 0, ""),
    "answered": (replace(QUESTION, "Because."), FULL, ""),
}
# What is no notebook, and what is said of it.
UNREADABLE = {"broken-json": ('{"cells": [', "is cut off"), "empty": ("", "is empty")}


def hand_in_tampered(course: Course, right: str) -> None:
    for student, (change, _, _) in TAMPERED.items():
        notebook = filled(course.release(), right)
        change(notebook)
        course.submit(student, notebook)
    for student, (text, _) in UNREADABLE.items():
        course.submit(student, text)
    folder = course.submit("link")
    (folder / "real.txt").write_text("mine")
    for name in (f"{NAME}.ipynb", "notes.txt"):
        (folder / name).symlink_to(course.root / "course" / "gradebook.db")


# Modules.

# What lies in a folder without a fitting file, and what is said of it.
UNFIT = {
    "page-unfit-two": (["first.py", "second.py"], "found `first.py`, `second.py`"),
    "unfit-nothing": ([], "found nothing"),
}
# One file with another name: it is graded as `autograder grade` does, and the name is told.
OTHERWISE_NAMED = {"page-named-copied": f"{NAME} (1).ipynb", "named-text": f"{NAME}.py.txt"}


def hand_in_modules(course: Course, right: str) -> None:
    wrong = "def scale_scores(scores, d_k):\n    return scores / d_k\n"
    helper = "def my_own_helper():\n    pass\n"
    before, name, after = STUB.partition("def attention_score(")
    course.submit("page-module", module=f"{before}{helper}\n\n{name}{after}\n\n{wrong}")
    course.submit("only-module", module=right)
    course.submit("page-stub", module=STUB)
    course.submit("module-never-ends", module=f"{right}\n\nwhile True: pass\n")
    folder = course.submit("module-answered", module=right)
    (folder / f"{QUESTION}.md").write_text(ANSWER, encoding="utf-8")
    for student, (names, _) in UNFIT.items():
        folder = course.submit(student)
        for name in names:
            (folder / name).write_bytes(b"%PDF-1.4")
    notebook = json.dumps(filled(course.release(), right))
    for student, name in OTHERWISE_NAMED.items():
        (course.submit(student) / name).write_text(notebook if "ipynb" in name else right)


# Times, and other files beside the notebook.

BAD_TIMES = {"no-time": b"yesterday", "empty-time": b"", "far": b"9" * 99}


def hand_in_late(course: Course, right: str) -> None:
    notebook = filled(course.release(), right)
    course.submit("in-time", notebook, timestamp=IN_TIME)
    course.submit("late", notebook, timestamp=LATE)
    course.submit("module-in-time", module=right, timestamp=IN_TIME)
    course.submit("module-late", module=right, timestamp=LATE)
    # The exchange received it late, and now it says something else.
    folder = course.submit("time-changed", notebook, timestamp=LATE)
    (folder / "timestamp.txt").write_text(IN_TIME)
    course.submit("time-of-their-own", notebook, timestamp=LATE, exchange=False)


def hand_in_odd_files(course: Course, right: str) -> None:
    for student, content in BAD_TIMES.items():
        folder = course.submit(student, filled(course.release(), right))
        (folder / "timestamp.txt").write_bytes(content)
    folder = course.submit("odd-files", filled(course.release(), right))
    (folder / "link").symlink_to("/nowhere")
    (folder / "folder").symlink_to("/")
    (folder / "timestamp.txt").mkdir()
    for name in ("notes.txt", "\x1b[2Jred.txt", "two\nlines.txt"):
        (folder / name).write_text("mine")
    fifo_for_time = course.submit("fifo-for-time", module=right)
    if hasattr(os, "mkfifo"):
        os.mkfifo(folder / "fifo")
        os.mkfifo(fifo_for_time / "timestamp.txt")


# Hostile texts.

HTML = "Since $a<b$.\n\n<script>alert(1)</script><img src=x onerror=alert(2)>"
RAISED = "def project(*a):\n    raise ValueError('<script>alert(3)</script>')\n"
# Only of the larger one a page is made: that takes as long as to grade fifty students.
HOSTILE = {"hostile": 5_000, "page-hostile": 20_000}


def hand_in_pages(course: Course, right: str) -> None:
    notebook = filled(course.release(), right)
    replace(QUESTION, HTML)(notebook)
    replace("project", RAISED)(notebook)
    course.submit("page-wrong", notebook)
    for student, size in HOSTILE.items():
        course.submit(student, hostile(course.release(), size))


def hostile(release: Notebook, size: int) -> Notebook:
    """A notebook with everything that loads, and with texts and cells that take long."""
    forms = "\n\n".join(LOADS + STYLES).replace("{}", ELSEWHERE)
    cell_of(release, QUESTION)["source"] = forms
    cell_of(release, "attention_score")["source"] = f"x = '{forms}'\n" + "x = [" + "1, " * 10 * size
    slow = ["\\begin{a}" * size, "\\\\[" * size, "![x](attachment:a.png) " * (size // 4)]
    texts = {"cell_type": "markdown", "metadata": {}, "attachments": {"a.png": {"image/png": "iV"}}}
    release["cells"] += [{**texts, "id": f"t{one}", "source": slow[one % 3]} for one in range(9)]
    release["cells"] += [{**texts, "id": "forms", "source": forms}]
    release["cells"] += [{**texts, "id": "raw", "cell_type": "raw", "source": forms}]
    release["cells"] += [code_cell(f"c{number}", "1 + 1") for number in range(size // 10)]
    return release


# One example in so many is handed in as a module too.
AS_MODULES = 3


def hand_in_examples(course: Course) -> None:
    for number, path in enumerate(sorted((ROOT / "examples" / "submissions").iterdir())):
        file = path if path.is_file() else next(path.iterdir())
        text = file.read_text(encoding="utf-8")
        if file.suffix == ".ipynb":
            course.submit(path.stem, text)
            continue
        course.submit(path.stem, filled(course.release(), text))
        if number % AS_MODULES == 0:
            course.submit(f"{path.stem}-module", module=text)
