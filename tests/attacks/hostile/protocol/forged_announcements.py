"""Announces each time another statement than the one that hangs, so that the wrong ones are left out.

catalogue: 37
slow: yes
stopped_by: ten statements are left out at most; what is left out earns nothing
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


class Hangs:
    number = time.time_ns() // 1000 % 2**31
    os.write(ANSWERS, b"AKF1" + struct.pack("<IcIB", 6, b"@", number, 3))
    while True:
        pass
