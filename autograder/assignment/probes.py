"""Helper functions for probes: copy known weights into a student's module, and observe the module.

Every function here runs in the same process as the student's code. None of them grades: they return
observations.
"""

from __future__ import annotations

import random
import sys
import warnings
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any

from autograder.reasons import Reason, Unsuitable
from autograder.values.values import Different

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

# Every probe starts from this random state, so that results are reproducible. It is independent of
# the run's seed.
RANDOM_STATE = 0


def run(probe: Callable[..., object], module: ModuleType, inputs: Mapping[str, Any]) -> object:
    """Call a probe with a module and a case's inputs, after a reset of the random state."""
    reset_state()
    return probe(module, SimpleNamespace(**inputs))


def reset_state() -> None:
    """Reset the random generators and torch's defaults (gradients on, float32)."""
    random.seed(RANDOM_STATE)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(RANDOM_STATE)
    if "torch" in sys.modules:
        torch = sys.modules["torch"]
        # Not torch.manual_seed: it formats a stack trace for each kind of device (0.5 ms a call).
        torch.default_generator.manual_seed(RANDOM_STATE)
        torch.set_grad_enabled(True)
        torch.set_default_dtype(torch.float32)


def skip_absent_devices() -> None:
    """Make `torch.manual_seed` skip devices that do not exist.

    By default each call formats a stack trace for each kind of absent device.
    """
    import torch  # noqa: PLC0415

    for kind in ("cuda", "xpu", "mtia"):
        devices = getattr(torch, kind, None)
        if devices is not None and not devices.is_available():
            devices.manual_seed_all = lambda _: None


RESULT = "the result"


def gradient_reach(
    probe: Callable[..., object], module: ModuleType, inputs: Mapping[str, Any]
) -> list[str]:
    """Return the names of the inputs that a step's result sends gradients to.

    The list also has RESULT if any part of the result has a gradient. The list is empty if the step
    raises an exception because its inputs require gradients (for example at `.numpy()`).
    """
    import torch  # noqa: PLC0415

    tensors = {name: thing for name, thing in inputs.items() if isinstance(thing, torch.Tensor)}
    leaves = {
        name: tensor.requires_grad_()
        for name, tensor in tensors.items()
        if tensor.is_floating_point()
    }
    try:
        outputs = _differentiable(run(probe, module, inputs))
        total = sum((output.sum() for output in outputs), torch.zeros((), requires_grad=True))
        reached = torch.autograd.grad(total, [total, *leaves.values()], allow_unused=True)[1:]
    except Exception:  # noqa: BLE001 - see above
        return []
    names = [name for name, gradient in zip(leaves, reached, strict=True) if gradient is not None]
    return [*names, RESULT] if outputs else names


def _differentiable(thing: object) -> list[Any]:
    """Return the tensors in a step's result that require gradients."""
    if isinstance(thing, list | tuple):
        return [tensor for part in thing for tensor in _differentiable(part)]
    if isinstance(thing, dict):
        return _differentiable(list(thing.values()))
    return [thing] if getattr(thing, "requires_grad", False) else []


def seed(number: int) -> None:
    """Call `torch.manual_seed(number)`, as a document does."""
    import torch  # noqa: PLC0415 - as everywhere here: import torch only where it is needed

    torch.manual_seed(number)


def matrix(module: Any, name: str) -> Any:
    """Return the weight matrix of `module` called `name`, in its stored shape.

    The shape is (d_in, d_out), or (d_out, d_in) for a layer. Raises Unsuitable if there is none.
    """
    import torch  # noqa: PLC0415

    if not hasattr(module, name):
        raise Unsuitable(Reason.NO_ATTRIBUTE, name, _type_name(module))
    held = getattr(module, name)
    found = held.weight if isinstance(held, torch.nn.Linear) else held
    if not isinstance(found, torch.Tensor):
        raise Unsuitable(Reason.NO_MATRIX, name, _type_name(found))
    return found


def inject(module: Any, weights: Mapping[str, Any]) -> Any:
    """Copy known weights of shape (d_in, d_out) into the attributes of `module`; return `module`.

    A layer stores its matrix transposed, so it receives the transpose. Raises Unsuitable if a shape
    does not fit.
    """
    import torch  # noqa: PLC0415

    if isinstance(module, torch.jit.ScriptModule) or hasattr(module, "_orig_mod"):
        raise Unsuitable(Reason.COMPILED_MODULE)
    for name, wanted in weights.items():
        held = matrix(module, name)
        value = wanted.T if isinstance(getattr(module, name), torch.nn.Linear) else wanted
        if held.shape != value.shape:
            raise Unsuitable(Reason.OTHER_SIZES, name, tuple(held.shape), tuple(value.shape))
        with torch.no_grad():
            torch.Tensor.copy_(held, value)  # the student may have replaced this tensor's own copy_
    return module


