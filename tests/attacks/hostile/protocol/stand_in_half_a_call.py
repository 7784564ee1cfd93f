"""Writes half of a call by hand, and leaves.

honest: SelfAttention_v1=1
catalogue: 38
uses: parameters frames
stopped_by: a frame that breaks off is none
"""

class SelfAttention_v1(OfParameters):
    def forward(self, x):
        call = b"?" + encode(freeze({"number": 1, "step": "scale_scores", "inputs": {"scores": x, "d_k": 4}}))
        os.write(ANSWERS, b"AKF1" + struct.pack("<I", len(call)) + call[:20])
        os._exit(0)
