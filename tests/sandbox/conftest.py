"""What the sandbox's tests share: checks for steps of any name, and sessions that observe them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from autograder.exam.questions import Request
from autograder.sandbox.fresh import FreshSandbox
from autograder.sandbox.limits import Limits
from autograder.sandbox.session import Session
from autograder.sandbox.usage import Clock
from autograder.sandbox.warm import WarmSandbox, can_fork
from autograder.values.values import freeze
from tests.sandbox.forked import forked_interpreters

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from autograder.sandbox.sandbox import Sandbox

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


def asking(step: str, x: Any = None) -> Request:
    return Request("observe", step, "value", 0, {"x": freeze(x)})


PATIENT = Limits(cpu=30)
# Layers that forbid nothing that an ordinary program does.
PERMISSIVE = ("process", "limits", "no_new_privileges")


def open_sandbox(kind: str, limits: Limits = Limits()) -> Sandbox:  # noqa: B008 - it is frozen
    """A sandbox whose workers are `fresh` interpreters, or forked by the fork server (`warm`)."""
    if kind == "fresh":
        return FreshSandbox(limits)
    if not can_fork():
        pytest.skip("this system cannot fork")
    return WarmSandbox(limits, PERMISSIVE)


@pytest.fixture(scope="module")
def forked() -> Iterator[None]:
    """Fork the interpreters of this module's sandboxes."""
    with forked_interpreters():
        yield


@pytest.fixture(scope="module", params=["fresh", "warm"])
def open_session(request: pytest.FixtureRequest, forked: None) -> Iterator[Callable[..., Session]]:
    """Open sessions on a student's source; all end with the module. There is one sandbox for each limit.

    A whole submission has its time; a session here serves many tests, so it has more.
    """
    sessions: list[Session] = []
    sandboxes: dict[Limits, Sandbox] = {}

    def open_one(source: str, *steps: str, limits: Limits = PATIENT, loads: bool = True) -> Session:
        if limits not in sandboxes:
            sandboxes[limits] = open_sandbox(request.param, limits)
        work = (("work.py", source),)
        clock = Clock(1e6)
        session = Session("work", probes(*steps), work, sandboxes[limits], clock=clock)
        sessions.append(session)
        assert not loads or session.load() is None
        return session

    yield open_one
    for session in sessions:
        session.close()
    for sandbox in sandboxes.values():
        sandbox.close()
