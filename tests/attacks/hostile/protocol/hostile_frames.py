"""Writes frames that are made to break whoever reads them, one for each step.

catalogue: 13 14 37
costly: yes
stopped_by: every length, count, depth and kind is checked before anything is made of it; nothing is unpickled
"""
import os
import pickle
import struct
import time


def send(body, length=None):
    data = b"AKF1" + struct.pack("<I", len(body) if length is None else length) + body
    for descriptor in range(16):
        try:
            os.set_blocking(descriptor, False)
            os.write(descriptor, data)
        except OSError:
            pass
    time.sleep(0.05)


class Opens:
    def __reduce__(self):
        return os.system, ("touch @VICTIM_FILE@",)


def init_weights(d_in, d_out, seed):
    send(b"L\0\x01\0\0\0" * 50_000 + b"N")


def project(x, W_query, W_key, W_value):
    send(b"L\0\xff\xff\xff\xff" + b"N")


def attention_score(query, key):
    send(b"A\0\x08\0\x08" + struct.pack("<8I", *[0xFFFFFFFF] * 8))


def attention_scores(queries, keys):
    send(b"A\0\x08\0\x08" + struct.pack("<8I", 0, *[0xFFFFFFFF] * 7))


def scale_scores(scores, d_k):
    send(pickle.dumps(Opens()))


def attention_weights(scaled_scores):
    send(b"S\xff\xff\xff\xff" + b"x" * 100)


def context_vectors(weights, values):
    send(b"M\x10\x27\0\0" + b"M\0\0\0\0" * 20_000)


def dot_product_variance(queries, keys):
    send(b"I", 0xFFFFFFFF)


def transfer_weights(sa_v2, sa_v1):
    send(b'{"_type": "np_scalar", "_concrete_type": "load", "_value": "ans.npy"}')
