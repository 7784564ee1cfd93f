"""Odd programs: right ones in which some code was exchanged for what no author of an explanation had in mind."""

from __future__ import annotations

import ast
import random
import warnings
from functools import partial
from typing import TYPE_CHECKING

from autograder.grading.explaining import Explaining
from autograder.grading.grader import Grader
from autograder.reports.graded_class import Entry
from autograder.reports.gradescope_json import dump_results
from autograder.reports.pages.feedback_page import feedback_page
from autograder.results import Result, Status
from autograder.submission.step_source import find_steps
from autograder.testing import open_in_process
from tests.exams import ASSIGNMENTS, exam_of
from tests.truth.variant import base_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from autograder.exam.questions import Exam
    from autograder.results import CheckResult, Outcome

_DEEP = 330
# What stands in place of an expression: odd values, odd depths, odd ways to fail.
EXPRESSIONS = (
    f"{'9' * 5000}",
    "10 ** 5000",
    "1e400",
    "1j",
    "torch.tensor(1.7e308, dtype=torch.float64)",
    "torch.full((3, 4), float('nan'))",
    "torch.zeros(0, 3)",
    "torch.tensor(True)",
    "torch.ones(2, 2, dtype=torch.complex64)",
    "torch.ones(2, 2, dtype=torch.float16)",
    "np.array(['a', 'b'])",
    "np.array([None, {}], dtype=object)",
    "{1: 2, None: 3, (4, 5): [6]}",
    "{'\\ud800': '\\x00'}",
    "b'\\xff' * 300",
    "'\\n\\n| a | b |\\n' * 50",
    "f'{1:{2}}'",
    "...",
    "NotImplemented",
    "print",
    "(yield)",
    "(x for x in range(3))",
    "lambda W_query, /, *values, scale=1, **options: W_query",
    "[[1, 2], [3]]",
    "type('T' * 500, (), {})()",
    f"object{'.a' * _DEEP}",
    f"{'(' * 90}1{')' * 90}",
    f"{'-' * _DEEP}1",
    f"{' + '.join(['1'] * 900)}",
    "(lambda: (_ for _ in ()).throw(KeyError(())))()",
    "(lambda: (_ for _ in ()).throw(ExceptionGroup('g', [ValueError()])))()",
    "(lambda: (_ for _ in ()).throw(type('E' * 300, (Exception,), {'__str__': None})()))()",
    "(lambda: (_ for _ in ()).throw(ValueError('%s {} {0} `' * 300)))()",
    "torch.ones(2, 3) @ torch.ones(2, 3)",
    "torch.nn.Linear(2, 3)(torch.ones(4))",
    "self.options['scale']",
    "self.missing",
    "undefined",
    "query.shape[7]",
    "x[..., None, ::-1]",
    "values.T.T.no_such_thing()",
    "torch.softmax()",
    "__import__('no_such_module')",
    "(walrus := 3)",
)
# What stands in place of a function's arguments.
ARGUMENTS = (
    "",
    "*args",
    "*args, **options",
    "self",
    "self, d_in, d_out, *, qkv_bias",
    "a, /, b=lambda: 0, *, c: 'x' = None",
    "a=(1, [2, {3: 4}]), b=None",
    "x: lambda W_query: W_query = 0",
    ", ".join(f"a{number}" for number in range(120)),
    "ünïcödé, 変数",
)
# What stands in a class or at the end of the file.
STATEMENTS = (
    "W_query = property(lambda self: 1 / 0)",
    "W_key = W_value = None",
    "__slots__ = ()",
    "__slots__ = ('W_query',)",
    "def __getattr__(self, name): raise ValueError(name * 100)",
    "def __getattr__(self, name): return self",
    "def __setattr__(self, name, value): pass",
    "def __init__(self, **options): self.options = options",
    "def __call__(self, *args): return args",
    "forward = None",
    "forward = lambda *args: args",
    "def forward(self, x, /): return self.options['scale']",
    "@property\n    def forward(self): return 3",
    "@staticmethod\n    def forward(x): return x",
    "class forward: pass",
    "W_query, (W_key, *W_value) = 1, (2, 3)",
    "def init(self): self.W_query = 1",
    "for W_query in range(2): pass",
    "self = None",
)
# What stands in a function.
LINES = (
    "odd = {expression}",
    "self.f = lambda W_query: W_query",
    "[W_query for W_query in ({expression},)]",
    "for W_query in ({expression},): pass",
    "with {expression} as W_query: pass",
    "def odd(W_query, *, x=1): return {expression}",
    "class W_query: x = {expression}",
    "global W_query; W_query = 1",
    "import no_such_module as W_query",
    "match {expression}:\n            case W_query: pass",
    "try: {expression}\n        except Exception as W_query: raise",
    "raise ValueError({expression})",
    "return {expression}",
    "self.__class__ = int",
    "x += {expression}",
)
HEADS = ("", "class Odd(dict): pass\n", "import torch as np\n", "len = None\n", "x = values = 1\n")


