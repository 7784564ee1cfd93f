"""Reads the grader's messages itself in a call, and answers itself.

honest: SelfAttention_v1=1
catalogue: 38
uses: parameters frames
stopped_by: the answer is its own call's, and what it returns has to be right for fresh inputs
"""

class SelfAttention_v1(OfParameters):
    def forward(self, x):
        reader = next(t for t in gc.get_objects() if type(t) is io.BufferedReader and t.fileno() > 2)
        call = {"number": 1, "step": "scale_scores", "inputs": {"scores": x, "d_k": 4}}
        send(b"?" + encode(freeze(call)))
        print(reader.read1(10_000)[:50])
        return scale_scores(x, 4)
