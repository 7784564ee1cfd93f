"""Ask the further questions about an answer that holds more than was asked for."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from autograder.compare import compare
from autograder.explain.evidence import WrongPart, keys_of, only, right_key
from autograder.explain.recognise import recognise_mistakes

if TYPE_CHECKING:
    from autograder.exam.questions import Asked, Question
    from autograder.explain.evidence import Key
    from autograder.explain.recognise import Once
    from autograder.grading.observations import Observations
    from autograder.results import Observation


def surplus_evidence(
    asked: Asked, kept: Observation, observations: Observations, once: Once
) -> dict[str, Any]:
    """Return fields of `Evidence`: the answers to the further questions, and what the meant part shows.

    Returns none if the answer holds no more than was asked for.
    """
    keys = keys_of(kept.value, asked.right[0].value)
    if not keys:
        return {}
    questions = asked.exam.questions_for(asked.check, asked.criterion)
    further = tuple(
        (
            observations.observe_once(other, asked.probe).value,
            other.answers[asked.probe].right[0].value,
        )
        for other in questions
        if other is not asked.question
    )
    if right_key(((kept.value, asked.right[0].value), *further)) is not None:
        return {"further": further}
    parts = (_wrong_part(key, asked, kept, observations, once) for key in keys)
    return {"further": further, "wrong_part": next(filter(None, parts), None)}


def _wrong_part(
    key: Key, asked: Asked, kept: Observation, observations: Observations, once: Once
) -> WrongPart | None:
    """Return the known mistake that this part of the answers shows; None if it shows none, or more than one.

    A part of another shape is something else.
    """

    def part(question: Question, probe: int, seen: Observation) -> Observation:
        wanted = question.answers[probe].right[0].value
        return replace(seen, value=only(key, seen.value, wanted))

    def ask(question: Question, probe: int) -> Observation:
        return part(question, probe, observations.observe_once(question, probe))

    seen = part(asked.question, asked.probe, kept)
    difference = compare(asked.right[0], seen.value).difference
    if difference is None or difference.fault != "values":
        return None
    found = recognise_mistakes(asked, seen, ask, once)
    single = all(len(alternative) == 1 for alternative in found.alternatives)
    return WrongPart(key, found) if found.sure and single else None
