"""Writes by hand a call with a matrix of a million numbers.

honest: SelfAttention_v1=1
catalogue: 38
uses: parameters frames
stopped_by: a call is read field by field; what is none ends the worker
"""

class SelfAttention_v1(OfParameters):
    def forward(self, x):
        call = {"number": 1, "step": "scale_scores", "inputs": {"scores": torch.ones(1_000, 1_000), "d_k": 4}}
        send(b"?" + encode(freeze(call)))
        return scale_scores(x, 4)
