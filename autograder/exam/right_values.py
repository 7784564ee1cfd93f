"""The values on the way to the right answer: what the expressions of the reference compute."""

from __future__ import annotations

import ast
import itertools
import threading
import types
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from autograder.assignment.probes import run
from autograder.assignment.recorder import LAYER, RECORDED_VALUE, Recorder, sites
from autograder.exam.questions import RightValues
from autograder.exam.reference import thawed
from autograder.no_warnings import quiet
from autograder.values.numbers import arrays_in
from autograder.values.values import Array, DictValue, ListValue

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    import numpy.typing as npt

    from autograder.assignment.recorder import RecordedSite
    from autograder.assignment.script import Cell
    from autograder.assignment.source import Source
    from autograder.exam.questions import Question, Request
    from autograder.values.values import Value

    Numbers = npt.NDArray[np.float64]

# The operations of which one kind can stand in place of another. What is in no kind is computed in another way.
_KINDS = {
    "softmax": "softmax log_softmax logsumexp",
    "product": "@ matmul mm bmm dot mv einsum linear baddbmm addmm inner",
    "scale": "/ * div mul rsqrt sqrt",
    "mask": "masked_fill masked_fill_ where tril triu",
    "sum": "sum mean var std norm max amax min amin",
    "axes": "T mT transpose permute swapaxes reshape view flatten split chunk movedim",
    "join": "cat stack cat concatenate hstack vstack",
    "plus": "+ -",
    "exp": "exp log softplus",
}
_KIND = {word: kind for kind, words in _KINDS.items() for word in words.split()}
# What they are made of.
_BY_HAND = {"softmax": {"exp", "sum", "plus", "scale"}, "product": {"scale", "sum"}}
_SIGNS = {ast.MatMult: "@", ast.Div: "/", ast.Mult: "*", ast.Add: "+", ast.Sub: "-"}


def kind_of_operation(node: ast.AST, layer: str = "") -> str:
    """Return the kind of an operation such as `product`; empty for a name, an index, and calls of one's own.

    Args:
        layer: the class of the layer that is called.
    """
    if isinstance(node, ast.BinOp):
        return _KIND.get(_SIGNS.get(type(node.op), ""), "")
    if isinstance(node, ast.Attribute):
        return _KIND.get(node.attr, "")
    if not isinstance(node, ast.Call):
        return ""
    name = getattr(node.func, "attr", getattr(node.func, "id", ""))
    return _KIND.get(name) or _KIND.get(layer.lower(), "")


def arrays_of(value: Value) -> list[Numbers]:
    """Return the arrays of real numbers in a value, and plain floats."""
    return [one.astype(np.float64) for one in arrays_in(value) if one.dtype.kind == "f"]


