"""A run: its seed, kept in `run.json` for the instructor, and its id, which students may see."""

from __future__ import annotations

import hashlib
import json
import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING

from autograder import __version__
from autograder.errors import UsageError
from autograder.files import write_whole

if TYPE_CHECKING:
    from pathlib import Path

    from autograder.assignment.source import Assignment

RUN_FILE = "run.json"
SEED_BITS = 128


@dataclass(frozen=True)
class Run:
    """The data that make a run reproducible.

    Attributes:
        seed: the seed from which the cases are drawn.
        id: a hash of assignment, kit version and seed. Results with another id are graded again.
    """

    assignment: str
    seed: int
    id: str

    def write(self, folder: Path) -> None:
        """Write the run to `run.json` in the folder. Create the folder if needed."""
        folder.mkdir(parents=True, exist_ok=True)
        content = {
            "assignment": self.assignment,
            "kit_version": __version__,
            "seed": str(self.seed),
            "run": self.id,
        }
        write_whole(folder / RUN_FILE, (json.dumps(content, indent=1) + "\n").encode())


def find_run(
    folder: Path, assignment: Assignment, digest: str, *, seed: int | None, fresh: bool
) -> Run:
    """Return the run that `folder` holds, or a new one, not yet written.

    Raises UsageError if the folder's `run.json` cannot be read, or has another seed or assignment,
    and `fresh` is False.
    """
    path = folder / RUN_FILE
    if path.exists() and not fresh:
        seed = _continued_seed(path, assignment.name, seed)
    elif seed is None:
        seed = secrets.randbits(SEED_BITS)
    origin = f"{assignment.name}\0{digest}\0{__version__}\0{seed}"
    return Run(assignment.name, seed, hashlib.sha256(origin.encode()).hexdigest()[:32])


def _continued_seed(path: Path, assignment: str, seed: int | None) -> int:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        kept, name = int(content["seed"]), content["assignment"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UsageError(
            f"{path} cannot be read ({error!r}). Give --fresh to start anew."
        ) from None
    if name != assignment:
        raise UsageError(
            f"{path.parent} holds results of the assignment {name!r}. Give another --out, or --fresh to start anew."
        )
    if seed is not None and seed != kept:
        raise UsageError(
            f"{path.parent} holds results of another seed. Leave --seed out to go on, or give --fresh to start anew."
        )
    return kept
