"""Print the feedback for one in ten rows of the truth tables as JSON: `python -m tests.truth.words [SEED]`.

The first line has sums whose last digits depend on the processor; the second line has all points,
names and texts.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import sys
from typing import TYPE_CHECKING, Any

import torch

from autograder.explain.feedback_text import check_markdown
from tests.exams import exam_of
from tests.truth.graded import own_step
from tests.truth.stored import SAMPLE, every_row
from tests.truth.variant import Variant

if TYPE_CHECKING:
    from autograder.results import CheckResult


def all_words(seed: int) -> dict[str, list[Any]]:
    """Return the points and feedback of the own step of one in ten rows."""
    return {
        f"{row.assignment} {row.of.name}": entry(
            own_step(row.assignment, row.of, exam_of(row.assignment, seed))
        )
        for row in every_row()[::SAMPLE]
        if isinstance(row.of, Variant)
    }


def entry(result: CheckResult) -> list[Any]:
    """Return the parts of a check's result that a student or an instructor sees."""
    named = [list(result.mistakes), result.sure, list(result.remarks), result.carried_forward]
    return [result.score, result.outcome.value, *named, check_markdown(result)]


def digits() -> list[str]:
    """Return sums that other processors round differently, and a digest of all their digits."""
    left = torch.randn(96, 96, generator=torch.Generator().manual_seed(0))
    products = [left[:rows, :inner] @ left[:inner] for rows in (1, 5, 96) for inner in (3, 7, 96)]
    seen = b"".join(
        torch.softmax(one, -1).numpy().tobytes() + one.numpy().tobytes() for one in products
    )
    return [repr(products[-1].sum().item()), hashlib.sha256(seen).hexdigest()[:16]]


def main() -> None:
    """Print both lines, without the output of the rows themselves."""
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    with contextlib.redirect_stdout(io.StringIO()):
        words = all_words(seed)
    print(json.dumps(digits()))
    print(json.dumps(words))


if __name__ == "__main__":
    main()
