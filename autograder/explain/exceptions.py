"""Explain an exception: the first line against the release, a name that is not there, the operation that raised."""

from __future__ import annotations

from typing import TYPE_CHECKING

from autograder.explain import missing_names, operation, signatures

if TYPE_CHECKING:
    from autograder.explain.raised import Raised
    from autograder.explain.rules import Finding

ORDER = (signatures.RULES, missing_names.RULES, operation.RULES)


def read_error(raised: Raised) -> Finding | None:
    """Explain an exception; return None if its message says all that is known."""
    return next((found for rules in ORDER if (found := rules.first(raised))), None)
