"""Helper functions for probes: copy known weights into a student's module, and observe the module.

kept       copies of original functions
weights    numbers that depend on a module's weights

Every function here runs beside the student's code. None of them grades: they return observations.
"""

from __future__ import annotations

import inspect
import itertools
import random
import sys
import warnings
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any

from autograder.assignment.libraries import DETERMINISTIC_WARNING, original
from autograder.assignment.probes.kept import registered
from autograder.reasons import MAX_LENGTH, Reason, Unsuitable
from autograder.values.values import Different

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

# Every probe starts from this random state, independent of the run's seed: results are reproducible.
RANDOM_STATE = 0
RESULT = "the result"
# Their objects are no records of parts.
_LIBRARIES = ("builtins", "torch", "numpy", "collections", "itertools", "autograder")
_MOST_PARTS = 100


def run(probe: Callable[..., object], module: ModuleType, inputs: Mapping[str, Any]) -> object:
    """Call a probe with a module and a case's inputs, after a reset of the random state."""
    reset_state()
    return _unpacked(probe(module, SimpleNamespace(**inputs)))


def _unpacked(answer: Any) -> Any:
    """Return what an object of the student's own class yields, such as a record of three parts, as a tuple."""
    kind = type(answer)
    roots = {one.__module__.partition(".")[0] for one in kind.__mro__ if one is not object}
    if not roots.isdisjoint(_LIBRARIES) or hasattr(kind, "__next__"):
        return answer
    return tuple(itertools.islice(answer, _MOST_PARTS)) if hasattr(kind, "__iter__") else answer


@original()
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


def gradient_reach(
    probe: Callable[..., object], module: ModuleType, inputs: Mapping[str, Any]
) -> list[str]:
    """Return the names of the inputs that a step's result sends gradients to.

    The list also has RESULT if any part of the result has a gradient. The list is empty if the step
    raises an exception because its inputs require gradients (for example at `.numpy()`).
    """
    import torch  # noqa: PLC0415

    leaves = {
        name: value.requires_grad_()
        for name, value in inputs.items()
        if isinstance(value, torch.Tensor) and value.is_floating_point()
    }
    nothing = torch.zeros(
        (), requires_grad=True
    )  # before the step, which may set another default device
    try:
        outputs = _differentiable(run(probe, module, inputs))
        with original():
            total = sum((output.sum() for output in outputs), nothing)
            reached = torch.autograd.grad(total, [total, *leaves.values()], allow_unused=True)[1:]
    except Exception:  # noqa: BLE001 - see above
        return []
    names = [name for name, gradient in zip(leaves, reached, strict=True) if gradient is not None]
    return [*names, RESULT] if outputs else names


def _differentiable(result: object) -> list[Any]:
    """Return the tensors in a step's result that require gradients."""
    if isinstance(result, list | tuple):
        return [tensor for part in result for tensor in _differentiable(part)]
    if isinstance(result, dict):
        return _differentiable(list(result.values()))
    return [result] if getattr(result, "requires_grad", False) else []


@original()
def seed(number: int) -> None:
    """Call `torch.manual_seed(number)`, as a document does."""
    import torch  # noqa: PLC0415 - as everywhere here: import torch only where it is needed

    torch.manual_seed(number)


def part(module: Any, name: str) -> Any:
    """Return the attribute `name` of `module`; "heads.0.W_query" is that of the first of its `heads`.

    Raises Unsuitable if there is none.
    """
    for one in name.split("."):
        lacks = (IndexError, TypeError) if one.isdigit() else AttributeError
        try:
            module = module[int(one)] if one.isdigit() else getattr(module, one)
        except lacks:
            raise Unsuitable(Reason.NO_ATTRIBUTE, one, type(module).__name__) from None
    return module


@original()
def matrix(module: Any, name: str) -> Any:
    """Return the weight matrix of `module` called `name`, in its stored shape.

    The shape is (d_in, d_out), or (d_out, d_in) for a layer. Raises Unsuitable if there is none.
    """
    import torch  # noqa: PLC0415

    attribute = part(module, name)
    if isinstance(attribute, torch.jit.ScriptModule):
        raise Unsuitable(Reason.COMPILED_MODULE)
    weight = attribute.weight if isinstance(attribute, torch.nn.Linear) else attribute
    if not isinstance(weight, torch.Tensor):
        raise Unsuitable(Reason.NO_MATRIX, name, type(weight).__name__)
    return weight


@original()
def inject(module: Any, weights: Mapping[str, Any]) -> Any:
    """Copy known weights of shape (d_in, d_out) into the attributes of `module`; return `module`.

    A layer stores its matrix transposed, so it receives the transpose. The bias of a layer becomes 0, so that one
    that nobody asked for changes no output. Raises Unsuitable if a shape does not fit.
    """
    import torch  # noqa: PLC0415

    if hasattr(module, "_orig_mod"):
        raise Unsuitable(Reason.COMPILED_MODULE)
    for name, wanted in weights.items():
        stored, held = matrix(module, name), part(module, name)
        bias = held.bias if isinstance(held, torch.nn.Linear) else None
        value = wanted.T if isinstance(held, torch.nn.Linear) else wanted
        if stored.shape != value.shape:
            raise Unsuitable(Reason.OTHER_SIZES, name, tuple(stored.shape), tuple(value.shape))
        with torch.no_grad():
            torch.Tensor.copy_(
                stored, value
            )  # the student may have replaced this tensor's own copy_
            if isinstance(bias, torch.Tensor):
                torch.Tensor.zero_(bias)
    return module


