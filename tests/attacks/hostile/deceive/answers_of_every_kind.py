"""Makes the worker send answers that have the right form and odd content: every kind, with long and strange texts.

catalogue: 37
stopped_by: each field is checked, cut and cleaned
"""
import sys

worker = sys.modules["autograder.sandbox.inside.worker"]

ODD = "::error::20/20\x1b[2J\u202e\u2066\x00\x85\ud800</script><img src=x onerror=alert(1)>=cmd()|' /C calc'!A0`**" * 20
ERROR = {"type": ODD, "message": ODD * 40, "frames": [{"file": ODD, "line": -(2**63), "function": ODD, "text": ODD * 9}] * 900}
ANSWERS = iter(
    [
        {"kind": "raised", "error": ERROR},
        {"kind": "exited", "error": ERROR},
        {"kind": "too_large", "why": ODD * 40},
        {"kind": "unsuitable", "reason": "other_sizes", "name": ODD * 40, "seen": ODD * 40, "wanted": [-(2**63)] * 200},
        {"kind": "unsuitable", "reason": ODD, "name": ODD, "seen": ODD, "wanted": []},
        {"kind": "missing"},
        {"kind": "returned", "value": {ODD * 50: 1, (ODD,) * 5: 2, 0.5: 3, None: 4, b"x" * 1000: 5}, "changed": [ODD] * 900},
        {"kind": "returned", "value": [ODD * 50] * 3, "changed": []},
        {"kind": "returned", "value": torch.ones(1), "changed": [ODD]},
        {"kind": "raised", "error": {**ERROR, "frames": 1}},
        {"kind": ODD},
    ]
)
for module in (worker, sys.modules["__main__"]):
    if hasattr(module, "Observer"):
        module.Observer._observe = lambda self, request: next(ANSWERS, {"kind": "missing"})
