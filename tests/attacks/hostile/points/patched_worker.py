"""Changes the worker's own functions in memory, so that they say that all is well.

catalogue: 4 17 39
stopped_by: an answer is numbers, and only right ones count; verdicts are made where no student's code is
"""
import itertools
import sys

autograder = sys.modules["autograder"]
worker = sys.modules["autograder.sandbox.inside.worker"]

ANSWERS = itertools.cycle(
    [
        {"kind": "returned", "value": True, "changed": []},
        {"kind": "returned", "value": {"outcome": "passed", "score": 20}, "changed": []},
        {"kind": "returned", "value": None, "changed": [], "outcome": "passed", "score": 20},
        {"kind": "passed"},
        {"kind": "returned", "changed": []},
    ]
)


def all_is_well(*arguments, **options):
    return next(ANSWERS)


for module in (worker, sys.modules["__main__"], autograder.assignment.probes):
    for name in ("run", "reset_state", "gradient_reach", "census", "draws", "inject"):
        if hasattr(module, name):
            setattr(module, name, all_is_well)
    if hasattr(module, "Observer"):
        module.Observer._observe = module.Observer._graph = all_is_well
