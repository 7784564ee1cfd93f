"""The sandbox in which the tests here check students' work."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from autograder.student.practice import kept_sandbox
from tests.forking import kept
from tests.forking.client import CAN_FORK

if TYPE_CHECKING:
    from collections.abc import Iterator

    from autograder.sandbox.sandbox import Sandbox

# Less than students have: a statement that does not end gets a fifth of it.
SECONDS = 2.0


@pytest.fixture(scope="session")
def sandbox() -> Iterator[Sandbox]:
    """One for all tests: only the first check waits for torch."""
    if CAN_FORK:
        with kept.shared():
            sandbox = kept_sandbox(SECONDS)
            sandbox.prepare()
    else:
        sandbox = kept_sandbox(SECONDS)
    with closing(sandbox):
        yield sandbox
