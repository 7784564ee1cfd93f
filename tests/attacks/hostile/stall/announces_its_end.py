"""Announces again and again that the file has ended, so that no statement runs, and sleeps.

catalogue: 37
slow: yes
stopped_by: a worker has its time while it loads, whatever it announces
"""

import gc
import io
import os
import struct
import time

FILES = [
    thing for thing in gc.get_objects() if type(thing) is io.BufferedWriter and not thing.closed
]
ANSWERS = next(file.fileno() for file in FILES if file.fileno() > 2)

while True:
    os.write(ANSWERS, b"AKF1" + struct.pack("<IcIB", 6, b"@", 2**32 - 1, 0))
    time.sleep(0.1)
