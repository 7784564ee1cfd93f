"""Print all known mistakes and accepted styles: `python -m tests.truth.misconceptions`."""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING

from autograder.explain.rules import NAMELESS, WORDS
from tests.exams import ASSIGNMENTS, source_of
from tests.truth.styles import STYLES
from tests.truth.variant import table

if TYPE_CHECKING:
    from collections.abc import Iterator

HEAD = """\
# Misconceptions

What the grader knows by name: mistakes in each step of each assignment, exceptions and objects that explain
themselves, and right ways to write a step. Each entry begins with its name, which stands in `extra_data.mistakes` of a
result and in the truth tables in `tests/truth/`.
"""


def lines() -> Iterator[str]:
    yield HEAD
    for assignment in ASSIGNMENTS:
        yield f"## Mistakes in `{assignment}`\n"
        mistakes = source_of(assignment).mistakes
        for step, known in groupby(mistakes, key=lambda mistake: mistake.step):
            yield f"`{step}`\n"
            for mistake in known:
                same = f" (Same effect as `{mistake.same_as}`.)" if mistake.same_as else ""
                yield f"- `{mistake.name}`: {mistake.says}{same}"
            yield ""
    yield "## Exceptions and objects that explain themselves\n"
    words: dict[str, str] = {}
    for key, (says, _) in sorted(WORDS.items()):
        if key not in NAMELESS:
            words.setdefault(key.partition(".")[0], re.sub(r"\{\w+\}", "...", says))
    yield from (f"- `{name}`: {says}" for name, says in words.items())
    yield "\n## Accepted styles\n"
    examples = [variant.row for _, variant in table("accepted")]
    for name, says in STYLES.items():
        count = examples.count(name)
        yield f"- `{name}`: {says} ({count} {'example' if count == 1 else 'examples'})"


def main() -> None:
    print("\n".join(lines()))


if __name__ == "__main__":
    main()
