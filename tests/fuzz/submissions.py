"""Files as somebody may hand them in, and the whole way that each of them goes: found, read, graded, written down.

What is drawn is noise, real submissions with a few changes, and notebooks with a few changes to their structure.
"""

from __future__ import annotations

import contextlib
import json
import re
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import nbformat
from hypothesis import strategies as st

from autograder.assignment.script import read_cells
from autograder.errors import Rejected
from autograder.grading.grade import grade, without_checks
from autograder.reports.gradescope_json import dump_results
from autograder.results import Outcome, Status
from autograder.sandbox.limits import Limits
from autograder.sandbox.warm import best_sandbox
from autograder.submission.find import find_hand_ins
from autograder.submission.read import read_submission
from tests.exams import exam_of, source_of
from tests.fuzz.frames import is_clean

if TYPE_CHECKING:
    from collections.abc import Iterator

    from autograder.exam.questions import Exam
    from autograder.results import Result
    from autograder.submission.hand_in import HandIn

ROOT = Path(__file__).parents[2]
HONEST_EVERY = 10
LARGEST_RESULT = 200_000
# So little that a submission is soon stopped which takes more and more.
MEGABYTES = 1_024

_PLACES = 2**16
_places = st.integers(0, _PLACES - 1)
_TOKENS = re.compile(r"\w+|[^\w\s]|\n[ \t]*|[ \t]+")


@cache
def solution(assignment: str) -> str:
    """The text of the solution."""
    path = ROOT / "solutions" / assignment / f"{assignment}.py"
    return path.read_text(encoding="utf-8")


@cache
def texts(assignment: str) -> tuple[str, ...]:
    """Real submissions: the solution, the stubs, and what students handed in."""
    stubs = (ROOT / "assignments" / assignment / f"{assignment}.py").read_text(encoding="utf-8")
    examples = sorted((ROOT / "examples" / "submissions").rglob(f"{assignment}.py"))
    return (solution(assignment), stubs, *(path.read_text(encoding="utf-8") for path in examples))


@cache
def notebooks(assignment: str) -> tuple[str, ...]:
    """Real notebooks: one of the solution, and what students handed in."""
    cells = []
    for cell in read_cells(solution(assignment)):
        make = nbformat.v4.new_markdown_cell if cell.kind == "text" else nbformat.v4.new_code_cell
        metadata = {"nbgrader": {"grade_id": cell.id, "solution": cell.kind == "step"}}
        cells.append(make(cell.source, id=cell.id, metadata=metadata))
    examples = sorted((ROOT / "examples" / "submissions").rglob(f"{assignment}.ipynb"))
    made = nbformat.writes(nbformat.v4.new_notebook(cells=cells))
    return (made, *(path.read_text(encoding="utf-8") for path in examples))


@cache
def steps(assignment: str) -> tuple[str, ...]:
    """The names of its steps."""
    return tuple(check.name for check in source_of(assignment).assignment.checks)  # fmt: skip


# One change to a text: which, where, how far (both as parts of the whole), and with what.
Change = tuple[str, int, int, str]

