"""Give each submission a unique name that is fit for a folder.

A submission without such a name is rejected under a safe name; the others are graded.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.submission.names import name_key
from autograder.text import one_line

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from autograder.submission.found import FoundSubmission

MAX_BYTES = 255  # of a folder's name, on all common file systems
_UNNAMED = "submission"
_BASE = 60  # characters of a name that a safe name keeps
_LISTED = 3


def tell_apart(
    submissions: Iterable[FoundSubmission], *, reserved: Collection[str] = (), utf8: bool = False
) -> list[FoundSubmission]:
    """Return the submissions, sorted by student, each with a unique name.

    A submission gets a safe name, and in `problem` the reason, if others have the same name, if its
    name is in `reserved` (the files among the results), or if it cannot be the name of a folder.
    In a platform's download, equal names with different ids get the id: `Wang Wei (204003)`.

    Args:
        utf8: also refuse names that are not UTF-8, which a gradebook cannot hold.
    """
    submissions = sorted(
        _with_ids(_with_ids(list(submissions))),  # a name may be another's name with the id
        key=lambda submission: (submission.student, str(submission.path)),
    )
    same: dict[str, list[FoundSubmission]] = {}
    for submission in submissions:
        same.setdefault(name_key(submission.student), []).append(submission)
    kept = {name_key(name) for name in reserved}
    taken = {*same, *kept}
    named = []
    for submission in submissions:
        key = name_key(submission.student)
        problem = _unfit(submission.student, utf8=utf8) or (
            _reserved(submission) if key in kept else ""
        )
        if not problem and len(same[key]) > 1:
            problem = _equal(submission, same[key])
        named.append(_renamed(submission, problem, taken) if problem else submission)
    return sorted(named, key=lambda submission: submission.student)


def _with_ids(submissions: list[FoundSubmission]) -> list[FoundSubmission]:
    """Return the submissions, with the platform's id behind names that several people have."""
    same: dict[str, list[FoundSubmission]] = {}
    for submission in submissions:
        same.setdefault(name_key(submission.student), []).append(submission)
    named = []
    for submission in submissions:
        others = same[name_key(submission.student)]
        ids = {(other.platform, other.person.ids.get(other.platform)) for other in others}
        one_platform = len({other.platform for other in others}) == 1 and submission.platform
        apart = (
            len(others) > 1 and len(ids) == len(others) and (submission.platform, None) not in ids
        )
        with_id = f" ({submission.person.ids.get(submission.platform)})"
        if one_platform and apart and not submission.student.endswith(with_id):
            named.append(replace(submission, student=f"{submission.student}{with_id}"))
        else:
            named.append(submission)
    return named


def _unfit(name: str, *, utf8: bool) -> str:
    """Return why a name cannot be the name of a folder; empty if it can."""
    shown = one_line(name)
    if not name_key(name):
        return "The name of this submission has no character that can be shown. Rename it, and grade again."
    if len(name.encode("utf-8", "replace")) > MAX_BYTES:
        return (
            f"The name `{shown}` is too long for a folder of results. Shorten it, and grade again."
        )
    try:
        name.encode()
    except UnicodeEncodeError:
        if utf8:
            return f"The name `{shown}` is not UTF-8, so no gradebook can hold it. Rename it, and grade again."
    return ""


def _reserved(submission: FoundSubmission) -> str:
    return (
        f"`{one_line(submission.student)}` is the name of a file among the results. "
        "Rename this submission, and grade again."
    )


def _equal(submission: FoundSubmission, same: list[FoundSubmission]) -> str:
    places = [one_line("/".join(Path(other.where).parts[-2:])) for other in same]
    listed = ", ".join(f"`{place}`" for place in places[:_LISTED])
    more = f" and {len(places) - _LISTED} more" if len(places) > _LISTED else ""
    name = one_line(submission.student)
    return (
        f"{len(same)} submissions have the same name, `{name}`: {listed}{more}. None of them is "
        "graded, so that nobody gets the marks of another person. Rename them, and grade again; upper and lower "
        "case, spaces and invisible characters do not make a difference."
    )


def _renamed(submission: FoundSubmission, problem: str, taken: set[str]) -> FoundSubmission:
    """Return the submission under a free safe name; add this name to `taken`."""
    base = one_line(submission.student, _BASE).replace("/", "_").strip(" .") or _UNNAMED
    number = 1
    while name_key(name := f"{base}-{number}") in taken:
        number += 1
    taken.add(name_key(name))
    return replace(submission, student=name, problem=problem, nameless=True)
