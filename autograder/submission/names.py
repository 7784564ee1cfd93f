"""Names of students: how a name is written, and which names are the same."""

from __future__ import annotations

import re
import unicodedata

from autograder.text import without_invisible

_LINE_BREAKS = re.compile(r"[\t\n]+")


def student_name(name: str) -> str:
    """Return a file's or folder's name as a student's name: in NFC, in one line, without invisible characters."""
    return _LINE_BREAKS.sub(" ", without_invisible(unicodedata.normalize("NFC", name)))


def name_key(name: str) -> str:
    """Return a key that is equal for names that people or file systems do not distinguish.

    Upper and lower case, spaces, dots at the end and invisible characters make no difference.
    """
    folded = unicodedata.normalize("NFC", student_name(name).casefold())
    return " ".join(folded.split()).rstrip(" .")