def census(module: Any, names: tuple[str, ...]) -> dict[str, object]:
    """Return for each name the matrix if it is a registered, trainable parameter, else a Reason.

    A matrix is registered if nn.Module itself lists it as a parameter, under any name. If two
    attributes share one matrix, the second entry is (SAME_MATRIX, the first's name). Raises
    Unsuitable if `module` is not an nn.Module.
    """
    import torch  # noqa: PLC0415

    if not issubclass(type(module), torch.nn.Module):
        raise Unsuitable(Reason.NO_MODULE, _type_name(module))
    registered = _registered(module)
    found: dict[str, object] = {}
    seen: dict[int, str] = {}
    for name in names:
        held = matrix(module, name)
        twin = seen.setdefault(id(held), name)
        if twin != name:
            found[name] = (Reason.SAME_MATRIX, twin)
        elif id(held) not in registered:
            found[name] = Reason.NOT_REGISTERED
        elif not held.requires_grad:
            found[name] = Reason.NOT_TRAINABLE
        else:
            found[name] = held
    return found


def _registered(module: Any) -> set[int]:
    """Return the ids of the registered parameters, even if the class overrides `parameters`."""
    import torch  # noqa: PLC0415

    attributes = vars(torch.nn.Module)["__dict__"]
    modules, seen = [module], {id(module)}
    registered: set[int] = set()
    for one in modules:
        own = attributes.__get__(one)
        parameters, children = (
            list(dict.values(own.get(name, {}))) for name in ("_parameters", "_modules")
        )
        registered.update(id(thing) for thing in parameters if type(thing) is torch.nn.Parameter)
        for child in children:
            if issubclass(type(child), torch.nn.Module) and id(child) not in seen:
                modules.append(child)
                seen.add(id(child))
    return registered


def draws(make: Callable[[], Any], names: tuple[str, ...]) -> Different:
    """Return the initial weights of two new instances: no two of these matrices may be equal."""
    import torch  # noqa: PLC0415

    instances = (make(), make())
    return Different(
        torch.Tensor.detach(matrix(module, name)).clone() for module in instances for name in names
    )


def layer(module: Any, name: str) -> Any:
    """Return the `nn.Linear` of `module` called `name`. Raises Unsuitable if there is none."""
    import torch  # noqa: PLC0415

    held = getattr(module, name, None)
    if not isinstance(held, torch.nn.Linear):
        raise Unsuitable(Reason.NO_LAYER, name, _type_name(held))
    return held


def biases(module: Any, names: tuple[str, ...]) -> dict[str, object]:
    """Return each layer's bias: None if there is none, a Reason if it is not registered."""
    found = {name: layer(module, name).bias for name in names}
    registered = _registered(module)
    return {
        name: held if held is None or id(held) in registered else Reason.NOT_REGISTERED
        for name, held in found.items()
    }


def inject_biases(module: Any, values: Mapping[str, Any]) -> Any:
    """Copy known biases of shape (d_out,) into the layers of `module`; return `module`.

    Raises Unsuitable if a layer has no bias.
    """
    import torch  # noqa: PLC0415

    for name, value in values.items():
        held = layer(module, name).bias
        if held is None:
            raise Unsuitable(Reason.NO_BIAS, name)
        with torch.no_grad():
            held.copy_(value)
    return module


def holder(parts: Mapping[str, Any], *, layers: bool = False) -> Any:
    """Return a module with matrices of shape (d_in, d_out) as parameters or bias-free layers."""
    import torch  # noqa: PLC0415

    module = torch.nn.Module()
    for name, value in parts.items():
        if layers:
            setattr(module, name, torch.nn.Linear(*value.shape, bias=False))
        else:
            setattr(module, name, torch.nn.Parameter(torch.empty(value.shape)))
    return inject(module, parts)


def matrices(module: Any, names: tuple[str, ...]) -> dict[str, object]:
    """Return the current matrix for each name."""
    return {name: matrix(module, name) for name in names}


def gradients(module: Any, names: tuple[str, ...], output: Any, upstream: Any) -> dict[str, object]:
    """Return each matrix's gradient if the gradient of `output` is `upstream`, else None.

    Raises Unsuitable if the shapes of `output` and `upstream` differ.
    """
    if not getattr(output, "requires_grad", False):
        return dict.fromkeys(names)
    if output.shape != upstream.shape:
        raise Unsuitable(Reason.OTHER_OUTPUT_SHAPE, seen=tuple(output.shape))
    # Same as output.backward(upstream), but without torch's import of SymPy (0.3 s).
    (output * upstream).sum().backward()
    return {name: matrix(module, name).grad for name in names}


def warns(action: Callable[[], object]) -> bool:
    """Return whether `action` causes a warning from Python or torch."""
    import torch  # noqa: PLC0415

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        torch.set_warn_always(True)
        try:
            action()
        finally:
            torch.set_warn_always(False)
    return bool(caught)


def calls(holder: Any, name: str, action: Callable[[], object]) -> bool:
    """Return whether `action` calls the function `name` of `holder`."""
    called = []
    original = getattr(holder, name)

    def listening(*arguments: Any, **options: Any) -> Any:
        called.append(name)
        return original(*arguments, **options)

    setattr(holder, name, listening)
    try:
        action()
    finally:
        setattr(holder, name, original)
    return bool(called)


def _type_name(thing: object) -> str:
    return type(thing).__name__
