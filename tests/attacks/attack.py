"""Read the attacks in `hostile/`.

Each attack is one file, in the folder of its goal: a submission whose docstring says what it tries and what stops it.
Fields that are not there are empty.
"""

from __future__ import annotations

import ast
import platform
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

HOSTILE = Path(__file__).parent / "hostile"
GOALS = ("points", "read", "write", "network", "process", "exhaust", "protocol", "deceive", "stall")
CATALOGUE = range(1, 41)

# Rows of the catalogue of attacks on graders that cannot be written as a file here, with reasons.
CATALOGUE_NOT_APPLICABLE = {
    33: "what students change in their own repository changes no mark: the instructor grades with files of their own",
    34: "a notebook's metadata is no running code: tests/submission/test_submission.py",
    35: "no archive is unpacked; links, devices, sizes and names of files: tests/submission/test_bad_files.py",
}


@dataclass(frozen=True)
class Attack:
    """One attack, as described by its docstring.

    Attributes:
        tries: what the attack does, in one line.
        goal: what it is after.
        fields: the lines `key: value` below `tries`.
        text: the source, with placeholders such as @PORT@.
    """

    name: str
    tries: str
    goal: str
    fields: dict[str, str]
    text: str

    @property
    def stopped_by(self) -> str:
        """What should stop the attack, as text."""
        return self.fields["stopped_by"]

    @cached_property
    def honest(self) -> dict[str, float]:
        """The honestly implemented steps and their allowed points: all, unless `step=points`."""
        words = (word.partition("=") for word in self._words("honest"))
        return {step: float(points or "inf") for step, _, points in words}

    @cached_property
    def catalogue(self) -> tuple[int, ...]:
        """The rows of the catalogue that the attack implements."""
        return tuple(map(int, self._words("catalogue")))

    @cached_property
    def stand_in(self) -> tuple[str, ...]:
        """Layers without which the attack is harmless to run and must succeed.

        This shows that each of these layers is needed.
        """
        return self._words("stand_in")

    @cached_property
    def only_with(self) -> tuple[str, ...]:
        """The only layers that stop the attack; without them, its success is a known limit."""
        return self._words("only_with")

    @cached_property
    def beside(self) -> tuple[str, ...]:
        """Names of other files in the same submission."""
        return self._words("beside")

    @cached_property
    def uses(self) -> tuple[str, ...]:
        """Names of files in `parts/` that stand before the attack in its submission."""
        return self._words("uses")

    @property
    def handed_in(self) -> str:
        """The form of the submission: `script`, or the name of a form in `arena.FORMS`."""
        return self.fields.get("handed_in", "script")

    @property
    def twice(self) -> bool:
        """Whether the attack looks for traces of its own earlier run."""
        return self.fields.get("twice") == "yes"

    @property
    def slow(self) -> bool:
        """Whether the attack reaches a time limit."""
        return self.fields.get("slow") == "yes"

    @property
    def costly(self) -> bool:
        """Whether the attack makes the grader do all that its limits allow."""
        return self.fields.get("costly") == "yes"

    @property
    def fits(self) -> bool:
        """Whether the attack's machine code and system call numbers fit this machine."""
        return self.fields.get("machine", platform.machine()) == platform.machine()

    def _words(self, field: str) -> tuple[str, ...]:
        return tuple(self.fields.get(field, "").split())


def read_attack(path: Path) -> Attack:
    """Read the attack in a file."""
    text = path.read_text(encoding="utf-8")
    docstring = ast.get_docstring(ast.parse(text)) or ""
    tries, _, rest = docstring.partition("\n")
    pairs = (line.partition(": ") for line in rest.splitlines() if line)
    fields = {key: value for key, _, value in pairs}
    return Attack(path.stem, tries, path.parent.name, fields, text)


ATTACKS = sorted(map(read_attack, HOSTILE.glob("*/*.py")), key=lambda attack: attack.name)

# Attacks with known and accepted gains, each with its exact gains.
KNOWN_GAINS: dict[str, list[str]] = {
    # Where the value is wrong, only the worker can report what a class registers. To implement it takes
    # three lines, to forge it thirty.
    "forged_census": [
        "earned 1 points for SelfAttention_v1",
        "earned 1 points for SelfAttention_v2",
    ],
}
