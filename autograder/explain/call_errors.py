"""Exceptions about a call: arguments that do not fit, or something that cannot be called."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from autograder.explain.class_slips import constructor_misspelt
from autograder.explain.exception_patterns import (
    MODULE_TYPE,
    PLAIN_NUMBERS,
    SOFTMAX_TYPE,
    TENSORS,
    UNCALLED,
    match_message,
)
from autograder.explain.explanation import Reading
from autograder.explain.library import (
    ATTRIBUTES,
    KEYWORDS,
    MODULES,
    NOT_CALLED,
    NUMPY_KEYWORDS,
    SHORT,
    TORCH_KEYWORDS,
    TRANSLATED,
)
from autograder.explain.near_names import nearest, plain
from autograder.explain.syntax import arguments_of
from autograder.python_source import parsed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from autograder.explain.place import Place
    from autograder.explain.student_code import Definition, StudentCode
    from autograder.results import StudentError

    Function = ast.FunctionDef | ast.AsyncFunctionDef

_GOT_KEYWORD = re.compile(r"\b(?!axis|keepdims)(\w+)=")  # these two torch takes too


def read_call(error: StudentError, place: Place, steps: dict[str, str]) -> Reading | None:
    """Explain a call that does not fit.

    Args:
        steps: the first lines of the steps, as they were released.
    """
    message = error.message
    if match_message("module_called", message):
        return _module_called(place)
    if found := match_message("unknown_keyword", message):
        return _unknown_keyword(found[1], found[2], place, steps)
    if found := match_message("combination", message):
        return _combination(found[1], found[2], found[3], place)
    if found := match_message("count", message):
        name, in_python = found[1].partition(".")[0], "argument: '" in message
        return _count(found[1], place, steps, _keywords_of(name, place, in_python=in_python))
    return _wrong_kind(message, place)


def _wrong_kind(message: str, place: Place) -> Reading | None:
    """Explain a function, a layer or an array where a tensor belongs."""
    kinds: tuple[str, ...] = ()
    wrong = match_message("wrong_kind", message)
    if wrong:
        kinds = (wrong[4],)
    elif found := match_message("operands", message):
        kinds = (found[1], found[2])
    elif found := match_message("given_twice", message):
        kinds = (found[1].split(".")[0],)
    if not SOFTMAX_TYPE.isdisjoint(kinds):
        return SOFTMAX_LAYER
    uncalled = match_message("not_called", message) or match_message("no_array", message)
    if uncalled or any(kind in UNCALLED for kind in kinds):
        return _call_left_out(place)
    if wrong and _calls_numpy(place):
        return _numpy_on_tensors(wrong[1])
    if wrong and wrong[4] not in PLAIN_NUMBERS:
        says = f"`{wrong[1]}` takes the type {wrong[3]} as `{wrong[2]}`; here it got something of type {wrong[4]}."
        look = f"The brackets of `{wrong[1]}` in this line. Where was that made?"
        return Reading("argument_of_another_type", says, look, sure=True)
    return None


SOFTMAX_LAYER = Reading(
    "softmax_layer",
    "`nn.Softmax(...)` makes a layer and computes nothing yet: the layer is called with the scores afterwards. "
    "`torch.softmax` is the function that computes at once.",
    "The line with `nn.Softmax`: what is in its brackets, and what is called with the scores?",
    sure=True,
)
_METHODS = ATTRIBUTES["Tensor"] | ATTRIBUTES["str"] | ATTRIBUTES["dict"]


def _calls_numpy(place: Place, name: str = "") -> bool:
    """Return whether the statement calls a function of NumPy, or the one of this name."""
    return any(
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id in ("np", "numpy")
        and name in ("", node.func.attr)
        for node in place.nodes or []
    )


def _numpy_on_tensors(name: str) -> Reading:
    says = f"NumPy called torch's `{name}`, because the argument is a tensor, and the two take other arguments."
    look = "The function of NumPy in this line: for a tensor, use torch's own."
    return Reading("numpy_on_tensors", says, look, sure=True)


def _call_left_out(place: Place) -> Reading | None:
    """Notice a method without brackets, such as `keys.t`."""
    called = {id(node.func) for node in place.nodes or [] if isinstance(node, ast.Call)}
    for node in place.nodes or []:
        if not isinstance(node, ast.Attribute) or id(node) in called or node.attr in NOT_CALLED:
            continue
        if node.attr in _METHODS:
            says = f"`.{node.attr}` is a function, and it was not called."
            look = f"After `.{node.attr}` round brackets are missing: `.{node.attr}()`."
            if any(
                isinstance(parent, ast.Subscript) and parent.value is node
                for parent in place.nodes or []
            ):
                look = f"The brackets after `.{node.attr}`: a function takes round ones."
            return Reading("call_left_out", says, look, sure=True)
    return None


def _module_called(place: Place) -> Reading | None:
    for node in place.nodes or []:
        if not isinstance(node, ast.Call):
            continue
        name = (
            node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        )
        for module, known in MODULES.items():
            others = sorted(known - {name})
            meant = next((other for other in others if plain(other) == plain(name)), None)
            if meant:
                before = SHORT.get(module, module)
                written = ast.unparse(node.func)[:60]
                says = f"`{written}` is a module and cannot be called. The class is `{before}.{meant}`."
                look = f"The capitals in `{name}`."
                return Reading("name_misspelt", says, look, sure=True)
    says = "A module was called like a function. A function or class in it was meant."
    return Reading("module_called", says, "The name before the round brackets.", sure=False)


def _unknown_keyword(
    function: str, keyword: str, place: Place, steps: dict[str, str]
) -> Reading | None:
    own = _own_function(function, place.code)
    if own is not None:
        return _own_arguments(own, function, place, steps)
    name = function.removesuffix(".__init__").removesuffix(".__new__").split(".")[-1].lstrip("_")
    if place.definition is not None and name in MODULE_TYPE:
        return constructor_misspelt(place.definition)
    known = _keywords_of(name, place, in_python=True)
    return _keyword(name, keyword, known)


def _keywords_of(name: str, place: Place, *, in_python: bool = False) -> tuple[str, ...]:
    """Return the keywords of a library function. A `sum` that is written in Python is NumPy's."""
    of_numpy = in_python or "np" in place.read
    tables = (KEYWORDS, *((NUMPY_KEYWORDS, TORCH_KEYWORDS)[:: 1 if of_numpy else -1]))
    return next((table[name] for table in tables if name in table), ())


