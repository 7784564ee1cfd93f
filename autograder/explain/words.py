"""The table of words: for each finding what is wrong, and where to look."""

from __future__ import annotations

from autograder.explain import words_of_errors as errors
from autograder.explain import words_of_source as source

WORDS = {
    **errors.MESSAGES,
    **errors.NAMES,
    **errors.CALLS,
    **source.SLIPS,
    **source.CLASSES,
    **source.OBSTACLES,
}
