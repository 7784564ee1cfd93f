"""Leaves shared memory with a name behind, the way multiprocessing and torch share tensors.

catalogue: 12
stopped_by: landlock; bubblewrap; mounts
stand_in: landlock bubblewrap mounts
"""
import os


def init_weights(d_in, d_out, seed):
    import _posixshmem

    for attempt in (
        lambda: _posixshmem.shm_open("/@TOKEN@", os.O_RDWR | os.O_CREAT | os.O_EXCL, mode=0o600),
        lambda: torch.tensor(list(b"@TOKEN@"), dtype=torch.uint8).share_memory_(),
    ):
        try:
            attempt()
        except (OSError, RuntimeError) as error:
            print(error)
