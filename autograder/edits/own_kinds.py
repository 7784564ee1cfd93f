"""The kinds of edit that may repair a student's own line: what stands there wrongly, and what may belong in its place.

Most kinds are patterns; some are kinds of edits of the reference, which somebody may as well have made the other way
round. An axis, an option or a transpose may be changed or added, but no other part of a computation, save by four kinds
that `explain/repair.py` keeps back until a step has computed something right.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections import defaultdict
from copy import copy, deepcopy
from itertools import combinations, pairwise, permutations, product
from typing import TYPE_CHECKING

from autograder.edits.kinds import (
    Change,
    Site,
    call_text,
    called,
    changes,
    exchanged,
    is_read,
    matched,
    pattern_filled,
    pattern_of,
    with_name,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Row = tuple[str, tuple[str, ...]]

# How unlikely each kind is beside the place. A kind that is not here is not tried.
COSTS = {
    "caret": 0.0,
    "result-dropped": 0.0,
    "same-object": 0.0,
    "mask-too-large": 0.2,
    "axis-other": 0.2,
    "axis-first": 0.3,
    "axis-second": 0.3,
    "axis-before-last": 0.3,
    "axis-last": 0.3,
    "brackets": 0.4,
    "transpose-left-out": 0.3,
    "transpose-moved": 0.3,
    "transpose-missing": 0.5,
    "transpose-other": 0.5,
    "axis-none": 0.6,
    "axes-kept": 0.5,
    "option-other": 0.5,
    "opposite": 0.4,
    "sign-left-out": 0.5,
    "comparison": 0.8,
    "operands-exchanged": 0.5,
    "matrices-exchanged": 0.5,
    "arguments-exchanged": 0.7,
    "in-place": 0.6,
    "matrix-for-another": 0.8,
    "range": 0.8,
    "function-other": 0.9,
    "option-missing": 0.8,
    "size": 0.9,
    "order-of-axes": 0.9,
    "letters": 0.5,
    "operator-other": 1.0,
    "product-by-numbers": 0.9,
    "operation-left-out": 0.9,
    "call-left-out": 0.75,
    "option-left-out": 1.0,
    "index-order": 1.0,
    "index-left-out": 1.0,
    "moved-out": 0.9,
    "moved-before": 1.0,
    "moved-in": 1.0,
    "parts-exchanged": 1.0,
    "condition": 1.0,
    "input-for-another": 1.2,
    "size-of-the-file": 1.2,
    "returned-earlier": 1.4,
    "constant-other": 1.4,
    "root-missing": 1.0,
    "one-off": 1.6,
    "sign": 1.7,
    "statement-order": 1.8,
    "statement-left-out": 1.9,
}
# Functions that are taken for another one.
FAMILIES = (
    ("softmax", "sigmoid", "exp", "log_softmax", "tanh"),
    ("sum", "mean", "prod"),
    ("var", "std"),
    ("max", "amax", "argmax", "min"),
    ("triu", "tril"),
    ("zeros", "ones", "empty", "full"),
    ("zeros_like", "ones_like", "empty_like"),
    ("rand", "randn"),
    ("matmul", "dot", "mul", "outer", "bmm", "multiply"),
    ("view", "reshape"),
    ("cat", "stack", "concatenate", "hstack", "vstack", "tensor", "array"),
    ("append", "extend"),
    ("sqrt", "square", "exp", "log"),
    ("add", "sub", "mul", "div"),
    ("sort", "argsort"),
    ("ModuleList", "Sequential"),
    ("repeat", "tile", "expand", "repeat_interleave"),
    ("maximum", "minimum"),
    ("ceil", "floor", "round"),
    ("enumerate", "range"),
)
# Options that are left out.
_OPTIONS = {
    "var": ("correction=0", "ddof=1"),
    "std": ("correction=0", "ddof=1"),
    "Linear": ("bias=False",),
    "triu": ("diagonal=1", "k=1"),
    "tril": ("diagonal=-1", "k=-1"),
}
# What runs along an axis, and keeps it with one entry if an option says so.
KEEPING = ("sum", "mean", "max", "amax", "min", "amin", "var", "std", "prod", "norm", "logsumexp")
_ALONG = (*KEEPING, "softmax", "log_softmax", "argmax", "cat", "stack", "concatenate", "cumsum", "chunk",
    "unsqueeze", "squeeze")  # fmt: skip
# What has no value of its own.
MODULES = ("torch", "np", "numpy", "nn", "F", "math", "nn.functional", "torch.nn")
_AXES = ("-1", "-2", "0", "1")
_TURN = "{}.swapaxes(-1, -2)"
# Forms of a transpose of A.
_TURNED = (
    *("A.T", "A.mT", "A.t()", "A.transpose(B, C)", "A.swapaxes(B, C)"),
    *("torch.transpose(A, B, C)", "np.transpose(A)"),
)
_PRODUCTS = (
    *("{} @ {}", "torch.matmul({}, {})", "np.matmul({}, {})", "np.dot({}, {})"),
    *("torch.mm({}, {})", "torch.bmm({}, {})", "F.linear({}, {})", "nn.functional.linear({}, {})"),
)
_ENDS_TURNED = re.compile(r"\.(m?T|t\(\))\)$")
_ENDS = ("B", "A, B + 1", "A, B - 1", "A + 1, B", "B - A")
_COMPARED = ("<", "<=", ">", ">=", "==", "!=")
_COMPUTED = ("@", "*", "/", "+", "-", "**", "//")


def _turned_sides() -> Iterator[tuple[str, ...]]:
    for form in _PRODUCTS:
        turned_d, turned_e = _TURN.format("D"), _TURN.format("E")
        news = (("D", turned_e), (turned_d, "E"), ("E", turned_d), (turned_e, "D"))
        yield "transpose-missing", form.format("D", "E"), *(form.format(*one) for one in news)
        yield "operands-exchanged", form.format("D", "E"), form.format("E", "D")
        for turned in _TURNED:
            left, right = form.format(turned, "D"), form.format("D", turned)
            yield "transpose-moved", left, form.format("A", turned_d)
            yield "transpose-moved", right, form.format(turned_d, "A")
            yield "matrices-exchanged", right, form.format("A", turned_d)


# The code of a kind, a pattern, and what may belong in its place. A to E are any expressions.
_PATTERNS = (
    ("caret", "A ^ B", "A ** B"),
    ("brackets", "A ** 1 / 2", "A ** (1 / 2)"),
    ("brackets", "A / B ** 1 / 2", "A / B ** (1 / 2)"),
    *(
        row
        for one, other in product(_COMPUTED[:6], repeat=2)
        for text in [(f"(A {one} B) {other} C", f"A {one} (B {other} C)")]
        for row in (("brackets", *text), ("brackets", *text[::-1]))
    ),
    *(
        ("comparison", f"A {one} B", *(f"A {other} B" for other in _COMPARED if other != one))
        for one in _COMPARED
    ),
    *_turned_sides(),
    *(("transpose-left-out", turned, "A") for turned in _TURNED),
    *(
        (
            "transpose-other",
            turned,
            *(f"A.swapaxes({pair})" for pair in ("-1, -2", "0, 1", "1, 2", "0, 2", "1, 3", "2, 3")),
        )
        for turned in _TURNED
    ),
    ("transpose-other", "A.permute(B, C, D)", _TURN.format("A")),
    ("transpose-other", "A.permute(B, C, D, E)", _TURN.format("A"), "A.swapaxes(1, 2)"),
    ("product-by-numbers", "A * B", f"A @ {_TURN.format('B')}", "A @ B", "B @ A"),
    ("root-missing", "A / B", "A / B ** 0.5"),
    ("root-missing", "A * A", "A ** 0.5"),
    ("sign-left-out", "-A", "A"),
    ("sign-left-out", "A - -B", "A - B"),
    ("opposite", "~A", "A"),
    ("opposite", "not A", "A"),
    ("opposite", "A.masked_fill(B, C)", "A.masked_fill(~B, C)"),
    ("opposite", "A.masked_fill_(B, C)", "A.masked_fill_(~B, C)"),
    ("opposite", "torch.where(A, B, C)", "torch.where(A, C, B)"),
    ("opposite", "np.where(A, B, C)", "np.where(A, C, B)"),
    *(
        (
            "mask-too-large",
            f"A.masked_fill{end}(B, C)",
            f"A.masked_fill{end}((B)[..., :A.shape[-2], :A.shape[-1]], C)",
        )
        for end in ("", "_")
    ),
    ("same-object", "[A] * B", "[A for _ in range(B)]"),
    ("size", "len(A)", "A.shape[-1]", "A.shape[-2]", "A.shape[1]"),
    ("size", "len(A.shape)", "A.shape[-1]", "A.shape[0]"),
    ("size", "A.shape[B]", "A.shape[-1]", "A.shape[-2]", "A.shape[0]", "A.shape[1]"),
    ("size", "A.size(B)", "A.size(-1)", "A.size(-2)", "A.size(0)", "A.size(1)"),
    ("size", "A.numel()", "A.shape[-1]", "A.shape[0]"),
    ("size", "A.size", "A.shape[-1]", "A.shape[0]"),
    ("size", "A.ndim", "A.shape[-1]", "A.shape[0]"),
    ("size", "A.dim()", "A.shape[-1]", "A.shape[0]"),
    *(
        row
        for run in ("range", "torch.arange", "np.arange")
        for row in (
            ("range", f"{run}(A)", f"{run}(A + 1)", f"{run}(A - 1)", f"{run}(1, A)"),
            ("range", f"{run}(A, B)", *(f"{run}({ends})" for ends in _ENDS)),
        )
    ),
    ("one-off", "A - B", "A - B + 1", "A - B - 1"),
    ("order-of-axes", "A.view(B, C, D, E)", "A.view(B, D, C, E).transpose(1, 2)"),
    ("order-of-axes", "A.reshape(B, C, D, E)", "A.reshape(B, D, C, E).transpose(1, 2)"),
    ("order-of-axes", "A.view(B, C, D)", "A.transpose(1, 2).reshape(B, C, D)"),
    ("order-of-axes", "A.reshape(B, C, D)", "A.transpose(1, 2).reshape(B, C, D)"),
    ("order-of-axes", "A.reshape(B, C)", "A.swapaxes(-1, -2)"),
    ("order-of-axes", "A.view(B, C)", "A.swapaxes(-1, -2)"),
    ("index-order", "A[B, C]", "A[C, B]"),
    ("index-order", "A[B]", "A[:, B]", "A[..., B]", "A[B + 1]", "A[B - 1]"),
    ("index-order", "A[:B]", "A[:B, :B]", "A[:B + 1]", "A[:B - 1]", "A[B:]"),
    ("index-order", "A[B:]", "A[:, B:]", "A[B + 1:]", "A[B - 1:]", "A[:B]"),
    ("index-left-out", "A[B]", "A"),
)


def _indexed() -> dict[object, list[tuple[str, ast.expr, tuple[str, ...]]]]:
    found: dict[object, list[tuple[str, ast.expr, tuple[str, ...]]]] = defaultdict(list)
    for code, pattern, *new in _PATTERNS:
        tree = pattern_of(pattern)
        found[_head(tree)].append((code, tree, tuple(new)))
    return found


def _head(node: ast.AST) -> object:
    """Return what decides which patterns a node can fit."""
    operator = getattr(node, "op", None) or getattr(node, "ops", [None])[0]
    return type(node), type(operator), called(node)


_BY_HEAD = _indexed()


def own_changes(site: Site) -> Iterator[Change]:
    """Yield all that may belong in the place of a node of a student's code."""
    node = site.node
    if isinstance(node, ast.expr) and is_read(node) and site.field != "func":
        for code, pattern, news in _BY_HEAD.get(_head(node), ()):
            found = matched(pattern, node)
            if found is not None and _is_sensible(found):
                for text in news:  # the same edit at several places: of any, or with one same part
                    for part in ("", *found.values()):
                        yield Change(code, pattern_filled(text, found), f"{text} {part}")
        if site.field == "test":
            yield Change("condition", f"not ({ast.unparse(node)})")
    for kinds, rule in _RULES:
        if isinstance(node, kinds):
            yield from rule(site)
    yield from (one for one in changes(site) if one.code in COSTS and not _does_nothing(one, site))


