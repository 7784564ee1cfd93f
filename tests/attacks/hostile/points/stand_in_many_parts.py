"""Gives stand-ins lists and dictionaries of thousands of parts.

honest: SelfAttention_v1=1
catalogue: 38
uses: parameters
costly: yes
stopped_by: parts, levels and characters are counted
"""

class SelfAttention_v1(OfParameters):
    def forward(self, x):
        found = x
        for given in ([x] * 5_000, {number: x for number in range(3_000)}, [[[[x]]]] * 100, "x" * 90_000):
            try:
                found = scale_scores(given, 4)
            except Exception:
                pass
            try:
                found = scale_scores(x, given)
            except Exception:
                pass
        return found
