"""Refuse a command that lacks something, or whose results would be taken for submissions."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autograder.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping


def refuse_incomplete_grade(options: Mapping[str, Any]) -> None:
    """Raise UsageError, which names everything that `grade` still needs."""
    missing = {
        "PATH...": "what was handed in: files, folders, or folders of them"
        * (not options["paths"]),
        "--assignment NAME": "which assignment they hand in" * (not options["assignment"]),
        "--out DIR": "where results go" * (not options["out"]),
    }
    if options["public"] or options["gradebook"]:
        missing["--assignments DIR"] = _no_folder(options["assignments"], "the released folders")
    if not options["public"]:
        missing["--solutions DIR"] = _no_folder(options["solutions"], "the assignments' sources")
    lines = [f"  {name}: {words}" for name, words in missing.items() if words]
    if lines:
        raise UsageError(
            "\n".join(
                ["grade needs more:", *lines, "`autograder grade --help` explains all options."]
            )
        )


def _no_folder(path: Path, content: str) -> str:
    """Return the place where a folder is missing, in words; empty if it exists."""
    if path.is_dir():
        return ""
    return f"where {content} are; there is no folder {path.absolute()}"


def refuse_results_among_submissions(out: Path, paths: tuple[Path, ...]) -> None:
    """Raise UsageError, which names another DIR, if DIR is one of the PATHs or inside one."""
    # Not Path.resolve: it raises an exception at a link to itself.
    resolved, *others = (Path(os.path.realpath(path)) for path in (out, *paths))
    around = [path for path in others if resolved.is_relative_to(path)]
    if around:
        outermost = min(around, key=lambda path: len(path.parts))
        raise UsageError(
            f"The results in {out} would be taken for submissions, since {outermost} is graded. "
            f"Choose a folder outside, such as --out {shlex.quote(f'{outermost}-results')}"
        )
