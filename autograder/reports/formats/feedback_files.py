"""Each student's feedback as a file, in a zip: for Moodle, for Canvas, and in plain folders by id.

Moodle      "Upload multiple feedback files in a zip": `Jane Doe_204000_assignsubmission_file_/feedback.html`, with the
            participant's id
Canvas      "Re-upload submissions": files with the names of the download, `doejane_7001_90000_work.py`. Canvas shows
            them under the names that the student gave, so each has the form that its name promises
folders     `1004/feedback.html`
"""

from __future__ import annotations

import re
from functools import partial
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from autograder.files import zip_files
from autograder.records import to_json
from autograder.reports.formats.format import Rendered
from autograder.reports.pytest_text import full_text
from autograder.results import points_words
from autograder.submission.platform_names import read_label
from autograder.text import named_lists, utf8

if TYPE_CHECKING:
    from collections.abc import Callable

    from autograder.reports.formats.format import Export
    from autograder.reports.graded_class import Entry
    from autograder.results import Result

    # The path of a student's file in the zip, or empty, and its bytes.
    Packed = tuple[str, bytes]

_NOT_IN_NAMES = re.compile(r'[_/\\:*?"<>|]+')


def pack_for_moodle(export: Export) -> Rendered:
    """Pack each student's page. Moodle knows a folder by the participant's id."""
    advice = "Grade Moodle's own download, or give its worksheet as --roster."
    return _packed(export, partial(_for_moodle, export), advice)


def pack_for_canvas(export: Export) -> Rendered:
    """Pack each student's feedback under the name of a file that Canvas gave out. A group has one file."""
    return _packed(export, _for_canvas, "Grade Canvas's own download of submissions.")


def pack_by_id(export: Export) -> Rendered:
    """Pack each student's page in a folder named by the id, or else by the name."""
    return _packed(export, partial(_by_id, export), "")


def _packed(export: Export, pack: Callable[[Entry], Packed], advice: str) -> Rendered:
    files = dict[str, bytes]()
    without, differ, count = list[str](), list[str](), 0
    for entry in export.graded.entries:
        path, content = pack(entry)
        path = utf8(path).decode()  # a name in a zip cannot hold other bytes
        if not path:
            without.append(entry.result.student)
        elif files.setdefault(path, content) != content:
            differ.append(entry.result.student)
        else:
            count += 1
    notes = [f"{count} feedback files are in {export.into}."]
    lacking = named_lists({"Without the platform's id, so not in it": without})
    notes += (f"{line} {advice}".rstrip() for line in lacking)
    other = "Not in it, since the group has one file and its marks are others"
    notes += named_lists({other: differ})
    return Rendered(zip_files(files.items()), tuple(notes))


def _for_moodle(export: Export, entry: Entry) -> Packed:
    number = entry.person.ids.get("moodle")
    name = _NOT_IN_NAMES.sub(" ", entry.name).strip()
    file, content = _page(export, entry)
    return f"{name}_{number}_assignsubmission_file_/{file}" if number else "", content


def _by_id(export: Export, entry: Entry) -> Packed:
    name = _NOT_IN_NAMES.sub(" ", entry.person.main_id).strip(" .") or entry.result.student
    file, content = _page(export, entry)
    return f"{name}/{file}", content


def _for_canvas(entry: Entry) -> Packed:
    name = PurePosixPath(entry.member.path).name if entry.member else ""
    label = read_label(name)
    if label is None or label.platform != "canvas" or label.is_text:
        return "", b""
    return name, _in_the_form_of(name, _text(entry.result.assignment, entry.result))


def _page(export: Export, entry: Entry) -> Packed:
    """Return the student's page, or the same as text if there is none."""
    page = export.graded.folder / entry.result.student / "feedback.html"
    return (
        ("feedback.html", page.read_bytes())
        if page.is_file()
        else ("feedback.txt", utf8(_text(entry.name, entry.result)))
    )


def _text(who: str, result: Result) -> str:
    late = result.late.text if result.late else ""
    head = f"{who}: {points_words(result)}"
    parts = [head, late, result.output, *map(full_text, result.checks)]
    return "\n\n".join(part.strip() for part in parts if part.strip()) + "\n"


def _in_the_form_of(name: str, text: str) -> bytes:
    """Return a text as a file that opens as its name says: comments, a notebook with a note, or a zip."""
    suffix = PurePosixPath(name).suffix.lower()
    if suffix == ".py":
        return utf8("".join(f"# {line}".rstrip() + "\n" for line in text.splitlines()))
    if suffix == ".ipynb":
        fenced = f"~~~~text\n{text.replace('~~~~', '~ ~ ~ ~')}~~~~\n"
        cell = {"cell_type": "markdown", "id": "feedback", "metadata": {}, "source": fenced}
        return to_json({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    if suffix == ".zip":
        return zip_files([("feedback.txt", utf8(text))])
    return utf8(text)
