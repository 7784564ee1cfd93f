"""Watches the folders of others: who hands in, and when results are written.

stopped_by: seccomp; bubblewrap
stand_in: seccomp bubblewrap
"""
import ctypes

libc = ctypes.CDLL(None, use_errno=True)


def init_weights(d_in, d_out, seed):
    watcher = libc.inotify_init1(0)
    if watcher >= 0 and libc.inotify_add_watch(watcher, b"@RESULTS@", 0xFFF) >= 0:
        print("@DONE@"[::-1])
    fanotify = libc.fanotify_init(0, 0)
    if fanotify >= 0:
        print("@DONE@"[::-1])