def created(make: Callable[..., Any], *sizes: float, **defaults: object) -> Any:
    """Make an object. It gets a default only where its own first line has none, which is a fault of its own."""
    arguments = inspect.signature(make).parameters
    lacking = {name for name, argument in arguments.items() if argument.default is argument.empty}
    return make(*sizes, **{name: default for name, default in defaults.items() if name in lacking})


@original()
def census(module: Any, names: tuple[str, ...]) -> dict[str, object]:
    """Return for each name the matrix if it is a registered, trainable parameter, else a Reason.

    A matrix is registered if nn.Module itself lists it as a parameter, under any name. If two
    attributes share one matrix, the second entry is (SAME_MATRIX, the first's name). Raises
    Unsuitable if `module` is not an nn.Module.
    """
    import torch  # noqa: PLC0415

    if not issubclass(type(module), torch.nn.Module):
        raise Unsuitable(Reason.NO_MODULE, type(module).__name__)
    listed = registered(module)
    entries: dict[str, object] = {}
    first_names: dict[int, str] = {}
    for name in names:
        weight = matrix(module, name)
        twin = first_names.setdefault(id(weight), name)
        if twin != name:
            entries[name] = (Reason.SAME_MATRIX, twin)
        elif id(weight) not in listed:
            entries[name] = Reason.NOT_REGISTERED
        elif not weight.requires_grad:
            entries[name] = Reason.NOT_TRAINABLE
        else:
            entries[name] = weight
    return entries


def draws(make: Callable[[], Any], names: tuple[str, ...]) -> Different:
    """Return the initial weights of two new instances: no two of these matrices may be equal."""
    import torch  # noqa: PLC0415

    instances = (make(), make())
    return Different(
        torch.Tensor.detach(matrix(module, name)).clone() for module in instances for name in names
    )


@original()
def layer(module: Any, name: str) -> Any:
    """Return the `nn.Linear` of `module` called `name`. Raises Unsuitable if there is none."""
    import torch  # noqa: PLC0415

    try:
        attribute = part(module, name)
    except Unsuitable:
        attribute = None
    if not isinstance(attribute, torch.nn.Linear):
        raise Unsuitable(Reason.NO_LAYER, name, type(attribute).__name__)
    return attribute


def biases(module: Any, names: tuple[str, ...]) -> dict[str, object]:
    """Return each layer's bias: None if there is none, a Reason if it is not registered."""
    found = {name: layer(module, name).bias for name in names}
    listed = registered(module)
    return {
        name: held if held is None or id(held) in listed else Reason.NOT_REGISTERED
        for name, held in found.items()
    }


@original()
def inject_biases(module: Any, values: Mapping[str, Any]) -> Any:
    """Copy known biases of shape (d_out,) into the layers of `module`; return `module`.

    Raises Unsuitable if a layer has no bias.
    """
    import torch  # noqa: PLC0415

    for name, value in values.items():
        bias = layer(module, name).bias
        if bias is None:
            raise Unsuitable(Reason.NO_BIAS, name)
        with torch.no_grad():
            bias.copy_(value)
    return module


@original()
def uniform_buffer(module: Any, name: str) -> Any:
    """Set all numbers of a buffer to its first one; return `module`. What is no buffer stays as it is."""
    import torch  # noqa: PLC0415

    own = vars(module).get("_buffers", {}) if isinstance(module, torch.nn.Module) else {}
    if isinstance(held := own.get(name), torch.Tensor):
        with torch.no_grad():
            held.copy_(held.flatten()[0].clone())
    return module


@original()
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


def warns(action: Callable[[], object]) -> str:
    """Return the first warning from Python, NumPy or torch that `action` causes; empty if there is none."""
    import torch  # noqa: PLC0415

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warnings.filterwarnings("ignore", message=DETERMINISTIC_WARNING)
        torch.set_warn_always(True)
        try:
            action()
        finally:
            torch.set_warn_always(False)
    return f"{caught[0].category.__name__}: {caught[0].message}"[:MAX_LENGTH] if caught else ""


def calls(holder: Any, name: str, action: Callable[[], object]) -> bool:
    """Return whether `action` calls the function `name` of `holder`."""
    called = []
    function = getattr(holder, name)

    def listening(*arguments: Any, **options: Any) -> Any:
        called.append(name)
        return function(*arguments, **options)

    setattr(holder, name, listening)
    try:
        action()
    finally:
        setattr(holder, name, function)
    return bool(called)
