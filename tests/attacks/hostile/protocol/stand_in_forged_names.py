"""Writes by hand a call with other names.

honest: SelfAttention_v1=1
catalogue: 38
uses: parameters frames
stopped_by: a call is read field by field; what is none ends the worker
"""

class SelfAttention_v1(OfParameters):
    def forward(self, x):
        call = {"number": 1, "step": "scale_scores", "inputs": {"self": 1, "__class__": 2, "": 3}}
        send(b"?" + encode(freeze(call)))
        return scale_scores(x, 4)
