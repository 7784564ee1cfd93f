"""What the rules of small edits know of Python and of its libraries, and the codes of all kinds of edit."""

from __future__ import annotations

import ast

# What stands for a statement that is left out.
NOTHING = "pass"
CONSTANTS = (0, 1, -1, 2, 0.5, -0.5, 3, 10)
AXES = {
    "0": "axis-first",
    "1": "axis-second",
    "-1": "axis-last",
    "-2": "axis-before-last",
    "None": "axis-none",
}
# Edits that somebody makes at all places but one.
AT_SOME = (
    "statement-left-out",
    "part-twice",
    "option-left-out",
    "option-other",
    "matrix-for-another",
)
# Of so many parts all other orders are tried.
MOST_ORDERED = 3
AXIS_OPTIONS = ("dim", "axis")
OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "plus",
    ast.Sub: "minus",
    ast.Mult: "times",
    ast.Div: "divided",
    ast.FloorDiv: "floor-divided",
    ast.Pow: "power",
    ast.MatMult: "matrix-product",
}
REDUCTIONS = ("sum", "mean", "max", "amax", "min", "amin", "var", "std", "prod")
# Functions that are taken for each other.
FAMILIES = (
    ("rand", "randn", "zeros", "ones"),
    ("softmax", "sigmoid", "log_softmax", "relu", "tanh", "exp", "_shares", "_sums_not_kept"),
    ("sqrt", "exp", "log", "square", "rsqrt"),
    ("exp", "exp2", "expm1", "abs"),
    ("Linear", "Identity"),
    ("eye", "ones", "zeros", "tril", "triu"),
    ("tril", "triu"),
    ("split", "list", "splitlines"),
    ("manual_seed", "seed"),
    REDUCTIONS,
)
_NAMES = tuple(
    dict.fromkeys(
        name
        for family in FAMILIES
        if family is not REDUCTIONS
        for name in family
        if not name.startswith("_")
    )
)
LEFT_OUT = {
    "softmax": "softmax-left-out",
    "sqrt": "root-left-out",
    "exp": "exponential-left-out",
    "transpose": "transpose-left-out",
    "t": "transpose-left-out",
}
# What may be put around an expression. The functions with an underscore are those of `edit_functions.py`.
AROUND = {
    "({}).T": "transpose-added",
    "({0}).reshape(({0}).shape[::-1])": "reshaped",
    "_shares({})": "shares",
    "_unit({})": "unit-length",
    "_softmax({})": "softmax-added",
    "_masked({})": "masked",
    "({}).tril()": "masked",
    "({0}) / ({0}).shape[-1] ** 0.5": "scaled-again",
    "({0}) / ({0}).shape[-1]": "scaled-again",
    "({}) * 2": "doubled",
    "({}) / 2": "halved",
    "1 / ({})": "reciprocal",
    "({}).mean(-1, keepdims=True)": "reduced-by-mean",
    "abs({})": "absolute",
    "-({})": "sign",
    "int({})": "whole-number",
    "({}).round()": "rounded",
    "({}).round(decimals=4)": "rounded",
    "({}) ** 2": "squared",
    "({}) ** 0.5": "root-added",
    "({}) + 1": "one-more",
    "({}) - 1": "one-less",
    "({}).squeeze()": "squeezed",
    "({})[::-1]": "reversed",
    "({}).flip(0)": "reversed",
    "sorted({})": "sorted",
    "({}).lower()": "lower-case",
    "_turned({})": "turned-round",
    "({})[0]": "one-only",
    "({})[1]": "one-only",
    "({})[2]": "one-only",
    "({})[-1]": "one-only",
    "({})[:1]": "one-only",
    "({})[None]": "axis-of-length-one",
    "({}).float()": "another-dtype",
    "({}).detach()": "cut",
    "({}).requires_grad_()": "trainable",
    "({}).requires_grad_(False)": "frozen",
}
# Options that a call may get.
OPTIONS = {
    "Linear": ("bias=True", "bias=False"),
    "var": ("correction=0", "correction=1"),
    "std": ("correction=0", "correction=1"),
    "sum": ("keepdims=True",),
    "max": ("keepdims=True",),
}
# Where a function draws, a seed may be set inside.
DRAWING = ("rand", "randn", "Linear")
SEEDS = (0, 1, 42, 123)

# All codes, the plainest first: of several edits with one answer, the first is told.
CODES = (
    "nothing-returned",
    "axis-first",
    "axis-second",
    "axis-before-last",
    "axis-last",
    "axis-none",
    "axis-left-out",
    "transpose-left-out",
    "softmax-left-out",
    "root-left-out",
    "exponential-left-out",
    "power-without-brackets",
    "brackets",
    "plus-left-out",
    "minus-left-out",
    "times-left-out",
    "divided-left-out",
    "floor-divided-left-out",
    "power-left-out",
    "matrix-product-left-out",
    "order-exchanged",
    "outer-product",
    "mean-over-the-tokens",
    "weights-of-one",
    "constant-for-a-size",
    "spread-around-zero",
    "mean-of-rows",
    "input-for-another",
    "matrix-for-another",
    "operands-exchanged",
    "arguments-exchanged",
    "parts-exchanged",
    "names-exchanged",
    "part-twice",
    "part-left-out",
    "statement-left-out",
    "call-left-out",
    "operator-left-out",
    "first-operand-left-out",
    "returned-earlier",
    "done-twice",
    "size-other",
    "operator-plus",
    "operator-minus",
    "operator-times",
    "operator-divided",
    "operator-floor-divided",
    "operator-power",
    "operator-matrix-product",
    "transpose-added",
    "reshaped",
    "option-left-out",
    "option-added",
    "option-other",
    "condition-left-out",
    "condition-turned",
    "counted-from-one",
    *(f"reduced-by-{name}" for name in REDUCTIONS),
    *(f"function-{name}" for name in _NAMES),
    "constant-other",
    "squared",
    "root-added",
    "softmax-added",
    "doubled",
    "halved",
    "one-more",
    "one-less",
    "sign",
    "absolute",
    "rounded",
    "whole-number",
    "reciprocal",
    "shares",
    "sums-not-kept",
    "unit-length",
    "reversed",
    "sorted",
    "lower-case",
    "one-only",
    "squeezed",
    "axis-of-length-one",
    "masked",
    "scaled-again",
    "input-added",
    "more-returned",
    "turned-round",
    "another-dtype",
    "seeded",
    "trainable",
    "frozen",
    "cut",
)
