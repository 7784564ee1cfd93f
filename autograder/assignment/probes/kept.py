"""Copies of torch's and the kit's functions that read weights, made before student code runs.

Student code may replace names in torch and in the kit, also while a probe runs. So these functions
are copied once, and look up no name in a module.
"""

from __future__ import annotations

import builtins
from types import FunctionType
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Area = tuple[int, int]


class Kept(NamedTuple):
    """The original functions and classes."""

    tensor: Any
    parameter: Any
    module: Any
    linear: Any
    attributes: Any
    no_grad: Any
    without_overrides: Any
    data_ptr: Any
    element_size: Any
    size: Any
    stride: Any
    subtract: Any
    detach: Any
    transpose: Any
    cast: Any
    multiply: Any
    registered: Callable[[Kept, Any], dict[int, Any]]
    stored: Callable[[Kept, Any, str], tuple[Any, bool]]
    area: Callable[[Kept, Any], Area]
    lies_in: Callable[[Area, Iterable[Area]], bool]
    product: Callable[[Kept, Any, Any, bool], object]


def _keeper() -> Callable[[], Kept]:
    """Return a function that makes the copies at its first call, and returns the same ones from then on."""
    cache: list[Kept] = []

    def keep() -> Kept:
        if not cache:
            cache.append(_kept())
        return cache[0]

    return keep


def _kept() -> Kept:
    import torch  # noqa: PLC0415 - students' checks import this module; torch takes a second

    own, module = torch.Tensor, torch.nn.Module
    return Kept(
        own, torch.nn.Parameter, module, torch.nn.Linear, vars(module)["__dict__"], torch.no_grad,
        torch._C.DisableTorchFunctionSubclass,  # noqa: SLF001 - as torch documents it
        own.data_ptr, own.element_size, own.size, own.stride, own.sub_, own.detach, own.t, own.to, own.matmul,
        *map(_copy, (_registered, _stored, _area, _lies_in, _product)),
    )  # fmt: skip


def _copy(function: Any) -> Any:
    return FunctionType(function.__code__, {"__builtins__": vars(builtins).copy()})


keep = _keeper()


def registered(module: Any) -> dict[int, Any]:
    """Return the registered parameters by their ids, even if the class overrides `parameters`.

    There are none if `module` is not an nn.Module.
    """
    kept = keep()
    return kept.registered(kept, module)


def _registered(kept: Kept, module: Any) -> dict[int, Any]:
    if not issubclass(type(module), kept.module):
        return {}
    modules, seen = [module], {id(module)}
    listed: dict[int, Any] = {}
    for submodule in modules:
        own = kept.attributes.__get__(submodule)
        containers = [dict.get(own, name, {}) for name in ("_parameters", "_modules")]
        # A scripted module holds its parameters in C++, behind an object that is no dictionary.
        parameters, children = (
            list(dict.values(container))
            if isinstance(container, dict)
            else [value for _, value in container.items()]
            for container in containers
        )
        listed |= {
            id(parameter): parameter
            for parameter in parameters
            if type(parameter) is kept.parameter
        }
        for child in children:
            if issubclass(type(child), kept.module) and id(child) not in seen:
                modules.append(child)
                seen.add(id(child))
    return listed


def _stored(kept: Kept, module: Any, name: str) -> tuple[Any, bool]:
    """Return the matrix that a module itself holds under a name, past its class, and whether a layer holds it.

    The matrix is None if there is none.
    """
    if not issubclass(type(module), kept.module):
        return None, False
    own = kept.attributes.__get__(module)
    for place in (own, dict.get(own, "_parameters"), dict.get(own, "_modules")):
        held = dict.get(place, name) if isinstance(place, dict) else None
        if held is not None:
            break
    if not issubclass(type(held), kept.linear):
        return held, False
    parameters: Any = dict.get(kept.attributes.__get__(held), "_parameters")
    return dict.get(parameters, "weight"), True


def _area(kept: Kept, tensor: Any) -> Area:
    """Return the first and the last address of a tensor's numbers."""
    steps = zip(kept.size(tensor), kept.stride(tensor), strict=True)
    length = sum((size - 1) * stride for size, stride in steps)
    start = kept.data_ptr(tensor)
    return start, start + length * kept.element_size(tensor)


def _lies_in(area: Area, others: Iterable[Area]) -> bool:
    return any(start <= area[0] and area[1] <= end for start, end in others)


def _product(kept: Kept, x: Any, held: Any, transposed: bool) -> object:
    """Return x @ W, as a Parameter if W is one; W itself if x cannot be multiplied by it."""
    if type(held) not in (kept.tensor, kept.parameter) or not held.is_floating_point():
        return held
    with kept.no_grad(), kept.without_overrides():
        weight = kept.transpose(held) if transposed else kept.detach(held)
        size = kept.size(weight)
        if len(size) != 2 or size[0] != kept.size(x)[1]:  # noqa: PLR2004 - rows and columns
            return held
        product = kept.multiply(kept.cast(x, weight.dtype), weight)
    if type(held) is kept.parameter:
        return kept.parameter(product, requires_grad=held.requires_grad)
    return product
