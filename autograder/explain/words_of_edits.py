"""What is said of an answer that is the right computation with a small edit, by the kind of edit.

The words tell what was computed, never how it is right. Each entry has the edit, and where to look.
Where no place to look is named, the step's own hint says more than the kind of edit could.
"""

from __future__ import annotations


def _along(where: str) -> tuple[str, str]:
    return (
        f"with an operation that runs {where}",
        "The axis (dim) of each softmax, sum, maximum or variance: which numbers belong together?",
    )


EDITS: dict[str, tuple[str, str]] = {
    "nothing-returned": ("without its last line, so nothing comes back", "The `return`."),
    "axis-first": _along("along the first axis, down each column"),
    "axis-second": _along("along the second axis"),
    "axis-before-last": _along("along the axis before the last"),
    "axis-last": _along("along the last axis"),
    "axis-none": _along("over all numbers at once"),
    "transpose-left-out": (
        "without a transpose",
        "Each product: which axis must meet which, and does a matrix have to be turned for that?",
    ),
    "power-without-brackets": (
        "with `** 1 / 2`: Python takes the power first, then halves the result",
        "The exponent. Python computes a power before a division: brackets decide.",
    ),
    "input-for-another": ("with one input in the place of another", ""),
    "matrix-for-another": ("with one of its matrices or layers in the place of another", ""),
    "operands-exchanged": (
        "with the two sides of an operation exchanged",
        "Each `@`, `/`, `-` and `**`: what stands on the left, what on the right?",
    ),
    "arguments-exchanged": (
        "with two arguments of a call exchanged",
        "Each call: do its arguments stand in the order in which it takes them?",
    ),
    "parts-exchanged": (
        "with two of the results in each other's place",
        "The `return`: the order of what comes back.",
    ),
    "statement-left-out": ("with one line left out", ""),
    "call-left-out": ("with one function not called: what it should get is used as it is", ""),
    "returned-earlier": (
        "stopped before its end: what comes back is an argument, or a value from the middle",
        "The `return`: does it give back the result of the last operation?",
    ),
    "done-twice": ("with one operation done twice", ""),
    "transpose-added": (
        "with a transpose too many",
        "Each `.T` or `transpose`: which shape must stand on which side?",
    ),
    "reshaped": (
        "with a matrix reshaped in the place of transposed: the shape fits, and the numbers are in other places",
        "reshape and view keep the order of the numbers; a transpose turns rows into columns.",
    ),
    "operation-left-out": (
        "with one operation left out: only one of its two sides is used",
        "Each `@`, `*`, `/`, `+`, `-` and `**`: are both sides there?",
    ),
    "operator-other": (
        "with one operator in the place of another",
        "Each operator: is it the operation that the task asks for?",
    ),
    **{
        f"function-{name}": (
            f"with `{name}` in the place of another function",
            f"Each function that your code calls: is `{name}` what the task asks for?",
        )
        for name in ("sigmoid", "exp", "mean", "std", "tril")
    },
    "function-rand": (
        "with `rand`, which draws between 0 and 1, in the place of another function",
        "Each function that draws: from which numbers does the task draw?",
    ),
    "function-randn": (
        "with `randn`, which draws around 0, in the place of another function",
        "Each function that draws: from which numbers does the task draw?",
    ),
    "option-left-out": ("with an option (`name=value`) of a call left out", ""),
    "option-other": ("with another value for an option (`name=value`) of a call", ""),
    "constant-other": (
        "with another number in one place of the code",
        "Each number that stands in your code.",
    ),
    "squared": (
        "with one value squared",
        "Each power and each product: what is multiplied by itself?",
    ),
    "softmax-added": (
        "with a softmax where none belongs",
        "Each softmax: is it the task of this step, and of which numbers is it taken?",
    ),
    "one-more": ("with 1 added in one place", "Each `+ 1`, each size and each index."),
    "sign": (
        "with the opposite sign in one place",
        "Each minus: one may be too many, or missing.",
    ),
    "absolute": (
        "with an absolute value in one place: negative numbers become positive",
        "Each abs, and each square with its root.",
    ),
    "rounded": ("with numbers rounded in one place", "Each round."),
    "unit-length": (
        "with rows scaled to length 1",
        "Each norm: a dot product takes the vectors as they are.",
    ),
    "one-only": (
        "with one row or part used in the place of the whole",
        "Each index: is the whole meant, or one row?",
    ),
    "axis-of-length-one": (
        "with an axis of length 1 too many",
        "The shape: is there an axis that nobody asked for?",
    ),
    "masked": (
        "with a mask: some keys get no share",
        "Each mask: does the task ask for one?",
    ),
    "scaled-again": (
        "divided by a size, or the root of one, where that does not belong",
        "Each division: is it the task of this step?",
    ),
    "more-returned": (
        "with more than the result in what comes back",
        "The `return`: what does the task ask for?",
    ),
    "cut": (
        "with the gradient cut: no training reaches what lies behind",
        "Each .detach(), .data, no_grad and NumPy call.",
    ),
    "constant-for-a-size": (
        "with a fixed number in the place of a size",
        "Each number that stands in the code: the sizes come from the arguments.",
    ),
}

# What must stand in the source, or the words would not be true; nothing for words that only tell an effect.
WRITTEN = {
    "transpose-added": r"\.[TH]\b|\.m[TH]\b|\.t\(|transpose|swapaxes|permute|movedim|einsum",
    "reshaped": "reshape|view|flatten|ravel|resize",
    "power-without-brackets": r"\*\*",
    "softmax-added": "softmax|Softmax|exp",
}
