"""Writes by hand calls of random bytes.

honest: SelfAttention_v1=1
catalogue: 38
uses: parameters frames
stopped_by: a call is read field by field; what is none ends the worker
"""

class SelfAttention_v1(OfParameters):
    def forward(self, x):
        for _ in range(50):
            send(b"?" + os.urandom(40))
        return scale_scores(x, 4)
