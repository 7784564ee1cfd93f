"""Read a large JSON file value by value, so that it is never in memory as a whole."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    from collections.abc import Iterator

_SPACE = re.compile(r"[ \t\n\r]*")
_AFTER_A_VALUE = frozenset(" \t\n\r,:}")
_CHUNK = 1 << 18


class JsonParts:
    """The parts of one JSON text, in their order. Raises ValueError where the text is not JSON."""

    def __init__(self, file: TextIO) -> None:
        self._file = file
        self._decoder = json.JSONDecoder()
        self._text = ""
        self._at = 0

    def entries(self) -> Iterator[str]:
        """Yield the names in the object that begins here. The caller reads each value before the next name."""
        self._take("{")
        if self._next() == "}":
            self._take("}")
            return
        while True:
            name = self.value()
            if not isinstance(name, str):
                raise ValueError(f"a name in an object is {name!r:.40}")  # noqa: TRY004 - it is no JSON
            self._take(":")
            yield name
            if self._take(",}") == "}":
                return

    def value(self) -> Any:
        """Return the value that begins here."""
        self._next()
        while True:
            try:
                value, end = self._decoder.raw_decode(self._text, self._at)
            except ValueError:
                if not self._read():
                    raise
            else:
                # The text that was read may end in the middle of a number: `1e5` begins like 1.
                if self._text[end : end + 1] in _AFTER_A_VALUE or not self._read():
                    self._at = end
                    return value

    def end(self) -> None:
        """Raise ValueError if more follows."""
        if sign := self._next():
            raise ValueError(f"{sign!r} follows the end")

    def _take(self, signs: str) -> str:
        sign = self._next()
        if not sign or sign not in signs:
            raise ValueError(f"{sign!r} where one of {signs!r} belongs")
        self._at += 1
        return sign

    def _next(self) -> str:
        """Return the next character that is no space, without taking it; empty at the end."""
        while True:
            match = _SPACE.match(self._text, self._at)
            assert match is not None
            self._at = match.end()
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._read():
                return ""

    def _read(self) -> bool:
        """Read on; False at the end of the file. What was taken before is forgotten."""
        rest = self._text[self._at :]
        more = self._file.read(max(_CHUNK, len(rest)))
        if more:
            self._text, self._at = rest + more, 0
        return bool(more)
