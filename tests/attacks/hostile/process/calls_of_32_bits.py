"""Makes system calls by the numbers of 32-bit programs, where 2 is fork and not open.

stopped_by: seccomp (another machine's numbering ends the process)
stand_in: seccomp
machine: x86_64
"""
import ctypes
import mmap
import os


def init_weights(d_in, d_out, seed):
    me = os.getpid()
    page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    page.write(b"\x53\xb8\x02\x00\x00\x00\xcd\x80\x5b\xc3")  # push rbx; eax = 2; int 0x80; pop rbx; ret
    fork = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))
    child = fork()
    if os.getpid() != me:
        os._exit(0)
    if child > 0:
        print("@DONE@"[::-1], child)
        os.waitpid(child, 0)
    print(child)
