"""Which file of a hand-in is graded, and what is read of it. Archives and platforms' downloads are in test_find.py."""

from __future__ import annotations

import codecs
import hashlib
import json
import os
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from autograder.assignment.source import load_source
from autograder.errors import Rejected, UsageError
from autograder.release.build import stub_module
from autograder.submission.find import find_hand_ins
from autograder.submission.read import MAX_LINES, read_submission
from autograder.submission.unpack import MAX_FILE
from tests.toy import DOUBLE, RIGHT, SHIFT, code, notebook, write_toy
from tests.trusted_cost import measured

if TYPE_CHECKING:
    from pathlib import Path

    from autograder.assignment.source import Source
    from autograder.submission.read import Submission

pytestmark = pytest.mark.unit

needs_fifo = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no FIFOs")
needs_rights = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="everybody here may read all files"
)

GIVEN = "import numpy as np\n\nSTART = 0.5"
WORKED = notebook(code("given-1", GIVEN), code("double", DOUBLE), code("shift", SHIFT))
NAME_IT = "Hand in one file with one of these names."


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Source:
    return load_source(write_toy(tmp_path_factory.mktemp("toy")) / "toy")


@dataclass(frozen=True)
class Desk:
    """Where something for the toy is handed in, found and read."""

    source: Source
    folder: Path

    def put(self, name: str, data: str | bytes = RIGHT) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data.encode() if isinstance(data, str) else data)
        return path

    def link(self, name: str, target: str) -> None:
        """Make a link, or skip where this system allows none."""
        path, to = self.folder / name, self.folder / target
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            path.symlink_to(to, target_is_directory=to.is_dir())
        except OSError:
            pytest.skip("no links here")

    def read(self, path: str | Path = "class") -> Submission:
        [found] = find_hand_ins([self.folder / path], "toy")
        return read_submission(found, self.source.assignment)

    def reason(self, path: str | Path = "class") -> str:
        with pytest.raises(Rejected) as rejected:
            self.read(path)
        return str(rejected.value)

    def pieces(self, *cells: dict[str, Any], minor: int = 5) -> list[tuple[str, str]]:
        return list(self.read(self.put("alice/toy.ipynb", notebook(*cells, minor=minor))).pieces)


@pytest.fixture
def desk(source: Source, tmp_path: Path) -> Desk:
    return Desk(source, tmp_path)


def names(*paths: Path) -> list[str]:
    return [found.student for found in find_hand_ins(paths, "toy")]