_WORDS = (
    "\x00", "\ufeff", "\x0c", "\x1b[31m", "\r", "\u2028", "\u202e", "\u00a0", "é", "\U0001d7d9",
    "\\", "'''", '"', "(", ")",
    "[", "]", "{", ":", ";", "@", "*", "**", "=", ":=", "#", "%", "!", "`", "~", "->", "...", "\t", "    ", "\n",
    "0x", "1e999", "10**10000", "-1", "0", "1j", "None", "True", "nan", "lambda:", "return", "yield", "await ",
    "async ", "not ", "del ", "global ", "nonlocal x\n", "raise ", "import ", "class ", "def ", "for _ in ", "while ",
    "try:\n", "finally:\n", "with ", "match ", "exec", "eval", "print", "input()", "super()", "self", "torch", "nn",
    "np", "type", "object", "__name__", "__builtins__", ".T", ".data", ".numpy()", ".tolist()", "[0]", "[None]",
    "\\N{", "f'{", "b'\\xff'", "'\\ud800'", "# -*- coding: utf-7 -*-", "from __future__ import annotations\n",
    "from __future__ import braces\n", "### BEGIN SOLUTION", "### END SOLUTION", "# %%\n", '# %% tags=["show"]\n',
    "# %% [markdown]\n", "raise NotImplementedError()\n",
)  # fmt: skip
# Lines that a program may begin or end with; the steps are defined by then.
_LINES = (
    "raise SystemExit", "exit()", "import os; os._exit(3)", "import os; os.kill(0, 9)",
    "import os; os.close(1); os.close(2)", "import sys; sys.stdout = None; sys.stderr = 3",
    "import sys; sys.setrecursionlimit(10**9)", "raise BaseException('\\x1b[2J\\u202e')",
    "class E(Exception):\n    def __str__(self): return 3\nraise E",
    "raise type('\\x1b[1m' * 99, (Exception,), {})('\\x00\\r')", "raise SyntaxError('x', ('{file}', 10**30, 1, 'x'))",
    "raise SyntaxError('x', ([], 'y', None, 1))", "raise ExceptionGroup('\\x07', [ValueError('\\x08')])", "del torch",
    "torch = None", "import torch; torch.Tensor.shape = 3", "print('\\x1b[2J' * 99999)", "globals().clear()",
    "globals()[3] = 3", "globals()['\\ud800\\x1b'] = print", "__name__ = 3; __file__ = None",
    "import ctypes; ctypes.string_at(0)", "def f(): f()\nf()", "x = " + "(" * 3000 + ")" * 3000,
    "x = " + "-" * 30_000 + "1", "x = " + "[" * 150 + "]" * 150,
    "if 1:\n" + "".join(" " * n + "if 1:\n" for n in range(1, 150)), "x = '" + "x" * 200_000 + "'",
    "x = 1\n" * 20_000, "x = " + "+".join("1" * 3000), "x = " + "9" * 10_000, "print(" + "f'{" * 30 + "}'" * 30,
    "lambda: (yield)", "x: int = 3; nonlocal x", "async def f(): await f()", "import gc; gc.disable()",
    "import threading; threading.Thread(target=print).start()", "import atexit; atexit.register(lambda: 1 / 0)",
    "import warnings; warnings.simplefilter('error')", "import sys; sys.modules.clear()",
    "import builtins; builtins.len = None", "import sys; sys.settrace(lambda *a: 1 / 0)",
    "import numpy; numpy.ndarray = None",
)  # fmt: skip
# What a step gives back in its stead.
_RETURNS = (
    "b'\\x00' * 10**6", "'\\x1b[31m' * 10**4", "{'\\x1b' * 10**4: 1}", "{b'x' * 10**5: 1}", "[[[[[[[[[[1]]]]]]]]]]",
    "[0] * 10**6", "10**4000", "float('nan')", "complex(1, 2)", "print", "type('\\x1b\\u202e', (), {})()",
    "type('N' * 10**5, (), {})()", "range(3)", "iter([])", "torch.zeros(0)", "torch.zeros(2, 0, 3)",
    "torch.full((3, 3), float('inf'))", "torch.zeros(3, dtype=torch.complex64)", "torch.tensor(3e38)",
    "torch.zeros(9, 9).to('meta')", "torch.zeros(10**4, 10**4)", "torch.zeros(1).expand(10**9)",
    "__import__('numpy').zeros(3, '>f8')", "__import__('numpy').zeros(3, 'O')", "a", "a[0]", "a and a[0].mul_(0)",
    "(x for x in a)", "{1: 2, True: 3, None: {}}", "{(1, 2): [3]}", "...", "NotImplemented", "'x' * 10**5", "exit(3)",
    "__import__('os')._exit(0)", "__import__('os').abort()", "1 / 0", "open('/etc/passwd').read()",
    "print('\\x1b[1m' * 10**5)",
)  # fmt: skip

_changes = st.tuples(
    st.sampled_from(("put", "put", "insert", "insert", "drop", "swap", "copy", "cut", "line out", "line twice",
                     "lines swapped", "indent", "noise", "returns", "begins", "ends", "joined")),
    _places,
    _places,
    st.sampled_from(_WORDS) | st.text(min_size=1, max_size=3),
)  # fmt: skip


def changed(text: str, changes: list[Change], assignment: str) -> str:
    """A program after these changes."""
    for change in changes:
        text = _changed(text, change, assignment)
    return text


