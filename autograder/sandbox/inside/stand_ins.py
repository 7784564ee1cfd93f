"""The calls from one of a student's steps to others, answered by the grader.

A function that stands in for a step sends its arguments to the grader and returns what comes back, as plain values.
Gradients flow through it: the grader is asked for those too.
"""

from __future__ import annotations

import inspect
import threading
import types
from typing import TYPE_CHECKING, Any

from autograder.values.values import freeze, freeze_answer, thaw
from autograder.values.wire import FORWARD, SELF

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    Ask = Callable[[dict[str, object]], dict[str, Any]]


class NoAnswerError(RuntimeError):
    """A step cannot be called like this."""


class Asking:
    """Asks the grader, one call at a time, and only while a request is answered.

    A thread of the student's may call at any time, so each answer has the number of its call.
    """

    def __init__(self, ask: Ask) -> None:
        self._ask = ask
        self._lock = threading.Lock()
        self._number = 0
        self._open = False

    def __enter__(self) -> None:
        """Allow calls."""
        self._open = True

    def __exit__(self, *_: object) -> None:
        """Refuse calls from now on; wait for the last one."""
        with self._lock:
            self._open = False

    def __call__(self, step: str, **fields: object) -> Any:
        """Return the answer to a call of a step. Raises NoAnswerError if there is none."""
        with self._lock:
            if not self._open:
                raise NoAnswerError(f"`{step}` was called after the step had ended")
            self._number += 1
            answer = self._ask({"number": self._number, "step": step, **fields})
        if answer.get("number") != self._number or "value" not in answer:
            raise NoAnswerError(f"`{step}` cannot be called with these arguments")
        return answer["value"]


class StandIn:
    """Stands in for one step.

    Args:
        name: the step's name.
        parameters: the names of its parameters in the release.
    """

    def __init__(self, name: str, parameters: Sequence[str], asking: Asking) -> None:
        self.__name__ = self.__qualname__ = name
        self._parameters = tuple(parameters)
        self._asking = asking
        self._own: inspect.Signature | None = None

    def take_signature(self, function: object) -> None:
        """Bind arguments as the student's own function does."""
        try:
            self._own = inspect.signature(function)  # type: ignore[arg-type]
        except (TypeError, ValueError):  # a builtin function has none
            self._own = None

    def __get__(self, instance: object, _: object = None) -> Any:
        """Bind to an instance, as the student's function in a class body does."""
        return self if instance is None else types.MethodType(self, instance)

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        """Return the right answer. Raises TypeError for arguments that the step does not take."""
        return self.answer(self.given(arguments, options))

    def answer(self, given: dict[str, Any]) -> Any:
        """Return the right answer for these arguments, by their names in the release."""
        inputs = {name: freeze_answer(value) for name, value in given.items()}
        answer = thaw(self._asking(self.__name__, inputs=inputs))
        return self._with_gradients(answer, given, inputs)

    def given(self, arguments: tuple[Any, ...], options: dict[str, Any]) -> dict[str, Any]:
        """Return the arguments under the names of the release; further ones are left out.

        A call may fit the student's own function, or name all that the release does.
        """
        either = inspect.Parameter.POSITIONAL_OR_KEYWORD
        released = [inspect.Parameter(name, either, default=None) for name in self._parameters]
        own = list(self._own.parameters.values()) if self._own else released
        if any(one.kind in (one.VAR_POSITIONAL, one.VAR_KEYWORD) for one in own):
            own = released
        try:
            bound = inspect.Signature(own).bind(*arguments, **options).arguments
        except TypeError:
            own = [one.replace(default=inspect.Parameter.empty) for one in released]
            bound = inspect.Signature(own).bind(*arguments, **options).arguments
        names = [one.name for one in own]
        if set(self._parameters) <= set(names):
            names = list(self._parameters)
        pairs = zip(self._parameters, names, strict=False)
        return {name: bound[given] for name, given in pairs if given in bound}

    def _with_gradients(
        self, answer: Any, given: dict[str, Any], inputs: Mapping[str, object]
    ) -> Any:
        import torch  # noqa: PLC0415 - a worker has imported it before

        tensors = {
            name: value
            for name, value in given.items()
            if isinstance(value, torch.Tensor) and value.is_floating_point()
        }
        parts = tuple(answer) if isinstance(answer, list | tuple) else (answer,)
        flows = torch.is_grad_enabled() and any(value.requires_grad for value in tensors.values())
        if not flows or not all(isinstance(part, torch.Tensor) for part in parts):
            return answer
        asking, step = self._asking, self.__name__

        class Step(torch.autograd.Function):  # type: ignore[misc]
            @staticmethod
            def forward(*_: Any) -> Any:
                return parts

            @staticmethod
            def setup_context(*_: Any) -> None:
                """Keep nothing: the grader gets the inputs again."""

            @staticmethod
            def backward(_: Any, *upstream: Any) -> Any:
                sent = [freeze(gradient.detach()) for gradient in upstream]
                gradients = thaw(asking(step, inputs=inputs, upstream=sent))
                return tuple(gradients.get(name) for name in tensors)

        results = Step.apply(*tensors.values())
        return type(answer)(results) if isinstance(answer, list | tuple) else results[0]


def class_standing_in(name: str, parameters: Sequence[str], asking: Asking) -> Any:
    """Return a class that stands in for one: a module with its layers, whose `forward` asks the grader."""
    import torch  # noqa: PLC0415 - a worker has imported it before

    function = StandIn(name, [one for one in parameters if not one.startswith(FORWARD)], asking)
    forward = StandIn(name, [one for one in parameters if one.startswith(FORWARD)], asking)

    class Module(torch.nn.Module):  # type: ignore[misc]
        take_signature = staticmethod(function.take_signature)

        def __init__(self, *arguments: Any, **options: Any) -> None:
            super().__init__()
            self._given = function.given(arguments, options)
            for attribute, (kind, how) in function.answer(self._given).items():
                if kind == "buffer":
                    self.register_buffer(attribute, how)
                elif kind == "parameter":
                    setattr(self, attribute, torch.nn.Parameter(how))
                else:
                    setattr(self, attribute, getattr(torch.nn, kind)(**how))

        def forward(self, *arguments: Any, **options: Any) -> Any:
            named = {f"{FORWARD}{one}": value for one, value in options.items()}
            own = {f"{SELF}{one}": value for one, value in self.named_parameters()}
            given = {**forward.given(arguments, named), **own, f"{SELF}training": self.training}
            return forward.answer({**self._given, **given})

    Module.__name__ = Module.__qualname__ = name
    return Module
