"""Find the name that was meant. The time is bounded, whatever names a submission has."""

from __future__ import annotations

import difflib
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

LONGEST = 40
MOST = 200
LENGTHS_APART = 3
CUTOFF = 0.7

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|\d+")


def nearest(name: str, candidates: Iterable[str], cutoff: float = CUTOFF) -> str | None:
    """Return the candidate that is most like a name; None if there is none.

    A name that differs only in capitals and underscores comes first.
    """
    if len(name) > LONGEST:
        return None
    near = sorted(
        candidate
        for candidate in set(candidates)
        if candidate != name
        and len(candidate) <= LONGEST
        and abs(len(candidate) - len(name)) <= LENGTHS_APART
    )[:MOST]
    same = [candidate for candidate in near if plain(candidate) == plain(name)]
    if same:
        return same[0]
    found = difflib.get_close_matches(name, near, n=1, cutoff=cutoff)
    return found[0] if found else None


def plain(name: str) -> str:
    """Return a name in lower case without underscores."""
    return name.replace("_", "").lower()


def renamed(wanted: Iterable[str], present: Iterable[str]) -> Mapping[str, str]:
    """Match wanted names with present names, such as `W_query` with `Wq`.

    Each name has at most one partner, and only if the match is clear.
    """
    wanted, names = list(wanted), [name for name in present if len(name) <= LONGEST][:MOST]
    missing = [name for name in wanted if name not in names]
    free = [name for name in names if name not in wanted]
    pairs: dict[str, str] = {}
    for name in missing:
        others = [other for other in wanted if other != name]
        fits = [candidate for candidate in free if _means(candidate, name, others)]
        near = fits[0] if len(fits) == 1 else nearest(name, fits or free)
        if near is not None and near not in pairs.values():
            pairs[name] = near
    return pairs


def _means(name: str, wanted: str, others: Iterable[str]) -> bool:
    """Return whether a name has the part that tells `wanted` from the others, perhaps shortened."""
    shared = {word for other in others for word in words(other)}
    own = [word for word in words(wanted) if word not in shared] or words(wanted)
    first = wanted[:1].lower()
    parts = words(name)
    parts += [part[1:] for part in parts if part.startswith(first) and len(part) > 1]
    return any(
        word.startswith(part) or (len(word) > 2 and part.startswith(word[:-1]))  # noqa: PLR2004
        for word in own
        for part in parts
    )


def words(name: str) -> list[str]:
    """Return the words of a name in lower case: `W_query` has `w` and `query`, `Wq` has `wq`."""
    return [word.lower() for word in _WORD.findall(name)]
