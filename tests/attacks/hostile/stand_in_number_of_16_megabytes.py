"""Writes by hand a call whose number fills a frame.

goal: protocol
honest: SelfAttention_v1=1
catalogue: 38
stopped_by: a call's number is an integer; anything else ends the worker
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
        column = torch.ones(5, 1, dtype=torch.complex128)
        call = {"number": b"", "step": "attention_scores", "inputs": {"queries": column, "keys": column}}
        call["number"] = bytes(16 * 2**20 - 1 - len(encode(freeze(call))))
        send(b"?" + encode(freeze(call)))
        return scale_scores(x, 4)
