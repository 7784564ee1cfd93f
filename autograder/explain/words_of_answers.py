"""What is said of a wrong answer that shows no known mistake. Where to look, the step itself says."""

from __future__ import annotations

ANSWERS = {
    "documented_numbers": (
        "These are the numbers that the documents print. The inputs are different here, so the answer must be computed "
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
    "another_kind": "This step gives back a {asked}, and yours is a {kind}.",
    "another_kind.right_numbers": (
        "This step gives back a {asked}, and yours is a {kind}. The numbers in it are right."
    ),
    "another_kind.rows": (
        "This step gives back a {asked}, and yours is a list of its rows: `{join}` makes one of them."
    ),
    "among_others": (
        "What was asked for is among what came back, but more came back, or in another order."
    ),
    "keys_differ": ("The keys must be {keys}.", "The keys in the dictionary, letter by letter."),
    "nothing_came_back": "The function gave nothing back. Is there a `return`?",
    "wrong_part": (
        "More than one thing came back; only {part} was asked for. And that is not right yet: {says}"
    ),
    "right_part": "{part} is right on its own: return only that.",
    "same_parts": "The same numbers came back where they must differ: {one}; {other}.",
    "only_documented": (
        "With the documents' own inputs your answer is right, so something in the code fits only these. Perhaps a size "
        "or a number is written into the code that should come from the arguments."
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
    "columns_sum_to_one": "Each column sums to 1, but each row should.",
    "all_sums_to_one": "Everything together sums to 1, but each row should.",
    "rows_sum_to": "Each row should sum to 1; yours sum to {sums}.",
    "one_place_off": (
        "Only the {which} {kind} is wrong; all other {others} are right. Perhaps a loop starts or ends one place off."
    ),
    "wrong_sign": "Every number has the wrong sign. Otherwise they are right.",
    "one_factor": "Every number is {factor:.3g} times the right one.",
    "one_amount": "Every number is {amount:.3g} {more} than the right one.",
    "rounded": (
        "The numbers are right, but rounded to {decimals} decimals: return them as they are."
    ),
}
# Of a right answer.
REMARKS = {
    "dtype": "The numbers are right, but their dtype differs from that of the inputs.",
    "cut_graph": "The result is right, but no gradient flows back through it: .item(), .detach(), .data and "
    "NumPy cut the graph. A model with this step could not learn.",
    "changed_input": "The result is right, but your code changed its input in place: after the call, the caller's "
    "input holds other numbers.",
}
