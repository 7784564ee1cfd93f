"""Writes by hand a refused call with strange names and texts, and raises.

honest: SelfAttention_v1=1
catalogue: 38
uses: parameters frames
stopped_by: only released names are kept of a call, and texts are cut and cleaned
"""

class SelfAttention_v1(OfParameters):
    def forward(self, x):
        call = {"number": 1, "step": "scale_scores", "inputs": {
            "\x1b[2J\u202e`|<script>" * 40 + str(i): "\x07\u202e|```<b>" * 500 for i in range(200)}}
        send(b"?" + encode(freeze(call)))
        raise ValueError("x")
