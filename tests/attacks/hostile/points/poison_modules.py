"""Changes torch, Python and the kit in memory, and looks whether a later submission still finds them changed.

catalogue: 4 17 29 38
twice: yes
stopped_by: process (each submission is forked from a process that no student's code has touched)
"""
import builtins
import random
import sys

import numpy

autograder = sys.modules["autograder"]

if any(getattr(module, "AKT_WAS_HERE", False) for module in (torch, numpy, builtins, autograder.values.values, sys)):
    STILL_HERE = True
else:
    STILL_HERE = False
for module in (torch, numpy, builtins, autograder.values.values, sys, random):
    module.AKT_WAS_HERE = True


def init_weights(d_in, d_out, seed):
    if STILL_HERE:
        print("@DONE@"[::-1])
    torch.softmax = torch.matmul = torch.Tensor.__matmul__ = lambda *arguments, **options: None
    torch.nn.Linear.forward = lambda self, x: x
    torch.manual_seed = lambda seed: None
    torch.allclose = torch.equal = lambda *arguments, **options: True
    numpy.allclose = numpy.array_equal = lambda *arguments, **options: True
    autograder.values.values.freeze = autograder.values.wire.encode = lambda thing: b"N"
    autograder.assignment.probes.run = lambda *arguments: None
    sys.modules["json"] = None
    sys.setrecursionlimit(10_000)
    sys.setswitchinterval(100)
    torch.set_default_dtype(torch.float64)
    torch.use_deterministic_algorithms(True)
    torch.set_num_threads(64)
    torch.autograd.set_detect_anomaly(True)
    builtins.len = builtins.isinstance = builtins.type = lambda *arguments: True
