"""Helper functions for probes that return numbers which depend on a module's weights.

Student code can forge a claim, such as that a matrix is registered or was copied. So a probe sends
numbers that depend on it: the output after a training step, or fresh numbers times a matrix.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from autograder.assignment.libraries import original
from autograder.assignment.probes import layer, matrix, part
from autograder.assignment.probes.kept import keep
from autograder.reasons import Reason, Unsuitable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from autograder.assignment.probes.kept import Kept


@original()
def descend(
    module: Any,
    slopes: Mapping[str, Any],
    bias_slopes: Mapping[str, Any] | None = None,
    *,
    keep: Callable[[], Kept] = keep,
) -> Any:
    """Take one step of gradient descent on a loss with the given gradients; return `module`.

    The loss is the sum of each weight times its slope, and the step size is 1, so each weight moves
    by minus its slope. As in training, this moves only what nn.Module itself lists as a trainable
    parameter: a matrix or bias moves if such a parameter holds its memory, else it stays.

    Args:
        module: has the attributes that `slopes` names.
        slopes: for each matrix its gradient, of shape (d_in, d_out), also for a layer.
        bias_slopes: for each layer the gradient of its bias, of shape (d_out,).
        keep: returns the functions to use.
    """
    kept = keep()
    with kept.without_overrides():
        listed = kept.registered(kept, module).values()
        areas = tuple(kept.area(kept, parameter) for parameter in listed if parameter.requires_grad)
    # From here on the student's own properties run.
    moves = [
        (matrix(module, name), slope.T if _is_layer(kept, module, name) else slope)
        for name, slope in slopes.items()
    ]
    moves += [(layer(module, name).bias, slope) for name, slope in (bias_slopes or {}).items()]
    with kept.no_grad(), kept.without_overrides():
        for weight, slope in moves:
            plain = type(weight) in (kept.tensor, kept.parameter)
            if plain and kept.lies_in(kept.area(kept, weight), areas):
                kept.subtract(weight, slope)
    return module


def _is_layer(kept: Kept, module: Any, name: str) -> bool:
    """Return whether an attribute is an `nn.Linear`, which stores its matrix transposed."""
    return isinstance(part(module, name), kept.linear)


def transferred(
    transfer: Callable[[Any, Any], object],
    source: Any,
    target: Any,
    names: tuple[str, ...],
    x: Any,
    *,
    keep: Callable[[], Kept] = keep,
) -> tuple[dict[str, object], ...]:
    """Call `transfer(source, target)`, and return x @ W for each matrix of both modules.

    What a module itself holds before the call is read from there after it, past its class, which `transfer` may have
    changed. Raises Unsuitable if it is gone.

    Args:
        transfer: the student's step.
        source: has layers with weights of shape (d_out, d_in).
        target: has matrices of shape (d_in, d_out).
        names: the names of layers and matrices.
        x: fresh numbers of shape (d_in, d_in), so that a product has the shape of its matrix.
        keep: returns the functions to use.

    Returns:
        For each name the product of the source before the call, the source after it, and the target
        after it. It is a Parameter, trainable or frozen, where the matrix is one. What `x` cannot be
        multiplied by is returned as it is.
    """
    kept, use_original = keep(), original  # local names: `transfer` may replace the module's
    of_source, of_target = _finder(kept, source, names), _finder(kept, target, names)

    def look(find: Callable[[str], tuple[Any, bool]]) -> dict[str, object]:
        with use_original():
            return {f"x @ {name}": kept.product(kept, x, *find(name)) for name in names}

    before = look(of_source)
    transfer(source, target)
    return before, look(of_source), look(of_target)


def _finder(kept: Kept, module: Any, names: tuple[str, ...]) -> Callable[[str], tuple[Any, bool]]:
    """Return a function that returns a matrix by its name, and whether a layer holds it.

    It looks past the module's class for what the module itself holds now.
    """
    read, has_layer, gone, reason = matrix, _is_layer, Unsuitable, Reason.NO_ATTRIBUTE
    held = {name for name in names if kept.stored(kept, module, name)[0] is not None}

    def find(name: str) -> tuple[Any, bool]:
        if name not in held:  # behind a property of the student's own class
            return read(module, name), has_layer(kept, module, name)
        weight, transposed = kept.stored(kept, module, name)
        if weight is None:
            raise gone(reason, name, type(module).__name__)
        return weight, transposed

    return find
