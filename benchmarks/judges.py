"""Count the wrong programs that each kind of judge passes, and the right ones that it rejects.

The wrong programs are scaled dot-product attention as students write it, one for each row of the
catalogue of mistakes. Rows with the same numbers in the whole computation count once: row 12 equals
row 8, and row 51 equals row 6. The right programs are unusual ones. All judges get the same programs
in the same run. Run it in the project's folder: `python -m benchmarks.judges`.
"""

from __future__ import annotations

import secrets
import types
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch

from autograder.assignment.probes import inject
from autograder.assignment.source import load_source
from autograder.exam.draw import draw_exam
from autograder.grading.run_seed import SEED_BITS
from tests.graders import check_step, open_session
from tests.truth.variant import Variant, rows_of, submission

if TYPE_CHECKING:
    from collections.abc import Callable

    from autograder.assignment.source import Source

    Judge = Callable[[str], bool]
    Change = tuple[str, str]

ROOT = Path(__file__).parents[1]
STEP = "SelfAttention_v1"
MATRICES = ("W_query", "W_key", "W_value")
DOCUMENTED_SEED = 123
SIDE = 4

ATTENTION = """\
def attention(x, W_query, W_key, W_value):
    queries = x @ W_query
    keys = x @ W_key
    values = x @ W_value
    scores = queries @ keys.T
    scaled = scores / keys.shape[-1] ** 0.5
    weights = torch.softmax(scaled, dim=-1)
    return weights @ values
"""
IN_A_CLASS = """

class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

    def forward(self, x):
        return attention(x, self.W_query, self.W_key, self.W_value)
"""
SCORES = "queries @ keys.T"
ROOT_OF_D_K = "keys.shape[-1] ** 0.5"
SCALED = f"scores / {ROOT_OF_D_K}"
SOFTMAX = "torch.softmax(scaled, dim=-1)"


def rewritten(source: str, *changes: Change) -> str:
    """Return `source` with the given replacements.

    Raises ValueError if a piece is missing: the variant would then be the unchanged source.
    """
    for old, new in changes:
        if old not in source:
            raise ValueError(f"{old!r} is not in the source that is to be rewritten")
        source = source.replace(old, new)
    return source


def wrong(name: str, *changes: Change) -> Variant:
    """Return a program with this mistake."""
    return Variant(name, "unlisted", STEP, rewritten(ATTENTION, *changes) + IN_A_CLASS)


def swapped(one: str, other: str) -> tuple[Change, ...]:
    """Return the changes that swap the matrices of two projections."""
    return (
        (f"x @ W_{one}", "x @ W"),
        (f"x @ W_{other}", f"x @ W_{one}"),
        ("x @ W\n", f"x @ W_{other}\n"),
    )


WRONG = (
    wrong("values from W_key", ("x @ W_value", "x @ W_key")),
    wrong("queries and keys swapped", *swapped("query", "key")),
    wrong("keys and values swapped", *swapped("key", "value")),
    wrong("queries with queries", (SCORES, "queries @ queries.T")),
    wrong("keys with keys", (SCORES, "keys @ keys.T")),
    wrong("reshape for transpose", (SCORES, "queries @ keys.reshape(keys.shape[1], -1)")),
    wrong("cosine", (SCORES, "torch.cosine_similarity(queries[:, None], keys, dim=-1)")),
    wrong("not scaled", (SCALED, "scores")),
    wrong("divided by d_k", (ROOT_OF_D_K, "keys.shape[-1]")),
    wrong("d_k**1/2", (ROOT_OF_D_K, "(keys.shape[-1] ** 1 / 2)")),
    wrong("divided by sqrt(T)", (ROOT_OF_D_K, "keys.shape[0] ** 0.5")),
    wrong("multiplied by sqrt(d_k)", ("scores /", "scores *")),
    wrong("scaled after softmax", (SCALED, "scores"), (SOFTMAX, f"{SOFTMAX} / {ROOT_OF_D_K}")),
    wrong("divided by 2**0.5", (ROOT_OF_D_K, "2**0.5")),
    wrong("softmax over the queries", ("dim=-1", "dim=0")),
    wrong("softmax of everything", (SOFTMAX, "torch.softmax(scaled.flatten(), 0).view_as(scaled)")),
    wrong("softmax twice", (SOFTMAX, f"torch.softmax({SOFTMAX}, dim=-1)")),
    wrong("no softmax", (SOFTMAX, "scaled")),
    wrong("weights transposed", ("weights @ values", "weights.T @ values")),
)
RIGHT_ROWS = (
    "einsum",
    "functional_linear",
    "library_attention",
    "queries_scaled_first",
    "both_scaled_by_the_fourth_root",
    "scale_in_the_matrix",
    "one_bilinear_form",
    "values_projected_last",
    "softmax_by_logarithms",
    "column_layout",
    "broadcast_and_sum",
    "creation_order",
)


