"""Writes by hand a refused call with strange names and texts, and raises.

goal: deceive
honest: SelfAttention_v1=1
catalogue: 38
stopped_by: only released names are kept of a call, and texts are cut and cleaned
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
        call = {"number": 1, "step": "scale_scores", "inputs": {
            "\x1b[2J\u202e`|<script>" * 40 + str(i): "\x07\u202e|```<b>" * 500 for i in range(200)}}
        send(b"?" + encode(freeze(call)))
        raise ValueError("x")
