"""Programs whose steps give back something else than the right answer, for tests of what holds for all of them."""

from __future__ import annotations

import functools

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st

from tests.exams import source_of
from tests.truth.variant import base_of

# Words and whole numbers: 1.01 times those is nothing.
NOT_FLOAT = {"index_words", "reverse_dict", "token_indices"}


def repeatable(max_examples: int) -> settings:
    """Return settings for as many examples, the same ones each time. A program needs many draws."""
    return settings(
        max_examples=max_examples,
        derandomize=True,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )


@functools.cache
def steps_of(assignment: str) -> list[str]:
    return [check.name for check in source_of(assignment).assignment.checks]


def float_steps(assignment: str) -> list[str]:
    return [step for step in steps_of(assignment) if step not in NOT_FLOAT]


# Appended to a program: `_instead(step, answer)` is the step with `answer(what was right, *its arguments)` for its
# result, and for a class the result of `forward`. `_holding` exchanges what a module has under a name, `_times`
# multiplies all numbers of an answer; of a step that returns nothing, those of the argument that it changes.
TOOLS = """
import torch
import numpy as np
from torch import nn


def _instead(step, answer):
    if isinstance(step, type):
        def forward(self, x):
            return answer(step.forward(self, x), x)

        return type(step.__name__, (step,), {"forward": forward})
    return _called_instead(step, answer)


def _called_instead(step, answer):
    def instead(*given, **named):
        return answer(step(*given, **named), *given)

    if isinstance(step, type):
        made = lambda _, *given, **named: instead(*given, **named)
        return type(step.__name__, (step,), {"__new__": made})
    return instead


def _holding(module, name, thing):
    delattr(module, name)
    object.__setattr__(module, name, thing)
    return module


def _times(factor, right, given=()):
    if right is None:
        return _times(factor, given[-1])
    if isinstance(right, nn.Module):
        with torch.no_grad():
            for parameter in right.parameters():
                parameter *= factor
        return right
    if isinstance(right, nn.Parameter):
        return nn.Parameter(right * factor, requires_grad=right.requires_grad)
    if isinstance(right, (tuple, list)):
        return type(right)(_times(factor, part) for part in right)
    if isinstance(right, dict):
        return {name: _times(factor, part) for name, part in right.items()}
    return right * factor
"""


def with_tools(assignment: str, *lines: str) -> str:
    return "\n".join((base_of(assignment), TOOLS, *lines, ""))


def multiplied(assignment: str, factor: str, *steps: str) -> str:
    answer = f"lambda right, *given: _times({factor}, right, given)"
    return with_tools(assignment, *(f"{step} = _instead({step}, {answer})" for step in steps))


# A student's program is text, so what its steps return is drawn as Python expressions.
DTYPES = (
    *("bool", "uint8", "int16", "int64", "uint16", "complex64", "float8_e5m2"),
    *("bfloat16", "float16", "float32", "float64"),
)
NUMBERS = ("0", "1", "-1", "0.5", "3e38", "1e308", "float('nan')", "-float('inf')")
ODD = (
    "nn.Linear(3, 2)",
    "nn.Parameter(torch.ones(3, 3))",
    "torch",
    "type('Odd', (), {})()",
    "(number for number in range(3))",
    "{1, 2}",
    "...",
    "ValueError('no')",
    "10**30",
    "np.ma.masked_array([1.0], [True])",
    "np.array([(1, 2.0)], dtype='i4,f8')",
    "np.broadcast_to(1.0, (10**5, 10**5))",
    "torch.ones(1).expand(10**9)",
    "torch.ones(2).as_subclass(type('Odd', (torch.Tensor,), {}))",
    "torch.quantize_per_tensor(torch.ones(2), 1.0, 0, torch.quint8)",
    "[0] * 20_000",
    "'x' * 200_000",
    "type('Odd', (list,), {'__iter__': None, '__len__': None})([1])",
    "(lambda loop: (loop.append(loop), loop)[1])([])",
    "[].pop()",
    "exit(0)",
    "(_ for _ in ()).throw(KeyboardInterrupt)",
    "(lambda again: again(again))(lambda again: again(again))",
)
TWISTS = (
    "right",
    "given[0]",
    "[right, right]",
    "(*right, {})",
    "({}, *right[1:])",
    "(right[0], {}, right[-1])",
    "(part for part in right)",
    "right[:-1]",
    "right.T",
    "right.tolist()",
    "right.to(torch.complex64)",
    "right.to_sparse()",
    "right * float('nan')",
    "right * 1e308",
    "right.astype(object)",
    "{{'q': right}}",
    "{{**right, 'q': {}}}",
    "dict.fromkeys(right, {})",
    "_holding(right, 'W_query', {})",
    "_holding(given[-1], 'W_query', {})",
    "(_holding(right[0], 'weight', {}), *right[1:])",
)

shapes = st.lists(st.integers(0, 6), max_size=4).map(tuple)
tensors = st.builds(
    "torch.full({}, {}, dtype=torch.float64).to(torch.{}){}".format,
    shapes,
    st.sampled_from(NUMBERS),
    st.sampled_from(DTYPES),
    st.sampled_from(("", ".mT", ".to_sparse()", ".to('meta')", ".requires_grad_()", ".conj()")),
)
arrays = st.builds(
    "np.full({}, {}).astype('{}'){}".format,
    shapes,
    st.sampled_from(NUMBERS),
    st.sampled_from(
        ("float64", "complex128", "object", "longdouble", "U5", "datetime64[s]", ">f8")
    ),
    st.sampled_from(("", ".T", "[::-1]", ".view(np.matrix)", ".tolist()", ".sum()")),
)
plain = st.one_of(st.none(), st.booleans(), st.integers(), st.text(), st.binary()).map(ascii)


def nested(things: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    several = st.lists(things, min_size=1, max_size=4).map(", ".join)
    return st.builds(str.format, st.sampled_from(("[{}]", "({},)", "{{'q': ({},)}}")), several)


anything = st.recursive(
    st.one_of(plain, tensors, arrays, st.sampled_from((*ODD, *NUMBERS))), nested, max_leaves=6
)
anything_or_twisted = st.one_of(anything, st.builds(str.format, st.sampled_from(TWISTS), anything))
wrappers = st.sampled_from(("_instead", "_called_instead"))


@functools.cache
def programs(assignment: str, answers: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    lines = [
        st.builds(f"{step} = {{}}({step}, lambda right, *given: {{}})".format, wrappers, answers)
        for step in steps_of(assignment)
    ]
    return st.tuples(*lines).map(lambda drawn_lines: with_tools(assignment, *drawn_lines))
