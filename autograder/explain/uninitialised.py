"""Explain an answer that depends on memory which was never written, such as that of `torch.empty`."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from autograder.compare import Right, compare
from autograder.explain.rules import Finding, finding, guess
from autograder.values.numbers import numbers_in

if TYPE_CHECKING:
    from autograder.explain.properties import Evidence
    from autograder.explain.student_code import Definition, StudentCode

_EMPTY = re.compile(r"(?:\w{1,40}\.){0,3}(?:new_)?empty(?:_like)?(?=\()")
_TENSOR = re.compile(r"(?:torch\.)?(?:Float)?Tensor(?=\()")


def unwritten_memory(
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
