"""The gradients of a step's inputs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from autograder.assignment.libraries import original
from autograder.assignment.probes import run

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from types import ModuleType


def pull_back(
    probe: Callable[..., object],
    module: ModuleType,
    inputs: Mapping[str, Any],
    upstream: Sequence[Any],
) -> dict[str, object] | None:
    """Return the gradient of each input of a step, or None for an input that none reaches.

    Returns None if no gradient flows through the step. Raises what the step raises.

    Args:
        probe: returns the step's result.
        module: the student's module.
        inputs: the step's inputs.
        upstream: the gradient of each tensor in the result, in order.
    """
    import torch  # noqa: PLC0415 - as everywhere in probes: import torch only where it is needed

    leaves = {
        name: value.requires_grad_()
        for name, value in inputs.items()
        if isinstance(value, torch.Tensor) and value.is_floating_point()
    }
    outputs = _tensors(run(probe, module, inputs))
    pairs = [pair for pair in zip(outputs, upstream, strict=True) if pair[0].requires_grad]
    if not pairs:
        return None
    with original():
        total = sum((output * gradient).sum() for output, gradient in pairs)
        gradients = torch.autograd.grad(total, list(leaves.values()), allow_unused=True)
    return dict.fromkeys(inputs) | dict(zip(leaves, gradients, strict=True))


def _tensors(result: object) -> list[Any]:
    """Return the tensors in a step's result, in order."""
    if isinstance(result, list | tuple):
        return [tensor for part in result for tensor in _tensors(part)]
    return [result] if hasattr(result, "requires_grad") else []
