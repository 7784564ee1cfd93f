"""A part that a step was not asked for is told only where its reference has no such part."""

from __future__ import annotations

import pytest

from autograder.explain.evidence import Evidence
from autograder.explain.not_asked import part_not_asked_for
from autograder.explain.student_code import StudentCode

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("line", "parts", "told"),
    [
        ("torch.relu(x @ W)", [], "not_asked_for.activation"),
        ("torch.relu(x @ W)", ["mask"], "not_asked_for.activation"),
        ("torch.relu(x @ W)", ["activation"], None),
        ("torch.relu(x @ W)", None, None),
        ("F.dropout(torch.relu(x))", ["activation"], "not_asked_for.dropout"),
        ("torch.tril(x)", ["dropout"], "not_asked_for.mask"),
        ("torch.tril(x)", ["mask"], None),
        ("x @ W", [], None),
    ],
)
def test_the_reference_decides_what_was_asked_for(
    line: str, parts: list[str] | None, told: str | None
) -> None:
    """Whatever words the release has."""
    source = f"def step(x, W):\n    return {line}\n"
    definition = StudentCode([("", source)]).definition("step")
    released = "Without a mask, dropout or an activation."
    evidence = Evidence(0, 1, definition=definition, released=released, parts=parts)
    found = part_not_asked_for(evidence)
    assert (found.key if found else None) == told
