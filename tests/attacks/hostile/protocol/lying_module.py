"""Replaces its own module by one whose dictionary raises, and whose names change at each look.

catalogue: 15 30
stopped_by: what it breaks is its own worker
"""
import sys
import types


class Lying(types.ModuleType):
    looks = 0

    @property
    def __dict__(self):
        Lying.looks += 1
        if Lying.looks > 3:
            raise SystemExit(0)
        return {"init_weights": print, 5: print, "scale_scores": lambda scores, d_k: True}

    def __getattribute__(self, name):
        if name in ("scale_scores", "attention_score"):
            return lambda *arguments: True
        return object.__getattribute__(self, name)


module = sys.modules[__name__]
module.__dict__["name\ud800\x1b[2J"] = print
module.__class__ = Lying
