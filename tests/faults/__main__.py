"""Put small faults into `autograder/`, one at a time, and report which tier of tests finds each.

    python -m tests.faults                                        # every fault, every tier
    python -m tests.faults late_at_the_deadline --near            # one fault, only the tests nearest to it

A fault that no test finds shows what the tests do not prove. The project stays as it is: the faults are in copies of it
in the folder for temporary files, one for each of `--jobs`, which take 1 GB each.
"""

from __future__ import annotations

import argparse
import itertools
import re
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, NamedTuple

from tests.faults.copies import Copy
from tests.faults.faults import FAULTS, Fault

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

# Which tests a tier runs: an expression for `pytest -m`. Each tier has the tests of the one before it.
TIERS = {"unit": "unit and not large", "test": "not slow and not install", "all": "not install"}
NOT_FOUND, STALE, HANGS = "not found", "stale", "hangs"
HEAD = ("| fault | file | found by | first failing test |", "|---|---|---|---|")
# pytest's exit codes if the tests pass, and if none is of the tier.
_RIGHT = (0, 5)
_FAILED = re.compile(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", re.MULTILINE)


@dataclass(frozen=True)
class Plan:
    """What is done for each fault.

    Attributes:
        tiers: the tiers in order, each with the expression for the tests that it adds to those before it.
        near: only the tests nearest to a fault run.
        processes: how many processes run a whole tier.
        seconds: when a run of tests is ended.
    """

    tiers: Mapping[str, str]
    near: bool
    processes: int
    seconds: float


class Found(NamedTuple):
    """The tier that finds a fault, NOT_FOUND or STALE, and the first failing test."""

    fault: Fault
    tier: str
    test: str = ""

    def __str__(self) -> str:
        test = self.test.replace("|", "\\|")
        return f"| {self.fault.name} | {self.fault.file} | {self.tier} | {test and f'`{test}`'} |"


def expressions(tiers: Sequence[str]) -> dict[str, str]:
    """Return for each tier the expression for the tests that it adds to the tiers before it."""
    chosen = [tier for tier in TIERS if tier in tiers]
    added = {tier: TIERS[tier] for tier in chosen[:1]}
    for before, tier in itertools.pairwise(chosen):
        added[tier] = f"({TIERS[tier]}) and not ({TIERS[before]})"
    return added


def find(fault: Fault, copies: SimpleQueue[Copy], plan: Plan) -> Found:
    """Return the first tier that finds a fault. Of each tier the tests nearest to the fault run first, then all."""
    copy = copies.get()
    try:
        if not copy.fits(fault):
            return Found(fault, STALE)
        stages = [(fault.tests, 1)] + [(("tests",), plan.processes)] * (not plan.near)
        with copy.with_fault(fault):
            for (tier, added), (tests, processes) in itertools.product(plan.tiers.items(), stages):
                code, output = copy.test(added, tests, processes, plan.seconds)
                if code not in _RIGHT:
                    return Found(fault, tier, HANGS if code is None else first_failing(output))
    finally:
        copies.put(copy)
    return Found(fault, NOT_FOUND)


def first_failing(output: str) -> str:
    """Return the test that failed, or the last line if no test began."""
    # What a test printed stands above, and may look the same.
    summary = output.rpartition(" short test summary info ")[2]
    return next(iter(_FAILED.findall(summary)), output.strip().rpartition("\n")[2])


def refuse_failing(copy: Copy, faults: Sequence[Fault], plan: Plan) -> None:
    """Exit if a nearest test fails without a fault: then it proves nothing."""
    near = {test for fault in faults for test in fault.tests}
    for added in plan.tiers.values():
        code, output = copy.test(added, sorted(near), plan.processes, 3 * plan.seconds)
        if code not in _RIGHT:
            sys.exit(f"{output}\nThis fails without a fault, or does not end. No fault was tried.")


def results(
    faults: Sequence[Fault], folder: Path, plan: Plan, options: argparse.Namespace
) -> Iterator[Found]:
    """Yield what finds each fault, as it is done. The copies are made in `folder`."""
    copies: SimpleQueue[Copy] = SimpleQueue()
    with ThreadPoolExecutor(options.jobs) as pool:
        places = [folder / str(number) for number in range(options.jobs)]
        made = list(pool.map(Copy, places))
        refuse_failing(made[0], faults, plan)
        for copy in made:
            copies.put(copy)
        running = [pool.submit(find, fault, copies, plan) for fault in faults]
        try:
            yield from (done.result() for done in as_completed(running))
        finally:
            pool.shutdown(cancel_futures=True)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    names, tiers = [fault.name for fault in FAULTS], ",".join(TIERS)
    parser.add_argument("names", nargs="*", metavar="NAME", help="the faults; all by default")
    parser.add_argument("--tiers", default=tiers, help=f"some of {tiers}")
    parser.add_argument("--near", action="store_true", help="run only the tests nearest to a fault")
    parser.add_argument("--jobs", type=int, default=1, help="faults to try in parallel")
    parser.add_argument("--processes", type=int, default=1, help="processes for a whole tier")
    parser.add_argument("--minutes", type=float, default=20, help="when a run of tests is ended")
    options = parser.parse_args()
    if unknown := {*options.names} - {*names} | {*options.tiers.split(",")} - {*TIERS}:
        parser.error(
            f"There is no {', '.join(sorted(unknown))}. The faults are: {', '.join(names)}"
        )
    if sys.prefix == sys.base_prefix:
        parser.error("Start this with the interpreter of a virtual environment, which is copied.")
    return options


def main() -> int:
    options = arguments()
    faults = [fault for fault in FAULTS if fault.name in options.names or not options.names]
    tiers = expressions(options.tiers.split(","))
    plan = Plan(tiers, options.near, options.processes, 60 * options.minutes)
    with tempfile.TemporaryDirectory(prefix="faults-") as folder:
        Path(folder).chmod(0o755)  # workers of root become another user, who must be able to read
        print("\n".join(HEAD))
        counts: Counter[str] = Counter()
        for found in results(faults, Path(folder), plan, options):
            counts[found.tier] += 1
            print(found, flush=True)
        sums = ", ".join(f"{counts[tier]} {tier}" for tier in (*tiers, NOT_FOUND, STALE))
        print(f"\n{counts.total() - counts[STALE]} faults: {sums}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
