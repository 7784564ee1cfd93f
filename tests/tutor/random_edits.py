"""Wrong programs that are in no list: a right submission with one or two random edits in one step.

And a judge of what is said about them that knows what was edited, and asks many more inputs than the grader does.
"""

from __future__ import annotations

import ast
import copy
import difflib
import functools
import itertools
import random
import re
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from autograder.assignment.cases import Draw
from autograder.assignment.checks import DOCUMENTED, VALUE
from autograder.compare import agrees, closest
from autograder.edits.places import edited, edits_of, normalised
from autograder.exam.draw import draw_exam
from autograder.exam.questions import Request
from autograder.exam.recognise import effect
from autograder.exam.reference import observe, try_to_observe
from autograder.explain.feedback_text import is_place
from autograder.grading.grader import Grader
from autograder.reasons import Reason
from autograder.results import Outcome
from autograder.testing import InProcessSession, open_in_process
from autograder.values.values import Array, DictValue, freeze
from tests.exams import ASSIGNMENTS, exam_of, source_of
from tests.truth.variant import base_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from autograder.assignment.checks import Check
    from autograder.edits.places import Edit as CodedEdit
    from autograder.exam.questions import Exam
    from autograder.exam.reference import Answer, Inputs
    from autograder.results import CheckResult
    from autograder.values.values import Value

INPUTS = 30  # on which the judge looks; the grader asks two

Change = tuple[str, ast.AST, "Callable[[], None]"]

_OPERATORS: dict[type[ast.operator], tuple[type[ast.operator], ...]] = {
    ast.MatMult: (ast.Mult, ast.Add),
    ast.Mult: (ast.MatMult, ast.Div, ast.Add),
    ast.Div: (ast.Mult, ast.Sub, ast.FloorDiv),
    ast.Add: (ast.Sub, ast.Mult),
    ast.Sub: (ast.Add,),
    ast.Pow: (ast.Mult, ast.Div),
}
_ATTRIBUTES = ("W_query", "W_key", "W_value")
_FUNCTIONS = {
    "softmax": ("log_softmax", "sigmoid", "relu"),
    "rand": ("randn", "ones", "zeros"),
    "randn": ("rand", "ones", "zeros"),
    "exp": ("log", "sqrt", "square"),
    "sum": ("mean", "std"),
    "max": ("min", "mean"),
    "var": ("std", "mean"),
    "sqrt": ("exp", "log"),
    "mm": ("matmul",),
    "dot": ("outer", "cdist"),
}
# What is said about exceptions: either it repeats what Python or torch said, and holds whatever was edited, or it names
# a cause, which only these kinds of edits are.
_FACTS = {
    "operation", "not_imported", "not_in_order_for_view", "size_is_no_whole_number", "used_before_it_is_made",
    "inner_sizes_differ", "function_of_tensors_on_a_number", "no_such_axis", "not_each_axis",
    "changed_in_a_loop", "tensor_for_a_parameter",
    "overwritten_while_recorded", "dtypes_differ", "names_of_parameters_differ", "shapes_differ",
    "matrix_on_its_side", "bias_not_passed_on", "no_module", "arguments_do_not_fit", "no_return",
    "values_left_out", "name_not_defined", "number_function_on_a_tensor", "yes_or_no_of_many_numbers", "none_used",
    "tensor_called", "parts_do_not_fit", "indices_not_whole", "no_list_of_numbers", "sizes_in_view",
    "product_by_numbers", "index_too_large", "another_thing_stored", "not_subscriptable",
    "key_missing", "axes_of_dot", "mask_of_numbers",
}  # fmt: skip
_CAUSES = {
    "softmax_without_dim": {"keyword left out", "part left out"},
    "no_super_init": {"line left out", "method left out"},
    "not_stored_on_self": {"line left out", "method left out", "call left out"},
    "name_misspelt": {"another function"},
    "keyword_misspelt": {"another function", "arguments swapped"},
    "not_asked_for": {"masked"},
    "first_left_out": {"another constant"},
}


