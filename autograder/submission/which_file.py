"""Which of a student's files counts, and why: by their names, then by what the student worked in.

Before a file is read, its name decides: `ranked`. Of the files that could be read, the first that the
student worked in is graded; `why_graded` says what the student should know about that.
"""

from __future__ import annotations

import os
import re
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.text import first_of, one_line

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from autograder.submission.archive import Place
    from autograder.submission.hand_in import HandIn

SUFFIXES = (".py", ".ipynb")
MAX_COPIES = 4
_MAX_NAME = 255
_LISTED = 5
# Windows hides known endings, so that many files are really named `toy.py.txt`.
_ENDING = re.compile(r"\.(py|ipynb)(?:\.(?:py|ipynb|txt|json))?$", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+|\d+")
# What browsers, editors, file managers and people add to the name of a file.
_ADDED = frozenset([
    "copy", "copia", "cópia", "copie", "kopie", "kopia", "kopio", "copier", "duplicate", "of",
    "de", "von", "di", "av", "checkpoint", "download", "conflict", "conflicted", "final",
    "finished", "done", "v", "version", "new", "newest", "neu", "latest", "last", "fixed",
    "edited", "worked", "completed", "solved", "submission", "submitted", "submit", "my",
    "mine", "draft", "backup", "old", "副本", "复件", "複製", "コピー"
])  # fmt: skip
# What to do with a file of another kind, by its ending.
_KINDS = {
    (".docx", ".doc", ".odt", ".rtf", ".pages"): "a document of a word processor",
    (".pdf",): "a PDF file, perhaps a printed notebook",
    (".html", ".htm"): "a web page, perhaps an exported notebook",
    (".txt",): "a text file",
    (".md", ".qmd"): "text, of which `jupytext --to ipynb` or `quarto convert` makes a notebook",
    (".rar", ".7z", ".tar", ".gz", ".xz"): "an archive of another kind than `.zip`",
    (".png", ".jpg", ".jpeg", ".heic"): "a picture",
    (".pyc",): "a file that Python made for itself",
}
NOTHING_COUNTS = (
    "nothing that counts (hidden folders such as Jupyter's `.ipynb_checkpoints` do not)"
)


# What a name says.


def is_source(name: str) -> bool:
    """Return whether a file's name is that of a Python file or of a notebook."""
    return _ending(name) is not None


def is_notebook(name: str) -> bool:
    """Return whether a file's name is that of a notebook."""
    ending = _ending(name)
    return ending is not None and ending[1].lower() == "ipynb"


def stem_of(name: str) -> str:
    """Return a file's name without the ending of a Python file or a notebook."""
    ending = _ending(name)
    return name[: ending.start()] if ending else name


def is_copy(name: str, assignment: str) -> bool:
    """Return whether a name is the assignment's, but for case, spaces, numbers and words like "copy"."""
    return is_source(name) and _added(name, assignment) is not None


def exact_names(assignment: str) -> list[str]:
    """Return the names that the files of an assignment should have."""
    return [f"{assignment}{suffix}" for suffix in SUFFIXES]


def right_name(name: str, assignment: str) -> str:
    """Return the name that a student's file should have."""
    return f"{assignment}{SUFFIXES['.ipynb' in name.lower()]}"


def _ending(name: str) -> re.Match[str] | None:
    return _ENDING.search(name) if len(name) <= _MAX_NAME else None


def _words(text: str) -> list[str]:
    return _WORD.findall(unicodedata.normalize("NFKC", text).casefold())


def _added(name: str, assignment: str) -> list[str] | None:
    """Return the words around the assignment's name; None if they are no words of a copy."""
    words, wanted = _words(stem_of(name)), "".join(_words(assignment))
    for first, word in enumerate(words):
        last, found = first, ""
        while last < len(words) and len(found) < len(wanted):
            found += words[last]
            last += 1
        if found == wanted and all(map(_is_added, words[last:])):
            return words[:first] + words[last:]
        if not _is_added(word):
            break
    return None


def _is_added(word: str) -> bool:
    return word in _ADDED or word.isdecimal()


def _copy_number(name: str, assignment: str) -> int:
    """Return the number that a browser gave to a copy: 2 for `toy (2).py`; 0 if there is none."""
    numbers = [word for word in _added(name, assignment) or () if word.isdecimal()]
    return int(numbers[-1]) if numbers else 0


def _contains_name(name: str, assignment: str) -> bool:
    """Return whether a name contains the assignment's name. That of a test does not count."""
    words = _words(stem_of(name))
    return "test" not in words and "".join(_words(assignment)) in "".join(words)


# Before the files are read.


def ranked(names: Iterable[str], assignment: str) -> list[str]:
    """Return the names of the files to read, best first; none if no file, or more than one, may be meant.

    The assignment's own names come first, then copies: Python files before notebooks, the highest
    number first. If there is neither, the only name that contains the assignment's name is meant,
    else the only source or notebook. The released tests do not count. A file without an ending may
    be a source, too; files with other endings are not.
    """
    names = {*names}
    exact = [name for name in exact_names(assignment) if name in names]
    copies = sorted(
        (name for name in names.difference(exact) if is_copy(name, assignment)),
        key=lambda name: (is_notebook(name), -_copy_number(name, assignment), name),
    )
    if exact or copies:
        return [*exact, *copies[:MAX_COPIES]]
    written = sources(names, assignment)
    containing = [name for name in written if _contains_name(name, assignment)]
    if len(containing) == 1:
        return containing
    other = any("." not in name for name in names)
    return written if len(written) == 1 and not other else []


def sources(names: Iterable[str], assignment: str) -> list[str]:
    """Return the names of Python files and notebooks, except the released tests."""
    released = (f"test_{assignment}.py", "conftest.py")
    return [name for name in names if is_source(name) and name not in released]


def is_hand_in(folder: Place, assignment: str) -> bool:
    """Return whether a folder, or its folder with the assignment's name, has a file of the right name."""
    levels = filter(None, (folder, folder.inner(assignment)))
    return any(one.name in exact_names(assignment) for level in levels for one in level.visible())


# After the files were read.


def why_graded(
    chosen: Path, hand_in: HandIn, readable: Collection[Path], edited: Collection[Path], name: str
) -> Iterator[str]:
    """Say what the student should know about the choice of a file: why this one, and how to name it.

    Args:
        readable, edited: those of the files that could be read, and that the student worked in.
        name: the assignment's name.
    """
    others = [file for file in hand_in.files if file != chosen]
    exact, named_right = exact_names(name), _named_right(hand_in, name)
    if others:
        count = "Two" if len(others) == 1 else f"{len(hand_in.files)}"
        why = _why(chosen, readable, edited, name, named_right=named_right)
        yield f"{count} files were handed in; `{shown(chosen)}` was graded: {why}."
    if others and not named_right:
        yield f"Not graded: {', '.join(f'`{shown(other)}`' for other in others)}."
    if chosen.name not in exact and (chosen.name != hand_in.path.name or hand_in.platform):
        only = "" if others else f"There is no `{exact[0]}`, so `{shown(chosen)}` was graded. "
        yield f"{only}Name your file `{right_name(chosen.name, name)}`."


def _why(
    chosen: Path,
    readable: Collection[Path],
    edited: Collection[Path],
    assignment: str,
    *,
    named_right: bool,
) -> str:
    if len(readable) == 1:
        return "the other cannot be used" if named_right else "no other can be used"
    if len(edited) == 1:
        return "it is the one you worked in"
    if named_right:
        both = "you worked in both, and it goes first"
        return both if edited else "you worked in neither"
    several = "you worked in more than one" if edited else "you worked in none"
    if chosen.name in exact_names(assignment):
        return f"{several}, and it has the right name"
    highest = _copy_number(chosen.name, assignment) > 0
    return f"{several}, and {'its number is the highest' if highest else 'it goes first'}"


def _named_right(hand_in: HandIn, assignment: str) -> bool:
    return {file.name for file in hand_in.files} <= {*exact_names(assignment)}


# Where no file can be graded.


def what_instead(place: Place, assignment: str) -> str:
    """Say what was handed in, where that is one file of another kind, or a link."""
    wanted, name = wanted_names(assignment), one_line(place.name)
    if place.is_link:
        return f"`{name}` is a link. Hand in the file itself, named {wanted}."
    kind = _kind(place.name)
    what = f"{kind}, not a Python file" if kind else "not a Python file"
    return f"`{name}` is {what} or a notebook. Hand in {wanted}."


def no_clear_file(files: Iterable[tuple[str, bool]], assignment: str) -> str:
    """Say what was handed in, where no file, or more than one, may be meant: paths, and whether each is a link."""
    files = sorted(files, key=lambda file: not is_source(file[0]))
    found = first_of((_with_kind(name, is_link=link) for name, link in files), _LISTED)
    several = sum(is_source(name) and not link for name, link in files) > 1
    says = (
        f"It is not clear which file is your {wanted_names(assignment)}"
        if several
        else f"There is no {wanted_names(assignment)} in what was handed in"
    )
    return f"{says}; found {found or NOTHING_COUNTS}. Hand in one file with one of these names."


def unreadable(path: Path, error: Exception) -> str:
    """Say that a file, or a whole hand-in, could not be read."""
    if not isinstance(error, OSError):
        return f"`{shown(path)}` could not be read ({one_line(str(error)) or 'it is damaged'}). Hand it in again."
    if error.filename and os.path.isdir(error.filename):  # noqa: PTH112 - never raises
        name = shown(Path(os.fsdecode(error.filename)))
        return f"The folder `{name}` cannot be listed ({error.strerror}). Make it readable, and grade again."
    return f"`{shown(path)}` could not be read ({error.strerror}). Hand it in again."


def shown(path: Path) -> str:
    """Return a file's name, safe to show: a student chose the name."""
    return one_line(path.name)


def wanted_names(assignment: str) -> str:
    """Return the names that the files of an assignment should have, in words."""
    return " or ".join(f"`{name}`" for name in exact_names(assignment))


def _with_kind(name: str, *, is_link: bool = False) -> str:
    """Return a file's name, with what the file is if students hand in that kind by mistake."""
    kind = "a link" if is_link else _kind(name)
    return f"`{one_line(name)}`{f' ({kind})' if kind else ''}"


def _kind(name: str) -> str:
    return next((kind for ends, kind in _KINDS.items() if name.lower().endswith(ends)), "")
