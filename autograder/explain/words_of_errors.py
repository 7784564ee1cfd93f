"""What is said of exceptions: for each finding what is wrong, and where to look. The braces hold its facts."""

from __future__ import annotations

_INNER_SIZES = "The shapes on both sides of the product. Must one of the two be transposed?"
_SPELLING = "The spelling of `{name}` in this line."
# Where names come from: in a function, and at the left margin of the file.
ORIGIN = (
    "The spelling of the name. A function gets what it uses as an argument, makes it itself, "
    "or imports it."
)
ORIGIN_AT_THE_MARGIN = (
    "The spelling of the name. A line outside of all functions uses what a line above it makes "
    "or imports."
)
_COLUMN = "So the {things} of the rows lie in a row, not in a column beside the rows."

# By the message and the statement that failed.
MESSAGES = {
    "caret_for_power": (
        "In Python `^` is not a power: it compares bits.",
        "The `^` in this line: a power is written with two asterisks.",
    ),
    "function_of_tensors_on_a_number": (
        "`torch.{function}` takes a tensor; here it got a plain number of type {kind}.",
        "For a plain number use Python's own arithmetic: the module math, or the operator `**` for powers.",
    ),
    "softmax_without_dim": (
        "The softmax needs an axis: its argument `dim` is missing.",
        "The argument `dim` of the softmax: along which axis do the weights of one query lie?",
    ),
    "no_such_axis": (
        "There is no axis {axis} here. Axes count from 0, so the last one is {last}, or -1.",
        "The axis (dim) in this line, and the shape of what it is applied to.",
    ),
    "inner_sizes_differ": (
        "In a matrix product the inner sizes must be equal, and these are not.",
        _INNER_SIZES,
    ),
    "inner_sizes_differ.matrices": (
        "In a matrix product the inner sizes must be equal. Here ({a}, {b}) meets ({c}, {d}), and {b} is not {c}.",
        _INNER_SIZES,
    ),
    "inner_sizes_differ.vector": (
        "In a matrix product the inner sizes must be equal, and these are not. One of the two is a vector here.",
        "The shapes on both sides of the product. Should both have rows and columns?",
    ),
    "dot_of_matrices": (
        "`torch.dot` is for two vectors; these have {one} and {other} axes.",
        "A matrix product takes all rows at once.",
    ),
    "product_by_numbers": (
        "The sign `*` multiplies number by number, so both sides need the same shape. These two differ.",
        "Is a matrix product meant? That is another operator.",
    ),
    "sum_lost_its_axis": (
        f"A sum drops the axis that it runs over. {_COLUMN.format(things='sums')}",
        "The sum: `keepdim=True` (in NumPy `keepdims=True`) keeps the axis, with size 1.",
    ),
    "maximum_lost_its_axis": (
        f"A maximum drops the axis that it runs over. {_COLUMN.format(things='maxima')}",
        "The maximum: `keepdim=True` (in NumPy `keepdims=True`) keeps the axis, with size 1.",
    ),
    "copied_into_another_shape": (
        "`copy_` puts each number in its place, and these two do not have the same shape.",
        "The shapes of both. Must one of them be transposed?",
    ),
    "copied_into_another_shape.state_dict": (
        "`load_state_dict` puts each number in its place, and these shapes differ.",
        "The shapes in the message. Must one of the matrices be transposed?",
    ),
    "shapes_differ": (
        "The signs `+`, `-` and `/` work number by number, and these two shapes do not fit.",
        "The shapes on both sides of the sign. Do these two belong together?",
    ),
    "layer_used_as_a_matrix": (
        "A layer (nn.Linear) is not a matrix. It holds one, and is called with its input like a function.",
        "The line where the layer is multiplied: call the layer instead.",
    ),
    "names_of_parameters_differ": (
        "The two modules keep their parameters under different names (the message lists them), so none was copied.",
        "`load_state_dict` copies between modules that use the same names. Each matrix can be copied by itself.",
    ),
    "overwritten_while_recorded": (
        "PyTorch records what happens to trainable parameters. While it records, they cannot be overwritten.",
        "Copying numbers is not a part of the computation: do it under torch.no_grad().",
    ),
    "numpy_of_a_trained_tensor": (
        "NumPy cannot follow gradients, so a tensor with gradients does not become an array.",
        "Stay with torch in this line: nothing here needs NumPy.",
    ),
    "number_function_on_a_tensor": (
        "The functions of the module math take one number, and this holds many.",
        ("What the function gets here. If it should be one number, such as a size, pass that; if it should be all, use "
        "the function of the same name in torch or NumPy."),
    ),
    "dtypes_differ": (
        "A matrix product needs one dtype on both sides; here they are {one} and {other}.",
        "Where was one of them turned into another dtype?",
    ),
    "no_array_in_a_product": (
        "A matrix product needs a matrix or a vector on each side. Here one side is a number, None or a function.",
        "What stands on both sides of the product, and the line that made it.",
    ),
    "device_not_there": (
        "This line asks for a graphics processor, and none is there. The steps are checked on the CPU.",
        "`.cuda()`, `.to(...)` or `device=` in this line, and where its device is chosen: leave it out.",
    ),
    "indices_not_whole": (
        "Only whole numbers can point at a row, and these indices are of another dtype.",
        "Where the indices are made: their dtype.",
    ),
    "super_without_brackets": (
        "`super` without brackets is not the parent class.",
        "The line with `super`: write `super().__init__()`.",
    ),
    "no_super_init": (
        "A module can hold parameters and layers only after `super().__init__()` has run, and it has not run yet.",
        "The first line of `__init__`: is `super().__init__()` there, with both pairs of brackets?",
    ),
    "tensor_for_a_parameter": (
        "Under this name the module holds a Parameter or a layer, and only another one may take its place.",
        "Put an nn.Parameter there, or copy the numbers into the one that is there.",
    ),
    "module_without_forward": (
        "A module without `forward` was called: it holds parameters and computes nothing.",
        "The module that is called in this line. Perhaps only its parameters are needed.",
    ),
    "transpose_with_brackets": (
        "`.T` is not a function, so no brackets follow it.",
        "The brackets after `.T`.",
    ),
    "shape_with_round_brackets": (
        "`shape` is not a function: one of its sizes is taken with square brackets.",
        "The brackets after `shape`: `shape[-1]`, or the function `size(-1)`.",
    ),
    "size_with_square_brackets": (
        "`size` is a function: it takes round brackets.",
        "The brackets after `size`: `size(-1)`, or `shape[-1]` with square ones.",
    ),
    "shape_as_a_number": (
        "`shape` holds the sizes of all axes; one number is needed here.",
        "Take one size out of `shape`, with square brackets.",
    ),
    "values_left_out.both": (
        "With a dim, torch.max and torch.min give two things back: the numbers (`.values`) and their places.",
        "The maximum in this line: `.values` after it takes the numbers alone, and torch.amax gives only these.",
    ),
    "tensor_called": (
        "Something of type {kind} was called like a function.",
        "The round brackets in this line: is an operator missing before them, or is a pair too many?",
    ),
    "layer_with_square_brackets": (
        "Square brackets take an entry out of a tensor or a list; this is something of type {kind}.",
        "The brackets in this line: a function or a layer is called with round ones.",
    ),
    "yes_or_no_of_many_numbers": (
        ("`and`, `or`, `not`, `if`, `while` and `assert` need one yes or no, and a tensor or an array with many "
        "numbers has many."),
        "One of these words in this line: is it too many, or is one single number meant?",
    ),
    "yes_or_no_of_many_numbers.builtin": (
        "Python's own `max`, `min` and `sorted` compare element with element, and each element is a whole row here.",
        "The function in this line: torch and NumPy have one of the same name for all numbers at once.",
    ),
    "format_of_many_numbers": (
        "A format such as `:.2f` writes one single number, and this is something of type {kind}.",
        "The text with the format: leave out what follows the `:`, or print one entry.",
    ),
    "asks_for_input": (
        "`input()` waits for somebody to type, and nobody does while a step is checked.",
        "The line with `input()`: a step gets what it needs as arguments.",
    ),
    "no_list_of_numbers": (
        "A tensor is made from a list of numbers; this is something of type {kind}.",
        "The brackets in this line: square brackets, `[...]`, make a list.",
    ),
    "none_used": (
        ("Something in this line is None. Perhaps it comes from a function that prints its result and does not return "
        "it."),
        "Which name in this line is None? Has the function that made it a `return`?",
    ),
    "dict_without_items": (
        "A loop over a dictionary gives its keys only, and each key was taken apart here.",
        "The loop in this line: `.items()` gives pairs of key and value.",
    ),
    "parts_do_not_fit": (
        "There are {count} values for the names on the left.",
        "How many parts does the right-hand side have?",
    ),
    "index_too_large": (
        "There is no entry {index} here: there are {size}, counted from 0.",
        "Where the index comes from, and where the size comes from: do both belong to the same axis?",
    ),
    "index_too_large.number": (
        "There is no entry {index} here: there are {size}, counted from 0.",
        "The number {number} is written into the code in line {line}. Take it from a shape.",
    ),
    "index_too_large.of_another_axis": (
        "There is no entry {index} here: there are {size}, counted from 0.",
        ("`{made}` gets as many {kind} in line {line} as `{sizes}` says. `{counter}` counts `{counted}`, so there must "
        "be one for each of these."),
    ),
    "too_many_indices": (
        "The square brackets name more axes than there are: only {axes}.",
        "The square brackets in this line, and the shape of what stands before them.",
    ),
    "calls_itself": (
        "A function calls itself, without an end.",
        "The name that is called in this line: is it the function's own name?",
    ),
    "used_before_it_is_made": (
        ("`{name}` is used before it gets a value. A function that assigns to a name never uses the file's variable of "
        "that name."),
        "Is `{name}` made further down, or only in a branch that was not taken? Is a name missing among the arguments?",
    ),
    "assert_fails": (
        "This line is an `assert` of your own, and it does not hold for these inputs.",
        "What the `assert` demands: does it hold for inputs of other sizes, too?",
    ),
}  # fmt: skip