def _changed(text: str, change: Change, assignment: str) -> str:
    kind, where, extent, patch = change
    match kind:
        case "line out" | "line twice" | "lines swapped" | "indent":
            lines = text.split("\n")
            _change_lines(kind, lines, _at(where, lines), _at(extent, lines))
            return "\n".join(lines)
        case "returns":
            step = steps(assignment)[_at(where, steps(assignment))]
            return f"{text}\n\ndef {step}(*a, **k):\n    return {_RETURNS[_at(extent, _RETURNS)]}\n"
        case "begins":
            return f"{_line(extent, assignment)}\n{text}"
        case "ends":
            return f"{text}\n{_line(extent, assignment)}\n"
        case "cut":
            return text[: _at(where, text)]
        case "noise":
            at = _at(where, text)
            return text[:at] + patch + text[at:]
        case "joined":
            others = texts(assignment)
            return text[: _at(where, text)] + others[extent % len(others)][_at(where, text) :]
    tokens = _TOKENS.findall(text) or [""]
    _change_tokens(kind, tokens, _at(where, tokens), _at(extent, tokens), patch)
    return "".join(tokens)


def _line(number: int, assignment: str) -> str:
    return _LINES[_at(number, _LINES)].replace("{file}", f"{assignment}.py")


def _at(where: int, things: str | list[str] | tuple[str, ...]) -> int:
    return where * len(things) // _PLACES


def _change_lines(kind: str, lines: list[str], at: int, other: int) -> None:
    match kind:
        case "line out":
            del lines[at]
        case "line twice":
            lines.insert(other, lines[at])
        case "lines swapped":
            lines[at], lines[other] = lines[other], lines[at]
        case "indent":
            lines[at] = lines[at][1:] if other % 2 else f"  {lines[at]}"


def _change_tokens(kind: str, tokens: list[str], at: int, other: int, patch: str) -> None:
    match kind:
        case "put":
            tokens[at] = patch
        case "insert":
            tokens.insert(at, patch)
        case "drop":
            del tokens[at : at + 1 + other % 8]
        case "swap":
            tokens[at], tokens[other] = tokens[other], tokens[at]
        case "copy":
            tokens[at] = tokens[other]


_OTHER_CODECS = (
    "utf-8-sig",
    "utf-16",
    "utf-16-le",
    "utf-32",
    "latin-1",
    "cp1252",
    "cp037",
    "utf-7",
)
_CODECS = ("utf-8",) * 40 + _OTHER_CODECS
_NEWLINES = ("\n",) * 30 + ("\r\n", "\r", "\n\r", "\u2028", "\x0b")


