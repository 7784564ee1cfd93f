"""Nobody's hand-in changes another's result: a class graded alone, and with everything that could disturb it."""

from __future__ import annotations

import csv
import os
import random
import re
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from autograder.sandbox.warm import can_fork
from tests.attacks.arena import attack_source
from tests.attacks.attack import ATTACKS
from tests.attacks.hostile_class import NAME, write_honest, write_hostile
from tests.attacks.world import User, World
from tests.forking import client
from tests.fuzz.archives import damaged
from tests.fuzz.programs import program

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not can_fork(), reason="without the fork server each takes a second more"),
]

HONEST = 12
ODD_PROGRAMS = 60
ARCHIVES = 30
# Names that look like another student's in a platform's download, or like other things.
FILES = (
    "student-000_204000_assignsubmission_file_",
    "student-000_204000_assignsubmission_file_x_999_assignsubmission_file_self_attention",
    "student000_1_2_self_attention", "student000_LATE_1_2_self_attention", "student-000\u200b",
)  # fmt: skip
FOLDERS = (
    "student-000 (1)", "submission_1", "submission_metadata.yml", "self-attention-student-000", "student-000.py",
    "results.json", "class.jsonl", "overrides.csv", "run.json", "report.html", "..", "-rf", "con", "x" * 255,
    "\u202e000-tneduts",
)  # fmt: skip
ENCODINGS = ("utf-16", "utf-7", "cp1252", "no-such-encoding", "rot13")


@dataclass(frozen=True)
class Graded:
    """What a run wrote for the honest students; times are left out."""

    results: dict[str, bytes]
    rows: dict[str, list[str]]
    pages: dict[str, bool]
    exit_code: int


def grade(root: Path, folder: Path) -> Graded:
    out = folder.with_name(f"{folder.name}-results")
    command = [sys.executable, "-m", "autograder.cli", "grade", str(folder), "--out", str(out)]
    options = ["--assignment", NAME, "--seed", "1", "--jobs", "2", "--allow-degraded", "--fresh"]
    done = client.run([*command, *options], cwd=root, capture_output=True)
    for words in (b"The grader failed", b"report this bug"):
        assert words not in done.stderr, done.stderr.decode("utf-8", "replace")
    assert b"\x1b" not in done.stdout
    names = [f"student-{number:03}" for number in range(HONEST)]
    with (out / "grades.csv").open(encoding="utf-8", newline="") as file:
        rows = {row[0]: row[1:] for row in csv.reader(file)}
    return Graded(
        {name: _without_times(out / name / "results.json") for name in names},
        {name: rows.get(name, []) for name in names},
        {name: (out / name / "feedback.html").is_file() for name in names},
        done.returncode,
    )


def _without_times(results: Path) -> bytes:
    data = results.read_bytes() if results.exists() else b""
    return re.sub(rb'"(execution_time|run)": [^\n]*', b"", data)


def write_members(folder: Path, sources: list[str], world: World) -> None:
    write_hostile(folder, sources[0])
    for attack in ATTACKS:
        if attack.fits and not attack.slow:
            _hand_in(folder / f"attack-{attack.name}", attack_source(attack, world))
    for number in range(ODD_PROGRAMS):
        _hand_in(folder / f"odd-{number}", program(NAME, number))
    for number in range(ARCHIVES):
        place = folder / f"archive-{number}"
        place.mkdir()
        (place / "work.zip").write_bytes(damaged(random.Random(number)))
        (folder / f"packed-{number}.zip").write_bytes(damaged(random.Random(-number)))
    for number, name in enumerate((*FILES, *FOLDERS)):
        place = folder / f"names-{number}"
        place.mkdir()
        (place / f"{name[:200]}.py").write_text(sources[0], encoding="utf-8")
    for name in FOLDERS:
        if not (folder / name).exists():
            _hand_in(folder / name, sources[0])
    for encoding in ENCODINGS:
        source = f"# coding: {encoding}\n".encode() + b"x = '\xff\xfe\x00'\n"
        _hand_in(folder / f"encoded-{encoding}", source)
    _hand_in(folder / "nothing", b"")
    _hand_in(folder / "not-text", os.urandom(4096))


def _hand_in(folder: Path, source: str | bytes) -> None:
    folder.mkdir(parents=True)
    data = source if isinstance(source, bytes) else source.encode("utf-8", "surrogatepass")
    (folder / f"{NAME}.py").write_bytes(data)


def test_nobodys_hand_in_changes_anothers_result(root: Path, tmp_path: Path) -> None:
    """How long it takes is measured by `python -m benchmarks.hostile_class`."""
    examples, folder = root / "examples" / "submissions", tmp_path / "class"
    names = ("amara-o", "farid-h", "chen-l", "elif-y")
    sources = [(examples / one / f"{NAME}.py").read_text(encoding="utf-8") for one in names]
    write_honest(folder, sources, HONEST)
    alone = grade(root, folder)
    honest = {path.name for path in folder.iterdir()}
    with World(User(os.getuid(), os.getgid(), files=os.getuid())) as world:
        write_members(folder, sources, world)
        members = [path for path in folder.iterdir() if path.name not in honest]
        together = grade(root, folder)
        (folder / "unreadable").chmod(0o700)

        assert len(members) > 250
        assert set(alone.pages.values()) == {True}
        assert together == alone
