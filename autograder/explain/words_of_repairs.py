"""What is said of an edit with which a student's step is right: place and kind, never the new code."""

from __future__ import annotations

_ANOTHER = "in `{source}`, `{what}` is not what belongs there."
# By the kind of edit. `{what}` stands at the changed place, `{source}` around it.
KINDS = {
    **dict.fromkeys(
        ("axis-first", "axis-second", "axis-before-last", "axis-last", "axis-other"),
        "`{source}` runs along another axis than it should.",
    ),
    "arguments-exchanged": "in `{source}` two arguments should be exchanged.",
    "axes-kept": "`{source}` loses an axis, which has to stay with one entry.",
    "axis-none": "`{source}` should take in all numbers, not those along an axis.",
    "brackets": "Python computes `{source}` in another order than it should: brackets decide.",
    "call-left-out": "the outer call in `{source}` does not belong there.",
    "caret": "in `{source}`: `^` is not a power in Python.",
    "comparison": "`{source}` compares in another way than it should.",
    "condition": "the condition `{what}` says the opposite of what it should.",
    "constant-other": "in `{source}`, `{what}` is not the right number.",
    "function-other": "in `{source}` another function belongs there.",
    "in-place": "`{source}` changes an object that is still used under another name.",
    "index-left-out": "in `{source}` the index does not belong there.",
    "index-order": "the index in `{source}` is not the right one.",
    "input-for-another": _ANOTHER,
    "matrix-for-another": _ANOTHER,
    "letters": "in `{source}` a letter of `{what}` is not the one that belongs there.",
    "mask-too-large": "in `{source}` the mask is larger than what it masks.",
    "matrices-exchanged": "in `{source}` the two matrices should be exchanged.",
    "moved-before": "the first line of this loop belongs before it: it begins anew in each round.",
    "moved-in": "`{source}` belongs into the loop that comes after it: each round begins with it.",
    "moved-out": "the last line of this loop belongs behind it.",
    "one-off": "`{source}` is one too many or one too few.",
    "operands-exchanged": "in `{source}` the two sides should be exchanged.",
    "operation-left-out": "an operation in `{source}` does not belong there.",
    "operator-other": "in `{source}` another operator belongs there.",
    "opposite": "in `{source}` something says the opposite of what it should.",
    "option-left-out": "an option of `{source}` does not belong there.",
    "option-missing": "`{source}` lacks an option.",
    "option-other": "in `{source}`, `{what}` is not what this option should say.",
    "order-of-axes": "`{source}` only cuts the numbers anew, in their order; an axis has to be moved as well.",
    "parts-exchanged": "`{source}` has its parts in another order than they should have.",
    "product-by-numbers": "`{source}` multiplies number by number, and a matrix product belongs there.",
    "range": "`{source}` runs over other numbers than it should.",
    "result-dropped": "`{source}` makes something new, which nothing keeps.",
    "returned-earlier": "`{source}` does not give back what is asked for, although it is computed.",
    "root-missing": "in `{source}` a root is missing.",
    "same-object": "all rows of `{source}` are one and the same object.",
    "sign": "in `{source}` a sign is wrong.",
    "sign-left-out": "in `{source}` a sign is wrong.",
    "size": "`{source}` is not the size that belongs there.",
    "size-of-the-file": "`{what}` is no value of this function: what belongs there comes from its arguments.",
    "statement-left-out": "`{source}` does not belong there.",
    "statement-order": "`{source}` and the line after it should be exchanged.",
    "transpose-left-out": "in `{source}`, `{what}` should not be transposed.",
    "transpose-missing": "in `{source}` one side should be transposed.",
    "transpose-moved": "in `{source}` another matrix should be transposed.",
    "transpose-other": "`{source}` exchanges other axes than it should.",
}
REPAIRS = {
    f"repair:{kind}": f"{{Place}}: {words}{{more}} With nothing but this changed, `{{step}}` is right."
    for kind, words in KINDS.items()
}
PLACES = {"same_in": " The same holds for {places}."}
