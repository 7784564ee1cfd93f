"""Ends its process at another statement each time it is loaded, by a thread, by an exit or by closing all files.

catalogue: 6
slow: yes
stopped_by: ten statements are left out at most; a submission has its time
"""

import os
import random
import threading
import time


def anywhere():
    match random.randrange(6):
        case 0:
            os._exit(0)
        case 1:
            os.closerange(3, 4096)
        case 2:
            threading.Timer(random.random() / 5, os._exit, (0,)).start()
        case 3:
            time.sleep(3600)
        case _:
            time.sleep(0.05)


anywhere()
anywhere()
anywhere()
anywhere()
anywhere()
anywhere()
anywhere()
anywhere()
anywhere()
anywhere()
anywhere()
anywhere()
