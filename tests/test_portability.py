"""Other systems, as far as one system can play them: modules that Windows lacks, its files, and narrow encodings."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from tests.commands.released_steps import STUB, copied_release, with_body

if TYPE_CHECKING:
    from collections.abc import Mapping

pytestmark = pytest.mark.slow  # each a real interpreter, and a worker in another

ROOT = Path(__file__).parents[1]
NAME = "self_attention"

BLOCK = """
import sys
for name in ("resource", "fcntl", "pwd", "grp", "termios"):
    sys.modules[name] = None
"""
WORKER = f"{BLOCK}\nfrom autograder.sandbox.inside.worker import main\nmain()\n"
# psutil is imported before: on Windows, it needs none of these.
AS_ON_WINDOWS = f"""import psutil
{BLOCK}
from autograder.sandbox import interpreter
interpreter.COMMAND = (sys.executable, "-s", "-P", "-c", {WORKER!r})
"""
PYTEST = "import sys, pytest\nsys.exit(pytest.main(sys.argv[1:]))\n"
COMMAND = "from autograder.cli import main\nmain()\n"

# Steps that print and raise what a terminal may not be able to show.
WRITTEN = {
    "scale_scores": """\
    try:
        import fcntl
    except ImportError:
        print("no fcntl")
    print("\N{PARTY POPPER} ä \N{EURO SIGN}", "\\ud800")
    return scores / d_k**0.5
""",
    "attention_weights": '    raise ValueError("größer \N{PILE OF POO} \\ud800")\n',
    "context_vectors": '    return "\N{PILE OF POO}"\n',
}
EARNED = {"scale_scores": 1, "attention_weights": 0, "context_vectors": 0, "init_weights": 0}

SYSTEMS: dict[str, tuple[str, Mapping[str, str]]] = {
    "windows": (AS_ON_WINDOWS, {"PYTHONIOENCODING": "cp1252"}),
    "c-locale": ("", {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}),
}
ON_EACH_SYSTEM = pytest.mark.parametrize(
    ("before", "environment"), SYSTEMS.values(), ids=SYSTEMS.keys()
)


class Ran(NamedTuple):
    """How a process ended, and all that it wrote."""

    code: int
    text: str


def run(program: str, arguments: list[str], folder: Path, environment: Mapping[str, str]) -> Ran:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        cwd=folder,
        env=kept | dict(environment),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    return Ran(done.returncode, done.stdout.decode("cp1252", "replace"))


def from_elsewhere(source: str) -> bytes:
    """A file as an editor on another system may write it: with a BOM, CRLF, and tabs throughout."""
    tabs = re.sub(
        "^(?: {4})+", lambda found: "\t" * (len(found[0]) // 4), source, flags=re.MULTILINE
    )
    return b"\xef\xbb\xbf" + tabs.replace("\n", "\r\n").encode()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the release, in a path with spaces and umlauts, with a file that was worked in elsewhere."""
    (tmp_path / "Übung für Zoë").mkdir()
    place = copied_release(tmp_path / "Übung für Zoë")
    source = STUB
    for step, body in WRITTEN.items():
        source = with_body(step, body, source)
    (place / f"{NAME}.py").write_bytes(from_elsewhere(source))
    return place


def assert_nothing_broke(ran: Ran) -> None:
    errors = ("UnicodeEncodeError", "UnicodeDecodeError", "INTERNALERROR", "Traceback")
    assert not any(words in ran.text for words in (*errors, "The kit itself")), ran.text


@ON_EACH_SYSTEM
def test_a_students_pytest_works(folder: Path, before: str, environment: Mapping[str, str]) -> None:
    """With `-s`, what a step prints is written at once; one prints that it could not import what Windows lacks."""
    arguments = ["-p", "no:cacheprovider"]
    ran = run(before + PYTEST, arguments, folder, environment)
    assert_nothing_broke(ran)
    assert ran.code == 1, ran.text
    for step, points in EARNED.items():
        assert re.search(rf"^  {step} +{points} / ", ran.text, re.MULTILINE), ran.text
    ran = run(before + PYTEST, [*arguments, "-k", "scale_scores", "-s"], folder, environment)
    assert_nothing_broke(ran)
    assert ran.code == 0, ran.text
    assert ("no fcntl" in ran.text) is (before == AS_ON_WINDOWS), ran.text


def result_of(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


@ON_EACH_SYSTEM
def test_grading_works(folder: Path, before: str, environment: Mapping[str, str]) -> None:
    """One hand-in, and a folder without one: its name is written all the same."""
    students = folder.parent / "Abgaben"
    shutil.copytree(folder, students / "Zoë")
    (students / "日本 \N{PARTY POPPER}").mkdir()
    (students / "日本 \N{PARTY POPPER}" / "notes.txt").touch()
    out = folder.parent / "Noten"
    arguments = ["grade", str(students), "--assignment", NAME, "--out", str(out)]
    arguments += ["--solutions", str(ROOT / "solutions"), "--seed", "1", "--allow-degraded"]
    ran = run(before + COMMAND, arguments, folder.parent, environment)

    assert_nothing_broke(ran)
    assert ran.code == 0, ran.text
    results = [result_of(path) for path in sorted(out.glob("*/results.json"))]
    assert sorted(result["extra_data"]["status"] for result in results) == ["graded", "rejected"]
    [graded] = [result for result in results if result["extra_data"]["status"] == "graded"]
    scores = {test["name"]: test["score"] for test in graded["tests"]}
    assert {step: scores[step] for step in EARNED} == EARNED
    # Where file names are not UTF-8, what does not fit is kept in Python's way of escaping bytes.
    names = [result["extra_data"]["student"] for result in results]
    names = [name.encode("utf-8", "surrogateescape").decode() for name in names]
    assert set(names) == {"Zoë", "日本 \N{PARTY POPPER}"}
