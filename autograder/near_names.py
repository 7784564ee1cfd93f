"""Find the name that was meant. The time is bounded, whatever names a submission has."""

from __future__ import annotations

import difflib
import re
from operator import eq
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

LONGEST = 40
LONGEST_PATH = 100
MOST_NAMES = 1_000
LENGTHS_APART = 3
SHORTEST = 3  # of shorter names, half of the letters may be others
LIMIT = 0.7
CLEAR = 0.8

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|\d+")
# What torch and NumPy call the same argument.
_SAME_MEANING = (
    {"dim", "axis"},
    {"keepdim", "keepdims"},
    {"correction", "ddof"},
    {"unbiased", "ddof"},
)


def nearest(name: str, candidates: Iterable[str]) -> str | None:
    """Return the candidate that is most like a name; None if there is none.

    A name that differs only in capitals and underscores comes first, then one with two letters exchanged.
    """
    if len(name) > LONGEST:
        return None
    near = sorted(
        candidate
        for candidate in set(candidates)
        if candidate != name
        and len(candidate) <= LONGEST
        and abs(len(candidate) - len(name)) <= LENGTHS_APART
    )[:MOST_NAMES]
    if same := same_letters(name, near) or _exchanged(name, near):
        return same
    # Of two that differ only in capitals, the last is kept: the one with more of the name's own.
    near.sort(key=lambda other: sum(map(eq, other, name)))
    small = {other.lower(): other for other in near if len(other) >= SHORTEST}
    found = difflib.get_close_matches(name.lower(), small, n=1, cutoff=LIMIT)
    return small[found[0]] if found else None


def is_clear(name: str, meant: str) -> bool:
    """Return whether a name is so near to another that nothing else can be meant."""
    turned = len(name) == len(meant) and sorted(name) == sorted(meant)
    return turned or difflib.SequenceMatcher(None, name.lower(), meant.lower()).ratio() >= CLEAR


def same_letters(name: str, candidates: Iterable[str]) -> str | None:
    """Return the first other name that differs only in capitals and underscores; None if there is none."""
    letters = plain(name)
    same = (other for other in candidates if other != name and plain(other) == letters)
    return min(same, default=None)


def _exchanged(name: str, candidates: Iterable[str]) -> str | None:
    """Return the first other name in which two neighbouring letters are exchanged; None if there is none."""
    if len(name) < SHORTEST:
        return None
    turned = {
        name[:at] + name[at + 1 : at - 1 : -1] + name[at + 2 :] for at in range(1, len(name) - 1)
    }
    turned.add(name[1::-1] + name[2:])
    return next((one for one in candidates if one in turned and one != name), None)


def argument_meant(keyword: str, arguments: Collection[str]) -> str | None:
    """Return the argument of a function that was meant by a keyword which it does not take; None if unknown."""
    translated = {name for both in _SAME_MEANING if keyword in both for name in both}
    parts = [*translated, *keyword.split("_")]
    return nearest(keyword, arguments) or next((one for one in arguments if one in parts), None)


def is_dotted(name: str) -> bool:
    """Return whether a text is a name, or a path such as `torch.nn`, of a length that can be shown."""
    return len(name) <= LONGEST_PATH and all(map(str.isidentifier, name.split(".")))


def plain(name: str) -> str:
    """Return a name in lower case without underscores."""
    return name.replace("_", "").lower()


def renamed(wanted: Iterable[str], present: Iterable[str]) -> dict[str, str]:
    """Match wanted names with present names, such as `W_query` with `Wq`.

    Each name has at most one partner, and only if the match is clear.
    """
    wanted, names = list(wanted), [name for name in present if len(name) <= LONGEST][:MOST_NAMES]
    free = [name for name in names if name not in wanted]
    pairs: dict[str, str] = {}
    for name in wanted:  # first what has the whole word, such as `toqueries`
        fits = [one for one in free if _ends_with(one, _own_words(name, wanted))]
        if name not in names and len(fits) == 1:
            pairs[name] = fits[0]
    for name in wanted:
        left = [one for one in free if one not in pairs.values()]
        fits = [one for one in left if _means(one, name, wanted)]
        near = fits[0] if len(fits) == 1 else nearest(name, fits or left)
        if name not in names and name not in pairs and near is not None:
            pairs[name] = near
    return pairs


def _ends_with(name: str, endings: Iterable[str]) -> bool:
    """Return whether a word of a name ends with one of these words, or with its plural."""
    long = [word for word in endings if len(word) > 2]  # noqa: PLR2004
    forms = [form for word in long for form in (word, f"{word}s", re.sub("y$", "ies", word))]
    return any(word.endswith(tuple(forms)) for word in words(name))


def _own_words(wanted: str, others: Iterable[str]) -> list[str]:
    """Return the words of a name that tell it from the others; all if none does."""
    shared = {word for other in others if other != wanted for word in words(other)}
    return [word for word in words(wanted) if word not in shared] or words(wanted)


def _means(name: str, wanted: str, others: Iterable[str]) -> bool:
    """Return whether a name has the part that tells `wanted` from the others, perhaps shortened."""
    first = wanted[:1].lower()
    parts = words(name)
    parts += [part[1:] for part in parts if part.startswith(first) and len(part) > 1]
    return any(
        word.startswith(part) or (len(word) > 2 and part.startswith(word[:-1]))  # noqa: PLR2004
        for word in _own_words(wanted, others)
        for part in parts
    )


def words(name: str) -> list[str]:
    """Return the words of a name in lower case: `W_query` has `w` and `query`, `Wq` has `wq`."""
    return [word.lower() for word in _WORD.findall(name)]
