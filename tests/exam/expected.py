"""Open what is packed in an `expected.json`, and change it."""

from __future__ import annotations

import base64
import json
import zlib
from typing import TYPE_CHECKING, Any

from autograder.values.values import DictValue, ListValue, Value, freeze
from autograder.values.wire import decode, encode

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def packed(content: bytes) -> str:
    return base64.b64encode(zlib.compress(content, 9)).decode()


def unpacked(text: str) -> Any:
    return plainly(decode(zlib.decompress(base64.b64decode(text))))


def plainly(value: Value) -> Any:
    """A value as lists and dictionaries; arrays stay as they are."""
    match value:
        case ListValue():
            return [plainly(item) for item in value.items]
        case DictValue():
            return {key: plainly(item) for key, item in value.items}
    return value


def change_packed(release: Path, field: str, change: Callable[[Any], object]) -> None:
    """Change what is packed of the first check: questions, or what is known."""
    file = release / "expected.json"
    content = json.loads(file.read_text())
    inside = unpacked(content[field][0])
    change(inside)
    content[field][0] = packed(encode(freeze(inside)))
    file.write_text(json.dumps(content))


def change_questions(release: Path, change: Callable[[dict[str, Any]], object]) -> None:
    change_packed(release, "questions", lambda every: change(every[0]))