def test_a_file_has_its_own_or_its_folders_name(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, student in (
        ("one/alice.py", "alice"),
        ("one/bob.v2.ipynb", "bob.v2"),
        ("carol/toy.py", "carol"),
    ):
        assert names(desk.put(name)) == [student]
    monkeypatch.chdir(desk.folder / "carol")  # a relative path is named like the absolute one
    here = desk.folder.relative_to(desk.folder)
    for path in (here / "toy.py", here, here / ".." / "carol"):
        assert names(path) == ["carol"]


def test_every_visible_child_of_another_folder_is_one_submission(desk: Desk) -> None:
    zoe = unicodedata.normalize("NFD", "zoë")
    for name in (f"{zoe}/toy.py", "alice.py", "Bob.ipynb", "carol/toy/toy.ipynb", "empty.txt"):
        desk.put(name)
    (desk.folder / "dave").mkdir()
    for hidden in (".hidden/toy.py", ".DS_Store", "__MACOSX/toy.py"):
        desk.put(hidden)
    found = {one.student: len(one.files) for one in find_hand_ins([desk.folder], "toy")}
    assert list(found) == ["Bob", "alice", "carol", "dave", "empty", "zoë"]
    assert list(found.values()) == [1, 1, 1, 0, 0, 1]


def test_several_paths_are_one_class(desk: Desk) -> None:
    for name in ("monday/bob/toy.py", "tuesday/alice/toy.py", "late/zoe.py"):
        desk.put(name)
    paths = (desk.folder / one for one in ("monday", "late/zoe.py", "tuesday", "monday/bob"))
    assert names(*paths) == ["alice", "bob", "zoe"]
    missing = desk.folder / "submissons"
    with pytest.raises(UsageError) as error:
        names(missing)
    words = f"There is no {missing}. Give a submission, or a folder of submissions."
    assert str(error.value) == words


@needs_rights
def test_a_folder_that_may_not_be_read_is_rejected_and_stops_nobody(desk: Desk) -> None:
    for name in ("alice", "bob", "carol"):
        desk.put(f"{name}/toy.py")
    # Carol's may be listed, but nothing in it may be looked at.
    listed = "cannot be listed (Permission denied). Make it readable, and grade again."
    read = "could not be read (Permission denied). Hand it in again."
    try:
        (desk.folder / "bob").chmod(0)
        (desk.folder / "carol").chmod(0o600)
        assert names(desk.folder) == ["alice", "bob", "carol"]
        assert desk.reason("bob") == f"The folder `bob` {listed}"
        assert desk.reason("carol") == f"`carol` {read}"
    finally:
        for name in ("bob", "carol"):
            (desk.folder / name).chmod(0o700)


NO_TEXT = {
    b"x = 1\r# ok\r\nna\xc3\xafve = caf\xe9\n": "is not UTF-8 text: line 3, column 12 has the byte e9, perhaps `é`",
    b"# coding: ascii\nx = '\x81'\n": "is not `ascii` text: line 2, column 6 has the byte 81. Save it as UTF-8",
    b"#!/usr/bin/python\n# coding: klingon\n": "`klingon`, which is not an encoding of Python text. Delete that line.",
    "x = 1\n".encode("utf-16")[:-1]: "starts like UTF-16 text, but its end is cut off or damaged.",
    "x = 1\n".encode("utf-16-le"): "has null bytes from line 1, column 2 on: it is probably UTF-16 text",
    b"%PDF-1.4\n": "is a PDF file, not Python text; another ending in its name does not change that.",
    b"\n<!DOCTYPE html>\n<html>": "is a web page (HTML), not Python text. If you saved it from GitHub, use the button",
    b"#" * (MAX_FILE + 1): "is larger than 5 MB. Remove the data in it, and hand it in again.",
}  # fmt: skip


@pytest.mark.parametrize(("data", "words"), NO_TEXT.items(), ids=range(len(NO_TEXT)))
def test_a_file_that_is_no_text_is_rejected(desk: Desk, data: bytes, words: str) -> None:
    found = desk.reason(desk.put("alice/toy.py", data))
    assert found.startswith("`toy.py` ")
    assert words in found


@needs_fifo
def test_a_fifo_among_submissions_is_rejected(desk: Desk) -> None:
    os.mkfifo(desk.folder / "pipe.py")
    assert desk.reason("") == "`pipe.py` is not a regular file. Hand in the file itself."


@pytest.mark.parametrize(
    ("link", "target", "words"),
    [
        ("alice.py", "toy.py", "`alice.py` is a link. Hand in the file itself, named `toy.py`"),
        ("alice.py", "folder", "`alice.py` is a link. Hand in the file itself, named `toy.py`"),
        ("alice/toy", "folder", f"what was handed in; found `toy` (a link). {NAME_IT}"),
    ],
)
def test_no_link_is_followed(desk: Desk, link: str, target: str, words: str) -> None:
    for secret in ("toy.py", "folder/toy.py"):
        desk.put(f"secrets/{secret}")
    desk.link(f"class/{link}", f"secrets/{target}")
    assert words in desk.reason()


def test_a_file_with_another_name_is_rejected_and_named(desk: Desk) -> None:
    for name in ("Work_final.py", ".hidden", *"abcdef"):
        desk.put(f"class/alice/{name}")
    assert desk.reason() == (
        "There is no `toy.py` or `toy.ipynb` in what was handed in; "
        f"found `Work_final.py`, `a`, `b`, `c`, `d` and 2 more. {NAME_IT}"
    )


def test_a_module_is_one_piece_with_its_digest(desk: Desk) -> None:
    submission = desk.read(desk.put("alice/toy.py"))
    assert (submission.student, submission.note) == ("alice", "")
    assert submission.pieces == (("toy.py", RIGHT),)
    assert submission.sha256 == hashlib.sha256(RIGHT.encode()).hexdigest()
    largest = desk.read(desk.put("alice/toy.py", b"#" * MAX_FILE))
    assert len(largest.pieces[0][1]) == MAX_FILE


NAIVE = "na\N{LATIN SMALL LETTER I WITH DIAERESIS}ve"
DECODED = {
    "CR": (RIGHT.replace("\n", "\r").encode(), RIGHT),
    "BOM and CRLF": (b"\xef\xbb\xbf" + RIGHT.replace("\n", "\r\n").encode(), RIGHT),
    "UTF-16 LE": (codecs.BOM_UTF16_LE + RIGHT.replace("\n", "\r\n").encode("utf-16-le"), RIGHT),
    "UTF-32 BE": (codecs.BOM_UTF32_BE + RIGHT.encode("utf-32-be"), RIGHT),
    **{
        declared: (f"{declared}\nx = '{word}'\n".encode(encoding), f"{declared}\nx = '{word}'\n")
        for declared, encoding, word in [
            ("# coding: cp1252", "cp1252", NAIVE),
            ("\n# vim: set fileencoding=windows-1252 :", "cp1252", NAIVE),
            ("# coding: gbk", "gbk", "\N{CJK UNIFIED IDEOGRAPH-4E2D}"),
            ("x = 1\n# coding: cp1252", "utf-8", NAIVE),  # below code it says nothing
        ]
    },
}


@pytest.mark.parametrize(("data", "text"), DECODED.values(), ids=DECODED)
def test_a_module_is_decoded_by_its_mark_or_a_line(desk: Desk, data: bytes, text: str) -> None:
    assert desk.read(desk.put("alice/toy.py", data)).pieces == (("toy.py", text),)


def test_a_notebook_in_a_modules_file_is_read_and_a_module_in_a_notebooks_named(desk: Desk) -> None:
    submission = desk.read(desk.put("alice/toy.py", WORKED))
    book = desk.read(desk.put("bob/toy.ipynb", WORKED))
    assert [source for _, source in submission.pieces] == [source for _, source in book.pieces]
    assert submission.note == "`toy.py` holds a notebook: name it `toy.ipynb`."
    assert desk.reason(desk.put("toy.ipynb", RIGHT)) == (
        "`toy.ipynb` is not a notebook that can be read (it holds Python text). "
        "Name it `toy.py`, and hand it in again."
    )


# Copies of the file.


@pytest.mark.parametrize(
    "name", ["toy.py.txt", "TOY (1).PY", "Copy of toy.py", "jane_doe_toy_v2.py"]
)
def test_a_copy_under_another_name_is_graded_and_said(desk: Desk, name: str) -> None:
    for other in ("helper.py", "plots.py", "notes.docx", "test_toy.py"):
        desk.put(f"class/alice/{other}", "x = 1\n")
    desk.put(f"class/alice/{name}")
    submission = desk.read()
    assert submission.pieces == ((name, RIGHT),)
    words = f"There is no `toy.py`, so `{name}` was graded. Name your file `toy.py`."
    assert submission.note == words


STUB = "the released stub"
# Files that were handed in, each with its text; the graded one, and the note.
SEVERAL = {
    "copies": (
        {f"toy ({number}).py": f"{RIGHT}# {number}\n" for number in (1, 2, 10)},
        "toy (10).py",
        ("3 files were handed in; `toy (10).py` was graded: you worked in more than one, and its number "
        "is the highest. Not graded: `toy (2).py`, `toy (1).py`. Name your file `toy.py`."),
    ),
    "a copy of an untouched file": (
        {"toy.py": STUB, "toy (1).py": RIGHT},
        "toy (1).py",
        ("Two files were handed in; `toy (1).py` was graded: it is the one you worked in. "
        "Not graded: `toy.py`. Name your file `toy.py`."),
    ),
    "a file and its copy": (
        {"toy.py": RIGHT, "toy (1).py": f"{RIGHT}# older\n"},
        "toy.py",
        ("Two files were handed in; `toy.py` was graded: you worked in more than one, and it has the "
        "right name. Not graded: `toy (1).py`."),
    ),
    **{
        f"{module} and {book} notebook": (
            {"toy.py": module, "toy.ipynb": book},
            graded,
            f"Two files were handed in; `{graded}` was graded: {why}.",
        )
        for module, book, graded, why in [
            (STUB, WORKED, "toy.ipynb", "it is the one you worked in"),
            (f"{STUB}, otherwise saved", WORKED, "toy.ipynb", "it is the one you worked in"),
            (RIGHT, STUB, "toy.py", "it is the one you worked in"),
            (RIGHT, WORKED, "toy.py", "you worked in both, and it goes first"),
            (STUB, STUB, "toy.py", "you worked in neither"),
        ]
    },
}  # fmt: skip


@pytest.mark.parametrize(("files", "graded", "note"), SEVERAL.values(), ids=range(len(SEVERAL)))
def test_of_several_files_the_one_that_was_worked_in_is_graded(
    desk: Desk, files: dict[str, str], graded: str, note: str
) -> None:
    stub = stub_module(desk.source)
    cells = (code(cell.id, cell.source) for cell in desk.source.assignment.cells)
    released = {"toy.py": stub, "toy.ipynb": notebook(*cells)}
    otherwise = {f"{STUB}, otherwise saved": "\ufeff" + stub.replace("\n", "\r\n") + "\r\n"}
    written = {
        name: released[name] if text == STUB else otherwise.get(text, text)
        for name, text in files.items()
    }
    for name, text in written.items():
        desk.put(f"class/alice/{name}", text)
    submission = desk.read()
    cell = ("toy.ipynb, cell double", DOUBLE)
    assert (cell if graded == "toy.ipynb" else (graded, written[graded])) in submission.pieces
    assert submission.note == note


@pytest.mark.parametrize(("graded", "other"), [("toy.ipynb", "toy.py"), ("toy.py", "toy.ipynb")])
def test_one_of_two_may_be_unreadable(desk: Desk, graded: str, other: str) -> None:
    desk.put(f"alice/{graded}", RIGHT if graded == "toy.py" else WORKED)
    desk.put(f"alice/{other}", b"\xff")
    problem = desk.reason(desk.put(f"alone/{other}", b"\xff"))
    submission = desk.read("alice")
    assert submission.pieces[0][0].startswith(graded)
    assert submission.note == (
        f"Two files were handed in; `{graded}` was graded: the other cannot be used. {problem}"
    )
    desk.put(f"alice/{graded}", b"\xff")
    words = desk.reason("alice")
    assert "`toy.py` is not UTF-8 text" in words
    assert "`toy.ipynb` is not" in words


def test_the_digest_covers_both_files(desk: Desk) -> None:
    digests = set()
    for module, book in ((RIGHT, WORKED), (RIGHT, notebook()), (RIGHT + "# edited", notebook())):
        desk.put("alice/toy.py", module)
        desk.put("alice/toy.ipynb", book)
        digests.add(desk.read("alice").sha256)
    assert len(digests) == 3


# What cannot be graded.

BOOK = notebook(code("double", DOUBLE), code("shift", SHIFT))
CONFLICT = BOOK.replace('"cells"', '\n<<<<<<< HEAD\n"cells"', 1)
AGAIN = ". Open it in Jupyter, save it, and hand it in again."
HEAD = '{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": '
NO_NOTEBOOKS = (
    "null",
    "[" * 100_000,
    '{"a":' * 100_000 + "}" * 100_000,
    "{}",
    f'{HEAD}{{"code": 1}}}}',
    f"{HEAD}[1, null]}}",
    '{"nbformat": 99, "nbformat_minor": 0, "metadata": {}, "cells": []}',
    '{"nbformat": 1, "cells": []}',
    '{"nbformat": 3, "nbformat_minor": 0, "metadata": {}, "cells": []}',
    '{"nbformat": 2, "worksheets": [{"cells": [{"cell_type": "code", "input": 5}]}]}',
    '{"nbformat": "4", "metadata": {}, "cells": []}',
    notebook({**code("double", ""), "source": 5}),
    notebook({**code("double", ""), "metadata": [1]}),
    notebook(code("double", "", nbgrader="double")),
    BOOK + "}",
)


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("toy.docx", "", "found `toy.docx` (a document of a word processor). Hand in one"),
        ("toy.qmd", RIGHT, "found `toy.qmd` (text, of which `jupytext --to ipynb` or `quarto"),
        ("work.rar", "Rar!", "found `work.rar` (an archive of another kind than `.zip`)"),
        (
            "a/b/c/toy.doc",
            RIGHT,
            f"found `a/b/c/toy.doc` (a document of a word processor). {NAME_IT}",
        ),
        ("a/notes.md", "", "found `a/notes.md` (text"),
        (".ipynb_checkpoints/toy-checkpoint.ipynb", BOOK, "Jupyter's `.ipynb_checkpoints` do not"),
        (".hidden", "", "found nothing that counts"),
        ("toy.ipynb", " \n", "`toy.ipynb` is empty."),
        ("toy.ipynb", BOOK[: BOOK.index("}") + 1], "`toy.ipynb` is cut off"),
        ("toy.ipynb", CONFLICT, "`toy.ipynb` has marks of a merge conflict (`<<<<<<<`)."),
        *(("toy.ipynb", text, AGAIN) for text in NO_NOTEBOOKS),
    ],
)
def test_what_cannot_be_graded_says_what_to_do(desk: Desk, name: str, text: str, says: str) -> None:
    desk.put(f"class/alice/{name}", text)
    words = desk.reason()
    assert says in words
    assert words.startswith("`toy.ipynb` is not a notebook that can be read: it") or says != AGAIN
    assert "Error" not in words


