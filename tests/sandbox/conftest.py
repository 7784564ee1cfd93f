"""What the sandbox's tests share: checks for steps of any name, and sessions that observe them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from autograder.sandbox.fresh import Sandbox
from autograder.sandbox.limits import Limits
from autograder.sandbox.session import Session
from autograder.sandbox.warm import WarmSandbox, can_fork

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


_CHECK = '''
@check(points=1)
def test_{step}(student, case):
    """Whatever comes back."""
    return student.{step}(case.x)
'''


def probes(*steps: str) -> bytes:
    """Checks that call each of these steps with `x` and return what it returns."""
    source = "from autograder import check\n"
    return (source + "".join(_CHECK.format(step=step) for step in steps)).encode()


# Layers that forbid nothing that an ordinary program does.
PERMISSIVE = ("process", "limits", "no_new_privileges")


def open_sandbox(kind: str, limits: Limits = Limits()) -> Sandbox:  # noqa: B008 - it is frozen
    """A sandbox whose workers are `fresh` interpreters, or forked from a `warm` process."""
    if kind == "fresh":
        return Sandbox(limits)
    if not can_fork():
        pytest.skip("this system cannot fork")
    return WarmSandbox(limits, PERMISSIVE)


@pytest.fixture(scope="module", params=["fresh", "warm"])
def open_session(request: pytest.FixtureRequest) -> Iterator[Callable[..., Session]]:
    """Open sessions on a student's source; all end with the module.

    A whole submission has a deadline; a session here serves many tests, so it is told not to count.
    """
    opened: list[tuple[Session, Sandbox]] = []

    def open_one(source: str, *steps: str, limits: Limits | None = None) -> Session:
        sandbox = open_sandbox(request.param, limits or Limits(cpu=30))
        session = Session("work", probes(*steps), (("work.py", source),), sandbox)
        session.extend(1e6)
        opened.append((session, sandbox))
        return session

    yield open_one
    for session, sandbox in opened:
        session.close()
        sandbox.close()