def _keyword(name: str, keyword: str, known: tuple[str, ...]) -> Reading:
    meant = nearest(keyword, known, cutoff=0.6)
    if meant is None and TRANSLATED.get(keyword) in known:
        meant = TRANSLATED[keyword]
    if meant is None:
        meant = next((argument for argument in known if argument in keyword.split("_")), None)
    says = f"`{name}` has no argument `{keyword}`."
    if meant:
        says += f" It is called `{meant}`."
        return Reading("keyword_misspelt", says, f"The name `{keyword}` in this call.", sure=True)
    return Reading(
        "arguments_do_not_fit", says, f"The names of the arguments of `{name}`.", sure=True
    )


def _combination(name: str, got: str, expected: str, place: Place) -> Reading | None:
    """Explain torch's message about arguments: a keyword that no signature has, or missing axes."""
    if _calls_numpy(place, name):
        return _numpy_on_tensors(name)
    for keyword in _GOT_KEYWORD.findall(got):
        if not re.search(rf"\b{keyword}\b", expected):
            return _keyword(name, keyword, _keywords_of(name, place))
    kinds = [kind.strip() for kind in got.split(",") if kind.strip()]
    return _transpose_without_axes(name) if TENSORS.issuperset(kinds) else None


def _transpose_without_axes(name: str) -> Reading | None:
    if name not in ("transpose", "swapaxes"):
        return None
    says = f"torch's `{name}` needs the two axes that change places. Here it got none."
    look = f"The brackets of `{name}`. A matrix has the axes 0 and 1; `.T` needs no numbers."
    return Reading("transpose_without_axes", says, look, sure=True)


