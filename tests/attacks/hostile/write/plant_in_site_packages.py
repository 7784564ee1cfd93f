"""Plants files that every later Python runs: sitecustomize, a .pth, a module that shadows another.

catalogue: 5 28
stopped_by: landlock; bubblewrap
"""
import os
import site
import sys
import sysconfig


def init_weights(d_in, d_out, seed):
    places = {*site.getsitepackages(), *map(str, sysconfig.get_paths().values()), *filter(None, sys.path), os.getcwd()}
    places |= {site.getusersitepackages(), os.path.dirname(torch.__file__), "/usr/local/lib/python3/dist-packages"}
    for place in places:
        for name in ("@TOKEN@.pth", "@TOKEN@.py", "__pycache__/@TOKEN@.cpython-311.pyc"):
            try:
                with open(os.path.join(place, name), "w") as file:
                    file.write("")
                print("@DONE@"[::-1], place)
            except OSError:
                pass
    for name in ("json/__pycache__/decoder.cpython-311.pyc", "random.py", "torch/__init__.py"):
        for place in places:
            try:
                with open(os.path.join(place, name), "r+b"):
                    print("@DONE@"[::-1], place, name)
            except OSError:
                pass
    print("tried")
