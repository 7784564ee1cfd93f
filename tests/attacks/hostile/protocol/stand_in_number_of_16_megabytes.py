"""Writes by hand a call whose number fills a frame.

honest: SelfAttention_v1=1
catalogue: 38
uses: parameters frames
stopped_by: a call's number is an integer; anything else ends the worker
"""

class SelfAttention_v1(OfParameters):
    def forward(self, x):
        column = torch.ones(5, 1, dtype=torch.complex128)
        call = {"number": b"", "step": "attention_scores", "inputs": {"queries": column, "keys": column}}
        call["number"] = bytes(16 * 2**20 - 1 - len(encode(freeze(call))))
        send(b"?" + encode(freeze(call)))
        return scale_scores(x, 4)