@dataclass(frozen=True)
class Edit:
    """What was edited: in which way, and what stood there."""

    kind: str
    before: str


@dataclass(frozen=True)
class Program:
    assignment: str
    step: str
    edits: tuple[Edit, ...]
    step_source: str
    source: str = field(repr=False)


def programs(
    seed: int, count: int, make: Callable[[str, str, random.Random], Program | None]
) -> Iterator[Program]:
    """So many distinct edited programs. Steps are chosen by their points."""
    chance = random.Random(seed)
    steps = [
        (name, check.name, check.points)
        for name in ASSIGNMENTS
        for check in source_of(name).assignment.checks
    ]
    seen: set[str] = set()
    while len(seen) < count:
        name, step, _ = chance.choices(steps, weights=[points for *_, points in steps])[0]
        program = make(name, step, chance)
        if program is not None and program.step_source not in seen:
            seen.add(program.step_source)
            yield program


def random_programs(seed: int, count: int) -> Iterator[Program]:
    """So many programs, every third with two edits."""
    return programs(seed, count, _edited)


def _edited(name: str, step: str, chance: random.Random) -> Program | None:
    edits = 1 + (chance.random() < 1 / 3)
    tree = ast.parse(base_of(name))
    place = next(node for node in tree.body if getattr(node, "name", None) == step)
    original = ast.unparse(place)
    made = []
    for _ in range(edits):
        by_kind: dict[str, list[Change]] = {}
        for change in _changes(place):
            by_kind.setdefault(change[0], []).append(change)
        if not by_kind:
            return None
        kind = chance.choice(sorted(by_kind))
        _, node, apply = chance.choice(by_kind[kind])
        made.append(Edit(kind, ast.unparse(node)))
        apply()
        ast.fix_missing_locations(tree)
    edited = ast.unparse(place)
    if edited == original:
        return None
    return Program(name, step, tuple(made), edited, ast.unparse(tree))


def _changes(step: ast.AST) -> Iterator[Change]:
    """Every single edit that can be made in a step."""
    functions = [node for node in ast.walk(step) if isinstance(node, ast.FunctionDef)]
    for function in functions:
        names = _names(function)
        for parent in ast.walk(function):
            if parent in (function.args, function.returns):
                continue
            yield from _statement_changes(parent)
            for child, put in _expressions(parent):
                yield from _expression_changes(child, put, names)


def _names(function: ast.FunctionDef) -> list[str]:
    arguments = [argument.arg for argument in function.args.args if argument.arg != "self"]
    stored = [
        node.id
        for node in ast.walk(function)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    ]
    return list(dict.fromkeys(arguments + stored))


def _expressions(parent: ast.AST) -> Iterator[tuple[ast.expr, Callable[[ast.expr], None]]]:
    """The expressions below a node, each with a way to put another one in its place."""
    if isinstance(parent, ast.arguments | ast.arg):
        return
    for name, value in ast.iter_fields(parent):
        if isinstance(value, ast.expr) and name not in ("annotation", "returns", "target"):
            yield value, partial(setattr, parent, name)
        elif isinstance(value, list) and name not in ("targets", "decorator_list", "bases"):
            for number, item in enumerate(value):
                if isinstance(item, ast.expr):
                    yield item, partial(value.__setitem__, number)


