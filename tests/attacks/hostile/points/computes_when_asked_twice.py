"""Answers rightly only to inputs that it has seen before.

catalogue: 38
stopped_by: every drawn question is new, and all of them must be answered rightly
"""
SEEN = []


def scale_scores(scores, d_k):
    for earlier in SEEN:
        if earlier.shape == scores.shape and torch.equal(earlier, scores):
            return scores / d_k**0.5
    SEEN.append(scores.clone())
    return scores
