"""Damaged archives of one student inside the download of a class: the others are found as without them."""

from __future__ import annotations

import contextlib
import io
import random
import re
import stat
import tempfile
import warnings
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.errors import Rejected
from autograder.submission.find import find_hand_ins
from autograder.submission.read import read_files

if TYPE_CHECKING:
    from collections.abc import Callable

    from autograder.submission.hand_in import HandIn

NAME = "toy"
SOURCE = b"def double(x):\n    return 2 * x\n"
EVE = "Evil Eve"
# What a platform writes before the names of files that students chose, by student.
_LAYOUTS = (
    "{name}_{id}_assignsubmission_file_/",
    "{name}_{id}_assignsubmission_file_",
    "{name}_{id}_1_",
    "{name}/",
)
_CLASS = ("Jane Doe", "Wei Wang", "Li Na")
_NAMES = (
    "toy.py", "toy.ipynb", "toy (1).py", "work.py", "a/b/toy.py", "../toy.py", "/etc/toy.py", "C:\\toy.py", "a\\toy.py",
    "x" * 300 + ".py", "d/" * 40 + "toy.py", "d/" * 3000 + "toy.py", "", "/", "..", "toy.py/", "toy.py/toy.py",
    "Jane Doe_204000_assignsubmission_file_/toy.py", "Jane Doe_204000_assignsubmission_file_toy.py", "a\0b.py",
    "Zo\xeb.py", "\u202etoy.py", ".hidden.py", "__MACOSX/toy.py", "submission_metadata.yml", "CON.py", "a:b.py",
)  # fmt: skip
_EXTRA_ZIP64 = b"\x01\x00\x18\x00" + b"\xff" * 24


def made(draw: random.Random, nested: int = 0) -> bytes:
    """Return an archive: files, links, folders, other archives, and names twice."""
    data = io.BytesIO()
    with zipfile.ZipFile(
        data, "w", draw.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))
    ) as file:
        for _ in range(draw.randint(0, 6)):
            info = zipfile.ZipInfo(draw.choice(_NAMES))
            info.compress_type = draw.choice((0,) * 9 + (8,) * 18 + (12, 14))
            info.external_attr = draw.choice((0, 0, stat.S_IFLNK, stat.S_IFIFO, stat.S_IFREG)) << 16
            info.extra = draw.choice((b"", b"", b"", _EXTRA_ZIP64, b"\x01\x00", b"\xff" * 7))
            content = draw.choice(
                (SOURCE, b"", b"\0" * draw.choice((10, 10, 10, 6_000_000)), b"PK\x05\x06" * 9)
            )
            if draw.random() < 0.3 and nested < 3:
                info.filename, content = f"{draw.randint(0, 3)}.zip", damaged(draw, nested + 1)
            with (
                contextlib.suppress(ValueError, IndexError),
                warnings.catch_warnings(action="ignore"),
            ):
                file.writestr(info, content)  # as far as this library has such an entry
        file.comment = draw.choice((b"", b"", b"PK\x05\x06" + b"\0" * 18, b"x" * 60_000))
    return data.getvalue()


def damaged(draw: random.Random, nested: int = 0) -> bytes:
    data = bytearray(made(draw, nested))
    for _ in range(draw.randint(0, 4)):
        draw.choice(_DAMAGES)(data, draw)
    return bytes(data)


def _cut(data: bytearray, draw: random.Random) -> None:
    at = draw.randint(0, len(data))
    del data[at : at + draw.choice((1, 4, 200, 10**9))]


def _flip(data: bytearray, draw: random.Random) -> None:
    for _ in range(draw.choice((1, 3, 30)) if data else 0):
        data[draw.randrange(len(data))] ^= 1 << draw.randrange(8)


def _change_number(data: bytearray, draw: random.Random) -> None:
    """Change a number in a header: a size, a place, a flag, a method, the length of a name."""
    signature, size = draw.choice(((b"PK\x03\x04", 30), (b"PK\x01\x02", 46), (b"PK\x05\x06", 22)))
    places = [found.start() for found in re.finditer(re.escape(signature), data)]
    if places:
        at = draw.choice(places) + draw.randrange(4, size - 1)
        wide = draw.choice((2, 4))
        value = draw.choice((0, 1, 9, 0xFFFF, 0x7FFFFFFF, 0xFFFFFFFF, draw.getrandbits(32)))
        data[at : at + wide] = (value % 2 ** (8 * wide)).to_bytes(wide, "little")


