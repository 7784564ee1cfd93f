"""Installs trace and profile functions that run inside the kit's own functions from then on.

honest: scale_scores
catalogue: 4 18
stopped_by: what runs in its process knows no answers
"""
import sys
import threading

SEEN = set()


def trace(frame, event, argument):
    SEEN.add(frame.f_code.co_name)
    if event == "return" and frame.f_code.co_name in ("answer", "_observe", "run"):
        frame.f_locals["returned"] = True
    return trace


sys.settrace(trace)
sys.setprofile(trace)
threading.settrace(trace)
threading.setprofile(trace)
frame = sys._getframe()
while frame is not None:
    frame.f_trace = trace
    frame = frame.f_back


def scale_scores(scores, d_k):
    return scores / d_k**0.5


def attention_weights(scaled_scores):
    print(sorted(SEEN))
    return scaled_scores
