"""Writes by hand costly calls while its file loads, and has it loaded again for each question.

goal: stall
honest: SelfAttention_v1=1
catalogue: 38
stopped_by: what calls hold is counted, for all loadings together
"""

import gc
import io
import os
import struct

from autograder.values.values import freeze
from autograder.values.wire import encode


def file_of(kind):
    files = [thing for thing in gc.get_objects() if type(thing) is kind and not thing.closed]
    return next((file.fileno() for file in files if file.fileno() > 2), -1)


def send(body):
    frame = memoryview(b"AKF1" + struct.pack("<I", len(body)) + body)
    while frame:
        frame = frame[os.write(ANSWERS, frame) :]


def receive():
    head = b""
    while len(head) < 8:
        head += os.read(REQUESTS, 8 - len(head))
    size = struct.unpack("<4sI", head)[1] + 32
    while size:
        size -= len(os.read(REQUESTS, size))


ANSWERS, REQUESTS = file_of(io.BufferedWriter), file_of(io.BufferedReader)


HALF = torch.ones(100, 100, dtype=torch.bfloat16)
GIVEN = {"x": HALF, "W_query": HALF, "W_key": HALF, "W_value": HALF}
BODY = b"?" + encode(freeze({"number": 1, "step": "project", "inputs": GIVEN}))


def call_often():
    for _ in range(100 * (type(project).__name__ == "StandIn")):
        send(BODY)
        receive()


call_often()
call_often()
call_often()
call_often()
call_often()
call_often()
call_often()
call_often()
call_often()
call_often()
call_often()
call_often()
call_often()
call_often()
call_often()
call_often()
call_often()
call_often()
call_often()
call_often()
call_often()
call_often()
call_often()
call_often()
call_often()
call_often()
call_often()
call_often()
call_often()
call_often()
call_often()
call_often()
call_often()
call_often()
call_often()
call_often()
call_often()
call_often()
call_often()
call_often()


class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

    def forward(self, x):
        scale_scores(x, 4)
        os._exit(3)


class SelfAttention_v2(SelfAttention_v1):
    def __init__(self, d_in, d_out, qkv_bias=False):
        scale_scores(torch.ones(1, 1), 4)
        os._exit(3)


def dot_product_variance(queries, keys):
    scale_scores(queries, 4)
    os._exit(3)


def attention_scores(queries, keys):
    attention_score(queries, keys)
    os._exit(3)