def _change_name(data: bytearray, draw: random.Random) -> None:
    old, new = draw.choice(_NAMES[:5]).encode(), bytearray(draw.choice(_NAMES).encode()[:10])
    at = data.find(old, draw.randrange(len(data) + 1))
    if at >= 0:
        data[at : at + min(len(old), len(new))] = new[: len(old)]


def _put_zip64(data: bytearray, draw: random.Random) -> None:
    """Put a locator of a longer list of files before the end of the archive."""
    at = data.rfind(b"PK\x05\x06")
    if at >= 0:
        place = draw.choice((0, at, draw.getrandbits(60))).to_bytes(8, "little")
        data[at:at] = (
            b"PK\x06\x06" + draw.randbytes(52) + b"PK\x06\x07\0\0\0\0" + place + b"\1\0\0\0"
        )
        data[-10:-2] = b"\xff" * 8


def _put_more(data: bytearray, draw: random.Random) -> None:
    data[:0] = draw.choice((b"", draw.randbytes(1), draw.randbytes(1000)))
    data += draw.choice((b"", b"x" * 70_000, b"PK\x05\x06" + b"\xff" * 18, bytes(data)))


_DAMAGES: tuple[Callable[[bytearray, random.Random], None], ...] = (
    _cut, _cut, _flip, _flip, _change_number, _change_number, _change_number, _change_name, _put_zip64, _put_more,
)  # fmt: skip


def outcome(seed: int) -> str:
    """Return how a class is found in which one student handed in a damaged archive, which `seed` decides."""
    draw = random.Random(seed)
    layout, packed = draw.choice(_LAYOUTS), draw.random() < 0.8
    files = {
        layout.format(name=name, id=204000 + number) + f"{NAME}.py": SOURCE + bytes(number)
        for number, name in enumerate(_CLASS)
    }
    hers = layout.format(name=EVE, id=204999)
    chosen = draw.choice(_NAMES) if packed else "more.zip"
    if not hers.endswith("/"):  # a platform writes no folders and no empty name behind its part
        chosen = re.sub(r"[/\\\0]", "_", chosen) or "x"
    also = {f"{hers}{chosen}": made(draw)}
    work = {f"{hers}work.zip": damaged(draw)} | (also if draw.random() < 0.3 else {})
    with tempfile.TemporaryDirectory(prefix="autograder-") as name:
        alone = _found(Path(name), files, packed=packed)
        together = _found(Path(name), files | work, packed=packed)
        others = [one for one in together if one[0] != EVE]
        assert others == alone, (others, alone)
        assert len(together) == len(alone) + 1, together
        if draw.random() < 0.2 and packed:  # the download itself
            data = bytearray((Path(name) / "class.zip").read_bytes())
            draw.choice(_DAMAGES)(data, draw)
            (Path(name) / "class.zip").write_bytes(data)
            _read(Path(name), Path(name, "class.zip"))
    [(_, _, read)] = [one for one in together if one[0] == EVE]
    return "found" if isinstance(read, tuple) else "rejected"


# A student, everything that was found, and the bytes of the files or the reason why there are none.
_Read = tuple[str, str, tuple[bytes | str, ...] | str]


def _found(folder: Path, files: dict[str, bytes], *, packed: bool) -> list[_Read]:
    path = folder / "class.zip" if packed else folder / "class"
    if packed:
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
            for name, data in files.items():
                file.writestr(name, data)
    else:
        for name, data in files.items():
            (path / name).parent.mkdir(parents=True, exist_ok=True)
            (path / name).write_bytes(data)
    return _read(folder, path)


def _read(folder: Path, path: Path) -> list[_Read]:
    scratch = folder / "scratch"
    scratch.mkdir(exist_ok=True)
    return [
        (one.student, repr(one), _contents(one)) for one in find_hand_ins([path], NAME, scratch)
    ]


def _contents(one: HandIn) -> tuple[bytes | str, ...] | str:
    try:
        return read_files(one).contents
    except Rejected as rejected:
        return str(rejected)
