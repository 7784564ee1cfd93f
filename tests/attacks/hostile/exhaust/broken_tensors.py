"""Returns tensors whose memory is smaller than they say, or was given back.

catalogue: 30
stopped_by: a crash costs the step its process, and nothing else
"""
import ctypes


def scale_scores(scores, d_k):
    scores.untyped_storage().resize_(0)
    return scores


def attention_weights(scaled_scores):
    big = torch.ones(1000, 1000)
    big.set_(torch.ones(1).untyped_storage(), 0, (3, 4), (2**40, 2**41))
    return big


def context_vectors(weights, values):
    block = (ctypes.c_float * 4)()
    view = torch.frombuffer(block, dtype=torch.float32)
    return view.as_strided((10**6,), (1,))


def attention_score(query, key):
    import numpy

    wild = numpy.lib.stride_tricks.as_strided(numpy.zeros(1), (10**5, 10**1), (2**33, 2**33))
    return wild