def _is_sensible(found: Mapping[str, str]) -> bool:
    """Return whether these parts of a pattern may be edited: no second transpose, and no index of a shape."""
    is_shape = found.get("A", "").endswith(".shape)") and "B" in found
    return not is_shape and not _ENDS_TURNED.search(found.get("D", ""))


def _does_nothing(change: Change, site: Site) -> bool:
    """Return whether a number only makes an operation do nothing, which then does not belong there; or no value."""
    if change.source in (*MODULES, "self"):
        return True
    if (
        change.code == "call-left-out"
    ):  # no number, text or list alone, nor what no loop can run over
        return not change.source[0].isidentifier() or called(site.node) == "range"
    if isinstance(site.parent, ast.BinOp):
        return change.code == "constant-other" and change.source in ("0", "1")
    value = getattr(site.node, "value", None)  # such as a probability
    return change.code == "option-other" and isinstance(value, float)


def _another_function(site: Site) -> Iterator[Change]:
    """Another function of the family, an option that is left out, or axes that are not kept."""
    node = site.node
    assert isinstance(node, ast.Call)
    name = called(node)
    for family in FAMILIES:
        for other in family if name in family else ():
            if other != name:
                text = call_text(with_name(node.func, other), node.args, node.keywords)
                yield Change("function-other", text, f"{name} {other}")
    given = {one.arg for one in node.keywords}
    missing = [("option-missing", option) for option in _OPTIONS.get(name, ())]
    if name in KEEPING and not given & {"keepdim", "keepdims"}:
        missing.append(("axes-kept", "keepdims=True"))
    for code, option in missing:
        word, _, value = option.partition("=")
        if word not in given:
            keywords = [*node.keywords, ast.keyword(word, pattern_of(value))]
            yield Change(code, call_text(node.func, node.args, keywords), option)


