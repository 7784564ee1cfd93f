"""Crashes on purpose, with the size of a core file raised, to leave its memory on the disk.

catalogue: 36
stopped_by: limits (no core files); no_new_privileges (not dumpable); landlock
"""
import os
import resource


def init_weights(d_in, d_out, seed):
    try:
        resource.setrlimit(resource.RLIMIT_CORE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        print("@DONE@"[::-1])
    except (ValueError, OSError) as error:
        print(error)
    os.abort()
