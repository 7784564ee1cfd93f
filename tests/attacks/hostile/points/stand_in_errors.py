"""Calls steps wrongly in many ways and tells what the errors say.

honest: SelfAttention_v1=1
catalogue: 38
uses: parameters
stopped_by: what the reference raises stays in the grader's process; an exception's text shows no row of numbers
"""

class SelfAttention_v1(OfParameters):
    def forward(self, x):
        told = []
        for given in (None, "x", 1j, [], x.double(), x[:, :0], x.T, {"a": 1}, object()):
            try:
                scale_scores(given, given)
            except Exception as error:
                told.append(f"{type(error).__name__} {error} {error.__cause__} {error.__context__}")
        raise ValueError(" | ".join(told))
