"""Sleeps and asks for a missing module by turns: with each import a statement's time begins again.

catalogue: 36
slow: yes
stopped_by: a file as a whole has its time, on the clock too
"""

import contextlib
import importlib
import itertools
import time

for number in itertools.count():
    time.sleep(0.5)
    with contextlib.suppress(ImportError):
        importlib.import_module(f"no_module_{number}")
