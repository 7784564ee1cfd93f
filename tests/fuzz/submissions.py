"""Files as somebody may hand them in, and the whole way that each of them goes: found, read, graded, written down.

What is drawn is noise, real submissions with a few changes, and notebooks with a few changes to their structure.
"""

from __future__ import annotations

import contextlib
import json
import random
import re
import tempfile
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autograder.errors import Rejected
from autograder.grading.grade import grade, without_checks
from autograder.reports.gradescope_json import dump_results
from autograder.results import Outcome, Status
from autograder.sandbox.limits import Limits
from autograder.sandbox.warm import best_sandbox
from autograder.submission.find import find_hand_ins
from autograder.submission.read import read_submission
from tests.exams import ROOT, exam_of
from tests.fuzz.frames import is_clean

if TYPE_CHECKING:
    from collections.abc import Iterator

    from autograder.results import Result
    from autograder.submission.hand_in import HandIn

NAME = "self_attention"
HONEST_EVERY = 10
LARGEST_RESULT = 200_000
# So little that a submission is soon stopped which takes more and more.
MEGABYTES = 1_024

_TOKENS = re.compile(r"\w+|[^\w\s]|\n[ \t]*|[ \t]+")


SOLUTION = (ROOT / "solutions" / NAME / f"{NAME}.py").read_text(encoding="utf-8")


@cache
def real(suffix: str) -> tuple[str, ...]:
    """Real submissions with this suffix: what is released, and what students handed in."""
    released = ROOT / "assignments" / NAME / f"{NAME}{suffix}"
    examples = sorted((ROOT / "examples" / "submissions").rglob(f"{NAME}{suffix}"))
    return tuple(path.read_text(encoding="utf-8") for path in (released, *examples))


@cache
def texts() -> tuple[str, ...]:
    return (SOLUTION, *real(".py"))


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


def changed(text: str, draw: random.Random) -> str:
    for _ in range(draw.randint(0, 5)):
        text = draw.choice(_CHANGES)(text, draw)
    return text


def _change_tokens(text: str, draw: random.Random) -> str:
    tokens = _TOKENS.findall(text) or [""]
    at = draw.randrange(len(tokens))
    put = ((), (draw.choice(_WORDS),), (draw.choice(tokens),), (chr(draw.randrange(0xD800)),))
    tokens[at : at + draw.choice((0, 1, 1, 8))] = draw.choice(put)
    return "".join(tokens)


def _change_lines(text: str, draw: random.Random) -> str:
    lines = text.split("\n")
    at = draw.randrange(len(lines))
    put = ((), (draw.choice(lines),), (f"  {lines[at]}",), (lines[at][1:],))
    lines[at : at + draw.choice((0, 1, 1))] = draw.choice(put)
    return "\n".join(lines)


def _join(text: str, draw: random.Random) -> str:
    at = draw.randint(0, len(text))
    return text[:at] + draw.choice(("", draw.choice(texts())[at:]))


_CHANGES = (_change_tokens, _change_tokens, _change_lines, _join)

_CODECS = ("utf-8",) * 40 + (
    "utf-8-sig", "utf-16", "utf-16-le", "utf-32", "latin-1", "cp1252", "cp037", "utf-7",
)  # fmt: skip
_NEWLINES = ("\n",) * 30 + ("\r\n", "\r", "\n\r", "\u2028", "\x0b")


def _written(text: str, draw: random.Random) -> bytes:
    codec = draw.choice(_CODECS)
    errors = "surrogatepass" if codec.startswith("utf-") and codec != "utf-7" else "replace"
    if codec == "utf-8-sig":
        data = bytearray(b"\xef\xbb\xbf" + text.encode("utf-8", "surrogatepass"))
    else:
        data = bytearray(text.replace("\n", draw.choice(_NEWLINES)).encode(codec, errors))
    for _ in range(draw.choice((0,) * 9 + (4,)) if data else 0):
        data[draw.randrange(len(data))] = draw.randrange(256)
    return bytes(data)


def _noise(draw: random.Random) -> bytes:
    odd = "".join(chr(draw.randrange(0x3000)) for _ in range(100))
    text = draw.choice((odd, " ".join(draw.choices(_WORDS, k=9))))
    return draw.choice((draw.randbytes(200), text.encode("utf-8", "surrogatepass")))


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
_VERSIONS: tuple[Any, ...] = (1, 2, 3, 3, 5, 99, 0, -1, "4", None, 4.0, 4.5, [], 10**30)


