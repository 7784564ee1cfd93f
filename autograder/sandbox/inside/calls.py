"""The steps that a student's step calls, and the arguments that it gives them."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from autograder.values.values import DictValue, ListValue, TooLarge, freeze

if TYPE_CHECKING:
    from collections.abc import Collection
    from types import FrameType

    from autograder.values.values import Value


class Calls:
    """Notes the calls of steps during the block.

    Args:
        labels: the names of the student's files or cells.
        steps: the names of the steps.
    """

    def __init__(self, labels: Collection[str], steps: Collection[str]) -> None:
        self._labels, self._steps = labels, steps
        self._calls: dict[str, Value] = {}

    def __enter__(self) -> None:
        sys.setprofile(self._note)

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)

    def found(self) -> Value:
        """Return the names of the steps in the order of their last calls, each with its arguments."""
        return freeze([[name, given] for name, given in self._calls.items()])

    def _note(self, frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event != "call" or code.co_qualname not in self._steps:
            return
        if code.co_filename in self._labels:
            count = code.co_argcount + code.co_kwonlyargcount
            self._calls.pop(code.co_qualname, None)
            self._calls[code.co_qualname] = DictValue(
                tuple((name, _value(frame.f_locals[name])) for name in code.co_varnames[:count])
            )


def _value(argument: object) -> Value:
    try:
        return freeze(argument)
    except TooLarge as error:
        return ListValue("list", (str(error)[:100],))
