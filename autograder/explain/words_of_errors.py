"""What is said of exceptions: for each finding what is wrong, and where to look. The braces hold its facts."""

from __future__ import annotations

_SPELLING = "The spelling of `{name}` in this line."
# Where names come from: in a function, and at the left margin of the file.
ORIGIN = (
    "The spelling of the name. A function gets what it uses as an argument, makes it itself, "
    "or imports it."
)
ORIGIN_IN_A_NOTEBOOK = f"{ORIGIN} Cells that only show results do not run here."
ORIGIN_AT_THE_MARGIN = (
    "The spelling of the name. A line outside of all functions uses what a line above it makes "
    "or imports."
)

# Shown by the source.
SHOWN = {
    "assert_fails": (
        "This line is an `assert` of your own, and it does not hold for these inputs.",
        "What the `assert` demands: does it hold for inputs of other sizes, too?",
    ),
    "assert_fails.wanted": ("An `assert` that does not hold can raise nothing else.", ""),
    "stored_whole": (
        ("All of `self.{name}` is used here, and it was made for `{argument}` = {stored}. "
        "Only {size} of its rows and columns are needed, because `{of}` has the shape {shape}."),
        "Each use of `self.{name}` after `__init__`: cut out the part that belongs to the inputs of this call.",
    ),
    "raises_itself": (
        "This line is a `raise` of your own, and these inputs are allowed.",
        "The condition above it: what does the step say of the sizes that may come in?",
    ),
    "raises_itself.wanted": ("", ""),
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
        "The line `{line}` is missing: add it above your functions.",
    ),
    "made_aside": (
        "`{name}` is made in a cell that only shows something, and grading does not run such cells.",
        "`{name}`: a step gets only its arguments and what your other cells define.",
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
    "self_too_many": (
        "`{name}` is a function of your file (line {line}), not a method of this class.",
        "`self.{name}` in this line: leave out `self.`.",
    ),
    "not_stored_on_self.of_init": (
        "`{name}` is {kind} of `__init__`, and only `__init__` knows it: other methods get what stands on self.",
        "`__init__`: `self.{name} = {name}` keeps it, and `self.{name}` reads it here.",
    ),
    "function_for_its_result": (
        "`{name}` is your function of line {line} itself, not a result of it.",
        "`{name}` in this line: is an argument or a variable meant, or are the brackets of a call missing?",
    ),
    "named_like_its_function": (
        ("In this function `{name}` is a variable, since line {line} gives it a value. So the function `{name}` of "
        "line {defined} cannot be called here."),
        "Line {line}: give the result another name than the function.",
    ),
    "named_like_its_function.read": (
        ("`{name}` is used before it gets a value. Line {line} makes a variable of this name, so the function of "
        "line {defined} is not meant here."),
        "`{name}` on the right: is an argument meant?",
    ),
    "module_left_out.of_numbers": (
        "There is no `{name}` by itself: it belongs to a module. What it gets here is a plain number.",
        "Write `math.{name}`, with `import math` at the top of the file.",
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
    "name_not_defined.one_of": (
        "There is no variable `{name}` here. The module has `self.{meant}`.",
        "Is one of `self.{meant}` meant, or all of them, one after the other? A loop gives each one a name.",
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
    "name_not_defined.of_others": (
        "`{module}` has no `{name}`. `{meant}` does not take what this step gets.",
        "`{module}.{name}` in this line: write it with functions that `{module}` has.",
    ),
    "name_not_defined.in_module": (
        "`{module}` has no `{name}`.",
        "The spelling of `{name}`.",
    ),
    "name_misspelt.of_object": (
        "{Kind} has no `{name}`. Did you mean `{meant}`?",
        "The spelling of `{name}`.",
    ),
    "name_not_defined.of_a_tensor": (
        "{Kind} has no `{name}`; a tensor has.",
        "What stands before `.{name}`, and where it was made: is it what you think?",
    ),
    "name_not_defined.of_object": (
        "{Kind} has no `{name}`.",
        "What stands before `.{name}`, and where it was made. Perhaps `{meant}` is meant.",
    ),
    "name_misspelt.module_called": (
        "`{written}` is a module and cannot be called. The class is `{meant}`.",
        "The capitals in `{name}`.",
    ),
    "init_misspelt.super": (
        "`super()` has no `{name}`: the method is called `__init__`, with two underscores on each side.",
        "The name behind `super()`: `{name}`.",
    ),
    "name_not_defined.of_super": (
        "`super()` has no `{name}`. It stands for the class after the name of yours, in brackets.",
        "What stands behind `super()`. In `__init__` it is `super().__init__()`.",
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
    "arguments_do_not_fit.keyword": (
        "`{function}` has no argument `{keyword}`.",
        "The names of the arguments of `{function}`.",
    ),
    "arguments_do_not_fit.first_line": (
        "The first line of your `{function}` has other arguments than in the release.{differ}",
        "The first line (line {line}) must be as in the release: `({released})`.",
    ),
    "arguments_do_not_fit.order": (
        ("The arguments of your `{function}` stand in another order than in the release: `({given})`. A call gives "
        "them by their place, so each name gets the value of another one."),
        "The first line (line {line}): write `({released})`.",
    ),
    "arguments_do_not_fit.meaning": (
        ("The arguments of your `{function}` mean something else than in the release: `({given})`. A call gives them "
        "by their place."),
        "The first line (line {line}): write `({released})`, and use these arguments below.",
    ),
    "arguments_do_not_fit.name": (
        ("The release calls this argument `{name}`, and the first line of your `{function}` calls it `{other}`. So "
        "`{name}` in the code below is not the argument."),
        "The first line (line {line}): write `({released})`.",
    ),
    "arguments_do_not_fit.default": (
        "`{argument}` has no default in your `{function}`. In the release it has one, so that calls may leave it out.",
        "The first line (line {line}): write `{argument}={default}`.",
    ),
    "arguments_do_not_fit.other_default": (
        "Your `{function}` has the default `{argument}={given}`; the release has `{argument}={default}`.",
        "The first line (line {line}): write `{argument}={default}`.",
    ),
    "arguments_do_not_fit.own": (
        "`{function}` is called with other arguments than its first line has: {given}.",
        "The line that calls `{function}`, and its first line (line {line}).",
    ),
    "arguments_do_not_fit.own_first_line": (
        "The first line of your `{function}` does not take its arguments as in the release: {given}.",
        "The first line (line {line}): compare it with the release.",
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
    "inner_sizes_differ.exchanged": (
        ("In a matrix product the inner sizes must be equal. `{left}` has the shape {of_left} and `{right}` "
        "{of_right}: in this order they do not fit, in the other one they do."),
        "The two sides of the product: row i of the left one becomes row i of the result.",
    ),
    "inner_sizes_differ.layer": (
        "`{layer}` takes rows of {taken} numbers, and the rows that it gets here have {given}.",
        "What goes into `{layer}`, and the sizes with which line {line} makes the layer.",
    ),
    "tensor_called.matrix": (
        "`{attribute}` holds numbers (line {line}: `{made}`), and this line calls it like a function.",
        "The round brackets after `{attribute}`: a matrix stands beside `@`, and only a layer is called.",
    ),
    "tensor_called.number": (
        "`{attribute}` is a plain number (line {line}: `{made}`), and this line calls it like a function.",
        "Is an operator missing before the brackets? Or must line {line} make a layer with this number?",
    ),
    "letters_of_a_text": (
        "A loop over a text gives its letters, and `{name}` is a text.",
        "The loop in line {line}: how does `{name}` become a list of words?",
    ),
    "sizes_in_view.one": (
        ("`{written}` is {size} here.{made} With it, the sizes multiply to {product}, but there are {count} numbers. "
        "If the other sizes are right, {fits} is needed."),
        "`{written}`: which width does the tensor have that gets a new shape?",
    ),
    "sizes_in_view.number": (
        ("The number {size} is written into this line. With it, the sizes multiply to {product}, but there are {count} "
        "numbers."),
        "The {size} in this line: take the size from a shape.",
    ),
    "sizes_in_view.all": (
        "The sizes multiply to {product}, but there are {count} numbers. Here {shown}.",
        "Each of them in this line: is it the size that its name says?",
    ),
    "too_few_indices": (
        "`{base}` has {axes} axes here, {shape}, and `{written}` names the first {given}.",
        "`{written}`: each axis needs a place in the square brackets; `:` stands for all of one.",
    ),
    "axes_of_a_shape": (
        "`{written}` has {axes} axes here, {shape}, and {count} names stand on the left.",
        "The names on the left: one for each axis. What does each axis count?",
    ),
    "turned_another_way": (
        "`{written}` turns the order of all axes round, and here there are {axes}: {shape}. So the first comes last.",
        "`{written}`: exchange the last two axes only. Counted from the end they are -2 and -1.",
    ),
    "turned_another_way.first_two": (
        "`{written}` exchanges the first two axes, and here there are {axes}: {shape}.",
        "`{written}`: exchange the last two axes. Counted from the end they are -2 and -1.",
    ),
    "shapes_differ.product": (
        "This multiplies number by number, and the shapes do not fit: {shown}.",
        "Where both are made: from which axis does each size come?",
    ),
    "shapes_in_the_line": (
        "The shapes in this line do not fit. {shown}.",
        "",
    ),
    "no_such_axis.elsewhere": (
        "There is no axis {axis} here. `{written}` in line {line} asks for it. Axes count from 0; -1 is the last one.",
        "Line {line}: the axis (dim), and the shape of what it is applied to.",
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
