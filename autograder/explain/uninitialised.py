"""Explain an answer that depends on memory which was never written, such as that of `torch.empty`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from autograder.compare import Right, compare
from autograder.explain.explanation import Reading
from autograder.values.numbers import numbers_in

if TYPE_CHECKING:
    from autograder.explain.properties import Evidence
    from autograder.explain.student_code import Definition, StudentCode

_EMPTY = re.compile(r"(?:\w{1,40}\.){0,3}(?:new_)?empty(?:_like)?(?=\()")
_TENSOR = re.compile(r"(?:torch\.)?(?:Float)?Tensor(?=\()")


def unwritten_memory(
    definition: Definition | None, code: StudentCode, evidence: Evidence
) -> Reading | None:
    """Explain NaN in an answer that has none if unwritten memory is zero; None if that is not the cause."""
    if evidence.with_zeros is None:
        return None
    texts = [called.text for called in code.called_by(definition)] if definition else []
    if not np.isfinite(numbers_in(evidence.with_zeros)).all():
        return _by_sizes(texts)
    written = next((found[0] for text in texts if (found := _EMPTY.search(text))), "torch.empty")
    zeros = written.replace("empty", "zeros")
    right = compare(Right(evidence.wanted), evidence.with_zeros).difference is None
    says = f"`{written}` makes room for numbers and writes none, so nobody knows what stands there (here: nan). "
    if right:
        says += "Your code adds to it."
        look = f"`{zeros}` starts with zeros."
    else:
        says += "Part of your answer was never written."
        look = "Which rows and columns do your loops leave out?"
    return Reading("unwritten_memory", says, look, sure=True)


def _by_sizes(texts: list[str]) -> Reading | None:
    """Explain a tensor that may have been made by its sizes, which cannot be filled with zeros to see."""
    written = next((found[0] for text in texts if (found := _TENSOR.search(text))), None)
    if written is None:
        return None
    says = f"Perhaps: `{written}` with sizes makes room for numbers and writes none."
    return Reading("unwritten_memory", says, "`torch.zeros` starts with zeros.", sure=False)
