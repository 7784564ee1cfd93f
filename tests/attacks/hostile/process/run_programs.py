"""Runs other programs in every way that Python has.

stopped_by: seccomp; landlock; bubblewrap
"""
import multiprocessing
import os
import pty
import subprocess
import sys


def init_weights(d_in, d_out, seed):
    words = "@DONE@"[::-1]
    for run in (
        lambda: subprocess.run(["/bin/echo", words], check=True),
        lambda: subprocess.run([sys.executable, "-c", f"print({words!r})"], check=True),
        lambda: os.posix_spawn("/bin/echo", ["echo", words], {}),
        lambda: print(os.popen(f"echo {words}").read()),
        lambda: pty.spawn(["/bin/echo", words]),
        lambda: multiprocessing.get_context("fork").Process(target=print, args=(words,)).start(),
        lambda: multiprocessing.get_context("spawn").Process(target=print, args=(words,)).start(),
        lambda: list(torch.utils.data.DataLoader([1, 2], num_workers=1)) and print(words),
    ):
        try:
            run()
        except Exception as error:
            print(type(error).__name__, error)
    if os.system(f"echo {words}") == 0:
        print(words)
