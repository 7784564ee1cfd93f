"""How long a process computed, and how long it waited for a core."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from autograder.sandbox.limits import cpu_seconds, waiting_seconds


@pytest.mark.skipif(
    not Path("/proc/self/schedstat").exists(), reason="needs a kernel that counts waiting"
)
def test_a_process_without_a_core_waits_and_one_that_sleeps_does_not() -> None:
    core = min(os.sched_getaffinity(0))
    busy = [
        sys.executable,
        "-S",
        "-c",
        f"import os; os.sched_setaffinity(0, [{core}])\nwhile True: pass",
    ]
    asleep = subprocess.Popen([sys.executable, "-S", "-c", "import time; time.sleep(600)"])
    both = [subprocess.Popen(busy), subprocess.Popen(busy)]
    try:
        while sum(cpu_seconds(one.pid) for one in both) < 0.5:
            time.sleep(0.05)
        assert min(waiting_seconds(one.pid) for one in both) > 0.05
        assert waiting_seconds(asleep.pid) < waiting_seconds(both[0].pid)
    finally:
        for one in (asleep, *both):
            one.kill()
            one.wait()
    assert waiting_seconds(both[0].pid) == 0
