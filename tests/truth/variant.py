"""One row of a truth table: a step as a student might write it."""

from dataclasses import dataclass
from textwrap import dedent


@dataclass(frozen=True)
class Variant:
    """A step written in another way, right or wrong.

    Attributes:
        name: unique, snake_case.
        row: the mistake or style in docs/misconceptions.md of which this is an example; "unnamed" if
            the feedback describes a wrong answer without naming it, "unlisted" if there is no entry.
        step: the step that the variant redefines.
        source: Python that redefines the step; common indentation is removed.
        loses: the points lost, if known; None if only known to lose points in `step`.
    """

    name: str
    row: str
    step: str
    source: str
    loses: float | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "source", dedent(self.source).strip("\r\n") + "\n")


def submission(base: str, variant: Variant) -> str:
    """Return the right, self-contained submission `base` with the step of `variant`."""
    return f"{base.rstrip()}\n\n\n{variant.source}"


def rewritten(source: str, *changes: tuple[str, str]) -> str:
    """Return `source` with the given replacements.

    Raises ValueError if a piece is missing: the variant would then be the unchanged source.
    """
    for old, new in changes:
        if old not in source:
            raise ValueError(f"{old!r} is not in the source that is to be rewritten")
        source = source.replace(old, new)
    return source
