"""Warm-up of the fork server: load a small submission and observe it before any worker is forked.

Python and torch create many objects on first use; without a warm-up every worker would create them again.
"""

from __future__ import annotations

import linecache
import sys
from typing import Any

from autograder.assignment.probes import skip_absent_devices
from autograder.sandbox.inside.settings import all_settings
from autograder.sandbox.inside.worker import Observer, fields_of
from autograder.values.values import freeze
from autograder.values.wire import decode, encode

# Python specializes code that has run a few times.
_REHEARSALS = 8
_CHECKS = b'''
from autograder import check
from autograder.probing import gradients, inject
@check(points=1)
def test_step(student, case):
    """Of no matter."""
    return student.step(case.x)
@check(points=1)
def test_Layer(student, case):
    """Of no matter."""
    layer = inject(student.Layer(3, 2), {"weights": case.weights})
    return gradients(layer, ("weights",), layer(case.x), case.upstream)
'''
_WORK = """
import torch
from torch import nn
class Layer(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        torch.manual_seed(1)
        self.weights = nn.Linear(d_in, d_out, bias=False)
    def forward(self, x):
        return torch.softmax(self.weights(x) / 2**0.5, dim=-1)
def step(x):
    if isinstance(x, str):
        raise NotImplementedError()
    return x @ x.T, nn.Parameter(torch.rand(2, 2)), x.numpy(), [1, 2.5]
"""
_NAME = "rehearsal"


def warm_up() -> None:
    """Import torch, limit it to one thread, and run the small submission a few times."""
    import torch  # noqa: PLC0415 - a second

    torch.set_num_threads(1)
    skip_absent_devices()
    all_settings()
    for _ in range(_REHEARSALS):
        rehearse()


def rehearse() -> None:
    """Load the small submission, observe it, and remove every trace of it."""
    import torch  # noqa: PLC0415

    observer = Observer()
    numbers = {"x": torch.ones(4, 3), "weights": torch.ones(3, 2), "upstream": torch.ones(4, 2)}
    load: dict[str, Any] = {"op": "load", "name": _NAME, "probes": _CHECKS}
    requests = [load | {"pieces": [[_NAME, _WORK]]}]
    for operation, step, inputs in (
        ("observe", "step", numbers),
        ("observe", "step", {"x": "a text"}),
        ("graph", "step", numbers),
        ("observe", "Layer", numbers),
    ):
        fields = {"op": operation, "check": step, "criterion": "value", "probe": 0}
        requests.append(fields | {"inputs": inputs})
    for request in requests:
        observer.reply("", fields_of(decode(encode(freeze(request)))))
    del sys.modules[_NAME], linecache.cache[_NAME]