def _expression_changes(
    node: ast.expr, put: Callable[[ast.expr], None], names: list[str]
) -> Iterator[Change]:
    if isinstance(node, ast.Constant):
        yield from _constant_changes(node, put)
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in names:
        for name in names:
            if name != node.id:
                yield "another name", node, partial(put, ast.Name(name, ast.Load()))
        yield "transpose", node, partial(put, ast.Attribute(node, "T", ast.Load()))
    elif isinstance(node, ast.BinOp):
        yield from _operation_changes(node, put)
    elif isinstance(node, ast.Attribute):
        yield from _attribute_changes(node, put)
    elif isinstance(node, ast.Call):
        yield from _call_changes(node, put)
    elif isinstance(node, ast.Tuple) and len(node.elts) > 1:
        for number in range(1, len(node.elts)):
            order = list(node.elts)
            order[0], order[number] = order[number], order[0]
            yield "another order", node, partial(setattr, node, "elts", order)
        yield "part left out", node, partial(setattr, node, "elts", node.elts[:-1])


def _constant_changes(node: ast.Constant, put: Callable[[ast.expr], None]) -> Iterator[Change]:
    value = node.value
    if isinstance(value, bool):
        yield "another constant", node, partial(put, ast.Constant(not value))
    elif isinstance(value, int):
        for other in {0, 1, 2, -1, value + 1} - {value}:
            yield "another constant", node, partial(put, ast.Constant(other))
    elif isinstance(value, float):
        for number in (2, 1, 0.25, -value):
            yield "another constant", node, partial(put, ast.Constant(number))


def _operation_changes(node: ast.BinOp, put: Callable[[ast.expr], None]) -> Iterator[Change]:
    for operator in _OPERATORS.get(type(node.op), ()):
        yield "another operator", node, partial(setattr, node, "op", operator())
    yield "operands swapped", node, partial(put, ast.BinOp(node.right, node.op, node.left))
    yield "left operand only", node, partial(put, node.left)
    yield "right operand only", node, partial(put, node.right)
    yield "negated", node, partial(put, ast.UnaryOp(ast.USub(), copy.deepcopy(node)))
    if isinstance(node.op, ast.Pow):
        yield "power doubled", node, partial(setattr, node, "right", ast.Constant(2))


def _attribute_changes(node: ast.Attribute, put: Callable[[ast.expr], None]) -> Iterator[Change]:
    if node.attr == "T":
        yield "transpose dropped", node, partial(put, node.value)
    if node.attr in _ATTRIBUTES and isinstance(node.ctx, ast.Load):
        for name in _ATTRIBUTES:
            if name != node.attr:
                yield "another matrix", node, partial(setattr, node, "attr", name)
    if node.attr in _FUNCTIONS:
        for name in _FUNCTIONS[node.attr]:
            yield "another function", node, partial(setattr, node, "attr", name)


def _call_changes(node: ast.Call, put: Callable[[ast.expr], None]) -> Iterator[Change]:
    if ast.unparse(node.func) == "super":
        return
    if node.args:
        yield "call left out", node, partial(put, node.args[0])
        twice = copy.deepcopy(node)
        twice.args[0] = copy.deepcopy(node)
        yield "called twice", node, partial(put, twice)
    if isinstance(node.func, ast.Attribute):
        yield "method left out", node, partial(put, node.func.value)
    if len(node.args) > 1:
        order = [node.args[1], node.args[0], *node.args[2:]]
        yield "arguments swapped", node, partial(setattr, node, "args", order)
    for number in range(len(node.keywords)):
        rest = node.keywords[:number] + node.keywords[number + 1 :]
        yield "keyword left out", node, partial(setattr, node, "keywords", rest)
    yield "negated", node, partial(put, ast.UnaryOp(ast.USub(), copy.deepcopy(node)))
    detach = ast.Attribute(copy.deepcopy(node), "detach", ast.Load())
    yield "detached", node, partial(put, ast.Call(detach, [], []))


def _statement_changes(parent: ast.AST) -> Iterator[Change]:
    body = getattr(parent, "body", None)
    if not isinstance(body, list):
        return
    for number, line in enumerate(body):
        if isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant):
            continue  # a docstring
        if len(body) > 1:
            yield "line left out", line, partial(body.remove, line)
        if isinstance(line, ast.Assign | ast.Expr):
            yield "line repeated", line, partial(body.insert, number, copy.deepcopy(line))


