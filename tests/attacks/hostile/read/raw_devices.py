"""Opens the disk, the memory and the kernel's log below all file rights.

stopped_by: landlock; bubblewrap; user
"""
import glob
import os

DEVICES = ("/dev/vda", "/dev/sda", "/dev/nvme0n1", "/dev/mem", "/dev/kmem", "/dev/port", "/dev/kmsg", "/proc/kcore",
           "/dev/fuse", "/dev/kvm", "/dev/loop-control", "/dev/net/tun", "/dev/ptmx", "/dev/tty", "/dev/uinput",
           "/dev/vsock", "/dev/vhost-net", "/dev/cpu/0/msr", "/dev/nvidia0", "/dev/snd/timer")


def init_weights(d_in, d_out, seed):
    for path in {*DEVICES, *glob.glob("/dev/*"), *glob.glob("/dev/disk/*/*")}:
        if path in ("/dev/null", "/dev/zero", "/dev/random", "/dev/urandom", "/dev/stdin", "/dev/stdout", "/dev/stderr"):
            continue
        try:
            os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        except OSError as error:
            print(error)
        else:
            print("@DONE@"[::-1], path)
