"""A student's wrong step as a part of the reference, with its gradients.

The step itself stays in the worker. The reference asks it for answers and for gradients, both as
plain data.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from autograder.values.extent import Extent
from autograder.values.values import Array, freeze, thaw

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from autograder.exam.reference import Inputs
    from autograder.values.values import Value

    # From a step's inputs and the gradients of its results, the gradients of the inputs by name;
    # None for an input that no gradient reaches. Raises Unanswered if no gradient flows at all.
    PullBack = Callable[[Inputs, Sequence[Value]], Mapping[str, Value]]

# The largest answer of a student's step with which the reference continues. The reference could turn it into a far
# larger one: the product of two matrices without any numbers may be huge.
MOST = Extent(parts=100, numbers=1_000, dimension=100, characters=1_000)


class Unanswered(Exception):
    """A student's step returned no usable input for the rest of the reference."""


def with_gradients(
    answer: Any, arguments: Mapping[str, Any], pull_back: Callable[[Sequence[Value]], Inputs]
) -> Any:
    """Return a step's answer such that gradients flow through it to the step's arguments.

    Args:
        answer: a tensor, or a list or tuple of tensors.
        arguments: the step's arguments by name.
        pull_back: from the gradients of the tensors in `answer`, the gradients of the arguments.
    """
    import torch  # noqa: PLC0415 - needed only with a reference

    tensors = {name: value for name, value in arguments.items() if isinstance(value, torch.Tensor)}
    parts = tuple(answer) if isinstance(answer, list | tuple) else (answer,)

    class Step(torch.autograd.Function):  # type: ignore[misc]
        @staticmethod
        def forward(*_: Any) -> Any:
            return parts

        @staticmethod
        def setup_context(*_: Any) -> None:
            """Keep nothing: the student's process knows the step's inputs."""

        @staticmethod
        def backward(_: Any, *upstream: Any) -> Any:
            gradients = pull_back([freeze(gradient.detach()) for gradient in upstream])
            return tuple(thaw(gradients[name]) for name in tensors)

    results = Step.apply(*tensors.values())
    return type(answer)(results) if isinstance(answer, list | tuple) else results[0]


def cut(value: Value) -> Value:
    """Return a tensor without its graph, as each step receives it."""
    if isinstance(value, Array) and value.kind == "parameter":
        return Array("tensor", value.dtype, value.data)
    return replace(value, requires_grad=False) if isinstance(value, Array) else value
