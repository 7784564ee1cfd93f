"""Make a student's text safe to show: no control characters, limited, the same in every run."""

from __future__ import annotations

import re

_CONTROL = re.compile(
    r"\x1b\[[0-9;?]*[ -/]*[@-~]|[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]"
)
_SCRATCH = re.compile(r"autograder-[a-z0-9_]{8}(?![a-z0-9_])")
_NOT_IN_A_PATH = " \t\n'\"()"
_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{6,16}\b")


def clean_text(text: str, limit: int = 2_000) -> str:
    """Remove control characters from a student's text and limit its length.

    Memory addresses and the worker's scratch folder are replaced, so that the text is the same in
    every run.
    """
    text = _CONTROL.sub("", text.replace("\r\n", "\n"))
    text = _without_scratch(_ADDRESS.sub("0x...", text))
    return text if len(text) <= limit else text[:limit] + "..."


def _without_scratch(text: str) -> str:
    """Replace paths to the scratch folder.

    A regular expression for the whole path would take quadratic time on a very long word.
    """
    *paths, rest = _SCRATCH.split(text)
    kept = [path[: max(map(path.rfind, _NOT_IN_A_PATH)) + 1] for path in paths]
    return "(scratch)".join([*kept, rest])