# Single edits of `edits/places.py`, in a submission of another style than the reference, which has other places.

# What the judge of exceptions calls these kinds.
_KINDS = {
    "option-left-out": "keyword left out",
    "axis-none": "keyword left out",
    "call-left-out": "method left out",
    "statement-left-out": "line left out",
    "transpose-left-out": "transpose dropped",
    "transpose-added": "transpose",
    "input-for-another": "another name",
    "arguments-exchanged": "arguments swapped",
}


def single_edits(seed: int, count: int) -> Iterator[Program]:
    """So many programs with one edit each. Of a step's edits codes are chosen, then edits."""
    return programs(seed, count, _edited_once)


def _edited_once(name: str, step: str, chance: random.Random) -> Program:
    by_code = _by_code(name, step)
    edit = chance.choice(by_code[chance.choice(sorted(by_code))])
    text = ast.unparse(ast.parse(edited(_source(name, step), edit)))
    tree = ast.parse(base_of(name))
    place = next(n for n, node in enumerate(tree.body) if getattr(node, "name", "") == step)
    tree.body[place] = ast.parse(text).body[0]
    return Program(name, step, (_told(edit),), text, ast.unparse(tree))


@functools.cache
def _by_code(name: str, step: str) -> dict[str, list[CodedEdit]]:
    found: dict[str, list[CodedEdit]] = {}
    for edit in edits_of(_source(name, step)):
        found.setdefault(edit.code, []).append(edit)
    return found


@functools.cache
def _source(name: str, step: str) -> str:
    tree = ast.parse(base_of(name))
    node = next(node for node in tree.body if getattr(node, "name", "") == step)
    return normalised(ast.unparse(node))


def _told(edit: CodedEdit) -> Edit:
    kind = _KINDS.get(edit.code, edit.code)
    if edit.code.startswith(("operator-", "function-")):
        kind = "another operator" if edit.code.startswith("operator-") else "another function"
    return Edit(kind, f"{edit.code}: " + "; ".join(new for *_, new in edit.changes))


class Words(StrEnum):
    WRITTEN = "a written mistake"
    SOURCE = "the source or an exception"
    PROPERTY = "a property of the numbers"
    NONE = "no words"


@dataclass(frozen=True)
class Judgement:
    """What the grader said about a program, and whether that is so.

    Attributes:
        marked: a line of the program is marked, as the first that is wrong or as the one that raised.
        above: the marked line stands above all that was edited, where everything is right.
        false: on one of many inputs the program does not do what was named.
        elsewhere: what was named is no mistake of the step that was edited, nor of one that it is made of.
        missed: full marks for a program that is not right on one of many inputs.
    """

    program: Program
    result: CheckResult
    words: Words
    sure: bool
    marked: bool
    above: bool
    false: bool
    elsewhere: bool
    missed: bool
    equivalent: bool


