"""Writes by hand a call with a number that is none.

honest: SelfAttention_v1=1
catalogue: 38
uses: parameters frames
stopped_by: a call is read field by field; what is none ends the worker
"""

class SelfAttention_v1(OfParameters):
    def forward(self, x):
        call = {"number": [[["x" * 900]]], "step": "scale_scores", "inputs": {"scores": x, "d_k": 4}}
        send(b"?" + encode(freeze(call)))
        return scale_scores(x, 4)
