"""Returns numbers, texts and containers of its own kinds, whose methods say something else than they hold.

catalogue: 15
stopped_by: containers and texts are read by the built-in ways, numbers by their exact type
"""
from collections import OrderedDict, namedtuple


class Number(float):
    __eq__ = lambda self, other: True
    __float__ = __abs__ = __sub__ = __rsub__ = lambda self, *other: 0.0
    __hash__ = float.__hash__


class Whole(int):
    __index__ = __int__ = __eq__ = lambda self, *other: True
    __hash__ = int.__hash__


class Text(str):
    __len__ = lambda self: 0
    encode = lambda self, *arguments: b"\xff" * 100
    __str__ = __eq__ = lambda self, *other: True
    __hash__ = str.__hash__


class Pairs(dict):
    items = lambda self: [("sa_v1", self)] * 10**9
    __len__ = lambda self: 0
    __iter__ = lambda self: iter(())


def attention_score(query, key):
    return Number("inf")


def scale_scores(scores, d_k):
    return [[Whole(2**70), Number(1)], Text("x" * 1000), Pairs({Text("a"): Pairs()})]


def dot_product_variance(queries, keys):
    return namedtuple("Two", "before after")(Number("nan"), Whole(1))


def project(x, W_query, W_key, W_value):
    return OrderedDict([(Number("nan"), x), (Number("nan"), x), (Whole(1), x)])
