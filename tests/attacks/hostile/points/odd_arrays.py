"""Returns NumPy arrays of every kind that is not plain numbers: objects, records, masks, texts, dates, matrices.

catalogue: 14 16
stopped_by: only plain arrays are read; anything else is named and refused
"""
import numpy


class Equal:
    __eq__ = lambda self, other: True
    __reduce__ = lambda self: (print, ("unpickled",))


def init_weights(d_in, d_out, seed):
    return numpy.array(Equal(), dtype=object), numpy.matrix("1 2; 3 4"), numpy.ma.masked_all((d_in, d_out))


def project(x, W_query, W_key, W_value):
    return numpy.zeros(3, dtype=[("a", "f4"), ("b", object)]), numpy.zeros(2, "M8[s]"), numpy.zeros(2, "S100000")


def attention_score(query, key):
    return numpy.float64("nan"), numpy.void(b"x" * 100), numpy.str_("x")


def attention_scores(queries, keys):
    return memoryview(bytearray(queries.numpy().tobytes()))


def scale_scores(scores, d_k):
    return numpy.memmap if False else numpy.asarray(scores.numpy()).view(numpy.recarray)


def attention_weights(scaled_scores):
    return numpy.zeros(scaled_scores.shape, dtype=numpy.longdouble)


def context_vectors(weights, values):
    return numpy.lib.stride_tricks.as_strided(numpy.zeros(1), (len(weights), values.shape[1]), (0, 0))


def dot_product_variance(queries, keys):
    return numpy.datetime64("NaT"), numpy.longdouble("1e4000")
