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
    "init_misspelt": (
        ("The class has no `__init__`: line {line} defines `{name}`. Python calls only a method that is called "
        "`__init__`, with two underscores on each side."),
        "Line {line}: rename `{name}` to `__init__`.",
    ),
    "forward_nested": (
        ("`forward` (line {line}) stands inside `{method}`, because it is indented too far. So the module has no "
        "`forward`."),
        "Line {line}: move `def forward` and its lines to the left, below `def {method}`.",
    ),
    "forward_outside": (
        ("`forward` (line {line}) stands outside of the class, because it is not indented. So the module has no "
        "`forward`."),
        "Line {line}: indent `def forward` and its lines like `def __init__`.",
    ),
    "forward_misspelt": (
        "The class has no `forward`: line {line} defines `{name}`. Calling a module runs its method `forward`.",
        "Line {line}: rename `{name}` to `forward`.",
    ),
    "attribute_misspelt": (
        "Line {line} stores `self.{stored}`; the attribute must be called `{name}`.",
        "Rename `self.{stored}` to `self.{name}` wherever it stands{more}.",
    ),
    "attribute_misspelt.read": (
        "Nothing is stored under `self.{name}`. `__init__` stores `self.{stored}` (line {line}).",
        "The name `{name}` in this line: both places need the same name.",
    ),
    "not_stored_on_self.local": (
        "`{name}` (line {line}) is a plain variable of `__init__`: it is gone when `__init__` ends.",
        "Line {line}: `self.{name} = ...` stores it.",
    ),
    "not_stored_on_self.local_read": (
        "`{name}` (line {line}) is a plain variable of `__init__`, and nothing is stored under `self.{name}`.",
        "Line {line}: `self.{name} = ...` stores it.",
    ),
    "not_stored_on_self.argument": (
        "`{name}` is an argument of `__init__`, and nothing is stored under `self.{name}`.",
        "`__init__`: `self.{name} = {name}` stores it.",
    ),
    "bias_not_passed_on.unused": (
        "`__init__` never uses its argument `{unused}`.",
        "{where} `{name}`: nn.Linear has an argument `bias`.",
    ),
    "not_stored_on_self.one_layer": (
        "`self.{name}` (line {line}) is one layer for everything. This step asks for {asked}, each by itself.",
        "`__init__`: make and store each of them.",
    ),
}  # fmt: skip

# Objects that a probe could not use.
OBSTACLES = {
    "not_stored_on_self": (
        ("After `__init__` the object has no attribute of this name. Perhaps it is a plain variable of `__init__`, an "
        "element of a list, or made in `forward` only."),
        "`__init__`: `self.{name} = ...` stores it.",
    ),
    "other_sizes": (
        "Perhaps a size is written into the code as a number.",
        "The line that makes `{name}`: do both sizes come from the arguments of `__init__`?",
    ),
    "other_sizes.made": (
        "Line {line} makes it: `{code}`.",
        "Line {line}: which sizes does the step ask for, and in which order does the layer take them?",
    ),
    "other_sizes.made.foreign": (
        "Line {line} makes it: `{code}`. It uses {foreign} of your file, not what `__init__` gets.",
        "Line {line}: take the sizes from the arguments of `__init__`.",
    ),
    "not_stored_on_self.in_a_list": (
        "The {kind} has no module with the number {name}: it holds fewer than were asked for.",
        "Where the list is made: how many rounds are there, and does an argument say so?",
    ),
    "matrix_on_its_side.in_a_list": (
        "The two sizes are exchanged: the matrix is transposed.",
        "Where `{name}` is made: the order of the sizes that each module gets.",
    ),
    "matrix_on_its_side": (
        "The two sizes are exchanged: the matrix is transposed.",
        "The order of the sizes where `{name}` is made. (nn.Linear takes the size of its input first.)",
    ),
    "bias_not_passed_on": (
        "An argument asked for a bias, and the layer was made without one.",
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