def program(assignment: str, number: int) -> str:
    """Return the odd program with this number: always the same one."""
    choose = random.Random(number)
    text = base_of(assignment)
    for _ in range(choose.choice((1, 1, 2, 3))):
        text = choose.choice((_expression, _line, _arguments, _statement))(text, choose)
    return choose.choice(HEADS) + text


def _spans(text: str, *kinds: type[ast.expr | ast.stmt]) -> list[tuple[int, int]]:
    """Return where these nodes stand, below the file's own level; none if the text is no Python any more."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    steps = [node for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)]
    found = (node for step in steps for node in ast.walk(step) if isinstance(node, kinds))
    return [
        (
            starts[node.lineno - 1] + node.col_offset,
            starts[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0),
        )
        for node in found
        if isinstance(node, ast.expr | ast.stmt)
    ]


def _expression(text: str, choose: random.Random) -> str:
    kinds = (ast.Call, ast.BinOp, ast.Attribute, ast.Name, ast.Subscript, ast.Constant)
    spans = _spans(text, *kinds)
    if not spans:
        return text
    first, last = choose.choice(spans)
    return f"{text[:first]}({choose.choice(EXPRESSIONS)}){text[last:]}"


def _arguments(text: str, choose: random.Random) -> str:
    spans = _spans(text, ast.FunctionDef)
    if not spans:
        return text
    opened = text.index("(", choose.choice(spans)[0])
    closed = text.index(")", opened)
    added = choose.choice((", **options", ", *rest", ", *, scale", ", W_query=lambda x: x"))
    changed = choose.choice((text[opened + 1 : closed] + added, choose.choice(ARGUMENTS)))
    return f"{text[: opened + 1]}{changed}{text[closed:]}"


def _line(text: str, choose: random.Random) -> str:
    spans = _spans(text, ast.Assign, ast.Return, ast.Expr, ast.Raise)
    if not spans:
        return text
    first = choose.choice(spans)[0]
    indent = text[text.rfind("\n", 0, first) + 1 : first]
    line = choose.choice(LINES).replace("{expression}", choose.choice(EXPRESSIONS))
    return f"{text[:first]}{line}\n{indent}{text[first:]}"


def _statement(text: str, choose: random.Random) -> str:
    spans = _spans(text, ast.ClassDef)
    statement = choose.choice(STATEMENTS)
    if not spans or choose.random() < 0.2:
        return f"{text}\n{statement.replace('    ', '')}\n"
    first, last = choose.choice(spans)
    end = choose.choice((last, text.index("\n", first) + 1))
    return f"{text[:end]}\n    {statement}\n{text[end:]}"


def run(assignment: str, number: int) -> list[str]:
    """Grade a program in this process; return the failures to explain. Asserts that no point depends on words.

    Raises what passes the boundary around explanations.
    """
    exam, text = exam_of(assignment), program(assignment, number)
    explaining = Explaining()
    checks = _checks(exam, text, explaining)
    assert _points(_checks(exam, text, Explaining(spent=True))) == _points(checks)
    result = Result(exam.assignment.name, "student", Status.GRADED, checks, (), False, "", "", "")
    for write in (partial(dump_results, result), partial(feedback_page, Entry(result))):
        explaining.words(write, b"")
    return explaining.bugs


def outcome(seed: int) -> str:
    with warnings.catch_warnings(action="ignore"):  # of NumPy and torch, about the odd numbers
        assert run(ASSIGNMENTS[seed % len(ASSIGNMENTS)], seed) == []
    return "explained"


def _checks(exam: Exam, text: str, explaining: Explaining) -> tuple[CheckResult, ...]:
    session = open_in_process(exam, text)
    grader = Grader(exam, session, explaining=explaining)
    checks = tuple(grader.check(check) for check in exam.assignment.checks)
    grader.about_the_file()
    find_steps(session.pieces, [check.step for check in checks])
    return checks


def _points(checks: Iterable[CheckResult]) -> list[tuple[float, Outcome]]:
    return [(check.score, check.outcome) for check in checks]
