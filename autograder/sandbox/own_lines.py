"""The lines of a submission: what is quoted of it comes from here, whatever a worker says."""

from __future__ import annotations

import io
import re
from dataclasses import fields, is_dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from autograder.errors import ProtocolError
from autograder.results import Frame
from autograder.text import clean_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from autograder.results import Observation

_LONGEST = 300


class OwnLines:
    """The lines of a submission's pieces of source."""

    def __init__(self, pieces: Sequence[tuple[str, str]]) -> None:
        self._pieces = pieces

    @cached_property
    def _lines(self) -> dict[str, list[str]]:
        """The lines by the label of their piece, as Python counts them; an error may be behind the last one."""
        return {label: [*io.StringIO(text, newline=None), ""] for label, text in self._pieces}

    def error(self, seen: Observation) -> Observation:
        """Return an observation with the text of each line that an exception names.

        Raises ProtocolError for a line that the submission does not have.
        """
        return replace(seen, error=self.quoted(seen.error))

    def quoted(self, told: Any) -> Any:
        """Return what a worker told, a record or several, with the text of each line; raises like `error`."""
        if isinstance(told, Frame):
            return self._with_text(told)
        if isinstance(told, tuple):
            return tuple(map(self.quoted, told))
        if not is_dataclass(told) or isinstance(told, type):
            return told
        return replace(
            told, **{one.name: self.quoted(getattr(told, one.name)) for one in fields(told)}
        )

    def _with_text(self, told: Frame) -> Frame:
        lines = self._lines.get(told.file, [])
        # The path to a function has parts of Python's own, such as `<locals>`.
        path = re.sub(r"<\w+>", "", told.function)
        known = {"", *re.findall(r"\w+", "".join(lines))}
        if not 0 < told.line <= len(lines) or not known.issuperset(path.split(".")):
            raise ProtocolError("an exception names a line that is not there")
        return replace(told, text=clean_text(lines[told.line - 1].strip()[:_LONGEST]))
