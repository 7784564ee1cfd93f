"""Time a student's `pytest` on a released stub, against `pytest` on one trivial torch test.

Both run in an environment with only a student's packages: a developer's extra packages slow down
pytest. Both are whole processes, run in turns, so that changes in machine load affect both equally.
"""

from __future__ import annotations

import shutil
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

from benchmarks.peers.environment import environment

ROOT = Path(__file__).parents[1]
ROUNDS = 15
TRIVIAL = """\
import torch


def test_trivial():
    assert torch.ones(2).sum() == 2
"""


def main() -> None:
    """Measure both, and print the ratio of the medians."""
    python = environment("student", "--editable=.") / "python"
    with tempfile.TemporaryDirectory() as scratch:
        trivial = Path(scratch) / "trivial"
        trivial.mkdir()
        (trivial / "test_trivial.py").write_text(TRIVIAL)
        (trivial / "pytest.ini").write_text("[pytest]\naddopts = -p no:cacheprovider\n")
        release = Path(scratch) / "release"
        shutil.copytree(ROOT / "assignments" / "self_attention", release)
        plain, kit = [], []
        for _ in range(ROUNDS):
            plain.append(seconds(python, trivial))
            kit.append(seconds(python, release))
    ratio = statistics.median(kit) / statistics.median(plain)
    print("pytest, whole process, median of", ROUNDS)
    print(f"  one trivial torch test   {statistics.median(plain):.2f} s")
    print(f"  the released stub        {statistics.median(kit):.2f} s   {ratio:.2f} times")


def seconds(python: Path, folder: Path) -> float:
    """Return the seconds that this interpreter's pytest takes in a folder."""
    started = time.perf_counter()
    done = subprocess.run(
        [str(python), "-m", "pytest", "-q"], cwd=folder, capture_output=True, check=False
    )
    if done.returncode not in (0, 1):
        raise SystemExit(done.stdout.decode() + done.stderr.decode())
    return time.perf_counter() - started


if __name__ == "__main__":
    main()