def test_a_file_of_endless_cells_or_lines_is_rejected_soon(desk: Desk) -> None:
    # Lines that are no Python as a whole are parsed one by one, which takes the worker seconds.
    right = f"{DOUBLE}\n"
    most = right + "x = 1\n" * (MAX_LINES - right.count("\n"))
    assert desk.read(desk.put("toy.py", most)).pieces
    cells = json.dumps({"nbformat": 4, "cells": [{"cell_type": "code"}] * 60_000})
    for name, text, says, units in (
        ("toy.py", f"{most}x = 1\n", "has more than 10,000 lines of code", 40),
        ("toy.py", "!\n" * (MAX_FILE // 2), "lines", 20),
        ("toy.ipynb", notebook(code("double", "\n" * MAX_LINES + DOUBLE)), "10,000 lines", 40),
        ("toy.ipynb", cells, "has more than 10,000 cells", 40),
    ):
        with measured() as cost:
            assert says in desk.reason(desk.put(name, text))
        assert cost.units < units


# What is read of a notebook.


def old_notebook(version: int) -> str:
    """Return a notebook of an older format, as nbformat writes it."""
    import nbformat  # noqa: PLC0415 - heavy

    form = {2: nbformat.v2, 3: nbformat.v3}[version]
    cells = [
        form.new_code_cell(GIVEN, prompt_number=1),
        *([form.new_heading_cell("Steps", level=2)] if version > 2 else []),
        form.new_text_cell("markdown", "Two steps."),
        form.new_code_cell(f"%matplotlib inline\n{DOUBLE}", prompt_number=2),
        form.new_code_cell("double(START)", prompt_number=3),
    ]
    sheets = [
        form.new_worksheet(cells=cells),
        form.new_worksheet(cells=[form.new_code_cell(SHIFT)]),
    ]
    return str(form.writes_json(form.new_notebook(worksheets=sheets)))


@pytest.mark.parametrize("version", [2, 3])
def test_a_notebook_of_an_older_format_is_read_as_nbformat_converts_it(
    desk: Desk, version: int
) -> None:
    text = old_notebook(version)
    path = desk.put("alice/toy.ipynb", text)
    old = desk.read(path)
    import nbformat  # noqa: PLC0415 - heavy

    new = nbformat.reads(text, as_version=4)
    for number, cell in enumerate(new.cells):
        cell.id = f"cell-{number}"
    assert path.read_text(encoding="utf-8") == text
    path.write_text(nbformat.writes(new, version=4), encoding="utf-8")
    assert old.pieces == desk.read(path).pieces
    assert old.pieces[-1][1].strip() == SHIFT.strip()
    assert old.is_notebook


def test_an_old_notebook_of_endless_parts_costs_little(desk: Desk) -> None:
    heading = {"cell_type": "heading", "level": 10**9, "source": ["x"], "metadata": {}}
    cells = [{"cell_type": "code", "input": DOUBLE, "outputs": [[]] * 9}, *[heading] * 2_000]
    old_notebook(3)  # imports nbformat
    path = desk.put(
        "alice/toy.ipynb", json.dumps({"nbformat": 3, "worksheets": [{"cells": cells}]})
    )
    with measured() as cost:
        assert desk.read(path).pieces
    assert not cost.excess


def test_a_given_cell_that_is_repeated_without_end_costs_little(desk: Desk) -> None:
    text = notebook(code("double", DOUBLE), *[code("given-1", "x = 1")] * 9_000)
    path = desk.put("alice/toy.ipynb", text)
    with measured() as cost:
        desk.read(path)
    assert cost.units < 100


@pytest.mark.parametrize(
    ("written", "read_as"),
    [
        (r"\udfff\ud83d\ude00\ud800", "\ufffd\U0001f600\ufffd"),
        (r"\\\ud800 \uD83D", "\\\ufffd \ufffd"),
    ],
)
def test_half_a_character_is_replaced(desk: Desk, written: str, read_as: str) -> None:
    text = notebook(code("double", f"{DOUBLE}# HALF"), code("HALF", "x = 1", tags=["HALF"]))
    submission = desk.read(desk.put("alice/toy.ipynb", text.replace("HALF", written)))
    assert f"# {read_as}" in dict(submission.pieces)["toy.ipynb, cell double"]
    repr(submission).encode()


GIVEN_LABEL = "toy.ipynb, cell that begins with `import numpy as np`"
# The cells of a notebook, and the pieces that it has.
CELLS: dict[str, tuple[list[dict[str, Any]], list[tuple[str, str]]]] = {
    "the release's given cells and the student's": (
        [
            {"cell_type": "markdown", "id": "text-1", "metadata": {}, "source": "# A toy"},
            code("given-1", "START = 1e9  # edited"),
            code("3f2a", "def helper(x):\n    return x"),
            code("double", DOUBLE),
            code("show-1", "print(double(1))", tags=["show"]),
            code("check_double", "check(double)"),
            code("shift", SHIFT),
            code("77aa", "print('done')"),
        ],
        [
            ("cell 3", "def helper(x):\n    return x"),
            ("cell double", DOUBLE),
            ("cell shift", SHIFT),
            ("cell 8", "print('done')"),
        ],
    ),
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
    # A cell that was not run shows no number, and two may show the same after a restart.
    "the number that the student sees": (
        [
            code("double", "a = 1") | {"execution_count": 7},
            code("mine", "b = 1") | {"execution_count": 9},
            code("other", "c = 2") | {"execution_count": 9},
            code("last", "d = 3") | {"execution_count": True},
            code("odd", "e = 4") | {"execution_count": -1},
        ],
        [
            ("cell [7]", "a = 1"),
            ("cell [9]", "b = 1"),
            ("cell [9] (cell number 3)", "c = 2"),
            ("cell 4", "d = 3"),
            ("cell 5", "e = 4"),
        ],
    ),
}


@pytest.mark.parametrize(("cells", "expected"), CELLS.values(), ids=CELLS)
def test_what_counts_of_a_students_cells(
    desk: Desk, cells: list[dict[str, Any]], expected: list[tuple[str, str]]
) -> None:
    given, *found = desk.pieces(*cells)
    assert given == (GIVEN_LABEL, GIVEN)
    assert found == [(f"toy.ipynb, {label}", source) for label, source in expected]


def test_what_only_a_notebook_understands_is_left_out_and_named(desk: Desk) -> None:
    cells = [
        code("double", "%matplotlib inline\n!ls\n%cd ..\n%pwd\n" + DOUBLE),
        code("mine", 'y = double(3)\ncheck("double")\nz = y'),
    ]
    submission = desk.read(desk.put("alice/toy.ipynb", notebook(*cells)))
    sources = ["\n" * 4 + DOUBLE, "y = double(3)\npass\nz = y"]
    assert [source for _, source in submission.pieces[1:]] == sources
    assert submission.note == (
        "Left out, since only a notebook understands it: `%matplotlib inline`, `!ls`, `%cd ..` and 1 more."
    )
    text = 'from autograder.notebook import check\n# In[1]:\ncheck("double")\nget_ipython().x()\n'
    exported = desk.read(desk.put("toy.py", text + DOUBLE))
    assert exported.pieces == (("toy.py", f"pass\n# In[1]:\npass\n\n{DOUBLE}"),)
    assert "get_ipython" in exported.note


@pytest.mark.parametrize("minor", [0, 5])
def test_a_cell_is_known_by_nbgraders_id_where_it_has_one(desk: Desk, minor: int) -> None:
    cells = [
        code("a", "START = 1e9", nbgrader={"grade_id": "given-1"}),
        code("b", DOUBLE, nbgrader={"grade_id": "double"}),
        code("c", "check(double)", nbgrader={"grade_id": "check_double"}),
    ]
    wanted = [(GIVEN_LABEL, GIVEN), ("toy.ipynb, cell double", DOUBLE)]
    assert desk.pieces(*cells, minor=minor) == wanted


def test_missing_metadata_and_a_bom_are_no_hindrance(desk: Desk) -> None:
    cells = [
        code("double", DOUBLE, nbgrader=None, tags=None),
        {"cell_type": "code", "metadata": {}, "source": SHIFT},
    ]
    text = "\ufeff" + notebook(*cells).replace("}, {", "},\r\n{")
    found = desk.read(desk.put("alice/toy.ipynb", text)).pieces
    assert [source for _, source in found] == [GIVEN, DOUBLE, SHIFT]
