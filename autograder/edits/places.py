"""Small edits of a function's or class's source, as plain data: places in it, and what stands there instead."""

from __future__ import annotations

import ast
import functools
from collections import defaultdict
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from autograder.edits.kinds import NOTHING, Site, changes, is_read

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from autograder.edits.kinds import Change

    Definition = ast.FunctionDef | ast.ClassDef

_PARTS = (ast.expr, ast.stmt, ast.keyword)
_QUOTED = (ast.BinOp, ast.Call, ast.Compare, ast.Subscript, ast.stmt)

# Where a change begins and ends in the normalised source, and what stands there instead.
Changed = tuple[int, int, str]


@dataclass(frozen=True)
class Edit:
    """A small edit.

    Attributes:
        code: the kind of edit.
        changes: the changed places of the source, in order.
    """

    code: str
    changes: tuple[Changed, ...]


def edits_of(
    source: str, kinds: Callable[[Site], Iterable[Change]] = changes, *, everywhere: bool = False
) -> Iterator[Edit]:
    """Yield the edits of a definition, each once: of single places, and the same edit at several places at once.

    If `everywhere`, what comprehensions run over is edited, too.
    """
    text = _Text(source)
    single = []
    together: dict[tuple[str, str, str], list[Changed]] = defaultdict(list)
    for line in text.statements():
        for site in _below(line, (*_PARTS, *(ast.comprehension,) * everywhere)):
            for change in kinds(site):
                changed = (*text.place(site.node), change.source)
                others = [(*text.place(change.without), NOTHING)] if change.without else []
                single.append(Edit(change.code, tuple(sorted((changed, *others)))))
                key = (change.code, change.variant, type(site.parent).__name__)
                together[key] += [changed] if not others else []
    several = (
        Edit(code, tuple(sorted(every)))
        for (code, *_), every in together.items()
        if len(every) > 1 and _are_apart(every)
    )
    known = set()
    for edit in (*single, *several):
        if edit.changes not in known:
            known.add(edit.changes)
            yield edit


def _are_apart(every: list[Changed]) -> bool:
    """Return whether no place lies in another."""
    return all(one[1] <= other[0] for one, other in pairwise(sorted(every)))


def edited(source: str, edit: Edit) -> str:
    """Return the source of a definition with an edit."""
    for first, last, new in reversed(edit.changes):
        source = source[:first] + (f"({new})" if _is_expression(new) else new) + source[last:]
    return source


def expression_around(source: str, edit: Edit) -> str:
    """Return the smallest operation, call or statement that holds the first place of an edit; of a block its head."""
    text = _Text(source)
    first, last, _ = edit.changes[0]
    places = [text.place(node) for node in ast.walk(text.tree) if isinstance(node, _QUOTED)]
    holding = [place for place in places if place[0] <= first and last <= place[1]]
    begin, end = min(holding, key=lambda place: place[1] - place[0])
    return source[begin:end].split(":\n", maxsplit=1)[0]


def in_words(source: str, edit: Edit) -> list[tuple[str, str]]:
    """Return for each changed place what stood there, and what stands there now, on one line each."""
    return [
        (" ".join(source[first:last].split()), " ".join(new.split()))
        for first, last, new in edit.changes
    ]


def _is_expression(text: str) -> bool:
    try:
        ast.parse(text, mode="eval")
    except SyntaxError:  # a statement, or an option of a call
        return False
    return True


@functools.cache
def normalised(source: str) -> str:
    """Return a definition without docstrings and annotations, in which a variable that is read once is inlined.

    So a call's argument is the call before it, however the author named what lies between.
    """
    definition = _definition(source)
    for function in _functions(definition):
        function.returns = None
        for argument in ast.walk(function.args):
            if isinstance(argument, ast.arg):
                argument.annotation = None
        function.body = [line for line in function.body if not _is_text(line)]
        function.body = function.body or ast.parse(NOTHING).body
        _inline(function)
    definition.body = [line for line in definition.body if not _is_text(line)]
    return ast.unparse(definition)


def _definition(source: str) -> Definition:
    definition = ast.parse(source).body[0]
    assert isinstance(definition, ast.FunctionDef | ast.ClassDef)
    return definition


def _is_text(line: ast.stmt) -> bool:
    return isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant)


def _functions(definition: Definition) -> list[ast.FunctionDef]:
    """Return the function, or a class's methods."""
    lines = [definition] if isinstance(definition, ast.FunctionDef) else definition.body
    return [line for line in lines if isinstance(line, ast.FunctionDef)]


def _inline(function: ast.FunctionDef) -> None:
    """Put the values of variables that are assigned once and read once in their places."""
    reads: dict[str, int] = defaultdict(int)
    writes: dict[str, int] = defaultdict(int)
    for node in ast.walk(function):
        if isinstance(node, ast.Name):
            counts = reads if isinstance(node.ctx, ast.Load) else writes
            counts[node.id] += 1
    values: dict[str, ast.expr] = {}
    for line in list(function.body):
        match line:
            case ast.Assign(targets=[ast.Name(id=name)]) if reads[name] == writes[name] == 1:
                values[name] = _Inliner(values).visit(line.value)
                function.body.remove(line)
            case _:
                _Inliner(values).visit(line)


class _Inliner(ast.NodeTransformer):
    def __init__(self, values: dict[str, ast.expr]) -> None:
        self.values = values

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self.values.get(node.id, node) if isinstance(node.ctx, ast.Load) else node


class _Text:
    """A definition, and where its nodes stand in its text."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.tree = _definition(source)
        self.functions = _functions(self.tree)
        self._lines = source.splitlines(keepends=True)

    def place(self, node: ast.AST) -> tuple[int, int]:
        """Return where a node begins and ends."""
        assert isinstance(node, ast.expr | ast.stmt | ast.keyword)
        ends = (node.lineno, node.col_offset), (node.end_lineno or 0, node.end_col_offset or 0)
        first, last = (
            sum(map(len, self._lines[: line - 1]))
            + len(self._lines[line - 1].encode()[:column].decode())
            for line, column in ends
        )
        return first, last

    def statements(self) -> Iterator[Site]:
        """Yield the statements of the functions, with the names that have a value in each."""
        attributes = self._attributes()
        for function in self.functions:
            given = function.args
            every = [*given.posonlyargs, *given.args, *given.kwonlyargs]
            names = [argument.arg for argument in every if argument.arg != "self"]
            for line in function.body:
                nodes = [part for part in ast.walk(line) if isinstance(part, ast.Name)]
                names += [part.id for part in nodes if not is_read(part)]
                yield Site(line, function, "body", tuple(dict.fromkeys(names)), attributes)

    def _attributes(self) -> dict[str, tuple[str, ...]]:
        """Return the attributes that are read or set, by the argument whose they are."""
        nodes = [node for function in self.functions for node in ast.walk(function)]
        found: dict[str, dict[str, None]] = {
            node.arg: {} for node in nodes if isinstance(node, ast.arg)
        }
        for node in nodes:
            match node:
                case ast.Attribute(ast.Name(owner), name) if owner in found:
                    found[owner][name] = None
        return {owner: tuple(names) for owner, names in found.items()}


def _below(site: Site, kinds: tuple[type[ast.AST], ...]) -> Iterator[Site]:
    """Yield a node and those in it, but for those of f-strings, whose places Python does not know."""
    yield site
    for name, value in ast.iter_fields(site.node):
        for part in value if isinstance(value, list) else [value]:
            if isinstance(part, kinds) and not isinstance(part, ast.JoinedStr):
                yield from _below(replace(site, node=part, parent=site.node, field=name), kinds)
