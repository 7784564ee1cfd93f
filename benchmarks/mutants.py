"""Whether any exam tells a wrong program from a right one: every small edit of the references, on exams of many seeds.

    python -m benchmarks.mutants [--seeds 20] [NAME...]

For each step: the edits, those that give no answer, the different wrong answers, those that pass because they compute
the same or differ too little, and those that pass in some exam and should not.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from autograder.assignment.source import load_source, source_names
from autograder.exam.mutant_search import search_mutants
from autograder.exam.mutants import StepMutants

SOLUTIONS = Path(__file__).parents[1] / "solutions"


def main() -> int:
    """Run the command; return 1 if an exam misses an edit."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="assignments; all if none")
    parser.add_argument("--seeds", type=int, default=20, help="exams, of the seeds 1, 2, ...")
    given = parser.parse_args()
    missed = 0
    print(f"| assignment, on {given.seeds} exams | {' | '.join(StepMutants().figures)} |")
    print("|---|" + "---|" * len(StepMutants().figures))
    for name in given.names or source_names(SOLUTIONS):
        source = load_source(SOLUTIONS / name)
        steps = search_mutants(source, range(1, given.seeds + 1))
        rows = {step: tuple(found.figures.values()) for step, found in steps.items()}
        sums = tuple(map(sum, zip(*rows.values(), strict=True)))
        for step, row in (*rows.items(), (f"**{name}**", sums)):
            print(f"| {step} | {' | '.join(map(str, row))} |", flush=True)
        for found in steps.values():
            for hole in found.holes:
                print(f"missed: {hole}", file=sys.stderr)
        missed += sums[-1]
    return bool(missed)


if __name__ == "__main__":
    sys.exit(main())
