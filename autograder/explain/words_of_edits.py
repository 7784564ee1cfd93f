"""What is said of an answer that is the right computation with a small edit, by the kind of edit.

The words tell what was computed, never how it is right. Each entry has the edit, where to look, and patterns of code
(see `syntax.py`) that show it in what a student wrote.
Where no place to look is named, the step's own hint says more than the kind of edit could.
"""

from __future__ import annotations

_OPERATIONS = {
    "plus": "an addition",
    "minus": "a subtraction",
    "times": "a multiplication of number by number",
    "divided": "a division",
    "floor-divided": "`//`, a division that drops the digits after the point,",
    "power": "a power",
    "matrix-product": "a matrix product",
}
_REDUCTIONS = {
    "sum": "sum",
    "mean": "mean",
    "max": "largest number",
    "amax": "largest number",
    "min": "smallest number",
    "amin": "smallest number",
    "var": "variance",
    "std": "standard deviation",
    "prod": "product of all",
}
_DRAWN = ("rand", "randn", "zeros", "ones", "eye", "tril", "triu", "manual_seed", "seed")
_OF_NUMBERS = ("softmax", "sigmoid", "log_softmax", "relu", "tanh", "exp", "sqrt", "log", "square")
_FUNCTIONS = (
    *_DRAWN,
    *_OF_NUMBERS,
    *("rsqrt", "exp2", "expm1", "abs", "Linear", "Identity", "split", "list", "splitlines"),
)


def _along(where: str, *patterns: str) -> tuple[str, ...]:
    return (
        f"with an operation that runs {where}",
        "The axis (dim) of each softmax, sum, maximum or variance: which numbers belong together?",
        *patterns,
    )


def _with(function: str, called: str = "") -> tuple[str, ...]:
    return (
        f"with {function} in the place of another function",
        f"Each function that your code calls: is {function} what the task asks for?",
        f"{called}()",
    )


