"""What is said of names that do not exist, first lines and calls: what is wrong, and where to look.

The braces hold the facts of a finding. What is said of operations stands in `messages`.
"""

from __future__ import annotations

# Names that do not exist.
_SPELLING = "The spelling of `{name}` in this line."
_ORIGIN = "The spelling of the name. What a line uses is an argument, or an earlier line makes or imports it."
_UNUSED = "Its argument `{unused}` is never used: is it meant, or what it makes?"
NAMES = {
    "name_hidden": (
        "Line {line} makes a variable `{name}`. So {what} is not meant here, and the variable has no value yet.",
        "Line {line}: give the variable another name.",
    ),
    "used_before_it_is_made": (
        "This function gives `{name}` a value in line {line}, so `{name}` is its own variable, and it has none yet.",
        "Line {line}: does it run before this line, whatever an `if` or a loop does? Is an argument missing?",
    ),
    "defined_later": (
        "`{name}` is defined further down.",
        "The order: move this line below `{name}`.",
    ),
    "not_imported": (
        "`{name}` is not imported.",
        "The line `{line}` is missing: add it above your functions.",
    ),
    "made_aside": (
        "`{name}` is made in a cell that only shows something, and grading does not run such cells.",
        "`{name}`: a step gets only its arguments and what your other cells define.",
    ),
    "made_aside.unused": (
        "No line of `{function}` makes `{name}`, only a cell that shows something, which grading does not run. "
        + _UNUSED,
        "`{name}`: a step gets only its arguments and what your other cells define.",
    ),
    "self_missing": (
        "The first line of `{function}` has no `self`.",
        "Line {line}: the first argument of a method is `self`.",
    ),
    "self_left_out": (
        "There is no variable `{name}` here. The module has `self.{meant}`.",
        "`{name}` in this line: is `self.{meant}` meant, or a part of it?",
    ),
    "self_too_many": (
        "`{name}` is a function of your file (line {line}), not a method of this class.",
        "`self.{name}` in this line: leave out `self.`.",
    ),
    "not_stored_on_self": (
        "`{name}` is a variable of `__init__`, and only `__init__` knows it: other methods get what stands on self.",
        "`__init__`: `self.{name} = ...` stores it, and `self.{name}` reads it.",
    ),
    "not_stored_on_self.read": (
        "Nothing is stored under `self.{name}`.",
        "`__init__`: only what is stored on self remains, under the name `{name}`.",
    ),
    "attribute_misspelt.read": (
        "Nothing is stored under `self.{name}`. `__init__` stores `self.{stored}` (line {line}).",
        "The name `{name}` in this line: both places need the same name.",
    ),
    "module_left_out": (
        "There is no `{name}` by itself: it belongs to a module, whose name stands before the dot.",
        "Write one of {homes}; the file must import the module.",
    ),
    "name_misspelt": (
        "There is no `{name}`. Did you mean `{meant}`?",
        _SPELLING,
    ),
    "name_not_defined.unused": (
        "No line of `{function}` makes `{name}`. " + _UNUSED,
        _ORIGIN,
    ),
    "name_not_defined": (
        "There is no `{name}`.",
        _ORIGIN,
    ),
    "name_misspelt.in_module": (
        "`{module}` has no `{name}`. There is `{meant}`.",
        "The spelling of `{name}`, and the module before it.",
    ),
    "name_not_defined.in_module": (
        "`{module}` has no `{name}`.",
        _SPELLING,
    ),
    "name_not_defined.of_object": (
        "{Kind} has no `{name}`.{did}{got}",
        "What stands before `.{name}`, and where it was made: is it what you think?",
    ),
    "name_not_defined.of_super": (
        "`super()` has no `{name}`. It stands for the class in the brackets after the name of yours.",
        "The name behind `super()`. In `__init__` it is `super().__init__()`.",
    ),
    "name_not_defined.of_given": (
        "The object has no `{name}`. It has {there}.",
        "The name `{name}` in this line.",
    ),
}  # fmt: skip

# First lines and calls.
CALLS = {
    "keyword_misspelt": (
        "`{function}` has no argument `{keyword}`. It is called `{meant}`.",
        "The name `{keyword}` in this call.",
    ),
    "arguments_do_not_fit": (
        "`{function}` was called with other arguments than it has.{there}{got}",
        "The call of `{function}` in this line: the number of its arguments, their names, and the kind of each.",
    ),
    "arguments_do_not_fit.keyword": (
        "`{function}` has no argument `{keyword}`.{there}",
        "The names of the arguments of `{function}`.",
    ),
    "arguments_do_not_fit.first_line": (
        ("The first line of your `{function}` is `({given})`, and in the release it is `({released})`. A call gives "
        "arguments by their place, or by these names."),
        "The first line (line {line}): write `({released})`.",
    ),
}  # fmt: skip

# An operation of which nothing else is known.
OPERATIONS = {
    "operation": (
        "This could not be computed: `{written}`.{got}",
        "Where each of these values comes from: is it what you think?",
    ),
    "inner_sizes_differ.linear": (
        "`linear` transposes its second input before it multiplies: the last sizes of both must be equal{inner}.{got}",
        "The second input: has it one row for each number that comes out?",
    ),
    "axes_of_dot": (
        "`{source}` is for two vectors, each with one axis.{got}",
        "Is one number meant, or a whole table of products?",
    ),
    "axes_of_mm": (
        "`{source}` multiplies two matrices, each with two axes.{got}",
        "The axes of each: what do they count? The operator `@` takes any number of them.",
    ),
    "axes_of_bmm": (
        "`{source}` multiplies two stacks of matrices, each with three axes.{got}",
        "The axes of each: what do they count? The operator `@` takes any number of them.",
    ),
    "axes_of_t": (
        "`t` exchanges the two axes of a matrix, and has no meaning for more.{got}",
        "Which two axes are to be exchanged? `transpose` names them.",
    ),
    "axes_of_einsum": (
        "In `{source}` each letter stands for one axis, and `{operand}` has more or fewer than `{letters}`.{got}",
        "What each letter stands for. Three dots stand for all other axes.",
    ),
    "axes_of_einsum.letter": (
        "In `{source}` the letter `{letter}` stands for axes of two sizes.{got}",
        "The letter `{letter}`: what does it count in each of the inputs?",
    ),
    "assert_fails": (
        "This line is an `assert` of your own, and it does not hold for these inputs.{got}",
        "What the `assert` demands: does it hold for inputs of other sizes, too?",
    ),
    "raises_itself": (
        "This line is a `raise` of your own, and it ran.",
        "The condition above it, if there is one: what does the step say of the inputs that may come in?",
    ),
}  # fmt: skip
