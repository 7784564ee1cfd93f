"""Writes by hand calls of classes, of checks, and of names in the reference.

honest: SelfAttention_v1=1
catalogue: 38
uses: parameters frames
stopped_by: a call of a step that has no stand-in ends the worker
"""

class SelfAttention_v1(OfParameters):
    def forward(self, x):
        for step in ("returned", "attended", "projected", "created", "__import__", "torch", "SelfAttention_v2"):
            send(b"?" + encode(freeze({"number": 1, "step": step, "inputs": {"x": x}})))
            receive()
        return scale_scores(x, 4)