def _own_function(function: str, code: StudentCode) -> Function | None:
    """Return the student's own function or method that a message names, such as `Attention.__init__`."""
    first, _, rest = function.partition(".")
    definition = code.definition(first)
    if definition is None:
        return None
    if isinstance(definition.node, ast.ClassDef):
        return definition.methods.get(rest or "__init__")
    return definition.node if not rest else None


def _count(
    function: str, place: Place, steps: dict[str, str], known: tuple[str, ...]
) -> Reading | None:
    first = function.partition(".")[0]
    definition = place.code.definition(first)
    own = _own_function(function, place.code)
    if own is None:
        return _call_of_the_library(definition or _class_at(place), first, place, known)
    return _own_arguments(own, function, place, steps)


def _class_at(place: Place) -> Definition | None:
    found = place.definition
    return found if found is not None and isinstance(found.node, ast.ClassDef) else None


def _call_of_the_library(
    definition: Definition | None, name: str, place: Place, known: tuple[str, ...]
) -> Reading | None:
    """Explain a class without `__init__`, of which nn.Module says that it takes no arguments, or a keyword."""
    if definition is not None and "__init__" not in definition.methods:
        if found := constructor_misspelt(definition):
            return found
        if isinstance(definition.node, ast.ClassDef):
            says = f"`{definition.node.name}` has no method `__init__`, so it takes no arguments."
            return Reading("init_missing", says, "The methods of the class.", sure=True)
    if found := _transpose_without_axes(name):
        return found
    for node in place.nodes or [] if known else []:
        if not isinstance(node, ast.Call):
            continue
        if getattr(node.func, "attr", getattr(node.func, "id", "")) == name:
            used = [keyword.arg for keyword in node.keywords if keyword.arg]
            if unknown := [keyword for keyword in used if keyword not in known]:
                return _keyword(name, unknown[0], known)
    return None


def _own_arguments(own: Function, function: str, place: Place, steps: dict[str, str]) -> Reading:
    """Compare the first line of the student's function with the call, or with the release."""
    given = arguments_of(own)
    name = function.removesuffix(".__init__")
    released = _released_arguments(function, steps)
    if "." in function and given[:1] != ["self"] and not _is_static(own):
        says = f"The first line of `{own.name}` has no `self`."
        look = f"Line {own.lineno}: the first argument of a method is `self`."
        return Reading("self_missing", says, look, sure=True)
    if released is not None and released != given:
        missing = _quoted(argument for argument in released if argument not in given)
        extra = _quoted(argument for argument in given if argument not in released)
        says = f"The first line of your `{own.name}` has other arguments than in the release."
        says += f" Missing: {missing}." if missing else ""
        says += f" Not in the release: {extra}." if extra else ""
        look = f"Line {own.lineno}: `({', '.join(released)})` must be as in the release."
        return Reading("arguments_do_not_fit", says, look, sure=True)
    shown = ", ".join(argument for argument in given if argument != "self") or "no arguments"
    says = f"`{name}` is called with other arguments than its first line has: {shown}."
    look = f"The line that calls `{name}`, and its first line (line {own.lineno})."
    return Reading("arguments_do_not_fit", says, look, sure=bool(place.nodes))


def _quoted(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _is_static(function: Function) -> bool:
    names = [node.id for node in function.decorator_list if isinstance(node, ast.Name)]
    return "staticmethod" in names


def _released_arguments(function: str, steps: dict[str, str]) -> list[str] | None:
    """Return the arguments of a step's function or method in the release; None if it is no step."""
    first, _, rest = function.partition(".")
    tree = parsed(steps.get(first, ""))
    for node in tree.body if tree else ():
        if isinstance(node, ast.FunctionDef) and not rest:
            return arguments_of(node)
        if isinstance(node, ast.ClassDef):
            for method in node.body:
                if isinstance(method, ast.FunctionDef) and method.name == (rest or "__init__"):
                    return arguments_of(method)
    return None
