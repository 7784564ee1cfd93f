"""Patterns that read a student's texts take linear time: doubling a text never takes four times as long."""

from __future__ import annotations

import functools
import importlib.util
import pkgutil
import re
import time
from pathlib import Path
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import TYPE_CHECKING, Any

import pytest

import autograder
from autograder.explain.exceptions import message_patterns
from autograder.sandbox.inside.student import MAX_MESSAGE

if TYPE_CHECKING:
    from collections.abc import Iterator

# For a text of this length, quadratic time is a third of a second and more, linear time a millisecond.
LENGTH = 20_000
MOST_SECONDS = 0.2
# What these read comes from instructors and from the kit itself.
_OF_INSTRUCTORS = (
    "autograder.reports.pages.plots.",  # Matplotlib wrote what they read
    "autograder.release.",
    "autograder.reports.formats.canvas.",
    "autograder.reports.formats.moodle.",
    "autograder.assignment.script._MEANT",
    "autograder.assignment.script._POINTS",
    "autograder.assignment.script._QUESTION",
)
# What these read was cut to MAX_MESSAGE characters.
_READ_MESSAGES = ("autograder.explain.call_rules", "autograder.sandbox.inside.existing")


@functools.cache
def patterns() -> dict[str, tuple[re.Pattern[str], int]]:
    """Return every pattern in the kit, with the length of the longest text that it reads."""
    found: dict[str, tuple[re.Pattern[str], int]] = {}
    for module in pkgutil.walk_packages(autograder.__path__, "autograder."):
        for name, thing in vars(importlib.import_module(module.name)).items():
            inner = thing.items() if isinstance(thing, dict) else [("", thing)]
            for key, one in list(inner):
                if isinstance(one, re.Pattern) and isinstance(one.pattern, str):
                    length = MAX_MESSAGE if module.name in _READ_MESSAGES else LENGTH
                    found[f"{module.name}.{name}{key}"] = (one, length)
    for name, text in message_patterns().items():
        found[name] = (re.compile(text, re.DOTALL), MAX_MESSAGE)
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


def texts(pattern: re.Pattern[str], length: int) -> Iterator[str]:
    """Yield texts that begin like a match very often, or go on for long and then do not end like one."""
    nodes = list(parser.parse(pattern.pattern, pattern.flags))
    for end in range(1, len(nodes) + 1):
        begun, last = sample(nodes[:end]), sample(nodes[end - 1 : end])
        for piece, before in ((begun, ""), (last, begun), (last + " ", begun), (begun + " ", "")):
            if piece:
                yield (before + piece * (length // len(piece)))[:length] + "\x01"


def is_only_matched(name: str) -> bool:
    """Return whether a module only matches its pattern at the start of a text."""
    module, _, own = name.rpartition(".")
    spec = importlib.util.find_spec(module) if module else None
    text = Path(spec.origin).read_text(encoding="utf-8") if spec and spec.origin else ""
    uses = set(re.findall(rf"\b{own}\.(\w+)\(", text))
    return bool(uses) and uses <= {"match", "fullmatch"}


@pytest.mark.parametrize("name", sorted(patterns()))
def test_a_pattern_takes_linear_time(name: str) -> None:
    pattern, length = patterns()[name]
    search = pattern.match if is_only_matched(name) else pattern.search
    slow = {}
    for text in texts(pattern, length):
        started = time.process_time()
        for _ in range(LENGTH // length):
            search(text)
        seconds = time.process_time() - started
        if seconds > MOST_SECONDS:
            slow[text[:60]] = seconds
    assert slow == {}


def test_a_pattern_of_quadratic_time_is_found() -> None:
    pattern = re.compile(r"tags=\[[^\]]*[\"']show[\"']")
    started = time.process_time()
    assert any(
        pattern.search(text) or time.process_time() - started > MOST_SECONDS
        for text in texts(pattern, LENGTH)
    )
    assert time.process_time() - started > MOST_SECONDS
