"""Wrong programs for which nobody wrote words: a right submission of another style with one edit of `exam/edits.py`.

The kit searches for its generated mistakes with the same edits, but of the reference. Another style has other places.
"""

from __future__ import annotations

import ast
import functools
import random
from typing import TYPE_CHECKING

from autograder.exam.edits import edited, edits_of
from tests.exams import ASSIGNMENTS, source_of
from tests.truth.variant import base_of
from tests.tutor.random_edits import Edit, Program

if TYPE_CHECKING:
    from collections.abc import Iterator

    from autograder.exam.edits import Edit as CodedEdit

# What the judge of exceptions calls these kinds.
_KINDS = {
    "option-left-out": "keyword left out",
    "axis-none": "keyword left out",
    "call-left-out": "method left out",
    "statement-left-out": "line left out",
    "transpose-left-out": "transpose dropped",
    "transpose-added": "transpose",
    "input-for-another": "another name",
    "arguments-exchanged": "arguments swapped",
}


def single_edits(seed: int, count: int) -> Iterator[Program]:
    """Return so many distinct edited programs. Steps are chosen by their points, then codes, then edits."""
    chance = random.Random(seed)
    steps = [
        (name, check.name, check.points)
        for name in ASSIGNMENTS
        for check in source_of(name).assignment.checks
    ]
    seen: set[str] = set()
    while len(seen) < count:
        name, step, _ = chance.choices(steps, weights=[points for *_, points in steps])[0]
        by_code = _by_code(name, step)
        edit = chance.choice(by_code[chance.choice(sorted(by_code))])
        text = ast.unparse(ast.parse(edited(_source(name, step), edit)))
        if text not in seen:
            seen.add(text)
            yield Program(name, step, (_told(edit),), text, _with_step(name, step, text))


@functools.cache
def _by_code(name: str, step: str) -> dict[str, list[CodedEdit]]:
    found: dict[str, list[CodedEdit]] = {}
    for edit in edits_of(_source(name, step)):
        found.setdefault(edit.code, []).append(edit)
    return found


@functools.cache
def _source(name: str, step: str) -> str:
    tree = ast.parse(base_of(name))
    return ast.unparse(next(node for node in tree.body if getattr(node, "name", "") == step))


def _told(edit: CodedEdit) -> Edit:
    kind = _KINDS.get(edit.code, edit.code)
    if edit.code.startswith(("operator-", "function-")):
        kind = "another operator" if edit.code.startswith("operator-") else "another function"
    return Edit(kind, 0, f"{edit.code}: " + "; ".join(new for *_, new in edit.changes))


def _with_step(name: str, step: str, text: str) -> str:
    tree = ast.parse(base_of(name))
    place = next(n for n, node in enumerate(tree.body) if getattr(node, "name", "") == step)
    tree.body[place] = ast.parse(text).body[0]
    return ast.unparse(tree)
