"""Which tests start interpreters of their own, and why a forked process would not do."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

pytestmark = pytest.mark.unit

TESTS = Path(__file__).parents[1]
STARTS = ("subprocess.run", "subprocess.Popen", "subprocess.check_output")
# Folders of what students hand in.
HAND_INS = {"hostile", "rows"}
# Files of tests, and what only a new interpreter shows there.
NEW_INTERPRETERS = {
    "assignment/test_cases.py": "another hash seed",
    "attacks/test_attacks.py": "another user",
    "faults/copies.py": "a copy of the project, with an interpreter of its own",
    "forking/client.py": "the process from which all others are forked",
    "forking/test_client.py": "what a forked process is compared with",
    "grading/test_endless_lines.py": "processes that keep the machine busy",
    "grading/test_open_run.py": "the last garbage collection at the end of an interpreter",
    "nbgrader/course.py": "two interpreters, which order sets differently",
    "nbgrader/browsing.py": "JupyterLab, which starts kernels",
    "nbgrader/test_gradebook.py": "a missing package",
    "nbgrader/test_imports.py": "which modules an import brings",
    "commands/test_grade.py": "another encoding of the streams",
    "release/test_build.py": "another hash seed",
    "release/test_bundle.py": "missing packages",
    "release/test_source_notebook.py": "missing packages",
    "release/test_platforms_run.py": "a platform's own installation",
    "sandbox/layers/test_seccomp.py": "a filter that no process can take off again",
    "sandbox/forked.py": "a fork server inside of bubblewrap",
    "sandbox/test_limits.py": "processes that keep a core busy, and one that sleeps",
    "student/test_pytest_plugin.py": "which modules pytest and the release import",
    "commands/test_hint_after_a_check.py": "what a command imports",
    "test_dockerfile.py": "pip",
    "test_house.py": "import-linter, which imports its plugins",
    "test_install.py": "an installed package without this folder",
    "test_portability.py": "missing modules of the system, and other encodings",
    "truth/frozen.py": "each version of the command on its own",
    "truth/test_processors.py": "another processor's instructions, which libraries choose when they are loaded",
}


def starts_interpreters(path: Path) -> bool:
    """Whether a file uses `subprocess` for anything but programs that it names by a text."""
    text = path.read_text(encoding="utf-8")
    if "subprocess" not in text:
        return False
    nodes = list(ast.walk(ast.parse(text)))
    kinds = {id(node.value) for node in nodes if isinstance(node, ast.Subscript)}
    others = {id(node.func) for node in nodes if isinstance(node, ast.Call) and names_program(node)}
    return any(
        isinstance(node, ast.Attribute)
        and ast.unparse(node) in STARTS
        and id(node) not in kinds | others
        for node in nodes
    )


def names_program(call: ast.Call) -> bool:
    """Whether the first argument is a list that begins with the name of a program."""
    match call.args:
        case [ast.List(elts=[ast.Constant(), *_]), *_]:
            return True
    return False


def test_each_file_that_starts_interpreters_says_why() -> None:
    files = [path for path in TESTS.rglob("*.py") if not HAND_INS.intersection(path.parts)]
    found = {path.relative_to(TESTS).as_posix() for path in files if starts_interpreters(path)}
    assert found == NEW_INTERPRETERS.keys()
