"""Raises exceptions whose text raises, exits or deletes, whose class lies, and groups within groups.

catalogue: 8
stopped_by: an exception's text is made in the student's process, and cut
"""
import os
import sys


class Raising(Exception):
    def __str__(self):
        raise SystemExit(0)

    __repr__ = __str__


class Recognition(type):
    def __getattribute__(cls, name):
        if name == "__name__":
            raise KeyboardInterrupt
        return super().__getattribute__(name)


class Lying(Exception, metaclass=Recognition):
    @property
    def __class__(self):
        return SystemExit

    @property
    def __traceback__(self):
        raise KeyboardInterrupt


class Text(str):
    def __str__(self):
        raise MemoryError

    def __len__(self):
        return 10**18

    __getitem__ = __str__


def init_weights(d_in, d_out, seed):
    raise Raising


def project(x, W_query, W_key, W_value):
    raise Lying(Text("20/20"))


def attention_score(query, key):
    group = ValueError("inside")
    for _ in range(500):
        group = ExceptionGroup("group", [group])
    raise group


def attention_scores(queries, keys):
    error = ValueError("first")
    for _ in range(1000):
        following = ValueError("next")
        following.__cause__ = following.__context__ = error
        error = following
    error.__cause__ = error
    raise error


def scale_scores(scores, d_k):
    raise SyntaxError(Text("20/20"), (__file__, -(10**30), 0, Text("text")))


def attention_weights(scaled_scores):
    error = SyntaxError("20/20")
    error.filename, error.lineno, error.msg = __file__, "x" * 1000, Text("x")
    raise error


def context_vectors(weights, values):
    sys.excepthook = sys.unraisablehook = lambda *arguments: os._exit(0)
    raise type("E" * 100_000, (Exception,), {"__module__": None})


def dot_product_variance(queries, keys):
    raise type("Line\n\nanother: 20/20\x1b[2J", (Exception,), {})("\r\x1b[1A20/20\u202e")
