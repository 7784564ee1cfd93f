"""Classroom 50 runs this file in the student's checkout. It writes result.json there.

The release and the kit lie beside this file, so a student cannot change them. Anyone can read them: this bundle holds
the public checks and no answers to hidden ones.
"""

import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent
NAME = "@NAME@"


def main() -> int:
    """Install the kit, run the public checks, and write result.json. Any failure of the grader exits with 1."""
    result = Path("result.json")
    result.unlink(missing_ok=True)  # one that was committed
    folder = HERE / "kit"
    if not folder.is_dir():
        venv.create(folder, with_pip=True)
    programs = folder / ("Scripts" if os.name == "nt" else "bin")
    python = [str(programs / "python"), "-I", "-m"]  # -I ignores modules that lie in the checkout
    for install in (["--require-hashes", "-r", "sandbox.lock"], ["-r", "requirements.txt"]):
        subprocess.run([*python, "pip", "install", "--quiet", *install], cwd=HERE, check=True)
    with tempfile.TemporaryDirectory() as results:
        grade = [
            "grade",
            NAME if Path(NAME).is_dir() else ".",
            "--assignment",
            NAME,
            "--one",
            "--public",
            "--assignments",
            str(HERE),
            "--allow-degraded",
            "--out",
            results,
        ]
        export = ["export", "classroom50", results, "--into", str(result)]
        for command in (grade, export):
            if subprocess.run([*python, "autograder.cli", *command], check=False).returncode:
                return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
