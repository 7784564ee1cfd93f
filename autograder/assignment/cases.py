"""The inputs of a probe: drawn from the run's seed (general cases and a corner), or taken from the documents.

An assignment's `cases.py` declares the inputs, one function per step:

    @drawn("scale_scores")
    def _(draw):
        return {"scores": draw.tensor(draw.rows, draw.columns), "d_k": draw.d_k}

    @corner("scale_scores", says="with one query")
    def _(draw):
        return {"scores": draw.tensor(1, draw.columns), "d_k": draw.d_k}

    @documented("scale_scores")
    def _(reference, numbers):
        yield DocumentedCase({"scores": ..., "d_k": 2}, right=[Right(printed(numbers["scaled"]), decimals=4)])
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from operator import eq
from types import FunctionType
from typing import TYPE_CHECKING, Any

import numpy as np

from autograder.values.values import Array, tensor

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from types import ModuleType

    from autograder.compare import Right

    Inputs = dict[str, Any]
    DrawFunction = Callable[["Draw"], Inputs]
    DocumentedFunction = Callable[[ModuleType, Mapping[str, Any]], Iterable["DocumentedCase"]]

# Measured: inputs scaled by 1.3 make weak mistakes visible, and class weights scaled by 0.6 keep
# softmax rows from saturating.
INPUT_SCALE = 1.3
WEIGHT_SCALE = 0.6


@dataclass(frozen=True)
class DocumentedCase:
    """Inputs from a document, and their right answers."""

    inputs: Mapping[str, Any]
    right: tuple[Right, ...]


class Draw:
    """Draw new inputs for one case: distinct sizes, and normally distributed numbers.

    Args:
        origin: the same origin gives the same draw.
        unlike: an earlier draw. Each size and integer differs from the one that it drew in the same place, so that
            a constant cannot be right in both cases; and if there were more tokens than d_k, there are fewer, so
            that the larger of two sizes cannot be right in both.

    Attributes:
        tokens, other_tokens: T and a second number of tokens, both at least 3.
        d_in, d_k: widths. All four sizes differ, so that no size can be taken for another. d_k is
            never 1, 2 or 4, because some wrong scalings give the right result for these.
        integers: the integers drawn so far.
    """

    def __init__(self, *origin: object, unlike: Draw | None = None) -> None:
        digest = hashlib.sha256(repr(origin).encode()).digest()
        self._generator = np.random.default_rng(int.from_bytes(digest, "little"))
        sizes = self._sizes()
        while unlike and _may_be_confused(sizes, unlike.sizes):  # about one draw in eight is kept
            sizes = self._sizes()
        self.sizes: tuple[int, ...] = sizes
        self.tokens, self.other_tokens, self.d_in, self.d_k = sizes
        self.integers: list[int] = []
        self._unlike = unlike

    def _sizes(self) -> tuple[int, ...]:
        d_k = int(self._generator.choice([3, 5, 6]))
        rest = [size for size in (3, 4, 5, 6, 7) if size != d_k]
        return (*map(int, self._generator.permutation(rest)[:3]), d_k)

    def normal(self, *shape: int, scale: float = INPUT_SCALE) -> np.ndarray[Any, Any]:
        """Return normal numbers of this shape, rounded to 4 decimals: easy to type by hand."""
        return np.round(self._generator.normal(size=shape) * scale, 4)

    def tensor(self, *shape: int, scale: float = INPUT_SCALE) -> Array:
        """Return normal numbers of this shape as a float32 tensor."""
        return tensor(self.normal(*shape, scale=scale))

    def weights(self, *shape: int) -> Array:
        """Return weights for a class as a float32 tensor."""
        return self.tensor(*shape, scale=WEIGHT_SCALE)

    def rows_that_sum_to_one(self, rows: int, columns: int) -> Array:
        """Return random attention weights: positive, float32, each row sums to 1."""
        positive = np.exp(self.normal(rows, columns))
        return tensor(positive / positive.sum(axis=-1, keepdims=True))

    def integer(self, low: int, high: int) -> int:
        """Return an integer from `low` up to, but not including, `high`."""
        place = len(self.integers)
        earlier = self._unlike.integers[place:] if self._unlike else []
        if earlier and low <= earlier[0] < high and high - low > 1:
            number = int(self._generator.integers(low, high - 1))
            number += number >= earlier[0]
        else:
            number = int(self._generator.integers(low, high))
        self.integers.append(number)
        return number


def _may_be_confused(sizes: tuple[int, ...], earlier: tuple[int, ...]) -> bool:
    """Return whether a constant, or the larger of a number of tokens and d_k, may stand for a size in both draws."""
    *tokens, _, d_k = sizes
    *others, _, other_d_k = earlier
    larger = ((one > d_k) is (other > other_d_k) for one, other in zip(tokens, others, strict=True))
    return any(map(eq, sizes, earlier)) or any(larger)


@dataclass
class CaseBook:
    """All case functions of an assignment by step, and what is special about each corner."""

    drawn: dict[str, DrawFunction] = field(default_factory=dict)
    corner: dict[str, DrawFunction] = field(default_factory=dict)
    documented: dict[str, DocumentedFunction] = field(default_factory=dict)
    special: dict[str, str] = field(default_factory=dict)


_ATTRIBUTE = "case"


def drawn(step: str) -> Callable[[DrawFunction], DrawFunction]:
    """Declare a function that draws a step's inputs."""
    return _declared("drawn", step)


def corner(step: str, *, says: str) -> Callable[[DrawFunction], DrawFunction]:
    """Declare a function that draws the inputs of a step's corner: a special case, asked after the drawn ones.

    Only the step's value is asked there. `says` tells students what is special: "with one token".
    """
    return _declared("corner", step, says)


def documented(step: str) -> Callable[[DocumentedFunction], DocumentedFunction]:
    """Declare a function that yields a step's documented cases.

    The function receives the reference and the printed numbers of documented.json.
    """
    return _declared("documented", step)


def _declared(kind: str, step: str, special: str = "") -> Callable[[Any], Any]:
    def declare(function: Any) -> Any:
        vars(function)[_ATTRIBUTE] = kind, step, special
        return function

    return declare


def case_book(declarations: Iterable[object]) -> CaseBook:
    """Collect the case functions of a `cases.py`."""
    book = CaseBook()
    for function in declarations:
        if isinstance(function, FunctionType) and _ATTRIBUTE in vars(function):
            kind, step, special = vars(function)[_ATTRIBUTE]
            getattr(book, kind)[step] = function
            if kind == "corner":
                book.special[step] = special
    return book
