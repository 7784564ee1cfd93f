from __future__ import annotations

import codecs
import hashlib
import json
import os
import unicodedata
from typing import TYPE_CHECKING, Any

import pytest

from autograder.assignment.source import load_source
from autograder.errors import Rejected, UsageError
from autograder.release.build import stub_module
from autograder.submission.find import find_hand_ins
from autograder.submission.hand_in import HandIn
from autograder.submission.read import MAX_LINES, read_submission
from autograder.submission.unpack import MAX_FILE
from autograder.submission.which_file import is_copy
from tests.toy import DOUBLE, RIGHT, SHIFT, code, notebook, write_toy
from tests.trusted_cost import measured

if TYPE_CHECKING:
    from pathlib import Path

    from autograder.assignment.source import Assignment, Source
    from autograder.submission.read import Submission

pytestmark = pytest.mark.unit

needs_fifo = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no FIFOs")
needs_rights = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="everybody here may read all files"
)

SAVE = (
    "Save it as UTF-8 and hand it in again (VS Code: click the encoding at the bottom right, then "
    '"Save with Encoding", "UTF-8"; Notepad: "Save as", encoding "UTF-8").'
)
GIVEN = "import numpy as np\n\nSTART = 0.5"


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Source:
    return load_source(write_toy(tmp_path_factory.mktemp("toy")) / "toy")


@pytest.fixture(scope="module")
def toy(source: Source) -> Assignment:
    return source.assignment


@pytest.fixture(scope="module")
def released(source: Source) -> str:
    """The stub module, as students get it."""
    return stub_module(source)


