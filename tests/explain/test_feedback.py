"""One check's feedback, put together from that of its criteria."""

from __future__ import annotations

from autograder.explain.feedback import summed_up
from autograder.explain.feedback_text import feedback_blocks
from autograder.reasons import Reason
from autograder.results import Feedback, Outcome, as_markdown

UNNAMED = Feedback(Outcome.WRONG, seen="1 of 6 numbers are not right.", hint="Here.")
NAMED = Feedback(
    Outcome.WRONG, message="Not scaled.", hint="There.", seen="All wrong.", mistakes=("a",)
)
RAISED = Feedback(Outcome.RAISED, seen="`step` raised ValueError.")


def test_a_known_mistake_is_explained_first() -> None:
    found = summed_up([UNNAMED, NAMED], [])
    assert found is not None
    assert (found.message, found.also) == (NAMED.message, (UNNAMED,))
    assert as_markdown(feedback_blocks(found)).endswith("\n\nAlso: 1 of 6 numbers are not right.")


def test_the_same_is_said_once() -> None:
    for one in (UNNAMED, NAMED, RAISED):
        assert summed_up([one, one, one], []) == one


def test_what_only_sounds_alike_is_said() -> None:
    """The words of the second are a part of the words of the first."""
    more = Feedback(Outcome.WRONG, seen="11 of 6 numbers are not right.")
    found = summed_up([more, UNNAMED], [])
    assert found is not None
    assert found.also == (UNNAMED,)


def test_a_step_that_waits_or_ended_adds_nothing() -> None:
    for outcome in (Outcome.TIMED_OUT, Outcome.MISSING, Outcome.NOT_STARTED):
        found = summed_up([NAMED, Feedback(outcome, seen="`step` ended.")], [])
        assert found == NAMED


def test_remarks_stand_alone_where_all_is_right() -> None:
    assert summed_up([], []) is None
    found = summed_up([], ["Mind the dtype.", "Mind the dtype."])
    assert found is not None
    assert as_markdown(feedback_blocks(found)) == "Remark: Mind the dtype."


def test_reasons_become_words_only_in_the_view() -> None:
    found = Feedback(Outcome.RAISED, seen="It raised.", reasons=(Reason.FORBIDDEN,))
    assert "writes no file" in as_markdown(feedback_blocks(found))
