"""Copies of the project, each with an interpreter of its own, in which faults are put and tests run.

The interpreter's packages lie in the copy too: the sandbox shows a worker no others.
"""

from __future__ import annotations

import itertools
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.sandbox.limits import kill_tree

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tests.faults.faults import Fault

ROOT = Path(__file__).parents[2]
# Copies share files of the environment that are larger, in bytes. All others could be damaged through an open sandbox.
_SHARED = 1 << 20
_OURS = ("PYTHONPATH", "PYTHONDONTWRITEBYTECODE", "PYTEST_ADDOPTS", "VIRTUAL_ENV")
_WHERE = """
import autograder, importlib.metadata
(plugin,) = importlib.metadata.entry_points(group="pytest11", name="self_attention_kit")
print(autograder.__file__, plugin.load().__file__, sep="\\n")
"""


class Copy:
    """A copy of the project and of this virtual environment, for one fault at a time."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._python = str(folder / ".venv" / Path(sys.executable).relative_to(sys.prefix))
        # A new time for each change: Python takes a compiled file for current by the time in it.
        self._times = itertools.count(int(time.time()), 2)
        for name in _project_files():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name, follow_symlinks=False)
        _copy_environment(folder / ".venv")
        self._refuse_other_code()

    def _refuse_other_code(self) -> None:
        """Exit unless the copy's interpreter, started as for a worker, imports the kit from the copy."""
        code, output = self._run([self._python, "-s", "-P", "-c", _WHERE], 600)
        if code or not all(Path(one).is_relative_to(self.folder) for one in output.splitlines()):
            sys.exit(f"The copy in {self.folder} does not import its own code:\n{output}")

    def fits(self, fault: Fault) -> bool:
        """Return whether there is exactly one place for a fault."""
        path = self.folder / fault.file
        return path.is_file() and path.read_text(encoding="utf-8").count(fault.old) == 1

    @contextmanager
    def with_fault(self, fault: Fault) -> Iterator[None]:
        """Put a fault into the copy, and take it out at the end."""
        path = self.folder / fault.file
        right = path.read_bytes()
        self._write(path, right.replace(fault.old.encode(), fault.new.encode()))
        try:
            yield
        finally:
            self._write(path, right)

    def _write(self, path: Path, data: bytes) -> None:
        path.write_bytes(data)
        now = next(self._times)
        os.utime(path, (now, now))

    def test(self, expression: str, tests: Sequence[str], seconds: float) -> tuple[int | None, str]:
        """Run the tests that fit an expression for `-m`, up to the first that fails.

        Return pytest's exit code and its output. The code is None if the run did not end within the seconds.
        """
        pytest = [self._python, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider"]
        return self._run([*pytest, "-m", expression, *tests], seconds)

    def _run(self, command: Sequence[str], seconds: float) -> tuple[int | None, str]:
        environment = {name: value for name, value in os.environ.items() if name not in _OURS}
        with tempfile.TemporaryFile() as output:  # a process that is left over may keep a pipe open
            process = subprocess.Popen(
                command,
                cwd=self.folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
            )
            code: int | None = None
            try:
                code = process.wait(seconds)
            except subprocess.TimeoutExpired:
                kill_tree(process)
            output.seek(0)
            return code, output.read().decode(errors="replace")


def _project_files() -> Iterator[str]:
    """Yield the names of the project's files that git does not ignore."""
    command = ["git", "ls-files", "-coz", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout
    for name in filter(None, os.fsdecode(listed).split("\0")):
        if os.path.lexists(ROOT / name):
            yield name


def _copy_environment(target: Path) -> None:
    """Copy this virtual environment. Where files name its folder or the project's, they name the copy's."""
    shutil.copytree(sys.prefix, target, symlinks=True, copy_function=_copied)
    packages = target / Path(sysconfig.get_path("purelib")).relative_to(sys.prefix)
    programs = (target / Path(sys.executable).relative_to(sys.prefix)).parent.iterdir()
    for path in (*programs, *packages.glob("__editable__*"), *packages.glob("*/direct_url.json")):
        if path.is_file() and not path.is_symlink() and path.stat().st_size < _SHARED:
            data = path.read_bytes()
            for old, new in ((sys.prefix, target), (ROOT, target.parent)):
                data = data.replace(os.fsencode(old), os.fsencode(new))
            path.write_bytes(data)


def _copied(source: str, target: str) -> None:
    if os.path.getsize(source) >= _SHARED:  # noqa: PTH202 - for each of many files
        try:
            os.link(source, target)
        except OSError:  # another file system
            pass
        else:
            return
    shutil.copy2(source, target)
