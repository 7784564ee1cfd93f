"""Thirty hand-ins of `self_attention`, as a class uploads them: right, wrong, late, twice, packed, unreadable."""

from __future__ import annotations

import io
import unicodedata
import zipfile
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import nbformat

from tests.submission.class_downloads import Student

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples" / "submissions"
ASSIGNMENT = "self_attention"
MODULE, NOTEBOOK = f"{ASSIGNMENT}.py", f"{ASSIGNMENT}.ipynb"


@dataclass(frozen=True)
class HandIn:
    """One student of the class, and which other student must get the same marks.

    Attributes:
        same_as: the name of an example with these marks; empty where nothing can be run.
    """

    student: Student
    same_as: str


@cache
def example(name: str) -> bytes:
    """The bytes of an example's file."""
    for path in (EXAMPLES / f"{name}.py", EXAMPLES / name / MODULE, EXAMPLES / name / NOTEBOOK):
        if path.is_file():
            return path.read_bytes()
    raise FileNotFoundError(name)


def as_notebook(source: bytes) -> bytes:
    """A notebook whose only code cell is this module."""
    cells = [nbformat.v4.new_markdown_cell("# Mine"), nbformat.v4.new_code_cell(source.decode())]
    for number, cell in enumerate(cells):
        cell["id"] = f"cell-{number}"
    return str(nbformat.writes(nbformat.v4.new_notebook(cells=cells))).encode()


def archive(files: dict[str, bytes]) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in files.items():
            file.writestr(name, content)
    return data.getvalue()


@cache
def bomb() -> bytes:
    """A small archive of a file that is too large when unpacked."""
    return archive({f"work/{MODULE}": b"#" * 80_000_000})


def released(name: str) -> bytes:
    return (ROOT / "assignments" / ASSIGNMENT / name).read_bytes()


MODULES = [
    "amara-o",
    "bjorn-k",
    "chen-l",
    "dmitri-v",
    "elif-y",
    "farid-h",
    "grace-m",
    "hiro-t",
    "ines-p",
]
NAMES = [
    ("Amara", "Okafor"),
    ("Björn", "Kjærgård"),
    ("Chén", "Lì"),
    ("Dmitri", "Volkov"),
    ("Elif", "Çelik"),
    ("Farid", "Haddad"),
    ("Grace", "Mbeki"),
    ("Hiro", "Tanaka"),
    ("Inês", "Pinto da Silva"),
    ("Jonas", "Weiß"),
    ("Zoë", "van der Berg"),
    ("Wei", "Wang"),
    ("Wei", "Wang"),
    ("Åse", "Ångström"),
    ("José María", "García Lorca"),
    ("Mary-Jane", "O'Brien"),
    ("Anne Marie", "de la Cruz"),
    ("李", "娜"),
    ("Søren", "Ó Súilleabháin"),
    ("Nguyễn", "Văn An"),
    ("X Æ", "Smith Jr."),
    ("Lena", "Müller"),
    ("Lena", "Mueller"),
    ("Ada", "Lovelace"),
    ("Alan", "Turing"),
    ("Kurt", "Gödel"),
    ("Emmy", "Noether"),
    ("Paul", "Erdős"),
    ("Sofia", "Kowalewskaja"),
    ("Ren\u0065\u0301", "Decartes"),
]
ABSENT = [Student("Gone", "Girl", 91), Student("Never", "There", 92)]


def _files(number: int) -> tuple[dict[str, bytes], str]:
    """What the student with this number handed in, and the example that gets the same marks."""
    if number < len(MODULES):
        return {MODULE: example(MODULES[number])}, MODULES[number]
    amara, chen = example("amara-o"), example("chen-l")
    more: list[tuple[dict[str, bytes], str]] = [
        ({NOTEBOOK: example("jonas-w")}, "jonas-w"),
        ({NOTEBOOK: as_notebook(chen)}, "chen-l"),
        ({MODULE: amara}, "amara-o"),
        ({MODULE: example("bjorn-k")}, "bjorn-k"),
        ({NOTEBOOK: as_notebook(example("elif-y"))}, "elif-y"),
        ({"my solution (final).py": amara}, "amara-o"),
        ({f"{ASSIGNMENT} (1).ipynb": as_notebook(amara)}, "amara-o"),
        ({MODULE: released(MODULE), NOTEBOOK: as_notebook(chen)}, "chen-l"),
        ({MODULE: example("hiro-t"), NOTEBOOK: released(NOTEBOOK)}, "hiro-t"),
        ({"work.zip": archive({f"week 3/{MODULE}": amara, "week 3/x.png": b"\x89PNG"})}, "amara-o"),
        ({"work.zip": bomb()}, ""),
        ({"report.pdf": b"%PDF-1.4"}, ""),
        ({"one.py": amara, "two.py": chen}, ""),
        ({NOTEBOOK: b'{"cells": ['}, ""),
        ({MODULE: b"# coding: latin-1\n# \xe9t\xe9\n" + amara}, "amara-o"),
        ({MODULE: amara + b"\nprint(\n"}, "amara-o"),
        ({MODULE: amara.replace(b"\n", b"\r\n")}, "amara-o"),
        ({MODULE: b"\xef\xbb\xbf" + chen, "notes.txt": b"See my code."}, "chen-l"),
        ({MODULE: b""}, "dmitri-v"),
        ({MODULE: released(MODULE)}, "dmitri-v"),
        ({NOTEBOOK: released(NOTEBOOK)}, "dmitri-v"),
    ]
    return more[number - len(MODULES)]


@cache
def thirty() -> list[HandIn]:
    """The class. Every fourth is late, and every fifth handed in the stub before."""
    found = []
    for number, (first, last) in enumerate(NAMES):
        files, same_as = _files(number)
        student = Student(first, last, number + 1, files, late=number % 4 == 1)
        if number % 5 == 0:
            student = replace(student, earlier={name: released(MODULE) for name in files})
        found.append(HandIn(student, same_as))
    return found


def written(name: str) -> str:
    """A name as results spell it."""
    return unicodedata.normalize("NFC", name)
