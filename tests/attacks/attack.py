"""Read the attacks in `hostile/`.

Each attack is one file, in the folder of its goal: a submission whose docstring says what it tries and what stops it.
Fields that are not there are empty.
"""

from __future__ import annotations

import ast
import platform
from dataclasses import dataclass
from pathlib import Path

HOSTILE = Path(__file__).parent / "hostile"
GOALS = ("points", "read", "write", "network", "process", "exhaust", "protocol", "deceive", "stall")
CATALOGUE = range(1, 41)

# Rows of the catalogue of attacks on graders that cannot be written as a file here, with reasons.
CATALOGUE_NOT_APPLICABLE = {
    33: "what students change in their own repository changes no mark: the instructor grades with files of their own",
    34: "a notebook's metadata is no running code: tests/submission/test_submission.py",
    35: "of an archive only files that count are unpacked; links, sizes, names: tests/submission/test_bad_files.py",
}


@dataclass(frozen=True)
class Attack:
    """One attack, as described by its docstring.

    Attributes:
        tries: what the attack does, in one line.
        goal: what it is after.
        fields: the lines `key: value` below `tries`.
        text: the source, with placeholders such as @PORT@.
        stopped_by: what should stop the attack, as text.
        handed_in: the form of the submission: `script`, or the name of a form in `arena.FORMS`.
        catalogue: the rows of the catalogue that the attack implements.
        honest: the honestly implemented steps and their allowed points: all, unless `step=points`.
        stand_in: layers without which the attack is harmless to run and must succeed: each of them is needed.
        only_with: the only layers that stop the attack; without them, its success is a known limit.
        beside: names of other files in the same submission.
        uses: names of files in `parts/` that stand before the attack in its submission.
        twice: whether the attack looks for traces of its own earlier run.
        slow: whether the attack reaches a time limit.
        costly: whether the attack makes the grader do all that its limits allow.
        fits: whether the attack's machine code and system call numbers fit this machine.
    """

    name: str
    tries: str
    goal: str
    fields: dict[str, str]
    text: str
    stopped_by: str
    handed_in: str
    catalogue: tuple[int, ...]
    honest: dict[str, float]
    stand_in: tuple[str, ...]
    only_with: tuple[str, ...]
    beside: tuple[str, ...]
    uses: tuple[str, ...]
    twice: bool
    slow: bool
    costly: bool
    fits: bool


def read_attack(path: Path) -> Attack:
    text = path.read_text(encoding="utf-8")
    docstring = ast.get_docstring(ast.parse(text)) or ""
    tries, _, rest = docstring.partition("\n")
    pairs = (line.partition(": ") for line in rest.splitlines() if line)
    fields = {key: value for key, _, value in pairs}
    words = {key: tuple(value.split()) for key, value in fields.items()}
    honest = (word.partition("=") for word in words.get("honest", ()))
    return Attack(
        path.stem,
        tries,
        path.parent.name,
        fields,
        text,
        stopped_by=fields["stopped_by"],
        handed_in=fields.get("handed_in", "script"),
        catalogue=tuple(map(int, words.get("catalogue", ()))),
        honest={step: float(points or "inf") for step, _, points in honest},
        stand_in=words.get("stand_in", ()),
        only_with=words.get("only_with", ()),
        beside=words.get("beside", ()),
        uses=words.get("uses", ()),
        twice=fields.get("twice") == "yes",
        slow=fields.get("slow") == "yes",
        costly=fields.get("costly") == "yes",
        fits=fields.get("machine", platform.machine()) == platform.machine(),
    )


ATTACKS = sorted(map(read_attack, HOSTILE.glob("*/*.py")), key=lambda attack: attack.name)

# Attacks with known and accepted gains, each with its exact gains.
KNOWN_GAINS: dict[str, list[str]] = {
    # Where the value is wrong, only the worker can report what a class registers. To implement it takes
    # three lines, to forge it thirty.
    "forged_census": [
        "earned 1 points for SelfAttention_v1",
        "earned 1 points for SelfAttention_v2",
    ]
}
