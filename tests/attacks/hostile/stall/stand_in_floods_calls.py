"""Writes by hand calls of 16 MB, one after the other.

honest: SelfAttention_v1=1
catalogue: 38
uses: parameters frames
stopped_by: the bytes of the calls of a question are counted
"""

BODY = b""


class SelfAttention_v1(OfParameters):
    def forward(self, x):
        global BODY
        scale_scores(x, 4)
        many = torch.zeros(4000, 4000, dtype=torch.int8)
        BODY = BODY or b"?" + encode(freeze({"number": 1, "step": "scale_scores", "inputs": {"scores": many}}))
        while True:
            send(BODY)
            receive()
