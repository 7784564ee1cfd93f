"""Breaks what every later call needs: built-in functions, memory of objects, the encoding of its streams, the modules.

catalogue: 17
stopped_by: what it breaks is its own worker
"""
import builtins
import ctypes
import gc
import sys


def init_weights(d_in, d_out, seed):
    for name in ("len", "isinstance", "type", "str", "dict", "list", "print", "Exception", "BaseException", "getattr"):
        setattr(builtins, name, None)


def project(x, W_query, W_key, W_value):
    sys.modules.clear()
    sys.stdout = sys.stderr = sys.stdin = object()


def attention_score(query, key):
    ctypes.c_long.from_address(id(0) + 24).value = 7


def attention_scores(queries, keys):
    for thing in gc.get_objects():
        if type(thing) is dict:
            thing.clear()


def scale_scores(scores, d_k):
    ctypes.pythonapi.Py_FinalizeEx()


def attention_weights(scaled_scores):
    ctypes.pythonapi.PyGILState_Release(0)
