"""Lets a timer, a mailbox or its own end send a signal to another process.

stopped_by: the kernel (timers reach threads of their own process only); seccomp
machine: x86_64
"""
import ctypes
import signal
import time

libc = ctypes.CDLL(None, use_errno=True)
TIMER_CREATE, TIMER_SETTIME = 222, 223


def init_weights(d_in, d_out, seed):
    event = (ctypes.c_int * 16)(0, 0, int(signal.SIGTERM), 4, int("@PID@"))  # SIGEV_THREAD_ID
    timer = ctypes.c_int()
    print(libc.syscall(TIMER_CREATE, 1, event, ctypes.byref(timer)), ctypes.get_errno())
    print(libc.syscall(TIMER_SETTIME, timer, 0, (ctypes.c_long * 4)(0, 0, 0, 1000), None), ctypes.get_errno())
    libc.prctl(1, int(signal.SIGKILL), 0, 0, 0)
    time.sleep(0.02)
