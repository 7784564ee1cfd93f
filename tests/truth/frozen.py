"""Grade all examples, truth rows and slips by the command, and compare two such runs.

    python -m tests.truth.frozen before               # hand-ins and results go to the folder `before`
    python -m tests.truth.frozen after --like before  # grades the hand-ins of `before`, says what changed

What is compared is `results.json` without times and versions, and the pages. A change of the code that is to change no
mark and no word is proven by a second run that says nothing.
"""

from __future__ import annotations

import argparse
import difflib
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

from tests.exams import ASSIGNMENTS, ROOT
from tests.truth.slips.test_slips import graded_rows
from tests.truth.variant import base_of, submission, table

SEED = "1"
CHANGES = {"execution_time", "kit_version", "run", "graded_at", "environment"}
VIEWS = ("feedback.html", "feedback.md")


def write_hand_ins(folder: Path) -> None:
    """Write a folder for each assignment, and in it a folder for each hand-in."""
    for kind in ("wrong", "accepted"):
        for assignment, variant in table(kind):
            own = folder / assignment / f"{kind}_{variant.name}"
            own.mkdir(parents=True)
            text = submission(base_of(assignment), variant)
            (own / f"{assignment}.py").write_text(text, encoding="utf-8")
    for slip, form in graded_rows():
        own = folder / slip.assignment / f"slip_{slip.name}_{form}"
        own.mkdir(parents=True)
        slip.write(own, form)
    for example in (ROOT / "examples" / "submissions").iterdir():
        own = folder / "self_attention" / f"example_{example.stem}"
        if example.is_dir():
            shutil.copytree(example, own)
        else:
            own.mkdir()
            shutil.copy(example, own / f"self_attention{example.suffix}")


def grade(hand_ins: Path, out: Path) -> None:
    for assignment in filter(lambda name: (hand_ins / name).is_dir(), ASSIGNMENTS):
        command = [sys.executable, "-m", "autograder.cli", "grade", str(hand_ins / assignment)]
        options = ["--assignment", assignment, "--out", str(out / assignment), "--seed", SEED]
        limits = ["--timeout", "3", "--jobs", "2", "--quiet"]
        subprocess.run([*command, *options, *limits], cwd=ROOT, check=True)


def plain(content: object) -> object:
    """Return the content of a results.json without what each run has of its own."""
    if isinstance(content, dict):
        return {name: plain(value) for name, value in content.items() if name not in CHANGES}
    return [plain(value) for value in content] if isinstance(content, list) else content


def read(path: Path) -> str:
    """Return a file of results as text that two runs share."""
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    text = re.sub(r"/\S+/site-packages/", "/site-packages/", text)
    if path.suffix == ".json" and text:
        return json.dumps(plain(json.loads(text)), indent=1, ensure_ascii=False)
    return re.sub(r"\b\d+(\.\d+)? (ms|s)\b", "", text)


def compare(before: Path, after: Path) -> int:
    """Print the lines that differ between two folders of results; return in how many files."""
    files = {
        path.relative_to(folder)
        for folder in (before, after)
        for path in folder.rglob("*")
        if path.name in (*VIEWS, "results.json") and "environments" not in path.parts
    }
    differ = 0
    for file in sorted(files):
        old, new = (read(folder / file) for folder in (before, after))
        if old != new:
            differ += 1
            lines = difflib.unified_diff(
                old.splitlines(), new.splitlines(), f"{before}/{file}", str(after / file), "", "", 0
            )
            print(*(line.rstrip()[:600] for line in lines), sep="\n")
    print(f"{len(files)} files, {differ} of them differ")
    return differ


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path, help="where hand-ins and results go")
    parser.add_argument("--like", type=Path, metavar="FOLDER", help="an earlier run's folder")
    given = parser.parse_args()
    hand_ins = (given.like or given.folder) / "hand-ins"
    if given.like is None:
        write_hand_ins(hand_ins)
    grade(hand_ins.resolve(), (given.folder / "results").resolve())
    return bool(given.like and compare(given.like / "results", given.folder / "results"))


if __name__ == "__main__":
    sys.exit(main())
