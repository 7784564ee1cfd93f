"""Makes the worker send dictionaries with keys of every kind where names are expected: long ones, arrays, dictionaries.

catalogue: 14 37
stopped_by: what is shown is cut
"""
import sys

worker = sys.modules["autograder.sandbox.inside.worker"]

LONG = "y" * 90_000
VALUES = iter(
    [
        {number: {LONG + str(number): 1} for number in range(8)},
        {LONG + str(number): number for number in range(100)},
        {bytes(2_000_000 + number): number for number in range(7)},
        {(number, LONG): torch.zeros(3) for number in range(8)},
        {torch.full((1_000,), number): number for number in range(8)},
        {"parameters": {LONG: 1}, "two new instances": [[LONG] * 20]},
        {float("nan"): 1, float("inf"): 2, -0.0: 3, True: 4, 2: 5, None: 6},
        {"sa_v1": {LONG: 1}, LONG: 2},
    ]
)


def observed(self, request):
    value = next(VALUES, None)
    return {"kind": "returned", "value": value, "changed": []}


for module in (worker, sys.modules["__main__"]):
    if hasattr(module, "Observer"):
        module.Observer._observe = observed
