"""Asks for gradients with upstream values of another shape, while the file loads.

honest: SelfAttention_v1=1
catalogue: 38
uses: parameters frames
stopped_by: a gradient has the shape of what it belongs to, and no more axes than the question
"""

WHOLE = torch.ones(100, 100)
CALL = {
    "number": 1,
    "step": "context_vectors",
    "inputs": {"weights": WHOLE, "values": WHOLE},
    "upstream": [torch.ones(100, 100, 1, 1)],
}
if type(scale_scores).__name__ == "StandIn":
    for _ in range(50):
        send(b"?" + encode(freeze(CALL)))


class SelfAttention_v1(OfParameters):
    def forward(self, x):
        send(b"?" + encode(freeze(CALL)))
        return scale_scores(x, 4)
