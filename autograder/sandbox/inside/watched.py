"""Notice whether dictionaries and functions have changed, without touching them.

Whoever looks at an object in Python writes its count of references, and in a forked process the first write to a page
copies it. So a few words are read where they stand in memory: the version of a dictionary, which CPython renews at
each change, and a function's pointers to its code and its defaults. An interpreter that has no such words (CPython from
3.14 on) gets a slower answer, never a wrong one: something may always have changed.
"""

from __future__ import annotations

import ctypes
import functools
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Collection

_WORD = ctypes.sizeof(ctypes.c_uint64)
_parts_of_a_function = ("__code__", "__defaults__", "__kwdefaults__")


class Watched:
    """Some dictionaries and functions, which must not go away."""

    def __init__(
        self, dictionaries: Collection[dict[Any, Any]], functions: Collection[Any] = ()
    ) -> None:
        of_dictionary, of_function = _version_word(), _function_words()
        self.can_tell = bool(of_dictionary and of_function)
        places = [id(one) + word for one in dictionaries for word in of_dictionary]
        places += [id(one) + word for one in functions for word in of_function]
        first = min(places, default=0)
        count = (max(places, default=0) - first) // _WORD + 1
        # Only the words at `places` are read of this array, which spans all memory between them.
        memory: Any = (ctypes.c_uint64 * count).from_address(first) if places else b""
        self._take = np.frombuffer(memory, np.uint64).take
        self._places = (np.array(places, np.intp) - first) // _WORD
        # Made once: a submission may have used up its memory.
        self._now, self._noted = np.zeros((2, len(places)), np.uint64)
        self._views = self._now.data, self._noted.data
        self.unchanged()
        self.note()

    def unchanged(self) -> bool:
        """Return whether nothing has changed since it was noted."""
        self._take(self._places, None, self._now, "clip")
        now, noted = self._views
        return self.can_tell and now == noted

    def note(self) -> None:
        """Take what `unchanged` has just seen as right: all was compared after it, and nothing had to be restored."""
        self._noted[:] = self._now


def _words_of(thing: object) -> list[int]:
    count = type(thing).__basicsize__ // _WORD
    return list((ctypes.c_uint64 * count).from_address(id(thing)))


@functools.cache
def _version_word() -> tuple[int, ...]:
    """Return where the version of a dictionary stands in it: the one word that another value in it changes."""
    sample: dict[str, object] = {"name": 0, "other": 1}
    before = _words_of(sample)
    sample["name"] = ""
    after = _words_of(sample)
    changed = [
        place for place, pair in enumerate(zip(before, after, strict=True)) if pair[0] != pair[1]
    ]
    return (_WORD * changed[0],) if len(changed) == 1 else ()


@functools.cache
def _function_words() -> tuple[int, ...]:
    """Return where a function's code and defaults stand in it; nothing if they cannot be found."""

    def sample(_first: object = 1, *, _second: object = 2) -> None:
        """Have defaults of both kinds."""

    words = _words_of(sample)
    parts = [id(getattr(sample, name)) for name in _parts_of_a_function]
    return (
        tuple(_WORD * words.index(part) for part in parts) if all(map(words.count, parts)) else ()
    )
