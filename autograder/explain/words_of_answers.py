"""What is said of a wrong answer that shows no known mistake. Where to look, the step itself says."""

from __future__ import annotations

ANSWERS = {
    "input_changed": "Your code changes its input in place: after the call, the caller's `{name}` holds other numbers.",
    "another_kind.array": (
        "This step gives back a {asked}, and yours is a {kind}.{right}",
        "Where does it become a {kind}? Stay with the functions of {library}, or turn it back: `{back}`.",
    ),
    "another_kind.list": (
        "This step gives back a {asked}, and yours is a list of numbers.{right}",
        "Where does it become a list? Return the {asked} itself, or make one of the list: `{join}`.",
    ),
    "another_kind.object": (
        "This step gives back a {asked}, and yours is an object of type {kind}.",
        "A function or a layer is called with the numbers, in round brackets of its own.",
    ),
    "another_kind.tuple": (
        "`{written}` (line {line}) makes a tuple.",
        "Line {line}: only one thing is asked for, and a comma makes two. (A decimal number is written with a point.)",
    ),
    "another_kind.generator": (
        "`{written}` (line {line}) makes a generator, which computes nothing until something reads it.",
        "Line {line}: `return` gives back all parts at once, with commas between them or in square brackets.",
    ),
    "still_in_a_loop": (
        "After {count:,} lines of your code it was still in the loop of line {line}, `{loop}`.",
        "What ends this loop, and which line brings that nearer in each round?",
    ),
    "one_line": "All wrong numbers stand in {kind} {number} (counted from 0).",
    "one_factor": "Every number is {factor:.3g} times the right one.",
    "almost": (
        "The numbers are almost right: none is off by more than {off:.1g}.",
        "What changes them by so little: rounding, float16, a root with few digits, a number in place of infinity?",
    ),
}
# What the student's own lines computed.
DIVERGENCES = {
    "divergence.first": (
        "{Place}: {by}`{source}` is the first value that is not right.{operands}{made}{unused}"
    ),
    "divergence.first.unjudged": (
        "{Place}: {by}`{source}` is not right, perhaps since `{before}` is not.{operands}{made}{unused}"
    ),
    "divergence.another_way": (
        "{Place}: from `{source}` on your code goes another way than the right computation, and nothing can be "
        "compared: that may be the mistake, or another way to the answer.{operands}{unused}"
    ),
    "divergence.crossed": "{Place}: `{name}` gets the numbers that `{other}` should have.{unused}",
    "divergence.copied": "{Place}: `{name}` has the numbers of `{other}` once more.{unused}",
    "divergence.reordered": "{Place}: `{source}` has the right parts in another order.{unused}",
    "divergence.rounds": "{Place}: `{source}` leaves out {name}.{unused}",
    "divergence.not_finite": "{Place}: `{source}` gives the first nan or inf.{operands}{unused}",
    "divergence.unwritten": (
        "{Place}: `{source}` makes room for numbers and writes none, and nothing else fills all of it.",
        "What must be written into it before it is read? `{zeros}` starts with zeros.",
    ),
    "divergence.by": "after `{code}`, ",
    "divergence.turned": (
        "The numbers are right, but their axes have another order since {place}: `{source}`."
    ),
    "divergence.on_the_way": (
        "What comes back is the value of `{source}` ({place}): it is right on the way, and not yet the answer.{unused}"
    ),
    "divergence.another_part": (
        "`{source}` ({place}) has the numbers that another part of the answer should have."
    ),
    "divergence.line": ("It begins in {place}: `{source}`.{names}", "{look}"),
    "divergence.line.shown": ("{names}", "{look}"),
    "divergence.foreign": "Where {foreign} stands: use what the step gets or computes.",
    "divergence.copies": " All its entries are the same.",
    "divergence.constant": " It is made from none of the arguments.",
    "divergence.unused": "Nothing uses the result of `{source}` in {place}.",
    "divergence.right": "{names} {are} right by {itself}",
    "divergence.unready": "{name} is right so far, but something is missing before its softmax",
    "divergence.turned_operand": "{name} has the right numbers, with its axes in another order",
    "divergence.mask_right": "{name} is the right mask",
    "divergence.mask_opposite": "{name} is the opposite of the right mask",
    "divergence.mask_another": "{name} is not the right mask",
    "divergence.file": "{name} is a variable of your file ({place}), not one of this step",
    "divergence.called": "{name} is made in {place}",
}
# Of a right answer.
REMARKS = {
    "dtype": "The numbers are right, but their dtype differs from that of the inputs.",
    "cut_graph": "The result is right, but no gradient flows back to all that it was made of: .item(), .detach(), "
    "no_grad, torch.tensor(...) and NumPy cut the graph, and an operation in place can change what a gradient needs. "
    "A model with this step could not learn.",
    "changed_input": "The result is right, but your code changed its input in place: after the call, the caller's "
    "input is not what it was.",
    "debugger": "{seen} does not stop in a check, and costs nothing. "
    "To stop there: `python -m pytest --pdb -k {step}`.",
    "not_there": "{seen} is not there when your work is graded: this step would lose its points.",
}
