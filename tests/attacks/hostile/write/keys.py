"""Leaves a key in the kernel's keyring of its user.

stopped_by: seccomp
stand_in: seccomp
machine: x86_64
"""
import ctypes

libc = ctypes.CDLL(None, use_errno=True)
ADD_KEY, KEYCTL, REVOKE, UNLINK = 248, 250, 3, 9
USER_KEYRING = -4


def init_weights(d_in, d_out, seed):
    key = libc.syscall(ADD_KEY, b"user", b"@TOKEN@", b"inputs", 6, USER_KEYRING)
    print(key, ctypes.get_errno())
    if key >= 0:
        print("@DONE@"[::-1])
        libc.syscall(KEYCTL, UNLINK, key, USER_KEYRING)
    if libc.syscall(KEYCTL, 0, -3, 1) >= 0:
        print("@DONE@"[::-1])
