"""Printing while others close the streams."""

from __future__ import annotations

import io
import sys

import pytest

from autograder.commands.console import Output

pytestmark = pytest.mark.unit


def test_a_text_for_a_closed_stream_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python flushes a stream that nobody needs any more, and from 3.13 on reports an exception there."""
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stdout", stream)
    out = Output()
    out.write("seen")
    assert stream.getvalue() == "seen"

    stream.close()

    assert out.write("dropped") == len("dropped")
    out.flush()
