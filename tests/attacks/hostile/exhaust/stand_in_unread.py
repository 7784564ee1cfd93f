"""Writes thousands of calls by hand and reads no answer.

honest: SelfAttention_v1=1
catalogue: 38
uses: parameters frames
stopped_by: a call before the last answer was read ends the worker
"""

class SelfAttention_v1(OfParameters):
    def forward(self, x):
        return project(x, self.W_query, self.W_key, self.W_value)[0]


if type(scale_scores).__name__ == "StandIn":
    LONG = torch.ones(100, 1, dtype=torch.complex128)
    CALL = {"number": 1, "step": "attention_scores", "inputs": {"queries": LONG, "keys": LONG}}
    BODY = b"?" + encode(freeze(CALL))
    for _ in range(9_990):
        send(BODY)
