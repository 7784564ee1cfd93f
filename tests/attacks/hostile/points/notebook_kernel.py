"""Looks for a notebook around it: the history, the cell that runs it, and the kernel's own hooks.

catalogue: 1 2 3 20 21
stopped_by: student code never runs in a kernel, and no gradebook can be reached
"""
import os
import sys


def attention_score(query, key):
    try:
        from IPython import get_ipython

        shell = get_ipython()
    except ImportError:
        shell = globals().get("get_ipython")
    if shell is not None:
        print("@DONE@"[::-1], shell.history_manager.input_hist_raw)
        shell.input_transformers_cleanup.append(lambda lines: ["pass\n"])
        shell.showtraceback = lambda *arguments, **options: None
    sys.displayhook(1)
    print(globals().get("In", [""])[-1])
    folder = os.path.dirname("@RESULTS@")
    for place in (folder, os.path.dirname(folder), os.path.expanduser("~"), "/srv/nbgrader"):
        if os.path.exists(f"{place}/gradebook.db"):
            print("@DONE@"[::-1], place)
    raise ValueError("after the points were displayed")
