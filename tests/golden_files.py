"""Texts that people read, kept as files and compared whole. `UPDATE_GOLDEN=1 pytest` writes them anew, for review."""

from __future__ import annotations

import os
import re
from itertools import zip_longest
from pathlib import Path

FOLDER = Path(__file__).parent / "golden"
# A number with a fraction. Its last digit may be another one on another processor.
_NUMBER = re.compile(r"(-?\d+\.\d+)")


def assert_golden(name: str, text: str) -> None:
    """Compare `text` with the file of this name: numbers to one unit of their last digit, all else exactly."""
    path = FOLDER / f"{name}.txt"
    text = "\n".join(line.rstrip() for line in text.strip("\n").splitlines()) + "\n"
    if os.environ.get("UPDATE_GOLDEN"):
        path.write_text(text, encoding="utf-8")
    kept = path.read_text(encoding="utf-8")
    if not same_text(text, kept):
        assert text == kept, f"{path.name} reads differently now"


def same_text(one: str, other: str) -> bool:
    """Whether two texts differ in nothing but the last digits of numbers."""
    pieces = zip_longest(_NUMBER.split(one), _NUMBER.split(other), fillvalue="")
    return all(a == b or _close(a, b) for a, b in pieces)


def _close(one: str, other: str) -> bool:
    if not (_NUMBER.fullmatch(one) and _NUMBER.fullmatch(other)):
        return False
    decimals = [len(number.partition(".")[2]) for number in (one, other)]
    unit = 10.0 ** -decimals[0]
    return decimals[0] == decimals[1] and abs(float(one) - float(other)) < 1.5 * unit
