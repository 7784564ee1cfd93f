"""One entry of a truth table: a step as some student would write it."""

from dataclasses import dataclass
from textwrap import dedent


@dataclass(frozen=True)
class Variant:
    """A step written in another way, right or wrong.

    Attributes:
        name: unique, snake_case.
        row: the mistake or style in docs/misconceptions.md that it is an example of; "unnamed" where a wrong answer
            is described and not named, "unlisted" where there is no entry.
        step: the step that it redefines.
        source: Python that redefines it; indentation that all its lines share is taken off.
        loses: the points that it costs, where that is known; None: something in `step`.
    """

    name: str
    row: str
    step: str
    source: str
    loses: float | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "source", dedent(self.source).strip("\r\n") + "\n")


def submission(base: str, variant: Variant) -> str:
    """A right, self-contained submission with one step written as `variant` has it."""
    return f"{base.rstrip()}\n\n\n{variant.source}"


def rewritten(source: str, *changes: tuple[str, str]) -> str:
    """`source` with pieces of it replaced.

    Raises ValueError if a piece is not there, since the variant would then be the right one.
    """
    for old, new in changes:
        if old not in source:
            raise ValueError(f"{old!r} is not in the source that is to be rewritten")
        source = source.replace(old, new)
    return source
