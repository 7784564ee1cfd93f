"""Whatever is handed in is graded or rejected, with a reason that tells the student what to do."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING, Any

import pytest

from tests.forking import client
from tests.golden_files import assert_golden

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable
    from pathlib import Path

pytestmark = pytest.mark.slow

NAME = "self_attention"
RIGHT = "def attention_score(query, key):\n    return query @ key\n"
RIGHT_POINTS = 1


def code(source: str, cell_id: str = "", **metadata: Any) -> dict[str, Any]:
    cell: dict[str, Any] = {
        "cell_type": "code",
        "metadata": metadata,
        "execution_count": None,
        "outputs": [],
    }
    return {**cell, "id": cell_id or f"c{abs(hash(source)) % 10**8}", "source": source}


def notebook(*cells: dict[str, Any]) -> bytes:
    content = {"cells": list(cells), "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(content).encode()


def old_notebook() -> bytes:
    cell = {
        "cell_type": "code",
        "input": RIGHT,
        "outputs": [],
        "language": "python",
        "metadata": {},
    }
    content = {
        "metadata": {"name": ""},
        "nbformat": 3,
        "nbformat_minor": 0,
        "worksheets": [{"cells": [cell], "metadata": {}}],
    }
    return json.dumps(content).encode()


PY: dict[str, bytes] = {
    "binary": bytes(range(256)) * 40,
    "bom": b"\xef\xbb\xbf" + RIGHT.encode(),
    "crlf": RIGHT.replace("\n", "\r\n").encode(),
    "deep-nesting": RIGHT.encode() + b"x = " + b"(" * 5000 + b")" * 5000,
    "empty": b"",
    "fifty-megabytes": RIGHT.encode() + b"#" * 50_000_000,
    "hangs-at-the-top": RIGHT.encode() + b"while True:\n    pass\n",
    "not-utf-8": "# Aufmerksamkeit f\xfcr alle\n".encode("latin-1") + RIGHT.encode(),
    "null-bytes": RIGHT.encode() + b"\0\0",
    "prints-at-the-top": b"print('hello')\n" + RIGHT.encode(),
    "raises-at-the-top": RIGHT.encode() + b"import tensorflow\n",
    "reads-input": RIGHT.encode() + b"name = input('your name? ')\n",
    "syntax-error": RIGHT.encode() + b"def project(x:\n    return x\n",
    "tabs": RIGHT.replace("    ", "\t").encode(),
    "exits-at-the-top": RIGHT.encode() + b"import os\nos._exit(0)\n",
}
NOTEBOOKS: dict[str, bytes] = {
    "notebook-added-cells": notebook(
        code("def dot(a, b):\n    return a @ b\n"),
        code("def attention_score(query, key):\n    return dot(query, key)\n", "attention_score"),
    ),
    "notebook-deleted-cells": notebook(code(RIGHT, "attention_score")),
    "notebook-empty": b"",
    "notebook-magics": notebook(code("%matplotlib inline\n!pip install torch\n" + RIGHT)),
    "notebook-malformed": b'{"cells": [',
    "notebook-no-cells": notebook(),
    "notebook-not-a-notebook": b"[1, 2, 3]",
    "notebook-old-format": old_notebook(),
    "notebook-one-bad-cell": notebook(code("def broken(:\n"), code(RIGHT, "attention_score")),
    "notebook-reordered": notebook(
        code("result = attention_score\n"), code(RIGHT, "attention_score")
    ),
}
EDITED = {"edited-release": b"%%% not python %%%\n"}
SPECIAL: dict[str, Callable[[Path, Path], object]] = {
    "a-directory": lambda path, _: path.mkdir(),
    "a-fifo": lambda path, _: os.mkfifo(path),
    "a-link": lambda path, outside: path.symlink_to(outside),
    "wrong-name": lambda path, _: path.with_name("my_homework.py").write_text(RIGHT),
    "nothing": lambda _path, _: None,
}


@pytest.fixture(scope="module")
def submissions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A class of students each of whom handed in something odd."""
    folder = tmp_path_factory.mktemp("odd")
    outside = tmp_path_factory.mktemp("outside") / f"{NAME}.py"
    outside.write_text(RIGHT)
    for suffix, files in ((".py", PY | EDITED), (".ipynb", NOTEBOOKS)):
        for student, data in files.items():
            (folder / student).mkdir()
            (folder / student / f"{NAME}{suffix}").write_bytes(data)
    for student, make in SPECIAL.items():
        (folder / student).mkdir()
        make(folder / student / f"{NAME}.py", outside)
    return folder


def run_grade(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "autograder.cli", "grade", *arguments, "--assignment", NAME]
    return client.run(command, cwd=root, capture_output=True, text=True)


@pytest.fixture(scope="module")
def results(
    root: Path, submissions: Path, once: Callable[[str, Callable[[Path], object]], Path]
) -> dict[str, Any]:
    """Each student's results.json, from one run."""

    def grade(out: Path) -> None:
        options = ["--out", str(out), "--jobs", "2", "--timeout", "2", "--seed", "1"]
        done = run_grade(root, str(submissions), *options)
        assert done.returncode == 0, done.stdout + done.stderr

    out = once("results of bad files", grade)
    return {
        path.parent.name: json.loads(path.read_text("utf-8")) for path in out.glob("*/results.json")
    }


@pytest.mark.skipif(os.name == "nt", reason="Windows has neither FIFOs nor links for everybody")
def test_each_student_is_told_what_to_do(results: dict[str, Any]) -> None:
    parts = []
    for student, content in sorted(results.items()):
        status = content["extra_data"]["status"]
        step = next(test for test in content["tests"] if test["name"] == "attention_score")
        words = [content["output"], step["output"]]
        head = f"{student}: {status}, {content['score']} points, attention_score {step['extra_data']['outcome']}"
        parts.append(
            "\n".join([head, *(f"  {line}" for text in words for line in text.splitlines())])
        )
    assert_golden("bad_files", "\n\n".join(parts))


def test_nobody_is_left_out(results: dict[str, Any], submissions: Path) -> None:
    assert set(results) == {path.name for path in submissions.iterdir()}


@pytest.mark.parametrize(
    "student",
    ["bom", "crlf", "tabs", "prints-at-the-top", "raises-at-the-top", "reads-input", "deep-nesting", "syntax-error",
     "notebook-added-cells", "notebook-deleted-cells", "notebook-magics",
     "notebook-one-bad-cell", "notebook-reordered"],
)  # fmt: skip
def test_what_is_right_in_it_is_paid(results: dict[str, Any], student: str) -> None:
    assert results[student]["score"] == RIGHT_POINTS
