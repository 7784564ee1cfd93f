"""What is printed is cut at marks, however it arrives."""

from __future__ import annotations

import pytest

from autograder.sandbox.printed import MAX_PRINTED, PrintedOutput

pytestmark = pytest.mark.unit

MARKS = ("0123456789abcdef" * 2, "fedcba9876543210" * 2)


@pytest.mark.parametrize("size", [1, 7, 31, 32, 33, 1000])
def test_each_request_gets_its_own_output(size: int) -> None:
    output = PrintedOutput()
    for mark in MARKS:
        output.expect(mark)
    whole = f"first{MARKS[0]}second{MARKS[1]}".encode()
    for start in range(0, len(whole), size):
        assert not output.has(MARKS[1])
        output.add(whole[start : start + size])

    assert output.has(MARKS[1])
    assert [output.end(mark) for mark in MARKS] == ["first", "second"]


@pytest.mark.parametrize("more", [0, 1, 33, 1_000_000])
def test_too_much_output_is_cut_and_says_so(more: int) -> None:
    output = PrintedOutput()
    output.expect(MARKS[0])
    whole = b"x" * (MAX_PRINTED + more) + MARKS[0].encode()
    for start in range(0, len(whole), 10_000):
        output.add(whole[start : start + 10_000])

    assert output.end(MARKS[0]) == "x" * MAX_PRINTED + "..." * (more > 0)


def test_output_without_its_mark_is_not_lost() -> None:
    output = PrintedOutput()
    for mark in MARKS:
        output.expect(mark)
    output.add(b"said before it closed the stream")

    assert output.end(MARKS[0]) == "said before it closed the stream"
    output.add(b"next" + MARKS[1].encode())
    assert output.end(MARKS[1]) == "next"