def _another_axis(site: Site) -> Iterator[Change]:
    """Another axis where it has no name, as in `torch.softmax(x, 0)`."""
    node, parent = site.node, site.parent
    if site.field == "args" and isinstance(parent, ast.Call) and called(parent) in _ALONG:
        text = ast.unparse(node)
        if text.lstrip("-").isdigit():
            yield from (Change("axis-other", axis, axis) for axis in _AXES if axis != text)


def _another_letter(site: Site) -> Iterator[Change]:
    """Another letter of an einsum, or two letters of its result exchanged."""
    text = getattr(site.node, "value", "")
    if called(site.parent) != "einsum" or not isinstance(text, str) or "->" not in text:
        return
    for place, letter in enumerate(text):
        for other in dict.fromkeys(filter(str.isalpha, text)) if letter.isalpha() else ():
            new = text[:place] + other + text[place + 1 :]
            terms = [*new.partition("->")[0].split(","), new.partition("->")[2]]
            known = {*terms[-1]} <= {*"".join(terms[:-1])}
            if other != letter and known and all(len({*one}) == len(one) for one in terms):
                yield Change("letters", repr(new))
    given, _, result = text.partition("->")
    for first, second in combinations(range(len(result)), 2):
        yield Change("letters", repr(f"{given}->{''.join(exchanged(result, first, second))}"))


