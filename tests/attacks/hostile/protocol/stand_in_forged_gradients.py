"""Writes by hand a call with gradients that fit nothing.

honest: SelfAttention_v1=1
catalogue: 38
uses: parameters frames
stopped_by: a call is read field by field; what is none ends the worker
"""

class SelfAttention_v1(OfParameters):
    def forward(self, x):
        call = {"number": 1, "step": "project", "inputs": {"x": x}, "upstream": [x, "y", {"z": 1}]}
        send(b"?" + encode(freeze(call)))
        return scale_scores(x, 4)