def _written(text: str, codec: str, newline: str, flips: list[tuple[int, int]]) -> bytes:
    errors = "surrogatepass" if codec.startswith("utf-") and codec != "utf-7" else "replace"
    if codec == "utf-8-sig":
        data = bytearray(b"\xef\xbb\xbf" + text.encode("utf-8", "surrogatepass"))
    else:
        data = bytearray(text.replace("\n", newline).encode(codec, errors))
    for where, byte in flips:
        if data:
            data[where * len(data) // _PLACES] = byte
    return bytes(data)


def _files(made: st.SearchStrategy[str]) -> st.SearchStrategy[bytes]:
    flips = st.integers(0, 9).flatmap(
        lambda chance: st.lists(st.tuples(_places, st.integers(0, 255)), max_size=0 if chance else 4)
    )  # fmt: skip
    return st.builds(_written, made, st.sampled_from(_CODECS), st.sampled_from(_NEWLINES), flips)


_noise = st.one_of(
    st.binary(max_size=200),
    st.text(max_size=200).map(lambda text: text.encode("utf-8", "surrogatepass")),
    st.lists(st.sampled_from(_WORDS + _LINES), max_size=12).map(lambda words: " ".join(words).encode()),
)  # fmt: skip


def programs(assignment: str) -> st.SearchStrategy[bytes]:
    """A `.py` file: a real one with a few changes."""
    few = st.lists(_changes, max_size=5)
    made = st.builds(changed, st.sampled_from(texts(assignment)), few, st.just(assignment))
    return _files(made)


_DEEP = "a value that is nested deeply"
_THINGS: tuple[Any, ...] = (
    None, True, 0, -1, 4.5, 10**400, float("nan"), float("inf"), "", "\x00", "\ud800", "show", "code", "markdown",
    "raw", "heading", "x" * 100_000, [], [None], [[]], ["show"], ["\x1b[1m"], {}, {"": None}, {"cell_type": "code"},
    _DEEP, {"nbgrader": {"grade_id": "project"}}, {"nbgrader": []}, {"tags": 3}, {"tags": "show"},
    {"tags": {"show": 1}}, "def project(*a):\n    return a\n", ["import os\n", "os._exit(1)\n"], "%%bash\nls\n",
    "%matplotlib inline\n!ls\nx = 3 !ls\n?x\nx?\n", "%%time\ndef attention_score(q, k):\n    return q @ k",
    "%%javascript\nalert(1)", "await f()", "x = 1\n" * 9_000, "get_ipython()",
)  # fmt: skip
_KEYS = (
    "cells", "metadata", "nbformat", "nbformat_minor", "cell_type", "id", "source", "outputs", "execution_count",
    "tags", "nbgrader", "grade_id", "worksheets", "input", "language", "attachments", "prompt_number", "level",
    "kernelspec", "orig_nbformat",
)  # fmt: skip
# One change to a notebook's structure: which, the way to its place, a key and a thing.
NodeChange = tuple[str, list[int], str, int]
_node_changes = st.tuples(
    st.sampled_from(("set", "set", "out", "twice", "add", "add", "moved", "code", "code", "code", "code", "version")),
    st.lists(st.integers(0, 2**10), min_size=1, max_size=5),
    st.sampled_from(_KEYS),
    st.integers(0, len(_THINGS) - 1),
)  # fmt: skip
_VERSIONS: tuple[Any, ...] = (1, 2, 3, 3, 5, 99, 0, -1, "4", None, 4.0, 4.5, [], 10**30)


def with_changed_nodes(text: str, changes: list[NodeChange], depth: int, layout: str) -> str:
    """A notebook's text after these changes to its structure."""
    notebook = json.loads(text)
    for kind, way, key, number in changes:
        _change_node(notebook, kind, way, key, _THINGS[number])
    if layout == "old":
        notebook = {**notebook, "nbformat": 3, "worksheets": [{"cells": _old_cells(notebook)}]}
        notebook.pop("cells", None)
    written = json.dumps(notebook, indent=1 if layout == "indented" else None)
    return written.replace(json.dumps(_DEEP), "[" * depth + "]" * depth)


def _old_cells(notebook: dict[str, Any]) -> list[Any]:
    cells = notebook.get("cells")
    return [
        {**cell, "input": cell.get("source", ""), "language": "python"}
        for cell in (cells if isinstance(cells, list) else [])
        if isinstance(cell, dict)
    ]


def _change_node(notebook: dict[str, Any], kind: str, way: list[int], key: str, thing: Any) -> None:
    thing = json.loads(json.dumps(thing))
    if kind == "version":
        notebook["nbformat"] = _VERSIONS[way[0] % len(_VERSIONS)]
        return
    if kind == "code":
        cells = notebook.get("cells")
        if isinstance(cells, list):
            cells.insert(
                way[0] % (len(cells) + 1), {"cell_type": "code", "metadata": {}, "source": thing}
            )
        return  # fmt: skip
    holder, place = _found(notebook, way)
    if holder is None:
        return
    match kind:
        case "set":
            holder[place] = thing
        case "out":
            del holder[place]
        case "twice" if isinstance(holder, list):
            holder.insert(place, json.loads(json.dumps(holder[place])))
        case "moved" if isinstance(holder, list):
            holder.append(holder.pop(place))
        case _ if isinstance(holder[place], dict):
            holder[place][key] = thing


def _found(node: Any, way: list[int]) -> tuple[Any, Any]:
    """A place below `node`, as a container and a key of it; the way ends where there is nothing below."""
    holder, place = None, None
    for number in way:
        keys: list[Any] = []
        if isinstance(node, dict | list):
            keys = sorted(node) if isinstance(node, dict) else list(range(len(node)))
        if not keys:
            break
        holder, place = node, keys[number % len(keys)]
        node = holder[place]
    return holder, place


def notebook_files(assignment: str) -> st.SearchStrategy[bytes]:
    """An `.ipynb` file: a real one with a few changes to its structure, now and then to its text."""
    made = st.builds(
        with_changed_nodes,
        st.sampled_from(notebooks(assignment)),
        st.lists(_node_changes, max_size=5),
        st.sampled_from((1, 50, 900, 5_000, 100_000)),
        st.sampled_from(("compact", "compact", "indented", "old")),
    )
    few = st.integers(0, 9).flatmap(lambda chance: st.lists(_changes, max_size=0 if chance else 2))
    return _files(st.builds(changed, made, few, st.just(assignment)))


# A file's place in what was handed in, and its bytes; a link or a folder in its place where there are none.
Files = tuple[tuple[str, bytes | None], ...]

_names = st.one_of(
    st.sampled_from(("work.py", "notes.txt", ".hidden", "\x1b[31mred.py", "a\nb.ipynb", "\u202e.py", "`x`.py")),
    st.sampled_from(("x" * 200, "folder/work.py")),
    st.text(st.characters(codec="utf-8", exclude_characters="/\x00"), min_size=1, max_size=8),
)  # fmt: skip


def handed_in(assignment: str) -> st.SearchStrategy[Files]:
    """What one student handed in: mostly one file of the right name."""
    program, notebook = programs(assignment), notebook_files(assignment)
    py, ipynb = f"{assignment}.py", f"{assignment}.ipynb"

    def named(name: str, content: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
        return st.tuples(st.just(name), content)

    odd = st.one_of(
        st.tuples(named(py, program), named(ipynb, notebook)),
        st.tuples(named(f"{assignment}/{ipynb}", notebook)),
        st.tuples(st.tuples(_names, st.none() | _noise), st.tuples(_names, st.none() | _noise)),
        st.tuples(named(py, st.none())),
        st.tuples(),
    )
    usual = (
        st.tuples(named(py, program)),
        st.tuples(named(ipynb, notebook)),
        st.tuples(named(py, _noise)),
        st.tuples(named(ipynb, _noise)),
        odd,
    )
    weights = (0,) * 14 + (1,) * 7 + (2, 3, 4)
    return st.sampled_from(weights).flatmap(lambda kind: usual[kind])


def put(folder: Path, files: Files) -> None:
    """Make this folder hold these files."""
    folder.mkdir()
    for name, content in files:
        path = folder / name
        with contextlib.suppress(OSError, ValueError):  # this system has no such name
            path.parent.mkdir(exist_ok=True)
            if content is None:
                path.symlink_to(__file__)
            else:
                with path.open("xb") as file:  # never through a link
                    file.write(content)


@dataclass
class Course:
    """Grades what is handed in, the whole way, in the sandbox that this machine has."""

    assignment: str

    def __post_init__(self) -> None:
        self.exam: Exam = exam_of(self.assignment)
        limits = Limits(cpu=1, memory=MEGABYTES)
        self.sandbox = best_sandbox(limits, probes=self.exam.assignment.probes)
        self._graded = 0

    def outcome(self, files: Files) -> str:
        """How a submission ends. Every now and then an honest one is graded after it."""
        self._graded += 1
        with tempfile.TemporaryDirectory() as name:
            put(Path(name, "odd"), files)
            if honest := self._graded % HONEST_EVERY == 0:
                right = solution(self.assignment).encode()
                put(Path(name, "student"), ((f"{self.assignment}.py", right),))
            results = [
                self._result(found) for found in find_hand_ins([Path(name)], self.assignment)
            ]
        if honest:
            assert results[-1].score == results[-1].max_score, results[-1]
        return self._judge(results[0])  # fmt: skip

    def _result(self, found: HandIn) -> Result:
        try:
            submission = read_submission(found, self.exam.assignment)
        except Rejected as rejected:
            return without_checks(self.exam, found.student, Status.REJECTED, str(rejected))
        return grade(self.exam, submission, self.sandbox)

    def _judge(self, result: Result) -> str:
        """In one word, how a submission ended, once everything about its result is as it has to be."""
        dumped = dump_results(result)
        assert len(dumped) <= LARGEST_RESULT
        content = json.loads(dumped)
        assert result.status in {Status.GRADED, Status.REJECTED}
        assert 0 <= content["score"] <= content["extra_data"]["max_score"]
        for text in [content["output"], *(test["output"] for test in content["tests"])]:
            assert is_clean(text), ascii(text[:500])
        for check in result.checks:
            assert 0 <= check.score <= check.max_score
            assert check.outcome is not Outcome.UNGRADED
        if result.status is Status.REJECTED:
            assert content["score"] == 0
            assert len(content["output"]) > len("No.")
            return "rejected"
        if any(
            check.outcome in {Outcome.CRASHED, Outcome.EXITED, Outcome.TIMED_OUT}
            for check in result.checks
        ):
            return "graded, a process ended"
        full = result.score == result.max_score
        return f"graded, {'full marks' if full else 'some points' if result.score else 'no points'}"  # fmt: skip

    def close(self) -> None:
        """End the sandbox."""
        self.sandbox.close()


@contextlib.contextmanager
def course(assignment: str) -> Iterator[Course]:
    """A course that is closed in the end."""
    opened = Course(assignment)
    try:
        yield opened
    finally:
        opened.close()
