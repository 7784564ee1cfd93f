"""What is said of slips that the student's source shows, and of objects that a probe could not use."""

from __future__ import annotations

from autograder.reasons import Reason

SLIPS = {
    "argument_overwritten": (
        ("`{written}` (line {line}) overwrites the argument `{name}` of `{function}` before anything reads it, so what "
        "the step was given is lost."),
        "Line {line}: leave it out. The caller says what `{name}` is.",
    ),
    "overwritten_in_each_round": (
        ("Line {line} overwrites `{written}` in each round of the loop of line {loop}, so only the last round is "
        "left."),
        "Line {line}: must it stand before the loop, or add with `+=`? Or does each round need a place of its own?",
    ),
    "raise_left_over": (
        "Line {line} still says `{raised}`, beside the code that you wrote in `{function}`. It ends the call there.",
        "Delete that line, then check again.",
    ),
    "return_in_a_loop": (
        ("The `return` in line {line} stands inside the loop of line {loop}, so the function ends in the first round "
        "of the loop."),
        "Line {line}: indent `return` like line {loop}, below the loop.",
    ),
    "no_return": (
        "`{function}` computes, but has no `return`, so it gives back None.",
        "The end of `{function}` (line {line}): `return` and the result are missing.",
    ),
    "argument_not_used.never_read": (
        "`{step}` never uses its argument `{argument}`.",
        "Where `{argument}` must be used.",
    ),
}  # fmt: skip

CLASSES = {
    "method_misspelt": (
        "The class has no `{method}`: line {line} defines `{name}`. Python calls only a method of exactly this name.",
        "Line {line}: rename `{name}` to `{method}`.",
    ),
    "method_misplaced": (
        "The class has no `{method}`: the one of line {line} is indented too far, or not enough, to stand in it.",
        "Line {line}: move `def {method}` and its lines into the class, one step to the right of `class`.",
    ),
    "method_missing": (
        "The class has no `{method}`.",
        "The methods of the class.",
    ),
}  # fmt: skip

# Objects that a probe could not use.
OBSTACLES = {
    "attribute_misspelt": (
        "Line {line} stores `self.{stored}`; the attribute must be called `{name}`.",
        "Rename `self.{stored}` to `self.{name}` wherever it stands{more}.",
    ),
    "not_stored_on_self.local": (
        "`{name}` (line {line}) is a plain variable of `__init__`: it is gone when `__init__` ends.",
        "`__init__`: `self.{name} = ...` stores it, by itself.",
    ),
    "not_stored_on_self.missing": (
        "After `__init__` the object has no attribute of this name. It stores {stored}.",
        "`__init__`: `self.{name} = ...` stores it, by itself.",
    ),
    "not_stored_on_self.in_a_list": (
        "The {kind} has no module with the number {name}: it holds fewer than were asked for.",
        "Where the list is made: how many rounds are there, and does an argument say so?",
    ),
    "another_thing_stored": (
        "It holds something else than a layer or a matrix.{made}",
        "What the right-hand side gives: does a comma, or a call too few, make another thing of it?",
    ),
    "other_sizes": (
        "Its sizes are not those that this step was given.{made}",
        "The line that makes `{name}`: do both sizes come from the arguments of `__init__`, in the right order?",
    ),
    "matrix_on_its_side": (
        "The two sizes are exchanged: the matrix is transposed.{made}",
        "Where `{name}` is made: the order of the sizes. A layer takes the size of its input first.",
    ),
    "bias_not_passed_on": (
        "A bias was asked for, and the layer was made without one.{made}",
        "The line that makes `{name}`: which value does the argument `bias` of nn.Linear get?",
    ),
    "no_module": (
        "Only an nn.Module has `parameters()` and can be trained.",
        "The first line of the class: `class {name}(nn.Module)`.",
    ),
}  # fmt: skip

# What a probe met, in place of what it needs.
OBSTACLES_SEEN = {
    Reason.NO_ATTRIBUTE: "`{seen}` has no attribute `{name}`.",
    Reason.NO_MATRIX: "`{name}` is {a_seen}; a matrix of weights was expected.",
    Reason.NO_LAYER: "`{name}` is {a_seen}; a layer (nn.Linear) was expected.",
    Reason.NO_BIAS: "`{name}` has no bias, but one was asked for.",
    Reason.NO_MODULE: "`{name}` is not an nn.Module, so it registers no parameters.",
    Reason.COMPILED_MODULE: "This is a compiled module; hand in the class itself, without `torch.compile`.",
    Reason.OTHER_SIZES: "`{name}` has shape {seen}; {wanted} was expected.",
    Reason.OTHER_OUTPUT_SHAPE: "The output has shape {seen}.",
}
