"""A `raise NotImplementedError()` of the release that stayed beside finished code."""

from tests.truth.self_attention.classes import V1
from tests.truth.slips.slip import Slip
from tests.truth.variant import rewritten

SLIPS = (
    Slip(
        "raise_below",
        instead={
            "scale_scores": """
                def scale_scores(scores, d_k):
                    # YOUR CODE HERE
                    scaled = scores / d_k**0.5
                    raise NotImplementedError()
                    return scaled
            """
        },
        lost=1.0,
        where="scale_scores",
        wanted=("raise NotImplementedError()", "line"),
        misleading=("Not started",),
        forms=("percent", "exported"),
    ),
    Slip(
        "raise_below2",
        instead={
            "scale_scores": """
                def scale_scores(scores, d_k):
                    scaled = scores / d_k**0.5
                    raise NotImplementedError()
            """
        },
        lost=1.0,
        where="scale_scores",
        wanted=("raise NotImplementedError()",),
        misleading=("Not started",),
        forms=("exported", "notebook"),
    ),
    Slip(
        "raise_above",
        instead={
            "scale_scores": """
                def scale_scores(scores, d_k):
                    # YOUR CODE HERE
                    raise NotImplementedError()
                    return scores / d_k**0.5
            """
        },
        lost=1.0,
        where="scale_scores",
        wanted=("raise NotImplementedError()",),
        misleading=("Not started",),
        forms=("notebook", "plain"),
    ),
    Slip(
        "raise_class_init",
        instead={
            "SelfAttention_v1": rewritten(
                V1, ("\n    def forward", "        raise NotImplementedError()\n\n    def forward")
            )
        },
        lost=4.0,
        where="SelfAttention_v1",
        wanted=("raise NotImplementedError()", "__init__"),
        misleading=("Not started",),
        forms=("plain", "percent"),
    ),
    Slip(
        "raise_class_fwd_only",
        instead={
            "SelfAttention_v1": rewritten(
                V1, ("        keys = x", "        raise NotImplementedError()\n        keys = x")
            )
        },
        lost=3.0,
        where="SelfAttention_v1",
        wanted=("raise NotImplementedError()",),
        misleading=("Not started",),
        forms=("percent", "exported"),
    ),
)