def first_class(row: str) -> Variant:
    """Return the first accepted class of this style."""
    fitting = (
        one for one in rows_of("self_attention", "accepted") if (one.step, one.row) == (STEP, row)
    )
    return next(fitting)


def attention_class(program: str) -> Any:
    """Return the class that a program defines."""
    module = types.ModuleType("program")
    exec(compile(program, "<program>", "exec"), module.__dict__)
    return vars(module)[STEP]


def with_weights(program: str, x: torch.Tensor, weights: list[torch.Tensor]) -> torch.Tensor:
    """Return the output of a program's class for `x` with these three matrices."""
    attention = attention_class(program)(*weights[0].shape)
    output: torch.Tensor = inject(attention, dict(zip(MATRICES, weights, strict=True)))(x).detach()
    return output


def our_judge(source: Source) -> Judge:
    """Judge by the kit's check on newly drawn cases.

    A program is right if it keeps all points that depend on the value.
    """
    exam = draw_exam(source, secrets.randbits(SEED_BITS))
    check = next(check for check in source.assignment.checks if check.name == STEP)
    whatever = sum(criterion.points for criterion in check.criteria if criterion.alone)
    return lambda program: check_step(exam, open_session(exam, program), STEP).score > whatever


def printed_judge(source: Source, tolerance: float) -> Judge:
    """Judge like the documents: set the seed, make the class, compare with the printed numbers."""
    x, printed = (torch.tensor(source.numbers[name]) for name in ("inputs", "sa_v1_seed_123"))

    def judge(program: str) -> bool:
        make = attention_class(program)
        torch.manual_seed(DOCUMENTED_SEED)
        return near(make(x.shape[1], printed.shape[1])(x), printed, tolerance)

    return judge


def shape_judge(source: Source) -> Judge:
    """Judge only the output's shape, on the documents' inputs."""
    x, *weights = documented(source)
    return lambda program: with_weights(program, x, weights).shape == (len(x), weights[-1].shape[1])


def snapshot_judge(book: str) -> Judge:
    """Judge by stored right numbers for one case with equal sizes: as many tokens as columns."""
    generator = torch.Generator().manual_seed(DOCUMENTED_SEED)
    x, *weights = torch.randn(1 + len(MATRICES), SIDE, SIDE, generator=generator)
    kept = with_weights(book, x, weights)
    return lambda program: near(with_weights(program, x, weights), kept, 1e-4)


def bits_judge(source: Source, book: str) -> Judge:
    """Judge by bitwise equality with the output of the book's code, on the documents' inputs."""
    x, *weights = documented(source)
    kept = with_weights(book, x, weights)
    return lambda program: torch.equal(with_weights(program, x, weights), kept)


def near(output: torch.Tensor, wanted: torch.Tensor, tolerance: float) -> bool:
    """Return whether all numbers are within the tolerance."""
    return bool((output - wanted).abs().max() <= tolerance)


def documented(source: Source) -> list[torch.Tensor]:
    """Return the documents' tokens and three matrices."""
    return [torch.tensor(source.numbers[name]) for name in ("inputs", *MATRICES)]


def main() -> None:
    """Run all judges on all programs, and print the counts."""
    torch.set_num_threads(1)
    source = load_source(ROOT / "solutions" / "self_attention")
    base = (ROOT / "tests" / "truth" / "self_attention" / "base.py").read_text(encoding="utf-8")
    book = submission(base, Variant("as in the book", "matmul", STEP, ATTENTION + IN_A_CLASS))
    judges = {
        "ours": our_judge(source),
        "shape only": shape_judge(source),
        "printed values at 1e-2": printed_judge(source, 1e-2),
        "printed values at 1e-4": printed_judge(source, 1e-4),
        "a snapshot at T = d_k = 4": snapshot_judge(book),
        "bit-equal to the book": bits_judge(source, book),
    }
    right = [first_class(row) for row in RIGHT_ROWS]
    print(f"{'judge':27}wrong, let pass   right, rejected   wrong, let pass")
    for name, judge in judges.items():
        if not judge(book):
            raise SystemExit(f"{name}: rejects what the book itself writes, so it measures nothing")
        passed = [one.name for one in WRONG if judge(submission(base, one))]
        rejected = sum(not judge(submission(base, one)) for one in right)
        counts = f"{len(passed):6} of {len(WRONG)} {rejected:11} of {len(right)}"
        print(f"{name:27}{counts}          {', '.join(passed) or '-'}")


if __name__ == "__main__":
    main()
