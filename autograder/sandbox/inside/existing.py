"""The names that exist where an exception missed one: asked of the object, the module or the called function itself.

Only explanations depend on them. A student's objects may make any of this fail: then no name is known.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import linecache
import re
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

from autograder.near_names import is_dotted, nearest, same_letters
from autograder.python_source import excerpt

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from types import FrameType, TracebackType

MOST = 30
# Where a name is looked for that its own module does not have, under the usual short names.
_MODULES = {
    "torch": "torch",
    "nn": "torch.nn",
    "F": "torch.nn.functional",
    "math": "math",
    "np": "numpy",
}
_OF_A_LIBRARY = ("torch", "numpy", "math", "builtins", "")
_CANNOT_IMPORT = re.compile(r"cannot import name '(\w+)' from '([\w.]+)'")
_ARGUMENT = re.compile(r"\b(\w{1,60}+)(?:=[^,()]{0,40}+|=\([^()]{0,40}+\))?(?=[,)])")


def existing_names(error: BaseException) -> list[str]:
    """Return names that an exception may have meant, the best first; names in other modules have a dot.

    For a call that does not fit these are all arguments of the called function.
    """
    try:
        return [name for name in _existing(error) if is_dotted(name)][:MOST]
    except BaseException:  # noqa: BLE001 - a student's own `__dir__` or `__getattr__` may do anything
        return []


def _existing(error: BaseException) -> list[str]:
    match error:
        case AttributeError(name=str(name), obj=ModuleType() as module):
            return _in_module(name, module)
        case AttributeError(name=str(name), obj=owner):
            return [*_near(name, owner), *_in_a_tensor(name, owner)]
        case NameError(name=str(name)):
            return list(_elsewhere(name))
        case ImportError() if found := _CANNOT_IMPORT.search(str(error)):
            return _in_module(found[1], sys.modules[found[2]])
        case TypeError() if error.__traceback__ is not None:
            return _of_the_call(error.__traceback__, str(error))
    return []


def _in_a_tensor(name: str, owner: object) -> list[str]:
    """Return the name as that of a tensor, if a tensor has it and the object is none."""
    tensor = sys.modules["torch"].Tensor
    return [f"Tensor.{name}"] if hasattr(tensor, name) and not isinstance(owner, tensor) else []


def _in_module(name: str, module: ModuleType) -> list[str]:
    """Return the name with the same letters, this name in other modules, or the nearest name."""
    if same := same_letters(name, _like(name, module)):
        return [same]
    return [*_elsewhere(name), *_elsewhere(name, same_letters)] or _near(name, module)


def _near(name: str, owner: object) -> list[str]:
    near = nearest(name, _like(name, owner))
    return [near] if near else []


def _like(name: str, owner: object) -> list[str]:
    """Return the names of an object. Private ones, ones with `_` at the end and constants only if `name` is one."""
    names = [
        other
        for other in dir(owner)
        if other.startswith("_") <= name.startswith("_")
        and other.endswith("_") <= name.endswith("_")
    ]
    if isinstance(owner, ModuleType) and not name.isupper():
        return [other for other in names if not other.isupper()]
    return names


def _elsewhere(
    name: str, find: Callable[[str, Iterable[str]], str | None] = lambda name, _names: name
) -> Iterator[str]:
    """Yield the functions, classes and constants of the usual modules with this name, or one that `find` finds."""
    for short, path in _MODULES.items():
        module = sys.modules.get(path)
        there = find(name, _like(name, module)) if module and len(name) > 1 else None
        if there and hasattr(module, there) and _belongs(getattr(module, there)):
            yield f"{short}.{there}"


def _belongs(thing: object) -> bool:
    """Return whether a module made this itself: it is no module, and not imported from `typing` and the like."""
    home = getattr(thing, "__module__", None) or ""
    return not isinstance(thing, ModuleType) and home.partition(".")[0] in _OF_A_LIBRARY


def _of_the_call(trace: TracebackType, message: str) -> list[str]:
    """Return the arguments of the function whose call failed, or the class that a module was called for."""
    while trace.tb_next is not None:
        trace = trace.tb_next
    function = _function_called(trace)
    if function is None:
        return []
    # NumPy's methods call functions such as `_sum`.
    unknown = (
        sys.modules["numpy"].ndarray if message.startswith("_") else sys.modules["torch"].Tensor
    )
    called = _resolved(function, trace.tb_frame, unknown)
    if isinstance(called, ModuleType):
        return _class_meant(function, called, trace.tb_frame)
    return _arguments(called) if "argument" in message else []


def _function_called(trace: TracebackType) -> ast.expr | None:
    """Return what stands before the brackets of the call that a frame was at; None if it was at no call."""
    code = trace.tb_frame.f_code
    first, last, start, end = list(code.co_positions())[trace.tb_lasti // 2]
    if first is None or last is None:
        return None
    rows = linecache.getlines(code.co_filename)[first - 1 : last]
    tree = ast.parse(excerpt(rows, start or 0, end), mode="eval").body
    return tree.func if isinstance(tree, ast.Call) else None


def _resolved(function: ast.expr, frame: FrameType, unknown: Any) -> Any:
    """Return the object under a name such as `torch.nn.Linear`; `unknown` stands for what is computed in the line."""
    if isinstance(function, ast.Attribute):
        return _attribute(_resolved(function.value, frame, unknown), function.attr)
    if isinstance(function, ast.Name):
        for space in (frame.f_locals, frame.f_globals, vars(builtins)):
            if function.id in space:
                return space[function.id]
    return unknown


def _attribute(owner: object, name: str) -> Any:
    """Return an attribute; None if there is none. A student's own property or `__getattr__` is not run for it."""
    if isinstance(owner, ModuleType) or _belongs(type(owner)):
        return getattr(owner, name)
    return inspect.getattr_static(owner, name, None)


def _class_meant(function: ast.expr, module: ModuleType, frame: FrameType) -> list[str]:
    """Return the class or function with the letters of a module's name: `nn.Parameter` for `nn.parameter`."""
    name = module.__name__.rpartition(".")[2]
    inside = name if hasattr(module, name) else same_letters(name, dir(module))
    if isinstance(function, ast.Attribute):
        owner = _resolved(function.value, frame, None)
        if beside := same_letters(function.attr, dir(owner)):
            return [f"{ast.unparse(function.value)}.{beside}"]
    return [f"{ast.unparse(function)}.{inside}"] if inside else []


def _arguments(function: Any) -> list[str]:
    """Return the names of a function's arguments. Functions in C name them in the first line of their docstring."""
    try:
        given = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        given = []
    all_named = given and all(
        one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD) for one in given
    )
    head = (function.__doc__ or "").strip().partition("\n")[0].partition(" -> ")[0]
    return [one.name for one in given] if all_named else _ARGUMENT.findall(head)
