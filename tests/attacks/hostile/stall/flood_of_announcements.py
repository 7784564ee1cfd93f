"""Announces statements without end, so that none of them ever has had its time.

catalogue: 36
slow: yes
stopped_by: no file announces so many statements, so the worker is ended
"""

import gc
import io
import os
import struct

FILES = [
    thing for thing in gc.get_objects() if type(thing) is io.BufferedWriter and not thing.closed
]
ANSWERS = next(file.fileno() for file in FILES if file.fileno() > 2)
NUMBERS = range(100, 5100)
DATA = b"".join(b"AKF1" + struct.pack("<IcIB", 6, b"@", number, 3) for number in NUMBERS)

while True:
    os.write(ANSWERS, DATA)
