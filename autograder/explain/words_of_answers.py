"""What is said of a wrong answer that shows no known mistake. Where to look, the step itself says."""

from __future__ import annotations

# One row of weights belongs to one query.
_AXIS = "The axis (dim) of the softmax, or of the sum: it runs along one row, so it is the last one, -1."
ANSWERS = {
    "documented_numbers": (
        "These are the numbers that {document} prints. The inputs are different here, so the answer must be computed "
        "from the arguments."
    ),
    "same_for_other_inputs": (
        "The same numbers came back for other inputs: the answer does not depend on the arguments."
    ),
    "input_changed": (
        "Your code changes its input in place: after the call, the caller's {kind} holds other numbers."
    ),
    "two_calls_differ": (
        "Two calls with the same input gave different results. Perhaps something random is drawn at each call, or the "
        "first call changes the input or the weights."
    ),
    "another_kind": "This step gives back a {asked}, and yours is a {kind}.{right}",
    "another_kind.array": (
        "This step gives back a {asked}, and yours is a {kind}.{right}",
        "Where does it become a {kind}? Stay with the functions of {library}, or turn it back: `{back}`.",
    ),
    "another_kind.list": (
        "This step gives back a {asked}, and yours is a list of numbers. The numbers in it are right.",
        "Where does it become a list? Return the {asked} itself, or make one of the list: `{join}`.",
    ),
    "another_kind.order": (
        "{says} The parts stand in another order, too: the {first} must come first, then the {second}.",
        "The `return` line: what comes back, and in which order?",
    ),
    "another_kind.dict": (
        "This step gives back a {asked}, and yours is a {kind}.{right}",
        "The `return`: in a dict each number stands under a key. The keys are {keys}.",
    ),
    "another_kind.function": (
        "A function came back: it was not called.",
        "The `return` line: round brackets call a function.",
    ),
    "another_kind.rows": (
        "This step gives back a {asked}, and yours is a list of {of}: `{join}` makes one of them."
    ),
    "among_others": (
        "What was asked for is among what came back, but more came back, or in another order."
    ),
    "keys_differ": ("The keys must be {keys}.", "The keys in the dictionary, letter by letter."),
    "keys_differ.turned": (
        "Keys and values have changed places: what should be looked up is what comes out, and the other way round."
    ),
    "nothing_came_back": "The function gave nothing back. Is there a `return`?",
    "wrong_part": (
        "More than one thing came back; only {part} was asked for. And that is not right yet: {says}"
    ),
    "right_part": "{part} is right on its own: return only that.",
    "same_parts": "The same numbers came back where they must differ: {one}; {other}.",
    "only_documented": (
        "With the documents' own inputs your answer is right, with others it is not. They have other sizes, and "
        "numbers of another sign: which line is right for the documents' inputs only?"
    ),
}
NUMBERS = {
    "unchanged_input": "It is `{name}` unchanged.",
    "transposed": "It is the transpose of the right answer: rows and columns are swapped.",
    "another_shape": "The numbers are right; only their shape is not.",
    "one_token": "This is the answer for token {token} only; one row for each token was expected.",
    "diagonal": "This is the diagonal of the right answer: row i was combined with row i only.",
    "rows_of_an_input": "Each row is an unchanged row of `{name}`.",
    "dropped": (
        "Some numbers are 0, and the others are {factor:.3g} times the right ones. Perhaps there is dropout."
    ),
    "one_row_for_all": (
        "Every row is the answer for token {token}: one token's answer was used for all."
    ),
    "rows_in_another_order": "The rows are right, but in another order.",
    "equal_rows": "All rows are equal: each token got the same answer.",
    "negative_weights": (
        "Each row sums to 1, but some weights are negative. Perhaps there was no exponential."
    ),
    "one_key_picked": (
        "Each row holds a single 1, and 0 everywhere else: one key is picked, and the others have no share."
    ),
    "shares_of_rows": (
        "No number is negative, and each row sums to 1, as after a softmax. This step asks for something else.",
        "Each softmax, and each division by a sum: is it the task of this step?",
    ),
    "columns_sum_to_one": ("Each column sums to 1, but each row should.", _AXIS),
    "all_sums_to_one": ("Everything together sums to 1, but each row should.", _AXIS),
    "all_sums_to_one.negative": (
        "Everything together sums to 1, but each row should. Some weights are negative, so there was no exponential.",
        _AXIS,
    ),
    "rows_sum_to": "Each row should sum to 1; yours sum to {sums}.",
    "one_place_off": "Only the {which} {kind} is wrong; all other {others} are right.",
    "one_place_off.loop": (
        "Only the {which} {kind} is wrong; all other {others} are right. Perhaps a loop starts or ends one place off."
    ),
    "wrong_sign": (
        "Every number has the wrong sign. Otherwise they are right.",
        "Each minus: one may be too many, or missing.",
    ),
    "one_factor": "Every number is {factor:.3g} times the right one.",
    "one_factor.power": (
        "Every number is {factor:.3g} times the right one. You wrote `{written}`, which is no square root."
    ),
    "one_amount": "Every number is {amount:.3g} {more} than the right one.",
    "almost": (
        "The numbers are almost right: none is off by more than {off:.1g}.",
        "Is something rounded, computed in float16, or a root written as a number with few digits?",
    ),
    "rounded": (
        "The numbers are right, but rounded to {decimals} decimals.",
        "Return them as they are; round only what is printed.",
    ),
    "rounded.code": (
        "The numbers are right, but rounded to {decimals} decimals.",
        "`{code}`: return the numbers as they are; round only what is printed.",
    ),
    "rounded.on_the_way": (
        "The numbers are almost right: none is off by more than {off:.1g}. `{code}` rounds on the way.",
        "`{code}`: compute with the numbers as they are; round only what is printed.",
    ),
    "half_precision": (
        "The numbers are right to about {digits} digits: {dtype} keeps no more.",
        "Where do the numbers become {dtype}? Compute with the dtype of the inputs.",
    ),
    "half_precision.code": (
        "The numbers are right to about {digits} digits: {dtype} keeps no more.",
        "`{code}`: leave it out, and compute with the dtype of the inputs.",
    ),
    "small_number": (
        "The numbers are almost right: none is off by more than {off:.1g}. Perhaps that comes from `{code}`.",
        "`{code}`: leave the small number out.",
    ),
}
# What the student's own lines computed.
DIVERGENCES = {
    "divergence.first": "{place}: `{source}` is the first value that is not right{shape}.{operands}{same}{before}",
    "divergence.another_way": (
        "From {place} on (`{source}`) this is computed in another way, whose values cannot be followed.{before}"
    ),
    "divergence.not_finite": "{place}: `{source}` gives the first nan or inf.{operands}{before}",
    "divergence.turned": (
        "The numbers are right, but their axes have another order since {place}: `{source}`."
    ),
    "divergence.on_the_way": (
        "What comes back is the value of `{source}` ({place}): it is right on the way, and not yet the answer."
    ),
    "divergence.line": "The first value that is not right is `{source}` in {place}.{twins}",
    "divergence.twin": "{name} has the same value as `{source}`",
    "divergence.before": " Up to `{source}` in {place} all is right.",
    "divergence.same": " It has the same value as `{source}` in {place}.",
    "divergence.right": "{names} {are} right",
    "divergence.turned_operand": "{name} is right, with its axes in another order",
    "divergence.mask_right": "{name} is the right mask",
    "divergence.mask_opposite": "{name} is the opposite of the right mask",
    "divergence.mask_another": "{name} is not the right mask",
    "divergence.number": "{name} is {number}",
}
# Of a right answer.
REMARKS = {
    "dtype": "The numbers are right, but their dtype differs from that of the inputs.",
    "rounded": "The result is right only because little is lost here: its numbers are rounded to 4 decimals. Return "
    "them as they are, and round only what is printed.",
    "cut_graph": "The result is right, but no gradient flows back through it: .item(), .detach(), .data and "
    "NumPy cut the graph. A model with this step could not learn.",
    "changed_input": "The result is right, but your code changed its input in place: after the call, the caller's "
    "input holds other numbers.",
}
