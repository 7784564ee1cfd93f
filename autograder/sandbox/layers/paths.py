"""The paths of this machine that a student's code may read, and its environment."""

from __future__ import annotations

import os
import sys
import sysconfig
from glob import glob
from pathlib import Path

# Below these, Debian and Ubuntu have the shared libraries of one architecture in a folder of its own.
_SHARED = ("/lib", "/usr/lib")
_ARCHITECTURE = str(sysconfig.get_config_var("MULTIARCH"))
# More shared libraries and the loader's cache, time zones, what the C library reads about the processors.
_SYSTEM = (
    "/lib64",
    "/usr/lib64",
    "/etc/ld.so.cache",
    "/etc/localtime",
    "/usr/share/zoneinfo",
    "/sys/devices/system/cpu",
)
_DEVICES = ("/dev/null", "/dev/zero", "/dev/urandom", "/dev/random")
_LIBRARIES = ("stdlib", "platstdlib", "purelib", "platlib")
# What a package has in such folders no import opens: 9,400 files of torch's.
_NOT_IMPORTED = ("/*/include", "/*/share")


def readable() -> tuple[str, ...]:
    """Return the folders and files that a student's code may read; none of them has anyone's work.

    Not all of `sys.prefix`: a course may lie beside the folders of the virtual environment.
    """
    kit = Path(__file__).parents[2]
    paths = [kit, *(Path(sysconfig.get_path(name)) for name in _LIBRARIES)]
    own = {sys.prefix, sys.base_prefix} - {"/usr"}
    paths += [Path(prefix, "lib") for prefix in sorted(own)]
    apart = Path("/usr/lib", _ARCHITECTURE).is_dir()
    within = (_ARCHITECTURE, "locale", "python3") if apart else ("",)
    paths += [Path(folder, part) for folder in _SHARED for part in within]
    paths += [Path(path) for path in _SYSTEM]
    return _existing(paths)


def importable() -> set[str]:
    """Return folders and files that together are all of `readable` but what no import opens."""
    packages = {os.path.realpath(sysconfig.get_path(name)) for name in _LIBRARIES}
    kinds = [folder + kind for folder in packages for kind in _NOT_IMPORTED]
    closed = {path for kind in kinds for path in glob(kind)}  # noqa: PTH207 - three times as fast
    above = {str(folder) for path in closed for folder in Path(path).parents}
    found: set[str] = set()
    left = set(map(os.path.realpath, readable()))
    while left:
        found |= left - above - closed
        parts = [part for folder in left & above for part in os.scandir(folder)]
        left = {part.path for part in parts if not part.is_symlink()}
    return found


def interpreter() -> tuple[str, ...]:
    """Return the files that start this interpreter, besides the readable ones."""
    binary = Path(sys.executable)
    configuration = Path(sys.prefix, "pyvenv.cfg")
    paths = [binary, configuration]
    while binary.is_symlink():
        binary = binary.parent / binary.readlink()
        paths.append(binary)
    return _existing(paths)


def devices() -> tuple[str, ...]:
    """Return the devices that a program may expect; only /dev/null may be written."""
    return _existing([Path(path) for path in _DEVICES])


# Matplotlib's import needs a folder that seems writable. The fork server provides this one.
SEEMS_WRITABLE = "matplotlib"


def exposed(path: Path) -> bool:
    """Return whether a student's code may read `path`."""
    whole = Path(os.path.realpath(path))  # also of a link to itself
    return any(whole.is_relative_to(Path(place).resolve()) for place in readable())


def worker_environment(folder: str) -> dict[str, str]:
    """Return the environment of a process that runs student code: nothing personal, one thread, `folder` as home."""
    kept = ["SYSTEMROOT", "SYSTEMDRIVE", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"]
    kept += ["PATH"] if os.name == "nt" else []  # Windows finds libraries by it
    return (
        {"PATH": os.defpath}
        | {name: os.environ[name] for name in kept if name in os.environ}
        | {
            "HOME": folder,
            "USERPROFILE": folder,
            "TEMP": folder,
            "TMP": folder,
            "TMPDIR": folder,
            "USER": "student",
            "TORCHINDUCTOR_CACHE_DIR": folder,
            "MPLCONFIGDIR": os.path.join(folder, SEEMS_WRITABLE),  # noqa: PTH118 - `folder` may be empty
            "LANG": "C.UTF-8",
            "OMP_NUM_THREADS": "1",
            "MKL_NUM_THREADS": "1",
            "OPENBLAS_NUM_THREADS": "1",
            "PYTHONHASHSEED": "0",
            "PYTHONUTF8": "1",
            "PYTHONDONTWRITEBYTECODE": "1",
        }
    )


def _existing(paths: list[Path]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(str(path) for path in paths if path.exists()))
