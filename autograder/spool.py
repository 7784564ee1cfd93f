"""Keep many records by name in a temporary file, so that a large class needs little memory."""

from __future__ import annotations

import pickle
import tempfile
import weakref
from collections.abc import Iterable, Iterator, MutableMapping
from typing import TypeVar

Record = TypeVar("Record")


class Spool(MutableMapping[str, Record]):
    """Records by name, sorted by name. Each access reads a new copy from the file.

    Records must be picklable. No other process can open the file, and it goes with the mapping.
    Putting a record raises OSError with the folder for temporary files if there is no space left.
    """

    def __init__(self, records: Iterable[tuple[str, Record]] = ()) -> None:
        self._file = tempfile.TemporaryFile(buffering=0, prefix="autograder-")  # noqa: SIM115 - closed below
        weakref.finalize(self, self._file.close)
        self._places: dict[str, tuple[int, int]] = {}
        for name, record in records:
            self[name] = record

    def __setitem__(self, name: str, record: Record) -> None:
        data = pickle.dumps(record, pickle.HIGHEST_PROTOCOL)
        before = self._places.get(name)
        end = self._file.seek(0, 2)
        # A record of at most the same size takes the place of the one before.
        place = before[0] if before and len(data) <= before[1] else end
        self._file.seek(place)
        try:
            written = 0
            while written < len(data):
                written += self._file.write(data[written:])
        except OSError as error:
            error.filename = tempfile.gettempdir()
            raise
        self._places[name] = (place, len(data))

    def __getitem__(self, name: str) -> Record:
        place, size = self._places[name]
        self._file.seek(place)
        record: Record = pickle.loads(self._file.read(size))
        return record

    def __delitem__(self, name: str) -> None:
        del self._places[name]

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._places))

    def __len__(self) -> int:
        return len(self._places)

    def __contains__(self, name: object) -> bool:
        return name in self._places
