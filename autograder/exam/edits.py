"""Small edits of a function's or class's source, as plain data: places in it, and what stands there instead."""

from __future__ import annotations

import ast
import functools
import textwrap
from collections import defaultdict
from dataclasses import dataclass, replace
from itertools import combinations, permutations
from typing import TYPE_CHECKING, Any

from autograder.exam.edit_rules import RULES, Site, called, is_name, is_read
from autograder.exam.edit_tables import AT_SOME, DRAWING, SEEDS

if TYPE_CHECKING:
    import types
    from collections.abc import Iterator

    Definition = ast.FunctionDef | ast.ClassDef


@dataclass(frozen=True)
class Edit:
    """A small edit.

    Attributes:
        code: the kind of edit.
        changes: the changed places, each with what stands there instead. A place is the way to a node of the syntax
            tree: names of fields and numbers in lists.
    """

    code: str
    changes: tuple[tuple[str, str], ...]


def edits_of(source: str) -> Iterator[Edit]:
    """Yield the edits of a definition, each once: of single places, and the same edit at several places at once."""
    definition = normalised(source)
    together: dict[tuple[str, str, str, str], list[tuple[str, str]]] = defaultdict(list)
    known = set()
    for site in _sites(definition):
        for kinds, rule in RULES:
            if not isinstance(site.node, kinds):
                continue
            for change in rule(site):
                edit = Edit(change.code, ((site.place, change.source),))
                if edit.changes not in known:
                    known.add(edit.changes)
                    yield edit
                    key = (change.code, change.variant, type(site.parent).__name__)
                    together[*key, site.field].append(edit.changes[0])
                    together[*key, ""].append(edit.changes[0])
    yield from _of_statements(definition)
    for (code, *_), changes in together.items():
        if len(changes) > 1 and _apart([place for place, _ in changes]):
            every = Edit(code, tuple(changes))
            if every.changes not in known:
                known.add(every.changes)
                yield every
            if len(changes) > 2 and code in AT_SOME:  # noqa: PLR2004 - at all places but one
                yield from (Edit(code, some) for some in combinations(changes, len(changes) - 1))


def _of_statements(definition: Definition) -> Iterator[Edit]:
    """Yield the edits of a function's statements as a whole: in another order, and with a seed before them."""
    for function in _functions(definition):
        start = "" if function is definition else f"body.{definition.body.index(function)}."
        lines = [
            (f"{start}body.{number}", ast.unparse(line))
            for number, line in enumerate(function.body)
        ]
        for (place, text), (other_place, other) in combinations(lines, 2):
            yield Edit("order-exchanged", ((place, other), (other_place, text)))
        for seed in SEEDS if any(map(_may_draw, ast.walk(function))) else ():
            place, text = lines[0]
            yield Edit("seeded", ((place, f"torch.manual_seed({seed})\n{text}"),))


def _may_draw(node: ast.AST) -> bool:
    return called(node) in DRAWING


def _apart(places: list[str]) -> bool:
    """Return whether all places differ, and none lies in another."""
    return len(set(places)) == len(places) and not any(
        f"{inner}.".startswith(f"{outer}.") for inner, outer in permutations(places, 2)
    )


def compiled(source: str, edit: Edit) -> types.CodeType:
    """Return a definition with an edit, compiled."""
    definition = normalised(source)
    before = []
    for place, new in edit.changes:
        *way, last = place.split(".")
        holder: Any = functools.reduce(_part, way, definition)
        old = _part(holder, last)
        before.append((holder, last, old))
        _put(holder, last, _parsed(new, old))
    try:
        return compile(ast.Module([definition], []), "<edit>", "exec")
    finally:
        for holder, last, old in reversed(before):
            _put(holder, last, old)


def _part(holder: Any, name: str) -> Any:
    return holder[int(name)] if isinstance(holder, list) else getattr(holder, name)


def _put(holder: Any, name: str, node: ast.AST) -> None:
    if isinstance(holder, list):
        holder[int(name)] = node
    else:
        setattr(holder, name, node)


