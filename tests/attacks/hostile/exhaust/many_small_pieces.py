"""Takes all memory in small pieces.

catalogue: 36
costly: yes
stopped_by: limits
"""


def init_weights(d_in, d_out, seed):
    kept = []
    try:
        while True:
            kept = [kept, bytearray(100_000)]
    except MemoryError:
        del kept
        raise
