"""Measure how often a sure explanation or a marked line is false, on wrong programs that are in no list.

python -m benchmarks.random_edits [--count N] [--seed N] [--single] [--show]
"""

from __future__ import annotations

import time
from collections import Counter

import click

from tests.exams import ASSIGNMENTS
from tests.tutor.random_edits import Judge, Judgement, Words, random_programs, single_edits


@click.command()
@click.option("--count", default=300, help="Edited programs of each seed.")
@click.option("--seed", default=1, help="Of the first one.")
@click.option("--seeds", default=1, help="How many.")
@click.option("--single", is_flag=True, help="One edit each, of the kinds of edits/places.py.")
@click.option("--show", is_flag=True, help="Every program about which something false was said.")
def main(count: int, seed: int, seeds: int, single: bool, show: bool) -> None:
    """Grade randomly edited programs, and check the grader's explanations."""
    started = time.monotonic()
    judges = {name: Judge(name) for name in ASSIGNMENTS}
    found: list[Judgement] = []
    for first in range(seed, seed + seeds):
        programs = (single_edits if single else random_programs)(first, count)
        found += [judges[program.assignment].judge(program) for program in programs]
    wrong = [one for one in found if not one.equivalent]
    print(
        f"{len(found)} edited programs, {len(found) - len(wrong)} of them right; {len(wrong)} wrong:"
    )
    outcomes = Counter(one.result.outcome.value for one in wrong)
    print("  " + ", ".join(f"{name} {number}" for name, number in outcomes.most_common()))
    sure = [one for one in wrong if one.sure]
    guesses = sum(bool(one.result.mistakes) for one in wrong) - len(sure)
    false = [one for one in sure if one.false or one.elsewhere]
    missed = [one for one in found if one.missed]
    print(f"  a mistake named: sure {len(sure)}, as a guess {guesses}")
    print(
        f"  sure and false: {len(false)} ({100 * len(false) / max(1, len(sure)):.2f} % of the sure ones)"
    )
    above = [one for one in wrong if one.above]
    print(f"  a line marked: {sum(one.marked for one in wrong)}, above the edit: {len(above)}")
    print(f"  full marks for a wrong step: {len(missed)}")
    print("  words from")
    words = Counter(one.words for one in wrong)
    for kind in Words:
        print(f"    {kind.value:<28} {words[kind]:>6}")
    right = [one for one in found if one.equivalent and one.result.mistakes]
    print(f"  right, and yet a mistake was named: {len(right)}")
    for one in [*false, *above, *missed, *right] if show else ():
        edits = "; ".join(f"{edit.kind}: {edit.before}" for edit in one.program.edits)
        print(f"\n{one.program.assignment} {one.program.step} [{edits}]")
        print(
            f"  named {', '.join(one.result.mistakes) or '-'}; {one.result.score} of {one.result.max_score}"
        )
        if one.result.feedback:
            print(f"  {one.result.feedback.message}")
        print("\n".join("    " + line for line in one.program.step_source.splitlines()))
    print(f"{time.monotonic() - started:.1f} s")


if __name__ == "__main__":
    main()
