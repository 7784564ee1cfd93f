"""Raises its own limits.

catalogue: 36
stopped_by: limits (no limit may be raised again); seccomp
stand_in: limits
"""
import resource


def init_weights(d_in, d_out, seed):
    for name in ("AS", "CORE", "CPU", "FSIZE", "NOFILE"):
        kind = getattr(resource, f"RLIMIT_{name}")
        try:
            resource.setrlimit(kind, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        except (OSError, ValueError) as error:
            print(error)
        try:
            if resource.getrlimit(kind)[0] == resource.RLIM_INFINITY:
                print("@DONE@"[::-1], name)
        except OSError as error:
            print(error)
