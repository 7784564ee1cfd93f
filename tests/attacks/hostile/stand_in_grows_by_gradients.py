"""Asks for gradients with upstream values of another shape, while the file loads.

goal: exhaust
honest: SelfAttention_v1=1
catalogue: 38
stopped_by: a gradient has the shape of what it belongs to, and no more axes than the question
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


WHOLE = torch.ones(100, 100)
CALL = {
    "number": 1,
    "step": "context_vectors",
    "inputs": {"weights": WHOLE, "values": WHOLE},
    "upstream": [torch.ones(100, 100, 1, 1)],
}
if type(scale_scores).__name__ == "StandIn":
    for _ in range(50):
        send(b"?" + encode(freeze(CALL)))


class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

    def forward(self, x):
        send(b"?" + encode(freeze(CALL)))
        return scale_scores(x, 4)