class Judge:
    """Grades edited programs of one assignment, and judges what the grader says."""

    def __init__(self, assignment: str, seed: int = 1) -> None:
        self.source = source_of(assignment)
        self.exam: Exam = exam_of(assignment) if seed == 1 else draw_exam(self.source, seed)
        self._checks = {check.name: check for check in self.source.assignment.checks}
        self._mistakes = {mistake.name: mistake for mistake in self.source.mistakes}
        self._reference = self.source.reference()
        self._many = functools.cache(self._draw_many)

    def judge(self, program: Program) -> Judgement:
        """Grade the edited step, and hold what was said against many inputs."""
        check = self._checks[program.step]
        session = open_in_process(self.exam, program.source)
        result = Grader(self.exam, session).check(check)
        full = result.score == result.max_score
        equivalent = self._right(check, session) and all(self._right_in_the_exam(check, session))
        sure = bool(result.mistakes) and result.sure
        traced = result.feedback.traced if result.feedback else ()
        marked = [line.line for line in traced if is_place(line)]
        used = self.source.uses[program.step]
        known = tuple(name for name in result.mistakes if name in self._mistakes)
        true = self._true(check, session, known) and all(
            self._is_so(program, result, session, name)
            for name in result.mistakes
            if name not in self._mistakes
        )
        return Judgement(
            program,
            result,
            self._words(result),
            sure=sure,
            marked=bool(marked),
            above=any(number < _first_edited(program) for number in marked),
            false=sure and not true,
            elsewhere=sure and any(self._mistakes[name].step not in used for name in known),
            missed=full and not equivalent,
            equivalent=equivalent,
        )

    def true_of(self, program: Program, names: tuple[str, ...]) -> bool:
        """Whether a program does what these mistakes do."""
        check, session = self._checks[program.step], open_in_process(self.exam, program.source)
        return self._true(check, session, names)

    def _words(self, result: CheckResult) -> Words:
        feedback = result.feedback
        if any(name in self._mistakes for name in result.mistakes):
            return Words.WRITTEN
        if result.mistakes:
            return Words.SOURCE
        if feedback is None or (result.outcome is Outcome.WRONG and not feedback.message):
            return Words.NONE
        return Words.PROPERTY if Reason.PROPERTY in feedback.reasons else Words.SOURCE

    def _is_so(
        self, program: Program, result: CheckResult, session: InProcessSession, name: str
    ) -> bool:
        """Whether what is no written mistake is true of the program."""
        if name == "argument_not_used":
            check = self._checks[program.step]
            return self._unused(check, session, result.feedback.message if result.feedback else "")
        kinds = {edit.kind for edit in program.edits}
        if name.startswith("repair:"):
            told = re.search(
                r"ine (\d+)[^`]*: ", result.feedback.message if result.feedback else ""
            )
            return told is not None and int(told[1]) in _edited_lines(program)
        return name in _FACTS or bool(kinds & _CAUSES.get(name, set()))

    def _unused(self, check: Check, session: InProcessSession, says: str) -> bool:
        """Whether other values of the named arguments change no answer."""
        sentence = re.search(
            r"(?:depend on|numbers in|uses its argument) (`\w+`(?: and `\w+`)*)", says
        )
        named = set(re.findall(r"\w+", sentence[1] if sentence else ""))
        for inputs in self._many(check.name):
            request = partial(Request, "observe", check.name, VALUE, 0)
            seen = session.observe(request(inputs))
            for changed in _with_another(inputs, named):
                other = session.observe(request(changed))
                if other.outcome is Outcome.PASSED and not agrees(other.value, seen.value):
                    return False
        return True

    def _draw_many(self, step: str) -> list[dict[str, Value]]:
        function = self.source.cases.drawn[step]
        draws = (Draw("edits", step, number) for number in range(INPUTS))
        return [{name: freeze(thing) for name, thing in function(draw).items()} for draw in draws]

    def _right(self, check: Check, session: InProcessSession) -> bool:
        """Whether a program is right on many inputs, in all that earns points on drawn ones."""
        for criterion in check.criteria:
            if criterion.name == DOCUMENTED or criterion.remark:
                continue
            for inputs in self._many(check.name):
                right = observe(criterion.probes[0], self._reference, inputs)
                seen = session.observe(
                    Request("observe", check.name, criterion.name, 0, inputs)
                ).value
                if not agrees(right, seen):
                    return False
        return True

    def _right_in_the_exam(self, check: Check, session: InProcessSession) -> Iterator[bool]:
        """Yield whether the answers to the documents' cases and the corners are right."""
        for criterion in check.criteria:
            for question in self.exam.questions_for(check, criterion):
                for probe in range(len(criterion.probes) if question.kind != "drawn" else 0):
                    seen = session.observe(question.requests[probe]).value
                    right = question.answers[probe].right
                    yield closest(right, seen, criterion.slack).difference is None

    def _true(self, check: Check, session: InProcessSession, names: tuple[str, ...]) -> bool:
        """Whether the program does what all these mistakes together do, or what each of several of one effect does."""
        groups: dict[str, list[str]] = {}
        for name in names:
            groups.setdefault(self._mistakes[name].shows_in, []).append(name)
        of_the_value = groups.get(VALUE, [])
        return all(
            self._does(check, session, criterion, found)
            or self._does(check, session, criterion, [*of_the_value, *found])
            for criterion, found in groups.items()
        )

    def _does(
        self, check: Check, session: InProcessSession, criterion: str, names: list[str]
    ) -> bool:
        if criterion == DOCUMENTED:
            return True  # one case, no more to be had
        by_effect: dict[str, list[str]] = {}
        for name in names:
            by_effect.setdefault(effect(self.exam, name), []).append(name)
        return any(
            self._answers_like(check, session, criterion, made)
            for made in itertools.product(*by_effect.values())
        )

    def _answers_like(
        self, check: Check, session: InProcessSession, criterion: str, made: tuple[str, ...]
    ) -> bool:
        """Whether it answers as the reference with these mistakes does; where that raises, it may not answer."""
        replaced = {
            part: wrong for name in made for part, wrong in self._mistakes[name].replaced.items()
        }
        module = self.source.reference(replaced)
        return self._same_answers(
            check, session, criterion, lambda probe, inputs: try_to_observe(probe, module, inputs)
        )

    def _same_answers(
        self,
        check: Check,
        session: InProcessSession,
        criterion: str,
        answer: Callable[[Any, Inputs], Answer],
    ) -> bool:
        """Whether a program's answers to one of a criterion's probes are these on all inputs."""

        def fits(number: int, probe: Any, inputs: dict[str, Value]) -> bool:
            request = Request("observe", check.name, criterion, number, inputs)
            seen, wrong = session.observe(request), answer(probe, inputs)
            if wrong is None:
                return seen.outcome is not Outcome.PASSED
            return agrees(wrong[0], seen.value)

        probes = enumerate(check.criterion(criterion).all_probes)
        many = self._many(check.name)
        return any(all(fits(*probe, inputs) for inputs in many) for probe in probes)