def _one_size(site: Site) -> Iterator[Change]:
    """One of the sizes where all of them stand."""
    if getattr(site.node, "attr", "") == "shape" and site.field != "value":
        yield from (Change("size", f"{ast.unparse(site.node)}[{axis}]", axis) for axis in _AXES)


def _of_the_function(site: Site) -> Iterator[Change]:
    """A value of the function itself where a name has none in it, or the size of another one under a root."""
    node = site.node
    assert isinstance(node, ast.Name)
    is_part = site.field == "func" or isinstance(site.parent, ast.Attribute)
    if is_part or not is_read(node) or node.id in {"self", *dir(builtins)}:
        return
    is_root = isinstance(site.parent, ast.BinOp) and isinstance(site.parent.op, ast.Pow)
    for name in site.names[:6]:
        if node.id not in site.names:
            for text in (name, f"{name}.shape[-1]", f"{name}.shape[0]"):
                yield Change("size-of-the-file", text, text)
        elif is_root or called(site.parent) == "sqrt":
            yield Change("size", f"{name}.shape[-1]", name)


def _result_kept(site: Site) -> Iterator[Change]:
    """A call gives something new, which nobody keeps; or an object is changed that another name has, too."""
    match site.node:
        case ast.Expr(ast.Call(ast.Attribute(ast.Name(owner)), arguments) as call):
            for name in dict.fromkeys([owner, *(getattr(one, "id", "") for one in arguments[:1])]):
                if name in site.names:
                    yield Change("result-dropped", f"{name} = {ast.unparse(call)}")
        case ast.AugAssign(ast.Name(name), operator, value):
            right = ast.BinOp(ast.Name(name), operator, value)
            yield Change("in-place", f"{name} = {ast.unparse(right)}")