class RightTracer:
    """Runs the reference with its expressions recorded, once for each question."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._ways: list[_Way] = []
        self._found: dict[Request, RightValues] = {}
        # Submissions are graded in parallel and share the modules.
        self._lock = threading.Lock()

    def __call__(self, question: Question, probe: int) -> RightValues | None:
        """Return the values on the way to the right answer of one question to one probe."""
        with self._lock, quiet():
            key = question.requests[probe]
            if key not in self._found:
                self._found[key] = self._traced(question, probe)
            return self._found[key]

    def _traced(self, question: Question, probe: int) -> RightValues:
        source = self._source
        if not self._ways:
            self._ways.append(_Way(source, (), source.script))
            if source.restated:
                self._ways.append(_Way(source, source.script, source.restated))
        check = source.assignment.by_step[question.step]
        run_probe = check.criterion(question.criterion).all_probes[probe]
        values: list[_Known] = []
        for name, value in question.inputs.items():
            keys = tuple(str(key) for key, _ in value.items) if isinstance(value, DictValue) else ()
            values.append(_Known(value, keys or (name,)))
        kinds: set[str] = set()
        restated = {cell.id for cell in source.restated}
        ways = self._ways if restated & source.uses[check.name] else self._ways[:1]
        for way in ways:
            with way.recorder.recording():
                run(run_probe, way.module, thawed(question.inputs))
            known = {0}
            for item in way.recorder.records().items:
                number, thing, what, value = _fields(item)
                site = way.sites[number]
                kinds.add(site.kind)
                new = site.changes or site.names or thing not in known
                if what == RECORDED_VALUE and site.counts and new:
                    values.append(_Known(value, site.names, site.called))
                if what == LAYER and site.counts:
                    kinds.add(_KIND.get(str(value).lower(), ""))
                known.add(thing)
        values += [_Known(right.value) for right in question.answers[probe].right]
        for kind in _BY_HAND.keys() & kinds:
            kinds |= _BY_HAND[kind]
        return _right_values(values, frozenset(kinds - {""}), source.assignment.by_step)


class _Known(NamedTuple):
    """A value of the right computation.

    Attributes:
        names: the names that it or its parts are bound to.
        called: the function that gave it; empty if none did.
    """

    value: Value
    names: tuple[str, ...] = ()
    called: str = ""


def _right_values(
    values: Sequence[_Known], kinds: frozenset[str], steps: Collection[str]
) -> RightValues:
    """Return the values of a right computation, with what is known of them."""
    arrays: list[Numbers] = []
    names: list[tuple[str, int]] = []
    lists: list[tuple[int, int]] = []
    given: list[tuple[str, int, int]] = []
    for value, bound, function in values:
        found, first = arrays_of(value), len(arrays)
        arrays += found
        if len(bound) == len(found):
            names += zip(bound, itertools.count(first), strict=False)
        if isinstance(value, ListValue) and len(found) > 1:
            lists.append((first, len(arrays) - 1))
        if found and function in steps:
            given.append((function, first, len(arrays) - 1))
    masks = _masks(one.value for one in values)
    return RightValues(tuple(arrays), masks, kinds, tuple(names), tuple(lists), tuple(given))


def names_assigned(tree: ast.AST) -> dict[ast.expr, tuple[str, ...]]:
    """Return for each expression that is assigned the variable that it is bound to, or those of its parts."""
    found: dict[ast.expr, tuple[str, ...]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign):
            _bind(node.targets[0], node.value, found)
    return found


def _bind(target: ast.expr, value: ast.expr, found: dict[ast.expr, tuple[str, ...]]) -> None:
    targets = target.elts if isinstance(target, ast.Tuple | ast.List) else [target]
    if isinstance(value, ast.Tuple) and len(value.elts) == len(targets):
        for one, part in zip(targets, value.elts, strict=True):
            found[part] = (getattr(one, "id", ""),)
    else:
        found[value] = tuple(getattr(one, "id", "") for one in targets)


def _fields(item: Value) -> tuple[int, int, Value, Value]:
    assert isinstance(item, ListValue)
    number, _, thing, _, what, *rest = item.items
    assert isinstance(number, int)
    assert isinstance(thing, int)
    return number, thing, what, rest[0]


class _Site(NamedTuple):
    """A site of a right module.

    Attributes:
        kind: the kind of the operation.
        counts: whether the way has its values from here.
        changes: whether an object that is known already has another value now.
        names: the variables that it is bound to.
        called: the function that it calls by its name; else empty.
    """

    kind: str
    counts: bool
    changes: bool
    names: tuple[str, ...]
    called: str


class _Way:
    """A right module whose functions tell their values.

    Args:
        shared: the cells that another way has, too, and tells of.
        own: the others.
    """

    def __init__(self, source: Source, shared: tuple[Cell, ...], own: tuple[Cell, ...]) -> None:
        self.module = types.ModuleType(source.assignment.name)
        self.recorder = Recorder()
        self.sites: list[_Site] = []
        every: list[ast.stmt] = []
        for cell in (*shared, *own):
            if cell.kind in ("given", "step"):
                tree = ast.parse(cell.source)
                found = [site for one in tree.body for site in sites(one)]
                bound = names_assigned(tree)
                self.sites += [
                    _site(site, bound.get(site.node, ()), own=cell in own) for site in found
                ]
                every += tree.body
        self.recorder.prepare(self.module, every)
        whole = ast.Module(every, [])
        exec(compile(whole, source.assignment.name, "exec"), vars(self.module))


def _site(site: RecordedSite, names: tuple[str, ...], *, own: bool) -> _Site:
    function = getattr(site.node, "func", None)
    name = getattr(function, "attr", "")
    changes = site.role == "note" or name.endswith("_")
    counts = own and site.function.name != "__init__"
    return _Site(kind_of_operation(site.node), counts, changes, names, getattr(function, "id", ""))


def _masks(values: Iterable[Value]) -> tuple[npt.NDArray[np.bool_], ...]:
    arrays = (one.data for one in values if isinstance(one, Array) and one.data.dtype.kind == "b")
    return tuple(arrays)
