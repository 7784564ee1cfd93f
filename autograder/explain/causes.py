"""The cause of a wrong answer: from recognised mistakes, from the student's source, or from the numbers.

A known mistake that the numbers prove comes first. Of several with one effect, the one comes first that the source
shows. Two mistakes at once are named only if no single cause is as good.
"""

from __future__ import annotations

import ast
import re
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from autograder.compare import Right, compare
from autograder.explain.join_mistakes import MistakeWords, mistake_words
from autograder.explain.properties import property_of
from autograder.explain.rules import Explanation, Finding, explained, finding, guess
from autograder.explain.slips import (
    generator_returned,
    nothing_returned,
    number_with_comma,
    returned_in_a_loop,
    self_left_out,
    trailing_comma,
    variable_for_an_argument,
)
from autograder.explain.surplus import wrong_words
from autograder.explain.syntax import unused_arguments
from autograder.values.numbers import numbers_in
from autograder.values.values import DictValue, ListValue, Other

if TYPE_CHECKING:
    from collections.abc import Sequence

    from autograder.compare import Difference
    from autograder.exam.questions import Exam, Question
    from autograder.explain.properties import Evidence
    from autograder.explain.recognise import Recognition
    from autograder.explain.student_code import Definition, StudentCode, Submitted
    from autograder.explain.surplus import WrongPart
    from autograder.values.values import Value

# What makes room for numbers and writes none, and a tensor that is made by its sizes.
_EMPTY = re.compile(r"(?:\w{1,40}\.){0,3}(?:new_)?empty(?:_like)?(?=\()")
_TENSOR = re.compile(r"(?:torch\.)?(?:Float)?Tensor(?=\()")


def cause_of(
    exam: Exam,
    question: Question,
    difference: Difference,
    found: Recognition,
    evidence: Evidence,
    submitted: Submitted,
) -> Explanation:
    """Return the cause of a wrong answer."""
    definition = submitted.code.definition(question.step)
    unwritten = _unwritten_memory(definition, submitted.code, evidence)
    if unwritten:
        return explained(unwritten)
    slip = _slip_of_the_answer(definition, evidence.seen, submitted) if definition else None
    if slip:
        return Explanation(slip.says, slip.look, found.names or (slip.name,), slip.sure)
    wrong = _wrong_thing_used(definition, evidence, submitted) if definition else None
    single = found.sure and all(len(alternative) == 1 for alternative in found.alternatives)
    if wrong and not single:
        return explained(wrong)
    called = tuple(submitted.code.called_by(definition)) if definition else ()
    if found.alternatives:
        says, look = mistake_words(MistakeWords(exam, called), found)
        says = f"{says} {wrong.says}" if wrong else says
        return Explanation(says, look, found.names, found.sure)
    if evidence.wrong_part:
        return _of_the_part(exam, evidence.wrong_part, called)
    if evidence.seen is None:
        return Explanation("The function gave nothing back. Is there a `return`?")
    if difference.fault == "keys":
        return _keys(difference, submitted.stubs.get(question.step, ""))
    if difference.fault in ("dtype", "frozen", "equal"):
        return Explanation()
    return _described(question, evidence, definition)


def _unwritten_memory(
    definition: Definition | None, code: StudentCode, evidence: Evidence
) -> Finding | None:
    """Explain NaN in an answer that has none if unwritten memory is zero; None if that is not the cause."""
    if evidence.with_zeros is None:
        return None
    texts = [called.text for called in code.called_by(definition)] if definition else []
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


def _never_read(definition: Definition | None) -> str:
    """Return the only argument that a function never reads; empty if there is none, or more than one."""
    if definition is None or isinstance(definition.node, ast.ClassDef):
        return ""
    unused = unused_arguments(definition.node, method=False)
    return unused[0] if len(unused) == 1 else ""


def _slip_of_the_answer(
    definition: Definition, seen: Value, submitted: Submitted
) -> Finding | None:
    """Return a slip that decides what came back, whatever the numbers are."""
    if seen is None or (isinstance(seen, ListValue) and set(seen.items) == {None}):
        return nothing_returned(definition, submitted.code)
    if isinstance(seen, Other) and seen.type_name == "Softmax":
        return finding("softmax_layer")
    if isinstance(seen, Other) and seen.type_name == "generator":
        return generator_returned(definition)
    if isinstance(seen, ListValue) and len(seen.items) == 1:
        return trailing_comma(definition)
    return number_with_comma(definition) or returned_in_a_loop(definition)


def _wrong_thing_used(
    definition: Definition, evidence: Evidence, submitted: Submitted
) -> Finding | None:
    """Return the variable that stands where an argument belongs, unless the answer depends on that argument."""
    reading = variable_for_an_argument(definition, submitted.code)
    if reading is None and isinstance(definition.node, ast.ClassDef):
        reading = self_left_out(definition, submitted.code)
    return reading if evidence.unused is None or evidence.unused else None


def _of_the_part(exam: Exam, part: WrongPart, called: Sequence[Definition]) -> Explanation:
    """Say that more than one thing came back, and what is wrong with the one that was meant."""
    says, look = mistake_words(MistakeWords(exam, called), part.found)
    return Explanation(f"{wrong_words(part.key)} {says}", look, part.found.names, part.found.sure)


def _keys(difference: Difference, stub: str) -> Explanation:
    """Name the keys that were asked for, where the release names them."""
    assert isinstance(difference.wanted, DictValue)
    keys = [key for key, _ in difference.wanted.items]
    named = [key for key in keys if isinstance(key, str) and f'"{key}"' in stub]
    if len(named) < len(keys):
        return Explanation()
    says = f"The keys must be {', '.join(f'`{key}`' for key in named)}."
    return Explanation(says, "The keys in the dictionary, letter by letter.")


def _described(
    question: Question, evidence: Evidence, definition: Definition | None
) -> Explanation:
    """Describe the answer's properties, and the inputs on which it does not depend."""
    found = property_of(evidence, question.inputs)
    words = found.says if found else ""
    same = found is not None and found.key == "same_parts"
    if same and (argument := _never_read(definition)):
        facts = {"same": words, "step": question.step, "argument": argument}
        return explained(finding("argument_not_used.same_parts", **facts))
    unused = evidence.unused or ()
    if not unused or len(unused) == len(question.matters):
        return Explanation(words)
    names = " and ".join(f"`{path[-1]}`" for path in unused)
    them = "them" if len(unused) > 1 else "it"
    cause = explained(finding("argument_not_used", names=names, them=them))
    return replace(cause, says=f"{words} {cause.says}".strip())
