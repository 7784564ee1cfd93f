"""Writes by hand calls whose upstream gradients are no list, too many, or of every kind.

honest: SelfAttention_v1=1
catalogue: 38
uses: parameters frames
stopped_by: what the reference cannot answer has no answer
"""

class SelfAttention_v1(OfParameters):
    def forward(self, x):
        call = {"number": 1, "step": "scale_scores", "inputs": {"scores": x, "d_k": 4}}
        for upstream in (1, "x", None, {}, [], [None], [x] * 90, [x.to(torch.complex64)], [x.int()], [[x]]):
            send(b"?" + encode(freeze({**call, "upstream": upstream})))
            receive()
        return scale_scores(x, 4)
