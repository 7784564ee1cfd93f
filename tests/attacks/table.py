"""Print the table of attacks and their results on this machine.

Run `python -m tests.attacks.table`.
"""

from __future__ import annotations

import os

from autograder.assignment.source import load_source
from autograder.exam.draw import draw_exam
from tests.attacks.arena import NAME, Arena
from tests.attacks.attack import ATTACKS, GOALS
from tests.attacks.world import FOLDER_IN_PATH, ROOT, SECRET, TOKEN_VARIABLE, World


def main() -> None:
    """Run every attack with all layers active, and print the outcome."""
    os.environ[TOKEN_VARIABLE] = f"{SECRET}of-the-environment"
    os.environ["PATH"] = f"{FOLDER_IN_PATH}{os.pathsep}{os.environ['PATH']}"
    exam = draw_exam(load_source(ROOT / "solutions" / NAME), 1)
    with Arena(exam) as arena, World(arena.student) as world:
        world.secrets["environment"] = os.environ[TOKEN_VARIABLE]
        print(f"Layers: {', '.join(arena.layers)}.\n")
        print("| attack | tries | stopped by | with all layers |\n|---|---|---|---|")
        for attack in sorted(ATTACKS, key=lambda one: (GOALS.index(one.goal), one.name)):
            ended = "for another kind of machine"
            if attack.fits:
                attempt = arena.attempt(attack, world)
                ended = "; ".join([attempt.summary, *attempt.gains])
            cells = (attack.name.replace("_", " "), attack.tries, attack.stopped_by, ended)
            print(f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |", flush=True)
        world.sweep()


if __name__ == "__main__":
    main()
