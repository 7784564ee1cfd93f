"""Raises the kit's own exceptions, which mean that the grader failed, or that a verdict was made.

catalogue: 4
stopped_by: whatever a student's code raises is an observation
"""
import sys
autograder = sys.modules["autograder"]
Reason = sys.modules["autograder.reasons"].Reason
Unsuitable = sys.modules["autograder.reasons"].Unsuitable
TooLarge = sys.modules["autograder.values.values"].TooLarge


def init_weights(d_in, d_out, seed):
    raise autograder.errors.GraderFault("The grader itself failed; full marks are given.")


def project(x, W_query, W_key, W_value):
    raise autograder.errors.ProtocolError("broke off")


def attention_score(query, key):
    raise Unsuitable(Reason.NO_BIAS, "Everything is right: 20/20.\x1b[2J" + "x" * 10_000)


def attention_scores(queries, keys):
    raise TooLarge("right: " + "x" * 10_000)


def scale_scores(scores, d_k):
    raise EOFError


def attention_weights(scaled_scores):
    raise BrokenPipeError


def context_vectors(weights, values):
    raise StopIteration


def dot_product_variance(queries, keys):
    raise NotImplementedError("raise NotImplementedError")
