"""Asks torch for many threads and multiplies large matrices on all of them.

catalogue: 36
slow: yes
stopped_by: limits; the time of all threads is counted
"""


def init_weights(d_in, d_out, seed):
    torch.set_num_threads(64)
    matrix = torch.rand(3000, 3000)
    while True:
        matrix = matrix @ matrix
