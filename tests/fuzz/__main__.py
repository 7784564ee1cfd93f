"""More of the same: `python -m tests.fuzz --frames 100000 --submissions 10000 --archives 10000`.

Prints in the end how many examples ended in which way. An example that fails is printed, a frame as small as possible;
the exit code is 1 then.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import secrets
import sys
import time
import traceback
import warnings
from collections import Counter
from typing import TYPE_CHECKING

import hypothesis
from hypothesis import HealthCheck, Phase, given, settings

from tests.fuzz import archives, frames, programs, submissions

if TYPE_CHECKING:
    from collections.abc import Callable

# What Hypothesis remembers of a round is let go with it.
_ROUND = 500


def drawn(total: int, seed: int) -> Counter[str]:
    """Read about so many frames; return how often each outcome was."""
    outcomes: Counter[str] = Counter()

    def once(body: bytes) -> None:
        outcomes[frames.decoded(body)] += 1

    while (done := outcomes.total()) < total:
        test = settings(
            max_examples=min(_ROUND, total - done),
            database=None,
            deadline=None,
            phases=[Phase.generate, Phase.shrink],
            suppress_health_check=list(HealthCheck),
            report_multiple_bugs=False,
        )(given(frames.bodies())(once))
        hypothesis.seed(seed + done)(test)()
    return outcomes


def seeded(run: Callable[[int], str], total: int, seed: int) -> Counter[str]:
    """Run the examples that so many seeds decide; return how often each outcome was."""
    outcomes: Counter[str] = Counter()
    for number in range(seed, seed + total):
        try:
            outcomes[run(number)] += 1
        except Exception:
            print(f"the example of the seed {number} failed", flush=True)
            raise
    return outcomes


def tried(name: str, run: Callable[[], Counter[str]]) -> bool:
    """Run one kind of examples and print how they ended; return whether all was well."""
    started = time.monotonic()
    try:
        outcomes = run()
    except Exception:  # noqa: BLE001 - whatever it is, it is what was looked for
        traceback.print_exc()
        print(f"{name}: failed", flush=True)
        return False
    print(f"{name}: {outcomes.total():,} in {time.monotonic() - started:.0f} s", flush=True)
    for outcome, count in outcomes.most_common():
        print(f"    {count:>8,}  {outcome}")
    return True


def main() -> int:
    """Run as many examples as are asked for; 1 if one of them failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--frames", type=int, default=100_000)
    parser.add_argument("--submissions", type=int, default=10_000)
    parser.add_argument("--archives", type=int, default=10_000)
    parser.add_argument("--programs", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=secrets.randbits(32))
    asked = parser.parse_args()
    warnings.simplefilter("error")
    seed: int = asked.seed
    print(f"--seed {seed}", flush=True)
    course = submissions.Course()
    kinds: dict[str, Callable[[], Counter[str]]] = {
        "frames": functools.partial(drawn, asked.frames, seed),
        "archives": functools.partial(seeded, archives.outcome, asked.archives, seed),
        "programs": functools.partial(seeded, programs.outcome, asked.programs, seed),
        "submissions": functools.partial(seeded, course.outcome_of, asked.submissions, seed),
    }
    with contextlib.closing(course.sandbox):
        well = [tried(name, run) for name, run in kinds.items()]
    return 0 if all(well) else 1


if __name__ == "__main__":
    sys.exit(main())