# Names that do not exist.
NAMES = {
    "name_hidden": (
        "{Line} gives the name `{name}` to a variable. Then `{name}` is no longer {kind}, which this line needs.",
        "Give the variable in {line} another name.",
    ),
    "defined_later": (
        "`{name}` is defined further down.",
        "The order: move this line below `{name}`.",
    ),
    "not_imported": (
        "`{name}` is not imported.",
        "The top of your file: add the line `{line}`.",
    ),
    "name_misspelt.constant": (
        "Python has no `{name}`; it is written `{meant}`.",
        "The spelling of the name.",
    ),
    "self_missing": (
        "The first line of `{function}` has no `self`.",
        "Line {line}: the first argument of a method is `self`.",
    ),
    "self_left_out": (
        "There is no variable `{name}` here. The module stores it as `self.{meant}`.",
        "`{name}` in this line: write `self.{meant}`.",
    ),
    "self_left_out.variable": (
        "`{method}` uses `{name}`, a variable of your file (line {line}). The module's own is `self.{name}`.",
        "`{name}` in `{method}`: `self.` is missing before it.",
    ),
    "module_left_out": (
        "There is no `{name}` by itself: it belongs to a module.",
        "Write {meant}.",
    ),
    "module_left_out.not_imported": (
        "There is no `{name}` by itself: it belongs to a module.",
        "Write {meant}, and import the module.",
    ),
    "name_misspelt.own": (
        "There is no `{name}`. Did you mean your {kind} `{meant}`?",
        _SPELLING,
    ),
    "name_misspelt": (
        "There is no `{name}`. Did you mean `{meant}`?",
        _SPELLING,
    ),
    "name_misspelt.of_the_file": (
        "There is no `{name}`. Perhaps it is `{meant}`?",
        "{origin}",
    ),
    "name_not_defined.made_from": (
        "No line of `{function}` makes `{name}`. Or did you mean `{meant}`?",
        "{origin}",
    ),
    "name_not_defined.unused": (
        "There is no `{name}`. Your argument `{unused}` is never used: was it meant?",
        "{origin}",
    ),
    "name_not_defined": (
        "There is no `{name}`.",
        "{origin}",
    ),
    "name_misspelt.in_module": (
        "`{module}` has no `{name}`. Did you mean `{module}.{meant}`?",
        "The spelling of `{name}`.",
    ),
    "name_misspelt.other_module": (
        "`{module}` has no `{name}`. It is `{meant}`.",
        "The module before `.{name}`.",
    ),
    "name_not_defined.in_module": (
        "`{module}` has no `{name}`.",
        "The spelling of `{name}`.",
    ),
    "name_misspelt.of_object": (
        "{Kind} has no `{name}`. Did you mean `{meant}`?",
        "The spelling of `{name}`.",
    ),
    "name_misspelt.module_called": (
        "`{written}` is a module and cannot be called. The class is `{meant}`.",
        "The capitals in `{name}`.",
    ),
    "init_misspelt.super": (
        "`super()` has no `{name}`: the method is called `__init__`, with two underscores on each side.",
        "The name behind `super()`: `{name}`.",
    ),
    "call_left_out.before": (
        "What stands before `.{name}` is a function that was not called.",
        "The round brackets before `.{name}`.",
    ),
    "values_left_out": (
        "With a dim, torch.max and torch.min give two things back: the largest numbers (`.values`) and their places.",
        "`.values` is missing before `.{name}`.",
    ),
    "not_stored_on_self.read": (
        "Nothing is stored under `self.{name}`.",
        "`__init__`: only what is stored on self remains, under the name `{name}`.",
    ),
    "attribute_misspelt.given": (
        "The object has no `{name}`. It has {there}.",
        "`{name}` in this line: the object's name for it is `{meant}`.",
    ),
    "name_not_defined.of_given": (
        "The object has no `{name}`. It has {there}.",
        "The name `{name}` in this line.",
    ),
    "class_for_an_object": (
        "`{own}` is the class. `{meant}` belongs to an object of it: `__init__` makes it for each one.",
        "`{own}.{name}` in this line: a method writes `self.{meant}`.",
    ),
    "class_for_an_object.argument": (
        "`{own}` is the class. `{meant}` belongs to an object of it: `__init__` makes it for each one.",
        "`{own}.{name}` in this line: is an argument of `{function}` the object?",
    ),
    "class_for_an_object.none": (
        "`{own}` is the class. `{meant}` belongs to an object of it: `__init__` makes it for each one.",
        "`{own}.{name}` in this line: first make an object, `model = {own}({needed})`; then write `model.{meant}`.",
    ),
}  # fmt: skip