def _parsed(new: str, old: ast.AST) -> ast.AST:
    if isinstance(old, ast.expr):
        return ast.parse(new, mode="eval").body
    if isinstance(old, ast.keyword):
        call = ast.parse(f"_({new})", mode="eval").body
        assert isinstance(call, ast.Call)
        return call.keywords[0]
    return ast.parse(f"if True:\n{textwrap.indent(new, ' ')}").body[0]


_known: dict[str, Definition] = {}


def normalised(source: str) -> Definition:
    """Return a definition without docstrings and annotations, in which a variable that is read once is inlined.

    So a call's argument is the call before it, however the author named what lies between.
    """
    if source not in _known:
        definition = ast.parse(source).body[0]
        assert isinstance(definition, ast.FunctionDef | ast.ClassDef)
        for function in _functions(definition):
            function.returns = None
            for argument in ast.walk(function.args):
                if isinstance(argument, ast.arg):
                    argument.annotation = None
            function.body = [line for line in function.body if not _is_text(line)] or [ast.Pass()]
            _Copies().visit(function)
            ast.fix_missing_locations(function)
            _inline(function)
        definition.body = [line for line in definition.body if not _is_text(line)]
        _known[source] = definition
    return _known[source]


class _Copies(ast.NodeTransformer):
    """Write `a.copy_(b)` as `a.data = b`, which takes matrices of other shapes too."""

    def visit_Expr(self, node: ast.Expr) -> ast.stmt:
        match node.value:
            case ast.Call(ast.Attribute(owner, "copy_"), [value], []):
                return ast.Assign([ast.Attribute(owner, "data", ast.Store())], value)
        return node


def _is_text(line: ast.stmt) -> bool:
    return isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant)


def _functions(definition: Definition) -> list[ast.FunctionDef]:
    if isinstance(definition, ast.FunctionDef):
        return [definition]
    return [line for line in definition.body if isinstance(line, ast.FunctionDef)]


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


def _sites(definition: Definition) -> Iterator[Site]:
    """Yield the nodes of the definition's functions, with the names that have a value at each."""
    attributes = _attributes(definition)
    for function in _functions(definition):
        start = "" if function is definition else f"body.{definition.body.index(function)}."
        every = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
        names = [argument.arg for argument in every if argument.arg != "self"]
        values: dict[str, ast.expr] = {}
        for number, line in enumerate(function.body):
            nodes = [part for part in ast.walk(line) if isinstance(part, ast.Name)]
            bound = [part.id for part in nodes if not is_read(part)]
            inside = tuple(dict.fromkeys([*names, *bound]))
            place = f"{start}body.{number}"
            site = Site(line, place, function, "body", inside, attributes, dict(values))
            yield from _below(site)
            names = list(inside)
            match line:
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    values[name] = value


def _below(site: Site) -> Iterator[Site]:
    yield site
    for name, value in ast.iter_fields(site.node):
        parts = enumerate(value) if isinstance(value, list) else [(None, value)]
        for number, part in parts:
            if isinstance(part, ast.expr | ast.stmt | ast.keyword):
                where = f"{site.place}.{name}" + ("" if number is None else f".{number}")
                inner = replace(site, node=part, place=where, parent=site.node, field=name)
                yield from _below(inner)


def _attributes(definition: Definition) -> dict[str, tuple[str, ...]]:
    found: dict[str, dict[str, None]] = defaultdict(dict)
    arguments = {node.arg for node in ast.walk(definition) if isinstance(node, ast.arg)}
    for node in ast.walk(definition):
        if isinstance(node, ast.Attribute) and is_name(node.value, *arguments):
            assert isinstance(node.value, ast.Name)
            found[node.value.id][node.attr] = None
    return {name: tuple(attributes) for name, attributes in found.items()}


def in_words(source: str, edit: Edit) -> list[tuple[str, str]]:
    """Return for each changed place what stood there, and what stands there now, on one line each."""
    definition = normalised(source)
    pairs = []
    for place, new in edit.changes:
        node: Any = functools.reduce(_part, place.split("."), definition)
        old = ast.unparse(node)
        pairs.append((" ".join(old.split()), " ".join(new.split())))
    return pairs