def put(path: Path, data: str | bytes = RIGHT) -> Path:
    """Write a file, and the folders that it stands in."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


def link(path: Path, target: Path) -> None:
    """Make `path` a link, or skip where this system allows none."""
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        path.symlink_to(target, target_is_directory=target.is_dir())
    except OSError:
        pytest.skip("no links here")


def names(*paths: Path) -> list[str]:
    return [found.student for found in find_hand_ins(paths, "toy")]


def reason(path: Path, toy: Assignment) -> str:
    """Why the one submission at `path` is rejected."""
    [found] = find_hand_ins([path], "toy")
    with pytest.raises(Rejected) as rejected:
        read_submission(found, toy)
    return str(rejected.value)


def read(path: Path, toy: Assignment) -> Submission:
    [found] = find_hand_ins([path], "toy")
    return read_submission(found, toy)


def test_a_folder_with_the_file_is_one_submission(tmp_path: Path) -> None:
    file = put(tmp_path / "alice" / "toy.py")
    put(tmp_path / "alice" / "other" / "helpers.py")
    assert find_hand_ins([tmp_path / "alice"], "toy") == [
        HandIn("alice", tmp_path / "alice", (file,))
    ]


def test_a_file_bears_its_own_name_or_its_folders(tmp_path: Path) -> None:
    assert names(put(tmp_path / "one" / "alice.py")) == ["alice"]
    assert names(put(tmp_path / "one" / "bob.v2.ipynb")) == ["bob.v2"]
    assert names(put(tmp_path / "carol" / "toy.py")) == ["carol"]


def test_a_relative_path_is_named_like_the_absolute_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = put(tmp_path / "alice" / "toy.py")
    monkeypatch.chdir(file.parent)
    here = file.parent.relative_to(file.parent)
    assert names(here / "toy.py") == ["alice"]
    assert names(here) == ["alice"]
    assert names(here / "..") == ["alice"]
    assert names(here / ".." / "alice") == ["alice"]


def test_every_visible_child_of_another_folder_is_one_submission(tmp_path: Path) -> None:
    put(tmp_path / unicodedata.normalize("NFD", "zoë") / "toy.py")
    put(tmp_path / "alice.py")
    put(tmp_path / "Bob.ipynb")
    put(tmp_path / "carol" / "toy" / "toy.ipynb")
    put(tmp_path / "empty.txt", "")
    (tmp_path / "dave").mkdir()
    put(tmp_path / ".hidden" / "toy.py")
    put(tmp_path / ".DS_Store", "")
    put(tmp_path / "__MACOSX" / "toy.py")
    found = find_hand_ins([tmp_path], "toy")
    assert [(one.student, len(one.files)) for one in found] == [
        ("Bob", 1),
        ("alice", 1),
        ("carol", 1),
        ("dave", 0),
        ("empty", 0),
        ("zoë", 1),
    ]


def test_several_paths_are_one_class(tmp_path: Path) -> None:
    put(tmp_path / "monday" / "bob" / "toy.py")
    put(tmp_path / "tuesday" / "alice" / "toy.py")
    late = put(tmp_path / "late" / "zoe.py")
    paths = (tmp_path / "monday", late, tmp_path / "tuesday", tmp_path / "monday" / "bob")
    assert names(*paths) == ["alice", "bob", "zoe"]


def test_a_path_that_is_not_there_is_wrong_usage(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as error:
        names(tmp_path / "submissons")
    assert str(error.value) == (
        f"There is no {tmp_path / 'submissons'}. Give a submission, or a folder of submissions."
    )


@needs_rights
def test_a_folder_that_may_not_be_read_is_rejected_and_stops_nobody(
    tmp_path: Path, toy: Assignment
) -> None:
    for name in ("alice", "bob", "carol"):
        put(tmp_path / name / "toy.py")
    (tmp_path / "bob").chmod(0)
    (tmp_path / "carol").chmod(0o600)  # may be listed, but nothing in it may be looked at
    listed = "cannot be listed (Permission denied). Make it readable, and grade again."
    read = "could not be read (Permission denied). Hand it in again."
    try:
        assert names(tmp_path) == ["alice", "bob", "carol"]
        assert reason(tmp_path / "bob", toy) == f"The folder `bob` {listed}"
        assert reason(tmp_path / "carol", toy) == f"`carol` {read}"
    finally:
        for name in ("bob", "carol"):
            (tmp_path / name).chmod(0o700)


NO_TEXT = {
    "not UTF-8": (
        b"x = 1\r# ok\r\nna\xc3\xafve = caf\xe9\n",
        "is not UTF-8 text: line 3, column 12 has the byte e9, perhaps `\u00e9` in an older encoding. "
        + SAVE,
    ),
    "not ASCII": (
        b"# coding: ascii\nx = '\x81'\n",
        f"is not `ascii` text: line 2, column 6 has the byte 81. {SAVE}",
    ),
    "no encoding": (
        b"#!/usr/bin/python\n# coding: klingon\n",
        (
            "says in its first lines that its encoding is `klingon`, which is not an encoding of Python text. "
            f"Delete that line. {SAVE}"
        ),
    ),
    "UTF-16 cut off": (
        "x = 1\n".encode("utf-16")[:-1],
        f"starts like UTF-16 text, but its end is cut off or damaged. {SAVE}",
    ),
    "UTF-16 without a mark": (
        "x = 1\n".encode("utf-16-le"),
        "has null bytes from line 1, column 2 on: it is probably UTF-16 text without a byte-order mark. "
        + SAVE,
    ),
    "PDF": (
        b"%PDF-1.4\n",
        (
            "is a PDF file, not Python text; another ending in its name does not change that. "
            "Hand in the Python file or the notebook itself."
        ),
    ),
    "web page": (
        b"\n<!DOCTYPE html>\n<html>",
        (
            "is a web page (HTML), not Python text. If you saved it from GitHub, use the button "
            '"Download raw file". Hand in the Python file or the notebook itself.'
        ),
    ),
    "too large": (
        b"#" * (MAX_FILE + 1),
        "is larger than 5 MB. Remove the data in it, and hand it in again.",
    ),
}


@pytest.mark.parametrize("kind", NO_TEXT)
def test_a_file_that_is_no_text_is_rejected(tmp_path: Path, toy: Assignment, kind: str) -> None:
    data, words = NO_TEXT[kind]
    assert reason(put(tmp_path / "alice" / "toy.py", data), toy) == f"`toy.py` {words}"


def test_the_largest_file_is_read(tmp_path: Path, toy: Assignment) -> None:
    file = put(tmp_path / "alice" / "toy.py", b"#" * MAX_FILE)
    assert len(read(file, toy).pieces[0][1]) == MAX_FILE


@needs_fifo
def test_a_fifo_among_submissions_is_rejected(tmp_path: Path, toy: Assignment) -> None:
    os.mkfifo(tmp_path / "pipe.py")
    assert reason(tmp_path, toy) == "`pipe.py` is not a regular file. Hand in the file itself."


@pytest.mark.parametrize("target", ["file.py", "folder"])
def test_a_link_among_submissions_is_rejected(tmp_path: Path, toy: Assignment, target: str) -> None:
    put(tmp_path / "secrets" / "file.py")
    put(tmp_path / "secrets" / "folder" / "toy.py")
    link(tmp_path / "class" / "alice.py", tmp_path / "secrets" / target)
    assert reason(tmp_path / "class", toy) == (
        "`alice.py` is a link. Hand in the file itself, named `toy.py` or `toy.ipynb`."
    )


def test_a_linked_subfolder_is_not_followed(tmp_path: Path, toy: Assignment) -> None:
    put(tmp_path / "secrets" / "toy.py")
    link(tmp_path / "class" / "alice" / "toy", tmp_path / "secrets")
    assert reason(tmp_path / "class", toy) == (
        "There is no `toy.py` or `toy.ipynb` in what was handed in; found `toy` (a link). "
        "Name your file `toy.py` or `toy.ipynb`, no link and in no folder, and hand it in again."
    )


def test_a_file_with_another_name_is_rejected_and_named(tmp_path: Path, toy: Assignment) -> None:
    for name in ("Work_final.py", ".hidden", *"abcdef"):
        put(tmp_path / "class" / "alice" / name)
    assert reason(tmp_path / "class", toy) == (
        "There is no `toy.py` or `toy.ipynb` in what was handed in; "
        "found `Work_final.py`, `a`, `b`, `c`, `d`. "
        "Name your file `toy.py` or `toy.ipynb`, no link and in no folder, and hand it in again."
    )


def test_a_file_of_another_kind_is_rejected(tmp_path: Path, toy: Assignment) -> None:
    assert reason(put(tmp_path / "alice.docx"), toy) == (
        "`alice.docx` is a document of a word processor, not a Python file or a notebook. "
        "Hand in `toy.py` or `toy.ipynb`."
    )


def test_a_module_is_one_piece_with_its_digest(tmp_path: Path, toy: Assignment) -> None:
    submission = read(put(tmp_path / "alice" / "toy.py"), toy)
    assert submission.student == "alice"
    assert submission.pieces == (("toy.py", RIGHT),)
    assert submission.sha256 == hashlib.sha256(RIGHT.encode()).hexdigest()
    assert submission.note == ""


@pytest.mark.parametrize(
    "data",
    [
        RIGHT.replace("\n", "\r").encode(),
        b"\xef\xbb\xbf" + RIGHT.replace("\n", "\r\n").encode(),
        codecs.BOM_UTF16_LE + RIGHT.replace("\n", "\r\n").encode("utf-16-le"),
        codecs.BOM_UTF32_BE + RIGHT.encode("utf-32-be"),
    ],
    ids=["CR", "BOM and CRLF", "UTF-16 LE", "UTF-32 BE"],
)
def test_byte_order_marks_and_line_endings_make_no_difference(
    tmp_path: Path, toy: Assignment, data: bytes
) -> None:
    assert read(put(tmp_path / "alice" / "toy.py", data), toy).pieces == (("toy.py", RIGHT),)


@pytest.mark.parametrize(
    ("declared", "encoding"),
    [
        ("# coding: cp1252", "cp1252"),
        ("\n# vim: set fileencoding=windows-1252 :", "cp1252"),
        ("# coding: gbk", "gbk"),
    ],
)
def test_a_module_is_decoded_by_its_coding_line(
    tmp_path: Path, toy: Assignment, declared: str, encoding: str
) -> None:
    word = (
        "\N{CJK UNIFIED IDEOGRAPH-4E2D}"
        if encoding == "gbk"
        else "na\N{LATIN SMALL LETTER I WITH DIAERESIS}ve"
    )
    text = f"{declared}\nword = '{word}'\n"
    file = put(tmp_path / "toy.py", text.encode(encoding))
    assert read(file, toy).pieces == (("toy.py", text),)


def test_a_coding_line_below_code_says_nothing(tmp_path: Path, toy: Assignment) -> None:
    file = put(tmp_path / "toy.py", "x = 1\n# coding: cp1252\n# é\n".encode())
    assert "é" in read(file, toy).pieces[0][1]


def test_a_notebook_in_a_modules_file_is_read(tmp_path: Path, toy: Assignment) -> None:
    file = put(tmp_path / "alice" / "toy.py", worked_notebook())
    submission = read(file, toy)
    book = read(put(tmp_path / "bob" / "toy.ipynb", worked_notebook()), toy)
    assert [source for _, source in submission.pieces] == [source for _, source in book.pieces]
    assert submission.note == "`toy.py` holds a notebook: name it `toy.ipynb`."


def test_a_module_in_a_notebooks_file_is_named(tmp_path: Path, toy: Assignment) -> None:
    assert reason(put(tmp_path / "toy.ipynb", RIGHT), toy) == (
        "`toy.ipynb` is not a notebook that can be read (it holds Python text). "
        "Name it `toy.py`, and hand it in again."
    )


# Copies of the file.


@pytest.mark.parametrize(
    "name", ["toy.py.txt", "TOY (1).PY", "Copy of toy.py", "jane_doe_toy_v2.py"]
)
def test_a_copy_under_another_name_is_graded_and_said(
    tmp_path: Path, toy: Assignment, name: str
) -> None:
    for other in ("helper.py", "plots.py", "notes.docx", "test_toy.py"):
        put(tmp_path / "class" / "alice" / other, "x = 1\n")
    put(tmp_path / "class" / "alice" / name)
    [found] = find_hand_ins([tmp_path / "class"], "toy")
    submission = read_submission(found, toy)
    assert submission.pieces == ((name, RIGHT),)
    assert (
        submission.note == f"There is no `toy.py`, so `{name}` was graded. Name your file `toy.py`."
    )


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("test_self_attention.py", False),
        ("self_attentions.py", False),
        ("self_attention.py.docx", False),
        ("self attention.py", True),
        ("Copy of Self-Attention (3).ipynb", True),
    ],
)
def test_a_copy_is_known_by_its_name(name: str, expected: bool) -> None:
    assert is_copy(name, "self_attention") is expected


def test_of_several_copies_the_highest_number_is_graded_and_the_others_are_named(
    tmp_path: Path, toy: Assignment
) -> None:
    for name in ("toy (1).py", "toy (2).py", "toy (10).py"):
        put(tmp_path / "class" / "alice" / name, f"{RIGHT}# {name}\n")
    [found] = find_hand_ins([tmp_path / "class"], "toy")
    submission = read_submission(found, toy)
    assert submission.pieces[0][0] == "toy (10).py"
    assert submission.note == (
        "3 files were handed in; `toy (10).py` was graded: you worked in more than one, and its number "
        "is the highest. Not graded: `toy (2).py`, `toy (1).py`. Name your file `toy.py`."
    )


def test_a_copy_is_graded_where_the_file_was_not_touched(
    tmp_path: Path, toy: Assignment, released: str
) -> None:
    put(tmp_path / "alice" / "toy.py", released)
    put(tmp_path / "alice" / "toy (1).py")
    submission = read(tmp_path / "alice", toy)
    assert submission.pieces == (("toy (1).py", RIGHT),)
    assert submission.note == (
        "Two files were handed in; `toy (1).py` was graded: it is the one you worked in. "
        "Not graded: `toy.py`. Name your file `toy.py`."
    )


def test_the_file_goes_before_its_copy(tmp_path: Path, toy: Assignment) -> None:
    put(tmp_path / "alice" / "toy.py")
    put(tmp_path / "alice" / "toy (1).py", f"{RIGHT}# older\n")
    submission = read(tmp_path / "alice", toy)
    assert submission.pieces == (("toy.py", RIGHT),)
    assert submission.note == (
        "Two files were handed in; `toy.py` was graded: you worked in more than one, and it has the "
        "right name. Not graded: `toy (1).py`."
    )


NOTEBOOK = notebook(code("double", DOUBLE), code("shift", SHIFT))
CONFLICT = NOTEBOOK.replace('"cells"', '\n<<<<<<< HEAD\n"cells"', 1)


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("toy.docx", "", "found `toy.docx` (a document of a word processor). Name your file"),
        ("toy.qmd", RIGHT, "found `toy.qmd` (text, of which `jupytext --to ipynb` or `quarto"),
        ("work.rar", "Rar!", "found `work.rar` (an archive of another kind than `.zip`)"),
        ("a/b/c/toy.py", RIGHT, "found `a/b/c/toy.py`. Name your file `toy.py` or `toy.ipynb`, no link"),
        ("a/notes.md", "", "found `a/notes.md` (text"),
        (".ipynb_checkpoints/toy-checkpoint.ipynb", NOTEBOOK, "Jupyter's `.ipynb_checkpoints` do not"),
        (".hidden", "", "found nothing that counts"),
        ("toy.ipynb", " \n", "`toy.ipynb` is empty."),
        ("toy.ipynb", NOTEBOOK[: NOTEBOOK.index("}") + 1], "`toy.ipynb` is cut off"),
        ("toy.ipynb", CONFLICT, "`toy.ipynb` has marks of a merge conflict (`<<<<<<<`)."),
        ("toy.ipynb", NOTEBOOK + "}", "(JSONDecodeError). Open it in Jupyter, save it"),
    ],
)  # fmt: skip
def test_what_cannot_be_graded_is_rejected_with_what_to_do(
    tmp_path: Path, toy: Assignment, name: str, text: str, says: str
) -> None:
    put(tmp_path / "class" / "alice" / name, text)
    assert says in reason(tmp_path / "class", toy)


@pytest.mark.parametrize(
    ("written", "read_as"),
    [
        (r"\udfff\ud83d\ude00\ud800", "\ufffd\U0001f600\ufffd"),
        (r"\\\ud800 \uD83D", "\\\ufffd \ufffd"),
    ],
)
def test_half_a_character_is_replaced(
    tmp_path: Path, toy: Assignment, written: str, read_as: str
) -> None:
    text = notebook(code("double", f"{DOUBLE}# HALF"), code("HALF", "x = 1", tags=["HALF"]))
    submission = read(put(tmp_path / "alice" / "toy.ipynb", text.replace("HALF", written)), toy)
    assert f"# {read_as}" in dict(submission.pieces)["toy.ipynb, cell double"]
    repr(submission).encode()


def test_show_cells_of_a_script_are_left_out(tmp_path: Path, toy: Assignment) -> None:
    script = f'{RIGHT}\n# %% tags=["show"]\nprint(double(1))\n'
    [(_, text)] = read(put(tmp_path / "alice" / "toy.py", script), toy).pieces
    assert text == f"{RIGHT}\n\n\n"


def both(folder: Path, module: str | bytes, book: str) -> Path:
    put(folder / "toy.py", module)
    put(folder / "toy.ipynb", book)
    return folder


def released_notebook(toy: Assignment) -> str:
    return notebook(*(code(cell.id, cell.source) for cell in toy.cells))


def worked_notebook() -> str:
    return notebook(code("given-1", GIVEN), code("double", DOUBLE), code("shift", SHIFT))


@pytest.mark.parametrize(
    ("module", "book", "graded", "why"),
    [
        ("stub", "work", "toy.ipynb", "it is the one you worked in"),
        ("stub, otherwise saved", "work", "toy.ipynb", "it is the one you worked in"),
        ("work", "stub", "toy.py", "it is the one you worked in"),
        ("work", "work", "toy.py", "you worked in both, and it goes first"),
        ("stub", "stub", "toy.py", "you worked in neither"),
    ],
)
def test_of_a_module_and_a_notebook_the_one_that_was_worked_in_is_graded(
    tmp_path: Path, toy: Assignment, released: str, module: str, book: str, graded: str, why: str
) -> None:
    modules = {
        "stub": released,
        "stub, otherwise saved": "\ufeff" + released.replace("\n", "\r\n") + "\r\n",
        "work": RIGHT,
    }
    books = {"stub": released_notebook(toy), "work": worked_notebook()}
    submission = read(both(tmp_path / "alice", modules[module], books[book]), toy)
    cell = ("toy.ipynb, cell double", DOUBLE)
    assert (cell if graded == "toy.ipynb" else (graded, modules[module])) in submission.pieces
    assert submission.note == f"Two files were handed in; `{graded}` was graded: {why}."


@pytest.mark.parametrize(("graded", "other"), [("toy.ipynb", "toy.py"), ("toy.py", "toy.ipynb")])
def test_one_of_two_may_be_unreadable(
    tmp_path: Path, toy: Assignment, graded: str, other: str
) -> None:
    put(tmp_path / "alice" / graded, RIGHT if graded == "toy.py" else worked_notebook())
    put(tmp_path / "alice" / other, b"\xff")
    problem = reason(put(tmp_path / "alone" / other, b"\xff"), toy)
    submission = read(tmp_path / "alice", toy)
    assert submission.pieces[0][0].startswith(graded)
    assert submission.note == (
        f"Two files were handed in; `{graded}` was graded: the other cannot be used. {problem}"
    )


def test_two_unreadable_files_are_rejected_for_both_reasons(
    tmp_path: Path, toy: Assignment
) -> None:
    folder = both(tmp_path / "alice", b"\xff", "")
    words = reason(folder, toy)
    assert "`toy.py` is not UTF-8 text" in words
    assert "`toy.ipynb` is empty" in words


def test_the_digest_covers_both_files(tmp_path: Path, toy: Assignment) -> None:
    folders = [
        both(tmp_path / "alice", RIGHT, worked_notebook()),
        both(tmp_path / "bob", RIGHT, released_notebook(toy)),
        both(tmp_path / "carol", RIGHT + "# edited", released_notebook(toy)),
    ]
    assert len({read(folder, toy).sha256 for folder in folders}) == 3


def pieces(toy: Assignment, folder: Path, text: str) -> list[tuple[str, str]]:
    return list(read(put(folder / "alice" / "toy.ipynb", text), toy).pieces)


def test_a_notebook_is_the_releases_given_cells_and_the_students(
    tmp_path: Path, toy: Assignment
) -> None:
    text = notebook(
        {"cell_type": "markdown", "id": "text-1", "metadata": {}, "source": "# A toy"},
        code("given-1", "START = 1e9  # edited"),
        code("3f2a", "def helper(x):\n    return x"),
        code("double", DOUBLE),
        code("show-1", "print(double(1))", tags=["show"]),
        code("check_double", "check(double)"),
        code("shift", SHIFT),
        code("77aa", "print('done')"),
    )
    assert pieces(toy, tmp_path, text) == [
        ("toy.ipynb, cell given-1", GIVEN),
        ("toy.ipynb, cell 3", "def helper(x):\n    return x"),
        ("toy.ipynb, cell double", DOUBLE),
        ("toy.ipynb, cell shift", SHIFT),
        ("toy.ipynb, cell 8", "print('done')"),
    ]


# The cells of a notebook, and the student's pieces that it has.
CELLS: dict[str, tuple[list[dict[str, Any]], list[tuple[str, str]]]] = {
    "moved": (
        [code("shift", SHIFT), code("double", DOUBLE)],
        [("cell shift", SHIFT), ("cell double", DOUBLE)],
    ),
    "one id twice": (
        [code("double", "double = 1"), code("double", DOUBLE)],
        [("cell double", "double = 1"), ("cell double (cell number 2)", DOUBLE)],
    ),
    "no tag any more": (
        [
            code("show-1", "print(double(1))"),
            code("x1", "check(double)", nbgrader={"grade_id": "check_double"}),
            code("x2", "plot()", tags=["show", "wide"]),
        ],
        [],
    ),
    "lines that end in CRLF": (
        [code("double", "") | {"source": ["def double(x):\r\n", "    return x + x\r\n"]}],
        [("cell double", DOUBLE)],
    ),
}


@pytest.mark.parametrize("kind", CELLS)
def test_what_counts_of_a_students_cells(tmp_path: Path, toy: Assignment, kind: str) -> None:
    cells, expected = CELLS[kind]
    _, *found = pieces(toy, tmp_path, notebook(*cells))
    assert found == [(f"toy.ipynb, {label}", source) for label, source in expected]


def test_a_cell_bears_the_number_that_the_student_sees(tmp_path: Path, toy: Assignment) -> None:
    """A cell that was not run shows none, and two may show the same after a restart."""
    cells = [
        code("double", DOUBLE) | {"execution_count": 7},
        code("mine", "helper = 1") | {"execution_count": 9},
        code("other", "helper = 2") | {"execution_count": 9},
        code("shift", SHIFT),
        code("last", "helper = 3") | {"execution_count": True},
        code("odd", "helper = 4") | {"execution_count": -1},
    ]
    found = pieces(toy, tmp_path, notebook(*cells))
    assert [label for label, _ in found[1:]] == [
        "toy.ipynb, cell [7]",
        "toy.ipynb, cell [9]",
        "toy.ipynb, cell [9] (cell number 3)",
        "toy.ipynb, cell shift",
        "toy.ipynb, cell 5",
        "toy.ipynb, cell 6",
    ]


def test_what_only_a_notebook_understands_is_left_out_and_named(
    tmp_path: Path, toy: Assignment
) -> None:
    cells = [
        code("double", "%matplotlib inline\n!ls\n%cd ..\n%pwd\n" + DOUBLE),
        code("mine", 'y = double(3)\ncheck("double")\nz = y'),
    ]
    submission = read(put(tmp_path / "alice" / "toy.ipynb", notebook(*cells)), toy)
    sources = ["\n" * 4 + DOUBLE, "y = double(3)\npass\nz = y"]
    assert [source for _, source in submission.pieces[1:]] == sources
    assert submission.note == (
        "Left out, since only a notebook understands it: `%matplotlib inline`, `!ls`, `%cd ..` and 1 more."
    )


def test_what_only_a_notebook_understands_is_left_out_of_an_exported_one(
    tmp_path: Path, toy: Assignment
) -> None:
    text = 'from autograder.notebook import check\n# In[1]:\ncheck("double")\nget_ipython().x()\n'
    submission = read(put(tmp_path / "toy.py", text + DOUBLE), toy)
    assert submission.pieces == (("toy.py", f"pass\n# In[1]:\npass\n\n{DOUBLE}"),)
    assert "get_ipython" in submission.note


@pytest.mark.parametrize("minor", [0, 5])
def test_a_cell_is_known_by_nbgraders_id_where_it_has_one(
    tmp_path: Path, toy: Assignment, minor: int
) -> None:
    cells = [
        code("a", "START = 1e9", nbgrader={"grade_id": "given-1"}),
        code("b", DOUBLE, nbgrader={"grade_id": "double"}),
        code("c", "check(double)", nbgrader={"grade_id": "check_double"}),
    ]
    assert pieces(toy, tmp_path, notebook(*cells, minor=minor)) == [
        ("toy.ipynb, cell given-1", GIVEN),
        ("toy.ipynb, cell double", DOUBLE),
    ]


def test_a_notebook_of_endless_cells_is_rejected(tmp_path: Path, toy: Assignment) -> None:
    with (
        measured() as cost,
        pytest.raises(Rejected, match="has more than 10,000 cells"),
    ):
        pieces(
            toy, tmp_path, json.dumps({"nbformat": 4, "cells": [{"cell_type": "code"}] * 60_000})
        )
    assert cost.units < 40


def test_a_notebook_of_an_older_format_is_to_be_saved_again(
    tmp_path: Path, toy: Assignment
) -> None:
    old = {"nbformat": 3, "nbformat_minor": 0, "metadata": {}, "worksheets": [{"cells": []}]}
    with pytest.raises(Rejected, match="Open it in Jupyter, save it, and hand it in again"):
        pieces(toy, tmp_path, json.dumps(old))


def test_a_file_of_endless_lines_is_rejected(tmp_path: Path, toy: Assignment) -> None:
    # Lines that are no Python as a whole are parsed one by one, which takes the worker seconds.
    right = f"{DOUBLE}\n"
    most = right + "x = 1\n" * (MAX_LINES - right.count("\n"))
    assert read(put(tmp_path / "toy.py", most), toy).pieces
    script = put(tmp_path / "toy.py", f"{most}x = 1\n")
    assert "has more than 10,000 lines of code" in reason(script, toy)
    cells = [code("double", DOUBLE + "\n" * MAX_LINES)]
    assert "has more than 10,000 lines" in reason(
        put(tmp_path / "toy.ipynb", notebook(*cells)), toy
    )


def test_the_largest_file_is_rejected_before_it_is_cut(tmp_path: Path, toy: Assignment) -> None:
    with measured() as cost:
        assert "lines" in reason(put(tmp_path / "toy.py", "!\n" * (MAX_FILE // 2)), toy)
    assert cost.units < 20


def test_missing_metadata_and_a_bom_are_no_hindrance(tmp_path: Path, toy: Assignment) -> None:
    cells = [
        code("double", DOUBLE, nbgrader=None, tags=None),
        {"cell_type": "code", "metadata": {}, "source": SHIFT},
    ]
    found = pieces(toy, tmp_path, "\ufeff" + notebook(*cells).replace("}, {", "},\r\n{"))
    assert [source for _, source in found] == [GIVEN, DOUBLE, SHIFT]


@pytest.mark.parametrize(
    "text",
    [
        "null",
        "[" * 100_000,
        '{"a":' * 100_000 + "}" * 100_000,
        "{}",
        '{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": {"code": 1}}',
        '{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [1, null]}',
        '{"nbformat": 99, "nbformat_minor": 0, "metadata": {}, "cells": []}',
        '{"nbformat": "4", "metadata": {}, "cells": []}',
        notebook({**code("double", ""), "source": 5}),
        notebook({**code("double", ""), "metadata": [1]}),
        notebook(code("double", "", nbgrader="double")),
    ],
)
def test_what_is_no_notebook_is_rejected(tmp_path: Path, toy: Assignment, text: str) -> None:
    words = reason(put(tmp_path / "alice" / "toy.ipynb", text), toy)
    assert words.startswith("`toy.ipynb` is not a notebook that can be read (")
    assert words.endswith("). Open it in Jupyter, save it, and hand it in again.")