def with_changed_nodes(text: str, draw: random.Random) -> str:
    """A notebook's text after up to five changes to its structure."""
    notebook = json.loads(text)
    for _ in range(draw.randint(0, 5)):
        _change_node(notebook, draw)
    if draw.random() < 0.25:  # as format 3 has it
        cells = [
            {**cell, "input": cell.get("source", ""), "language": "python"}
            for cell in notebook.pop("cells", None) or ()
            if isinstance(cell, dict)
        ]
        notebook = {**notebook, "nbformat": 3, "worksheets": [{"cells": cells}]}
    depth = draw.choice((1, 50, 900, 5_000, 100_000))
    written = json.dumps(notebook, indent=draw.choice((None, None, 1)))
    return written.replace(json.dumps(_DEEP), "[" * depth + "]" * depth)


def _change_node(notebook: dict[str, Any], draw: random.Random) -> None:
    thing = json.loads(json.dumps(draw.choice(_THINGS)))
    kind = draw.choice(
        ("set", "set", "out", "twice", "add", "add", "code", "code", "code", "version")
    )
    cells = notebook.get("cells")
    if kind == "version":
        notebook["nbformat"] = draw.choice(_VERSIONS)
    elif kind == "code" and isinstance(cells, list):
        cell = {"cell_type": "code", "metadata": {}, "source": thing}
        cells.insert(draw.randint(0, len(cells)), cell)
    elif places := [*_places(notebook, draw)]:
        holder, place = places[-1]
        if kind == "set":
            holder[place] = thing
        elif kind == "out":
            del holder[place]
        elif kind == "twice" and isinstance(holder, list):
            holder.insert(place, json.loads(json.dumps(holder[place])))
        elif isinstance(holder[place], dict):
            holder[place][draw.choice(_KEYS)] = thing


def _places(node: Any, draw: random.Random) -> Iterator[tuple[Any, Any]]:
    """Yield places below `node`, each as a container and a key of it, one below the other."""
    for _ in range(draw.randint(1, 5)):
        keys: Any = sorted(node) if isinstance(node, dict) else ()
        if isinstance(node, list):
            keys = range(len(node))
        if not keys:
            return
        place = draw.choice(keys)
        yield node, place
        node = node[place]


# A file's place in what was handed in, and its bytes; a link or a folder in its place where there are none.
Files = tuple[tuple[str, bytes | None], ...]

_NAMES = (
    "work.py", "notes.txt", ".hidden", "\x1b[31mred.py", "a\nb.ipynb", "\u202e.py", "`x`.py", "x" * 200,
    "folder/work.py", "é", " ", "..py",
)  # fmt: skip


def handed_in(seed: int) -> Files:
    """What one student handed in, which `seed` decides: mostly one file of the right name."""
    draw = random.Random(seed)
    py, ipynb = f"{NAME}.py", f"{NAME}.ipynb"
    program = _written(changed(draw.choice(texts()), draw), draw)
    notebook = with_changed_nodes(draw.choice(real(".ipynb")), draw)
    cells = _written(changed(notebook, draw) if draw.random() < 0.1 else notebook, draw)
    usual = [((py, program),)] * 14 + [((ipynb, cells),)] * 7
    odd: list[Files] = [
        ((py, _noise(draw)),),
        ((ipynb, _noise(draw)),),
        ((py, program), (ipynb, cells)),
        ((f"{NAME}/{ipynb}", cells),),
        tuple((name, draw.choice((None, _noise(draw)))) for name in draw.sample(_NAMES, 2)),
        ((py, None),),
        (),
    ]
    return draw.choice([*usual, *odd])


def put(folder: Path, files: Files) -> None:
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


class Course:
    """Grades what is handed in, the whole way, in the sandbox that this machine has."""

    def __init__(self) -> None:
        self.exam = exam_of(NAME)
        limits = Limits(cpu=1, memory=MEGABYTES)
        self.sandbox = best_sandbox(limits, probes=self.exam.assignment.probes)
        self._graded = 0

    def outcome_of(self, seed: int) -> str:
        return self.outcome(handed_in(seed))

    def outcome(self, files: Files) -> str:
        """How a submission ends. Every now and then an honest one is graded after it."""
        self._graded += 1
        with tempfile.TemporaryDirectory() as name:
            put(Path(name, "odd"), files)
            if honest := self._graded % HONEST_EVERY == 0:
                put(Path(name, "student"), ((f"{NAME}.py", SOLUTION.encode()),))
            results = [self._result(found) for found in find_hand_ins([Path(name)], NAME)]
        if honest:
            assert results[-1].score == results[-1].max_score, results[-1]
        return self._judge(results[0])

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
        ended = {Outcome.CRASHED, Outcome.EXITED, Outcome.TIMED_OUT}
        if any(check.outcome in ended for check in result.checks):
            return "graded, a process ended"
        full = result.score == result.max_score
        return f"graded, {'full marks' if full else 'some points' if result.score else 'no points'}"