# Calls that do not fit.
CALLS = {
    "module_called": (
        "A module was called like a function. A function or class in it was meant.",
        "The name before the round brackets.",
    ),
    "keyword_misspelt": (
        "`{function}` has no argument `{keyword}`. It is called `{meant}`.",
        "The name `{keyword}` in this call.",
    ),
    "arguments_do_not_fit": (
        "`{function}` was called with other arguments than it has.",
        "The call of `{function}` in this line: the number of its arguments, and their names.",
    ),
    "arguments_do_not_fit.keyword": (
        "`{function}` has no argument `{keyword}`.",
        "The names of the arguments of `{function}`.",
    ),
    "arguments_do_not_fit.first_line": (
        "The first line of your `{function}` has other arguments than in the release.{differ}",
        "Line {line}: `({released})` must be as in the release.",
    ),
    "arguments_do_not_fit.own": (
        "`{function}` is called with other arguments than its first line has: {given}.",
        "The line that calls `{function}`, and its first line (line {line}).",
    ),
    "argument_of_another_type": (
        "`{function}` takes the type {wanted} as `{argument}`; here it got something of type {kind}.",
        "The brackets of `{function}` in this line. Where was that made?",
    ),
    "softmax_layer": (
        ("`nn.Softmax(...)` makes a layer and computes nothing yet: the layer is called with the scores afterwards. "
        "`torch.softmax` is the function that computes at once."),
        "The line with `nn.Softmax`: what is in its brackets, and what is called with the scores?",
    ),
    "numpy_on_tensors": (
        "NumPy called torch's `{function}`, because the argument is a tensor, and the two take other arguments.",
        "The function of NumPy in this line: for a tensor, use torch's own.",
    ),
    "call_left_out": (
        "`.{name}` is a function, and it was not called.",
        "After `.{name}` round brackets are missing: `.{name}()`.",
    ),
    "call_left_out.square_brackets": (
        "`.{name}` is a function, and it was not called.",
        "The brackets after `.{name}`: a function takes round ones.",
    ),
    "transpose_without_axes": (
        "torch's `{function}` needs the two axes that change places. Here it got none.",
        "The brackets of `{function}`. A matrix has the axes 0 and 1; `.T` needs no numbers.",
    ),
    "init_missing": (
        "`{name}` has no method `__init__`, so it takes no arguments.",
        "The methods of the class.",
    ),
}  # fmt: skip
