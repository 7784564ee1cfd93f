"""A run: its seed, kept in `run.json` for the instructor, and its id, which students may see."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from autograder import __version__
from autograder.errors import UsageError
from autograder.files import write_whole
from autograder.records import from_json, to_json

if TYPE_CHECKING:
    from pathlib import Path

RUN_FILE = "run.json"
SEED_BITS = 128


@dataclass(frozen=True)
class Run:
    """The data that make a run reproducible.

    Attributes:
        seed: the seed of the run.
        round: how many times the run had ended in its folder when this exam was drawn: what changed since then meets
            other questions.
        id: a hash of the assignment with its source, kit version and seed. Results with another id are graded again.
        earlier_id: the id that the folder had before; empty if it is new.
        earlier_version: the kit's version that wrote this id.
    """

    assignment: str
    seed: int
    id: str = ""
    round: int = 0
    earlier_id: str = field(default="", compare=False)
    earlier_version: str = field(default="", compare=False)

    @property
    def exam_seed(self) -> int:
        """The seed from which the cases of this round are drawn."""
        if not self.round:
            return self.seed
        digest = hashlib.sha256(f"{self.seed}\0{self.round}".encode()).digest()
        return int.from_bytes(digest[: SEED_BITS // 8])

    def of_source(self, digest: str) -> Run:
        """Return the run with its id, from the digest of the assignment's source."""
        origin = f"{self.assignment}\0{digest}\0{__version__}\0{self.seed}"
        return replace(self, id=hashlib.sha256(origin.encode()).hexdigest()[:32])

    def write(self, folder: Path) -> None:
        """Write the run to `run.json` in the folder. Create the folder if needed."""
        content = _RunFile(self.assignment, __version__, str(self.seed), self.id)
        write_whole(folder / RUN_FILE, to_json(content), secret=True)


@dataclass(frozen=True)
class _RunFile:
    """The content of `run.json`. `run` is the id."""

    assignment: str
    kit_version: str
    seed: str
    run: str


def find_run(folder: Path, assignment: str, *, seed: int | None, fresh: bool) -> Run:
    """Return the run that `folder` holds, or a new one, not yet written and without its id.

    Raises UsageError if the folder's `run.json` cannot be read, or has another seed or assignment,
    and `fresh` is False.
    """
    if not (folder / RUN_FILE).exists() or fresh:
        return Run(assignment, secrets.randbits(SEED_BITS) if seed is None else seed)
    kept = _load(folder / RUN_FILE)
    if kept.assignment != assignment:
        raise UsageError(
            f"{folder} holds results of the assignment {kept.assignment!r}. Give another --out, or --fresh to "
            "start anew."
        )
    if seed not in (None, kept.seed):
        raise UsageError(
            f"{folder} holds results of another seed. Leave --seed out to go on, or give --fresh to start anew."
        )
    return kept


def earlier_run(folder: Path) -> Run:
    """Return the run that `folder` holds, with the id that it was graded under.

    Raises UsageError if there is none, or if its `run.json` cannot be read.
    """
    path = folder / RUN_FILE
    if not path.is_file():
        raise UsageError(
            f"{folder} holds no results: there is no {RUN_FILE}. Give the DIR that `autograder grade --out` wrote."
        )
    return _load(path)


def _load(path: Path) -> Run:
    """Return the run in a `run.json`, with the id that it was graded under."""
    try:
        kept = from_json(_RunFile, path.read_bytes())
        run = Run(kept.assignment, int(kept.seed), kept.run)
        return replace(run, earlier_id=kept.run, earlier_version=kept.kit_version)
    except (OSError, ValueError) as error:
        raise UsageError(
            f"{path} cannot be read ({error!r}). Give --fresh to start anew."
        ) from None
