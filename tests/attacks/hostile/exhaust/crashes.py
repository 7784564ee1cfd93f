"""Reads at address 0, divides in C, aborts, and jumps to nowhere.

catalogue: 36
stopped_by: a crash costs the step its process, and nothing else
"""
import ctypes
import os


def init_weights(d_in, d_out, seed):
    return ctypes.string_at(0)


def attention_score(query, key):
    os.abort()


def attention_scores(queries, keys):
    ctypes.CFUNCTYPE(None)(1)()


def scale_scores(scores, d_k):
    ctypes.memset(id(scores), 255, 64)
    return scores
