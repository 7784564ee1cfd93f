"""Whatever is handed in is graded or rejected, with a reason that tells the student what to do."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING

import pytest

from tests.forking import client
from tests.golden_files import assert_golden
from tests.toy import code, notebook

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytestmark = pytest.mark.slow

NAME = "self_attention"
RIGHT = "def attention_score(query, key):\n    return query @ key\n"


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
STEP = code("attention_score", RIGHT)
OLD_CELL = {
    "cell_type": "code",
    "input": RIGHT,
    "outputs": [],
    "language": "python",
    "metadata": {},
}
OLD = {"nbformat": 3, "nbformat_minor": 0, "metadata": {}, "worksheets": [{"cells": [OLD_CELL]}]}
NOTEBOOKS: dict[str, str] = {
    "notebook-added-cells": notebook(
        code("mine", "def dot(a, b):\n    return a @ b\n"),
        code("attention_score", "def attention_score(query, key):\n    return dot(query, key)\n"),
    ),
    "notebook-deleted-cells": notebook(STEP),
    "notebook-empty": "",
    "notebook-magics": notebook(code("mine", "%matplotlib inline\n!pip install torch\n" + RIGHT)),
    "notebook-malformed": '{"cells": [',
    "notebook-no-cells": notebook(),
    "notebook-not-a-notebook": "[1, 2, 3]",
    "notebook-old-format": json.dumps(OLD),
    "notebook-one-bad-cell": notebook(code("mine", "def broken(:\n"), STEP),
    "notebook-reordered": notebook(code("mine", "result = attention_score\n"), STEP),
}
EDITED = {"edited-release": b"%%% not python %%%\n"}
SPECIAL: dict[str, Callable[[Path, Path], object]] = {
    "a-directory": lambda path, _: path.mkdir(),
    "a-fifo": lambda path, _: os.mkfifo(path),
    "a-link": lambda path, outside: path.symlink_to(outside),
    "wrong-name": lambda path, _: path.with_name("my_homework.py").write_text(RIGHT),
    "nothing": lambda _path, _: None,
}


def hand_in(folder: Path, outside: Path) -> None:
    outside.write_text(RIGHT)
    notebooks = {student: text.encode() for student, text in NOTEBOOKS.items()}
    for suffix, files in ((".py", PY | EDITED), (".ipynb", notebooks)):
        for student, data in files.items():
            (folder / student).mkdir(parents=True)
            (folder / student / f"{NAME}{suffix}").write_bytes(data)
    for student, make in SPECIAL.items():
        (folder / student).mkdir()
        make(folder / student / f"{NAME}.py", outside)


@pytest.mark.skipif(os.name == "nt", reason="Windows has neither FIFOs nor links for everybody")
def test_each_student_is_told_what_to_do(root: Path, tmp_path: Path) -> None:
    hand_in(tmp_path / "odd", tmp_path / f"{NAME}.py")
    options = ["--assignment", NAME, "--out", str(tmp_path / "out"), "--jobs", "2"]
    command = [sys.executable, "-m", "autograder.cli", "grade", str(tmp_path / "odd"), *options]
    options = ["--timeout", "2", "--seed", "1"]
    done = client.run([*command, *options], cwd=root, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    parts = []
    for path in sorted((tmp_path / "out").glob("*/results.json")):
        student, content = path.parent.name, json.loads(path.read_text("utf-8"))
        status = content["extra_data"]["status"]
        step = next(test for test in content["tests"] if test["name"] == "attention_score")
        words = [content["output"], step["output"]]
        head = f"{student}: {status}, {content['score']} points, attention_score {step['extra_data']['outcome']}"
        parts.append(
            "\n".join([head, *(f"  {line}" for text in words for line in text.splitlines())])
        )
    assert_golden("bad_files", "\n\n".join(parts))
