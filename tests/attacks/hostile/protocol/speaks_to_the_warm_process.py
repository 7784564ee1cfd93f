"""Looks for the socket on which the warm process takes orders, and orders children of its own.

stopped_by: process (that socket is closed in every child); seccomp
"""
import array
import os
import socket
import stat


def init_weights(d_in, d_out, seed):
    for descriptor in range(4096):
        try:
            if not stat.S_ISSOCK(os.fstat(descriptor).st_mode):
                continue
            print("@DONE@"[::-1], descriptor)
            leash = socket.socket(fileno=descriptor)
            rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [0, 1, 2, descriptor]))]
            leash.sendmsg([b"start"], rights)
            leash.send(b"")
            print(leash.recv(4096, socket.MSG_DONTWAIT))
        except OSError as error:
            print(error) if error.errno != 9 else None
