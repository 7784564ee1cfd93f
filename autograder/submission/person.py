"""The person who handed in a submission, as known from a platform's download or a roster."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Person:
    """A student, as the files of the instructor name them.

    Attributes:
        name: the full name; empty if only ids are known.
        ids: the ids by their kind. The kinds of platforms are `moodle` (the participant of one
            Moodle assignment), `canvas` (Canvas's user id), `gradescope` (the student id there),
            `github` (the user name) and `nbgrader`. A roster's columns have their titles as kinds,
            in lower case.
        email: the e-mail address, or empty.
        last: the last name, if a roster has it in a column of its own.
    """

    name: str = ""
    ids: Mapping[str, str] = field(default_factory=dict)
    email: str = ""
    last: str = ""


NOBODY = Person()
