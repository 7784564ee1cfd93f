"""End code that runs too many lines. Lines are counted, no clock: the same code ends everywhere at the same place."""

from __future__ import annotations

import contextlib
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from types import FrameType

# Steps run some hundred lines on a question.
MOST_LINES_RUN = 20_000


class TooManyLinesError(Exception):
    """Code has run too many lines."""


@contextlib.contextmanager
def few_lines(labels: Collection[str]) -> Iterator[None]:
    """Let code of these files or cells raise TooManyLinesError in this block, once it has run too many lines."""
    left = MOST_LINES_RUN

    def count(_frame: FrameType, event: str, _argument: Any) -> Any:
        nonlocal left
        left -= event == "line"
        if left < 0:
            raise TooManyLinesError
        return count

    def enter(frame: FrameType, event: str, argument: Any) -> Any:
        return count(frame, event, argument) if frame.f_code.co_filename in labels else None

    before = sys.gettrace()
    sys.settrace(enter)
    try:
        yield
    finally:
        sys.settrace(before)
