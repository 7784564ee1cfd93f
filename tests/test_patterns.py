"""Patterns that read a student's texts take linear time: four times the text never takes sixteen times as long."""

from __future__ import annotations

import functools
import importlib.util
import re
import time
from pathlib import Path
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import TYPE_CHECKING, Any

import pytest

from autograder.explain.messages import MESSAGES
from autograder.sandbox.inside.student import MAX_MESSAGE
from tests.kit_trees import texts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

# For a text of this length, quadratic time is a hundred times what a simple pattern takes. Messages are no longer.
LENGTH = MAX_MESSAGE
SIMPLE = re.compile("[ab]x")
# A pattern that takes less than so many times what a simple one takes is not looked at closely.
QUICK = 20
# What reads messages may take so many times what a simple pattern takes.
MOST_OF_A_MESSAGE = 600
# What these read comes from instructors and from the kit itself.
_OF_INSTRUCTORS = (
    "autograder.reports.pages.plots.",  # Matplotlib wrote what they read
    "autograder.release.",
    "autograder.reports.formats.canvas.",
    "autograder.reports.formats.moodle.",
    "autograder.submission.neighbours.",
    "autograder.submission.roster.",
    "autograder.assignment.script._MEANT",
    "autograder.assignment.script._POINTS",
    "autograder.assignment.script._QUESTION",
)
# What these read was cut to MAX_MESSAGE characters.
_READ_MESSAGES = (
    "autograder.explain.operation",
    "autograder.explain.raised",
    "autograder.sandbox.inside.existing",
)


def patterns(files: Iterable[str]) -> dict[str, tuple[re.Pattern[str], bool]]:
    """Return the patterns in these files of the kit, and whether each reads nothing but messages."""
    found: dict[str, tuple[re.Pattern[str], bool]] = {}
    for file in files:
        if "re.compile(" not in texts()[file]:  # to import all modules takes seconds
            continue
        module = f"autograder.{file.removesuffix('.py').replace('/', '.')}"
        for name, thing in vars(importlib.import_module(module)).items():
            inner = thing.items() if isinstance(thing, dict) else [("", thing)]
            for key, one in list(inner):
                if isinstance(one, re.Pattern) and isinstance(one.pattern, str):
                    found[f"{module}.{name}{key}"] = (one, module in _READ_MESSAGES)
    return {name: one for name, one in found.items() if not name.startswith(_OF_INSTRUCTORS)}


def sample(nodes: Any) -> str:
    """Return a text that matches a parsed pattern, or nearly."""
    return "".join(map(_sample, nodes))


def _sample(node: Any) -> str:
    kind, value = node
    match kind:
        case codes.LITERAL:
            return chr(value)
        case codes.NOT_LITERAL | codes.ANY:
            return "x"
        case codes.IN:
            return _member(value)
        case codes.BRANCH:
            return sample(value[1][0])
        case codes.SUBPATTERN:
            return sample(value[-1])
        case codes.MAX_REPEAT | codes.MIN_REPEAT:
            return sample(value[2]) * max(1, int(value[0]))
    return ""


def _member(things: Any) -> str:
    kind, value = things[0]
    match kind:
        case codes.LITERAL:
            return chr(value)
        case codes.RANGE:
            return chr(value[0])
        case codes.CATEGORY:
            samples: dict[object, str] = {codes.CATEGORY_DIGIT: "1", codes.CATEGORY_SPACE: " "}
            return samples.get(value, "w")
    return "x"


def pieces(pattern: re.Pattern[str]) -> Iterator[tuple[str, str]]:
    """Yield texts that begin like a match, and what repeated makes them do so often, or go on for long."""
    nodes = list(parser.parse(pattern.pattern, pattern.flags))
    for end in range(1, len(nodes) + 1):
        begun, last = sample(nodes[:end]), sample(nodes[end - 1 : end])
        for before, piece in (("", begun), (begun, last), (begun, last + " "), ("", begun + " ")):
            if piece:
                yield before, piece


def text_of(before: str, piece: str, length: int) -> str:
    """Return a text of this length that does not end like a match."""
    return (before + piece * (length // len(piece)))[:length] + "\x01"


def is_only_matched(name: str) -> bool:
    """Return whether a module only matches its pattern at the start of a text."""
    module, _, own = name.rpartition(".")
    spec = importlib.util.find_spec(module) if module else None
    text = Path(spec.origin).read_text(encoding="utf-8") if spec and spec.origin else ""
    uses = set(re.findall(rf"\b{own}\.(\w+)\(", text))
    return bool(uses) and uses <= {"match", "fullmatch"}


def seconds(search: Callable[[str], object], text: str, *, times: int = 1) -> float:
    """Return the least computing time of so many calls: others use the machine too."""
    least = float("inf")
    for _ in range(times):
        started = time.thread_time()
        search(text)
        least = min(least, time.thread_time() - started)
    return least


@functools.cache
def simple() -> float:
    return seconds(SIMPLE.search, "a" * LENGTH, times=20)


def slow_texts(
    pattern: re.Pattern[str], search: Callable[[str], object], *, messages: bool = False
) -> Iterator[str]:
    """Yield the beginnings of the texts for which a pattern takes too long."""
    for before, piece in pieces(pattern):
        text = text_of(before, piece, LENGTH)
        if seconds(search, text) < QUICK * simple():
            continue
        usual = seconds(search, text, times=3)
        if messages:
            too_slow = usual > MOST_OF_A_MESSAGE * simple()
        else:
            longer = text_of(before, piece, 4 * LENGTH)
            too_slow = usual > QUICK * simple() and seconds(search, longer) > 8 * usual
        if too_slow:
            yield text[:60]


def all_slow(patterns: Mapping[str, tuple[re.Pattern[str], bool]]) -> dict[str, list[str]]:
    """Return the slow patterns, each with some of the texts for which it takes too long."""
    slow = {}
    for name, (pattern, messages) in patterns.items():
        search = pattern.match if is_only_matched(name) else pattern.search
        slow[name] = [*slow_texts(pattern, search, messages=messages)]
    return {name: found for name, found in slow.items() if found}


@pytest.mark.unit
def test_each_pattern_takes_linear_time() -> None:
    found = patterns(file for file in texts() if not file.startswith("nbgrader/"))
    assert len(found) > 50
    assert all_slow(found) == {}


@pytest.mark.unit
def test_no_pattern_for_messages_takes_far_too_long() -> None:
    found = {name: re.compile(known.message, re.DOTALL) for name, known in MESSAGES.items()}
    assert len(found) > 30
    assert all_slow({name: (pattern, True) for name, pattern in found.items()}) == {}


def test_each_pattern_beside_nbgrader_takes_linear_time() -> None:
    """Not a unit test: these modules import nbformat."""
    found = patterns(file for file in texts() if file.startswith("nbgrader/"))
    assert found
    assert all_slow(found) == {}


@pytest.mark.unit
def test_a_pattern_of_quadratic_time_is_found() -> None:
    pattern = re.compile(r"tags=\[[^\]]*[\"']show[\"']")
    assert next(slow_texts(pattern, pattern.search))


@pytest.mark.unit
def test_a_pattern_that_takes_far_too_long_is_found_in_messages_too() -> None:
    pattern = re.compile("(?:x|yy)*(?:x|yy)*z")
    assert next(slow_texts(pattern, pattern.match, messages=True))