def _edited_lines(program: Program) -> set[int]:
    lines = program.source.splitlines()
    base = _base(program.assignment)
    matcher = difflib.SequenceMatcher(None, base, lines, autojunk=False)
    return {
        line + 1
        for tag, _, _, first, last in matcher.get_opcodes()
        if tag != "equal"
        for line in range(first, max(last, first + 1))
    }


def _first_edited(program: Program) -> int:
    """Return the number of the first line that is not that of the right submission."""
    right, lines = _base(program.assignment), program.source.splitlines()
    alike = itertools.takewhile(lambda pair: pair[0] == pair[1], zip(right, lines, strict=False))
    return 1 + sum(1 for _ in alike)


@functools.cache
def _base(name: str) -> list[str]:
    return ast.unparse(ast.parse(base_of(name))).splitlines()


def _with_another(inputs: Inputs, names: set[str]) -> Iterator[dict[str, Value]]:
    """Yield the inputs with another value for one of these names, which may be a key of a dict."""
    for name, value in inputs.items():
        if name in names:
            yield {**inputs, name: _another(value)}
        elif isinstance(value, DictValue):
            for key, _ in value.items:
                if key in names:
                    items = (
                        (one, _another(part) if one == key else part) for one, part in value.items
                    )
                    yield {**inputs, name: DictValue(tuple(items))}


def _another(value: Value) -> Value:
    """Return another value of the same type and shape, if there is one."""
    match value:
        case Array():
            return replace(value, data=np.roll(value.data, 1))
        case bool():
            return not value
        case int() | float():
            return value + 1
        case str():
            return " ".join(value.split()[::-1])
    return value
