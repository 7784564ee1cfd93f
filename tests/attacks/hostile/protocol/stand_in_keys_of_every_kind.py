"""Writes by hand calls with keys of every kind, twice the same, and deeply nested.

honest: SelfAttention_v1=1
catalogue: 38
uses: parameters frames
stopped_by: a call is read field by field; what is none ends the worker
"""

def value(x, depth=11):
    return b"L\x00\x01\x00\x00\x00" * depth + encode(freeze(x))


class SelfAttention_v1(OfParameters):
    def forward(self, x):
        head = encode(freeze({"number": 2**62, "step": "scale_scores", "inputs": 0}))[:-9]
        for body in (
            b"M\x01\x00\x00\x00" + encode(freeze(x)) + encode(freeze(x)),
            b"M\x02\x00\x00\x00" + 2 * (encode(freeze("scores")) + encode(freeze(x))),
            b"M\x01\x00\x00\x00" + encode(freeze("scores")) + value(x, 8),
        ):
            send(b"?" + head + body)
            receive()
        return scale_scores(x, 4)