EDITS: dict[str, tuple[str, ...]] = {
    "nothing-returned": ("without its last line, so nothing comes back", "The `return`."),
    "axis-first": _along(
        "along the first axis, down each column",
        *("softmax(dim=0)", "sum(dim=0)"),
    ),
    "axis-second": _along("along the second axis"),
    "axis-before-last": _along("along the axis before the last", "softmax(dim=-2)"),
    "axis-last": _along("along the last axis"),
    "axis-none": _along("over all numbers at once"),
    "axis-left-out": _along("over all numbers at once, since no axis is named"),
    "transpose-left-out": (
        "without a transpose",
        "Each product: which axis must meet which, and does a matrix have to be turned for that?",
    ),
    "softmax-left-out": (
        "without the softmax",
        "Is the softmax called, and is its result what is used afterwards?",
    ),
    "root-left-out": (
        "without the square root",
        "What the numbers are divided by: is it the root, or the number under the root?",
    ),
    "exponential-left-out": (
        "without the exponential",
        "Each step of the softmax, in order.",
    ),
    "power-without-brackets": (
        "with `** 1 / 2`: Python takes the power first, then halves the result",
        "The exponent. Python computes a power before a division: brackets decide.",
        "_ ** 1 / 2",
    ),
    "brackets": (
        "with the operations in another order: the brackets are set otherwise",
        "The brackets: what does Python compute first?",
    ),
    **{
        f"{name}-left-out": (
            f"without {words}: only the left one of its two sides is used",
            f"Where must two things meet in {words}? Is it there, and is its result used afterwards?",
        )
        for name, words in (_OPERATIONS | {"floor-divided": "a division"}).items()
    },
    "order-exchanged": (
        "with two operations in the other order",
        "The order of the operations: what has to be done first?",
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
    "names-exchanged": (
        "with two names exchanged",
        "Each name, where it is used: is it the one that belongs there?",
    ),
    "part-twice": (
        "with one result in the place of another",
        "The `return`, and what each of its parts is computed from.",
    ),
    "part-left-out": (
        "with one part left out: of what comes back, or of a list",
        "The `return`, and each list: is a part missing?",
    ),
    "statement-left-out": ("with one line left out", ""),
    "call-left-out": ("with one function not called: what it should get is used as it is", ""),
    "operator-left-out": (
        "with one operation left out: only the left one of its two sides is used",
        "Each operation: are both sides there?",
    ),
    "first-operand-left-out": (
        "with one operation left out: only the right one of its two sides is used",
        "Each `@`, `*`, `/`, `+`, `-` and `**`: are both sides there?",
    ),
    "returned-earlier": (
        "stopped before its end: what comes back is an argument, or a value from the middle",
        "The `return`: does it give back the result of the last operation?",
    ),
    "done-twice": ("with one operation done twice", ""),
    "size-other": (
        "with another size, or the size of another axis",
        "Each size: which axis of which matrix is counted?",
    ),
    **{
        f"operator-{name}": (
            f"with {words} in the place of another operation",
            "Each operator: is it the operation that the task asks for?",
        )
        for name, words in _OPERATIONS.items()
    },
    "transpose-added": (
        "with a transpose too many",
        "Each `.T` or `transpose`: which shape must stand on which side?",
    ),
    "reshaped": (
        "with a matrix reshaped in the place of transposed: the shape fits, and the numbers are in other places",
        "reshape and view keep the order of the numbers; a transpose turns rows into columns.",
        "reshape()",
        "view()",
    ),
    "option-left-out": ("with an option (`name=value`) of a call left out", ""),
    "option-other": ("with another value for an option (`name=value`) of a call", ""),
    "condition-left-out": (
        "with a condition left out: it takes the same way for every input",
        "The condition: is it asked, and on the right argument?",
    ),
    "condition-turned": (
        "with a condition turned round",
        "The condition: what happens where it holds, and what where it does not?",
    ),
    "counted-from-one": ("counted from 1", "Python counts from 0."),
    **{f"reduced-by-{name}": _with(f"the {words}", name) for name, words in _REDUCTIONS.items()},
    **{f"function-{name}": _with(f"`{name}`", name) for name in _FUNCTIONS},
    "function-rand": _with("`rand`, which draws between 0 and 1,", "rand"),
    "function-randn": _with("`randn`, which draws around 0,", "randn"),
    "constant-other": (
        "with another number in one place of the code",
        "Each number that stands in your code.",
    ),
    "squared": (
        "with one value squared",
        "Each power and each product: what is multiplied by itself?",
    ),
    "root-added": (
        "with a square root too many",
        "Each square root: of what is it taken?",
    ),
    "softmax-added": (
        "with a softmax where none belongs",
        "Each softmax: is it the task of this step, and of which numbers is it taken?",
        "softmax()",
    ),
    "doubled": (
        "with one value doubled",
        "Each factor and each sum: is something counted twice?",
    ),
    "halved": ("with one value halved", "Each factor and each division."),
    "one-more": ("with 1 added in one place", "Each `+ 1`, each size and each index."),
    "one-less": ("with 1 taken away in one place", "Each `- 1`, each size and each index."),
    "sign": (
        "with the opposite sign in one place",
        "Each minus: one may be too many, or missing.",
    ),
    "absolute": (
        "with an absolute value in one place: negative numbers become positive",
        "Each abs, and each square with its root.",
        "abs()",
    ),
    "rounded": ("with numbers rounded in one place", "Each round.", "round()"),
    "whole-number": (
        "with a number cut to a whole number",
        "Each int and `//`: digits after the point are lost.",
        "int()",
        "_ // _",
    ),
    "reciprocal": (
        "with 1 divided by a value in the place of the value",
        "Each division: what stands above, what below?",
    ),
    "shares": (
        "with numbers divided by the sum of their row",
        "Each division by a sum: of which numbers is that the task?",
    ),
    "sums-not-kept": (
        "with the sums in a row, in the place of a column: each number is divided by the sum of another row",
        "keepdim=True keeps the sums as a column.",
    ),
    "unit-length": (
        "with rows scaled to length 1",
        "Each norm: a dot product takes the vectors as they are.",
        "norm()",
        "normalize()",
        "cosine_similarity()",
    ),
    "reversed": (
        "with rows or parts in reverse order",
        "Each `[::-1]`, flip and loop.",
        "flip()",
    ),
    "sorted": ("with things sorted", "Each sort: the order matters here.", "sorted()", "sort()"),
    "lower-case": ("with a text in lower case", "Each `lower`.", "lower()"),
    "one-only": (
        "with one row or part used in the place of the whole",
        "Each index: is the whole meant, or one row?",
    ),
    "squeezed": (
        "with axes of length 1 dropped",
        "Each squeeze: which axes may it drop?",
        "squeeze()",
    ),
    "axis-of-length-one": (
        "with an axis of length 1 too many",
        "The shape: is there an axis that nobody asked for?",
        "unsqueeze()",
        "_[None]",
    ),
    "masked": (
        "with a mask: some keys get no share",
        "Each mask: does the task ask for one?",
        "masked_fill()",
        "tril()",
        "triu()",
    ),
    "scaled-again": (
        "divided by a size, or the root of one, where that does not belong",
        "Each division: is it the task of this step?",
    ),
    "input-added": (
        "with one of its inputs added to the result",
        "The last line: is something added to the result that the task does not ask for?",
    ),
    "more-returned": (
        "with more than the result in what comes back",
        "The `return`: what does the task ask for?",
    ),
    "turned-round": (
        "with keys and values of a dictionary exchanged",
        "Each dictionary: what is the key, what the value?",
    ),
    "another-dtype": (
        "with numbers of another dtype",
        "The dtype: which one does the task ask for?",
        "float()",
        "long()",
    ),
    "seeded": (
        "with a seed that is set inside",
        "Each manual_seed: whoever calls your code sets the seed.",
        "manual_seed()",
    ),
    "trainable": (
        "with numbers that can be trained and must not be",
        "requires_grad: what has to be trained here, and what not?",
    ),
    "frozen": (
        "with frozen numbers that must be trainable",
        "requires_grad: what has to be trained here, and what not?",
        "requires_grad_(False)",
        "Parameter(requires_grad=False)",
    ),
    "cut": (
        "with the gradient cut: no training reaches what lies behind",
        "Each .detach(), .data, no_grad and NumPy call.",
        "detach()",
        "_.data",
        "no_grad()",
    ),
    "outer-product": (
        "with each number of one vector multiplied with each of the other",
        "The product: a dot product gives one number for two vectors.",
        "outer()",
    ),
    "mean-over-the-tokens": (
        "with equal weights for all tokens",
        "The weighted sum: are the weights used?",
        "mean()",
    ),
    "weights-of-one": (
        "with a plain sum in the place of a weighted one",
        "The weighted sum: are the weights used?",
    ),
    "constant-for-a-size": (
        "with a fixed number in the place of a size",
        "Each number that stands in the code: the sizes come from the arguments.",
    ),
    "spread-around-zero": (
        "with the mean of the squares in the place of the variance",
        "A variance takes the mean away before it squares.",
    ),
    "mean-of-rows": (
        "with the mean over the rows of what should be taken over all numbers at once",
        "The variance: over which numbers is it taken?",
        "mean()",
    ),
    "option-added": ("with an option (`name=value`) of a call that changes the result", ""),
}

# What these edits do, a property of the numbers says better: "Every number has the wrong sign."
SEEN_IN_THE_NUMBERS = frozenset(
    (
        *("sign", "doubled", "halved", "one-more", "one-less", "constant-other", "squared"),
        *("rounded", "returned-earlier", "first-operand-left-out", "call-left-out"),
        *("statement-left-out", "input-for-another", "done-twice", "reversed", "one-only"),
        *("transpose-added", "transpose-left-out", "reciprocal", "scaled-again"),
    )
)
