"""Put small faults into `autograder/`, one at a time, and report which tier of tests finds each.

    python -m tests.faults                                        # every fault, every tier
    python -m tests.faults late_at_the_deadline --near            # one fault, only the tests nearest to it

A fault that no test finds shows what the tests do not prove. The project stays as it is: the faults are in a copy of it
in the folder for temporary files, which takes 1 GB.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections import Counter
from pathlib import Path

from tests.faults.copies import Copy
from tests.faults.faults import FAULTS, Fault

# Which tests a tier adds to those before it: an expression for `pytest -m`.
TIERS = {
    "unit": "unit and not large",
    "test": "not slow and not install and not (unit and not large)",
    "all": "slow and not install",
}
NOT_FOUND, STALE, HANGS = "not found", "stale", "hangs"
SECONDS = 1200.0  # when a run of tests is ended
# pytest's exit codes if the tests pass, and if none is of the tier.
_RIGHT = (0, 5)
_FAILED = re.compile(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", re.MULTILINE)


def find(fault: Fault, copy: Copy, *, near: bool) -> tuple[str, str]:
    """Return the first tier that finds a fault, and the first failing test.

    Of each tier the tests nearest to the fault run first, then all, unless only the nearest are wanted.
    """
    if not copy.fits(fault):
        return STALE, ""
    with copy.with_fault(fault):
        for tier, added in TIERS.items():
            for tests in [fault.tests] if near else [fault.tests, ("tests",)]:
                code, output = copy.test(added, tests, SECONDS)
                if code not in _RIGHT:
                    return tier, HANGS if code is None else first_failing(output)
    return NOT_FOUND, ""


def first_failing(output: str) -> str:
    """Return the test that failed, or the last line if no test began."""
    # What a test printed stands above, and may look the same.
    summary = output.rpartition(" short test summary info ")[2]
    return next(iter(_FAILED.findall(summary)), output.strip().rpartition("\n")[2])


def refuse_failing(copy: Copy, faults: list[Fault]) -> None:
    """Exit if a nearest test fails without a fault: then it proves nothing."""
    near = sorted({test for fault in faults for test in fault.tests})
    for added in TIERS.values():
        code, output = copy.test(added, near, 3 * SECONDS)
        if code not in _RIGHT:
            sys.exit(f"{output}\nThis fails without a fault, or does not end. No fault was tried.")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    names = [fault.name for fault in FAULTS]
    parser.add_argument("names", nargs="*", metavar="NAME", help="the faults; all by default")
    parser.add_argument("--near", action="store_true", help="run only the tests nearest to a fault")
    options = parser.parse_args()
    if unknown := {*options.names} - {*names}:
        parser.error(f"There is no {', '.join(unknown)}. The faults are: {', '.join(names)}")
    if sys.prefix == sys.base_prefix:
        parser.error("Start this with the interpreter of a virtual environment, which is copied.")
    faults = [fault for fault in FAULTS if fault.name in options.names or not options.names]
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory(prefix="faults-") as folder:
        Path(folder).chmod(0o755)  # workers of root become another user, who must be able to read
        copy = Copy(Path(folder) / "copy")
        refuse_failing(copy, faults)
        print("| fault | file | found by | first failing test |\n|---|---|---|---|")
        for fault in faults:
            tier, test = find(fault, copy, near=options.near)
            counts[tier] += 1
            shown = test.replace("|", "\\|")
            print(
                f"| {fault.name} | {fault.file} | {tier} | {shown and f'`{shown}`'} |", flush=True
            )
    print(f"\n{len(faults)} faults: " + ", ".join(f"{n} {tier}" for tier, n in counts.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
