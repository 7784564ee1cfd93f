"""Asks for the machine's name, which often tells whose it is, and for how long it has run.

stopped_by: bubblewrap (a name of its own); no list of system calls can tell the question from a harmless one
only_with: bubblewrap
stand_in: bubblewrap
"""
import os
import socket


def init_weights(d_in, d_out, seed):
    if "@HOSTNAME@" in (os.uname().nodename, socket.gethostname()):
        print("@DONE@"[::-1])
