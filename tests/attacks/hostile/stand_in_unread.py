"""Writes thousands of calls by hand and reads no answer.

goal: exhaust
honest: SelfAttention_v1=1
catalogue: 38
stopped_by: a call before the last answer was read ends the worker
"""

import gc
import io
import os
import struct

from autograder.values.values import freeze
from autograder.values.wire import encode

FILES = [
    thing for thing in gc.get_objects() if type(thing) is io.BufferedWriter and not thing.closed
]
ANSWERS = next((file.fileno() for file in FILES if file.fileno() > 2), -1)


def send(body):
    frame = memoryview(b"AKF1" + struct.pack("<I", len(body)) + body)
    while frame:
        frame = frame[os.write(ANSWERS, frame) :]


class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

    def forward(self, x):
        return project(x, self.W_query, self.W_key, self.W_value)[0]


if type(scale_scores).__name__ == "StandIn":
    LONG = torch.ones(100, 1, dtype=torch.complex128)
    CALL = {"number": 1, "step": "attention_scores", "inputs": {"queries": LONG, "keys": LONG}}
    BODY = b"?" + encode(freeze(CALL))
    for _ in range(9_990):
        send(BODY)
