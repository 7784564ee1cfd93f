"""Control what nbgrader takes from a student's folder: every folder, regular files, and the hand-in time.

nbgrader leaves out folders without a notebook, reads `timestamp.txt` as the time at which the student handed in, and
copies all files. Here every folder is graded, a student's own `timestamp.txt` is no such time, and a file that cannot
be copied stops nobody.
"""

from __future__ import annotations

import glob
import os
import re
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nbgrader.apps.api import NbGraderAPI
from nbgrader.converters import Autograde, base
from nbgrader.coursedir import CourseDirectory
from nbgrader.exchange import ExchangeFactory
from nbgrader.exchange.default import ExchangeCollect
from nbgrader.utils import parse_utc

from autograder.files import read_regular
from autograder.text import first_of, one_line, without_invisible

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterator

TIMESTAMP = "timestamp.txt"
_MAX_BYTES = 200


def guard_hand_ins() -> None:
    """Make every nbgrader command of this process, and formgrader, use the functions of this module."""
    CourseDirectory.get_existing_timestamp = hand_in_time
    NbGraderAPI.get_submitted_timestamp = _submitted_timestamp
    Autograde.init_notebooks = _every_folder
    formgrader = sys.modules.get("nbgrader.server_extensions.formgrader.handlers")
    if formgrader is not None:
        formgrader.SubmissionHandler.content_security_policy = property(_policy)


def _policy(page: Any) -> str:
    """Return what a browser may load for formgrader's page of a submission: no picture or frame from elsewhere."""
    return (
        f"{super(type(page), page).content_security_policy}; img-src 'self' data:; media-src 'none'; "
        "frame-src 'none'; object-src 'none'; form-action 'self'"
    )


def _submitted_timestamp(api: Any, assignment: str, student: str) -> dt.datetime | None:
    course = api.coursedir
    folder = course.format_path(course.submitted_directory, student, assignment)
    return hand_in_time(course, os.path.abspath(folder))  # noqa: PTH100 - follows no link


def _every_folder(autograde: Any) -> None:
    """Take each student's folder for one submission of one notebook, whatever is in the folder.

    nbgrader's own way leaves out folders without a notebook, and stops if no folder has one.
    """
    course = autograde.coursedir
    name, below = course.assignment_id, course.submitted_directory
    found = glob.glob(course.format_path(below, course.student_id, name))  # noqa: PTH207
    folders = [folder for folder in found if Path(folder).is_dir()]
    if not folders or course.notebook_id not in ("*", name):
        base.BaseConverter.init_notebooks(autograde)
        return
    autograde.notebooks = []
    autograde.assignments = {folder: [str(Path(folder, f"{name}.ipynb"))] for folder in folders}


def hand_in_time(course: Any, folder: str) -> dt.datetime | None:
    """Return the time in a folder's `timestamp.txt`, in UTC; None if there is none that counts.

    In a folder of the submitted files it counts only if the exchange wrote it. Reading never blocks.
    """
    time, reason = _trusted_time(course, folder)
    if reason:
        course.log.warning("%s is ignored: %s.", _shown(Path(folder, TIMESTAMP)), reason)
    return time


def _trusted_time(course: Any, folder: str) -> tuple[dt.datetime | None, str]:
    """Return the time that counts, and why there is none although there is a file."""
    path = Path(folder, TIMESTAMP)
    if not os.path.lexists(path):
        return None, ""
    try:
        text = read_regular(path, _MAX_BYTES).decode().strip()
        time: dt.datetime = parse_utc(text)
    except (OSError, ValueError, OverflowError) as error:
        return None, str(error.strerror) if isinstance(error, OSError) else "it holds no time"
    if _counts(course, folder, text):
        return time, ""
    return None, (
        "the exchange did not write it. If you collect in another way and trust these files, set "
        "c.GradingExporter.trust_timestamps = True"
    )


def _shown(path: Path) -> str:
    return one_line(str(path), 500)


def _counts(course: Any, folder: str, text: str) -> bool:
    """Return whether a time is trusted: it is not in a student's folder, or the exchange wrote it."""
    pattern = course.format_path(
        course.submitted_directory, "(?P<student>.*)", "(?P<assignment>.*)", escape=True
    )
    submitted = re.fullmatch(pattern, folder)
    # All settings: the course's own object keeps only those of its class.
    config = course.config if course.parent is None else course.parent.config
    if submitted is None or config.get("GradingExporter", {}).get("trust_timestamps", False):
        return True
    received = f"{submitted['student']}+{submitted['assignment']}+{text}"
    return _exchange_wrote(course, config, received)


def _exchange_wrote(course: Any, config: Any, received: str) -> bool:
    """Return whether the exchange received a submission at this time: it names the folder after it."""
    if ExchangeFactory(config=config).collect is not ExchangeCollect:
        return True  # an exchange of the site's own; it wrote all of what it collected
    root = ExchangeCollect(coursedir=course, config=config).root
    inbound = Path(root, course.course_id, "inbound")
    try:
        return any(
            name == received or name.startswith(f"{received}+")
            for name in os.listdir(inbound)  # noqa: PTH208
        )
    except OSError:  # no exchange, or not for this user
        return False


@contextmanager
def careful_copies(course: Any) -> Iterator[None]:
    """Let `nbgrader autograde` copy only what `files_to_copy` lists."""
    everything = base.find_all_files

    def find_all_files(path: str, exclude: list[str] | None = None) -> list[str]:
        return files_to_copy(course, path, everything(path, exclude))

    base.find_all_files = find_all_files
    try:
        yield
    finally:
        base.find_all_files = everything


def files_to_copy(course: Any, folder: str, files: list[str]) -> list[str]:
    """Return the files that can be copied to the marked work.

    A link would take along a file of the instructor, which the student gets with the feedback; a
    FIFO would block, and a name with control characters would reach the terminal.
    """
    kept = [file for file in files if _is_plain(Path(file))]
    if left := sorted(set(files) - set(kept)):
        names = first_of((_shown(Path(file).relative_to(folder)) for file in left), 5)
        course.log.warning("%s: not copied: %s.", _shown(Path(folder)), names)
    if _trusted_time(course, folder)[0] is None:
        kept = [file for file in kept if Path(file) != Path(folder, TIMESTAMP)]
    return kept


def _is_plain(path: Path) -> bool:
    """Return whether a path is a regular file that may be read, with a name in one line."""
    plain = path.is_file() and not path.is_symlink() and os.access(path, os.R_OK)
    return plain and without_invisible(path.name) == path.name and not {"\n", "\t"} & set(path.name)
