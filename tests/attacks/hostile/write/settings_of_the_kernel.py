"""Opens the kernel's switches for writing: what runs on a crash, who is killed when memory is short, groups of processes.

stopped_by: landlock; bubblewrap
"""
import os

SWITCHES = ("/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger", "/proc/sys/kernel/modprobe",
            "/proc/sys/kernel/hostname", "/proc/sys/vm/drop_caches", "/proc/sys/fs/binfmt_misc/register",
            "/proc/sys/net/ipv4/ip_forward", "/sys/fs/cgroup/cgroup.procs", "/sys/fs/cgroup/memory/tasks",
            "/sys/kernel/mm/transparent_hugepage/enabled", "/sys/power/state", "/sys/devices/system/cpu/cpu1/online")


def init_weights(d_in, d_out, seed):
    others = (os.getppid(), 1, 2)
    for path in (*SWITCHES, *(f"/proc/{one}/{name}" for one in others for name in ("oom_score_adj", "clear_refs"))):
        try:
            os.close(os.open(path, os.O_WRONLY))  # opened, and nothing written
        except OSError as error:
            print(error)
        else:
            print("@DONE@"[::-1], path)
