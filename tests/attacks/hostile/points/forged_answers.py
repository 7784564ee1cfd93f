"""Finds the mark of the present request in its caller's variables and sends an answer of its own with it.

catalogue: 37 39
stopped_by: an answer is numbers, and only right ones count; there is no field for a verdict
"""
import gc
import io
import os
import sys

encode = sys.modules["autograder.values.wire"].encode
freeze = sys.modules["autograder.values.values"].freeze


def marks():
    frame = sys._getframe()
    while frame is not None:
        for value in list(frame.f_locals.values()):
            if isinstance(value, dict) and "mark" in value:
                yield value["mark"]
            if type(value) is str and len(value) == 32:
                yield value
        frame = frame.f_back
    for thing in gc.get_objects():
        if type(thing) is dict and type(thing.get("mark")) is str:
            yield thing["mark"]


def send(answer):
    for mark in {*marks(), "0" * 32}:
        try:
            body = mark.encode() + encode(freeze(answer))
        except Exception as error:
            print(error)
            return
        data = b"AKF1" + len(body).to_bytes(4, "little") + body
        for descriptor in range(16):
            try:
                os.set_blocking(descriptor, False)
                os.write(descriptor, data)
            except OSError:
                pass
    print(len({*marks()}), "marks")


def init_weights(d_in, d_out, seed):
    send({"kind": "returned", "value": True, "changed": []})


def project(x, W_query, W_key, W_value):
    send({"kind": "passed", "score": 20, "outcome": "passed"})


def attention_score(query, key):
    send({"kind": "returned", "value": {"score": 20, "passed": True}, "changed": ["x" * 5000] * 1000})


def attention_scores(queries, keys):
    for _ in range(50):
        send({"kind": "returned", "value": queries @ keys.T * 0, "changed": []})


def scale_scores(scores, d_k):
    send({"kind": "raised", "error": {"type": "x", "message": "y", "frames": []}})
    os._exit(0)
