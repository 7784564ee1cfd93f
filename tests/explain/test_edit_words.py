"""The words for an answer of the reference with a small edit."""

from __future__ import annotations

import pytest

from autograder.exam.edit_kinds import CODES
from autograder.explain.edit_words import explain_edits
from autograder.explain.recognise import RecognisedEdits
from autograder.explain.student_code import StudentCode
from autograder.explain.words_of_edits import EDITS

pytestmark = pytest.mark.unit


def test_each_kind_of_edit_has_words() -> None:
    assert set(EDITS) == set(CODES)


def test_the_plainest_edit_is_said() -> None:
    for sure in (True, False):
        edits = RecognisedEdits((("step", "sign"), ("step", "absolute")), sure=sure)
        found = explain_edits("step", edits)
        assert found.message.endswith("but with the opposite sign in one place.")
        assert (found.mistakes, found.sure) == (("generated:sign",), sure)


@pytest.mark.parametrize(
    ("steps", "named"),
    [(["other"], "in its step `other`"), (["step"], ""), (["other", "third"], "")],
)
def test_an_earlier_step_is_named_if_the_edit_can_only_be_there(
    steps: list[str], named: str
) -> None:
    edits = RecognisedEdits(tuple((name, "call-left-out") for name in steps))
    message = explain_edits("step", edits).message
    assert named in message
    assert ("in its step" in message) == bool(named)


@pytest.mark.parametrize(
    ("body", "said"),
    [("k @ q.T", "generated:transpose-added"), ("turn(k)", "generated:reshaped"), ("k @ q", "")],
)
def test_an_edit_is_said_only_if_the_source_has_what_it_names(body: str, said: str) -> None:
    source = f"def turn(k):\n    return k.view(2, 3)\n\n\ndef step(q, k):\n    return {body}\n"
    edits = RecognisedEdits((("step", "transpose-added"), ("step", "reshaped")), sure=True)
    found = explain_edits("step", edits, StudentCode([("", source)]).definition("step"))
    assert (found.mistakes, bool(found.message)) == (((said,), True) if said else ((), False))
