"""Findings: what a rule found, as a key of the table of words with the facts that they name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from autograder.explain import words_of_answers as answers
from autograder.explain import words_of_errors as errors
from autograder.explain import words_of_files as files
from autograder.explain import words_of_repairs as repairs
from autograder.explain import words_of_source as source
from autograder.explain.messages import MESSAGES
from autograder.results import Feedback, Outcome

if TYPE_CHECKING:
    from collections.abc import Mapping

    from autograder.reasons import Reason
    from autograder.results import Frame

    Table = Mapping[str, Any]

# What has a name in results, and what has none: properties of an answer, and what is wrong with a file.
_NAMED: tuple[Table, ...] = (
    {key: (known.says, known.look) for key, known in MESSAGES.items()},
    errors.OPERATIONS,
    errors.NAMES,
    errors.CALLS,
    source.SLIPS,
    source.CLASSES,
    source.OBSTACLES,
    repairs.REPAIRS,
)
_NAMELESS: tuple[Table, ...] = (
    answers.ANSWERS,
    answers.DIVERGENCES,
    files.STEPS,
    files.FILES,
    repairs.PLACES,
)
# For each finding what is wrong, and where to look or what to do.
WORDS = {
    key: (words, "") if isinstance(words, str) else words
    for table in (*_NAMED, *_NAMELESS)
    for key, words in table.items()
}
NAMELESS = frozenset(key for table in _NAMELESS for key in table)


@dataclass(frozen=True)
class Finding:
    """What a rule found.

    Attributes:
        key: its words in the table. What stands before the dot is its name in results.
        facts: what the words name.
        sure: there is evidence for this cause.
    """

    key: str
    facts: tuple[tuple[str, object], ...] = ()
    sure: bool = True

    @property
    def name(self) -> str:
        return self.key.partition(".")[0]

    @property
    def says(self) -> str:
        """What is wrong."""
        return WORDS[self.key][0].format(**dict(self.facts))

    @property
    def look(self) -> str:
        """Where to look."""
        return WORDS[self.key][1].format(**dict(self.facts))


def finding(key: str, /, **facts: object) -> Finding:
    """Return what a rule found and has evidence for: the key of its words, and the facts that they name."""
    return Finding(key, tuple(facts.items()))


def guess(key: str, /, **facts: object) -> Finding:
    """Return what a rule found and is not sure of."""
    return Finding(key, tuple(facts.items()), sure=False)


def say(key: str, /, **facts: object) -> str:
    """Return the sentence of the table under this key."""
    return finding(key, **facts).says


def explained(found: Finding | None, outcome: Outcome = Outcome.WRONG) -> Feedback:
    """Return feedback with what was found as its cause; empty feedback if nothing was."""
    if found is None:
        return Feedback(outcome)
    if found.key in NAMELESS:
        return Feedback(outcome, found.says, found.look)
    return Feedback(outcome, found.says, found.look, mistakes=(found.name,), sure=found.sure)


def said(
    outcome: Outcome, found: Finding, *reasons: Reason, lines: tuple[Frame, ...] = ()
) -> Feedback:
    """Return feedback about what was found: what was seen, and what to do."""
    return Feedback(outcome, seen=found.says, message=found.look, lines=lines, reasons=reasons)


def holding(reasons: Mapping[Reason, bool]) -> tuple[Reason, ...]:
    """Return the reasons that hold."""
    return tuple(reason for reason, holds in reasons.items() if holds)
