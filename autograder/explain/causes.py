"""The cause of a wrong answer: from recognised mistakes, from the student's source, or from the numbers.

A known mistake that the numbers prove comes first. Of several with one effect, the one comes first that the source
shows. Two mistakes at once are named only if no single cause is as good.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from autograder.compare import Right, compare
from autograder.explain.evidence import part_words
from autograder.explain.join_mistakes import MistakeWords, mistake_words
from autograder.explain.properties import property_of
from autograder.explain.rules import Explanation, Finding, explained, finding, guess
from autograder.explain.slips import ANSWERED, USED
from autograder.explain.syntax import unused_arguments
from autograder.values.numbers import numbers_in
from autograder.values.values import DictValue

if TYPE_CHECKING:
    from collections.abc import Sequence

    from autograder.compare import Difference
    from autograder.exam.questions import Asked
    from autograder.explain.evidence import Evidence
    from autograder.explain.recognise import Recognition
    from autograder.explain.student_code import Definition, Submitted

# What makes room for numbers and writes none, and a tensor that is made by its sizes.
_EMPTY = re.compile(r"(?:\w{1,40}\.){0,3}(?:new_)?empty(?:_like)?(?=\()")
_TENSOR = re.compile(r"(?:torch\.)?(?:Float)?Tensor(?=\()")


def cause_of(
    asked: Asked,
    difference: Difference,
    found: Recognition,
    evidence: Evidence,
    submitted: Submitted,
) -> Explanation:
    """Return the cause of a wrong answer."""
    step = asked.question.step
    definition = submitted.code.definition(step)
    evidence = replace(evidence, definition=definition)
    called = tuple(submitted.code.called_by(definition)) if definition else ()
    if unwritten := _unwritten_memory(called, evidence):
        return explained(unwritten)
    if slip := ANSWERED.first(evidence):
        return Explanation(slip.says, slip.look, found.names or (slip.name,), slip.sure)
    # An argument on which the answer depends was used.
    wrong = USED.first(evidence) if evidence.unused is None or evidence.unused else None
    single = found.sure and all(len(alternative) == 1 for alternative in found.alternatives)
    if wrong and not single:
        return explained(wrong)
    words = MistakeWords(asked.exam, called)
    if found.alternatives:
        says, look = mistake_words(words, found)
        says = f"{says} {wrong.says}" if wrong else says
        return Explanation(says, look, found.names, found.sure)
    if part := evidence.wrong_part:
        says, look = mistake_words(words, part.found)
        more = finding("wrong_part", part=part_words(part.key, "it"), says=says)
        return Explanation(more.says, look, part.found.names, part.found.sure)
    if evidence.seen is None:
        return explained(finding("nothing_came_back"))
    if difference.fault == "keys":
        return explained(_keys(difference, submitted.stubs.get(step, "")))
    if difference.fault in ("dtype", "frozen", "equal"):
        return Explanation()
    return _described(asked, evidence)


def _unwritten_memory(called: Sequence[Definition], evidence: Evidence) -> Finding | None:
    """Explain NaN in an answer that has none if unwritten memory is zero; None if that is not the cause."""
    if evidence.with_zeros is None:
        return None
    texts = [definition.text for definition in called]
    if not np.isfinite(numbers_in(evidence.with_zeros)).all():
        return _by_sizes(texts)
    written = next((found[0] for text in texts if (found := _EMPTY.search(text))), "torch.empty")
    zeros = written.replace("empty", "zeros")
    right = compare(Right(evidence.wanted), evidence.with_zeros).difference is None
    key = "unwritten_memory.added_to" if right else "unwritten_memory"
    return finding(key, written=written, zeros=zeros)


def _by_sizes(texts: list[str]) -> Finding | None:
    """Explain a tensor that may have been made by its sizes, which cannot be filled with zeros to see."""
    written = next((found[0] for text in texts if (found := _TENSOR.search(text))), None)
    if written is None:
        return None
    return replace(guess("unwritten_memory.by_sizes", written=written), perhaps=True)


def _keys(difference: Difference, stub: str) -> Finding | None:
    """Name the keys that were asked for, where the release names them."""
    assert isinstance(difference.wanted, DictValue)
    keys = [key for key, _ in difference.wanted.items]
    named = [key for key in keys if isinstance(key, str) and f'"{key}"' in stub]
    if len(named) < len(keys):
        return None
    return finding("keys_differ", keys=", ".join(f"`{key}`" for key in named))


def _described(asked: Asked, evidence: Evidence) -> Explanation:
    """Describe the answer's properties, and the inputs on which it does not depend."""
    found = property_of(evidence)
    described = explained(found)
    same = found is not None and found.key == "same_parts"
    if same and (argument := _never_read(evidence.definition)):
        facts = {"same": described.says, "step": asked.question.step, "argument": argument}
        return explained(finding("argument_not_used.same_parts", **facts))
    unused = evidence.unused or ()
    if not unused or len(unused) == len(asked.question.matters):
        return described
    names = " and ".join(f"`{path[-1]}`" for path in unused)
    them = "them" if len(unused) > 1 else "it"
    cause = explained(finding("argument_not_used", names=names, them=them))
    return replace(cause, says=f"{described.says} {cause.says}".strip())


def _never_read(definition: Definition | None) -> str:
    """Return the only argument that a function never reads; empty if there is none, or more than one."""
    function = definition.function if definition else None
    unused = unused_arguments(function, method=False) if function else []
    return unused[0] if len(unused) == 1 else ""
