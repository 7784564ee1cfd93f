"""Typical course tests: one case for each step, numbers from the reference, `torch.allclose`.

Each test checks less than the kit does: the kit draws two cases, adds the documented one, and also
checks parameters, gradients and known mistakes. The benchmarks do not correct for the time that
this saves the other graders.
"""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import indent
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from autograder.assignment.source import Source

IMPORTS = "import torch\nfrom torch import nn"


@dataclass(frozen=True)
class CourseTest:
    """A test of one step: `body` sets `seen` to a tuple; the right values are written below it."""

    step: str
    points: float
    body: str

    def function(self, parameters: str = "") -> str:
        """Return the test as a function, with `parameters` if the step is not a global."""
        return f"def test_{self.step}({parameters}):\n{indent(self.body, '    ')}"


_MODULE = """\
torch.manual_seed(2)
x = torch.randn(5, 3)
attention = {step}(3, 2)
with torch.no_grad():
    for name in ("W_query", "W_key", "W_value"):
        {hold}.copy_(torch.randn({shape}))
seen = (attention(x),)
"""

_BODIES = {
    "init_weights": "seen = init_weights(3, 2, 123)\n",
    "project": """\
torch.manual_seed(1)
seen = project(torch.randn(5, 3), torch.randn(3, 2), torch.randn(3, 2), torch.randn(3, 2))
""",
    "attention_score": """\
torch.manual_seed(1)
seen = (attention_score(torch.randn(3), torch.randn(3)),)
""",
    "attention_scores": """\
torch.manual_seed(1)
seen = (attention_scores(torch.randn(5, 3), torch.randn(4, 3)),)
""",
    "scale_scores": """\
torch.manual_seed(1)
seen = (scale_scores(torch.randn(5, 4), 3),)
""",
    "attention_weights": """\
torch.manual_seed(1)
seen = (attention_weights(torch.randn(5, 4)),)
""",
    "context_vectors": """\
torch.manual_seed(1)
seen = (context_vectors(torch.rand(5, 4), torch.randn(4, 3)),)
""",
    "dot_product_variance": """\
torch.manual_seed(1)
seen = dot_product_variance(torch.randn(20, 3), torch.randn(20, 3))
""",
    "SelfAttention_v1": _MODULE.format(
        step="SelfAttention_v1", hold="getattr(attention, name)", shape="3, 2"
    ),
    "SelfAttention_v2": _MODULE.format(
        step="SelfAttention_v2", hold="getattr(attention, name).weight", shape="2, 3"
    ),
    "transfer_weights": """\
torch.manual_seed(1)
names = ("W_query", "W_key", "W_value")
sa_v2, sa_v1 = nn.Module(), nn.Module()
for name in names:
    setattr(sa_v2, name, nn.Linear(3, 2, bias=False))
    setattr(sa_v1, name, nn.Parameter(torch.rand(3, 2)))
transfer_weights(sa_v2, sa_v1)
seen = tuple(getattr(sa_v1, name) for name in names)
""",
}
_COMPARISON = """\
expected = {expected}
assert len(seen) == len(expected)
for one, right in zip(seen, expected):
    assert torch.allclose(torch.as_tensor(one), torch.tensor(right), atol=1e-4)
"""


def course_tests(source: Source) -> list[CourseTest]:
    """Return a test for each step, with the reference's numbers written into the test."""
    return [
        CourseTest(
            check.name, check.points, _BODIES[check.name] + _comparison(source, _BODIES[check.name])
        )
        for check in source.assignment.checks
    ]


def _comparison(source: Source, body: str) -> str:
    names = dict(vars(source.reference()))
    exec(body, names)
    return _COMPARISON.format(expected=[one.tolist() for one in names["seen"]])
