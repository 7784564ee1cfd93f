"""More of the same: `python -m tests.fuzz --frames 100000 --submissions 10000 --archives 10000`.

Prints now and then how far it is, in the end how many examples ended in which way. The first example of a kind that
fails is made as small as possible and written to a folder; the exit code is 1 then.
"""

from __future__ import annotations

import argparse
import hashlib
import secrets
import sys
import time
import traceback
import warnings
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import hypothesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.exams import ASSIGNMENTS
from tests.fuzz import archives, frames, programs, submissions

if TYPE_CHECKING:
    from collections.abc import Callable

    Files = tuple[tuple[str, bytes | None], ...]

# What Hypothesis remembers of a round is let go with it.
_ROUND = 500
_SAY_EVERY = 20.0


@dataclass
class Kind:
    """One kind of examples.

    Attributes:
        run: what is done with an example; in a word, how that ended.
        files: an example as files to keep.
    """

    name: str
    examples: st.SearchStrategy[Any]
    run: Callable[[Any], str]
    files: Callable[[Any], Files]
    outcomes: Counter[str] = field(default_factory=Counter)
    slowest: float = 0.0
    last: Any = None

    def once(self, example: Any) -> None:
        """Run one example."""
        self.last = example
        started = time.monotonic()
        outcome = self.run(example)
        self.slowest = max(self.slowest, time.monotonic() - started)
        self.outcomes[outcome] += 1

    def rounds(self, total: int, seed: int) -> bool:
        """Run about `total` examples; whether all was well."""
        started = said = time.monotonic()
        number = 0

        def example(thing: Any) -> None:
            self.once(thing)

        while (done := self.outcomes.total()) < total:
            number += 1
            test = settings(
                max_examples=min(_ROUND, total - done),
                database=None,
                deadline=None,
                phases=[Phase.generate, Phase.shrink],
                suppress_health_check=list(HealthCheck),
                print_blob=False,
                report_multiple_bugs=False,
            )(given(self.examples)(example))
            hypothesis.seed(seed + number)(test)()
            if time.monotonic() - said > _SAY_EVERY:
                said = time.monotonic()
                self._say(f"{self.outcomes.total():,} of {total:,}, {said - started:.0f} s")
        self._say(
            f"{self.outcomes.total():,} in {time.monotonic() - started:.0f} s, slowest {self.slowest:.1f} s"
        )
        for outcome, count in self.outcomes.most_common():
            print(f"    {count:>8,}  {outcome}")
        return True

    def _say(self, words: str) -> None:
        print(f"{self.name}: {words}", flush=True)

    def keep(self, folder: Path) -> Path:
        """Write what was run last, the smallest example that failed, where it can be found."""
        files = self.files(self.last)
        digest = hashlib.sha256(repr(files).encode()).hexdigest()[:12]
        place = folder / f"{self.name.replace(' ', '-')}-{digest}"
        place.parent.mkdir(parents=True, exist_ok=True)
        if not place.exists():
            submissions.put(place, files)
        return place


def _one_file(content: bytes) -> Files:
    return (("bytes", content),)


FRAMES = (
    (0.7, Kind("frames read", frames.bodies, frames.decoded, _one_file)),
    (0.2, Kind("frames judged", frames.answers_to_a_step(), lambda one: frames.judged(*one),
               lambda one: (("step", b"%d" % one[0]), *_one_file(one[1])))),
    (0.1, Kind("workers", frames.scripts, frames.acted, lambda one: _one_file(one.as_bytes()))),
)  # fmt: skip

ARCHIVES = Kind(
    "archives",
    st.integers(0, 2**32 - 1),  # seeds
    archives.outcome,
    lambda seed: (("seed", b"%d" % seed),),
)

PROGRAMS = Kind(
    "programs",
    st.integers(0, 2**32 - 1),  # seeds
    programs.outcome,
    lambda seed: (("program", programs.program_of(seed).encode("utf-8", "surrogatepass")),),
)


def main() -> int:
    """Run as many examples as are asked for; 1 if one of them failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--frames", type=int, default=100_000)
    parser.add_argument("--submissions", type=int, default=10_000)
    parser.add_argument("--archives", type=int, default=10_000)
    parser.add_argument("--programs", type=int, default=20_000)
    parser.add_argument("--assignment", choices=ASSIGNMENTS, default=ASSIGNMENTS[0])
    parser.add_argument("--seed", type=int, default=secrets.randbits(32))
    parser.add_argument("--out", type=Path, default=Path("results/fuzz"))
    asked = parser.parse_args()
    warnings.simplefilter("error")
    print(f"--seed {asked.seed}", flush=True)
    well = [_run(kind, int(share * asked.frames), asked) for share, kind in FRAMES]
    well.append(_run(ARCHIVES, asked.archives, asked))
    well.append(_run(PROGRAMS, asked.programs, asked))
    if asked.submissions:
        with submissions.course(asked.assignment) as course:
            drawn = submissions.handed_in(asked.assignment)
            kind = Kind("submissions", drawn, course.outcome, lambda one: one)
            well.append(_run(kind, asked.submissions, asked))
    return 0 if all(well) else 1


def _run(kind: Kind, total: int, asked: argparse.Namespace) -> bool:
    try:
        return kind.rounds(total, asked.seed)
    except Exception:  # noqa: BLE001 - whatever it is, it is what was looked for
        traceback.print_exc()
        print(f"{kind.name}: failed; the example is in {kind.keep(asked.out)}", flush=True)
        return False


if __name__ == "__main__":
    sys.exit(main())