def _other_targets(site: Site) -> Iterator[Change]:
    """The names that take the parts of a value, in another order."""
    match site.node:
        case ast.Assign([ast.Tuple(names)], value) if len(names) <= 3:  # noqa: PLR2004 - longer ones have too many orders
            for order in list(permutations(map(ast.unparse, names)))[1:]:
                yield Change("parts-exchanged", f"{', '.join(order)} = {ast.unparse(value)}")


def _moved(site: Site) -> Iterator[Change]:
    """The last line of a loop behind it, the first one before it, or two lines of a block exchanged."""
    node = site.node
    assert isinstance(node, ast.stmt)
    body: list[ast.stmt] = getattr(node, "body", [])
    if isinstance(node, ast.For | ast.While) and len(body) > 1:
        for code, lines in (("moved-out", body[-1:]), ("moved-before", body[:1])):
            around = copy(node)
            around.body = [one for one in body if one not in lines]
            parts = [around, *lines] if code == "moved-out" else [*lines, around]
            yield Change(code, _lines(parts, node))
    block: list[ast.stmt] = getattr(site.parent, site.field) if _in_block(site) else []
    for one in block[: block.index(node)] if isinstance(node, ast.For) and node in block else ():
        for number, inner in enumerate(ast.walk(node)):
            if isinstance(one, ast.Assign) and isinstance(inner, ast.For):
                loop = deepcopy(node)
                list(ast.walk(loop))[number].body.insert(0, one)  # type: ignore[attr-defined]
                yield Change("moved-in", _lines([loop], node), without=one)
    for one, other in pairwise(block):
        kept = isinstance(other, ast.Return) or isinstance(one, ast.Return | ast.FunctionDef)
        if one is node and not kept:
            yield Change("statement-order", _lines([other, one], node), without=other)


def _in_block(site: Site) -> bool:
    return isinstance(getattr(site.parent, site.field, None), list)


def _lines(statements: list[ast.stmt], place: ast.stmt) -> str:
    text = "\n".join(map(ast.unparse, statements))
    return text.replace("\n", "\n" + " " * place.col_offset)


_RULES = (
    (ast.Call, _another_function),
    ((ast.Constant, ast.UnaryOp), _another_axis),
    (ast.Constant, _another_letter),
    (ast.Attribute, _one_size),
    (ast.Name, _of_the_function),
    ((ast.Expr, ast.AugAssign), _result_kept),
    (ast.Assign, _other_targets),
    (ast.stmt, _moved),
)
