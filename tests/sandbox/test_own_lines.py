"""What is quoted of a submission is its own source, whatever a worker says."""

from __future__ import annotations

import pytest

from autograder.errors import ProtocolError
from autograder.results import (
    Frame,
    LoadFailure,
    LoadReport,
    Observation,
    Outcome,
    Rebinding,
    StudentError,
)
from autograder.sandbox.own_lines import OwnLines

pytestmark = pytest.mark.unit

SOURCE = "class Head:\r\n    def forward(self, x):\r        return  x\x0c @ x\n"
LINES = OwnLines((("work.py", SOURCE), ("cell 2", "y = 1")))


def quoted(*told: Frame) -> tuple[Frame, ...]:
    seen = Observation(Outcome.RAISED, error=StudentError("ValueError", "", told))
    error = LINES.error(seen).error
    assert error is not None
    return error.frames


@pytest.mark.parametrize("path", ["Head.forward", "Head.forward.<locals>.<lambda>", "<module>"])
def test_a_line_is_that_of_the_source(path: str) -> None:
    """Only Python's own ends of lines count."""
    told = Frame("work.py", 3, path, "x = right")
    assert quoted(told, Frame("cell 2", 2, "<module>")) == (
        Frame("work.py", 3, path, "return  x @ x"),
        Frame("cell 2", 2, "<module>", ""),  # a bracket that nothing closes
    )
    report = LoadReport(
        ("x",), (LoadFailure("E", "", (told,)),), "", (Rebinding("x", "int", told),)
    )
    found = LINES.quoted(report)
    assert found.failures[0].frames[0].text == found.unfit[0].frame.text == "return  x @ x"
    assert found.names == ("x",)


@pytest.mark.parametrize(
    "frame",
    [
        Frame("work.py", 5, "forward"),
        Frame("work.py", 2**31 - 1, "forward"),
        Frame("work.py", 0, "forward"),
        Frame("work.py", -1, "forward"),
        Frame("other.py", 1, "forward"),
        Frame("cell 2", 3, "<module>"),
        Frame("work.py", 3, "full points.forward"),
    ],
)
def test_a_line_or_a_function_that_is_not_there_breaks_the_protocol(frame: Frame) -> None:
    with pytest.raises(ProtocolError):
        quoted(Frame("cell 2", 1, "<module>"), frame)
    with pytest.raises(ProtocolError):
        LINES.quoted(LoadReport(failures=(LoadFailure("ValueError", "", (frame,)),)))
