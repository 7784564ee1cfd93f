"""Classroom 50 runs this file in the student's checkout. It writes result.json there.

The release and the kit lie beside this file, so a student cannot change them. Anyone can read them: this bundle holds
the public checks and no answers to hidden ones.
"""

import os
import subprocess
import sys
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent
NAME = "@NAME@"


def main() -> int:
    """Install the kit, run the public checks, and write result.json. Any failure of the grader exits with 1."""
    folder = HERE / "kit"
    if not folder.is_dir():
        venv.create(folder, with_pip=True)
    programs = folder / ("Scripts" if os.name == "nt" else "bin")
    pip = [str(programs / "python"), "-m", "pip", "install", "--quiet"]
    for install in (["--require-hashes", "-r", "sandbox.lock"], ["-r", "requirements.txt"]):
        subprocess.run([*pip, *install], cwd=HERE, check=True)
    results = HERE / "results"
    grade = [
        "grade",
        NAME if Path(NAME).is_dir() else ".",
        "--assignment",
        NAME,
        "--public",
        "--assignments",
        str(HERE),
        "--allow-degraded",
        "--fresh",
        "--out",
        str(results),
    ]
    if subprocess.run([programs / "autograder", *grade], check=False).returncode:
        return 1
    export = ["export", "classroom50", str(results), "--into", "result.json"]
    return min(1, subprocess.run([programs / "autograder", *export], check=False).returncode)


if __name__ == "__main__":
    sys.exit(main())
