"""The record of an exception with an explanation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from autograder.explain.line_evidence import SourceTest


@dataclass(frozen=True)
class KnownError:
    """An exception that a beginner may not understand. {0}, {1}, ... are the groups of `message`.

    Attributes:
        line: a test of the statement that failed.
        assigned: the test may also look at where the statement's variables got their values.
    """

    name: str
    message: str
    says: str
    look: str
    line: SourceTest | None = None
    assigned: bool = False
