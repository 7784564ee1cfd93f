"""The kit's commands inside the tests' own process."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from click.testing import CliRunner

from autograder.cli import main
from tests.forking import kept
from tests.forking.client import CAN_FORK

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


@dataclass(frozen=True)
class Invoked:
    """How a command ended, with its two streams apart."""

    exit_code: int
    stdout: str
    stderr: str
    exception: BaseException | None

    @property
    def output(self) -> str:
        """Everything that was written."""
        return self.stdout + self.stderr


def invoke(arguments: Sequence[str], *, alone: bool = False, **options: Any) -> Invoked:
    """What `autograder ARGUMENTS` does; `alone` as in `tests.forking`."""
    if not alone and CAN_FORK:
        kept.prepare(arguments)
        with kept.shared():
            return invoke(arguments, alone=True, **options)
    result = CliRunner().invoke(main, list(arguments), **options)
    return Invoked(result.exit_code, result.stdout, result.stderr, result.exception)


def class_file(folder: Path) -> dict[str, Any]:
    """Return the content of a `class.jsonl`: its first line, and in it the `students` by their names."""
    lines = (folder / "class.jsonl").read_text(encoding="utf-8").splitlines()
    about, *students = map(json.loads, lines)
    return {**about, "students": {one["student"]: one for one in students}}
